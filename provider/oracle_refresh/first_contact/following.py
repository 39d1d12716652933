"""How far a run of the DAG is, told as each of its tasks ends. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from oracle_refresh.first_contact.runs import ENDED_TASK, NOT_ASKED_FOR, TaskRun
from oracle_refresh.run.progress import Progress


@dataclass
class Following:
    """Reports each task once, when the last of its instances has ended."""

    progress: Progress
    _told: set[str] = field(default_factory=set, init=False)

    def look(self, tasks: Iterable[TaskRun]) -> None:
        """:param tasks: all task instances of the run as they are now."""
        grouped: dict[str, list[str]] = {}
        for one in tasks:
            if one.state not in NOT_ASKED_FOR:
                grouped.setdefault(one.task, []).append(one.state)
        ended = [name for name, states in grouped.items() if ENDED_TASK.issuperset(states)]
        for name in ended:
            if name not in self._told:
                self._told.add(name)
                states, done = grouped[name], grouped[name].count("success")
                what = name if done == len(states) == 1 else f"{name} ({done} of {len(states)} succeeded)"
                self.progress.report(len(self._told), len(grouped), "tasks", what)
