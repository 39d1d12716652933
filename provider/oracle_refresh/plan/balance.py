"""How much one worker carries: the ideal, the bound, and a schedule that starts the longest job first.

R. L. Graham, "Bounds on Multiprocessing Timing Anomalies" (1969): starting the longest first, the last
worker is done at most a third later than the best possible schedule, and the smaller the pieces the closer.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Load:
    """A job as the schedule sees it: `size` bytes on the busiest of the `width` workers it occupies."""

    size: int
    width: int = 1


def start_order(load: Load) -> tuple[int, int]:
    """The wide job first, so that it need not wait for several free workers; then the longest first."""
    return -load.width, -load.size


def makespan(loads: Iterable[Load], degree: int) -> int:
    """Bytes until the last worker is done, when jobs start in `start_order` as workers become free.

    A job of several workers starts when that many are free and frees all of them at its end.
    """
    free = [0] * degree
    heapq.heapify(free)
    last = 0
    for load in sorted(loads, key=start_order):
        width = min(load.width, degree)
        taken = [heapq.heappop(free) for _ in range(width)]
        end = max(taken) + load.size
        for _ in range(width):
            heapq.heappush(free, end)
        last = max(last, end)
    return last


def split(total: int, pieces: int) -> list[int]:
    """`total` in parts that differ by one at most, the larger ones first."""
    part, rest = divmod(total, pieces)
    return [part + (number < rest) for number in range(pieces)]


def bound(total: int, degree: int, indivisible: Iterable[int]) -> int:
    """What the busiest worker carries at best: total / degree, or the largest piece that stays whole."""
    return max(-(-total // degree), max(indivisible, default=0))


def choose_shards(
    sizes: Sequence[int], limits: Sequence[int], others: Sequence[Load], degree: int, tolerance: float = 0.05
) -> list[int]:
    """How many shards each large table is cut into.

    Starts from pieces no larger than the ideal share of one worker and cuts on where the pieces are
    largest. Takes the fewest shards whose makespan is within `tolerance` of the best that the limits
    allow: every further shard is one more job that reads the table segment from end to end.

    :param sizes: bytes of each table.
    :param limits: the most shards each table may have.
    :param others: the jobs beside the shards.
    :param degree: workers at the same time.
    """
    total = sum(sizes) + sum(load.size * load.width for load in others)
    ideal = max(1, -(-total // degree))
    counts = [max(1, min(limit, -(-size // ideal))) for size, limit in zip(sizes, limits, strict=True)]
    floor = max([ideal, *(load.size for load in others)])
    tried: list[tuple[int, list[int]]] = []
    while True:
        loads = [Load(part) for size, count in zip(sizes, counts, strict=True) for part in split(size, count)]
        span = makespan([*loads, *others], degree)
        tried.append((span, list(counts)))
        if span <= floor * (1 + tolerance):
            break
        open_tables = [number for number, count in enumerate(counts) if count < limits[number]]
        if not open_tables:
            break
        counts[max(open_tables, key=lambda number: sizes[number] / counts[number])] += 1
    best = min(span for span, _ in tried)
    return next(counts for span, counts in tried if span <= best * (1 + tolerance))
