"""Whether two databases are ready for a refresh, or a clone for its masking: facts, and every finding. Reads
only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import oracledb

from oracle_refresh.catalog import DatabaseIdentity
from oracle_refresh.catalog.exotics import Exotic, clone_exotics, exotics
from oracle_refresh.definition import CloneDefinition, RefreshDefinition
from oracle_refresh.experience.informed_plan import plan_refresh
from oracle_refresh.masking.ruleset import load_ruleset
from oracle_refresh.oracle.errors import PlanError, oracle_codes
from oracle_refresh.oracle.findings import Finding
from oracle_refresh.plan.builder import MAX_MAP_LENGTH
from oracle_refresh.preflight.checks import NOT_VISIBLE, check_databases
from oracle_refresh.preflight.clone import check_cloned
from oracle_refresh.preflight.databases import Database, Databases
from oracle_refresh.preflight.fit import check_undo
from oracle_refresh.preflight.surroundings import Surroundings
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
    both = Databases.of(source, target, definition, load_ruleset(definition.masking.ruleset))
    findings = [*others, *check_databases(both, *roles)]
    if not any(finding.severity == "error" for finding in findings):
        findings += check_tuning(target, definition) + _undo(both)
    return _examined((both.source, both.target), findings, lambda: exotics(both.catalogue))


def examine_clone(
    target: oracledb.Connection,
    definition: CloneDefinition,
    role: str | None = "target",
    others: Sequence[Finding] = (),
) -> Examination:
    """The same of a clone that is masked where it is."""
    clone = Databases.of(target, target, definition, load_ruleset(definition.masking.ruleset))
    findings = [*others, *check_cloned(clone, role)]
    if not any(finding.severity == "error" for finding in findings):
        findings += check_tuning(target, definition)
    return _examined((clone.target,), findings, lambda: clone_exotics(clone.catalogue))


def _examined(
    ends: Sequence[Database], findings: Sequence[Finding], named: Callable[[], tuple[Exotic, ...]]
) -> Examination:
    facts: dict[str, tuple[DatabaseIdentity, Surroundings]] = {
        database.end: read for database in ends if (read := _facts(database))
    }
    return Examination(facts, tuple(findings), named() if len(facts) == len(ends) else ())


def _undo(both: Databases) -> list[Finding]:
    source, target = both.source.connection, both.target.connection
    try:
        # How many jobs Airflow maps over is for the task `plan` to say.
        most = max(MAX_MAP_LENGTH, both.refresh.most_shards)
        plan = plan_refresh(source, target, both.refresh, freeze(source), "preflight", most).plan
    except PlanError:  # an empty schema is a finding of its own
        return []
    return check_undo(both.source.limits.undo, plan.expected_held_seconds)


def _facts(database: Database) -> tuple[DatabaseIdentity, Surroundings] | None:
    try:
        return database.identity, database.surroundings
    except oracledb.Error as error:
        if NOT_VISIBLE.intersection(oracle_codes(error)):
            return None
        raise
