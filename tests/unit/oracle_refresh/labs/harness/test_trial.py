"""Trials, measurements, and the numbers that somebody chooses."""

from __future__ import annotations

import pytest

from oracle_refresh.labs.harness.trial import Measurement, Trial, whole_numbers
from oracle_refresh.oracle.errors import PlanError


def test_what_a_trial_is_called_and_what_it_took() -> None:
    assert Trial(7, 2, "all").id == "007 all"
    measured = Measurement(2.0, 10, 5_000)
    assert (measured.rows_per_second, measured.bytes_per_second) == (5.0, 2_500.0)
    assert Measurement(0.0, 0, 0).bytes_per_second == Measurement(0.0, 0, 0).rows_per_second == 0.0


@pytest.mark.parametrize(
    ("chosen", "numbers"),
    [("", ()), ("[]", ()), ("2, 4 8", (2, 4, 8)), ("[2, 4]", (2, 4)), ((8, 1), (8, 1)), ("4,", (4,))],
)
def test_numbers_that_are_chosen(chosen: str | tuple[int, ...], numbers: tuple[int, ...]) -> None:
    assert whole_numbers(chosen, step="s", kind=PlanError, least=1, most=8) == numbers
    if not numbers:
        with pytest.raises(PlanError, match="whole numbers"):
            whole_numbers(chosen, step="s", kind=PlanError, required=True)


@pytest.mark.parametrize("chosen", ["many", "1.5", "-1", "0", "9", "1; 2"])
def test_others_are_refused(chosen: str) -> None:
    with pytest.raises(PlanError, match="degrees are whole numbers from 1 to 8 such as 1, 4, 8; not"):
        whole_numbers(chosen, "degrees", step="s", kind=PlanError, least=1, most=8)
