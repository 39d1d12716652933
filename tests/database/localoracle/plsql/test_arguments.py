"""ALL_ARGUMENTS of one's own procedures, functions and packages (Database Reference 19c, ALL_ARGUMENTS)."""

from __future__ import annotations

import oracledb
import pytest

from support.stand_in import Schema


@pytest.fixture
def cursor(schema: Schema) -> oracledb.Cursor:
    cursor = schema.connection.cursor()
    cursor.execute("create table t (n number(5, 2), v varchar2(7 byte), c char(3 char))")
    return cursor


def test_a_procedure(cursor: oracledb.Cursor) -> None:
    cursor.execute(
        "create procedure p (a in number, b out varchar2, c in out date, d t.n%type default 1, e t.v%type, "
        "f pls_integer, g boolean, h sys_refcursor, i t%rowtype, j clob, k integer) is begin null; end;"
    )
    cursor.execute(
        "select object_name, package_name, subprogram_id, overload, argument_name, position, sequence, "
        "data_level, data_type, in_out, defaulted from user_arguments order by sequence"
    )
    assert cursor.fetchall() == [
        ("P", None, 1, None, name, place, place, 0, kind, mode, defaulted)
        for place, (name, kind, mode, defaulted) in enumerate(
            [
                ("A", "NUMBER", "IN", "N"),
                ("B", "VARCHAR2", "OUT", "N"),
                ("C", "DATE", "IN/OUT", "N"),
                ("D", "NUMBER", "IN", "Y"),
                ("E", "VARCHAR2", "IN", "N"),
                ("F", "BINARY_INTEGER", "IN", "N"),
                ("G", "PL/SQL BOOLEAN", "IN", "N"),
                ("H", "REF CURSOR", "IN", "N"),
                ("I", "PL/SQL RECORD", "IN", "N"),
                ("J", "CLOB", "IN", "N"),
                ("K", "NUMBER", "IN", "N"),
            ],
            1,
        )
    ]
    cursor.execute(
        "select argument_name, data_precision, data_scale, char_length, char_used, pls_type, type_name, "
        "type_object_type from user_arguments where argument_name in ('D', 'E', 'F', 'I') order by 1"
    )
    assert cursor.fetchall() == [
        ("D", 5, 2, None, None, "NUMBER", None, None),
        ("E", None, None, 7, "B", None, None, None),
        ("F", None, None, None, None, "PLS_INTEGER", None, None),
        ("I", None, None, None, None, None, "T", "TABLE"),
    ]


def test_a_function_returns_first(cursor: oracledb.Cursor) -> None:
    cursor.execute("create function f (a char) return raw is begin return null; end;")
    lines = "select argument_name, position, sequence, data_type, in_out from user_arguments order by 3"
    assert cursor.execute(lines).fetchall() == [(None, 0, 1, "RAW", "OUT"), ("A", 1, 2, "CHAR", "IN")]
    cursor.execute("create or replace function f return raw is begin return null; end;")
    assert cursor.execute(lines).fetchall() == [(None, 0, 1, "RAW", "OUT")]
    cursor.execute("drop function f")
    assert cursor.execute(lines).fetchall() == []


def test_a_package(schema: Schema, cursor: oracledb.Cursor) -> None:
    cursor.execute("create type names is table of varchar2(10)")
    cursor.execute(
        "create package k is type r is record (a number); type l is table of number index by pls_integer; "
        "procedure none; procedure o (a r); procedure o (a l, b names); function o return number; end;"
    )
    cursor.execute(
        "select object_name, package_name, subprogram_id, overload, argument_name, data_type, type_owner, "
        "type_name, type_subname, type_object_type from user_arguments order by subprogram_id, sequence"
    )
    own = schema.name
    assert cursor.fetchall() == [
        ("O", "K", 2, "1", "A", "PL/SQL RECORD", own, "K", "R", "PACKAGE"),
        ("O", "K", 3, "2", "A", "PL/SQL TABLE", own, "K", "L", "PACKAGE"),
        ("O", "K", 3, "2", "B", "TABLE", own, "NAMES", None, "TYPE"),
        ("O", "K", 4, "3", None, "NUMBER", None, None, None, None),
    ]
    cursor.execute(
        "select count(*) from user_arguments a join user_procedures p "
        "on p.object_id = a.object_id and p.subprogram_id = a.subprogram_id where p.procedure_name = 'O'"
    )
    assert cursor.fetchone() == (4,)


def test_they_are_those_of_what_may_be_executed(schema: Schema, cursor: oracledb.Cursor) -> None:
    cursor.execute("create procedure hidden (a number) is begin null; end;")
    with schema.server.connect() as system:
        other = system.cursor()
        other.execute("select count(*) from dba_arguments where owner = :1", [schema.name])
        assert other.fetchone() == (1,)
        other.execute("create user stranger identified by stranger")
        try:
            other.execute("grant create session to stranger")
            with schema.server.connect("stranger", "stranger") as connection:
                found = connection.cursor().execute("select count(*) from all_arguments").fetchone()
                assert found == (0,)
            cursor.execute("grant execute on hidden to stranger")
            with schema.server.connect("stranger", "stranger") as connection:
                found = connection.cursor().execute("select count(*) from all_arguments").fetchone()
                assert found == (1,)
        finally:
            other.execute("drop user stranger")
