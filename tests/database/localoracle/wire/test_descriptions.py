"""What a client is told of a query's columns, also when they change under a cursor that it keeps."""

from __future__ import annotations

import oracledb
import pytest

from support.stand_in import Schema


def test_columns_that_cannot_be_null(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute("create table t (a number(9) primary key, b varchar2(20) not null, c date)")

    def nullable(sql: str) -> list[bool]:
        cursor.execute(sql)
        return [column[6] for column in cursor.description]

    assert nullable("select a, b, c, a + 1 from t") == [False, False, True, True]
    cursor.parse("select c, b from t")
    assert [column[6] for column in cursor.description] == [True, False]
    cursor.execute("alter table t modify (b null)")
    assert nullable("select b, a from t") == [True, False]


def test_a_ref_cursor_tells_the_same(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute("create table t (a number(9) not null, b date)")
    rows = cursor.var(oracledb.DB_TYPE_CURSOR)
    cursor.execute("begin open :1 for select a, b from t; end;", [rows])
    assert [column[6] for column in rows.getvalue().description] == [False, True]


@pytest.mark.parametrize(
    ("before", "after", "wanted"),
    [
        ("cast('a' as varchar2(9))", "to_clob('clob')", "clob"),
        ("cast('a' as char(9))", "to_clob('clob')", "clob"),
        ("cast('a' as nvarchar2(9))", "to_clob('çlöb')", "çlöb"),
        ("utl_raw.cast_to_raw('a')", "to_blob(utl_raw.cast_to_raw('blob'))", b"blob"),
        ("1", "to_clob('clob')", "clob"),
        ("to_clob('clob')", "1", 1),
        ("sysdate", "cast('x' as varchar2(3))", "x"),
    ],
)
@pytest.mark.parametrize("as_lobs", [True, False])
def test_a_column_becomes_another(
    schema: Schema,
    monkeypatch: pytest.MonkeyPatch,
    before: str,
    after: str,
    wanted: object,
    as_lobs: bool,
) -> None:
    monkeypatch.setattr(oracledb.defaults, "fetch_lobs", as_lobs)
    connection = schema.connection
    cursor = connection.cursor()
    cursor.execute(f"create or replace view v as select {before} as value from dual")
    connection.cursor().execute("select * from v").fetchall()
    cursor.execute(f"create or replace view v as select {after} as value from dual")
    for _ in range(2):
        ((value,),) = connection.cursor().execute("select * from v").fetchall()
        assert (value.read() if isinstance(value, oracledb.LOB) else value) == wanted


def test_numbers_as_they_were_declared(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute("create table t (a number(9), b number(9, 2), c number, d float, e float(10), f real)")
    cursor.execute("insert into t values (1, 2.5, 3, 4, 5, 6)")
    cursor.execute("select t.*, 0 + d from t")
    # display size, internal size, precision, scale
    assert [column[2:6] for column in cursor.description] == [
        (10, None, 9, 0),
        (13, None, 9, 2),
        (127, None, 0, -127),
        (127, None, 126, -127),
        (11, None, 10, -127),
        (64, None, 63, -127),
        (127, None, 0, -127),
    ]
    assert list(map(type, cursor.fetchone())) == [int, float, int, float, float, float, int]


def test_parsing_executes_nothing_but_ddl(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.parse("create table t (a number)")
    for statement in (
        "insert into t values (1)",
        "insert into t values (:1)",
        "begin insert into t values (1); :result := 5; end;",
    ):
        cursor.parse(statement)
        assert cursor.description is None
    for _ in range(2):
        cursor.parse("insert into t values (:a)")
        cursor.execute("insert into t values (:a)", [1])
    assert cursor.execute("select count(*) from t").fetchone() == (2,)


def test_casts_to_strings(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute(
        "select cast('X' as varchar2(7)), cast('' as nvarchar2(3)), cast('Z' as char(2)) from dual"
    )
    assert [(column[1], column[2]) for column in cursor.description] == [
        (oracledb.DB_TYPE_VARCHAR, 7),
        (oracledb.DB_TYPE_NVARCHAR, 3),
        (oracledb.DB_TYPE_CHAR, 2),
    ]
    assert cursor.fetchone() == ("X", None, "Z ")


def test_columns_whose_constraint_says_json(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute(
        "create table documents (a varchar2(99) check (a is json),"
        " b clob constraint json_b check (b is json),"
        " c blob check (c is json format json), d varchar2(99) check (d is json or d = 'none'),"
        " e varchar2(99))"
    )
    cursor.execute("""insert into documents values ('[1]', '{"b": 2}', '5B335D', 'none', '[5]')""")
    for _ in range(2):
        cursor.execute("select * from documents")
        assert [column.is_json for column in cursor.description] == [True, True, True, False, False]
        assert cursor.fetchone() == ([1], {"b": 2}, [3], "none", "[5]")


@pytest.mark.parametrize(
    ("query", "kind", "length"),
    [
        ("select 'abc' from dual", oracledb.DB_TYPE_CHAR, 3),
        ("select ('a') from dual", oracledb.DB_TYPE_CHAR, 1),
        ("select n'ab' from dual", oracledb.DB_TYPE_NCHAR, 2),
        ("select 'a' || 'bc' from dual", oracledb.DB_TYPE_CHAR, 3),
        ("select case when 1 = 1 then 'y' else 'n' end from dual", oracledb.DB_TYPE_CHAR, 1),
        ("select 'a' from dual union select 'b' from dual", oracledb.DB_TYPE_CHAR, 1),
        ("select 'a' from dual union select 'bc' from dual", oracledb.DB_TYPE_VARCHAR, 2),
        ("select nvl('a', 'b') from dual", oracledb.DB_TYPE_VARCHAR, None),
        ("select decode(1, 1, 'a', 'b') from dual", oracledb.DB_TYPE_VARCHAR, None),
        ("select 'a' || dummy from dual", oracledb.DB_TYPE_VARCHAR, None),
        ("select upper('a') from dual", oracledb.DB_TYPE_VARCHAR, None),
        ("select null from dual", oracledb.DB_TYPE_VARCHAR, None),
    ],
)
def test_text_literals_are_of_fixed_length(
    schema: Schema, query: str, kind: oracledb.DbType, length: int | None
) -> None:
    cursor = schema.connection.cursor()
    for tell in (cursor.execute, cursor.parse):
        tell(query)
        ((_, described, size, *_),) = cursor.description
        assert described is kind
        assert length in (None, size)


def test_a_number_out_of_a_scalar_subquery_has_no_precision(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute("create table amounts (n number(20, 2), v varchar2(9))")
    cursor.execute(
        "select a, b, c, d from (select (select n from amounts) a, n b, (select v from amounts) c,"
        " (select cast(n as number(5)) from amounts) d from amounts where rownum > 0)"
    )
    described = [(column.precision, column.scale) for column in cursor.description]
    assert described[:2] + described[3:] == [(0, -127), (20, 2), (0, -127)]
    assert cursor.description[2].display_size == 9
