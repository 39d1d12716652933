"""Scrollable cursors."""

from __future__ import annotations

import oracledb
import pytest

from support.stand_in import Schema


@pytest.fixture
def cursor(schema: Schema) -> oracledb.Cursor:
    plain = schema.connection.cursor()
    plain.execute("create table t (a number, note clob)")
    plain.executemany("insert into t values (:1, :2)", [(n, f"note {n}") for n in range(1, 2501)])
    schema.connection.commit()
    return schema.connection.cursor(scrollable=True)


def test_scrolling(cursor: oracledb.Cursor) -> None:
    cursor.arraysize = 7
    cursor.execute("select a from t where a > :1 order by a", [0])

    def after(position: int = 0, mode: str = "relative") -> tuple[int, int]:
        cursor.scroll(position, mode)
        (value,) = cursor.fetchone()
        return value, cursor.rowcount

    assert after(mode="last") == (2500, 2500)
    assert after(mode="first") == (1, 1)
    assert after(1500, "absolute") == (1500, 1500)
    assert after(700) == (2200, 2200)
    assert after(-2100) == (100, 100)
    with pytest.raises(oracledb.ProgrammingError, match="DPY-2063"):
        cursor.scroll(2501, "absolute")
    cursor.scroll(2491, "absolute")
    assert [value for (value,) in cursor] == list(range(2491, 2501))


def test_rows_are_those_of_the_execution(schema: Schema, cursor: oracledb.Cursor) -> None:
    cursor.execute("select a from t order by a")
    schema.connection.cursor().execute("delete from t where a > 10")
    cursor.scroll(mode="last")
    assert cursor.fetchone() == (2500,)
    cursor.execute("select a from t order by a")
    cursor.scroll(mode="last")
    assert cursor.fetchone() == (10,)
    cursor.execute("select a from t where a < 0")
    cursor.scroll(mode="last")
    assert cursor.fetchall() == []


def test_lobs(cursor: oracledb.Cursor, monkeypatch: pytest.MonkeyPatch) -> None:
    cursor.execute("select a, note from t order by a")
    cursor.scroll(2000, "absolute")
    assert cursor.fetchone()[1].read() == "note 2000"
    cursor.scroll(mode="first")
    assert cursor.fetchone()[1].read() == "note 1"
    with pytest.raises(oracledb.DatabaseError, match="ORA-03001"):
        cursor.execute("select a, note from t for update")
