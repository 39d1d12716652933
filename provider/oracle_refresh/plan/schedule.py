"""When which job runs, if all workers are equally fast: the makespan and the path that makes it."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Load:
    """A job with what each of its workers carries, in bytes."""

    job_id: str
    workers: tuple[int, ...]


@dataclass(frozen=True)
class Schedule:
    """Times are bytes carried since the beginning."""

    makespan: int
    path: tuple[str, ...]
    """The jobs of the worker that is done last, in their order."""


def schedule(loads: Sequence[Load], degree: int) -> Schedule:
    """Jobs in the order in which they start, each as soon as its workers are free.

    The workers of one job are free for other jobs as soon as they have nothing left to carry.
    """
    free = [(0, worker) for worker in range(degree)]
    heapq.heapify(free)
    paths: list[list[str]] = [[] for _ in range(degree)]
    for load in loads:
        taken = [heapq.heappop(free) for _ in load.workers[:degree]]
        begin = max(time for time, _ in taken)
        for (_, worker), size in zip(taken, load.workers, strict=False):
            paths[worker].append(load.job_id)
            heapq.heappush(free, (begin + size, worker))
    makespan, last = max(free)
    return Schedule(makespan, tuple(paths[last]))
