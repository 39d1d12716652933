"""Gains: taken from the baseline of their moment, with what they are worth, and in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_refresh.errors import PlanError
from oracle_refresh.masking_benchmark.model import BASELINE
from oracle_refresh.masking_benchmark.ratios import baseline_at, gains, spread
from support.masking_trials import measurements


@given(
    st.floats(1, 1000),
    st.floats(-0.05, 0.05),
    st.lists(st.floats(-0.9, 0.9), min_size=1, max_size=8),
)
def test_a_steady_drift_is_taken_out(start: float, drift: float, saved: list[float]) -> None:
    names = [f"s{number}" for number in range(len(saved))]
    truth = dict(zip(names, saved, strict=True))
    found = gains(
        measurements(
            *(
                (name, start * (1 + drift * place) * (1 - truth.get(name, 0)))
                for place, name in enumerate([BASELINE, *names, BASELINE])
            )
        )
    )
    assert {one.setting: one.saved for one in found} == pytest.approx(truth, abs=1e-9)
    assert all(one.low <= one.saved <= one.high for one in found)


def test_without_a_later_baseline_the_last_one_counts() -> None:
    assert baseline_at(5, [(1, 10.0), (3, 20.0)]) == 20.0
    assert baseline_at(2, [(3, 20.0)]) == 20.0
    assert baseline_at(2, [(1, 10.0), (3, 20.0)]) == 15.0


def test_the_spread_of_the_baseline_bounds_what_is_known() -> None:
    assert spread([10.0]) is None
    assert spread([9.0, 10.0, 11.0]) == pytest.approx(0.2)
    (gain,) = gains(measurements((BASELINE, 9.0), ("redo", 9.0), (BASELINE, 11.0)))
    assert gain.saved == pytest.approx(0.1)
    assert (gain.low, gain.high) == (pytest.approx(-0.1), pytest.approx(0.3))
    assert "no difference that stands out" in gain.verdict


def test_repetitions_widen_the_range_and_their_middle_counts() -> None:
    (gain,) = gains(
        measurements(
            *((BASELINE, 10.0), ("undo", 8.0), (BASELINE, 10.0), ("undo", 5.0), (BASELINE, 10.0)),
            *(("undo", 7.0), (BASELINE, 10.0)),
        )
    )
    assert gain.trials == 3
    assert gain.saved == pytest.approx(0.3)
    assert (gain.low, gain.high) == (pytest.approx(0.2), pytest.approx(0.5))
    assert gain.seconds == 7.0
    assert gain.rows_per_second == pytest.approx(10_000 / 7)


@pytest.mark.parametrize(
    ("setting", "seconds", "told"),
    [
        ("noarchivelog", 6.8, "faster: 32 % of the time is saved; the study's 30 to 35 % cannot be told"),
        ("noarchivelog", 9.0, "faster: 10 % of the time is saved; less than the study's 30 to 35 %"),
        ("noarchivelog", 2.0, "faster: 80 % of the time is saved; more than the study's 30 to 35 %"),
        ("redo", 12.0, "slower: takes 20 % longer; less than the study's 20 %"),
        ("undo", 10.0, "no difference that stands out: trials of the baseline itself differ by 0 %"),
        ("undo", 9.0, "the study claims none"),
        ("own_switch", 5.0, "faster: 50 % of the time is saved"),
    ],
)
def test_verdicts(setting: str, seconds: float, told: str) -> None:
    (gain,) = gains(measurements((BASELINE, 10.0), (setting, seconds), (BASELINE, 10.0)))
    assert told in gain.verdict
    assert ("study" in gain.verdict) == (setting != "own_switch")


def test_one_baseline_cannot_tell_what_a_gain_is_worth() -> None:
    (gain,) = gains(measurements((BASELINE, 10.0), ("redo", 5.0)))
    assert gain.verdict.startswith("50 %, but one trial of the baseline cannot tell")
    assert "less" not in gain.verdict
    assert "more" not in gain.verdict


def test_without_a_baseline_there_is_no_gain() -> None:
    with pytest.raises(PlanError, match="no trial of the baseline"):
        gains(measurements(("redo", 5.0)))
