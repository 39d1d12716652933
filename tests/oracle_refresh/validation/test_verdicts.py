from __future__ import annotations

from dataclasses import replace

import pytest

from oracle_refresh.errors import ValidationError
from oracle_refresh.validation.model import Facts, Sum, TableCheck
from oracle_refresh.validation.verdicts import judge_copy, judge_masked, read_facts, require
from support.samples import people

TABLE = people()
LOB = Sum("NOTE", 5, 100, "a-b")
FACTS = Facts(10, "1-2", (LOB,))
BEFORE = Facts(10, "1-2", (), (Sum("EMAIL", 8, 0, "3-4"),))
AFTER = Facts(10, "1-2", (), (Sum("EMAIL", 8, 0, "5-6"),))


def test_facts_are_read_in_the_order_of_the_statement() -> None:
    facts = read_facts([10, 255, 16, 5, 100, 10, 11, 8, 3, 4], ("NOTE",), ("EMAIL",))
    assert facts == Facts(10, "ff-10", (LOB,), (Sum("EMAIL", 8, 0, "3-4"),))


def test_an_equal_copy() -> None:
    check = judge_copy(TABLE, FACTS, FACTS, ("L",), 1.5)
    assert (check.verdict, check.differences, check.uncompared) == ("equal", (), ("L",))
    assert require(check) is check
    assert TableCheck.from_json(check.to_json()) == check


@pytest.mark.parametrize(
    ("other", "complaint"),
    [
        (replace(FACTS, rows=9), "10 rows, the target 9"),
        (replace(FACTS, checksum="1-3"), "differ in some rows"),
        (replace(FACTS, lobs=(replace(LOB, count=4),)), "NOTE: 5 LOBs"),
        (replace(FACTS, lobs=(replace(LOB, length=99),)), "4 of|5 of 99"),
        (replace(FACTS, lobs=(replace(LOB, checksum="a-c"),)), "contents of LOBs differ"),
    ],
)
def test_differences(other: Facts, complaint: str) -> None:
    check = judge_copy(TABLE, FACTS, other)
    assert check.verdict == "different"
    with pytest.raises(ValidationError, match=complaint):
        require(check)


def test_masked() -> None:
    prints = {"k1": ("x",), "k2": (None,), "k3": ("y",)}, {"k1": ("z",), "k2": (None,), "k4": ("y",)}
    check = judge_masked(TABLE, BEFORE, AFTER, prints)
    assert check.verdict == "masked"
    assert (check.masked[0].compared, check.masked[0].unchanged) == (1, 0)


def test_one_row_that_kept_its_value_is_found() -> None:
    prints = {"k1": ("x",), "k2": ("y",)}, {"k1": ("z",), "k2": ("y",)}
    check = judge_masked(TABLE, BEFORE, AFTER, prints)
    assert check.verdict == "different"
    assert "1 of 2 compared values are the originals" in check.differences[0]


@pytest.mark.parametrize(
    ("after", "complaint"),
    [
        (BEFORE, "the column is not masked"),
        (replace(AFTER, masked=(Sum("EMAIL", 7, 0, "5-6"),)), "7 values are not NULL, 8 are expected"),
        (replace(AFTER, checksum="9-9"), "differ in some rows"),
    ],
)
def test_wrong_masking(after: Facts, complaint: str) -> None:
    assert complaint in judge_masked(TABLE, BEFORE, after, None).differences[0]


def test_columns_redacted_to_null() -> None:
    empty = replace(AFTER, masked=(Sum("EMAIL", 0, 0, "0-0"),))
    assert judge_masked(TABLE, BEFORE, empty, None, frozenset({"EMAIL"})).verdict == "masked"
    assert judge_masked(TABLE, BEFORE, empty, None).verdict == "different"


def test_a_table_without_masks_stays_equal() -> None:
    assert judge_masked(TABLE, FACTS, FACTS, None).verdict == "equal"
