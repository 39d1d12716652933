"""Anonymous blocks through the real driver: values, control flow, SQL inside, exceptions."""

from __future__ import annotations

import datetime
from decimal import Decimal

import oracledb
import pytest


def run(cursor: oracledb.Cursor, text: str, **outputs: object) -> list[object]:
    """Run a block; `outputs` names OUT binds with their types; returns their values in that order."""
    binds = {name: cursor.var(kind) for name, kind in outputs.items()}
    cursor.execute(text, binds)
    return [bind.getvalue() for bind in binds.values()]


def code_of(error: pytest.ExceptionInfo[oracledb.DatabaseError]) -> int:
    return int(error.value.args[0].code)


def text_of(error: pytest.ExceptionInfo[oracledb.DatabaseError]) -> str:
    """The server's own text; the driver adds a line with a link."""
    return str(error.value.args[0].message).split("\nHelp: ")[0]


@pytest.fixture
def cursor(schema):  # type: ignore[no-untyped-def]
    with schema.connection.cursor() as opened:
        yield opened


def test_empty_block(cursor):
    cursor.execute("begin null; end;")


@pytest.mark.parametrize(
    ("expression", "kind", "expected"),
    [
        ("1/4", Decimal, Decimal("0.25")),
        ("7 + 3 * 2 ** 3", int, 31),
        ("'a' || null || 1.50 || 'b'", str, "a1.5b"),
        ("to_char(0.5)", str, ".5"),
        ("nvl(null, 'x')", str, "x"),
        ("nvl2('a', 1, 2)", int, 1),
        ("nullif('a', 'a')", str, None),
        ("substr('abcdef', -3, 2)", str, "de"),
        ("instr('abcabc', 'b', 1, 2)", int, 5),
        ("instr('abcabc', 'b', -1)", int, 5),
        ("mod(-7, 3)", int, -1),
        ("round(2.5) + trunc(-2.7) + ceil(0.1)", int, 2),
        ("round(1234.567, -2)", int, 1200),
        ("case when null = null then 'yes' else 'no' end", str, "no"),
        ("case 3 when 1 then 'a' when 3 then 'c' end", str, "c"),
        ("lpad('7', 3, '0') || rpad('x', 2, '-')", str, "007x-"),
        ("greatest(3, 10, 7) - least(4, 2)", int, 8),
        ("to_number('12.5') + '7.5'", int, 20),
        ("rawtohex(hextoraw('0aff'))", str, "0AFF"),
        ("to_char(date '2024-02-29', 'YYYY-MM-DD')", str, "2024-02-29"),
        ("to_char(date '2024-02-28' + 1, 'DD.MM')", str, "29.02"),
        ("date '2024-03-01' - date '2024-02-01'", int, 29),
        ("length(cast(12345 as varchar2(10)))", int, 5),
        ("extract(year from date '2024-02-29')", int, 2024),
        ("upper(replace('a-b', '-', '+'))", str, "A+B"),
        ("dbms_crypto.hash_sh256", int, 4),
        ("''", str, None),
        ("length('')", int, None),
    ],
)
def test_expressions(oracle, expression, kind, expected):
    with oracle.connect() as connection, connection.cursor() as cursor:
        (value,) = run(cursor, f"begin :result := {expression}; end;", result=kind)
    assert value == expected


def test_three_valued_logic(cursor):
    (value,) = run(
        cursor,
        """declare b boolean; r varchar2(100);
        begin
          b := null;
          if b or true then r := r || '1'; end if;
          if b and false then r := r || '2'; end if;
          if not (b and false) then r := r || '3'; end if;
          if b then r := r || '4'; else r := r || '5'; end if;
          if 'x' in ('y', null) then r := r || '6'; end if;
          if not ('x' in ('y', null)) then r := r || '7'; end if;
          if 'abc' like 'a\\_c' escape '\\' then r := r || '8'; end if;
          if 'a_c' like 'a\\_c' escape '\\' then r := r || '9'; end if;
          :r := r;
        end;""",
        r=str,
    )
    assert value == "1359"


def test_loops_and_labels(cursor):
    (value,) = run(
        cursor,
        """declare total number := 0; i pls_integer := 0;
        begin
          <<outer>>
          for a in 1 .. 5 loop
            for b in reverse 1 .. 5 loop
              continue outer when b < a;
              exit outer when a = 4;
              total := total + a * b;
            end loop;
          end loop;
          while i < 3 loop i := i + 1; end loop;
          loop i := i + 1; exit when i >= 10; end loop;
          :r := total * 100 + i;
        end;""",
        r=int,
    )
    assert value == (sum(range(1, 6)) + 2 * (2 + 3 + 4 + 5) + 3 * (3 + 4 + 5)) * 100 + 10


