"""How far a run is and when it ends, from what its tasks took."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_refresh.monitor.comparison import StageTime
from oracle_refresh.monitor.forecast import forecast
from oracle_refresh.monitor.sizes import sizes
from support.watched_runs import OPERATORS, UPSTREAM, a_plan, a_run, a_try

FORMER = dict.fromkeys(OPERATORS, StageTime(1, 10.0))
EQUAL = a_plan({f"S{index}": (1000, ("APP.T",)) for index in range(8)})


def exports(done: int, of: int) -> list[object]:
    """Exports of ten seconds, one after the other, on two workers."""
    starts = [index // 2 * 10.0 for index in range(done)]
    ended = [a_try("shard.export", index, start, start + 10, item=f"S{index}") for index, start in
             enumerate(starts)]  # fmt: skip
    return [*ended, *(a_try("shard.export", index, item=f"S{index}") for index in range(done, of))]


def test_what_is_left_takes_as_long_as_what_was_done() -> None:
    run = a_run(*exports(4, 8), now=20)  # type: ignore[arg-type]
    found = forecast(run, sizes(run, EQUAL), {})
    assert found.fraction == pytest.approx(0.5)
    assert found.eta_seconds == pytest.approx(20.0)


def test_larger_jobs_are_expected_to_take_longer() -> None:
    larger = a_plan({**{f"S{index}": (1000, ("APP.T",)) for index in range(4)}, "S4": (9000, ("APP.T",))})
    run = a_run(*exports(4, 5), now=20)  # type: ignore[arg-type]
    found = forecast(run, sizes(run, larger), {})
    assert found.eta_seconds == pytest.approx(50.0), "half of ten seconds, and nine times the other half"


def test_one_long_way_is_not_shortened_by_many_workers() -> None:
    tries = [*exports(6, 6), a_try("shard.export", 6, item="S6"), a_try("shard.stage", 6, item="S6")]
    run = a_run(*tries, now=30)  # type: ignore[arg-type]
    found = forecast(run, sizes(run, EQUAL), {"shard.stage": StageTime(2, 80.0)})
    assert found.eta_seconds == pytest.approx(50.0), "its export, then its stage"


def test_what_a_task_reports_counts() -> None:
    tries = [*exports(2, 2), a_try("constraints", -1, 10)]
    run = a_run(*tries, now=15, progress={("constraints", -1): {"percent": 75.0}})  # type: ignore[arg-type]
    assert forecast(run, sizes(run, EQUAL), {"constraints": StageTime(1, 20.0)}).eta_seconds == pytest.approx(
        5.0
    )


def test_no_time_is_told_for_what_was_never_measured() -> None:
    run = a_run(a_try("plan", -1, 0, 1), a_try("constraints"), now=2)
    found = forecast(run, sizes(run, None), {})
    assert found.eta_seconds is None
    assert 0 < found.fraction < 1


def test_waiting_for_others_is_no_work() -> None:
    tries = [a_try("plan", -1, 0, 10), a_try("unit.await_loaded", 0, 10, item="APP.T")]
    run = a_run(*tries, now=500)
    assert forecast(run, sizes(run, None), FORMER).eta_seconds == 0.0


@pytest.mark.parametrize(("state", "fraction"), [("success", 1.0), ("failed", 0.5)])
def test_a_run_that_is_over(state: str, fraction: float) -> None:
    run = a_run(a_try("plan", -1, 0, 1), a_try("units", -1, 1, 2, state), state=state)
    found = forecast(run, sizes(run, None), {})
    assert (found.fraction, found.eta_seconds) == (fraction, 0.0)


@given(st.integers(0, 8), st.floats(1, 1e4))
def test_never_less_than_nothing_nor_more_than_all(done: int, now: float) -> None:
    run = a_run(*exports(done, 8), now=now)  # type: ignore[arg-type]
    found = forecast(run, sizes(run, EQUAL), FORMER)
    assert 0.0 <= found.fraction <= 1.0
    assert found.eta_seconds is not None
    assert found.eta_seconds >= 0.0


def test_tasks_that_are_not_known_yet_are_expected_to_take_what_they_took() -> None:
    run = a_run(a_try("plan", -1, 0, 10), a_try("shard.export"), now=10)
    found = forecast(run, sizes(run, None), {"shard.export": StageTime(30, 90.0)})
    assert found.fraction == pytest.approx(0.1)
    assert found.eta_seconds == pytest.approx(90.0)


def test_the_first_run_of_all_tells_how_many_of_its_tasks_are_done() -> None:
    run = a_run(a_try("plan", -1, 0, 10), a_try("shard.export"), now=10)
    found = forecast(run, sizes(run, None), {})
    assert found.fraction == pytest.approx(1 / len(UPSTREAM))
    assert found.eta_seconds is None
