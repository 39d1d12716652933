"""CREATE TYPE: collection and object types of schemas in PL/SQL, in TABLE( ), in the dictionary."""

from __future__ import annotations

from contextlib import contextmanager

import oracledb
import pytest

from support.stand_in import new_schema


def code_of(error) -> int:
    return int(error.value.args[0].code)


@pytest.fixture
def cursor(schema):
    with schema.connection.cursor() as opened:
        yield opened


@pytest.fixture
def types(cursor):
    cursor.execute("create or replace type names_t is table of varchar2(10)")
    cursor.execute("create type numbers_v as varray(3) of number(5,2)")
    cursor.execute("create type point_t authid definer as object (x number, label varchar2(5), born date)")
    cursor.execute("create type points_t is table of point_t;")


def test_rows_of_constructors(types, cursor):
    cursor.execute("select column_value c from table(names_t('b', 'a', null)) order by 1 nulls first")
    assert cursor.description[0][:3] == ("C", oracledb.DB_TYPE_VARCHAR, 10)
    assert cursor.fetchall() == [(None,), ("a",), ("b",)]
    cursor.execute(
        "select * from table(numbers_v(1.255, 2)) v, table(names_t('x')) n where v.column_value > 1"
    )
    assert cursor.fetchall() == [(1.26, "x"), (2, "x")]
    cursor.execute(
        "select p.x, p.label from table(points_t(point_t(1, 'a', sysdate), point_t(2, 'b', null))) p"
    )
    assert cursor.fetchall() == [(1, "a"), (2, "b")]
    assert cursor.execute("select count(*) from table(names_t())").fetchone() == (0,)


def test_table_functions(types, cursor):
    cursor.execute(
        """create function repeated(p_count number, p_name varchar2) return names_t is
             l_names names_t := names_t();
           begin
             l_names.extend(p_count);
             for i in 1 .. p_count loop
               l_names(i) := p_name || i;
             end loop;
             if l_names.exists(2) then
               l_names(2) := upper(l_names(l_names.first));
             end if;
             return l_names;
           end;"""
    )
    assert cursor.execute("select column_value from table(repeated(3, 'n'))").fetchall() == [
        ("n1",),
        ("N1",),
        ("n3",),
    ]
    assert cursor.execute("select n.column_value from repeated(1, 'z') n").fetchall() == [("z1",)]
    cursor.execute("create table sizes (n number)")
    cursor.execute("insert into sizes select level from dual connect by level <= 2")
    cursor.execute("select s.n, f.column_value from sizes s, table(repeated(s.n, 'q')) f order by 1, 2")
    assert cursor.fetchall() == [(1, "q1"), (2, "Q1"), (2, "q1")]
    cursor.execute(
        """declare l names_t; begin
             l := repeated(2, 'v');
             select count(*) into :n from table(l) where column_value = 'v1';
           end;""",
        n=(n := cursor.var(int)),
    )
    assert n.getvalue() == 1


def test_pipelined_functions(types, cursor):
    cursor.execute("create table points (x number, label varchar2(5))")
    cursor.execute("insert into points select level, 'p' || level from dual connect by level <= 3")
    cursor.execute(
        """create function found(p_from number) return points_t pipelined is
           begin
             for r in (select x, label from points where x >= p_from order by x) loop
               pipe row (point_t(r.x * 10, r.label, null));
             end loop;
             return;
           end;"""
    )
    assert cursor.execute("select x, label from table(found(2))").fetchall() == [(20, "p2"), (30, "p3")]
    assert cursor.execute("select sum(x) from found(1)").fetchone() == (60,)
    with pytest.raises(oracledb.DatabaseError, match="PLS-00653"):
        cursor.execute("declare l points_t; begin l := found(1); end;")


