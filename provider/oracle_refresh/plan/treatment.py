"""Which tables are cut, which get a job of their own, which travel with all the others, and why."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from oracle_refresh.catalog.limits import Limits
from oracle_refresh.catalog.model import Table
from oracle_refresh.definition import RefreshDefinition
from oracle_refresh.plan.model import Scheme
from oracle_refresh.plan.pace import Pace
from oracle_refresh.plan.schemes import NO_MODULO, scheme_of, weight

MEGABYTE = 1024 * 1024
#: From here on Data Pump divides a table without LOBs itself (Utilities 19c, "Using PARALLEL").
DIVIDED_FROM = 250 * MEGABYTE
#: From this release on Data Pump unloads SecureFile LOBs in parallel, where there are statistics.
SECUREFILE_PARALLEL = (12, 2)


@dataclass(frozen=True)
class Circumstances:
    """What a table is judged by: one worker's share of all the work, the workers of a job, the release."""

    definition: RefreshDefinition
    ideal: int
    workers_per_job: int
    release: tuple[int, ...]
    pace: Pace

    @classmethod
    def of(
        cls, tables: Iterable[Table], definition: RefreshDefinition, limits: Limits, degree: int, version: str
    ) -> Circumstances:
        pace = Pace(limits.rates)
        total = sum(pace.work(weight(table), likely_scheme(table, definition)) for table in tables)
        ideal = max(1, -(-total // degree))
        return cls(definition, ideal, limits.workers_per_job, release(version), pace)

    def work(self, table: Table) -> int:
        """What a table costs, as far as that can be told before its scheme is chosen."""
        return self.pace.work(weight(table), likely_scheme(table, self.definition))

    @property
    def share(self) -> str:
        """The ideal share in words."""
        seconds = self.pace.seconds(self.ideal)
        return f"{self.ideal / MEGABYTE:,.0f} MB" if seconds is None else f"{seconds:,.0f} s"


def likely_scheme(table: Table, definition: RefreshDefinition) -> Scheme:
    """The scheme that tells best how slow a table is: LOB tables worth a shard are slow wherever they go."""
    if not table.stored_lobs or weight(table) < definition.lob_shard_min_bytes:
        return "bulk"
    over_link = definition.datapump.over_link
    return "whole_table" if obstacle(table, over_link) else scheme_of(table, over_link)


@dataclass(frozen=True)
class Verdict:
    """`shards`: cut it; `whole`: a job of its own; `bulk`: with the others."""

    kind: Literal["shards", "whole", "bulk"]
    reason: str


def release(version: str) -> tuple[int, ...]:
    """`19.0.0.0.0` as numbers that compare."""
    return tuple(int(part) for part in version.split(".") if part.isdigit())


def divided_by_data_pump(table: Table, circumstances: Circumstances) -> bool:
    """Whether the workers of one job share the table: never a BasicFile LOB, whatever PARALLEL says."""
    if circumstances.workers_per_job == 1:
        return False
    if not table.stored_lobs:
        return True
    modern = circumstances.release >= SECUREFILE_PARALLEL and table.rows is not None
    return modern and all(lob.securefile for lob in table.stored_lobs)


def most_shards(table: Table, definition: RefreshDefinition) -> int:
    """The most shards that make sense: none below half of what is worth a shard, none without a block."""
    smallest = max(1, definition.lob_shard_min_bytes // 2)
    bounds = [definition.max_shards, weight(table) // smallest]
    if not table.iot:
        bounds.append(table.blocks or definition.max_shards)
    if definition.datapump.over_link and scheme_of(table, True) == "partition":
        bounds.append(len(table.partitions))
    return max(1, min(bounds))


def obstacle(table: Table, over_link: bool) -> str | None:
    """Why a table can only be carried whole; None if it can be cut."""
    if not table.filterable:
        return "Data Pump takes no data filter with nested tables or domain indexes"
    if table.has_long:
        return "a LONG column rules out the external tables that a query filter needs"
    if table.policies:
        return f"row-level security ({', '.join(table.policies)}) may hide rows: carried whole, to be counted"
    if table.iot and table.primary_key is None:
        return "index-organized without a known key"
    if over_link and scheme_of(table, over_link) == "whole_table":
        return NO_MODULO
    return None


def judge(table: Table, now: Circumstances) -> Verdict:
    """What becomes of a table that holds rows."""
    size, work = weight(table), now.work(table)
    hindered = obstacle(table, now.definition.datapump.over_link)
    shared = divided_by_data_pump(table, now)
    if shared and now.pace.work(size, "bulk") <= now.ideal * now.workers_per_job:
        if not table.stored_lobs:
            return Verdict("bulk", "no LOBs: Data Pump's own workers divide it")
        return Verdict("bulk", "SecureFile LOBs with statistics: Data Pump's own workers divide it")
    if size < now.definition.lob_shard_min_bytes:
        least = now.definition.lob_shard_min_bytes / MEGABYTE
        return Verdict("bulk", f"smaller than lob_shard_min_bytes ({least:,.0f} MB)")
    if work <= now.ideal:
        return Verdict("bulk", f"not longer than the ideal share of one worker ({now.share})")
    if hindered:
        return Verdict("whole", hindered)
    if most_shards(table, now.definition) < 2:
        return Verdict("whole", "max_shards or its number of blocks leaves one shard")
    kind = "with LOBs" if table.stored_lobs else "in jobs of few workers"
    return Verdict("shards", f"{size / MEGABYTE:,.0f} MB {kind}: one worker alone would hold up the others")
