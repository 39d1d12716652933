"""How much one worker carries: the ideal, the bound, and a schedule that starts the longest part first.

R. L. Graham, "Bounds on Multiprocessing Timing Anomalies" (1969): starting the longest first, the last
worker is done at most a third later than the best possible schedule, and the smaller the parts the closer.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence

#: How far from the best a plan may be, when being closer would cost more shards.
TOLERANCE = 0.05


def distribute(parts: Iterable[int], degree: int, started: Sequence[int] = ()) -> list[int]:
    """What each worker carries when the longest part goes to the first free worker.

    :param parts: bytes of parts that one worker carries each.
    :param degree: number of workers.
    :param started: what some of the workers carry already, at most `degree` values.
    """
    workers = [*started, *[0] * (degree - len(started))]
    heapq.heapify(workers)
    for part in sorted(parts, reverse=True):
        heapq.heapreplace(workers, workers[0] + part)
    return workers


def makespan(parts: Iterable[int], degree: int, started: Sequence[int] = ()) -> int:
    """What the busiest worker carries; see `distribute`."""
    return max(distribute(parts, degree, started))


def split(total: int, pieces: int) -> list[int]:
    """`total` in parts that differ by one at most, the larger ones first."""
    part, rest = divmod(total, pieces)
    return [part + (number < rest) for number in range(pieces)]


def bound(total: int, degree: int, indivisible: Iterable[int]) -> int:
    """What the busiest worker carries at best: total / degree, or the largest piece that stays whole."""
    return max(-(-total // degree), max(indivisible, default=0))


def choose_workers(pieces: Sequence[int], ideal: int, most: int) -> list[int]:
    """What each worker of one job carries, with as few workers as keep within the ideal share.

    :param pieces: bytes that one worker of the job carries at a time.
    :param ideal: the share of one worker in all the work.
    :param most: the most workers the job may have.
    """
    most = max(1, min(most, len(pieces)))
    limit = bound(sum(pieces), most, [ideal, *pieces]) * (1 + TOLERANCE)
    for width in range(max(1, min(most, sum(pieces) // ideal)), most):
        workers = distribute(pieces, width)
        if max(workers) <= limit:
            return workers
    return distribute(pieces, most)


def choose_shards(
    sizes: Sequence[int], limits: Sequence[int], degree: int, started: Sequence[int] = ()
) -> list[int]:
    """How many shards each large table is cut into.

    Starts from pieces of about the ideal share of one worker and cuts on where the pieces are largest,
    until there are as many shards as workers: sizes are estimates, and a worker that is done early shall
    find another shard. Takes the fewest shards from there on whose makespan is within 5 % of the ideal
    share or, where the limits do not allow that, within 5 % of the best that was found: every further
    shard is one more job that reads the table segment from end to end.

    :param sizes: bytes of each table.
    :param limits: the most shards each table may have.
    :param degree: workers at the same time.
    :param started: what workers carry of the bulk job.
    """
    ideal = max(1, -(-(sum(sizes) + sum(started)) // degree))
    enough = max([ideal, *started]) * (1 + TOLERANCE)
    counts = [max(1, min(limit, size // ideal)) for size, limit in zip(sizes, limits, strict=True)]
    tried: list[tuple[int, list[int]]] = []
    while True:
        divisible = [number for number, count in enumerate(counts) if count < limits[number]]
        if sum(counts) >= degree or not divisible:
            parts = [part for size, count in zip(sizes, counts, strict=True) for part in split(size, count)]
            span = makespan(parts, degree, started)
            if span <= enough:
                return counts
            tried.append((span, list(counts)))
        if not divisible:
            break
        counts[max(divisible, key=lambda number: sizes[number] / counts[number])] += 1
    best = min(span for span, _ in tried)
    return next(counts for span, counts in tried if span <= best * (1 + TOLERANCE))