def test_bulk_collect_and_objects(types, cursor):
    cursor.execute(
        """create function last_point return number is
             l_points points_t;
             l_point point_t;
           begin
             select point_t(level, 'x', null) bulk collect into l_points from dual connect by level <= 4;
             l_points.trim;
             l_points(l_points.last).x := 7;
             l_point := l_points(3);
             l_point.label := 'new';
             return l_point.x + l_points.count;
           end;"""
    )
    assert cursor.execute("select last_point() from dual").fetchone() == (10,)


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("select * from table(names_t('01234567890'))", 22814),
        ("select * from table(numbers_v(1, 2, 3, 4))", 22909),
        ("select * from table(upper('x'))", 22905),
        ("select names_t('x') from dual", 3001),
        ("select point_t(1, 'x', null) from dual", 3001),
        ("create table t (p point_t)", 3001),
        ("create type sub_t under point_t (y number)", 3001),
        ("create type m_t as object (a number, member function f return number)", 3001),
        ("create type body point_t as member function f return number is begin return 1; end; end;", 3001),
        ("create type names_t is table of number", 955),
        ("create or replace type point_t as object (x number)", 2303),
        ("drop type point_t", 2303),
        ("drop type nothing_t", 4043),
        ("alter type point_t add attribute (z number)", 3001),
        ("begin declare l names_t; begin l(1) := 'x'; end; end;", 6531),
        ("declare l names_t := names_t(); begin l(1) := 'x'; end;", 6533),
        ("declare l names_t := names_t('01234567890'); begin null; end;", 6502),
        ("declare l numbers_v := numbers_v(1,2,3); begin l.extend; end;", 6532),
        ("declare l other_t; begin null; end;", 6550),
    ],
)
def test_refused(types, cursor, statement, code):
    with pytest.raises(oracledb.DatabaseError) as raised:
        cursor.execute(statement)
    assert code_of(raised) == code, raised.value


def test_dictionary(types, schema, cursor):
    cursor.execute("select type_name, typecode, attributes from user_types order by type_name")
    assert cursor.fetchall() == [
        ("NAMES_T", "COLLECTION", 0),
        ("NUMBERS_V", "COLLECTION", 0),
        ("POINTS_T", "COLLECTION", 0),
        ("POINT_T", "OBJECT", 3),
    ]
    cursor.execute(
        "select type_name, coll_type, upper_bound, elem_type_owner, elem_type_name, length, precision, scale"
        " from all_coll_types where owner = user order by type_name"
    )
    assert cursor.fetchall() == [
        ("NAMES_T", "TABLE", None, None, "VARCHAR2", 10, None, None),
        ("NUMBERS_V", "VARYING ARRAY", 3, None, "NUMBER", None, 5, 2),
        ("POINTS_T", "TABLE", None, schema.name, "POINT_T", None, None, None),
    ]
    cursor.execute("select attr_name, attr_type_name, length, attr_no from user_type_attrs order by attr_no")
    assert cursor.fetchall() == [
        ("X", "NUMBER", None, 1),
        ("LABEL", "VARCHAR2", 5, 2),
        ("BORN", "DATE", None, 3),
    ]
    cursor.execute("select object_type, status from user_objects where object_name = 'POINT_T'")
    assert cursor.fetchall() == [("TYPE", "VALID")]
    cursor.execute("select text from user_source where name = 'NAMES_T'")
    assert cursor.fetchall() == [("type names_t is table of varchar2(10)\n",)]


def test_invalid_types_and_dependents(types, cursor):
    cursor.execute("create type wrong_t as object (a number, b boolean)")
    assert cursor.warning is not None
    cursor.execute("select line, text from user_errors where name = 'WRONG_T'")
    assert cursor.fetchall() == [(1, "PLS-00530: Illegal type used for object type attribute: 'BOOLEAN'.")]
    with pytest.raises(oracledb.DatabaseError, match="PLS-00905"):
        cursor.execute("declare w wrong_t; begin null; end;")
    cursor.execute("create function one return names_t is begin return names_t('a'); end;")
    cursor.execute("drop type names_t")
    status = "select status from user_objects where object_name = 'ONE'"
    assert cursor.execute(status).fetchone() == ("INVALID",)
    cursor.execute("create type names_t is table of varchar2(20)")
    assert cursor.execute(status).fetchone() == ("VALID",)
    assert cursor.execute("select * from table(one)").fetchall() == [("a",)]
    cursor.execute("drop type point_t force")
    with pytest.raises(oracledb.DatabaseError, match="PLS-00905"):
        cursor.execute("declare p points_t; begin null; end;")


def test_types_of_others(types, schema, oracle, cursor):
    with contextmanager(new_schema)(oracle) as other, other.connection.cursor() as theirs:
        query = f"select * from table({schema.name}.names_t('x'))"
        with pytest.raises(oracledb.DatabaseError) as raised:
            theirs.execute(query)
        assert code_of(raised) in (904, 942, 1031)
        declared = f"declare n {schema.name}.names_t := {schema.name}.names_t('x'); begin :n := n(1); end;"
        with pytest.raises(oracledb.DatabaseError, match="PLS-00201"):
            theirs.execute(declared, n=theirs.var(str))
        cursor.execute(f"grant execute on names_t to {other.name}")
        assert theirs.execute(query).fetchall() == [("x",)]
        n = theirs.var(str)
        theirs.execute(declared, n=n)
        assert n.getvalue() == "x"
