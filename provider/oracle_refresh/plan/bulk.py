"""The tables that are not cut, shared out among as few jobs as the limits permit."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from oracle_refresh.catalog.model import Table
from oracle_refresh.plan.balance import choose_workers, distribute, split
from oracle_refresh.plan.schemes import weight

#: A name filter is an IN list, which takes no more expressions (ORA-01795).
MAX_TABLES = 1000


@dataclass(frozen=True)
class BulkJob:
    """Tables of one job, and what each of its workers carries."""

    tables: tuple[Table, ...]
    loads: tuple[int, ...]

    @property
    def bytes(self) -> int:
        return sum(self.loads)


def bulk_jobs(
    tables: Sequence[Table],
    pieces: Callable[[Table], list[int]],
    ideal: int,
    degree: int,
    workers_per_job: int,
) -> list[BulkJob]:
    """One job with the workers it needs; several where a job may not have as many workers or tables.

    Where it takes several, the tables that need more than one worker come together, so that the other
    jobs can do with few.

    :param pieces: what a worker carries of a table at a time.
    :param ideal: the share of one worker in all the work.
    """
    if not tables:
        return []
    ordered = sorted(tables, key=lambda table: (-weight(table), table.owner, table.name))
    jobs = _spread(ordered, pieces, ideal, degree, workers_per_job)
    longer = [table for table in ordered if weight(table) > ideal]
    if len(jobs) == 1 or not longer or len(longer) == len(ordered):
        return jobs
    jobs = _spread(longer, pieces, ideal, degree, workers_per_job)
    left = max(1, degree - sum(len(job.loads) for job in jobs))
    return [*jobs, *_spread(ordered[len(longer) :], pieces, ideal, left, workers_per_job)]


def _spread(
    tables: Sequence[Table],
    pieces: Callable[[Table], list[int]],
    ideal: int,
    degree: int,
    workers_per_job: int,
) -> list[BulkJob]:
    """Tables, largest first, over as few jobs as the limits permit."""
    workers = len(choose_workers([piece for table in tables for piece in pieces(table)], ideal, degree))
    count = max(-(-workers // workers_per_job), -(-len(tables) // MAX_TABLES))
    widths = split(max(workers, count), count)
    jobs = []
    for group, width in zip(_groups(tables, widths), widths, strict=True):
        carried = [piece for table in group for piece in pieces(table)]
        if carried:
            jobs.append(BulkJob(tuple(group), tuple(distribute(carried, min(width, len(carried))))))
    return jobs


def _groups(tables: Sequence[Table], widths: Sequence[int]) -> list[list[Table]]:
    """Each table to the group whose workers carry least and which is not full; groups by name."""
    held = [(0.0, number) for number in range(len(widths))]
    groups: list[list[Table]] = [[] for _ in widths]
    for table in tables:
        load, number = heapq.heappop(held)
        groups[number].append(table)
        if len(groups[number]) < MAX_TABLES:
            heapq.heappush(held, (load + weight(table) / widths[number], number))
    return [sorted(group, key=lambda table: (table.owner, table.name)) for group in groups]