def test_collections_and_records(cursor):
    (value,) = run(
        cursor,
        """declare
          type names is table of varchar2(20) index by varchar2(10);
          type numbers is table of number;
          type point is record (x number := 1, y number);
          type points is table of point index by pls_integer;
          n names; l numbers := numbers(1, 2, 3); p points; r varchar2(200); k varchar2(10);
        begin
          n('b') := 'B'; n('a') := 'A'; n('c') := 'C'; n.delete('b');
          k := n.first;
          while k is not null loop r := r || n(k); k := n.next(k); end loop;
          l.extend; l(4) := 4; l.extend(2); l.trim; l.delete(2);
          r := r || l.count || l.last || case when l.exists(2) then 'y' else 'n' end;
          p(7).y := 9;
          r := r || p(7).y || p.count || p.first;
          :r := r;
        end;""",
        r=str,
    )
    assert value == "AC45n917"


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("declare type t is table of number; l t; begin l(1) := 1; end;", 6531),
        ("declare type t is table of number; l t := t(); begin l(1) := 1; end;", 6533),
        ("declare type t is varray(2) of number; l t := t(1, 2); begin l.extend; end;", 6532),
        (
            "declare type t is table of number index by pls_integer; l t; n number; begin n := l(1); end;",
            1403,
        ),
        ("declare x varchar2(2); begin x := 'abc'; end;", 6502),
        ("declare x number(2); begin x := 100; end;", 6502),
        ("declare x number; begin x := 'abc'; end;", 6502),
        ("declare x number not null := 1; begin x := null; end;", 6502),
        ("declare x number; begin x := 1 / 0; end;", 1476),
        ("declare x pls_integer; begin x := 2147483648; end;", 1426),
        ("declare e exception; begin raise e; end;", 6510),
        ("declare n number; begin select 1 into n from dual where 1 = 0; end;", 1403),
        ("declare n number; begin select level into n from dual connect by level <= 2; end;", 1422),
        ("begin case 1 when 2 then null; end case; end;", 6592),
        ("begin raise_application_error(-100, 'x'); end;", 21000),
    ],
)
def test_run_time_errors(oracle, statement, code):
    with (
        oracle.connect() as connection,
        connection.cursor() as cursor,
        pytest.raises(oracledb.DatabaseError) as raised,
    ):
        cursor.execute(statement)
    assert code_of(raised) == code
    assert text_of(raised).splitlines()[-1].startswith("ORA-06512: at line 1")


@pytest.mark.parametrize(
    ("statement", "plsql_code", "line", "column"),
    [
        ("begin\n  null end;", "PLS-00103", 2, 8),
        ("begin", "PLS-00103", 1, 6),
        ("begin\n  nothing_here(1);\nend;", "PLS-00201", 2, 3),
        ("begin :a := no_such_name; end;", "PLS-00201", 1, 13),
        ("begin dbms_lob.no_such(1); end;", "PLS-00302", 1, 16),
        ("begin dbms_output.put_line(1, 2); end;", "PLS-00306", 1, 19),
        ("begin dbms_output.put_line(text => 1); end;", "PLS-00306", 1, 19),
        ("declare x constant number := 1; begin x := 2; end;", "PLS-00363", 1, 39),
        ("begin for i in 1..2 loop i := 3; end loop; end;", "PLS-00363", 1, 26),
        ("begin select 1 from dual; end;", "PLS-00428", 1, 7),
        ("begin dbms_output.put_line(true); end;", "PLS-00306", 1, 19),
        ("declare x no_table.c%type; begin null; end;", "PLS-00201", 1, 11),
        ("begin raise; end;", "PLS-00367", 1, 7),
        ("begin if 1 then null; end if; end;", "PLS-00382", 1, 10),
        ("begin :a := dbms_output.put_line('x'); end;", "PLS-00222", 1, 25),
    ],
)
def test_compilation_errors(oracle, statement, plsql_code, line, column):
    with oracle.connect() as connection, connection.cursor() as cursor:
        binds = {"a": cursor.var(str)} if ":a" in statement else {}
        with pytest.raises(oracledb.DatabaseError) as raised:
            cursor.execute(statement, binds)
    assert code_of(raised) == 6550
    first, second = text_of(raised).splitlines()[:2]
    assert first == f"ORA-06550: line {line}, column {column}:"
    assert second.startswith(plsql_code + ":")


