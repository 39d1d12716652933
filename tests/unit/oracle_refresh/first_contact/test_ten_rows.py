"""Which tables the ladder takes its twenty rows of."""

from __future__ import annotations

from oracle_refresh.first_contact.ten_rows import LARGEST_BYTES, candidates
from support.planner_tables import MB, catalogue, table


def named(*tables: str) -> list[str]:
    return [f"APP.{name}" for name in tables]


def test_small_tables_with_rows_enough_and_the_smallest_first() -> None:
    made = catalogue(
        table("LARGE", LARGEST_BYTES + 1, rows=100),
        table("LOBS", MB, LARGEST_BYTES, rows=100),
        table("FEW", MB, rows=19),
        table("UNKNOWN", MB, rows=None),
        table("MIDDLE", 3 * MB, rows=20),
        table("SMALL", 2 * MB, rows=100),
    )
    assert [one.key for one in candidates(made)] == named("SMALL", "MIDDLE", "UNKNOWN")


def test_tables_that_are_no_plain_ones_are_not_taken() -> None:
    made = catalogue(
        table("IOT", MB, iot=True), table("TEMPORARY", MB, temporary=True), table("NOTES", MB, long=True)
    )
    assert candidates(made) == ()
