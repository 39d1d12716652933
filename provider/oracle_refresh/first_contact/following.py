"""Progress of a DAG run, reported as each of its tasks ends. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from oracle_refresh.first_contact.runs import ENDED_TASK, TaskRun, by_task
from oracle_refresh.run.progress import Progress


@dataclass
class Following:
    """Reports each task once, when the last of its instances has ended."""

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
