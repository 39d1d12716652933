"""The preflight: all checks, read-only, in the order in which one failure makes the next ones pointless."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from oracle_refresh.catalog.exotics import exotics, findings_of
from oracle_refresh.definition import RefreshDefinition
from oracle_refresh.oracle.errors import oracle_codes
from oracle_refresh.oracle.findings import Finding, error
from oracle_refresh.plan.chosen import choice_findings
from oracle_refresh.preflight import contents, quarantine
from oracle_refresh.preflight.beside import check_beside
from oracle_refresh.preflight.check_constraints import check_conditions
from oracle_refresh.preflight.conformity import check_conformity
from oracle_refresh.preflight.databases import Databases
from oracle_refresh.preflight.directories import check_directories
from oracle_refresh.preflight.expectations import check_expectations
from oracle_refresh.preflight.fit import check_fit, check_instance, check_room
from oracle_refresh.preflight.grants import check_grants
from oracle_refresh.preflight.identities import check_identities, check_roles
from oracle_refresh.preflight.quotas import check_quotas, read_placed, read_quotas
from oracle_refresh.preflight.requirements import (
    DICTIONARY,
    PUBLIC_PACKAGES,
    missing,
    source_objects,
    source_requirements,
    target_objects,
    target_requirements,
)
from oracle_refresh.preflight.rules import check_characters, check_partitions, check_rules
from oracle_refresh.preflight.transport import check_link

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.masking.rules import Ruleset

NOT_VISIBLE = frozenset({"ORA-00942", "ORA-01031"})


def _fit(both: Databases) -> Iterator[Finding]:
    """Whether the databases fit together, and their instances can take the refresh."""
    source, target, definition = both.source, both.target, both.refresh
    yield from check_fit(definition, source.surroundings, target.surroundings, source.contents)
    for each in (source, target):
        yield from check_instance(
            each.end, definition, each.surroundings, each.limits, each.identity.container
        )
    yield from check_room(definition, source.contents, target.contents)


def _rules(both: Databases) -> Iterator[Finding]:
    if both.ruleset is not None:
        yield from check_rules(both.ruleset, both.catalogue, both.definition)
        yield from check_characters(
            both.ruleset, both.catalogue, both.source.surroundings, both.target.surroundings
        )


def _quotas(both: Databases) -> Iterable[Finding]:
    schemas = both.definition.schemas
    placed = read_placed(both.source.connection, schemas)
    return check_quotas(both.refresh, placed, read_quotas(both.target.connection, schemas))


#: What is asked of databases whose dictionaries can be read. A new check is one line here, or in `contents`.
CHECKS: tuple[Callable[[Databases], Iterable[Finding]], ...] = (
    lambda both: check_identities(both.refresh, both.source.identity, both.target.identity),
    *contents.CHECKS,
    *quarantine.CHECKS,
    check_beside,
    lambda both: findings_of(exotics(both.catalogue)),
    lambda both: check_partitions(both.catalogue),
    lambda both: choice_findings(both.catalogue, both.refresh),
    lambda both: check_link(both.target.connection, both.source.identity, both.refresh),
    _quotas,
    _fit,
    _rules,
    check_conditions,
    check_conformity,
    check_expectations,
)


def check(
    source: oracledb.Connection,
    target: oracledb.Connection,
    definition: RefreshDefinition,
    source_role: str | None,
    target_role: str | None,
    ruleset: Ruleset | None = None,
) -> list[Finding]:
    """Return all findings about a refresh. Reads both databases. Without an error among them, it also writes
    and removes a file in the DIRECTORYs of source and target (`check_directories`).

    :param source_role: `refresh_role` in the extra of the source's Airflow connection, None if absent.
    :param target_role: the same of the target's connection.
    :param ruleset: whose rules have to fit the columns of the source, if any.
    :raises oracledb.Error: if a connection breaks; a missing privilege is a finding instead.
    """
    return check_databases(Databases.of(source, target, definition, ruleset), source_role, target_role)


def check_databases(both: Databases, source_role: str | None, target_role: str | None) -> list[Finding]:
    """The same, of databases that may be looked at further."""
    definition, source, target = both.refresh, both.source, both.target
    findings = check_roles(definition, source_role, target_role)
    readable = True
    for each, wanted, objects in (
        (source, source_requirements(definition, source.privileges.user), source_objects(definition)),
        (target, target_requirements(definition), target_objects(definition)),
    ):
        if any(each.privileges.holds(name) for name in DICTIONARY):
            needed = (*objects, *PUBLIC_PACKAGES)
            findings += check_grants(each.end, each.connection, each.privileges, wanted, needed)
        else:
            findings += missing(each.end, each.privileges, wanted)
            readable = False
    findings += asked(both, CHECKS) if readable else []
    if not any(finding.severity == "error" for finding in findings):
        findings += check_directories(both)
    return findings


def asked(both: Databases, checks: Iterable[Callable[[Databases], Iterable[Finding]]]) -> Iterator[Finding]:
    """What the checks find; a view that cannot be read is a finding, and ends them."""
    try:
        for ask in checks:
            yield from ask(both)
    except Exception as problem:
        if NOT_VISIBLE.isdisjoint(oracle_codes(problem)):
            raise
        message = f"a dictionary view cannot be read: {problem}"
        yield error("MISSING_GRANT", message, "grant SELECT_CATALOG_ROLE")
