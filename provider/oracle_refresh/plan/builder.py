"""Builds the plan: which tables are cut into shards, into how many, and what goes into the bulk job."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from oracle_refresh.catalog.exotics import exotics, findings_of
from oracle_refresh.catalog.limits import Limits
from oracle_refresh.catalog.model import Catalogue, Table
from oracle_refresh.catalog.survey import Survey
from oracle_refresh.definition import RefreshDefinition
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.plan import findings
from oracle_refresh.plan.balance import bound, choose_shards
from oracle_refresh.plan.bulk import BulkJob, bulk_jobs
from oracle_refresh.plan.chosen import require_possible
from oracle_refresh.plan.model import ExportJob, Plan, TablePlan, Treatment
from oracle_refresh.plan.numbering import Draft, number
from oracle_refresh.plan.pace import Pace
from oracle_refresh.plan.schedule import Load, schedule
from oracle_refresh.plan.schemes import Cutter, cutter, no_ranges, ntile_cutter, ranges_wanted, weight
from oracle_refresh.plan.treatment import Choice, Sizing
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
    sizing = Sizing.of(tables, definition, limits, degree, frozen.source.version)
    return tuple(
        table
        for table in tables
        if sizing.choose(table).treatment == "shards"
        and (
            ranges_wanted(table, sizing.likely_shards(table), sizing.over_link)
            if (scheme := definition.choice(table.full_name).scheme) is None
            else scheme == "rowid_range" and no_ranges(table) is None
        )
    )


def build_plan(
    catalogue: Catalogue,
    definition: RefreshDefinition,
    limits: Limits,
    frozen: Frozen,
    run_id: str,
    *,
    survey: Survey | None = None,
    max_map_length: int = MAX_MAP_LENGTH,
    masked: Mapping[TableName, int] | None = None,
    task_slots: int | None = None,
) -> Plan:
    """The plan of one run; the same input gives the same plan.

    A table is cut into shards when one worker would need longer for it than the ideal share (all work /
    degree, in bytes or, once rates were measured, in time), it holds at least `lob_shard_min_bytes`, and
    Data Pump would not divide it itself. One that cannot be cut gets a job of its own, which starts early.
    Everything else goes into one bulk job, whose workers Data Pump distributes itself; into several where a
    limit demands it. What the definition chooses for single tables comes before all this.

    :param survey: extents of the tables that `survey_wanted` names; without them their rows are told
        apart by block number.
    :param max_map_length: the most jobs, and the most work units, that Airflow maps over.
    :param masked: how many columns of a table are masked, by owner and name.
    :param task_slots: tasks that Airflow runs at the same time, by which the course is expected.
    :raises PlanError: if there is nothing to copy, the limits permit no plan, or a choice of the definition
        cannot be followed.
    """
    tables = _carried(catalogue, definition)
    require_possible(catalogue, definition, max_map_length)
    degree, degree_reason = choose_degree(definition, limits)
    sizing = Sizing.of(tables, definition, limits, degree, frozen.source.version)
    choices = {table.key: sizing.choose(table) for table in tables}
    groups: dict[str, list[Table]] = defaultdict(list)
    for table in tables:
        groups[choices[table.key].treatment].append(table)
    wholes = groups["whole"]
    bulk = bulk_jobs(groups["bulk"], sizing)
    apart = sorted([*groups["shards"], *wholes], key=lambda table: (-sizing.work(table), table.key))
    demoted: list[Table] = []
    while sum(map(sizing.fewest_jobs, apart)) + len(bulk) > max_map_length:
        # The smallest that nothing is chosen for travel with the others after all.
        unchosen = (table for table in reversed(apart) if table.full_name not in definition.tables)
        smallest = next(unchosen, None)
        if smallest is None:
            break
        apart.remove(smallest)
        demoted.append(smallest)
        choices[smallest.key] = Choice("bulk", "as many jobs as Airflow maps over are there without it")
        bulk = bulk_jobs([*groups["bulk"], *demoted], sizing)
    if sum(map(sizing.fewest_jobs, apart)) + len(bulk) > max_map_length:
        raise PlanError(
            f"{len(tables):,} tables need more jobs than the {max_map_length:,} that Airflow maps over",
            object_name=definition.name,
            step="plan",
            remedy="raise [core] max_map_length, choose fewer shards for single tables, or refresh fewer"
            " schemas at a time",
        )
    wholes = [table for table in wholes if choices[table.key].treatment == "whole"]
    large = [table for table in groups["shards"] if choices[table.key].treatment == "shards"]

    def cutter_of(table: Table) -> Cutter:
        scheme = definition.choice(table.full_name).scheme
        if scheme == "ntile":
            return ntile_cutter(table, frozen.scn)
        found = survey.of(table) if survey else None
        return cutter(table, found, sizing.likely_shards(table), sizing.over_link, scheme)

    cutters = [cutter_of(table) for table in large]
    free = [each for each in cutters if definition.choice(each.table.full_name).shards is None]
    fixed = [
        draft
        for each in cutters
        if (count := definition.choice(each.table.full_name).shards)
        for draft in _cut(each, count, sizing.pace)
    ]
    alone = [
        Draft((table,), "whole_table", weight(table), (sizing.pace.work(weight(table), "whole_table"),))
        for table in wholes
    ]
    budget = max_map_length - len(bulk) - len(wholes) - len(fixed)
    shards = [*fixed, *_shards(free, sizing, bulk, [*alone, *fixed], budget)]
    bulk_drafts = [Draft(job.tables, "bulk", sum(map(weight, job.tables)), job.works) for job in bulk]
    singles = [*shards, *alone, *(draft for draft in bulk_drafts if len(draft.works) == 1)]
    singles.sort(key=lambda draft: (-draft.works[0], draft.tables[0].key))
    # A job of several workers starts before jobs of one fill them.
    drafts = [*(draft for draft in bulk_drafts if len(draft.works) > 1), *singles]
    jobs = number(drafts, definition.name, run_id, sizing.release, sizing.pace)
    cut_why = {
        each.table.key: each.why + _too_few(definition.choice(each.table.full_name).shards, each, shards)
        for each in cutters
    }
    treated = _table_plans(catalogue.tables, jobs, choices, cut_why)
    planned = schedule([Load(job.id, draft.works) for job, draft in zip(jobs, drafts, strict=True)], degree)
    work = sum(sum(draft.works) for draft in drafts)
    # Once it is loaded, a table is read again, and its columns are masked.
    works = {
        table.key: sizing.work(table)
        + masking_work(table.rows, table.bytes, (masked or {}).get(TableName(table.owner, table.name), 0))
        for table in tables
    }
    plan = Plan(
        refresh=definition.name,
        run_id=run_id,
        scn=frozen.scn,
        degree=degree,
        jobs=jobs,
        tables=treated,
        total_bytes=sum(map(weight, tables)),
        makespan_bytes=planned.makespan,
        bound_bytes=bound(work, degree, _indivisible(bulk, [*alone, *fixed], free, sizing)),
        expected_seconds=sizing.pace.seconds(planned.makespan),
        rates=limits.rates,
        degree_reason=degree_reason,
        critical_path=planned.path,
        task_slots=task_slots,
        units=work_units(treated, jobs, works, sizing.pace, degree, max_map_length),
    )
    wished = definition.degree or limits.wished_degree
    mapped = bool(demoted) or len(jobs) == max_map_length
    return replace(
        plan,
        findings=(
            *findings.limit_findings(limits, wished, degree),
            *findings.map_finding(mapped, len(jobs), max_map_length),
            *findings.table_findings(tables),
            *findings_of(exotics(catalogue)),
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
        wished = limits.calibrated_degree
        why = f"as calibration {limits.calibrated_by} recommends"
        if limits.calibrated_why:
            why += f": {limits.calibrated_why}"
        if limits.calibrated_workers:
            why += f"; at most {limits.calibrated_workers} of them in one job, as PARALLEL brings no more"
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


def _shards(
    cutters: Sequence[Cutter], sizing: Sizing, bulk: Sequence[BulkJob], alone: Iterable[Draft], budget: int
) -> list[Draft]:
    pace = sizing.pace

    def works(number: int, count: int) -> Sequence[int]:
        return pace.works((piece.bytes for piece in cutters[number].cut(count)), cutters[number].scheme)

    counts = choose_shards(
        [pace.work(weight(each.table), each.scheme) for each in cutters],
        [sizing.most_shards(each.table) for each in cutters],
        sizing.degree,
        [work for job in bulk if len(job.works) > 1 for work in job.works][: sizing.degree],
        others=[
            *(sum(draft.works) for draft in alone),
            *(work for job in bulk if len(job.works) == 1 for work in job.works),
        ],
        budget=budget,
        cut=works,
    )
    return [
        draft for each, count in zip(cutters, counts, strict=True) for draft in _cut(each, count, sizing.pace)
    ]


def _too_few(chosen: int | None, cutter: Cutter, shards: Iterable[Draft]) -> str:
    made = sum(draft.tables == (cutter.table,) for draft in shards)
    return f"; no more than {made} can be told apart" if chosen and made < chosen else ""


def _cut(cutter: Cutter, count: int, pace: Pace) -> list[Draft]:
    return [
        Draft((cutter.table,), cutter.scheme, piece.bytes, (pace.work(piece.bytes, cutter.scheme),), piece)
        for piece in cutter.cut(count)
    ]


def _indivisible(
    bulk: Iterable[BulkJob], alone: Iterable[Draft], cutters: Iterable[Cutter], sizing: Sizing
) -> list[int]:
    """The largest pieces that no plan within these limits could divide further."""
    return [
        *(max(sizing.pieces(table)) for job in bulk for table in job.tables),
        *(max(draft.works) for draft in alone),
        *(
            sizing.pace.work(-(-weight(each.table) // sizing.most_shards(each.table)), each.scheme)
            for each in cutters
        ),
    ]


def _table_plans(
    tables: Iterable[Table],
    jobs: Iterable[ExportJob],
    choices: Mapping[str, Choice],
    cut_why: Mapping[str, str],
) -> tuple[TablePlan, ...]:
    """:param cut_why: why tables that are cut are cut as they are, by their keys."""
    carrying: dict[TableName, list[str]] = defaultdict(list)
    for job in jobs:
        for name in job.tables:
            carrying[name].append(job.id)
    plans = []
    for table in tables:
        treatment: Treatment = "structure"
        reason = "temporary: its rows belong to sessions"
        if not table.temporary:
            treatment, reason = choices[table.key].treatment, choices[table.key].reason
        if treatment == "shards":
            reason = f"{reason}; {cut_why[table.key]}"
        plans.append(
            TablePlan(
                owner=table.owner,
                name=table.name,
                treatment=treatment,
                jobs=tuple(carrying[TableName(table.owner, table.name)]),
                rows=table.rows,
                bytes=table.bytes,
                lob_bytes=table.lob_bytes,
                reason=reason,
            )
        )
    return tuple(plans)
