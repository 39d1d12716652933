"""The ROWID of the row that DML changed last, as the end of its call tells it."""

from __future__ import annotations

import oracledb
import pytest

from support.cursors import fails, one
from support.stand_in import Schema


@pytest.fixture
def cursor(schema: Schema) -> oracledb.Cursor:
    cursor = schema.connection.cursor()
    cursor.execute("create table t (id number(9) unique, name varchar2(20))")
    return cursor


def _last(cursor: oracledb.Cursor) -> int | None:
    """The ID of the row that was told, as it is now."""
    rowid = cursor.lastrowid
    return None if rowid is None else one(cursor, "select max(id) from t where rowid = :1", [rowid])


def test_of_one_row(cursor: oracledb.Cursor) -> None:
    cursor.execute("insert into t values (1, 'a')")
    assert _last(cursor) == 1
    cursor.execute("insert into t (id) values (:1)", [2])
    assert _last(cursor) == 2
    cursor.execute("update t set name = 'b' where id = 1")
    assert _last(cursor) == 1
    rowid = one(cursor, "select rowid from t where id = 2")
    cursor.execute("delete t where id = 2")
    assert cursor.lastrowid == rowid


def test_of_many_rows(cursor: oracledb.Cursor) -> None:
    cursor.executemany("insert into t (id) values (:1)", [(number,) for number in range(7_000)])
    assert _last(cursor) == 6_999
    cursor.execute("update t set name = 'b' where id between 10 and 3009")
    assert cursor.rowcount == 3_000
    assert _last(cursor) == 3_009
    cursor.executemany("update t set name = 'c' where id = :1", [(1,), (5,), (8_000,)])
    assert _last(cursor) == 5


def test_of_no_row(cursor: oracledb.Cursor) -> None:
    cursor.execute("insert into t values (1, 'a')")
    for statement in ("update t set name = 'b' where id = 2", "delete t where id = 2", "truncate table t"):
        cursor.execute(statement)
        assert cursor.lastrowid is None


def test_with_rows_that_fail(cursor: oracledb.Cursor) -> None:
    cursor.executemany("insert into t (id) values (:1)", [(1,), (2,), (1,)], batcherrors=True)
    assert _last(cursor) == 2


def test_with_returned_values(cursor: oracledb.Cursor) -> None:
    name = cursor.var(str, arraysize=2)
    cursor.setinputsizes(None, name)
    cursor.executemany("insert into t values (:1, 'a') returning name into :2", [(1,), (2,)])
    assert _last(cursor) == 2
    cursor.execute("update t set name = 'b' where id = 1 returning name into :1", [name])
    assert _last(cursor) == 1


def test_of_a_partition(cursor: oracledb.Cursor) -> None:
    cursor.execute(
        "create table p (id number(9)) partition by range (id)"
        " (partition a values less than (10), partition b values less than (20))"
    )
    for number in (5, 15):
        cursor.execute("insert into p values (:1)", [number])
        assert one(cursor, "select id from p where rowid = :1", [cursor.lastrowid]) == number


def test_a_view_tells_none(cursor: oracledb.Cursor) -> None:
    cursor.execute("create view v as select * from t")
    cursor.execute("insert into v values (1, 'a')")
    assert (cursor.rowcount, cursor.lastrowid) == (1, None)
    cursor.executemany("insert into v values (:1, 'a')", [(2,), (3,)])
    assert (cursor.rowcount, cursor.lastrowid) == (2, None)


def test_needs_no_privilege_to_read(schema: Schema, cursor: oracledb.Cursor) -> None:
    admin = schema.server.connect().cursor()
    other = f"{schema.name}_W"
    admin.execute(f'create user {other} identified by "Writer_1"')
    admin.execute(f"grant create session to {other}")
    cursor.execute(f"grant insert on t to {other}")
    with schema.server.connect(other, "Writer_1") as connection, connection.cursor() as writer:
        writer.execute(f"insert into {schema.name}.t values (1, 'a')")
        assert (writer.rowcount, writer.lastrowid) == (1, None)
        writer.executemany(f"insert into {schema.name}.t (id) values (:1)", [(2,), (3,)])
        assert writer.rowcount == 2
        fails(writer, 1031, f"delete {schema.name}.t")
        connection.commit()
    assert one(cursor, "select count(*) from t") == 3
    admin.execute(f"drop user {other} cascade")
