"""Which tables are cut, which get a job of their own, which travel with all the others, and why."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from oracle_refresh.catalog.limits import Limits
from oracle_refresh.catalog.model import Table
from oracle_refresh.definition import RefreshDefinition
from oracle_refresh.plan.balance import split
from oracle_refresh.plan.model import Scheme
from oracle_refresh.plan.pace import Pace
from oracle_refresh.plan.schemes import NO_MODULO, scheme_of, weight

MEGABYTE = 1024 * 1024
#: From here on Data Pump divides a table without LOBs itself (Utilities 19c, "Using PARALLEL").
DIVIDED_FROM = 250 * MEGABYTE
#: From this release on Data Pump unloads SecureFile LOBs in parallel, where there are statistics.
SECUREFILE_PARALLEL = (12, 2)


@dataclass(frozen=True)
class Choice:
    """`shards`: cut it; `whole`: a job of its own; `bulk`: with the others."""

    treatment: Literal["shards", "whole", "bulk"]
    reason: str


@dataclass(frozen=True)
class Sizing:
    """What a table is measured by: one worker's share of all the work, the workers of a job, the release."""

    definition: RefreshDefinition
    degree: int
    ideal: int
    workers_per_job: int
    release: tuple[int, ...]
    pace: Pace

    @classmethod
    def of(
        cls, tables: Iterable[Table], definition: RefreshDefinition, limits: Limits, degree: int, version: str
    ) -> Sizing:
        pace = Pace(limits.rates)
        total = sum(pace.work(weight(table), likely_scheme(table, definition)) for table in tables)
        ideal = max(1, -(-total // degree))
        release = tuple(int(part) for part in version.split(".") if part.isdigit())
        return cls(definition, degree, ideal, limits.workers_per_job, release, pace)

    @property
    def over_link(self) -> bool:
        return self.definition.datapump.over_link

    @property
    def share(self) -> str:
        """The ideal share in words."""
        seconds = self.pace.seconds(self.ideal)
        return f"{self.ideal / MEGABYTE:,.0f} MB" if seconds is None else f"{seconds:,.0f} s"

    def work(self, table: Table) -> int:
        """What a table costs, as far as that can be told before its scheme is chosen."""
        return self.pace.work(weight(table), likely_scheme(table, self.definition))

    def most_shards(self, table: Table) -> int:
        """The most shards that make sense: none below half of what is worth a shard, none without a block."""
        smallest = max(1, self.definition.lob_shard_min_bytes // 2)
        bounds = [self.definition.max_shards, weight(table) // smallest]
        if not table.iot:
            bounds.append(table.blocks or self.definition.max_shards)
        if self.over_link and scheme_for(table, self.definition) == "partition":
            bounds.append(len(table.partitions))
        return max(1, min(bounds))

    def likely_shards(self, table: Table) -> int:
        """About how many shards a table will have; at least the fewest that relieve one worker."""
        chosen = self.definition.choice(table.full_name).shards
        return chosen or max(2, min(self.most_shards(table), -(-self.work(table) // self.ideal)))

    def fewest_jobs(self, table: Table) -> int:
        """The fewest jobs of a table that is not carried with others."""
        return self.definition.choice(table.full_name).shards or 1

    def shared(self, table: Table) -> bool:
        """Whether the workers of one job share the table: never a BasicFile LOB, whatever PARALLEL says."""
        if self.workers_per_job == 1:
            return False
        if not table.stored_lobs:
            return True
        modern = self.release >= SECUREFILE_PARALLEL and table.rows is not None
        return modern and all(lob.securefile for lob in table.stored_lobs)

    def pieces(self, table: Table) -> list[int]:
        """The work that workers of one job do of a table, each at a time."""
        work = self.work(table)
        return split(work, -(-weight(table) // DIVIDED_FROM)) if self.shared(table) else [work]

    def choose(self, table: Table) -> Choice:
        """What becomes of a table that holds rows, by the definition's choice or else by its size."""
        wish = self.definition.choice(table.full_name)
        if wish.shards is None:
            choice = self._by_size(table)
        elif wish.shards == 1:
            choice = Choice("whole", "a job of its own, as the definition says")
        else:
            choice = Choice("shards", f"{wish.shards} shards, as the definition says")
        if not wish.of_jobs:
            return choice
        jobs = ", ".join(f"{field} {_spelled(value)}" for field, value in wish.of_jobs.items())
        if choice.treatment == "shards" and wish.access_method == "direct_path":
            jobs += " (its shards are loaded one after the other)"
        if choice.treatment == "bulk":
            return Choice("whole", f"a job of its own, for which the definition says {jobs}")
        return Choice(choice.treatment, f"{choice.reason}; the definition says {jobs}")

    def _by_size(self, table: Table) -> Choice:
        size, least = weight(table), self.definition.lob_shard_min_bytes
        if self.shared(table) and self.pace.work(size, "bulk") <= self.ideal * self.workers_per_job:
            lobs = "SecureFile LOBs with statistics" if table.stored_lobs else "no LOBs"
            return Choice("bulk", f"{lobs}: Data Pump's own workers divide it")
        if size < least:
            return Choice("bulk", f"smaller than lob_shard_min_bytes ({least / MEGABYTE:,.0f} MB)")
        if self.work(table) <= self.ideal:
            return Choice("bulk", f"not longer than the ideal share of one worker ({self.share})")
        if hindered := obstacle(table, self.over_link and not self.definition.choice(table.full_name).scheme):
            return Choice("whole", hindered)
        if self.most_shards(table) < 2:
            return Choice("whole", "max_shards or its number of blocks leaves one shard")
        kind = "with LOBs" if table.stored_lobs else "in jobs of few workers"
        return Choice(
            "shards", f"{size / MEGABYTE:,.0f} MB {kind}: one worker alone would hold up the others"
        )


def _spelled(value: str | bool) -> str:
    return value if isinstance(value, str) else ("on" if value else "off")


def scheme_for(table: Table, definition: RefreshDefinition) -> Scheme:
    """The scheme that the definition chooses, else that which the catalogue suggests."""
    return definition.choice(table.full_name).scheme or scheme_of(table, definition.datapump.over_link)


def likely_scheme(table: Table, definition: RefreshDefinition) -> Scheme:
    """The scheme that tells best how slow a table is: LOB tables worth a shard are slow wherever they go."""
    choice = definition.choice(table.full_name)
    if choice.shards is not None:
        return "whole_table" if choice.shards == 1 else scheme_for(table, definition)
    if not table.stored_lobs or weight(table) < definition.lob_shard_min_bytes:
        return "bulk"
    over_link = definition.datapump.over_link and not choice.scheme
    return "whole_table" if obstacle(table, over_link) else scheme_for(table, definition)


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
