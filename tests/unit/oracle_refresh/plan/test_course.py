"""The course of a refresh: its plan as tasks, as they are expected and as they went."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_refresh.catalog import Table
from oracle_refresh.catalog.limits import Limits
from oracle_refresh.catalog.rates import Rates, StageRate
from oracle_refresh.plan import Plan, build_plan, stages
from oracle_refresh.plan.course import (
    TASKS,
    Key,
    TaskTime,
    by_stage,
    course_of,
    expected_course,
    fitted,
    gap_of,
    stage_rates,
    works,
)
from oracle_refresh.plan.explain import overview
from oracle_refresh.plan.pace import Pace
from oracle_refresh.plan.stages import STAGES, UNIT, Stage
from support.planner_tables import FROZEN, MB, catalogue, definition, table

TABLES = (
    *(table(f"SMALL{number}", 10 * MB) for number in range(20)),
    table("LOBS", 10 * MB, 800 * MB),
    table("NOTES", 1 * MB, temporary=True),
)


def made(rates: Rates | None = None, slots: int | None = 4, tables: tuple[Table, ...] = TABLES) -> Plan:
    wish = definition(degree=8)
    limits = Limits(2, rates=rates)
    return build_plan(catalogue(*tables), wish, limits, FROZEN, "run", task_slots=slots)


def taking(plan: Plan, seconds: float = 1.0) -> dict[Key, float]:
    """Every task takes as long as every other."""
    return {
        (stage, number): seconds
        for stage in STAGES
        if not stage.waits
        for number in (
            [-1] if not stage.group else range(len(plan.units if stage.group is UNIT else plan.jobs))
        )
    }


def test_every_task_of_the_plan_is_in_its_course() -> None:
    plan = made()
    course = course_of(plan, taking(plan))
    mapped = 3 * len(plan.jobs) + 5 * len(plan.units)
    assert len(course.timings) == mapped + sum(stage.group is None for stage in STAGES)
    assert course.busy(TASKS) == len(taking(plan))
    assert course.slots == {TASKS: 4}
    assert course_of(made(slots=None), taking(plan)).wall == course.critical_seconds


def test_a_unit_begins_when_the_last_job_of_its_tables_is_loaded() -> None:
    plan = made()
    course = course_of(plan, taking(plan))
    carrying = {each.table: each.jobs for each in plan.tables}
    for unit in plan.units:
        jobs = {job for name in unit.tables for job in carrying[name]}
        loaded = max((course.by_id[f"shard.load {job}"].end for job in jobs), default=0.0)
        assert course.by_id[f"unit.verify_copy {unit.id}"].start >= loaded
        assert set(course.by_id[f"unit.await_loaded {unit.id}"].task.needs) >= {
            f"shard.load {job}" for job in jobs
        }


def test_all_units_are_masked_before_slots_go_to_later_proofs() -> None:
    """The longest way of the last unit begins in time, and what is proven last fills the slots behind it."""
    plan = made(slots=2, tables=TABLES[:20])
    course = course_of(plan, taking(plan))

    def starts(stage: Stage) -> list[float]:
        return [course.by_id[f"{stage.id} {unit.id}"].start for unit in plan.units]

    assert len(plan.units) > 2
    assert max(starts(stages.VERIFY_COPY)) <= min(starts(stages.BUILD_INDEXES))
    assert max(starts(stages.MASK)) <= min(starts(stages.VERIFY_MASKED))


def test_who_waits_has_no_slot() -> None:
    plan = made()
    waiting = [timing.task for timing in course_of(plan, taking(plan)).timings if not timing.task.pools]
    assert {task.id.partition(" ")[0] for task in waiting} == {stage.id for stage in STAGES if stage.waits}


def test_what_a_run_took_is_what_the_next_one_expects() -> None:
    plan = made()
    took = taking(plan) | {
        key: 2.0 + work / (50.0 * MB) for key, work in works(plan, Pace()).items() if not key[0].waits
    }
    course = course_of(plan, took, 0.4)
    gap = gap_of(plan, took, course.wall)
    assert gap == pytest.approx(0.4, abs=0.05)
    rates = Rates(("r",), float(MB), stages=stage_rates(took, works(plan, Pace())), gap_seconds=gap)
    expected = expected_course(replace(plan, rates=rates))
    assert expected is not None
    assert expected.wall == pytest.approx(course.wall, rel=0.02)
    assert [task.id for task in expected.critical_path] == [task.id for task in course.critical_path]


def test_nothing_is_expected_where_nothing_was_measured() -> None:
    assert expected_course(made()) is None
    assert expected_course(made(Rates(("calibration c",), float(MB)))) is None


def test_explain_tells_the_expected_course() -> None:
    plan = made()
    took = taking(plan, 2.0) | {(stages.MASK, 0): 4000.0}
    rates = Rates(("r",), float(MB), stages=stage_rates(took, works(plan, Pace())), gap_seconds=0.5)
    plan = replace(plan, rates=rates)
    expected = expected_course(plan)
    assert expected is not None
    text = overview(plan)
    assert f"the whole run: {expected.wall:,.0f} s with 4 tasks at the same time, " in text
    assert f"with slots for all tasks {expected.critical_seconds:,.0f} s" in text
    assert "preflight 2.0 s -> profile 2.0 s" in text
    assert "-> unit.mask U0" in " ".join(text.split())
    assert "await_loaded U" not in text, "what waits takes no time of its own"
    assert "with 0.5 s before each task" in text
    assert max(map(len, text.partition("the whole run")[2].splitlines()[1:])) <= 110


def test_tasks_are_known_by_their_operators_whatever_they_are_called() -> None:
    found = by_stage(
        [
            TaskTime("own.mask_it", "MaskTable", 3, 7.0),
            TaskTime("scripts_after", "RunScripts", -1, 2.0),
            TaskTime("my_scripts", "RunScripts", -1, 3.0),
            TaskTime("unit.await_loaded", "AwaitTable", 0, 90.0),
            TaskTime("approve_target", "ApproveRefresh", -1, 900.0),
            TaskTime("mine", "PythonOperator", -1, 1.0),
        ],
        stages.REFRESH,
    )
    assert found == {(stages.MASK, 3): 7.0, (stages.SCRIPTS_AFTER, -1): 2.0}


@given(st.floats(0, 100), st.floats(0, 10), st.lists(st.integers(0, 1000), min_size=2, unique=True))
def test_a_line_is_found_again(fixed: float, slope: float, works: list[int]) -> None:
    rate = fitted([(work, fixed + slope * work) for work in works])
    for work in works:
        assert rate.seconds(work) == pytest.approx(fixed + slope * work, rel=1e-6, abs=1e-6)


@given(st.lists(st.tuples(st.integers(0, 1000), st.floats(0, 1000)), min_size=1))
def test_no_part_of_a_rate_is_below_nothing(samples: list[tuple[float, float]]) -> None:
    rate = fitted(samples)
    assert rate.fixed >= 0
    assert rate.per_work >= 0
    assert min(seconds for _, seconds in samples) <= rate.seconds(1000) or rate.per_work == 0


def test_of_tasks_that_are_all_alike_only_the_seconds_are_known() -> None:
    assert fitted([(5, 2.0), (5, 4.0)]) == StageRate(3.0, 0.0)
    assert fitted([(1, 9.0), (9, 1.0)]) == StageRate(5.0, 0.0), "more work does not take less time"
