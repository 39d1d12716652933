"""The tables that are not cut, shared out among as few jobs as the limits permit."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from oracle_refresh.catalog.model import Table
from oracle_refresh.plan.balance import choose_workers, distribute, split
from oracle_refresh.plan.treatment import Sizing

#: A name filter is an IN list, which takes no more expressions (ORA-01795).
MAX_TABLES = 1000


@dataclass(frozen=True)
class BulkJob:
    """Tables of one job, and the work of each of its workers."""

    tables: tuple[Table, ...]
    works: tuple[int, ...]


@dataclass(frozen=True)
class _Part:
    """A table with the work that one worker each can do of it."""

    table: Table
    pieces: tuple[int, ...]

    @cached_property
    def work(self) -> int:
        return sum(self.pieces)


def bulk_jobs(tables: Sequence[Table], sizing: Sizing) -> list[BulkJob]:
    """One job with the workers it needs; several where a job may not have as many workers or tables.

    Where it takes several, the tables that need more than one worker come together, so that the other
    jobs can do with few.
    """
    if not tables:
        return []
    parts = [_Part(table, tuple(sizing.pieces(table))) for table in tables]
    parts.sort(key=lambda part: (-part.work, part.table.owner, part.table.name))
    jobs = _spread(parts, sizing, sizing.degree)
    longer = [part for part in parts if part.work > sizing.ideal]
    if len(jobs) == 1 or not longer or len(longer) == len(parts):
        return jobs
    jobs = _spread(longer, sizing, sizing.degree)
    left = max(1, sizing.degree - sum(len(job.works) for job in jobs))
    return [*jobs, *_spread(parts[len(longer) :], sizing, left)]


def _spread(parts: Sequence[_Part], sizing: Sizing, degree: int) -> list[BulkJob]:
    """Tables, largest first, over as few jobs as the limits permit."""
    workers = len(choose_workers([piece for part in parts for piece in part.pieces], sizing.ideal, degree))
    count = max(-(-workers // sizing.workers_per_job), -(-len(parts) // MAX_TABLES))
    widths = split(max(workers, count), count)
    jobs = []
    for group, width in zip(_groups(parts, widths), widths, strict=True):
        carried = [piece for part in group for piece in part.pieces]
        if carried:
            tables = tuple(part.table for part in group)
            jobs.append(BulkJob(tables, tuple(distribute(carried, min(width, len(carried))))))
    return jobs


def _groups(parts: Sequence[_Part], widths: Sequence[int]) -> list[list[_Part]]:
    """Each table to the group whose workers carry least and which is not full; groups by name."""
    held = [(0.0, number) for number in range(len(widths))]
    groups: list[list[_Part]] = [[] for _ in widths]
    for part in parts:
        load, number = heapq.heappop(held)
        groups[number].append(part)
        if len(groups[number]) < MAX_TABLES:
            heapq.heappush(held, (load + part.work / widths[number], number))
    return [sorted(group, key=lambda part: (part.table.owner, part.table.name)) for group in groups]
