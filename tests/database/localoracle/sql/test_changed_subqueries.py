"""UPDATE and DELETE of a subquery over one table (SQL Language Reference 19c, UPDATE, DELETE)."""

from __future__ import annotations

import oracledb
import pytest

from support.stand_in import Schema


@pytest.fixture
def cursor(schema: Schema) -> oracledb.Cursor:
    cursor = schema.connection.cursor()
    cursor.execute("create table t (id number, name varchar2(10), hidden number invisible)")
    cursor.executemany("insert into t (id, name) values (:1, :2)", [(1, "a"), (2, "b"), (3, "c")])
    return cursor


@pytest.mark.parametrize(
    ("statement", "rows"),
    [
        ("update (select id, name from t) set name = 'x' where id = 2", [(1, "a"), (2, "x"), (3, "c")]),
        (
            "update (select id n, name m from t k where k.id > 1 or k.id < 0) v "
            "set v.m = v.m || v.n where n = 2 or n = 1",
            [(1, "a"), (2, "b2"), (3, "c")],
        ),
        ("delete from (select id from t where id > 1) where id < 3", [(1, "a"), (3, "c")]),
        ("delete (select id from t where id > 1)", [(1, "a")]),
        ("update (select name from t where id in (select max(id) from t)) set name = null", None),
    ],
)
def test_the_table_is_changed(
    cursor: oracledb.Cursor, statement: str, rows: list[tuple[int, str]] | None
) -> None:
    cursor.execute(statement)
    found = cursor.execute("select id, name from t order by id").fetchall()
    assert found == (rows or [(1, "a"), (2, "b"), (3, None)])


def test_as_jdbc_updates_a_row(cursor: oracledb.Cursor) -> None:
    cursor.execute('select rowid as "__row", id, name from t where id = 2')
    ((place, *_),) = cursor.fetchall()
    update = 'update (select rowid as "__row", id, name from t) set "NAME" = :1 where rowid = :2'
    cursor.execute(update, ["y", place])
    assert cursor.execute("select id from t where name = 'y'").fetchall() == [(2,)]
    result = cursor.var(str)
    cursor.execute(
        'delete from (select rowid as "__row", name n from t) where "__row" = :1 returning n into :2',
        [cursor.execute("select rowid from t where id = 2").fetchone()[0], result],
    )
    assert result.getvalue() == ["y"]


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("update (select id from t) set name = 'x'", 904),
        ("update (select id, name from t) set hidden = 1", 904),
        ("update (select id from t) set id = 1 where name = 'a'", 904),
        ("update (select id from t) set t.id = 1", 904),
        ("update (select id from t k) v set id = k.id", 904),
        ("update (select rowid r, id from t) set r = 'x'", 1733),
        ("update (select x.id from t) set id = 1", 904),
        ("update (select id from nowhere) set id = 1", 942),
        ("update (select distinct id from t) set id = 1", 3001),
        ("update (select id + 1 n from t) set n = 1", 3001),
        ("update (select * from t) set id = 1", 3001),
        ("update (select id from t where rownum = 1) set id = 1", 3001),
        ("update (select a.id from t a, t b) set id = 1", 3001),
        ("insert into (select id from t) values (1)", 3001),
    ],
)
def test_refused(cursor: oracledb.Cursor, statement: str, code: int) -> None:
    with pytest.raises(oracledb.DatabaseError) as refused:
        cursor.execute(statement)
    assert refused.value.args[0].code == code
