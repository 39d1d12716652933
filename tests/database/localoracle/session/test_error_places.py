"""Where errors are that only the database finds: the offset that a client shows below the statement."""

from __future__ import annotations

import oracledb
import pytest

from support.stand_in import Schema


@pytest.mark.parametrize(
    ("statement", "code", "wrong"),
    [
        ("select 1 from nothing", 942, "nothing"),
        ("select nothing.a from t, sys.nothing", 942, "sys"),
        ('select 1 from dual union select 2 from "Nothing"', 942, '"Nothing"'),
        ("select * from (select 1 from nothing)", 942, "nothing"),
        ("insert into nothing values (1)", 942, "nothing"),
        ("update nothing set a = 1", 942, "nothing"),
        ("delete nothing", 942, "nothing"),
        ("merge into nothing n using dual on (1 = 1) when matched then update set a = 1", 942, "nothing"),
        ("select none from t", 904, "none"),
        ("select a from t where none = 1", 904, "none"),
        ("update t set none = 1", 904, "none"),
        ("insert into t (none) values (1)", 904, "none"),
    ],
)
@pytest.mark.parametrize("call", ["execute", "parse"])
def test_where(schema: Schema, statement: str, code: int, wrong: str, call: str) -> None:
    cursor = schema.connection.cursor()
    cursor.execute("create table t (a number)")
    with pytest.raises(oracledb.DatabaseError) as caught:
        getattr(cursor, call)(statement)
    error = caught.value.args[0]
    assert (error.code, error.offset) == (code, statement.index(wrong))


def test_of_many_rows(schema: Schema) -> None:
    with pytest.raises(oracledb.DatabaseError) as caught:
        schema.connection.cursor().executemany("insert into nothing values (:1)", [(1,), (2,)])
    assert (caught.value.args[0].code, caught.value.args[0].offset) == (942, 12)


@pytest.mark.slow
def test_failures_leave_no_cursor_open(schema: Schema) -> None:
    for number in range(350):
        with pytest.raises(oracledb.DatabaseError) as caught:
            schema.connection.cursor().execute(f"select {number} / 0 from dual")
        assert caught.value.args[0].code == 1476
