"""The time axis of a run: pauses are left out, work is not."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_refresh.run.clock import LONGEST_IDLE, Clock, pauses
from support.watched_runs import ZERO, a_run, a_try, at

LONG = LONGEST_IDLE.total_seconds()
SPANS = st.lists(st.tuples(st.floats(0, 5000), st.floats(0, 500)), min_size=1, max_size=12)


@given(SPANS, st.floats(0, 500))
def test_work_keeps_its_seconds_and_its_order(spans: list[tuple[float, float]], later: float) -> None:
    work = [
        (ZERO + timedelta(seconds=start), ZERO + timedelta(seconds=start + took)) for start, took in spans
    ]
    until = max(end for _, end in work) + timedelta(seconds=later)
    found = pauses(work, until)
    clock = Clock(ZERO, found)
    for start, end in work:
        assert clock.seconds(end) - clock.seconds(start) == pytest.approx(
            (end - start).total_seconds(), abs=1e-4
        )
        assert not any(pause.start < end and start < pause.end for pause in found), (
            "nothing worked in a pause"
        )
    moments = sorted(moment for span in work for moment in span)
    told = [clock.seconds(moment) for moment in moments]
    assert told == sorted(told)
    assert all(after - before <= LONG + max(took for _, took in spans) for before, after in pairwise(told))
    covered = clock.covered(work)
    assert covered <= sum(took for _, took in spans) + 1e-3
    assert covered == pytest.approx(_union(spans), abs=1e-3)


def _union(spans: list[tuple[float, float]]) -> float:
    """Seconds that at least one span covers, by counting at every bound."""
    bounds = sorted({bound for start, took in spans for bound in (start, start + took)})
    middles = pairwise(bounds)
    return sum(
        right - left
        for left, right in middles
        if any(start <= left and right <= start + took for start, took in spans)
    )


def test_a_run_that_was_cleared_the_next_day_is_as_long_as_its_work() -> None:
    """Airflow moves the start of a run that is cleared: what was done before it is work of the same run."""
    run = a_run(
        a_try("plan", -1, -3600, -3590),
        a_try("shard.export", 0, 1, 21, number=2, item="S001"),
        former=(a_try("shard.export", 0, -3590, -3580, "failed", item="S001"),),
        state="success",
        now=21,
    )
    assert run.clock.zero == at(-3600)
    assert [pause.seconds for pause in run.clock.pauses] == [3581]
    assert run.clock.at(at(21)) == 40.0


def test_who_waits_for_a_person_is_not_at_work() -> None:
    asking = a_try("unit.await_loaded", 0, 10, item="APP.A")
    run = a_run(a_try("plan", -1, 0, 10), asking, now=5000)
    assert run.clock.at(run.now) == 10.0


def test_the_wait_for_a_retry_that_is_short_belongs_to_the_work() -> None:
    run = a_run(a_try("plan", -1, 0, 10), a_try("units", -1, 10 + LONG, 80), now=80)
    assert run.clock.pauses == ()
