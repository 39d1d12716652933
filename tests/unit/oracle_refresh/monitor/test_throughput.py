"""Bytes over time: none is lost, none is counted twice."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_refresh.monitor.sizes import sizes
from oracle_refresh.monitor.throughput import MOST_BINS, throughput
from support.watched_runs import a_plan, a_run, a_try, exported

SPANS = st.lists(
    st.tuples(st.floats(0, 5000), st.floats(0, 3000), st.integers(1, 10**9)), min_size=1, max_size=20
)


@given(SPANS)
def test_the_area_under_the_curve_is_what_was_moved(spans: list[tuple[float, float, int]]) -> None:
    tries = [a_try("shard.export", index, start, start + took, item=f"S{index}") for index, (start, took, _)
             in enumerate(spans)]  # fmt: skip
    results = {("shard.export", index): exported(size) for index, (_, _, size) in enumerate(spans)}
    run = a_run(*tries, now=9000, results=results)
    found = throughput(run, sizes(run, None))
    moved = sum(size for _, _, size in spans)
    assert sum(found.rates["export"]) * found.bin_seconds == pytest.approx(moved)
    assert found.total == {"export": moved, "stage": 0, "load": 0}
    assert len(found.rates["export"]) <= MOST_BINS + 1
    assert found.start == pytest.approx(min(start for start, _, _ in spans), abs=1e-4)


def test_what_is_at_work_counts_as_far_as_it_says_and_what_failed_not_at_all() -> None:
    run = a_run(
        a_try("shard.export", 0, 0, 10, item="S0"),
        a_try("shard.stage", 0, 10, item="S0"),
        a_try("shard.export", 1, 0, 10, "failed", item="S1"),
        now=20,
        results={("shard.export", 0): exported(1000)},
        progress={("shard.stage", 0): {"percent": 25.0}},
    )
    found = throughput(run, sizes(run, a_plan({"S1": (500, ("APP.T",))})))
    assert found.total == {"export": 1000, "stage": 250, "load": 0}


def test_nothing_moved_yet() -> None:
    found = throughput(a_run(a_try("plan", -1, 0, 1)), sizes(a_run(), None))
    assert (found.start, found.rates) == (None, {})
