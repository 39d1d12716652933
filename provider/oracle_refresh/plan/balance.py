"""How much one worker carries: the ideal, the bound, and a schedule that starts the longest part first.

R. L. Graham, "Bounds on Multiprocessing Timing Anomalies" (1969): starting the longest first, the last
worker is done at most a third later than the best possible schedule, and the smaller the parts the closer.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import accumulate, pairwise

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


def apportion(total: int, weights: Sequence[float]) -> list[int]:
    """`total` in whole parts, at least 0 each, in proportion to weights; their sum is `total` exactly."""
    sums = list(accumulate(weights, initial=0.0))
    if not sums[-1]:
        return split(total, len(weights))
    # The last mark is set, not computed: above 2**53 a quotient would be off.
    marks = [*(min(total, round(total * (mark / sums[-1]))) for mark in sums[:-1]), total]
    return [after - before for before, after in pairwise(marks)]


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
    sizes: Sequence[int],
    limits: Sequence[int],
    degree: int,
    started: Sequence[int] = (),
    *,
    others: Sequence[int] = (),
    budget: int | None = None,
    cut: Callable[[int, int], Sequence[int]] | None = None,
) -> list[int]:
    """How many shards each large table is cut into.

    Starts from pieces of about the ideal share of one worker and cuts on where the pieces are largest,
    until there are as many shards as workers: sizes are estimates, and a worker that is done early shall
    find another shard. Takes the fewest shards from there on whose makespan is within 5 % of the ideal
    share or, where the limits do not allow that, within 5 % of the best that was found: every further
    shard is one more job.

    :param sizes: bytes of each table.
    :param limits: the most shards each table may have.
    :param degree: workers at the same time.
    :param started: what workers carry of the jobs that start first.
    :param others: bytes of further jobs of one worker each.
    :param budget: the most shards of all tables, at least as many as there are tables.
    :param cut: bytes of the pieces of table n (from 0) cut into m; even pieces by default.
    """
    if not sizes:
        return []

    @cache
    def pieces(number: int, count: int) -> tuple[int, ...]:
        return tuple(cut(number, count) if cut else split(sizes[number], count))

    ideal = max(1, -(-(sum(sizes) + sum(started) + sum(others)) // degree))
    enough = max([ideal * (1 + TOLERANCE), *started, *others])
    counts = [max(1, min(limit, size // ideal)) for size, limit in zip(sizes, limits, strict=True)]
    most = sum(limits) if budget is None else budget
    while sum(counts) > most:
        several = [number for number, count in enumerate(counts) if count > 1]
        counts[min(several, key=lambda number: sizes[number] / counts[number])] -= 1
    tried: list[tuple[int, list[int]]] = []
    while True:
        free = [number for number, count in enumerate(counts) if count < limits[number]]
        divisible = free if sum(counts) < most else []
        if sum(counts) >= degree or not divisible:
            parts = [part for number, count in enumerate(counts) for part in pieces(number, count)]
            span = makespan([*parts, *others], degree, started)
            if span <= enough:
                return counts
            tried.append((span, list(counts)))
        if not divisible:
            break
        counts[max(divisible, key=lambda number: max(pieces(number, counts[number])))] += 1
    best = min(span for span, _ in tried)
    return next(counts for span, counts in tried if span <= best * (1 + TOLERANCE))
