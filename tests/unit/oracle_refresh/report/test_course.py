"""A run beside what was expected of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from oracle_refresh.catalog.limits import Limits
from oracle_refresh.catalog.rates import Rates, StageRate
from oracle_refresh.plan import Plan, build_plan, stages
from oracle_refresh.plan.course import Key
from oracle_refresh.plan.stages import STAGES
from oracle_refresh.report import Details, Report, build, render
from oracle_refresh.report.conclusions import conclusions
from oracle_refresh.report.course import Course, course
from support.planner_tables import FROZEN, MB, catalogue, definition, table

ONE_SECOND = {stage.id: StageRate(1.0, 0.0) for stage in STAGES if not stage.waits}
MASKED: Key = (stages.MASK, 0)


def made(rates: Rates | None = None) -> Plan:
    tables = catalogue(table("ONE", 100 * MB))
    return build_plan(tables, definition(degree=1), Limits(1, rates=rates), FROZEN, "run", task_slots=2)


def took(mask: float) -> dict[Key, float]:
    """Of a run of one job and one unit, all of whose other tasks take a second."""
    seconds: dict[Key, float] = {
        (stage, 0 if stage.group else -1): 1.0 for stage in STAGES if not stage.waits
    }
    return seconds | {MASKED: mask}


def test_a_run_is_told_beside_what_was_expected() -> None:
    plan = made(Rates(("r",), float(MB), stages=ONE_SECOND))
    assert (len(plan.jobs), len(plan.units)) == (1, 1)
    found = course(plan, took(11.0), 40.0)
    assert found.seconds == 40.0
    assert found.expected_critical_seconds == found.critical_seconds - 10
    assert found.expected_seconds is not None
    assert found.ratio == pytest.approx(40 / found.expected_seconds)
    assert ("unit.mask U001", 11.0) in [(step.task, step.seconds) for step in found.critical_path]
    assert [step.task for step in found.critical_path] == [step.task for step in found.expected_critical_path]
    assert found.idle == pytest.approx(1 - sum(took(11.0).values()) / 80)
    masking = next(stage for stage in found.stages if stage.stage == "unit.mask")
    assert (masking.tasks, masking.seconds, masking.expected_seconds) == (1, 11.0, 1.0)
    assert Course.from_json(found.to_json()) == found


def test_where_nothing_was_expected_that_is_said() -> None:
    plan = made()
    found = course(plan, took(1.0), 40.0)
    assert (found.expected_seconds, found.ratio, found.expected_critical_path) == (None, None, ())
    page = render(reported(plan, found), Details(plan=plan))
    assert "no former run by this transport had measured its stages" in page


def test_the_page_shows_both_and_the_report_keeps_them() -> None:
    plan = made(Rates(("r",), float(MB), stages=ONE_SECOND))
    report = reported(plan, course(plan, took(11.0), 40.0))
    page = render(report, Details(plan=plan))
    assert "unit.mask U001 11" in page
    assert "idle share of 2 tasks at the same time" in page
    assert "Nothing was expected" not in page
    assert Report.from_json(report.to_json()) == report
    assert "<h2>Course</h2>" not in render(replace(report, course=None), Details(plan=plan))


def test_a_run_that_took_much_longer_than_expected_is_worth_a_look() -> None:
    plan = made(Rates(("r",), float(MB), stages=ONE_SECOND))
    expected = course(plan, took(1.0), 1.0).expected_seconds
    assert expected is not None

    def told(seconds: float) -> list[str]:
        report = reported(plan, course(plan, took(1.0), seconds))
        found = conclusions(report, Details(plan=plan), None)
        return [each.text for each in found if each.severity == "look"]

    times = (expected + 40) / expected
    assert told(expected + 40) == [f"the run took {times:.2f} times the seconds that were expected"]
    assert told(expected + 20) == [], "seconds that no one would look for"


def reported(plan: Plan, found: Course) -> Report:
    return build(plan, "published", found.seconds, course=found)
