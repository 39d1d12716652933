"""Which tasks the end of a run waited for: the chain that has to become shorter for the run to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from oracle_refresh.monitor.records import Key, Run, Try, group_of
from oracle_refresh.monitor.sizes import Sizes
from oracle_refresh.plan.stages import LEGS, WAITING


@dataclass(frozen=True)
class Link:
    """One task of the chain. `waited` are the seconds from the end of what it needed to its own start,
    without pauses of the whole run."""

    key: Key
    item: str | None
    start: datetime
    end: datetime
    waited: float


def critical_path(run: Run, known: Sizes) -> tuple[Link, ...]:
    """The chain backwards from what ended last (or, in a run that goes on, from what has been at work for
    longest), each task after the one it needed that was done last; in the order of time.

    A task of a mapped group needs the tasks of its own index inside the group, and all instances of a task
    outside. A unit that was awaited needs the loads of the jobs that carry rows of its tables, which no edge
    of the DAG says. Tasks that only wait are left out: what they waited for is in the chain.
    """
    begun = {one.key: one for one in run.tries if one.begun}
    if not begun:
        return ()
    active = [one for one in begun.values() if not one.end and one.operator not in WAITING]
    if active:
        last = min(active, key=lambda one: (one.start or run.now, one.key))
    else:
        last = max(begun.values(), key=lambda one: (one.end or run.now, one.start or run.now, one.key))
    chain: list[Try] = []
    current: Try | None = last
    seen: set[Key] = set()
    while current is not None and current.key not in seen:
        seen.add(current.key)
        chain.append(current)
        needed = [one for one in _needed(run, known, current) if one.begun and one.end]
        current = max(needed, key=lambda one: (one.end or run.now, one.start or run.now), default=None)
    found: list[Link] = []
    former: datetime | None = None
    for one in reversed(chain):
        start, end = one.start or run.now, one.end or run.now
        if one.operator not in WAITING:
            waited = max(0.0, run.clock.seconds(start) - run.clock.seconds(former)) if former else 0.0
            found.append(Link(one.key, run.items.get(one.key), start, end, waited))
            former = end
    return tuple(found)


def _needed(run: Run, known: Sizes, one: Try) -> Iterator[Try]:
    for task in run.shape.upstream.get(one.task_id, ()):
        inside = one.map_index >= 0 and group_of(task) == group_of(one.task_id) != ""
        yield from (
            other for other in run.by_task.get(task, ()) if not inside or other.map_index == one.map_index
        )
    if one.operator in WAITING:
        awaited = _awaited(run, known, one)
        for other in run.tries:
            if LEGS.get(other.operator) == "load" and run.items.get(other.key) in awaited:
                yield other


def _awaited(run: Run, known: Sizes, one: Try) -> frozenset[str]:
    """The jobs that a unit waited for: as its task returned them, before that as they are planned."""
    returned, item = run.results.get(one.key), run.items.get(one.key)
    if isinstance(returned, list):
        return frozenset(returned)
    awaited = set(known.tables(item) or ([item] if item else ()))
    return frozenset(job for job, tables in known.tables_of.items() if not awaited.isdisjoint(tables))
