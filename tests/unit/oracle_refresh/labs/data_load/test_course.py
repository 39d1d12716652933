"""Means by seconds, and the course of many samples over the batches."""

from __future__ import annotations

from dataclasses import dataclass

from oracle_refresh.labs.data_load.course import MOST_SAMPLES, lines, mean, measured, placed
from oracle_refresh.labs.data_load.evidence import Loaded
from oracle_refresh.labs.data_load.model import BatchLoad, Chosen, DegreeTrial, Plan, Work


@dataclass(frozen=True)
class Sampled:
    began: float
    ended: float
    value: float | None


WORK = Work("SLOB_", "USERS", 2, 100, 0, "none", True, 50, 1)
CHOSEN = Chosen(1, "the only one", (DegreeTrial(1.0, 50, 1000, 1),))
LOAD = Loaded(
    Plan("run__1", "oracle_target", "DEMO 19", WORK, True),
    None,
    CHOSEN,
    (BatchLoad(1, 4.0, (), ()), BatchLoad(2, 6.0, (), ())),
)


def test_trials_come_before_batches() -> None:
    assert list(measured(LOAD)) == ["trial of degree 1", "batch 1", "batch 2"]


def test_a_mean_is_weighted_by_what_has_a_value() -> None:
    samples = [Sampled(0.0, 1.0, 8.0), Sampled(1.0, 4.0, 4.0), Sampled(4.0, 9.0, None)]
    assert mean(samples, lambda sample: sample.value) == 5.0
    assert mean(samples[2:], lambda sample: sample.value) is None
    assert mean([Sampled(1.0, 1.0, 3.0)], lambda sample: sample.value) is None


def test_samples_stand_where_their_batch_was_loaded() -> None:
    one = Sampled(0.0, 1.0, 1.0)
    course, selected = placed(LOAD, {"batch 1": (one,), "batch 2": (one,), "trial of degree 1": (one,)})
    assert [second for second, _ in course] == [1.0, 5.0]
    assert selected == ""


def test_of_very_many_samples_some_are_shown_and_the_page_says_so() -> None:
    many = tuple(Sampled(float(n), n + 1.0, 1.0) for n in range(2 * MOST_SAMPLES + 1))
    course, selected = placed(LOAD, {"batch 1": many})
    assert 0 < len(course) <= MOST_SAMPLES
    assert selected == " One of 3 samples is shown."
    assert placed(LOAD, {}) == ([], "")


def test_each_series_is_a_line() -> None:
    rows = [{"second": n, "series": name, "value": n} for n in (1.0, 2.0) for name in ("one", "two")]
    drawn = lines(rows, "percent")
    assert "<svg" in drawn
    assert "one" in drawn
    assert "percent" in drawn