@pytest.mark.parametrize(
    "statement",
    [
        "begin\n goto x;\nend;",
        "declare\n pragma autonomous_transaction; begin null; end;",
        "begin\n dbms_lob.fragment_delete(empty_blob(), 1, 1); end;",
    ],
)
def test_what_is_not_known_is_refused_with_its_line(oracle, statement):
    with (
        oracle.connect() as connection,
        connection.cursor() as cursor,
        pytest.raises(oracledb.DatabaseError) as raised,
    ):
        cursor.execute(statement)
    assert code_of(raised) in (3001, 6550)
    assert "line 2" in text_of(raised)


def test_exceptions(cursor):
    code, message, after = run(
        cursor,
        """declare
          e exception; pragma exception_init(e, -20005); r varchar2(100);
        begin
          begin
            raise_application_error(-20005, 'five');
          exception when no_data_found or too_many_rows then r := 'wrong';
            when e then :code := sqlcode; :message := sqlerrm;
          end;
          begin
            declare n number; begin select 1 into n from dual where 1 = 0; end;
          exception when others then r := r || sqlcode;
          end;
          begin
            begin raise zero_divide; exception when zero_divide then raise; end;
          exception when others then r := r || sqlcode;
          end;
          :after := r || sqlcode;
        end;""",
        code=int,
        message=str,
        after=str,
    )
    assert (code, message, after) == (-20005, "ORA-20005: five", "100-14760")


def test_stack_of_a_nested_call(oracle):
    with (
        oracle.connect() as connection,
        connection.cursor() as cursor,
        pytest.raises(oracledb.DatabaseError) as raised,
    ):
        cursor.execute("declare\n procedure p is\n begin\n raise no_data_found;\n end;\nbegin\n p;\nend;")
    assert text_of(raised) == "ORA-01403: no data found\nORA-06512: at line 4\nORA-06512: at line 7"


def test_local_subprograms(cursor):
    first, second = run(
        cursor,
        """declare
          n number := 1;
          s varchar2(10);
          function factorial(n number) return number is
          begin if n < 2 then return 1; end if; return n * factorial(n - 1); end;
          procedure change(a in out number, b number default 10, c out varchar2) is
          begin a := a + b; c := 'c' || a; end change;
        begin
          change(n, c => s);
          :first := factorial(n - 6);
          :second := s;
        end;""",
        first=int,
        second=str,
    )
    assert (first, second) == (120, "c11")


def test_static_sql(schema, cursor):
    cursor.execute("create table people (id number primary key, name varchar2(20), born date)")
    values = run(
        cursor,
        """declare
          type ids is table of people.id%type index by pls_integer;
          type rows is table of people%rowtype;
          v_ids ids; v_rows rows; v_name people.name%type; id number := 2; v_row people%rowtype; counted
          number; r varchar2(100);
          cursor c(p_low number) is select id, name from people where people.id >= p_low order by people.id;
          one c%rowtype;
        begin
          for i in 1 .. 4 loop insert into people (id, name, born) values (i, 'n' || i, date '2000-01-01' +
          i); end loop;
          r := sql%rowcount;
          update people set name = upper(name) where people.id between 2 and 3 returning id bulk collect into
          v_ids;
          r := r || ',' || sql%rowcount || ',' || v_ids.count;
          -- a column of the table hides the variable of the same name
          select count(*) into counted from people where id = id;
          r := r || ',' || counted;
          select * into v_row from people where people.id = test_static_sql.v_row.id or name = 'N2';
          r := r || ',' || v_row.name || to_char(v_row.born, 'DD');
          select * bulk collect into v_rows from people order by 1;
          r := r || ',' || v_rows(4).name || v_rows.count;
          for x in c(3) loop r := r || ',' || x.id || x.name || c%rowcount; end loop;
          open c(p_low => 4); fetch c into one; r := r || ',' || one.name;
          fetch c into one; if c%notfound then r := r || ',end'; end if; close c;
          forall i in 1 .. v_ids.count delete from people where people.id = v_ids(i);
          r := r || ',' || sql%rowcount;
          delete from people where people.id = 4 returning name into v_name;
          r := r || ',' || v_name;
          v_row.id := 9; v_row.name := 'rec'; insert into people values v_row;
          merge into people p using (select 9 id, 'merged' name from dual) s on (p.id = s.id)
            when matched then update set p.name = s.name;
          select max(name) into v_name from people where people.id = 9;
          :r := r || ',' || v_name;
        end;""".replace("test_static_sql.v_row.id", "v_row.id"),
        r=str,
    )
    assert values == ["1,2,2,4,N203,n44,3N31,4n42,n4,end,2,n4,merged"]


