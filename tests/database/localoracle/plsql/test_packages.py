"""CREATE PACKAGE and PACKAGE BODY: calls, state, overloads, errors, the dictionary."""

from __future__ import annotations

from contextlib import contextmanager

import oracledb
import pytest

from support.stand_in import new_schema

SPECIFICATION = """create or replace package counters as
  c_step constant number := 2;
  g_total number := 10;
  type names_t is table of varchar2(20) index by pls_integer;
  too_much exception;
  pragma exception_init(too_much, -20050);
  procedure add_to(p_amount number default c_step, p_total out number);
  procedure note(p_text varchar2);
  procedure note(p_number number);
  procedure note(p_text varchar2, p_times number);
  function total return number;
  function doubled(p_number number) return number;
  function first_name(p_names names_t) return varchar2;
end counters;"""
BODY = """create or replace package body counters as
  g_calls number := 0;

  function twice(p_number number) return number is
  begin
    return p_number * 2;
  end twice;

  procedure add_to(p_amount number default c_step, p_total out number) is
  begin
    g_calls := g_calls + 1;
    g_total := g_total + p_amount;
    if g_total > 100 then
      raise_application_error(-20050, 'too much');
    end if;
    p_total := counters.total;
  end;

  procedure note(p_text varchar2) is
  begin
    insert into notes values ('text ' || p_text, g_calls);
  end;

  procedure note(p_number number) is
  begin
    insert into notes values ('number ' || p_number, g_calls);
  end;

  procedure note(p_text varchar2, p_times number) is
  begin
    for i in 1 .. p_times loop
      note(p_text || i);
    end loop;
  end;

  function total return number is
  begin
    return g_total;
  end;

  function doubled(p_number number) return number is
  begin
    return twice(p_number);
  end;

  function first_name(p_names names_t) return varchar2 is
  begin
    return p_names(p_names.first);
  end;
begin
  g_total := g_total + 1;
end counters;"""


def code_of(error) -> int:
    return int(error.value.args[0].code)


@pytest.fixture
def cursor(schema):
    with schema.connection.cursor() as opened:
        yield opened


@pytest.fixture
def counters(cursor):
    cursor.execute("create table notes (t varchar2(40), n number)")
    cursor.execute(SPECIFICATION)
    assert cursor.warning is None
    cursor.execute(BODY)
    assert cursor.warning is None


def test_calls_and_state(counters, schema, oracle, cursor):
    total = cursor.var(int)
    cursor.callproc("counters.add_to", [5, total])
    assert total.getvalue() == 16
    cursor.execute("begin counters.add_to(p_total => :t); end;", t=total)
    assert total.getvalue() == 18
    assert cursor.callfunc("counters.total", int) == 18
    assert cursor.callfunc(f"{schema.name}.counters.doubled", int, [4]) == 8
    cursor.execute("begin counters.g_total := counters.g_total + counters.c_step; end;")
    cursor.execute("call counters.total() into :t", t=total)
    assert total.getvalue() == 20
    schema.connection.rollback()
    assert cursor.callfunc("counters.total", int) == 20
    with oracle.connect(schema.name, schema.password) as second:
        assert second.cursor().callfunc("counters.total", int) == 11


def test_overloads(counters, cursor):
    cursor.execute("begin counters.note('a'); counters.note(7); counters.note('b', 2); end;")
    assert cursor.execute("select t from notes order by rowid").fetchall() == [
        ("text a",),
        ("number 7",),
        ("text b1",),
        ("text b2",),
    ]
    with pytest.raises(oracledb.DatabaseError, match="PLS-00306"):
        cursor.execute("begin counters.note(); end;")
    with pytest.raises(oracledb.DatabaseError, match="PLS-00307"):
        cursor.execute("begin counters.note(null); end;")


def test_types_exceptions_and_variables(counters, cursor):
    result = cursor.var(str)
    cursor.execute(
        """declare
             l_names counters.names_t;
             l_total counters.g_total%type;
             l_count number;
           begin
             l_names(3) := 'third';
             :result := counters.first_name(l_names);
             insert into notes values ('x', counters.g_total);
             select count(*) into l_count from notes where n = counters.g_total;
             :result := :result || l_count;
             counters.add_to(1000, l_total);
           exception
             when counters.too_much then
               :result := :result || sqlcode;
           end;""",
        result=result,
    )
    assert result.getvalue() == "third1-20050"


def test_units_call_packages(counters, schema, cursor):
    cursor.execute(
        """create procedure through(p_total out number) is
           begin
             counters.add_to(1, p_total);
           end;"""
    )
    total = cursor.var(int)
    cursor.callproc("through", [total])
    cursor.callproc("through", [total])
    assert total.getvalue() == 13
    with pytest.raises(oracledb.DatabaseError) as raised:
        cursor.execute("declare t number; begin\n counters.add_to(1000, t); end;")
    assert str(raised.value).splitlines()[:3] == [
        "ORA-20050: too much",
        f'ORA-06512: at "{schema.name}.COUNTERS", line 14',
        "ORA-06512: at line 2",
    ]


