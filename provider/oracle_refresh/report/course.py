"""A run beside the course that was expected of it: wall time, critical path, stages, idle slots. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.plan.course import TASKS, Key, course_of, expected_course
from oracle_refresh.plan.model import Plan
from oracle_refresh.plan.simulation import Simulation, Task


@dataclass(frozen=True)
class Step(Jsonable):
    """A task on a critical path, such as `unit.mask U003`."""

    task: str
    seconds: float


@dataclass(frozen=True)
class StageCourse(Jsonable):
    """One stage: its tasks, their seconds together, and those that were expected of them."""

    stage: str
    tasks: int
    seconds: float
    expected_seconds: float | None


@dataclass(frozen=True)
class Course(Jsonable):
    """What was expected is None, or empty, where no former run had measured its stages.

    :ivar seconds: wall time, as in the report.
    :ivar critical_seconds: of its critical path: what its tasks would have taken with slots for all, and no
        time of Airflow between them.
    :ivar slots: tasks that Airflow ran at the same time; None where it is not known.
    :ivar idle: the share of these slots' time in which they were empty.
    """

    seconds: float
    critical_seconds: float
    critical_path: tuple[Step, ...]
    slots: int | None
    idle: float | None
    stages: tuple[StageCourse, ...]
    expected_seconds: float | None = None
    expected_critical_seconds: float | None = None
    expected_critical_path: tuple[Step, ...] = ()
    expected_idle: float | None = None

    @property
    def ratio(self) -> float | None:
        """Measured over expected wall time."""
        return self.seconds / self.expected_seconds if self.expected_seconds else None


def course(plan: Plan, took: Mapping[Key, float], seconds: float) -> Course:
    """:param took: seconds of each task that has ended.
    :param seconds: wall time of the run.
    """
    actual, expected = course_of(plan, took), expected_course(plan)
    spent, foreseen = _by_stage(actual), _by_stage(expected) if expected else {}
    counts: dict[str, int] = defaultdict(int)
    for stage, _ in took:
        counts[stage.id] += 1
    slots, busy = plan.task_slots, actual.busy(TASKS)
    found = Course(
        seconds=seconds,
        critical_seconds=_sum(actual.critical_path),
        critical_path=_steps(actual.critical_path),
        slots=slots,
        idle=max(0.0, 1 - busy / (slots * seconds)) if slots and seconds else None,
        stages=tuple(
            StageCourse(stage.id, counts[stage.id], round(spent[stage.id], 3), foreseen.get(stage.id))
            for stage in plan.flow.stages
            if counts[stage.id]
        ),
    )
    if expected is None:
        return found
    return replace(
        found,
        expected_seconds=expected.wall,
        expected_critical_seconds=_sum(expected.critical_path),
        expected_critical_path=_steps(expected.critical_path),
        expected_idle=expected.idle_share(TASKS) if slots else None,
    )


def _by_stage(simulated: Simulation) -> dict[str, float]:
    seconds: dict[str, float] = defaultdict(float)
    for timing in simulated.timings:
        seconds[timing.task.id.partition(" ")[0]] += timing.task.seconds
    return seconds


def _sum(path: tuple[Task, ...]) -> float:
    return sum(task.seconds for task in path)


def _steps(path: tuple[Task, ...]) -> tuple[Step, ...]:
    """Without what only waits."""
    return tuple(Step(task.id, round(task.seconds, 3)) for task in path if task.pools)
