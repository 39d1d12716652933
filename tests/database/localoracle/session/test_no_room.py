"""Undo and temporary tablespaces that are set to be full."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import oracledb
import pytest

from support.stand_in import Schema, Server
from support.waiting import until

ROWS = 5_000


@contextmanager
def full(server: Server, tablespace: str) -> Iterator[None]:
    assert server.command("control", "fill-tablespace", tablespace).returncode == 0
    try:
        yield
    finally:
        assert server.command("control", "empty-tablespace", tablespace).returncode == 0


@pytest.fixture
def cursor(schema: Schema) -> oracledb.Cursor:
    cursor = schema.connection.cursor()
    cursor.execute("CREATE TABLE MANY (ID NUMBER PRIMARY KEY, FILLER VARCHAR2(200))")
    cursor.executemany("INSERT INTO MANY VALUES (:1, :2)", [(n, f"{n:0200d}") for n in range(ROWS)])
    schema.connection.commit()
    return cursor


def test_a_change_of_many_rows_needs_undo(oracle: Server, cursor: oracledb.Cursor) -> None:
    with full(oracle, "UNDOTBS1"):
        cursor.execute("UPDATE MANY SET FILLER = 'few' WHERE ID < 10")
        message = "ORA-30036: unable to extend segment by 8 in undo tablespace 'UNDOTBS1'"
        with pytest.raises(oracledb.DatabaseError, match=message):
            cursor.execute("UPDATE MANY SET FILLER = 'many'")
        with pytest.raises(oracledb.DatabaseError, match="ORA-30036"):
            cursor.execute("DELETE FROM MANY")
        # The statement alone is rolled back.
        cursor.execute("SELECT COUNT(*), COUNT(CASE FILLER WHEN 'few' THEN 1 END) FROM MANY")
        assert cursor.fetchone() == (ROWS, 10)
    cursor.execute("UPDATE MANY SET FILLER = 'many'")
    assert cursor.rowcount == ROWS
    cursor.connection.rollback()


def test_what_spills_needs_temporary_space(oracle: Server, cursor: oracledb.Cursor) -> None:
    sort = "SELECT ID FROM (SELECT ID, FILLER FROM MANY ORDER BY FILLER DESC) WHERE ROWNUM > 0"

    def refusal() -> str:
        try:
            assert len(cursor.execute(sort).fetchall()) == ROWS
        except oracledb.DatabaseError as error:
            return str(error)
        return ""

    # A session takes the setting over when PostgreSQL's processes have passed it on.
    with full(oracle, "TEMP"):
        message = until(refusal, "until the tablespace is full")
        assert message.startswith("ORA-01652: unable to extend temp segment by 128 in tablespace TEMP")
        cursor.execute("SELECT ID FROM MANY WHERE ID < 10 ORDER BY FILLER DESC")
        assert cursor.fetchall() == [(n,) for n in range(9, -1, -1)]
    until(lambda: not refusal(), "until there is room again")
