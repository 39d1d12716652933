"""The plan in words: what is done with each table and why, and what it is expected to cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from oracle_refresh.plan.model import Plan

MEGABYTE = 1024 * 1024


def explain(plan: Plan) -> str:
    """A text of two tables, jobs and tables, under one paragraph of figures. Runs nothing."""
    shards = plan.shards
    over = plan.makespan_bytes / plan.bound_bytes if plan.bound_bytes else 1.0
    head = [
        f"Refresh {plan.refresh}, run {plan.run_id}, as of SCN {plan.scn}",
        f"{_size(plan.total_bytes)} in {len(plan.tables)} tables; {len(shards)} shards and "
        f"{len(plan.jobs) - len(shards)} bulk job, {plan.degree} workers at the same time",
        f"the busiest worker carries {_size(plan.makespan_bytes)}, {over:.2f} times the least possible "
        f"({_size(plan.bound_bytes)})",
    ]
    if plan.expected_seconds is not None:
        head.append(f"expected: {plan.expected_seconds:,.0f} s, from the rate of former runs")
    jobs = [
        (
            job.id,
            job.job_name,
            _size(job.estimate_bytes),
            str(job.parallel),
            _tables(job.table_keys),
            job.predicate or "",
        )
        for job in plan.jobs
    ]
    tables = [
        (table.key, _size(table.bytes), _size(table.lob_bytes), " ".join(table.jobs) or "-", table.reason)
        for table in plan.tables
    ]
    return "\n".join(
        [
            *head,
            "",
            *_columns(("job", "job name", "bytes", "workers", "tables", "rows where"), jobs),
            "",
            *_columns(("table", "bytes", "LOB bytes", "jobs", "why"), tables),
        ]
    )


def _tables(keys: Sequence[str]) -> str:
    return keys[0] if len(keys) == 1 else f"{len(keys)} tables"


def _size(size: int) -> str:
    return f"{size / MEGABYTE:,.1f} MB"


def _columns(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = [head, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    ]
