"""The plan in words: what is done with each table and why, and what it is expected to cost."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Sequence

from oracle_refresh.oracle.counting import counted
from oracle_refresh.plan.course import TASKS, expected_course
from oracle_refresh.plan.model import ExportJob, Plan
from oracle_refresh.plan.stages import in_order

MEGABYTE = 1024 * 1024
#: Renders the parameter files of a job as (name, text); the plan does not know Data Pump's clients.
ParameterFiles = Callable[[ExportJob], Iterable[tuple[str, str]]]


JOB_HEAD = ("job", "job name", "scheme", "bytes", "workers", "expected", "tables", "rows")
TABLE_HEAD = ("table", "bytes", "LOB bytes", "jobs", "unit", "why")
UNIT_HEAD = ("unit", "work", "tables", "of them")
#: Tables of a unit that are named; the table of tables has all of them.
NAMED = 3


def explain(plan: Plan, parameter_files: ParameterFiles | None = None) -> str:
    """A paragraph of figures, the findings, a table of jobs, one of units, one of tables. Runs nothing.

    :param parameter_files: where given, what they say of each job follows; they run the plan by hand.
    """
    return "\n".join(
        [
            overview(plan),
            "",
            *((*_columns(JOB_HEAD, job_rows(plan)), "") if plan.jobs else ()),
            *_columns(UNIT_HEAD, unit_rows(plan)),
            "",
            *_columns(TABLE_HEAD, table_rows(plan)),
            *(_files(plan, parameter_files) if parameter_files else ()),
        ]
    )


def job_rows(plan: Plan) -> list[tuple[str, ...]]:
    """The cells under `JOB_HEAD`, a row for each job."""
    return [
        (
            job.id,
            job.job_name,
            job.scheme,
            _size(job.estimate_bytes),
            str(job.parallel),
            _seconds(job.expected_seconds),
            job.about,
            _rows(job),
        )
        for job in plan.jobs
    ]


def table_rows(plan: Plan) -> list[tuple[str, ...]]:
    """The cells under `TABLE_HEAD`, a row for each table."""
    units = {name: unit.id for unit in plan.units for name in unit.tables}
    return [
        (
            table.key,
            _size(table.bytes),
            _size(table.lob_bytes),
            _jobs(table.jobs),
            units.get(table.table, "-"),
            table.reason,
        )
        for table in plan.tables
    ]


def unit_rows(plan: Plan) -> list[tuple[str, ...]]:
    """The cells under `UNIT_HEAD`, a row for each work unit."""
    return [(unit.id, _size(unit.work), str(len(unit.tables)), _some(unit.table_keys)) for unit in plan.units]


def overview(plan: Plan) -> str:
    """The figures of a plan and its findings, without its jobs and tables."""
    return "\n".join([*_head(plan), *(f"{finding.severity}: {finding}" for finding in plan.findings)])


def _head(plan: Plan) -> list[str]:
    if plan.in_place:
        return _in_place(plan)
    over = plan.makespan_bytes / plan.bound_bytes if plan.bound_bytes else 1.0
    kinds = [
        f"{count} {name}{'s' if count > 1 else ''}"
        for name, count in (
            ("shard", len(plan.shards)),
            ("table in a job of its own", sum(job.scheme == "whole_table" for job in plan.jobs)),
            ("bulk job", sum(job.scheme == "bulk" for job in plan.jobs)),
        )
        if count
    ]
    lines = [
        f"Refresh {plan.refresh}, run {plan.run_id}, as of SCN {plan.scn}",
        f"{_size(plan.total_bytes)} in {counted(len(plan.tables), 'table')}; {', '.join(kinds)}; "
        f"{counted(plan.degree, 'worker')} at the same time"
        + (f" ({plan.degree_reason})" if plan.degree_reason else ""),
        f"the busiest worker carries {_size(plan.makespan_bytes)}"
        f"{', counted at the average rate,' if plan.rates else ','} {over:.2f} times the least possible "
        f"({_size(plan.bound_bytes)})",
        f"critical path of the jobs: {' -> '.join(plan.critical_path)}",
        f"once loaded, tables are compared, masked and indexed in {counted(len(plan.units), 'work unit')}",
        "in this order:",
        *(f"  {line}" for line in in_order(plan.flow.stages)),
    ]
    return [*lines, *_expected(plan), *_course(plan)]


def _in_place(plan: Plan) -> list[str]:
    """Of a clone, from which nothing is exported."""
    return [
        f"Masking {plan.refresh} where it is, run {plan.run_id}",
        f"{_size(plan.total_bytes)} in {counted(len(plan.tables), 'table')}; compared, masked and indexed in"
        f" {counted(len(plan.units), 'work unit')}",
        "in this order:",
        *(f"  {line}" for line in in_order(plan.flow.stages)),
    ]


def _course(plan: Plan) -> list[str]:
    """How long the whole run will take, and which of its tasks no slot could make shorter."""
    course = expected_course(plan)
    if course is None:
        return ["the whole run: unknown; no former run by this transport has measured its stages"]
    slots = f" with {counted(plan.task_slots, 'task')} at the same time" if plan.task_slots else ""
    idle = f", {course.idle_share(TASKS):.0%} of these slots idle" if slots else ""
    steps = [
        f"{timing.task.id} {_seconds(timing.task.seconds)}"
        for timing in (course.by_id[task.id] for task in course.critical_path)
        if timing.task.pools
    ]
    return [
        f"the whole run: {_seconds(course.wall)}{slots}{idle};"
        f" with slots for all tasks {_seconds(course.critical_seconds)}, which is its critical path:",
        *textwrap.wrap(
            " -> ".join(steps), 110, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False
        ),
        f"  with {_seconds(course.gap)} before each task, which Airflow takes",
    ]


def _expected(plan: Plan) -> list[str]:
    """How long it will take, and which measured rates say so."""
    if plan.rates is None:
        return [
            "expected: unknown; no former run by this transport and no calibration between these two has"
            " carried enough (1 MB) to tell a rate"
        ]
    rates = plan.rates
    times = [f"export {_seconds(plan.expected_seconds)}"]
    if plan.expected_load_seconds is not None:
        times.append(f"load {_seconds(plan.expected_load_seconds)}, partly at the same time")
    if plan.expected_held_seconds is not None and rates.held_bytes_per_second is not None:
        times.append(f"last look at the source as of the SCN after {_seconds(plan.expected_held_seconds)}")
    by_scheme = [f"{scheme} {rate / MEGABYTE:,.1f}" for scheme, rate in rates.by_scheme.items()]
    if rates.load_bytes_per_second is not None:
        by_scheme.append(f"load {rates.load_bytes_per_second / MEGABYTE:,.1f}")
    return [
        f"expected: {'; '.join(times)}",
        f"  from {rates.export_bytes_per_second / MEGABYTE:,.1f} MB/s per worker"
        f"{' (' + ', '.join(by_scheme) + ')' if by_scheme else ''} in {', '.join(rates.runs)}",
    ]


def _files(plan: Plan, parameter_files: ParameterFiles) -> Iterable[str]:
    yield ""
    yield "By hand, with the clients (all exports may run at the same time, up to the degree):"
    for job in plan.jobs:
        for name, text in parameter_files(job):
            yield ""
            yield f"--- {name}"
            yield text.rstrip()


def _seconds(seconds: float | None) -> str:
    if seconds is None:
        return "-"
    return f"{seconds:,.0f} s" if seconds >= 10 else f"{seconds:,.1f} s"


def _rows(job: ExportJob) -> str:
    """Which rows a job takes: of these partitions, under this condition."""
    parts = []
    if job.partitions:
        parts.append(f"partition{'s' if len(job.partitions) > 1 else ''} {', '.join(job.partitions)}")
    if job.predicate:
        parts.append(f"where {job.predicate}")
    return " ".join(parts) or "all"


def _jobs(ids: Sequence[str]) -> str:
    """Ids in their order; the middle of many is left out."""
    if len(ids) > 4:
        return f"{ids[0]} {ids[1]} ... {ids[-1]} ({len(ids)})"
    return " ".join(ids) or "-"


def _some(keys: Sequence[str]) -> str:
    return ", ".join(keys[:NAMED]) + (" ..." if len(keys) > NAMED else "")


def _size(size: int) -> str:
    return f"{size / MEGABYTE:,.1f} MB"


def _columns(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = [head, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    ]
