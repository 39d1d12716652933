"""Values of every common type go in and come back, alone, in arrays and out of PL/SQL."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import oracledb
import pytest

from support.stand_in import Schema

VALUES: list[Any] = [
    1,
    -1,
    0,
    10**37,
    Decimal("0.000001"),
    Decimal("-12345.678"),
    1.5,
    "text",
    "ünïcode €",
    "x" * 4000,
    datetime(2024, 2, 29, 23, 59, 58),
    b"\x00\xff\x10",
    None,
]


@pytest.mark.parametrize("value", VALUES, ids=[str(value)[:12] for value in VALUES])
def test_bind_comes_back(schema: Schema, value: Any) -> None:
    expected = float(value) if isinstance(value, Decimal) else value
    assert schema.connection.cursor().execute("select :1 from dual", [value]).fetchone() == (expected,)


def test_typed_columns(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute(
        "create table t (n number, n5 number(5), d2 number(10,2), v varchar2(40), c char(5), "
        "nv nvarchar2(20), d date, ts timestamp(6), tz timestamp with time zone, f binary_float, "
        "g binary_double, r raw(16), ids interval day to second)"
    )
    row = [
        12345678901234567890,
        42,
        99.25,
        "abc",
        "ab",
        "ñandú",
        datetime(2024, 1, 2, 3, 4, 5),
        datetime(2024, 1, 2, 3, 4, 5, 123456),
        datetime(2024, 1, 2, 3, 4, 5, 7000),
        0.5,
        -1e100,
        b"\x01\x02",
        timedelta(days=3, hours=-4, microseconds=5),
    ]
    cursor.setinputsizes(
        None,
        None,
        None,
        None,
        None,
        oracledb.DB_TYPE_NVARCHAR,
        None,
        oracledb.DB_TYPE_TIMESTAMP,
        oracledb.DB_TYPE_TIMESTAMP_TZ,
        oracledb.DB_TYPE_BINARY_FLOAT,
        oracledb.DB_TYPE_BINARY_DOUBLE,
        None,
        None,
    )
    cursor.execute("insert into t values (:1,:2,:3,:4,:5,:6,:7,:8,:9,:10,:11,:12,:13)", row)
    got = list(cursor.execute("select * from t").fetchone())
    row[4] = "ab   "
    assert got == row
    kinds = [column[1] for column in cursor.description]
    assert kinds[:6] == [
        oracledb.DB_TYPE_NUMBER,
        oracledb.DB_TYPE_NUMBER,
        oracledb.DB_TYPE_NUMBER,
        oracledb.DB_TYPE_VARCHAR,
        oracledb.DB_TYPE_CHAR,
        oracledb.DB_TYPE_NVARCHAR,
    ]
    assert kinds[6:] == [
        oracledb.DB_TYPE_DATE,
        oracledb.DB_TYPE_TIMESTAMP,
        oracledb.DB_TYPE_TIMESTAMP_TZ,
        oracledb.DB_TYPE_BINARY_FLOAT,
        oracledb.DB_TYPE_BINARY_DOUBLE,
        oracledb.DB_TYPE_RAW,
        oracledb.DB_TYPE_INTERVAL_DS,
    ]
    number, integer, money, text = cursor.description[:4]
    assert (number[4], number[5]) == (0, -127)
    assert (integer[4], integer[5]) == (5, 0)
    assert (money[4], money[5]) == (10, 2)
    assert text[2] == 40


def test_empty_string_is_null(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    assert cursor.execute("select :1, nvl(:2, 'null') from dual", ["", ""]).fetchone() == (None, "null")


def test_out_binds(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    text, number, flag = cursor.var(str), cursor.var(oracledb.NUMBER), cursor.var(bool)
    day, raw, both = cursor.var(datetime), cursor.var(oracledb.DB_TYPE_RAW), cursor.var(int)
    both.setvalue(0, 41)
    block = (
        "begin :t := 'a' || :i; :n := 2.5; :f := true; :d := to_date('2024-05-06', 'YYYY-MM-DD'); "
        ":r := hextoraw('C0FFEE'); :b := :b + 1; end;"
    )
    for _ in range(2):  # the second time the driver leaves the OUT binds out
        cursor.execute(block, t=text, i="b", n=number, f=flag, d=day, r=raw, b=both)
        assert [v.getvalue() for v in (text, number, flag, day, raw)] == [
            "ab",
            2.5,
            True,
            datetime(2024, 5, 6),
            b"\xc0\xff\xee",
        ]
    assert both.getvalue() == 43


def test_null_out_binds(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    variables = [cursor.var(kind) for kind in (str, int, bool, datetime, oracledb.DB_TYPE_CLOB, bytes)]
    cursor.execute(
        "begin :1 := null; :2 := null; :3 := null; :4 := null; :5 := null; :6 := null; end;", variables
    )
    assert [variable.getvalue() for variable in variables] == [None] * 6


def test_ref_cursor(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    variable = cursor.var(oracledb.DB_TYPE_CURSOR)
    cursor.execute(
        "begin open :1 for "
        "select level as l, to_clob('c' || level) as c from dual connect by level <= 250; end;",
        [variable],
    )
    inner = variable.getvalue()
    assert [column[0] for column in inner.description] == ["L", "C"]
    rows = [(number, lob.read()) for number, lob in inner]
    assert len(rows) == 250
    assert rows[-1] == (250, "c250")


def test_block_for_many_rows(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    out = cursor.var(int, arraysize=3)
    cursor.setinputsizes(int, out)
    cursor.executemany("declare n number := :1; begin :2 := n * 10; end;", [(1,), (2,), (3,)])
    assert [out.getvalue(i) for i in range(3)] == [10, 20, 30]


def test_errors_of_blocks(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    with pytest.raises(oracledb.DatabaseError, match="ORA-20001: no way"):
        cursor.execute("begin raise_application_error(-20001, 'no way'); end;")
    with pytest.raises(oracledb.DatabaseError, match="PLS-00201"):
        cursor.execute("begin no_such_procedure(1); end;")
    assert cursor.execute("select 1 from dual").fetchone() == (1,)


def test_parse_describes_without_running(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.parse("select 1 as one, cast('x' as varchar2(7)) as two, 1 / 0 as bad from dual")
    assert [column[0] for column in cursor.description] == ["ONE", "TWO", "BAD"]
    with pytest.raises(oracledb.DatabaseError, match="ORA-00942"):
        cursor.parse("select * from no_such_table")


def test_columns_change_between_executions(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute("create table t (a number)")
    cursor.execute("insert into t values (1)")
    assert cursor.execute("select * from t").fetchall() == [(1,)]
    cursor.execute("alter table t add (b varchar2(5) default 'x')")
    assert cursor.execute("select * from t").fetchall() == [(1, "x")]
    assert [column[0] for column in cursor.description] == ["A", "B"]


def test_null_bfile(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    variable = cursor.var(oracledb.DB_TYPE_BFILE)
    cursor.execute("begin :1 := null; end;", [variable])
    assert variable.getvalue() is None
    assert cursor.execute("select 1 from dual").fetchone() == (1,)