def test_dynamic_sql(schema, cursor):
    values = run(
        cursor,
        """declare n number; s varchar2(50); c sys_refcursor; total number := 0;
          type t is table of number; l t;
        begin
          execute immediate 'create table dyn (a number, b varchar2(10))';
          execute immediate 'insert into dyn values (:1, :2) returning a into :3' using 5, 'five' returning
          into n;
          execute immediate 'select b from dyn where a = :x' into s using n;
          execute immediate 'begin :a := :a + :b; end;' using in out n, 10;
          open c for 'select level from dual connect by level <= :1' using 4;
          loop fetch c into total; exit when c%notfound; end loop;
          close c;
          execute immediate 'select level from dual connect by level <= 3' bulk collect into l;
          :s := s || n || total || l.count;
        end;""",
        s=str,
    )
    assert values == ["five1543"]


def test_a_failed_block_leaves_nothing(schema, cursor):
    cursor.execute("create table kept (a number)")
    cursor.execute("insert into kept values (1)")
    with pytest.raises(oracledb.DatabaseError):
        cursor.execute("begin insert into kept values (2); raise no_data_found; end;")
    cursor.execute(
        "begin insert into kept values (3); begin insert into kept values ('x'); exception when others then "
        "null; end; end;"
    )
    assert cursor.execute("select a from kept order by a").fetchall() == [(1,), (3,)]
    cursor.execute("begin insert into kept values (4); commit; insert into kept values (5); rollback; end;")
    assert cursor.execute("select count(*) from kept").fetchone() == (3,)
    cursor.execute("begin savepoint s; insert into kept values (6); rollback to s; end;")
    assert cursor.execute("select count(*) from kept").fetchone() == (3,)


def test_ref_cursor_and_arrays(schema, cursor):
    rows = cursor.var(oracledb.DB_TYPE_CURSOR)
    cursor.execute(
        "begin open :c for select level n, 'x' || level t from dual connect by level <= 3; end;", c=rows
    )
    assert rows.getvalue().fetchall() == [(1, "x1"), (2, "x2"), (3, "x3")]
    numbers = cursor.arrayvar(int, [4, 5, 6])
    total = cursor.var(int)
    cursor.execute(
        """declare type t is table of number index by binary_integer; n number := 0;
        begin for i in 1 .. 3 loop n := n + 1; end loop; :total := n; end;""",
        total=total,
    )
    assert total.getvalue() == 3
    assert numbers.getvalue() == [4, 5, 6]


def test_bind_directions_and_types(cursor):
    moment = datetime.datetime(2024, 5, 6, 7, 8, 9)
    raw = cursor.var(oracledb.DB_TYPE_RAW, 10)
    when = cursor.var(oracledb.DB_TYPE_DATE)
    both = cursor.var(int)
    both.setvalue(0, 5)
    clob = cursor.var(oracledb.DB_TYPE_CLOB)
    cursor.execute(
        "begin :w := :i + 1; :r := utl_raw.concat(hextoraw('01'), :x); :n := :n * 2; :c := rpad('x', 40000, "
        "'y') || 'z'; end;".replace(
            "rpad('x', 40000, 'y')", "to_clob(rpad('x', 30000, 'y')) || rpad('x', 30000, 'y')"
        ),
        w=when,
        i=moment,
        r=raw,
        x=b"\x02",
        n=both,
        c=clob,
    )
    assert when.getvalue() == moment + datetime.timedelta(days=1)
    assert raw.getvalue() == b"\x01\x02"
    assert both.getvalue() == 10
    text = clob.getvalue().read()
    assert (len(text), text[-1]) == (60001, "z")


def test_call_statement_and_callproc(cursor):
    cursor.callproc("dbms_output.enable")
    cursor.callproc("dbms_output.put_line", ["hello"])
    line, status = cursor.var(str), cursor.var(int)
    cursor.callproc("dbms_output.get_line", [line, status])
    assert (line.getvalue(), status.getvalue()) == ("hello", 0)
    cursor.execute("call dbms_output.put_line('again')")
    lines = cursor.arrayvar(str, 10)
    count = cursor.var(int)
    count.setvalue(0, 10)
    cursor.callproc("dbms_output.get_lines", [lines, count])
    assert lines.getvalue()[: count.getvalue()] == ["again"]
    assert cursor.callfunc("dbms_utility.get_hash_value", int, ["x", 5, 1]) == 5
    assert cursor.callfunc("utl_raw.length", int, keyword_parameters={"r": b"abc"}) == 3


def test_sequences_and_user(schema, cursor):
    cursor.execute("create sequence counting start with 7")
    values = run(
        cursor, "begin :a := counting.nextval; :b := counting.currval; :c := user; end;", a=int, b=int, c=str
    )
    assert values[:2] == [7, 7]
    assert values[2] == schema.name
