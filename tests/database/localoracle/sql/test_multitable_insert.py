"""INSERT ALL and INSERT FIRST."""

from __future__ import annotations

import oracledb
import pytest

from support.rulings import Ruling
from support.stand_in import Schema

SOURCE = "sqlrf INSERT, multi_table_insert"
TABLES = ("CREATE TABLE A (N NUMBER, V VARCHAR2(9))", "CREATE TABLE B (N NUMBER PRIMARY KEY)")
THREE = "SELECT LEVEL L FROM DUAL CONNECT BY LEVEL <= 3"

RULINGS = [
    Ruling("INSERT ALL INTO A VALUES (1, 'x') SELECT * FROM DUAL", "", SOURCE, TABLES),
    Ruling("INSERT ALL INTO A VALUES (1, 'x')", "ORA-00928", SOURCE, TABLES),
    Ruling("INSERT ALL SELECT * FROM DUAL", "ORA-00925", SOURCE, TABLES),
    Ruling("INSERT FIRST INTO B VALUES (1) SELECT * FROM DUAL", "ORA-00905", SOURCE, TABLES),
    Ruling("INSERT ALL WHEN 1 = 1 INTO B VALUES (1) SELECT * FROM DUAL", "ORA-00905", SOURCE, TABLES),
    Ruling("INSERT ALL INTO B SELECT 1, 2 FROM DUAL", "ORA-00913", SOURCE, TABLES),
    Ruling("INSERT ALL INTO A (N, N) VALUES (1, 2) SELECT * FROM DUAL", "ORA-00957", SOURCE, TABLES),
    Ruling("INSERT ALL INTO B VALUES (X) SELECT * FROM DUAL", "ORA-00904", SOURCE, TABLES),
    Ruling("INSERT ALL INTO NOTHERE VALUES (1) SELECT * FROM DUAL", "ORA-00942", SOURCE, TABLES),
    Ruling("INSERT ALL INTO B VALUES (S.NEXTVAL) SELECT * FROM DUAL", "ORA-03001", "the stand-in", TABLES),
    Ruling("INSERT ALL INTO B VALUES (DEFAULT) SELECT * FROM DUAL", "ORA-03001", "the stand-in", TABLES),
]


@pytest.mark.parametrize("ruling", RULINGS, ids=str)
def test_a_statement_is_judged_as_documented(schema: Schema, ruling: Ruling) -> None:
    ruling.hold(schema.connection)


@pytest.fixture
def cursor(schema: Schema) -> oracledb.Cursor:
    cursor = schema.connection.cursor()
    for table in TABLES:
        cursor.execute(table)
    return cursor


def _rows(cursor: oracledb.Cursor) -> tuple[list[object], list[object]]:
    return tuple(  # type: ignore[return-value]
        [row[0] for row in cursor.execute(f"SELECT N FROM {table} ORDER BY N").fetchall()] for table in "AB"
    )


@pytest.mark.parametrize(
    ("clauses", "in_a", "in_b"),
    [
        ("ALL INTO A (N) VALUES (L) INTO A (N) VALUES (L * 10) INTO B", [1, 2, 3, 10, 20, 30], [1, 2, 3]),
        (
            "ALL WHEN L > 1 THEN INTO A (N) VALUES (L) WHEN L > 2 THEN INTO B (N) VALUES (L)"
            " ELSE INTO B VALUES (-L)",
            [2, 3],
            [-1, 3],
        ),
        ("WHEN L = 1 THEN INTO B VALUES (L)", [], [1]),
        ("FIRST WHEN L > 2 THEN INTO B WHEN L > 1 THEN INTO A (N) ELSE INTO A (N) VALUES (0)", [0, 2], [3]),
        ("FIRST WHEN NULL > 1 THEN INTO B WHEN L > 2 THEN INTO A (N)", [3], []),
    ],
)
def test_rows_go_where_the_conditions_send_them(
    cursor: oracledb.Cursor, clauses: str, in_a: list[int], in_b: list[int]
) -> None:
    cursor.execute(f"INSERT {clauses} {THREE}")
    assert cursor.rowcount == len(in_a) + len(in_b)
    assert _rows(cursor) == (in_a, in_b)


def test_values_of_several_types_for_one_table(cursor: oracledb.Cursor) -> None:
    cursor.execute(
        "INSERT ALL INTO A VALUES (:1, :2) INTO A VALUES (:3, :4) SELECT * FROM DUAL", [1, None, None, "x"]
    )
    assert cursor.execute("SELECT * FROM A ORDER BY 1").fetchall() == [(1, None), (None, "x")]


def test_binds_and_many_executions(cursor: oracledb.Cursor) -> None:
    cursor.executemany(
        "INSERT ALL INTO A (N, V) VALUES (:1, :2) INTO B (N) VALUES (:3) SELECT * FROM DUAL",
        [(1, "x", 10), (2, None, 20)],
    )
    assert cursor.rowcount == 4
    assert _rows(cursor) == ([1, 2], [10, 20])


def test_all_or_nothing(cursor: oracledb.Cursor) -> None:
    with pytest.raises(oracledb.DatabaseError, match="ORA-00001"):
        cursor.execute(f"INSERT ALL INTO A (N) VALUES (L) INTO B VALUES (1) {THREE}")
    assert _rows(cursor) == ([], [])
