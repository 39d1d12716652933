"""Whether two databases are ready for a refresh: their facts, and every finding. Reads only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import oracledb

from oracle_refresh.catalog import DatabaseIdentity, identify
from oracle_refresh.catalog.exotics import Exotic, exotics
from oracle_refresh.catalog.limits import read_limits
from oracle_refresh.catalog.reader import read_catalogue
from oracle_refresh.definition import RefreshDefinition
from oracle_refresh.masking.ruleset import load_ruleset
from oracle_refresh.oracle.errors import PlanError, oracle_codes
from oracle_refresh.oracle.findings import Finding
from oracle_refresh.planning.pipeline import plan_refresh
from oracle_refresh.preflight.checks import NOT_VISIBLE, check
from oracle_refresh.preflight.fit import check_undo
from oracle_refresh.preflight.surroundings import Surroundings, read_surroundings
from oracle_refresh.preflight.tuning import check_tuning
from oracle_refresh.run.freeze import freeze

ROLES = ("source", "target")


@dataclass(frozen=True)
class Examination:
    """Facts of the databases whose dictionary could be read, and the findings."""

    facts: dict[str, tuple[DatabaseIdentity, Surroundings]]
    findings: tuple[Finding, ...]
    exotics: tuple[Exotic, ...] = ()
    """What of the schemas is refused, left out or changed."""

    @property
    def ready(self) -> bool:
        return not any(finding.severity == "error" for finding in self.findings)

    def to_json(self) -> dict[str, Any]:
        return {
            "ready": self.ready,
            **{role: {**who.to_json(), **facts.to_json()} for role, (who, facts) in self.facts.items()},
            "findings": [finding.to_json() for finding in self.findings],
            "exotics": [exotic.to_json() for exotic in self.exotics],
        }


def examine(
    source: oracledb.Connection,
    target: oracledb.Connection,
    definition: RefreshDefinition,
    roles: tuple[str | None, str | None] = ROLES,
    others: Sequence[Finding] = (),
) -> Examination:
    """All that the task `preflight` checks, and the undo that the plan is expected to need.

    :param roles: `refresh_role` of the Airflow connections; taken for granted unless they are given.
    :param others: findings about what is outside of the databases.
    """
    ruleset = load_ruleset(definition.masking.ruleset)
    findings = [*others]
    findings += check(source, target, definition, *roles, ruleset)
    if not any(finding.severity == "error" for finding in findings):
        findings += check_tuning(target, definition) + _undo(source, target, definition)
    facts = {role: _facts(connection) for role, connection in zip(ROLES, (source, target), strict=True)}
    named = (
        exotics(read_catalogue(source, definition.schemas, definition.exclude_tables))
        if all(facts.values())
        else ()
    )
    return Examination({role: each for role, each in facts.items() if each}, tuple(findings), named)


def _undo(
    source: oracledb.Connection, target: oracledb.Connection, definition: RefreshDefinition
) -> list[Finding]:
    try:
        plan = plan_refresh(source, target, definition, freeze(source), "preflight").plan
    except PlanError:  # an empty schema is a finding of its own
        return []
    return check_undo(read_limits(source).undo, plan.expected_held_seconds)


def _facts(connection: oracledb.Connection) -> tuple[DatabaseIdentity, Surroundings] | None:
    try:
        return identify(connection), read_surroundings(connection)
    except oracledb.Error as error:
        if NOT_VISIBLE.intersection(oracle_codes(error)):
            return None
        raise
