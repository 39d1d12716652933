"""CHAR(n BYTE) has n bytes, whatever its characters; descriptions tell the length that was declared.

SQL Language Reference 19c, "CHAR Data Type", "VARCHAR2 Data Type"; Globalization Support Guide, "Length
Semantics"; PL/SQL Language Reference, "CHAR and VARCHAR2 Variables".
"""

from __future__ import annotations

import oracledb
import pytest

from support.stand_in import Schema


@pytest.fixture
def cursor(schema: Schema) -> oracledb.Cursor:
    cursor = schema.connection.cursor()
    cursor.execute("create table t (b char(3 byte), c char(3 char), v varchar2(3 byte), w varchar2(3 char))")
    return cursor


@pytest.mark.parametrize(
    ("value", "padded"), [("é", "é "), ("éa", "éa"), ("€", "€"), ("a", "a  "), ("abc", "abc"), ("a ", "a  ")]
)
def test_padded_to_bytes(cursor: oracledb.Cursor, value: str, padded: str) -> None:
    cursor.execute("insert into t (b) values (:1)", [value])
    cursor.executemany("insert into t (b) values (:1)", [(value,), (value,)])
    cursor.execute(f"insert into t (b) values ('{value}')")
    cursor.execute("update t set b = :1 where rownum = 1", [value])
    cursor.execute("insert into t (b) select b from t")
    rows = cursor.execute("select b, length(b), lengthb(b), b || '|' from t").fetchall()
    assert rows == [(padded, len(padded), 3, padded + "|")] * 8


@pytest.mark.parametrize("value", ["éé", "éab", "€ ", "abcd", "abc "])
def test_more_bytes_do_not_fit(cursor: oracledb.Cursor, value: str) -> None:
    size = len(value.encode())
    told = rf'ORA-12899: .*"T"."B" \(actual: {size}, maximum: 3\)'
    with pytest.raises(oracledb.DatabaseError, match=told):
        cursor.execute("insert into t (b) values (:1)", [value])
    with pytest.raises(oracledb.DatabaseError, match="ORA-12899"):
        cursor.executemany("insert into t (b) values (:1)", [("a",), (value,)])


def test_comparisons_pad(cursor: oracledb.Cursor) -> None:
    cursor.execute("insert into t values ('é', 'é', 'é', 'é')")
    found = cursor.execute(
        "select count(case when b = c then 1 end), count(case when b = 'é' then 1 end), "
        "count(case when b = v then 1 end), count(case when b = v || ' ' then 1 end) from t"
    ).fetchone()
    assert found == (1, 1, 0, 1)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("cast('é' as char(3))", "é "),
        ("cast('éé' as char(3))", "é "),
        ("cast('éé' as char(3 byte))", "é "),
        ("cast('éééé' as char(3 char))", "ééé"),
        ("cast('é' as char(3 char))", "é  "),
        ("cast(12 as char(3))", "12 "),
    ],
)
def test_cast(cursor: oracledb.Cursor, expression: str, value: str) -> None:
    assert cursor.execute(f"select {expression} from dual").fetchone() == (value,)
    cursor.execute(f"create or replace view w as select {expression} x from dual")
    assert cursor.execute("select x from w").fetchone() == (value,)


def test_changed_columns(cursor: oracledb.Cursor) -> None:
    cursor.execute("insert into t values ('é', 'é', 'é', 'é')")
    with pytest.raises(oracledb.DatabaseError, match="ORA-01441"):
        cursor.execute("alter table t modify (b char(2 byte))")
    cursor.execute("alter table t modify (b char(5 byte))")
    assert cursor.execute("select b from t").fetchone() == ("é   ",)
    cursor.execute("alter table t modify (b char(5 char))")
    assert cursor.execute("select lengthb(b), length(b) from t").fetchone() == (6, 5)
    cursor.execute("alter table t add (d char(4) default 'ü' not null)")
    assert cursor.execute("select d from t").fetchone() == ("ü  ",)


LENGTHS = (
    "select column_name, data_length, char_length, char_used from user_tab_columns "
    "where table_name = '{}' order by column_id"
)
DECLARED = [("B", 3, 3, "B"), ("C", 12, 3, "C"), ("V", 3, 3, "B"), ("W", 12, 3, "C")]


@pytest.mark.parametrize("query", ["select * from t", "select * from (select b, c, v, w from t)"])
def test_what_is_selected_keeps_its_unit(cursor: oracledb.Cursor, query: str) -> None:
    cursor.execute(f"create view seen as {query}")
    cursor.execute(f"create table taken as {query}")
    for name in ("T", "SEEN", "TAKEN"):
        assert cursor.execute(LENGTHS.format(name)).fetchall() == DECLARED
    for column in ("b", "v"):
        with pytest.raises(oracledb.DatabaseError, match="ORA-12899"):
            cursor.execute(f"insert into taken ({column}) values ('éé')")
    cursor.execute("insert into taken values ('é', 'éüö', 'é', 'éüö')")


@pytest.mark.parametrize(
    ("declared", "value", "held"),
    [
        ("char(3)", "é", "é "),
        ("char(3 char)", "é", "é  "),
        ("t.b%type", "é", "é "),
        ("t.c%type", "é", "é  "),
        ("t.v%type", "éa", "éa"),
        ("t.w%type", "ééé", "ééé"),
        ("char(3)", "éé", None),
        ("varchar2(3)", "éé", None),
        ("varchar2(3 char)", "ééé", "ééé"),
        ("t.b%type", "éé", None),
        ("t.v%type", "éé", None),
        ("t.c%type", "éééé", None),
    ],
)
def test_variables(cursor: oracledb.Cursor, declared: str, value: str, held: str | None) -> None:
    result = cursor.var(str)
    block = f"declare x {declared} := :1; begin :2 := x || '|'; end;"
    if held is None:
        with pytest.raises(oracledb.DatabaseError, match="ORA-06502"):
            cursor.execute(block, [value, result])
    else:
        cursor.execute(block, [value, result])
        assert result.getvalue() == held + "|"


def test_session_semantics_of_variables(cursor: oracledb.Cursor) -> None:
    cursor.execute("alter session set nls_length_semantics = char")
    result = cursor.var(str)
    cursor.execute("declare x char(3) := 'éü'; begin :1 := x || '|'; end;", [result])
    assert result.getvalue() == "éü |"


def test_records(cursor: oracledb.Cursor) -> None:
    cursor.execute("declare r t%rowtype; begin r.b := 'é'; r.c := 'é'; insert into t values r; end;")
    assert cursor.execute("select b, c from t").fetchone() == ("é ", "é  ")


@pytest.mark.parametrize(
    ("expression", "length", "size"),
    [
        ("b", 3, 3),
        ("c", 3, 12),
        ("v", 3, 3),
        ("w", 3, 12),
        ("'é'", 2, 2),
        ("cast('é' as char(4))", 4, 4),
        ("cast('é' as varchar2(5))", 5, 5),
        ("cast('é' as varchar2(5 char))", 5, 20),
    ],
)
def test_described_lengths(cursor: oracledb.Cursor, expression: str, length: int, size: int) -> None:
    """As declared, and in bytes."""
    cursor.execute(f"select {expression} from t")
    assert cursor.description[0][2:4] == (length, size)
