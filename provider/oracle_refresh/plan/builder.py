"""Builds the plan: which tables are cut into shards, into how many, and what goes into the bulk job."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from oracle_refresh.catalog.exotics import exotic_findings
from oracle_refresh.catalog.limits import Limits
from oracle_refresh.catalog.model import Catalogue, Table
from oracle_refresh.catalog.survey import Survey
from oracle_refresh.definition import RefreshDefinition
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.plan import findings
from oracle_refresh.plan.balance import bound, choose_shards, split
from oracle_refresh.plan.bulk import BulkJob, bulk_jobs
from oracle_refresh.plan.model import ExportJob, Plan, TablePlan, Treatment
from oracle_refresh.plan.numbering import Draft, number
from oracle_refresh.plan.schedule import Load, schedule
from oracle_refresh.plan.schemes import Cutter, cutter, ranges_wanted, weight
from oracle_refresh.plan.treatment import (
    DIVIDED_FROM,
    Circumstances,
    Verdict,
    divided_by_data_pump,
    judge,
    most_shards,
)
from oracle_refresh.plan.units import masking_work, work_units
from oracle_refresh.run.freeze import Frozen

#: Airflow's default of [core] max_map_length.
MAX_MAP_LENGTH = 1024


def survey_wanted(
    catalogue: Catalogue, definition: RefreshDefinition, limits: Limits, frozen: Frozen
) -> tuple[Table, ...]:
    """The tables whose extents `build_plan` would like to know; see `catalog.read_survey`."""
    tables = _carried(catalogue, definition)
    degree, _ = choose_degree(definition, limits)
    now = Circumstances.of(tables, definition, limits, degree, frozen.source.version)
    return tuple(
        table
        for table in tables
        if now.work(table) > now.ideal
        and judge(table, now).kind == "shards"
        and ranges_wanted(table, _about(table, definition, now), definition.datapump.over_link)
    )


def build_plan(
    catalogue: Catalogue,
    definition: RefreshDefinition,
    limits: Limits,
    frozen: Frozen,
    run_id: str,
    survey: Survey | None = None,
    max_map_length: int = MAX_MAP_LENGTH,
    masked: Mapping[tuple[str, str], int] | None = None,
) -> Plan:
    """The plan of one run; the same input gives the same plan.

    A table is cut into shards when one worker would need longer for it than the ideal share (all work /
    degree, in bytes or, once rates were measured, in time), it holds at least `lob_shard_min_bytes`, and
    Data Pump would not divide it itself. One that cannot be cut gets a job of its own, which starts early.
    Everything else goes into one bulk job, whose workers Data Pump distributes itself; into several where a
    limit demands it.

    :param survey: extents of the tables that `survey_wanted` names; without them their rows are told
        apart by block number.
    :param max_map_length: the most jobs, and the most work units, that Airflow maps over.
    :param masked: how many columns of a table are masked, by owner and name.
    :raises PlanError: if there is nothing to copy, or the limits permit no plan.
    """
    tables = _carried(catalogue, definition)
    degree, degree_reason = choose_degree(definition, limits)
    now = Circumstances.of(tables, definition, limits, degree, frozen.source.version)
    verdicts = {table.key: judge(table, now) for table in tables}
    groups: dict[str, list[Table]] = defaultdict(list)
    for table in tables:
        groups[verdicts[table.key].kind].append(table)
    wholes = groups["whole"]
    bulk = _bulk(groups["bulk"], now, degree)
    apart = sorted([*groups["shards"], *wholes], key=lambda table: (-now.work(table), table.key))
    demoted: list[Table] = []
    while apart and len(apart) + len(bulk) > max_map_length:  # the smallest travel with the others after all
        demoted.append(apart.pop())
        verdicts[demoted[-1].key] = Verdict("bulk", "as many jobs as Airflow maps over are there without it")
        bulk = _bulk([*groups["bulk"], *demoted], now, degree)
    wholes = [table for table in wholes if verdicts[table.key].kind == "whole"]
    large = [table for table in groups["shards"] if verdicts[table.key].kind == "shards"]
    room = max_map_length - len(bulk)
    if room < 0:
        raise PlanError(
            f"{len(tables):,} tables need more jobs than the {max_map_length:,} that Airflow maps over",
            object_name=definition.name,
            step="plan",
            remedy="raise [core] max_map_length, or refresh fewer schemas at a time",
        )

    cutters = [
        cutter(
            table,
            survey.of(table) if survey else None,
            _about(table, definition, now),
            definition.datapump.over_link,
        )
        for table in large
    ]
    alone = [_alone(table, now) for table in wholes]
    shards = _shards(cutters, definition, degree, bulk, alone, room - len(wholes), now)
    bulk_drafts = [Draft(job.tables, "bulk", sum(map(weight, job.tables)), job.works) for job in bulk]
    singles = [*shards, *alone, *(draft for draft in bulk_drafts if len(draft.works) == 1)]
    singles.sort(key=lambda draft: (-draft.works[0], draft.tables[0].key))
    # A job of several workers starts before jobs of one fill them.
    drafts = [*(draft for draft in bulk_drafts if len(draft.works) > 1), *singles]
    jobs = number(drafts, definition.name, run_id, now.release, now.pace)
    treated = _table_plans(catalogue.tables, jobs, verdicts, {one.table.key: one for one in cutters})
    planned = schedule([Load(job.id, draft.works) for job, draft in zip(jobs, drafts, strict=True)], degree)
    work = sum(sum(draft.works) for draft in drafts)
    plan = Plan(
        refresh=definition.name,
        run_id=run_id,
        scn=frozen.scn,
        degree=degree,
        jobs=jobs,
        tables=treated,
        total_bytes=sum(map(weight, tables)),
        makespan_bytes=planned.makespan,
        bound_bytes=bound(work, degree, _indivisible(bulk, alone, cutters, definition, now)),
        expected_seconds=now.pace.seconds(planned.makespan),
        rates=limits.rates,
        degree_reason=degree_reason,
        critical_path=planned.path,
        units=work_units(
            treated, jobs, _after_load(tables, now, masked or {}), now.pace, degree, max_map_length
        ),
    )
    wished = definition.degree or limits.wished_degree
    mapped = bool(demoted) or len(jobs) == max_map_length
    return replace(
        plan,
        findings=(
            *findings.limit_findings(limits, wished, degree),
            *findings.map_finding(mapped, len(jobs), max_map_length),
            *findings.table_findings(tables),
            *exotic_findings(catalogue),
            *findings.pole_finding(plan, -(-work // degree), definition.lob_shard_min_bytes),
            *findings.undo_findings(plan, limits.undo, large),
        ),
    )


def _carried(catalogue: Catalogue, definition: RefreshDefinition) -> list[Table]:
    """The tables that hold rows to copy."""
    tables = [table for table in catalogue.tables if not table.temporary]
    if not tables:
        raise PlanError(
            f"schemas {', '.join(catalogue.schemas)} hold no table to copy",
            object_name=definition.name,
            step="plan",
            remedy="check schemas and exclude_tables of the definition",
        )
    return tables


def choose_degree(definition: RefreshDefinition, limits: Limits) -> tuple[int, str]:
    """Workers at the same time, and why so many.

    :raises PlanError: if the instances permit no Data Pump job.
    """
    if definition.degree:
        wished, why = definition.degree, "as the definition or the trigger form says"
    elif limits.calibrated_degree:
        wished, why = limits.calibrated_degree, f"as calibration {limits.calibrated_by} recommends"
    else:
        wished, why = limits.wished_degree, f"four for each of {limits.cpus} CPUs, 4 to 64; not calibrated"
    degree = min(wished, limits.jobs_at_once)
    if degree < 1:
        raise PlanError(
            "max_datapump_jobs_per_pdb = 0 permits no Data Pump job",
            object_name=definition.name,
            step="plan",
            remedy="ALTER SYSTEM SET MAX_DATAPUMP_JOBS_PER_PDB = 100",
        )
    return degree, why if degree == wished else f"{wished} {why}, but the instances permit {degree}"


def _after_load(
    tables: Iterable[Table], now: Circumstances, masked: Mapping[tuple[str, str], int]
) -> dict[str, int]:
    """The work of each table once it is loaded, by its key: reading it, and masking its columns."""
    return {
        one.key: now.work(one) + masking_work(one.rows, one.bytes, masked.get((one.owner, one.name), 0))
        for one in tables
    }


def _about(table: Table, definition: RefreshDefinition, now: Circumstances) -> int:
    """About how many shards a table will have; at least as many as the fewest that relieve one worker."""
    return max(2, min(most_shards(table, definition), -(-now.work(table) // now.ideal)))


def _pieces(table: Table, now: Circumstances) -> list[int]:
    """The work that workers of one job do of a table, each at a time."""
    work = now.work(table)
    return split(work, -(-weight(table) // DIVIDED_FROM)) if divided_by_data_pump(table, now) else [work]


def _bulk(tables: Sequence[Table], now: Circumstances, degree: int) -> list[BulkJob]:
    return bulk_jobs(tables, lambda table: _pieces(table, now), now.ideal, degree, now.workers_per_job)


def _alone(table: Table, now: Circumstances) -> Draft:
    size = weight(table)
    return Draft((table,), "whole_table", size, (now.pace.work(size, "whole_table"),))


def _shards(
    cutters: Sequence[Cutter],
    definition: RefreshDefinition,
    degree: int,
    bulk: Sequence[BulkJob],
    alone: Iterable[Draft],
    budget: int,
    now: Circumstances,
) -> list[Draft]:
    def works(number: int, count: int) -> Sequence[int]:
        one = cutters[number]
        return now.pace.works((piece.bytes for piece in one.cut(count)), one.scheme)

    counts = choose_shards(
        [now.pace.work(weight(one.table), one.scheme) for one in cutters],
        [most_shards(one.table, definition) for one in cutters],
        degree,
        [work for job in bulk if len(job.works) > 1 for work in job.works][:degree],
        others=[
            *(sum(draft.works) for draft in alone),
            *(work for job in bulk if len(job.works) == 1 for work in job.works),
        ],
        budget=budget,
        cut=works,
    )
    return [
        Draft((one.table,), one.scheme, piece.bytes, (now.pace.work(piece.bytes, one.scheme),), piece)
        for one, count in zip(cutters, counts, strict=True)
        for piece in one.cut(count)
    ]


def _indivisible(
    bulk: Iterable[BulkJob],
    alone: Iterable[Draft],
    cutters: Iterable[Cutter],
    definition: RefreshDefinition,
    now: Circumstances,
) -> list[int]:
    """The largest pieces that no plan within these limits could divide further."""
    carried = (max(_pieces(table, now)) for job in bulk for table in job.tables)
    whole = (max(draft.works) for draft in alone)
    largest = (
        now.pace.work(-(-weight(one.table) // most_shards(one.table, definition)), one.scheme)
        for one in cutters
    )
    return [max(carried, default=0), max(whole, default=0), max(largest, default=0)]


def _table_plans(
    tables: Iterable[Table],
    jobs: Iterable[ExportJob],
    verdicts: Mapping[str, Verdict],
    cutters: Mapping[str, Cutter],
) -> tuple[TablePlan, ...]:
    carrying: dict[tuple[str, str], list[str]] = defaultdict(list)
    for job in jobs:
        for name in job.tables:
            carrying[name].append(job.id)
    plans = []
    for table in tables:
        treatment: Treatment = "structure"
        reason = "temporary: its rows belong to sessions"
        if not table.temporary:
            treatment, reason = verdicts[table.key].kind, verdicts[table.key].reason
        if treatment == "shards":
            reason = f"{reason}; {cutters[table.key].why}"
        plans.append(
            TablePlan(
                owner=table.owner,
                name=table.name,
                treatment=treatment,
                jobs=tuple(carrying[table.owner, table.name]),
                rows=table.rows,
                bytes=table.bytes,
                lob_bytes=table.lob_bytes,
                reason=reason,
            )
        )
    return tuple(plans)
