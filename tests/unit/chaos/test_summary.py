"""A run of random faults is told by what has struck, and fails where little has."""

from __future__ import annotations

import pytest

from support.chaos.plan import Fault, Kind, Moment
from support.chaos.summary import shortcoming, summary
from support.chaos.trial import Outcome

FAULT = Fault(Kind.LOCK_TABLE, Moment("statement target", 5), "target", 3.0)


def outcome(number: int, *struck: bool, violation: str = "") -> Outcome:
    return Outcome(number, (FAULT,) * len(struck), struck, 0, 1, 90.0, violation)


@pytest.mark.parametrize(
    ("outcomes", "why"),
    [
        ([outcome(1, True)], ""),
        ([outcome(1, True), outcome(2, False)], ""),
        ([outcome(1, True, False, False), outcome(2, True)], ""),
        ([outcome(1, False)], "only 0 of 1 planned faults have struck"),
        ([outcome(1, True), outcome(2, False, False)], "only 1 of 3 planned faults have struck"),
        ([outcome(1, True), outcome(2, True, violation="lost a row")], "a rule was broken in refresh 2"),
    ],
)
def test_a_run_fails_by_a_broken_rule_or_for_want_of_faults(outcomes: list[Outcome], why: str) -> None:
    assert shortcoming(outcomes) == why


def test_a_refresh_that_was_not_struck_is_not_counted_as_tried() -> None:
    told = summary(7, [outcome(1, True, True), outcome(2, False), outcome(3, True, violation="lost a row")])
    assert "3 refreshes; 1 were struck and ended as they must, 1 were not struck, 1 broke a rule" in told
    assert "3 of 4 planned faults have struck; 0 clears by hand" in told
    assert f"   3 {Kind.LOCK_TABLE}" in told
    assert "failed: a rule was broken in refresh 3" in told
