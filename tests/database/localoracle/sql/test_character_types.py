"""Lengths and comparison of CHAR and VARCHAR2 ("Character Data Types", "Data Type Comparison Rules")."""

from __future__ import annotations

import oracledb
import pytest

from support.stand_in import Schema


@pytest.fixture
def cursor(schema: Schema) -> oracledb.Cursor:
    cursor = schema.connection.cursor()
    cursor.execute(
        "create table t (v varchar2(3 char), b varchar2(3 byte), c char(3 char), n nvarchar2(3), m nchar(3), "
        "d date, x number)"
    )
    cursor.execute("insert into t values ('a', 'a', 'a', 'a', 'a', date '2020-01-02', 1)")
    return cursor


@pytest.mark.parametrize(
    "statement",
    [
        "insert into t (v) values ('abc ')",
        "insert into t (b) values ('ab  ')",
        "insert into t (b) values ('äé')",
        "insert into t (c) values ('abc ')",
        "insert into t (n) values (n'abc ')",
        "insert into t (m) values (n'abc ')",
        "insert into t (v) select rpad('x', 4) from dual",
        "update t set v = v || '   '",
        "merge into t using (select 'ab  ' w from dual) on (x = 1) when matched then update set v = w",
        "declare s varchar2(4) := 'abc '; begin insert into t (v) values (s); end;",
    ],
)
def test_blanks_count(cursor: oracledb.Cursor, statement: str) -> None:
    with pytest.raises(oracledb.DatabaseError, match="ORA-12899"):
        cursor.execute(statement)


def test_blanks_of_binds_count(cursor: oracledb.Cursor) -> None:
    with pytest.raises(oracledb.DatabaseError, match="ORA-12899"):
        cursor.execute("insert into t (v) values (:1)", ["abc "])
    with pytest.raises(oracledb.DatabaseError, match="ORA-12899"):
        cursor.executemany("insert into t (v) values (:1)", [("a",), ("abc ",)])
    with pytest.raises(oracledb.DatabaseError, match="ORA-06502"):
        cursor.execute("declare s varchar2(3); begin s := 'abc '; end;")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("cast('abc ' as varchar2(3))", "abc"),
        ("cast('abcdef' as char(3)) || '|'", "abc|"),
        ("cast('a' as char(3)) || '|'", "a  |"),
        ("length(cast('a' as char(3)))", 3),
        ("upper(cast('a' as char(3))) || '|'", "A  |"),
        # Blank-padded: CHAR with CHAR or a literal.
        ("case when 'a' = 'a ' then 1 else 0 end", 1),
        ("case when cast('a' as char(3)) = 'a' then 1 else 0 end", 1),
        ("case when cast('a' as char(3)) = cast('a' as char(5)) then 1 else 0 end", 1),
        # Nonpadded: a VARCHAR2 takes part.
        ("case when cast('a' as char(3)) = cast('a' as varchar2(3)) then 1 else 0 end", 0),
        ("case when cast('a ' as varchar2(3)) = 'a' then 1 else 0 end", 0),
    ],
)
def test_value(cursor: oracledb.Cursor, expression: str, expected: object) -> None:
    assert cursor.execute(f"select {expression} from dual").fetchone() == (expected,)


@pytest.mark.parametrize(
    ("condition", "binds", "rows"),
    [
        ("c = 'a'", (), 1),
        ("c = :1", ("a",), 0),
        ("c = :1", ("a  ",), 1),
        ("c in (:1, :2)", ("a", "b"), 0),
        ("c in ('a', 'b')", (), 1),
        ("c = v", (), 0),
        ("v = rtrim(c)", (), 1),
        ("d = :1", ("02-JAN-20",), 1),
        ("x = :1", (" 1 ",), 1),
        ("x between :1 and :2", ("0", "1.5"), 1),
    ],
)
def test_condition(cursor: oracledb.Cursor, condition: str, binds: tuple[str, ...], rows: int) -> None:
    found = cursor.execute(f"select count(*) from t where {condition}", list(binds)).fetchone()
    assert found == (rows,)


@pytest.mark.parametrize(
    ("condition", "bind", "code"),
    [("d = :1", "01/02/20", 1843), ("x = :1", "x", 1722), ("x = :1", "0x1", 1722)],
)
def test_bind_that_does_not_convert(cursor: oracledb.Cursor, condition: str, bind: str, code: int) -> None:
    with pytest.raises(oracledb.DatabaseError) as refused:
        cursor.execute(f"select count(*) from t where {condition}", [bind])
    assert refused.value.args[0].code == code


def test_char_keeps_its_blanks_in_a_varchar2(cursor: oracledb.Cursor) -> None:
    cursor.execute("update t set v = c")
    assert cursor.execute("select v || '|', length(v) from t").fetchone() == ("a  |", 3)
    cursor.execute("create index t_c on t (c)")
    cursor.execute("alter table t modify (v varchar2(5 char))")
    cursor.execute("update t set v = 'abcde'")
    assert cursor.execute("select v from t").fetchone() == ("abcde",)
