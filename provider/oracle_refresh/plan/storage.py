"""The plan of a run and the catalogue that it was made of, in the run's documents: one for each job, table
and unit, so that a task reads no more than its own part."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from oracle_refresh.catalog.model import Catalogue, Table
from oracle_refresh.plan.model import JOB, PLAN, TABLE_PLAN, UNIT, Plan
from oracle_refresh.run.documents import WHOLE, Documents, Fact
from oracle_refresh.run.kind import Kind

CATALOGUE: Kind[Catalogue] = Kind("catalogue", Catalogue)
TABLE: Kind[Table] = Kind("table", Table)


def save_plan(documents: Documents, plan: Plan, catalogue: Catalogue, *further: Fact[Any]) -> bool:
    """Store the plan of its run in one transaction, unless there is one: another try may have been faster,
    and jobs may be at work by its plan. Whether it was stored.

    :param further: facts that hold with this plan.
    """
    facts = (
        Fact(PLAN, WHOLE, replace(plan, jobs=(), tables=(), units=())),
        *further,
        Fact(CATALOGUE, WHOLE, replace(catalogue, tables=())),
        *(Fact(JOB, job.id, job) for job in plan.jobs),
        *(Fact(TABLE_PLAN, planned.key, planned) for planned in plan.tables),
        *(Fact(UNIT, unit.id, unit) for unit in plan.units),
        *(Fact(TABLE, table.key, table) for table in catalogue.tables),
    )
    return documents.keep_all(facts)


def read_plan(documents: Documents) -> Plan:
    """:raises PlanError: if the run has no plan."""
    return replace(
        documents.get(PLAN, WHOLE),
        jobs=tuple(documents.all(JOB)),
        tables=tuple(documents.all(TABLE_PLAN)),
        units=tuple(documents.all(UNIT)),
    )


def planned_catalogue(documents: Documents) -> Catalogue:
    """What was planned of, as it was then.

    :raises PlanError: if the run has no plan.
    """
    rest = documents.get(CATALOGUE, WHOLE)
    return replace(rest, tables=tuple(documents.all(TABLE)))
