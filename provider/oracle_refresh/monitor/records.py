"""A run as its page shows it: its tasks, their attempts and results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from oracle_refresh.plan.stages import WAITING, Stage
from oracle_refresh.run.clock import Clock, pauses

#: States that a task instance does not leave by itself.
ENDED = frozenset({"success", "failed", "skipped", "upstream_failed", "removed"})
#: States of a task that ended without having begun. Airflow gives it times all the same.
NEVER_BEGAN = frozenset({"upstream_failed", "skipped", "removed"})
#: States of a task that is at work or waits for something outside Airflow.
ACTIVE = frozenset({"running", "deferred", "restarting", "awaiting_input"})

Key = tuple[str, int]
"""A task instance within a run: task id and map index, -1 where the task is not mapped."""


@dataclass(frozen=True)
class Try:
    """One try of a task instance; times are aware, None where it has not come so far."""

    task_id: str
    map_index: int
    item: str | None
    """What the instance is about, such as `S003`; None where it is not mapped, or has not begun."""
    operator: str
    state: str | None
    number: int
    queued: datetime | None
    start: datetime | None
    end: datetime | None

    @property
    def key(self) -> Key:
        return (self.task_id, self.map_index)

    def stands_for_many(self, shape: Shape) -> bool:
        """Whether it stands for instances that are not known yet."""
        return self.map_index < 0 and self.task_id in shape.mapped and self.state not in ENDED

    @property
    def ended(self) -> bool:
        return self.state in ENDED

    @property
    def begun(self) -> bool:
        return self.start is not None and self.state not in NEVER_BEGAN

    def seconds(self, now: datetime) -> float:
        """How long it has worked; 0 while it has not begun."""
        return max(0.0, ((self.end or now) - self.start).total_seconds()) if self.start else 0.0

    def span(self, now: datetime) -> tuple[datetime, datetime] | None:
        """From when to when it has worked, None where it has not begun."""
        return (self.start, max(self.end or now, self.start)) if self.start and self.begun else None


def not_begun_again(tries: Iterable[Try], former: Iterable[Try]) -> tuple[Try, ...]:
    """The present tries, without the times of those that are only to come.

    A task that is tried again, or was cleared, keeps number and times of its former try in Airflow until the
    next one begins. That try is among the former ones already, and would be counted twice.
    """
    over = {(each.key, each.number) for each in former}
    return tuple(
        replace(each, queued=None, start=None, end=None) if (each.key, each.number) in over else each
        for each in tries
    )


@dataclass(frozen=True)
class Shape:
    """The tasks of a DAG in an order that no task stands before one it needs, and what each needs."""

    order: tuple[str, ...]
    upstream: Mapping[str, tuple[str, ...]]
    mapped: frozenset[str] = frozenset()
    """Tasks that have an instance for each item, once it is known which items there are."""

    @classmethod
    def of(cls, upstream: Mapping[str, Iterable[str]], mapped: Iterable[str] = ()) -> Shape:
        """Sort topologically; of tasks that could stand next, the one that the DAG names first."""
        needs = {task: tuple(dict.fromkeys(upstream_tasks)) for task, upstream_tasks in upstream.items()}
        order: dict[str, None] = {}
        while len(order) < len(needs):
            ready = next(
                (task for task in needs if task not in order and all(each in order for each in needs[task])),
                None,
            )
            if ready is None:
                raise ValueError("the tasks need each other in a circle")
            order[ready] = None
        return cls(tuple(order), needs, frozenset(mapped))


def group_of(task_id: str) -> str:
    """The task group that a task stands in, `` where it stands in none."""
    return task_id.rpartition(".")[0]


@dataclass(frozen=True)
class Run:
    """One DAG run. `tries` are the present ones, one for each task instance; `former` those before."""

    dag_id: str
    run_id: str
    state: str
    started: datetime | None
    ended: datetime | None
    now: datetime
    conf: Mapping[str, Any]
    triggered_by: str | None
    note: str | None
    shape: Shape
    tries: Sequence[Try]
    former: Sequence[Try] = ()
    results: Mapping[Key, Any] = field(default_factory=dict)
    """What the tasks returned, as JSON values."""
    progress: Mapping[Key, Mapping[str, Any]] = field(default_factory=dict)
    """The last report of each task that reports progress (`progress.Measured.to_json`)."""
    errors: Mapping[Key, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    """What failed tries left about their errors, oldest first."""
    summary: Mapping[str, Any] | None = None
    """What its report has pushed, None while there is no report."""

    @cached_property
    def clock(self) -> Clock:
        """The axis of all its times. Airflow moves the start of a run that is cleared, so it begins with the
        first try of all. Who only waits for a person or for others is not at work."""
        tries = (*self.former, *self.tries)
        begun = [each.start for each in tries if each.start and each.begun]
        work = (each.span(self.now) for each in tries if each.operator not in WAITING)
        zero = min([*begun, *([self.started] if self.started else [])], default=self.now)
        return Clock(zero, pauses((span for span in work if span), self.ended or self.now))

    @cached_property
    def by_task(self) -> Mapping[str, tuple[Try, ...]]:
        attempts: dict[str, list[Try]] = {task: [] for task in self.shape.order}
        for each in self.tries:
            attempts.setdefault(each.task_id, []).append(each)
        return {task: tuple(tries) for task, tries in attempts.items()}

    @cached_property
    def items(self) -> Mapping[Key, str]:
        """The name of what each mapped instance is about, also of those that have not begun.

        Airflow renders a name when the instance begins. Until then it is the entry of the list that the
        group was mapped over: what a task upstream of the group returned, a text for each instance.
        """
        names_of: dict[Key, str] = {}
        for group, tasks in self._groups().items():
            indexes = {each.map_index for task in tasks for each in self.by_task[task] if each.map_index >= 0}
            names: dict[int, str] = dict(enumerate(self._mapped_over(tasks, indexes)))
            for task in tasks:
                names |= {
                    each.map_index: each.item
                    for each in self.by_task[task]
                    if each.item and each.map_index >= 0
                }
            for task in tasks:
                for each in self.by_task[task]:
                    if each.map_index >= 0:
                        names_of[each.key] = names.get(each.map_index, f"{group} {each.map_index}".strip())
        return names_of

    def result(self, task_id: str, map_index: int = -1) -> Any:
        return self.results.get((task_id, map_index))

    def of(self, *stages: Stage) -> Iterator[Try]:
        """The tries of the tasks of some stages, whatever the DAG calls them."""
        operators = {stage.operator for stage in stages}
        return (each for each in self.tries if each.operator in operators)

    def _groups(self) -> dict[str, list[str]]:
        """Tasks that are mapped together: those of one group, a mapped task without a group by itself."""
        groups: dict[str, list[str]] = {}
        for task in self.by_task:
            groups.setdefault(group_of(task) or task, []).append(task)
        return groups

    def _mapped_over(self, tasks: Sequence[str], indexes: set[int]) -> list[str]:
        above = dict.fromkeys(each for task in tasks for each in self.shape.upstream.get(task, ()))
        for task in above:
            returned = self.result(task)
            if (
                isinstance(returned, list)
                and indexes
                and len(returned) > max(indexes)
                and all(isinstance(entry, str) for entry in returned)
            ):
                return returned
        return []
