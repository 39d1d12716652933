"""Ratios of `scale` are called by the sizes that they were measured at."""

from __future__ import annotations

import pytest

from benchmarks.scale import mask_rates


@pytest.mark.parametrize(
    ("points", "rates"),
    [
        (((1e6, 10.0), (1e7, 125.0)), {"mask_rate_1e7_over_1e6": 0.8}),
        (((1e5, 1.0), (1e6, 12.5)), {"mask_rate_of_most_rows_over_next": 0.8}),
        (((1e5, 1.0), (1e7, 125.0)), {"mask_rate_of_most_rows_over_next": 0.8}),
        (((1e6, 10.0), (2e6, 20.0)), {"mask_rate_of_most_rows_over_next": 1.0}),
    ],
)
def test_rates_are_called_by_their_sizes(points, rates):
    assert mask_rates(points) == pytest.approx(rates)
