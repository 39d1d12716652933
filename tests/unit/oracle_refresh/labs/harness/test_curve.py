"""The curve and its knee: the study's own series, and series of every shape."""

from __future__ import annotations

import random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from oracle_refresh.labs.datapump_degree.reference import PUBLISHED
from oracle_refresh.labs.harness.curve import MISFIT, TOLERANCE, fit, predict, recommend
from oracle_refresh.oracle.errors import PlanError

DEGREES = (1, 2, 4, 8, 16, 32, 64)
some_degrees = st.lists(st.sampled_from(DEGREES), min_size=3, unique=True).map(sorted)


@pytest.mark.parametrize("tolerance", [0.01, 0.02, TOLERANCE, 0.1])
def test_the_series_of_the_study_yields_32(tolerance: float) -> None:
    curve = recommend(PUBLISHED, tolerance)
    assert curve.knee == 32
    assert curve.misfit < 0.06
    assert predict(curve.coefficients, 64) > predict(curve.coefficients, 32), "contention is seen"


def test_with_the_unit_of_the_study_changed_the_knee_stays() -> None:
    assert recommend({n: 1000 * seconds for n, seconds in PUBLISHED.items()}).knee == 32
    assert recommend({n: seconds / 1000 for n, seconds in PUBLISHED.items()}).knee == 32


@given(some_degrees, st.floats(0.01, 1e6), st.floats(1.3, 3))
def test_where_every_step_brings_something_the_largest_is_taken(
    degrees: list[int], longest: float, step: float
) -> None:
    series = {degree: longest / step**number for number, degree in enumerate(degrees)}
    assert recommend(series).knee == degrees[-1]


@given(some_degrees, st.floats(0.01, 1e6), st.lists(st.floats(-0.01, 0.01), min_size=7, max_size=7))
def test_where_nothing_is_gained_the_smallest_is_taken(
    degrees: list[int], seconds: float, noise: list[float]
) -> None:
    series = {degree: seconds * (1 + noise[number]) for number, degree in enumerate(degrees)}
    assert recommend(series).knee == degrees[0]


@given(some_degrees, st.floats(0.01, 1e6), st.floats(1.2, 3))
def test_where_more_workers_only_hurt_the_smallest_is_taken(
    degrees: list[int], shortest: float, step: float
) -> None:
    series = {degree: shortest * step**number for number, degree in enumerate(degrees)}
    assert recommend(series).knee == degrees[0]


@given(st.floats(0, 1e3), st.floats(0.1, 1e4), st.floats(0, 10), st.integers(0, 2**32))
def test_noise_costs_no_more_than_noise(a: float, b: float, c: float, seed: int) -> None:
    """Whatever curve it is: what is recommended under 4 % of noise is hardly slower than the best."""
    chance = random.Random(seed)
    true = {n: predict((a, b, c), n) for n in DEGREES}
    noisy = {n: seconds * (1 + chance.uniform(-0.04, 0.04)) for n, seconds in true.items()}
    curve = recommend(noisy)
    assert true[curve.knee] <= min(true.values()) * (1 + TOLERANCE) * 1.09
    assert curve.misfit <= MISFIT, "the curve is of the model's family"
    exact = recommend(true).knee
    smaller = [n for n in DEGREES if n < exact and true[n] > min(true.values()) * 1.25]
    assert curve.knee not in smaller


@given(st.dictionaries(st.sampled_from(DEGREES), st.floats(0.001, 1e6), min_size=2))
def test_any_series_gives_a_measured_degree_near_the_best(series: dict[int, float]) -> None:
    curve = recommend(series)
    assert curve.knee in series
    if curve.misfit > MISFIT:
        assert series[curve.knee] <= min(series.values()) * (1 + TOLERANCE) * 1.000001
    else:
        assert series[curve.knee] <= min(series.values()) * (1 + TOLERANCE) * 1.25
    assert [point.degree for point in curve.points] == sorted(series)


@given(st.floats(0, 1e3), st.floats(0.1, 1e4), st.floats(0, 10))
def test_a_curve_of_the_family_is_found_again(a: float, b: float, c: float) -> None:
    assume(a + b + c > 0)
    series = {n: predict((a, b, c), n) for n in DEGREES}
    found = fit(series)
    assert min(found) >= 0
    for n, seconds in series.items():
        assert predict(found, n) == pytest.approx(seconds, rel=1e-3)


def test_two_degrees_are_enough_for_an_answer() -> None:
    assert recommend({4: 10.0, 8: 5.0}).knee == 8
    assert recommend({4: 10.0, 8: 10.0}).knee == 4
    assert recommend({4: 10.0, 8: 12.0}).knee == 4


@pytest.mark.parametrize("series", [{}, {8: 100.0}])
def test_fewer_than_two_are_refused(series: dict[int, float]) -> None:
    with pytest.raises(PlanError, match=f"{len(series)} degrees were measured"):
        recommend(series)


@pytest.mark.parametrize("series", [{0: 1.0, 2: 1.0}, {1: 0.0, 2: 1.0}, {1: -5.0, 2: 1.0}])
def test_nonsense_is_refused(series: dict[int, float]) -> None:
    with pytest.raises(PlanError):
        recommend(series)


def test_the_reason_says_what_it_rests_on() -> None:
    assert "0.69*n" in recommend(PUBLISHED).reason
    odd = recommend({1: 10.0, 2: 100.0, 4: 3.0, 8: 50.0})
    assert odd.knee == 4
    assert "measured times" in odd.reason
