"""Gains: taken from the baseline of their moment, with what they are worth, and in words."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_refresh.labs.harness.trial import Trial
from oracle_refresh.labs.masking.design import trials
from oracle_refresh.labs.masking.model import BASELINE
from oracle_refresh.labs.masking.ratios import STUDENT, baseline_at, gains, spread, verdict
from oracle_refresh.oracle.errors import PlanError
from support.masking_trials import measurement, measurements


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
    assert all(one.low <= one.saved <= one.high < 1 for one in found)


def test_the_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    numbers, truth, held, tried = random.Random(7), {"redo": 0.2, "undo": 0.0, "commit": 0.4}, 0, 0
    for _ in range(300):
        found = [
            measurement(
                one.number,
                one.setting,
                10 * (1 - truth.get(one.setting, 0)) * math.exp(numbers.gauss(0, 0.05)),
                trial=one,
            )
            for one in trials(list(truth), 3)
        ]
        for gain in gains(found):
            tried += 1
            held += gain.low <= truth[gain.setting] <= gain.high
    assert 0.9 < held / tried < 0.99


def test_without_a_later_baseline_the_last_one_counts() -> None:
    assert baseline_at(5, [(1, 10.0), (3, 20.0)]) == 20.0
    assert baseline_at(2, [(3, 20.0)]) == 20.0
    assert baseline_at(2, [(1, 10.0), (3, 20.0)]) == 15.0


def test_the_spread_is_pooled_over_all_that_was_measured_twice() -> None:
    assert spread({"redo": [0.1]}, [10.0]) is None
    known = spread({"redo": [0.1, 0.3], "undo": [0.5]}, [10.0])
    assert known is not None
    assert known.freedom == 1
    assert known.deviation == pytest.approx(math.sqrt(0.02))
    assert known.margin(4) == pytest.approx(12.706 * math.sqrt(0.02) / 2)
    many = spread({}, [10.0, 10.1] * 50)
    assert many is not None
    assert many.margin(1) == pytest.approx(STUDENT[-1] * many.deviation)


def test_the_first_trial_only_warms_up() -> None:
    cold = measurement(0, BASELINE, 99.0, trial=Trial(0, 0, BASELINE))
    (gain,) = gains([cold, *measurements((BASELINE, 10.0), ("redo", 5.0), (BASELINE, 10.0))])
    assert gain.saved == pytest.approx(0.5)


def test_one_disturbed_trial_makes_the_gain_uncertain() -> None:
    quiet = ((BASELINE, 10.0), ("undo", 8.0), (BASELINE, 10.1), ("undo", 8.1), (BASELINE, 10.0))
    (sure,) = gains(measurements(*quiet))
    (unsure,) = gains(measurements(*quiet, ("undo", 16.0), (BASELINE, 10.0)))
    assert sure.verdict.startswith("faster: saves ")
    assert unsure.verdict.startswith("no difference that stands out")
    assert unsure.seconds == 8.1
    assert unsure.rows_per_second == pytest.approx(10_000 / 8.1)


@pytest.mark.parametrize(
    ("setting", "seconds", "told"),
    [
        ("noarchivelog", 6.8, "faster: saves 32 % of the time; the study's 30 to 35 % is possible"),
        ("noarchivelog", 9.0, "faster: saves 10 % of the time; less than the study's 30 to 35 %"),
        ("noarchivelog", 2.0, "faster: saves 80 % of the time; more than the study's 30 to 35 %"),
        ("redo", 12.0, "slower: takes 20 % longer; less than the study's 20 %"),
        ("undo", 10.0, "no difference that stands out: it saves"),
        ("undo", 9.0, "the study claims none"),
        ("own_switch", 5.0, "faster: saves 50 % of the time"),
    ],
)
def test_verdicts(setting: str, seconds: float, told: str) -> None:
    (gain,) = gains(measurements((BASELINE, 10.0), (setting, seconds), (BASELINE, 10.0)))
    assert told in gain.verdict
    assert ("study" in gain.verdict) == (setting != "own_switch")


def test_too_few_trials_that_are_far_apart_say_nothing() -> None:
    (gain,) = gains(measurements((BASELINE, 12.0), ("redo", 10.0), (BASELINE, 17.0)))
    assert gain.verdict == "nothing can be said: so few trials are too far apart; measure more repetitions"


def test_a_range_is_told() -> None:
    assert verdict(0.2, 0.1, 0.3, True, None) == "faster: saves 10 to 30 % of the time"
    assert "saves -10 to 30 %" in verdict(0.1, -0.1, 0.3, True, None)
    assert verdict(-0.2, -0.3, -0.1, True, None) == "slower: takes 10 to 30 % longer"


def test_nothing_measured_twice_tells_nothing() -> None:
    (gain,) = gains(measurements((BASELINE, 10.0), ("redo", 5.0)))
    assert gain.verdict.startswith("50 % less time, but nothing was measured twice")
    assert "is possible" in gain.verdict


def test_without_a_baseline_there_is_no_gain() -> None:
    with pytest.raises(PlanError, match="no trial of the baseline"):
        gains(measurements(("redo", 5.0)))
