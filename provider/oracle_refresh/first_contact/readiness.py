"""The first step: both ends are what they are named, and the preflight finds nothing against a refresh."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Any

from oracle_refresh.first_contact.model import Check, Outcome, failed, passed
from oracle_refresh.first_contact.statements import OPTIONS
from oracle_refresh.oracle.findings import Finding
from oracle_refresh.oracle.session import rows
from oracle_refresh.preflight.examination import ROLES, examine

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.definition import RefreshDefinition

#: The least release: what is documented for 19c is used everywhere.
LEAST_RELEASE = 19


def check_readiness(
    source: oracledb.Connection, target: oracledb.Connection, definition: RefreshDefinition
) -> tuple[tuple[Check, ...], dict[str, Any]]:
    """The checks; per database its release, edition, options, character sets and parameters; and what of the
    schemas is refused, left out or changed, by name. Reads only.

    Hosts, services and names of the databases are not among the facts.
    """
    started = monotonic()
    examined = examine(source, target, definition)
    checks = [passed("preflight", None, monotonic() - started)] if examined.ready else []
    checks += [of_finding(finding) for finding in examined.findings]
    facts: dict[str, Any] = {}
    for role, connection in zip(ROLES, (source, target), strict=True):
        if role in examined.facts:
            identity, surroundings = examined.facts[role]
            checks.append(release(role, identity.version))
            facts[role] = {
                **surroundings.to_json(),
                "open_mode": identity.open_mode,
                "database_role": identity.database_role,
                "options": {str(name): str(value) for name, value in rows(connection, OPTIONS)},
            }
    facts["exotics"] = [exotic.to_json() for exotic in examined.exotics]
    return tuple(checks), facts


def of_finding(finding: Finding) -> Check:
    """An error of the preflight is a failure; a warning stands beside what has passed."""
    return Check(
        name=f"preflight {finding.code}",
        end=None,
        outcome=Outcome.FAILED if finding.severity == "error" else Outcome.PASSED,
        problem=finding.message,
        codes=(finding.code,),
        remedy="; ".join((finding.remedy, *finding.sql)),
    )


def release(end: str, version: str) -> Check:
    """:param version: as V$INSTANCE has it, such as 19.0.0.0.0."""
    name, least = f"release {version}", f"{LEAST_RELEASE}c"
    if int(version.partition(".")[0]) >= LEAST_RELEASE:
        return passed(name, end)
    remedy = f"refreshes are made for {least} and later"
    return failed(name, end, f"the release is older than {least}", remedy)
