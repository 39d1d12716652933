"""Builds the plan: which tables are cut into shards, into how many, and what goes into the bulk job."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from oracle_refresh.catalog.model import Catalogue, Table
from oracle_refresh.errors import PlanError
from oracle_refresh.freeze import Frozen
from oracle_refresh.plan.balance import Load, bound, choose_shards, makespan, split, start_order
from oracle_refresh.plan.limits import Limits
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

    bulk_load = _bulk_load(bulk, ideal, degree, limits)
    others = [bulk_load] if bulk_load else []
    most = [_most_shards(table, definition) for table in large]
    counts = choose_shards([_weight(table) for table in large], most, others, degree)

    drafts = [draft for table, count in zip(large, counts, strict=True) for draft in _shards(table, count)]
    if bulk_load:
        drafts.append(_Draft(tuple(bulk), sum(map(_weight, bulk)), bulk_load))
    drafts.sort(key=lambda draft: (start_order(draft.load), draft.tables[0].key, draft.remainder or 0))
    jobs = _number(drafts, definition.name, run_id)

    span = makespan([draft.load for draft in drafts], degree)
    pieces = [size for table, limit in zip(large, most, strict=True) for size in split(_weight(table), limit)]
    pieces += map(_piece, bulk)
    return Plan(
        refresh=definition.name,
        run_id=run_id,
        scn=frozen.scn,
        degree=degree,
        jobs=jobs,
        tables=tuple(_table_plan(table, jobs, reasons.get(table.key)) for table in catalogue.tables),
        total_bytes=total,
        makespan_bytes=span,
        bound_bytes=bound(total, degree, pieces),
        expected_seconds=span / limits.bytes_per_second if limits.bytes_per_second else None,
    )


@dataclass(frozen=True)
class _Draft:
    """A job before it has a number."""

    tables: tuple[Table, ...]
    bytes: int
    load: Load
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


def _piece(table: Table) -> int:
    """What one worker of the bulk job carries of a table at a time.

    Data Pump divides a table among its workers from 250 MB on, and never one with LOBs
    (Utilities 19c, "Using PARALLEL").
    """
    return _weight(table) if table.lobs else min(_weight(table), DIVIDED_FROM)


def _bulk_load(tables: Sequence[Table], ideal: int, degree: int, limits: Limits) -> Load | None:
    """The bulk job as a load: as wide as its bytes are shares of one worker."""
    if not tables:
        return None
    total = sum(map(_weight, tables))
    pieces = sum(-(-_weight(table) // _piece(table)) for table in tables)
    width = min(degree, limits.max_parallel_per_job, pieces, -(-total // ideal))
    if not limits.parallel_jobs:
        width = 1
    return Load(max(-(-total // width), *map(_piece, tables)), width)


def _shards(table: Table, count: int) -> list[_Draft]:
    return [
        _Draft((table,), size, Load(size), modulus=count, remainder=remainder)
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
                parallel=draft.load.width,
                dump_file=dump_file(name, draft.load.width),
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
