"""OFFSET and FETCH with any expression and with percentages."""

from __future__ import annotations

import oracledb
import pytest

from support.rulings import Ruling
from support.stand_in import Schema

SOURCE = "sqlrf SELECT, row_limiting_clause"
#: 1 to 5, and 5 again.
NUMBERS = "SELECT N FROM (SELECT LEVEL N FROM DUAL CONNECT BY LEVEL <= 5 UNION ALL SELECT 5 FROM DUAL)"

RULINGS = [
    Ruling("SELECT 1 FROM DUAL FETCH FIRST ROW ONLY", "", SOURCE),
    Ruling("SELECT 1 FROM DUAL OFFSET 0 ROW FETCH NEXT 1 ROW ONLY", "", SOURCE),
    Ruling("SELECT 1 FROM DUAL FETCH FIRST 5 ROWS", "ORA-00905", SOURCE),
    # FETCH is an alias of DUAL there.
    Ruling("SELECT 1 FROM DUAL FETCH 5 ROWS ONLY", "ORA-00933", SOURCE),
    Ruling("SELECT 1 FROM DUAL FETCH FIRST 50 PERCENT ONLY", "ORA-00905", SOURCE),
    Ruling("SELECT 1 FROM DUAL LIMIT 1", "ORA-00933", SOURCE),
]


@pytest.mark.parametrize("ruling", RULINGS, ids=str)
def test_a_clause_is_judged_as_documented(schema: Schema, ruling: Ruling) -> None:
    ruling.hold(schema.connection)


@pytest.mark.parametrize(
    ("clause", "left"),
    [
        ("FETCH FIRST 1 + 1 ROWS ONLY", [1, 2]),
        ("OFFSET 1 + 1 ROWS FETCH NEXT (2 * 1) ROWS ONLY", [3, 4]),
        ("FETCH FIRST 1.9 ROWS ONLY", [1]),
        ("FETCH FIRST -1 ROWS ONLY", []),
        ("FETCH FIRST NULL ROWS ONLY", []),
        ("OFFSET -1 ROWS FETCH FIRST 1 ROWS ONLY", [1]),
        ("OFFSET 3.9 ROWS", [4, 5, 5]),
        ("OFFSET NULL ROWS", []),
        ("FETCH FIRST 50 PERCENT ROWS ONLY", [1, 2, 3]),
        ("FETCH FIRST 51 PERCENT ROWS ONLY", [1, 2, 3, 4]),
        ("OFFSET 1 ROWS FETCH FIRST 50 PERCENT ROWS ONLY", [2, 3, 4]),
        ("FETCH FIRST 83 PERCENT ROWS WITH TIES", [1, 2, 3, 4, 5, 5]),
        ("FETCH FIRST 0 PERCENT ROWS ONLY", []),
        ("FETCH FIRST -5 PERCENT ROWS ONLY", []),
        ("FETCH FIRST 200 PERCENT ROWS ONLY", [1, 2, 3, 4, 5, 5]),
    ],
)
def test_rows_left(schema: Schema, clause: str, left: list[int]) -> None:
    found = schema.connection.cursor().execute(f"{NUMBERS} ORDER BY N {clause}").fetchall()
    assert [number for (number,) in found] == left


@pytest.mark.parametrize("bound", [2, "2", 2.5])
def test_binds_are_counts(schema: Schema, bound: object) -> None:
    cursor = schema.connection.cursor()
    cursor.execute(f"{NUMBERS} ORDER BY N OFFSET :1 ROWS FETCH FIRST :2 * 2 ROWS ONLY", [bound, bound])
    assert [number for (number,) in cursor] == [3, 4, 5, 5]


def test_a_percentage_is_of_the_groups_of_a_grouped_query(schema: Schema) -> None:
    query = (
        f"SELECT N, COUNT(*) FROM ({NUMBERS}) GROUP BY N ORDER BY 2 DESC, 1 FETCH FIRST 40 PERCENT ROWS ONLY"
    )
    assert schema.connection.cursor().execute(query).fetchall() == [(5, 2), (1, 1)]


def test_a_percentage_with_binds_in_the_query(schema: Schema) -> None:
    query = f"WITH C AS ({NUMBERS}) SELECT N FROM C WHERE N > :1 ORDER BY N FETCH FIRST :2 PERCENT ROWS ONLY"
    assert schema.connection.cursor().execute(query, [1, 40]).fetchall() == [(2,), (3,)]


def test_a_count_that_is_no_number(schema: Schema) -> None:
    with pytest.raises(oracledb.DatabaseError):
        schema.connection.cursor().execute(f"{NUMBERS} FETCH FIRST 'x' ROWS ONLY").fetchall()
