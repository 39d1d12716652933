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


def test_returning_into_a_variable_that_is_too_small(schema: Schema) -> None:
    """The client is told of the whole length, and says so itself."""
    cursor = schema.connection.cursor()
    cursor.execute("create table t (name varchar2(40), content raw(40), note clob)")
    for column, size in (("name", 2), ("content", 2)):
        variable = cursor.var(str if column == "name" else bytes, size)
        with pytest.raises(oracledb.DatabaseError, match="DPY-4002"):
            cursor.execute(
                "insert into t values ('a longer string', utl_raw.cast_to_raw('a longer string'), 'x')"
                f" returning {column} into :1",
                [variable],
            )
    enough = cursor.var(str, 15)
    cursor.execute("insert into t (name) values ('a longer string') returning name into :1", [enough])
    assert enough.getvalue() == ["a longer string"]


def test_strings_become_bytes_as_hexadecimal_digits(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute("create table t (name varchar2(40))")
    raw = cursor.var(oracledb.DB_TYPE_RAW)
    cursor.execute("insert into t values ('abc0F') returning name into :1", [raw])
    assert raw.getvalue() == [b"\x0a\xbc\x0f"]
    with pytest.raises(oracledb.DatabaseError, match="ORA-01465"):
        cursor.execute("insert into t values ('no digits') returning name into :1", [raw])


def test_long_raw_binds(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute("create table t (a number, content long raw)")
    cursor.setinputsizes(None, oracledb.DB_TYPE_LONG_RAW)
    cursor.executemany("insert into t values (:1, :2)", [(1, b"\x01\xff"), (2, b"x" * 40_000)])
    cursor.execute("insert into t values (3, utl_raw.cast_to_raw('y'))")
    rows = cursor.execute("select content from t order by a").fetchall()
    assert rows == [(b"\x01\xff",), (b"x" * 40_000,), (b"y",)]


def test_the_execution_of_a_block_that_failed(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    with pytest.raises(oracledb.DatabaseError) as caught:
        cursor.executemany(
            "declare x number; begin x := 10 / (4 - :1); end;", [(number,) for number in range(1, 11)]
        )
    assert (caught.value.args[0].code, caught.value.args[0].offset) == (1476, 3)


def test_round_trips(schema: Schema) -> None:
    """A client learns of the end of a query by the fetch that finds fewer rows than it asked for."""
    connection = schema.connection
    counter = connection.cursor()
    with schema.server.connect() as system:
        system.cursor().execute(f"GRANT SELECT ANY DICTIONARY TO {schema.name}")

    def trips(rows: int, arraysize: int, prefetchrows: int) -> int:
        sql = (
            "select value from v$mystat join v$statname using (statistic#) "
            "where name = 'SQL*Net roundtrips to/from client'"
        )
        (before,) = counter.execute(sql).fetchone()
        cursor = connection.cursor()
        cursor.arraysize, cursor.prefetchrows = arraysize, prefetchrows
        assert len(cursor.execute(f"select level from dual connect by level <= {rows}").fetchall()) == rows
        (after,) = counter.execute(sql).fetchone()
        return int(after - before) - 1

    assert [trips(1, 100, 2), trips(1, 100, 1), trips(4, 1, 1), trips(4, 4, 4), trips(4, 5, 5)] == [
        1,
        2,
        5,
        2,
        1,
    ]


def test_returning_as_strings(schema: Schema) -> None:
    """What is no string becomes one by the session's formats."""
    cursor = schema.connection.cursor()
    cursor.execute(
        "create table t (a number, b date, c raw(4), d timestamp, e varchar2(9), f char(3), g clob)"
    )
    cursor.execute("alter session set nls_date_format = 'YYYY-MM-DD HH24:MI'")
    cursor.execute("alter session set nls_timestamp_format = 'YYYY/MM/DD'")
    cursor.execute("alter session set nls_numeric_characters = ',.'")
    variables = [cursor.var(str) for _ in range(8)]
    cursor.execute(
        "insert into t values (1.5, date '2024-02-29', '0aff', date '2024-02-29', 'e', 'f', 'g')"
        " returning a, b, c, d, e, f, g, a + 1 into :1, :2, :3, :4, :5, :6, :7, :8",
        variables,
    )
    assert [variable.getvalue()[0] for variable in variables] == [
        "1,5",
        "2024-02-29 00:00",
        "0AFF",
        "2024/02/29",
        "e",
        "f  ",
        "g",
        "2,5",
    ]


def test_local_time_in_a_block(schema: Schema) -> None:
    with schema.connection.cursor() as cursor:
        cursor.execute("alter session set time_zone = '+05:30'")
        moment = cursor.var(oracledb.DB_TYPE_TIMESTAMP_LTZ)
        moment.setvalue(0, datetime(2022, 5, 30, 6))
        cursor.execute("begin :moment := :moment + 5.25; end;", moment=moment)
        assert moment.getvalue() == datetime(2022, 6, 4, 12)
        cursor.execute("begin :moment := timestamp '2022-05-30 06:00:00 +00:00'; end;", moment=moment)
        assert moment.getvalue() == datetime(2022, 5, 30, 11, 30)


def test_a_bind_declared_as_char_is_compared_with_padding(schema: Schema) -> None:
    """SQL Language Reference, "Blank-Padded and Nonpadded Comparison Semantics"."""
    cursor = schema.connection.cursor()
    cursor.execute("CREATE TABLE FIXED (C CHAR(5), N NCHAR(5), V VARCHAR2(5))")
    cursor.execute("INSERT INTO FIXED VALUES ('a', N'a', 'a')")
    for column, kind, found in [
        ("C", oracledb.DB_TYPE_CHAR, 1),
        ("N", oracledb.DB_TYPE_NCHAR, 1),
        ("C", oracledb.DB_TYPE_VARCHAR, 0),
        ("V", oracledb.DB_TYPE_CHAR, 1),
    ]:
        cursor.setinputsizes(kind)
        cursor.execute(f"SELECT COUNT(*) FROM FIXED WHERE {column} = :1", ["a"])
        assert cursor.fetchone() == (found,), (column, kind)
