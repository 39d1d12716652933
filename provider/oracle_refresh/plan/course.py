"""The course of a refresh: every task of a plan in a simulation, with the seconds that it takes.

Before a run these are expected by the rates of former runs, after it they are those that its tasks took. Both
courses run through the same stages, needs, priorities and slots, so they can be compared. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from oracle_refresh.catalog.rates import StageRate
from oracle_refresh.plan.model import Plan
from oracle_refresh.plan.pace import Pace
from oracle_refresh.plan.simulation import Simulation, Task, simulate
from oracle_refresh.plan.stages import AWAIT, LOAD, SHARD, UNIT, Flow, Stage

#: The pool of all tasks: what Airflow runs at the same time. Those of the two ends are `source` and `target`,
#: as the stages say.
TASKS = "tasks"

#: Towards the gap; with each the error shrinks by the share of the run that does not lie on one path.
STEPS = 6

Key = tuple[Stage, int]
"""A task of a run: its stage, and the number of its item, -1 where it has none."""


@dataclass(frozen=True)
class TaskTime:
    """What one task instance took, as Airflow tells it; `map_index` is -1 where it is not mapped."""

    task: str
    operator: str
    map_index: int
    seconds: float


def expected_course(plan: Plan) -> Simulation | None:
    """As former runs let expect it; None where none has measured its stages."""
    if plan.rates is None or not plan.rates.stages:
        return None
    rates, work = plan.rates.stages, works(plan, Pace(plan.rates))

    def seconds(key: Key) -> float:
        rate = rates.get(key[0].id)
        return rate.seconds(work.get(key, 0)) if rate else 0.0

    return _simulated(plan, seconds, plan.rates.gap_seconds)


def course_of(plan: Plan, took: Mapping[Key, float], gap: float = 0.0) -> Simulation:
    """What those seconds make; a task without any counts as none."""
    return _simulated(plan, lambda key: took.get(key, 0.0), gap)


def gap_of(plan: Plan, took: Mapping[Key, float], seconds: float) -> float:
    """The gap between tasks with which their seconds make the whole run's."""
    gap = 0.0
    for _ in range(STEPS):
        course = course_of(plan, took, gap)
        gap = max(0.0, gap + (seconds - course.wall) / len(course.critical_path))
    return gap


def works(plan: Plan, pace: Pace) -> dict[Key, int]:
    """The work of each mapped task: of a job what its slowest worker carries, of a unit what was planned."""
    stages = plan.flow.stages
    return {
        **{
            (stage, number): pace.work(job.estimate_bytes // job.parallel, job.scheme)
            for number, job in enumerate(plan.jobs)
            for stage in stages
            if stage.items is SHARD
        },
        **{
            (stage, number): unit.work
            for number, unit in enumerate(plan.units)
            for stage in stages
            if stage.items is UNIT
        },
    }


def totals(times: Iterable[TaskTime]) -> dict[str, dict[str, float]]:
    """Return how many instances of each task there were (`count`) and their seconds together (`busy`)."""
    found: dict[str, dict[str, float]] = {}
    for time in times:
        total = found.setdefault(time.task, {"count": 0, "busy": 0.0})
        total["count"] += 1
        total["busy"] = round(total["busy"] + time.seconds, 3)
    return found


def by_stage(times: Iterable[TaskTime], flow: Flow) -> dict[Key, float]:
    """By the stage of each task's operator, or of its id where several stages have that operator.

    A stage that only waits took no time of anybody.
    """
    found: dict[Key, float] = {}
    for time in times:
        stages = [stage for stage in flow.stages if stage.operator == time.operator]
        if len(stages) > 1:
            stages = [stage for stage in stages if stage.id == time.task]
        if stages and not stages[0].waits:
            found[stages[0], time.map_index] = time.seconds
    return found


def stage_rates(took: Mapping[Key, float], work: Mapping[Key, int]) -> dict[str, StageRate]:
    """What the tasks of each stage took, as a fixed part and one that grows with their work."""
    samples: dict[str, list[tuple[float, float]]] = {}
    for key, seconds in took.items():
        samples.setdefault(key[0].id, []).append((work.get(key, 0), seconds))
    return {stage: fitted(pairs) for stage, pairs in sorted(samples.items())}


def fitted(samples: list[tuple[float, float]]) -> StageRate:
    """The line of least squares through (work, seconds), neither of whose parts is below 0."""
    count = len(samples)
    mean_work, mean_seconds = (sum(column) / count for column in zip(*samples, strict=True))
    spread = sum((work - mean_work) ** 2 for work, _ in samples)
    if not spread:
        return StageRate(mean_seconds, 0.0)
    slope = sum((work - mean_work) * (seconds - mean_seconds) for work, seconds in samples) / spread
    if slope <= 0:
        return StageRate(mean_seconds, 0.0)
    fixed = mean_seconds - slope * mean_work
    if fixed < 0:
        return StageRate(0.0, sum(w * s for w, s in samples) / sum(w * w for w, _ in samples))
    return StageRate(fixed, slope)


def _simulated(plan: Plan, seconds: Callable[[Key], float], gap: float) -> Simulation:
    slots = {TASKS: plan.task_slots} if plan.task_slots else {}
    return simulate(list(_tasks(plan, seconds)), slots, gap)


def _tasks(plan: Plan, seconds: Callable[[Key], float]) -> Iterable[Task]:
    items = {SHARD: [job.id for job in plan.jobs], UNIT: [unit.id for unit in plan.units]}
    carrying = {table.table: table.jobs for table in plan.tables}
    loaded = [
        [f"{LOAD.id} {job}" for job in dict.fromkeys(job for name in unit.tables for job in carrying[name])]
        for unit in plan.units
    ]
    for stage in plan.flow.stages:
        for number, item in enumerate(items[stage.items]) if stage.items else [(-1, None)]:
            needs = [
                need
                for needed in plan.flow.needs[stage]
                for need in (
                    [needed.id]
                    if needed.items is None
                    else [f"{needed.id} {item}"]
                    if needed.group is not None and needed.group is stage.group
                    else [f"{needed.id} {each}" for each in items[needed.items]]
                )
            ]
            yield Task(
                id=f"{stage.id} {item}" if item else stage.id,
                seconds=0.0 if stage.waits else seconds((stage, number)),
                needs=(*needs, *(loaded[number] if stage is AWAIT else ())),
                # Who waits does so outside, and has no slot meanwhile.
                pools=() if stage.waits else (TASKS, *((stage.session,) if stage.session else ())),
                priority=stage.priority,
                map_index=number,
            )
