"""Runs of the refresh's DAG as the ladder needs them; who may ask Airflow brings them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from oracle_refresh.run.progress import Progress

STEP = "first contact"
#: States of task instances, as Airflow names them.
NOT_ASKED_FOR = frozenset({"skipped", "removed"})
ENDED_TASK = frozenset({"success", "failed", "upstream_failed"})
#: States of a run that has ended.
ENDED = frozenset({"success", "failed"})


@dataclass(frozen=True)
class TaskRun:
    """One task instance of a run.

    :ivar item: what a mapped task is about.
    :ivar state: as Airflow names it, such as `success` or `upstream_failed`.
    """

    task: str
    item: str | None
    state: str
    began: datetime | None
    ended: datetime | None


def by_task(tasks: Iterable[TaskRun]) -> dict[str, list[TaskRun]]:
    """The instances of each task that the definition asks for."""
    grouped: dict[str, list[TaskRun]] = {}
    for each in tasks:
        if each.state not in NOT_ASKED_FOR:
            grouped.setdefault(each.task, []).append(each)
    return grouped


class Runs(Protocol):
    """The runs of one DAG."""

    @property
    def dag_id(self) -> str: ...

    def trigger(self, run_id: str, conf: dict[str, Any]) -> None:
        """Trigger a run.

        :raises PreflightError: if there is no such DAG, it is paused, or it does not take `conf`.
        """

    def require_ended(self, run_id: str) -> None:
        """A run that was deleted, or never triggered, has ended.

        :raises PreflightError: if the run is waiting or working.
        """

    def await_end(self, run_id: str, longest: float, look: Callable[[tuple[TaskRun, ...]], None]) -> str:
        """The state in which the run has ended, or the one that it has after a while.

        :param longest: for how many seconds its end is waited for.
        :param look: called with all task instances, repeatedly.
        :raises PreflightError: if no scheduler has begun it after a while, or somebody has deleted it.
        """

    def tasks(self, run_id: str) -> tuple[TaskRun, ...]:
        """All task instances of a run, in the order in which they began."""


@dataclass
class Following:
    """How far a run is: reports each task once, when the last of its instances has ended."""

    progress: Progress
    _told: set[str] = field(default_factory=set, init=False)

    def look(self, tasks: Iterable[TaskRun]) -> None:
        """:param tasks: all task instances of the run as they are now."""
        grouped = by_task(tasks)
        for name, instances in grouped.items():
            states = [each.state for each in instances]
            if name not in self._told and ENDED_TASK.issuperset(states):
                self._told.add(name)
                done = states.count("success")
                what = name if done == len(states) == 1 else f"{name} ({done} of {len(states)} succeeded)"
                self.progress.report(len(self._told), len(grouped), "tasks", what)
