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


def critical_path(run: Run, item_sizes: Sizes) -> tuple[Link, ...]:
    """The chain backwards from what ended last (or, in a run that goes on, from what has been at work for
    longest), each task after the one it needed that was done last; in the order of time.

    A task of a mapped group needs the tasks of its own index inside the group, and all instances of a task
    outside. A unit that was awaited needs the loads of the jobs that carry rows of its tables, which no edge
    of the DAG says. Tasks that only wait are left out: what they waited for is in the chain.
    """
    begun = {each.key: each for each in run.tries if each.begun}
    if not begun:
        return ()
    active = [each for each in begun.values() if not each.end and each.operator not in WAITING]
    if active:
        last = min(active, key=lambda each: (each.start or run.now, each.key))
    else:
        last = max(begun.values(), key=lambda each: (each.end or run.now, each.start or run.now, each.key))
    chain: list[Try] = []
    current: Try | None = last
    seen: set[Key] = set()
    while current is not None and current.key not in seen:
        seen.add(current.key)
        chain.append(current)
        needed = [each for each in _needed(run, item_sizes, current) if each.begun and each.end]
        current = max(needed, key=lambda each: (each.end or run.now, each.start or run.now), default=None)
    links: list[Link] = []
    former: datetime | None = None
    for each in reversed(chain):
        start, end = each.start or run.now, each.end or run.now
        if each.operator not in WAITING:
            waited = max(0.0, run.clock.seconds(start) - run.clock.seconds(former)) if former else 0.0
            links.append(Link(each.key, run.items.get(each.key), start, end, waited))
            former = end
    return tuple(links)


def _needed(run: Run, item_sizes: Sizes, each: Try) -> Iterator[Try]:
    for task in run.shape.upstream.get(each.task_id, ()):
        inside = each.map_index >= 0 and group_of(task) == group_of(each.task_id) != ""
        yield from (
            other for other in run.by_task.get(task, ()) if not inside or other.map_index == each.map_index
        )
    if each.operator in WAITING:
        awaited = _awaited(run, item_sizes, each)
        for other in run.tries:
            if LEGS.get(other.operator) == "load" and run.items.get(other.key) in awaited:
                yield other


def _awaited(run: Run, item_sizes: Sizes, attempt: Try) -> frozenset[str]:
    """The jobs that a unit waited for: as its task returned them, before that as they are planned."""
    returned, item = run.results.get(attempt.key), run.items.get(attempt.key)
    if isinstance(returned, list):
        return frozenset(returned)
    awaited = set(item_sizes.tables(item) or ([item] if item else ()))
    return frozenset(job for job, tables in item_sizes.tables_of.items() if not awaited.isdisjoint(tables))
