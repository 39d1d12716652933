"""Rates: what a run measured, and what the next plan makes of several."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_refresh.catalog.limits import Limits
from oracle_refresh.catalog.rates import LOOK_BACK, Rates, RunRates, combine
from oracle_refresh.plan import Plan, build_plan
from oracle_refresh.plan.measured import LEAST, measure, weighted_median
from oracle_refresh.plan.model import Scheme
from oracle_refresh.plan.pace import WIDEST, Pace
from support.planner_tables import FROZEN, MB, catalogue, definition, table

SCHEMES: tuple[Scheme, ...] = get_args(Scheme)
TABLES = (
    *(table(f"SMALL{number}", 10 * MB) for number in range(20)),
    table("LOBS", 10 * MB, 800 * MB),
)


def made(run_id: str = "r1", rates: Rates | None = None) -> Plan:
    return build_plan(catalogue(*TABLES), definition(degree=8), Limits(2, rates=rates), FROZEN, run_id)


def seconds_at(plan: Plan, **rate: float) -> dict[str, float]:
    """How long each export takes when each worker carries so many bytes a second, by scheme."""
    return {job.id: job.estimate_bytes / job.parallel / rate[job.scheme] for job in plan.jobs}


def run_rates(run_id: str, rate: float, **fields: object) -> RunRates:
    return replace(RunRates(run_id, "SOURCE", "dump_files", 1000, rate), **fields)  # type: ignore[arg-type]


def test_a_run_tells_what_each_scheme_gave() -> None:
    plan = made()
    loads = {job.id: job.estimate_bytes / job.parallel / (2.0 * MB) for job in plan.jobs}
    exports = seconds_at(plan, bulk=8.0 * MB, rowid_block_modulo=4.0 * MB)
    found = measure(plan, "SOURCE", "dump_files", exports, loads, held_seconds=100)
    assert found is not None
    assert found.by_scheme == pytest.approx({"bulk": 8 * MB, "rowid_block_modulo": 4 * MB})
    assert found.export_bytes_per_second == pytest.approx(4 * MB), "most bytes went at that rate"
    assert found.load_bytes_per_second == pytest.approx(2 * MB)
    assert found.held_bytes_per_second == pytest.approx(plan.total_bytes / 100)
    assert RunRates.from_json(found.to_json()) == found


def test_what_was_measured_is_what_the_next_plan_expects() -> None:
    plan = made()
    exports = seconds_at(plan, bulk=8.0 * MB, rowid_block_modulo=4.0 * MB)
    found = measure(plan, "SOURCE", "dump_files", exports, {})
    assert found is not None
    again = made("r2", combine([found], "SOURCE", "dump_files"))
    truly = seconds_at(again, bulk=8.0 * MB, rowid_block_modulo=4.0 * MB)
    for job in again.shards:
        assert job.expected_seconds == pytest.approx(truly[job.id])
    assert again.rates is not None
    assert again.rates.runs == ("r1",)


def test_one_job_held_up_and_tiny_jobs_change_little() -> None:
    plan = made()
    exports = seconds_at(plan, bulk=8.0 * MB, rowid_block_modulo=4.0 * MB)
    exports[plan.shards[0].id] *= 100
    found = measure(plan, "SOURCE", "dump_files", exports, {})
    assert found is not None
    assert found.by_scheme["rowid_block_modulo"] == pytest.approx(4 * MB)
    tiny = weighted_median([(4.0 * MB, 100 * MB), *[(1000.0, 5000)] * 500])
    assert tiny == pytest.approx(4 * MB)


def test_too_little_tells_nothing() -> None:
    plan = made()
    assert measure(plan, "SOURCE", "dump_files", {}, {}) is None
    assert (
        measure(
            plan,
            "SOURCE",
            "dump_files",
            dict.fromkeys(seconds_at(plan, bulk=1, rowid_block_modulo=1), 0.0),
            {},
        )
        is None
    )
    assert weighted_median([(5.0, LEAST - 1)]) is None
    assert weighted_median([]) is None


def test_the_median_of_the_latest_runs_of_this_source_counts() -> None:
    runs = [
        run_rates(f"r{number}", float(number), load_bytes_per_second=2.0 * number)
        for number in range(9, 0, -1)
    ]
    found = combine(runs, "SOURCE", "dump_files")
    assert found is not None
    assert found.runs == ("r9", "r8", "r7", "r6", "r5")
    assert len(found.runs) == LOOK_BACK
    assert (found.export_bytes_per_second, found.load_bytes_per_second) == (7.0, 14.0)
    assert found.held_bytes_per_second is None
    assert combine(runs, "OTHER", "dump_files") is None
    assert combine(runs, "SOURCE", "network_link") is None
    assert combine([], "SOURCE", "dump_files") is None


def test_a_scheme_that_was_not_seen_is_taken_for_those_that_cut() -> None:
    rates = Rates(("r1",), 10.0, {"bulk": 20.0, "rowid_range": 4.0, "ora_hash": 6.0})
    assert [rates.of(name) for name in ("bulk", "ora_hash", "partition", "whole_table")] == [20, 6, 5, 5]
    assert Rates(("r1",), 10.0, {"bulk": 20.0}).of("partition") == 10
    assert Rates(("r1",), 10.0).of("bulk") == 10


@given(
    st.floats(1, 1e12),
    st.dictionaries(st.sampled_from(SCHEMES), st.floats(1, 1e12)),
    st.integers(1, 10**13),
)
def test_no_measurement_makes_work_vanish_or_explode(
    average: float, by_scheme: dict[str, float], size: int
) -> None:
    pace = Pace(Rates(("r1",), average, by_scheme))
    for scheme in SCHEMES:
        work = pace.work(size, scheme)
        assert max(1, size / WIDEST - 1) <= work <= size * WIDEST + 1
    assert Pace().work(size, "bulk") == size