@pytest.mark.parametrize(
    ("block", "code"),
    [
        ("begin counters.missing; end;", "PLS-00302"),
        ("begin counters.twice(1); end;", "PLS-00302"),
        ("begin counters.total; end;", "PLS-00221"),
        ("declare n number; begin n := counters.note('x'); end;", "PLS-00222"),
        ("declare n number; begin n := counters.doubled; end;", "PLS-00306"),
        ("begin counters.c_step := 1; end;", "PLS-00363"),
        ("begin counters.g_calls := 1; end;", "PLS-00302"),
        ("begin null; exception when counters.nothing then null; end;", "PLS-00302"),
        ("begin nothing.at_all; end;", "PLS-00201"),
        ("begin nothing.at_all := 1; end;", "PLS-00201"),
    ],
)
def test_compilation_errors_of_callers(counters, cursor, block, code):
    with pytest.raises(oracledb.DatabaseError, match=code) as raised:
        cursor.execute(block)
    assert code_of(raised) == 6550


def test_invalid_packages(counters, schema, cursor):
    cursor.execute(
        "create or replace package body counters as procedure note(p_text varchar2) is begin null; end; end;"
    )
    assert cursor.warning is not None
    cursor.execute("select type, line, text from user_errors where name = 'COUNTERS'")
    assert cursor.fetchall() == [
        (
            "PACKAGE BODY",
            1,
            "PLS-00323: subprogram or cursor 'ADD_TO' is declared in a package specification and must be"
            " defined in the package body",
        )
    ]
    with pytest.raises(oracledb.DatabaseError) as raised:
        cursor.execute("begin counters.note('x'); end;")
    assert code_of(raised) == 4063
    cursor.execute("drop package body counters")
    with pytest.raises(oracledb.DatabaseError) as raised:
        cursor.execute("begin counters.note('x'); end;")
    assert code_of(raised) == 4067
    cursor.execute("create package body lonely as procedure p is begin null; end; end;")
    cursor.execute("select text from user_errors where name = 'LONELY'")
    assert cursor.fetchall() == [("PLS-00304: cannot compile body of 'LONELY' without its specification",)]
    cursor.execute("create or replace package counters as procedure p(x nothing_t); end;")
    assert cursor.warning is not None
    with pytest.raises(oracledb.DatabaseError, match="PLS-00905"):
        cursor.execute("begin counters.p(1); end;")
    cursor.execute("drop package counters")
    with pytest.raises(oracledb.DatabaseError) as raised:
        cursor.execute("drop package counters")
    assert code_of(raised) == 4043


def test_state_is_discarded_when_another_session_compiles(counters, schema, oracle, cursor):
    assert cursor.callfunc("counters.total", int) == 11
    with oracle.connect(schema.name, schema.password) as second:
        second.cursor().execute(BODY)
    with pytest.raises(oracledb.DatabaseError) as raised:
        cursor.callfunc("counters.total", int)
    assert code_of(raised) == 4068
    assert cursor.callfunc("counters.total", int) == 11


@pytest.mark.parametrize(
    "statement",
    [
        "create package p authid current_user as procedure q; end;",
        "create package dbms_output as procedure q; end;",
        "create package p as pragma serially_reusable; procedure q; end;",
    ],
)
def test_refused(cursor, statement):
    with pytest.raises(oracledb.DatabaseError) as raised:
        cursor.execute(statement)
    assert code_of(raised) == 3001


def test_dictionary(counters, cursor):
    cursor.execute("select object_type, status from user_objects where object_name = 'COUNTERS' order by 1")
    assert cursor.fetchall() == [("PACKAGE", "VALID"), ("PACKAGE BODY", "VALID")]
    cursor.execute(
        "select procedure_name, subprogram_id, overload from user_procedures"
        " where object_name = 'COUNTERS' and procedure_name is not null order by subprogram_id"
    )
    assert cursor.fetchall() == [
        ("ADD_TO", 1, None),
        ("NOTE", 2, "1"),
        ("NOTE", 3, "2"),
        ("NOTE", 4, "3"),
        ("TOTAL", 5, None),
        ("DOUBLED", 6, None),
        ("FIRST_NAME", 7, None),
    ]
    cursor.execute("select count(*) from user_source where name = 'COUNTERS' and type = 'PACKAGE'")
    assert cursor.fetchone() == (SPECIFICATION.count("\n") + 1,)


