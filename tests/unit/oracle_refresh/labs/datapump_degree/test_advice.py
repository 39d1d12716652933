"""What a recommendation is made of."""

from __future__ import annotations

from oracle_refresh.labs.datapump_degree.advice import best
from oracle_refresh.labs.datapump_degree.model import Measurement


def test_the_fastest_repeat_counts() -> None:
    runs = [
        Measurement(20.0, 1, 1, 8, 1, 8),
        Measurement(15.0, 1, 1, 8, 2, 8),
        Measurement(30.0, 1, 1, 4, 1, 4),
    ]
    assert best(runs) == {8: 15.0, 4: 30.0}
