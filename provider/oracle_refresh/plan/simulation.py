"""What runs when: tasks with durations, needs and priorities on a bounded number of slots. Pure.

Starts tasks as Airflow's scheduler does: whenever something ends, of the tasks that are ready those with the
higher priority first, then those with the lower map index; one whose slots are taken is passed over, and none
is interrupted (Airflow, "Priority Weights" and "Pools"). What bounds any such order: the wall time is at
least the longest chain of needs, and at least the work of each pool over its slots; with slots of one kind it
is at most the sum of both (R. L. Graham, "Bounds on Multiprocessing Timing Anomalies", 1969).
"""

from __future__ import annotations

import heapq
from bisect import insort
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Task:
    """One task; it takes one slot of each of `pools` for `seconds`."""

    id: str
    seconds: float
    needs: tuple[str, ...] = ()
    """Ids of the tasks that have to end before."""
    pools: tuple[str, ...] = ()
    priority: int = 0
    map_index: int = -1


@dataclass(frozen=True)
class Timing:
    """When a task runs, in seconds since the beginning. `held_by` are the tasks of lower priority that had
    the slots it lacked when it was ready."""

    task: Task
    ready: float
    start: float
    held_by: tuple[str, ...] = ()

    @property
    def end(self) -> float:
        return self.start + self.task.seconds

    @property
    def waited(self) -> float:
        """For a slot."""
        return self.start - self.ready


@dataclass(frozen=True)
class Inversion:
    """A task that waited although one of lower priority had a slot that it lacked."""

    waiting: str
    holding: str
    seconds: float


@dataclass(frozen=True)
class Simulation:
    """`timings` by start, `slots` by pool; a pool that is not in it is not bounded."""

    timings: tuple[Timing, ...]
    slots: Mapping[str, int]
    gap: float

    @property
    def wall(self) -> float:
        """Seconds from the beginning to the end of the last task."""
        return max((timing.end for timing in self.timings), default=0.0)

    @cached_property
    def by_id(self) -> Mapping[str, Timing]:
        return {timing.task.id: timing for timing in self.timings}

    def busy(self, pool: str) -> float:
        """Seconds of all tasks in a pool."""
        return sum(timing.task.seconds for timing in self.timings if pool in timing.task.pools)

    def idle(self, pool: str) -> float:
        """Seconds of a pool's slots in which they were empty.

        :raises KeyError: for a pool that is not bounded.
        """
        return self.slots[pool] * self.wall - self.busy(pool)

    def idle_share(self, pool: str) -> float:
        """The same as a share of all their seconds; 0 where there is nothing to do."""
        return self.idle(pool) / (self.slots[pool] * self.wall) if self.wall else 0.0

    @cached_property
    def critical_path(self) -> tuple[Task, ...]:
        """The longest chain of needs: what a run takes however many slots there are."""
        ends: dict[str, tuple[float, str | None]] = {}
        for task in (timing.task for timing in self.timings):  # each behind what it needs
            behind = max(((ends[need][0], need) for need in task.needs), default=(0.0, None))
            ends[task.id] = (behind[0] + self.gap + task.seconds, behind[1])
        chain: list[Task] = []
        last = max(ends, key=lambda task: ends[task][0], default=None)
        while last is not None:
            chain.append(self.by_id[last].task)
            last = ends[last][1]
        return tuple(reversed(chain))

    @property
    def critical_seconds(self) -> float:
        """Seconds of the critical path with the gaps in it."""
        return sum(task.seconds + self.gap for task in self.critical_path)

    @property
    def inversions(self) -> tuple[Inversion, ...]:
        """The longest first."""
        found = [
            Inversion(timing.task.id, holder, min(timing.start, self.by_id[holder].end) - timing.ready)
            for timing in self.timings
            for holder in timing.held_by
        ]
        return tuple(sorted(found, key=lambda each: (-each.seconds, each.waiting, each.holding)))


def simulate(tasks: Sequence[Task], slots: Mapping[str, int], gap: float = 0.0) -> Simulation:
    """The course of the tasks; the same input gives the same course.

    :param tasks: of those that are equal in priority and map index, the first one starts first.
    :param slots: by pool, at least one each.
    :param gap: seconds that pass before a task is ready, after what it needs has ended: the scheduler's own.
    :raises ValueError: if a task needs one that is not there, or tasks need each other in a circle.
    """
    place = {task.id: number for number, task in enumerate(tasks)}
    missing = {need for task in tasks for need in task.needs} - place.keys()
    if missing:
        raise ValueError(f"needed, but not there: {', '.join(sorted(missing))}")
    open_needs = [len(set(task.needs)) for task in tasks]
    dependents: list[list[int]] = [[] for _ in tasks]
    for number, task in enumerate(tasks):
        for need in dict.fromkeys(task.needs):
            dependents[place[need]].append(number)
    free, running = dict(slots), dict[int, Task]()
    #: What is to come: (time, whether it is the end of a task, its number).
    coming = [(gap, False, number) for number, count in enumerate(open_needs) if not count]
    heapq.heapify(coming)
    waiting: list[tuple[int, int, int]] = []
    ready_at: dict[int, float] = {}
    held: dict[int, tuple[str, ...]] = {}
    timings: list[Timing] = []
    while coming:
        now = coming[0][0]
        arrived: list[int] = []
        while coming and coming[0][0] == now:
            _, over, number = heapq.heappop(coming)
            if not over:
                ready_at[number] = now
                insort(waiting, (-tasks[number].priority, tasks[number].map_index, number))
                arrived.append(number)
                continue
            _add(free, running.pop(number).pools, 1)
            for dependent in dependents[number]:
                open_needs[dependent] -= 1
                if not open_needs[dependent]:
                    heapq.heappush(coming, (now + gap, False, dependent))
        full = _full(free)
        for entry in list(waiting):
            number = entry[2]
            task = tasks[number]
            if not full.isdisjoint(task.pools):
                continue
            waiting.remove(entry)
            _add(free, task.pools, -1)
            full = _full(free)
            running[number] = task
            timings.append(Timing(task, ready_at[number], now, held.get(number, ())))
            heapq.heappush(coming, (now + task.seconds, True, number))
        for number in arrived:
            if number not in running:
                held[number] = tuple(_holders(tasks[number], running.values(), full))
    if len(timings) < len(tasks):
        raise ValueError("the tasks need each other in a circle")
    return Simulation(tuple(timings), dict(slots), gap)


def _add(free: dict[str, int], pools: Sequence[str], number: int) -> None:
    for pool in pools:
        if pool in free:
            free[pool] += number


def _full(free: Mapping[str, int]) -> frozenset[str]:
    """The pools without a slot."""
    return frozenset(pool for pool, number in free.items() if number < 1)


def _holders(task: Task, running: Iterable[Task], full: frozenset[str]) -> Iterator[str]:
    lacked = full.intersection(task.pools)
    for other in running:
        if other.priority < task.priority and not lacked.isdisjoint(other.pools):
            yield other.id
