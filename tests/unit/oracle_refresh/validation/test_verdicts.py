from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from oracle_refresh.masking import ColumnRule
from oracle_refresh.masking.algorithms.keep import Keep
from oracle_refresh.masking.algorithms.null import Null
from oracle_refresh.masking.conditions import Condition
from oracle_refresh.oracle.errors import ValidationError
from oracle_refresh.validation.model import Comparison, LobSummary, MaskedCheck, Summary, TableCheck
from oracle_refresh.validation.verdicts import copy_check, masked_check, read_summary, require
from support.samples import people, plain

TABLE = people()
LOB = LobSummary("NOTE", 5, 100, "a-b")
SUMMARY = Summary(10, "1-2", (LOB,))
CHECK = MaskedCheck("EMAIL", 8, 8, 0, 0, 0, 0, 0, 0, 0, 0, 8, 8, True)
EMPTIED = (ColumnRule("EMAIL", "null", None, Null()),)
EMPTIED_IN_PART = (
    replace(EMPTIED[0], where=Condition.parse("ID = 1")),
    ColumnRule("EMAIL", "keep", None, Keep()),
)


def test_a_summary_is_read_in_the_order_of_the_statement() -> None:
    summary = read_summary([10, 255, 16, 5, 100, 10, 11, 8, 3], ("NOTE",))
    assert summary == Summary(10, "ff-10", (LOB,), (8, 3))


def test_an_equal_copy() -> None:
    long = replace(TABLE, columns=(*TABLE.columns, plain("L", "LONG")))
    check = copy_check(long, SUMMARY, SUMMARY, seconds=1.5)
    assert (check.verdict, check.differences, check.uncompared) == ("equal", (), ("L",))
    assert check.seconds == 1.5
    assert require(check) is check
    assert TableCheck.from_json(check.to_json()) == check


@pytest.mark.parametrize(
    ("other", "complaint"),
    [
        (replace(SUMMARY, rows=9), "10 rows, the target 9"),
        (replace(SUMMARY, checksum="1-3"), "differ in some rows"),
        (replace(SUMMARY, lobs=(replace(LOB, count=4),)), "NOTE: 5 LOBs"),
        (replace(SUMMARY, lobs=(replace(LOB, length=99),)), "4 of|5 of 99"),
        (replace(SUMMARY, lobs=(replace(LOB, checksum="a-c"),)), "contents of LOBs differ"),
    ],
)
def test_differences(other: Summary, complaint: str) -> None:
    check = copy_check(TABLE, SUMMARY, other)
    assert check.verdict == "different"
    with pytest.raises(ValidationError, match=complaint):
        require(check)


def masked(
    *checks: MaskedCheck, rules: Sequence[ColumnRule] = (), target: Summary = SUMMARY, changed_rows: int = 0
) -> TableCheck:
    return masked_check(TABLE, rules, Comparison(SUMMARY, target, checks, changed_rows))


def test_masked() -> None:
    check = masked(CHECK)
    assert (check.verdict, check.differences) == ("masked", ())
    assert check.masked[0].changed_share == 1.0
    assert TableCheck.from_json(check.to_json()) == check
    assert MaskedCheck("C", 0, 0, 0).changed_share is None


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"unchanged": 1}, "EMAIL: 1 of 8 compared values are the originals"),
        ({"leaked": 2}, "EMAIL: 2 values are originals of the source"),
        ({"emptied": 1, "count": 7}, "EMAIL: 1 values became NULL"),
        ({"filled": 3}, "EMAIL: 3 NULLs became values"),
        ({"misfits": 1}, "EMAIL: 1 values are not of the rule's format or list"),
        ({"reshaped": 1}, "EMAIL: 1 values did not keep the shape that the rule keeps"),
        ({"shifted": 4}, "EMAIL: 4 dates did not move by the rule's days"),
        ({"distinct": 7}, "EMAIL: 7 distinct values, 8 are expected"),
        ({"totals_kept": False}, "EMAIL: the totals are not the source's"),
    ],
)
def test_wrong_masking(change: dict[str, Any], complaint: str) -> None:
    check = masked(replace(CHECK, **change))
    assert check.differences == (complaint,)
    with pytest.raises(ValidationError, match=r"APP\.PEOPLE"):
        require(check)


def test_values_that_may_stay_are_no_difference() -> None:
    kept = replace(CHECK, allowed=4)
    assert masked(kept).verdict == "masked"
    assert kept.changed_share == 0.5


def test_unmasked_columns_that_changed() -> None:
    other = replace(SUMMARY, checksum="9-9")
    assert masked(CHECK, target=other, changed_rows=3).differences == (
        "3 rows differ outside LOBs and masks",
    )
    assert "differ in some rows" in masked(CHECK, target=other).differences[0]


def test_columns_redacted_to_null() -> None:
    empty = replace(CHECK, count=0, compared=0, emptied=8)
    assert masked(empty, rules=EMPTIED).verdict == "masked"
    assert masked(empty, rules=EMPTIED_IN_PART).verdict == "masked"
    assert masked(empty).verdict == "different"
    some = replace(empty, count=1, emptied=7)
    assert masked(some, rules=EMPTIED).differences == ("EMAIL: 1 values are not NULL, 0 are expected",)


def test_a_table_without_masks_stays_equal() -> None:
    assert masked().verdict == "equal"
