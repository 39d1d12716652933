"""Builds the plan: which tables are cut into shards, into how many, and what goes into the bulk job."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from oracle_refresh.catalog.limits import Limits
from oracle_refresh.catalog.model import Catalogue, Table
from oracle_refresh.errors import PlanError
from oracle_refresh.freeze import Frozen
from oracle_refresh.plan.balance import bound, choose_shards, choose_workers, makespan, split
from oracle_refresh.plan.model import ExportJob, Plan, TablePlan, Treatment
from oracle_refresh.plan.names import dump_file, job_name
from oracle_refresh.spec import RefreshDefinition

BULK = "B001"
MEGABYTE = 1024 * 1024
DIVIDED_FROM = 250 * MEGABYTE


def build_plan(
    catalogue: Catalogue, definition: RefreshDefinition, limits: Limits, frozen: Frozen, run_id: str
) -> Plan:
    """The plan of one run; the same input gives the same plan.

    A table is cut into shards when it has LOBs, holds at least `lob_shard_min_bytes` and one worker
    would need longer for it than the ideal share (total / degree). Everything else goes into one bulk
    job, whose workers Data Pump distributes itself.

    :raises PlanError: if there is nothing to copy.
    """
    tables = [table for table in catalogue.tables if not table.temporary]
    if not tables:
        raise PlanError(
            f"schemas {', '.join(catalogue.schemas)} hold no table to copy",
            object_name=definition.name,
            step="plan",
            remedy="check schemas and exclude_tables of the definition",
        )
    degree = min(definition.degree or limits.default_degree, limits.max_jobs)
    total = sum(_weight(table) for table in tables)
    ideal = -(-total // degree)
    reasons = {table.key: _whole_reason(table, definition, ideal) for table in tables}
    large = [table for table in tables if reasons[table.key] is None]
    bulk = [table for table in tables if reasons[table.key] is not None]

    bulk_pieces = [piece for table in bulk for piece in _pieces(table)]
    started = choose_workers(bulk_pieces, ideal, _most_workers(limits, degree)) if bulk else []
    most = [_most_shards(table, definition) for table in large]
    counts = choose_shards([_weight(table) for table in large], most, degree, started)

    shards = [draft for table, count in zip(large, counts, strict=True) for draft in _shards(table, count)]
    shards.sort(key=lambda draft: (-draft.bytes, draft.tables[0].key, draft.remainder or 0))
    # The bulk job takes several workers, so it starts before the shards fill them.
    drafts = [_Draft(tuple(bulk), sum(bulk_pieces), len(started)), *shards] if bulk else shards
    jobs = _number(drafts, definition.name, run_id)

    span = makespan([draft.bytes for draft in shards], degree, started)
    smallest = [
        size for table, limit in zip(large, most, strict=True) for size in split(_weight(table), limit)
    ]
    return Plan(
        refresh=definition.name,
        run_id=run_id,
        scn=frozen.scn,
        degree=degree,
        jobs=jobs,
        tables=tuple(_table_plan(table, jobs, reasons.get(table.key)) for table in catalogue.tables),
        total_bytes=total,
        makespan_bytes=span,
        bound_bytes=bound(total, degree, [*smallest, *bulk_pieces]),
        expected_seconds=span / limits.bytes_per_second if limits.bytes_per_second else None,
    )


@dataclass(frozen=True)
class _Draft:
    """A job before it has a number."""

    tables: tuple[Table, ...]
    bytes: int
    workers: int = 1
    modulus: int | None = None
    remainder: int | None = None


def _weight(table: Table) -> int:
    """Bytes of a table, at least one: an empty table is still an entry in a job."""
    return max(1, table.total_bytes)


def _whole_reason(table: Table, definition: RefreshDefinition, ideal: int) -> str | None:
    """Why a table is not cut into shards; None if it is."""
    size = _weight(table)
    if not table.lobs:
        return "no LOBs: Data Pump's own workers divide it"
    if size < definition.lob_shard_min_bytes:
        return f"smaller than lob_shard_min_bytes ({definition.lob_shard_min_bytes / MEGABYTE:,.0f} MB)"
    if size <= ideal:
        return f"not longer than the ideal share of one worker ({ideal / MEGABYTE:,.0f} MB)"
    if table.iot:
        return "index-organized: its rows have no block"
    if not table.filterable:
        return "Data Pump takes no data filter with nested tables or domain indexes"
    if _most_shards(table, definition) < 2:
        return "max_shards or its number of blocks leaves one shard"
    return None


def _most_shards(table: Table, definition: RefreshDefinition) -> int:
    """The most shards that make sense: none below half of what is worth a shard, none without a block."""
    smallest = max(1, definition.lob_shard_min_bytes // 2)
    return max(
        1, min(definition.max_shards, _weight(table) // smallest, table.blocks or definition.max_shards)
    )


def _pieces(table: Table) -> list[int]:
    """What the workers of the bulk job carry of a table, each at a time.

    Data Pump divides a table among its workers from 250 MB on, and never one with LOBs
    (Utilities 19c, "Using PARALLEL").
    """
    size = _weight(table)
    return [size] if table.lobs else split(size, -(-size // DIVIDED_FROM))


def _most_workers(limits: Limits, degree: int) -> int:
    """The most workers of the bulk job."""
    return min(degree, limits.max_parallel_per_job) if limits.parallel_jobs else 1


def _shards(table: Table, count: int) -> list[_Draft]:
    return [
        _Draft((table,), size, modulus=count, remainder=remainder)
        for remainder, size in enumerate(split(_weight(table), count))
    ]


def _predicate(table: Table, modulus: int, remainder: int) -> str:
    """The rows of one shard. Every row has one block, every block one remainder: nothing is lost or doubled.

    PL/SQL Packages Reference 19c, DBMS_ROWID.ROWID_BLOCK_NUMBER: bigfile tablespaces have to be named.
    """
    kind = ", 'BIGFILE'" if table.bigfile_tablespace else ""
    return f"MOD(DBMS_ROWID.ROWID_BLOCK_NUMBER(ROWID{kind}), {modulus}) = {remainder}"


def _number(drafts: Sequence[_Draft], refresh: str, run_id: str) -> tuple[ExportJob, ...]:
    """Jobs from drafts that stand in the order in which they start."""
    jobs = []
    shard = 0
    for position, draft in enumerate(drafts):
        if draft.modulus is None or draft.remainder is None:
            job_id, predicate = BULK, None
        else:
            shard += 1
            job_id, predicate = f"S{shard:03d}", _predicate(draft.tables[0], draft.modulus, draft.remainder)
        name = job_name(refresh, run_id, job_id)
        jobs.append(
            ExportJob(
                id=job_id,
                job_name=name,
                kind="bulk" if predicate is None else "shard",
                tables=tuple((table.owner, table.name) for table in draft.tables),
                scheme="bulk" if predicate is None else "rowid_block_modulo",
                modulus=draft.modulus,
                remainder=draft.remainder,
                predicate=predicate,
                parallel=draft.workers,
                dump_file=dump_file(name, draft.workers),
                estimate_bytes=draft.bytes,
                priority=len(drafts) - position,
            )
        )
    return tuple(jobs)


def _table_plan(table: Table, jobs: Sequence[ExportJob], reason: str | None) -> TablePlan:
    carrying = tuple(job for job in jobs if (table.owner, table.name) in job.tables)
    treatment: Treatment = "bulk"
    if table.temporary:
        treatment, reason = "structure", "temporary: its rows belong to sessions"
    elif carrying[0].kind == "shard":
        size = _weight(table) / MEGABYTE
        treatment = "shards"
        reason = f"{size:,.0f} MB with LOBs: one worker alone would hold up the others"
    return TablePlan(
        owner=table.owner,
        name=table.name,
        treatment=treatment,
        jobs=tuple(job.id for job in carrying),
        rows=table.rows,
        bytes=table.bytes,
        lob_bytes=table.lob_bytes,
        reason=reason or "",
    )
