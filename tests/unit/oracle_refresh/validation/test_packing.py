"""Hashes of a row in the bytes of few values: where each lies, and how many values there are."""

from __future__ import annotations

import pytest
import sqlglot

from oracle_refresh.validation.packing import MOST_DIGITS, Field, packed


def test_fields_follow_each_other() -> None:
    fields = [Field.hashed("K", 20, "K"), Field.text("M1", 2, "M1"), Field.number("B1", 4, "B1")]
    (pack,) = packed(fields)
    assert [(each.name, each.start, each.digits) for each in pack.fields] == [
        ("K", 1, 20),
        ("M1", 21, 2),
        ("B1", 23, 4),
    ]
    assert pack.size == 13
    assert pack.fields[1].read("P1") == "SUBSTR(RAWTOHEX(P1), 21, 2)"


@pytest.mark.parametrize(("count", "packs"), [(1, 1), (190, 1), (191, 2), (1000, 6)])
def test_no_value_is_larger_than_a_raw_in_sql(count: int, packs: int) -> None:
    found = packed(Field.hashed(f"H{number}", 20, f"H{number}") for number in range(count))
    assert len(found) == packs
    assert [pack.name for pack in found] == [f"P{number}" for number in range(1, packs + 1)]
    assert all(2 * pack.size <= MOST_DIGITS for pack in found)
    assert [each.name for pack in found for each in pack.fields] == [f"H{number}" for number in range(count)]


def test_packs_parse_as_oracle() -> None:
    (pack,) = packed([Field.zeros("K", 20), Field.hashed("R", 30, "R"), Field.number("B1", 4, "B1")])
    read = ", ".join(each.read(pack.name) for each in pack.fields)
    for sql in (f"SELECT {pack.sql} FROM T", f"SELECT {read} FROM T"):
        assert sqlglot.parse_one(sql, read="oracle")
