"""The plan of a clone that is masked where it is: no jobs, only the work units of its tables. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from oracle_refresh.catalog.exotics import clone_exotics, findings_of
from oracle_refresh.catalog.limits import Limits
from oracle_refresh.catalog.model import Catalogue, Table
from oracle_refresh.definition import CloneDefinition
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.plan.model import Plan, TablePlan
from oracle_refresh.plan.pace import Pace
from oracle_refresh.plan.units import masking_work, work_units


def plan_masking(
    catalogue: Catalogue,
    definition: CloneDefinition,
    limits: Limits,
    run_id: str,
    masked: Mapping[TableName, int],
    max_map_length: int,
    task_slots: int | None = None,
) -> Plan:
    """Work units of all tables: those without rules are compared as well, that they stay as they are.

    :param masked: how many columns of a table are masked.
    :param max_map_length: the most work units that Airflow maps over.
    :param task_slots: tasks that Airflow runs at the same time.
    :raises PlanError: if there is no table.
    """
    if not catalogue.tables:
        raise PlanError(
            f"schemas {', '.join(catalogue.schemas)} hold no table to mask",
            object_name=definition.name,
            step="plan",
            remedy="check schemas and exclude_tables of the definition",
        )
    degree = definition.degree or limits.wished_degree
    tables = tuple(_planned(table, masked.get(table.full_name, 0)) for table in catalogue.tables)
    pace = Pace(None)
    works = {
        table.key: table.total_bytes + masking_work(table.rows, table.bytes, masked.get(table.full_name, 0))
        for table in catalogue.tables
        if not table.temporary
    }
    total = sum(table.total_bytes for table in tables)
    return Plan(
        refresh=definition.name,
        run_id=run_id,
        scn=None,
        degree=degree,
        jobs=(),
        tables=tables,
        total_bytes=total,
        makespan_bytes=0,
        bound_bytes=0,
        expected_seconds=None,
        degree_reason="as the definition says" if definition.degree else "four for each CPU",
        findings=tuple(findings_of(clone_exotics(catalogue))),
        task_slots=task_slots,
        units=work_units(tables, (), works, pace, degree, max_map_length),
    )


def _planned(table: Table, columns: int) -> TablePlan:
    return TablePlan(
        owner=table.owner,
        name=table.name,
        treatment="structure" if table.temporary else "in_place",
        jobs=(),
        rows=table.rows,
        bytes=table.bytes,
        lob_bytes=table.lob_bytes,
        reason=f"{columns} columns are masked" if columns else "no rule: it stays as it is",
    )
