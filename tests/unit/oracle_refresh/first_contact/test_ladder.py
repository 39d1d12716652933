"""Which steps are tried, and what errors become."""

from __future__ import annotations

from collections.abc import Callable

import oracledb
import pytest

from oracle_refresh.first_contact.ladder import Rung, StepResult, climb
from oracle_refresh.first_contact.model import Check, NotClimbed, Outcome, Step
from oracle_refresh.oracle.errors import PreflightError


def rung(number: int, outcome: Outcome = Outcome.PASSED, permission: str | None = None) -> Rung:
    return Rung(
        number,
        f"step {number}",
        lambda: ((Check("one", None, outcome),), {}),
        permission,
        "it changes a table",
    )


def raising(error: Exception) -> Callable[[], StepResult]:
    def climbs() -> StepResult:
        raise error

    return climbs


def test_a_step_is_tried_only_after_the_one_below_has_passed() -> None:
    first, second, third = climb([rung(1), rung(2, Outcome.FAILED), rung(3)], {"--write"})
    assert isinstance(first, Step)
    assert first.outcome is Outcome.PASSED
    assert isinstance(second, Step)
    assert second.outcome is Outcome.FAILED
    assert isinstance(third, NotClimbed)
    assert third.reason == "step 2 has failed"


def test_skipped_is_not_passed() -> None:
    _, second = climb([rung(1, Outcome.SKIPPED), rung(2)], {"--write"})
    assert isinstance(second, NotClimbed)
    assert second.reason == "step 1 has skipped"


def test_what_writes_waits_for_the_word() -> None:
    _, second, third = climb([rung(1), rung(2, permission="--write"), rung(3)], ())
    assert isinstance(second, NotClimbed)
    assert "--write" in second.remedy
    assert isinstance(third, NotClimbed)
    assert third.reason == "step 2 was not climbed"


def test_each_permission_is_its_own() -> None:
    first, second = climb([rung(1, permission="--write"), rung(2, permission="--refresh")], {"--write"})
    assert isinstance(first, Step)
    assert isinstance(second, NotClimbed)
    assert second.reason == "it changes a table, and nobody has said --refresh"


@pytest.mark.parametrize(
    ("error", "codes", "remedy"),
    [
        (PreflightError("no such user", codes=("ORA-01017",), remedy="ask"), ("ORA-01017",), "ask"),
        (oracledb.DatabaseError("ORA-01555: snapshot too old"), ("ORA-01555",), "UNDO_RETENTION"),
        (oracledb.DatabaseError("ORA-99999: never seen"), ("ORA-99999",), "bug report"),
    ],
)
def test_errors_are_failures_with_code_and_remedy(
    error: Exception, codes: tuple[str, ...], remedy: str
) -> None:
    (step,) = climb([Rung(1, "first", raising(error))], ())
    assert isinstance(step, Step)
    (check,) = step.checks
    assert check.outcome is Outcome.FAILED
    assert check.codes == codes
    assert remedy in (check.remedy or "")


def test_a_defect_is_not_hidden() -> None:
    with pytest.raises(KeyError):
        list(climb([Rung(1, "first", raising(KeyError("x")))], ()))
