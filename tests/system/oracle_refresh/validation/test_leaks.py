"""Tables that are hard to prove, with one leaked or spoiled value at a time: every key is masked, or there
is none; rules with conditions, long documents, free text, parts of values, dates that move together."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest

from oracle_refresh.masking import MasterKey
from oracle_refresh.validation import TableCheck
from support import leaking
from support.comparing import passes
from support.leaking import ROWS, Change, Leaking
from support.samples import SECRET


def original(before: Any, after: Any) -> Any:
    return before


def changed(value: Any) -> Change:
    return lambda before, after: value


def require_broken(check: TableCheck, complaint: str) -> None:
    assert check.verdict == "different"
    assert complaint in "; ".join(check.differences)


# -- every column is masked, the keys too ------------


@pytest.fixture(scope="module", params=["masked key", "content"])
def suppliers(request: Any, module_schema: Any) -> Iterator[Leaking]:
    yield from leaking.suppliers(module_schema, keyed=request.param == "masked key")


def test_rows_are_found_by_what_their_key_was_masked_to(suppliers: Leaking) -> None:
    check = suppliers.verify()
    assert (check.verdict, check.differences) == ("masked", ())
    assert check.found_by == ("masked key" if suppliers.table.constraints else "content")
    assert {each.compared for each in check.masked} == {ROWS}
    assert {each.changed_share for each in check.masked if each.column != "NAME"} == {1.0}
    assert TableCheck.from_json(check.to_json()) == check


def test_without_the_masking_key_nothing_pairs_them(suppliers: Leaking) -> None:
    check = suppliers.verify(None)
    assert (check.verdict, check.found_by) == ("masked", "content")
    assert {each.compared for each in check.masked} == {0}


@pytest.mark.parametrize("column", ["CODE", "EMAIL", "SINCE", "NR"])
def test_one_leaked_value_of_a_table_whose_keys_are_masked(suppliers: Leaking, column: str) -> None:
    check = suppliers.spoiled((column, original, 5))
    if column == "CODE" or not suppliers.table.constraints:
        rows = "1 rows are" if suppliers.table.constraints else "some rows are"
        require_broken(check, f"{rows} not what the key and the rules make of any row of the source")
    else:
        require_broken(check, f"{column}: 1 of {ROWS} compared values are the originals")


def test_a_lost_row_and_one_that_came_twice(suppliers: Leaking) -> None:
    """As many rows as before; formats and lists say nothing, totals alone would not either."""
    check = suppliers.deleted(11)
    assert check.verdict == "different"
    assert check.rows_source == check.rows_target == ROWS


def test_another_masking_key_is_told_apart(suppliers: Leaking) -> None:
    check = suppliers.verify(MasterKey(SECRET[::-1]))
    require_broken(check, "not what the key and the rules make of any row of the source")


# -- rules with conditions, documents, free text, parts, dates of one subject ------------


@pytest.fixture(scope="module")
def papers(module_schema: Any) -> Iterator[Leaking]:
    yield from leaking.papers(module_schema)


def test_what_was_masked_right_passes(papers: Leaking) -> None:
    check = papers.verify()
    assert (check.verdict, check.differences, check.found_by) == ("masked", (), "key")
    found = {each.column: each for each in check.masked}
    assert (found["TAX"].misfits, found["TAX"].leaked, found["TAX"].compared) == (0, 0, 45)
    assert found["TAX"].distinct == found["TAX"].distinct_source == 7
    assert (found["LETTER"].misfits, found["SCAN"].misfits, found["REMARK"].misfits) == (0, 0, 0)
    assert found["SHORT"].allowed == ROWS / 5
    assert (found["NUMBER_"].allowed, found["NUMBER_"].changed_share) == (0, 1.0)
    assert found["BORN"].apart == found["DIED"].apart == 0
    assert found["BORN"].years == (1959, 1976)


DE, ES, XX = 8, 9, 10
"""Rows of each country that the masked `COUNTRY` does not tell any more."""


WRONG: tuple[tuple[str, int, Change, str], ...] = (
    ("TAX", DE, original, "TAX: 1 of 45 compared values are the originals"),
    ("TAX", DE, changed("86095742718"), "TAX: 1 values are not of the rule's format or list"),
    ("TAX", ES, changed("86095742719"), "TAX: 1 values are not of the rule's format or list"),
    ("TAX", XX, changed("6@corp.com"), "TAX: 1 values are originals of the source"),
    ("LETTER", 4, original, "LETTER: 1 of 59 compared values are the originals"),
    ("LETTER", 4, lambda a, b: b[:-1] + "!", "LETTER: 1 values are not of the rule's format or list"),
    ("LETTER", 4, lambda a, b: b[:1000] + a[1000:], "LETTER: 1 values are not of the rule's format"),
    ("SCAN", 4, original, "SCAN: 1 of 53 compared values are the originals"),
    ("SCAN", 4, lambda a, b: a + b"\0", "SCAN: 1 values are not of the rule's format or list"),
    ("SCAN", 4, lambda a, b: b + a[-10:], "SCAN: 1 values are not of the rule's format or list"),
    ("REMARK", 4, original, "REMARK: 1 values are not of the rule's format or list"),
    ("REMARK", 4, lambda a, b: b + " Peter", "REMARK: 1 values are not of the rule's format or list"),
    ("SHORT", 4, lambda a, b: "thank * Anna", "SHORT: 1 values are not of the rule's format or list"),
    ("NUMBER_", 4, original, "NUMBER_: 1 of 60 compared values are the originals"),
    ("BORN", 3, original, "BORN: 1 of 60 compared values are the originals"),
    ("BORN", 3, lambda a, b: a + (timedelta(2) if b - a != timedelta(2) else timedelta(3)),
     "BORN: the dates of 1 subjects did not move together"),
    ("ID", 4, changed(4444), "columns outside LOBs and masks differ in some rows"),
)  # fmt: skip
#: A row of another ID is compared with none.
PASSES = passes([column for column, *_ in WRONG], alone="ID")


@pytest.fixture(scope="module")
def compared(papers: Leaking) -> Callable[[int], TableCheck]:
    """Compares a pass with all of its wrong values, once."""

    @functools.cache
    def compared(number: int) -> TableCheck:
        wrong = [each for each, its in zip(WRONG, PASSES, strict=True) if its == number]
        return papers.spoiled(*((column, change, row) for column, row, change, _ in wrong))

    return compared


@pytest.mark.parametrize("place", range(len(WRONG)), ids=[each[3] for each in WRONG])
def test_proof_of_one_leaked_or_spoiled_value_fails(
    compared: Callable[[int], TableCheck], place: int
) -> None:
    require_broken(compared(PASSES[place]), WRONG[place][3])