@pytest.fixture
def prices(cursor):
    cursor.execute("create table kept (n number)")
    cursor.execute("create type lines_t is table of varchar2(30)")
    cursor.execute(
        """create or replace package prices as
             c_tax constant number := 20;
             g_calls number := 0;
             function gross(p_net number) return number;
             function text_of(p_net number, p_unit varchar2 default 'EUR') return varchar2;
             function text_of(p_date date) return varchar2;
             function lines(p_count number) return lines_t pipelined;
             function counted return number;
             procedure keep(p_net number);
           end;"""
    )
    cursor.execute(
        """create or replace package body prices as
             function gross(p_net number) return number is
             begin
               return p_net * (100 + c_tax) / 100;
             end;
             function text_of(p_net number, p_unit varchar2 default 'EUR') return varchar2 is
             begin
               return gross(p_net) || ' ' || p_unit;
             end;
             function text_of(p_date date) return varchar2 is
             begin
               return to_char(p_date, 'YYYY');
             end;
             function lines(p_count number) return lines_t pipelined is
             begin
               for i in 1 .. p_count loop
                 pipe row ('line ' || i);
               end loop;
               return;
             end;
             function counted return number is
             begin
               g_calls := g_calls + 1;
               return g_calls;
             end;
             procedure keep(p_net number) is
             begin
               insert into kept values (gross(p_net));
             end;
           end;"""
    )
    assert cursor.warning is None


def test_functions_in_sql(prices, schema, cursor):
    cursor.execute(f"select prices.gross(10), {schema.name}.prices.text_of(5, 'USD') from dual")
    assert cursor.fetchall() == [(12, "6 USD")]
    cursor.execute("select prices.text_of(date '2024-02-29'), prices.text_of(:n) from dual", n=1)
    assert cursor.fetchall() == [("2024", "1.2 EUR")]
    assert cursor.execute("select column_value from table(prices.lines(2))").fetchall() == [
        ("line 1",),
        ("line 2",),
    ]
    with pytest.raises(oracledb.DatabaseError, match="G_CALLS of a package") as raised:
        cursor.execute("select prices.counted() from dual")
    assert code_of(raised) == 3001
    with pytest.raises(oracledb.DatabaseError) as raised:
        cursor.execute("select prices.nothing(1) from dual")
    assert code_of(raised) == 904
    assert cursor.callfunc("prices.counted", int) == 1
    cursor.callproc("prices.keep", [10])
    assert cursor.execute("select n from kept").fetchone() == (12,)
    cursor.execute("drop package body prices")
    with pytest.raises(oracledb.DatabaseError):
        cursor.execute("select prices.gross(10) from dual")


def test_triggers_call_packages(prices, cursor):
    cursor.execute("create table orders (net number, gross number)")
    cursor.execute(
        """create trigger orders_priced before insert on orders for each row
           begin
             :new.gross := prices.gross(:new.net);
             prices.keep(:new.net);
           end;"""
    )
    cursor.execute("insert into orders (net) values (100)")
    assert cursor.execute("select gross from orders").fetchone() == (120,)
    assert cursor.execute("select n from kept").fetchone() == (120,)


def test_clients_bind_arrays(cursor):
    cursor.execute(
        """create package arrays as
             type numbers is table of number index by binary_integer;
             type names is table of number index by varchar2(10);
             procedure turn(p_in in numbers, p_out out numbers);
             procedure take(p_in in names);
           end;"""
    )
    cursor.execute(
        """create package body arrays as
             procedure turn(p_in in numbers, p_out out numbers) is
             begin
               for i in 1 .. p_in.count loop p_out(i) := p_in(p_in.count + 1 - i); end loop;
             end;
             procedure take(p_in in names) is begin null; end;
           end;"""
    )
    turned = cursor.arrayvar(oracledb.NUMBER, 10)
    given = cursor.arrayvar(oracledb.NUMBER, [1, 2, 3])
    cursor.execute("begin arrays.turn(:1, :2); end;", [given, turned])
    assert turned.getvalue() == [3, 2, 1]
    with pytest.raises(oracledb.DatabaseError) as raised:
        cursor.execute("begin arrays.turn(:1, :2); end;", [cursor.arrayvar(oracledb.STRING, ["x"]), turned])
    assert code_of(raised) == 6502
    with pytest.raises(oracledb.DatabaseError) as raised:
        cursor.execute("begin arrays.take(:1); end;", [given])
    assert code_of(raised) == 6550


def test_rights_of_others(prices, schema, oracle, cursor):
    with contextmanager(new_schema)(oracle) as other, other.connection.cursor() as theirs:
        query = f"select {schema.name}.prices.gross(10) from dual"
        with pytest.raises(oracledb.DatabaseError):
            theirs.execute(query)
        with pytest.raises(oracledb.DatabaseError, match="PLS-00201"):
            theirs.execute(f"begin {schema.name}.prices.keep(1); end;")
        cursor.execute(f"grant execute on prices to {other.name}")
        assert theirs.execute(query).fetchone() == (12,)
        with pytest.raises(oracledb.DatabaseError) as raised:
            theirs.execute(f"begin {schema.name}.prices.keep(1); end;")
        assert code_of(raised) == 3001
