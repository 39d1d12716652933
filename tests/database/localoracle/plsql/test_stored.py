"""Stored procedures and functions, triggers: created, fired, shown in the dictionary."""

from __future__ import annotations

import oracledb
import psycopg
import pytest

from localoracle.instance.cluster import Cluster


def code_of(error) -> int:
    return int(error.value.args[0].code)


@pytest.fixture
def cursor(schema):
    with schema.connection.cursor() as opened:
        yield opened


def test_procedures_and_functions(schema, cursor):
    cursor.execute("create table log_lines (n number, t varchar2(20))")
    cursor.execute(
        """create or replace procedure add_line(p_n in number, p_t varchar2 default 'none', p_total out
        number) is
        begin
          insert into log_lines values (p_n, p_t);
          select count(*) into p_total from log_lines;
        end add_line;"""
    )
    cursor.execute("create function doubled(n number) return number is begin return n * 2; end;")
    total = cursor.var(int)
    cursor.callproc("add_line", [1, "x", total])
    cursor.callproc("add_line", [2], {"p_total": total})
    assert total.getvalue() == 2
    assert cursor.callfunc("doubled", int, [21]) == 42
    cursor.execute(f"begin {schema.name}.add_line(doubled(4), p_total => :t); end;", t=total)
    assert cursor.execute("select n, t from log_lines order by n").fetchall() == [
        (1, "x"),
        (2, "none"),
        (8, "none"),
    ]
    with pytest.raises(oracledb.DatabaseError) as raised:
        cursor.execute("begin add_line(1); end;")
    assert code_of(raised) == 6550
    with pytest.raises(oracledb.DatabaseError) as raised:
        cursor.execute("create procedure add_line is begin null; end;")
    assert code_of(raised) == 955
    cursor.execute("create or replace procedure add_line is begin\n raise no_data_found; end;")
    with pytest.raises(oracledb.DatabaseError) as raised:
        cursor.callproc("add_line")
    assert str(raised.value).splitlines()[:3] == [
        "ORA-01403: no data found",
        f'ORA-06512: at "{schema.name}.ADD_LINE", line 2',
        "ORA-06512: at line 1",
    ]


@pytest.mark.parametrize(
    "statement",
    [
        "create library l as 'l.so'",
        "create trigger t before logon on database begin null; end;",
    ],
)
def test_units_that_are_refused(cursor, statement):
    with pytest.raises(oracledb.DatabaseError) as raised:
        cursor.execute(statement)
    assert code_of(raised) == 3001


def test_row_trigger(schema, cursor):
    cursor.execute(
        "create table people (id number primary key, name varchar2(20), changed date, version number "
        "default 0)"
    )
    cursor.execute(
        "create table audit_lines (what varchar2(10), old_name varchar2(20), new_name varchar2(20), n number)"
    )
    cursor.execute(
        """CREATE OR REPLACE TRIGGER PEOPLE_CHANGED
BEFORE INSERT OR UPDATE OF NAME OR DELETE ON PEOPLE
FOR EACH ROW
DECLARE
  v_count NUMBER;
  v_what VARCHAR2(10) := 'none';
BEGIN
  IF INSERTING THEN
    v_what := 'insert';
    :NEW.CHANGED := SYSDATE;
  ELSIF UPDATING THEN
    v_what := 'update';
    :NEW.VERSION := NVL(:OLD.VERSION, 0) + 1;
    IF UPPER(:NEW.NAME) = 'BAD' AND NOT DELETING THEN
      RAISE_APPLICATION_ERROR(-20010, 'no ' || :NEW.NAME || ' for ' || :OLD.NAME);
    END IF;
  ELSE
    v_what := 'delete';
  END IF;
  SELECT COUNT(*) INTO v_count FROM AUDIT_LINES;
  INSERT INTO AUDIT_LINES (WHAT, OLD_NAME, NEW_NAME, N) VALUES (v_what, :OLD.NAME, :NEW.NAME, v_count);
END;"""
    )
    cursor.execute("insert into people (id, name) values (1, 'one')")
    cursor.execute("update people set name = 'uno' where id = 1")
    cursor.execute("update people set version = 9 where id = 1")
    (changed, version) = cursor.execute("select changed, version from people").fetchone()
    assert changed is not None
    assert version == 9
    with pytest.raises(oracledb.DatabaseError) as raised:
        cursor.execute("update people set name = 'bad' where id = 1")
    assert code_of(raised) == 20010
    assert str(raised.value).splitlines()[:3] == [
        "ORA-20010: no bad for uno",
        f'ORA-06512: at "{schema.name}.PEOPLE_CHANGED", line 12',
        f"ORA-04088: error during execution of trigger '{schema.name}.PEOPLE_CHANGED'",
    ]
    cursor.execute("delete from people")
    rows = cursor.execute("select what, old_name, new_name, n from audit_lines order by n").fetchall()
    assert rows == [("insert", None, "one", 0), ("update", "one", "uno", 1), ("delete", "uno", None, 2)]
    row = cursor.execute(
        "select trigger_type, triggering_event, table_name, status from user_triggers where trigger_name = "
        "'PEOPLE_CHANGED'"
    ).fetchone()
    assert row == ("BEFORE EACH ROW", "INSERT OR UPDATE OR DELETE", "PEOPLE", "ENABLED")


def test_alter_and_drop(cursor):
    cursor.execute("create table t (a number)")
    cursor.execute("create trigger five before insert on t for each row begin :new.a := 5; end;")
    for statement, expected in (
        ("alter trigger five disable", 1),
        ("alter trigger five enable", 5),
        ("drop trigger five", 1),
    ):
        cursor.execute(statement)
        cursor.execute("delete from t")
        cursor.execute("insert into t values (1)")
        assert cursor.execute("select a from t").fetchone() == (expected,)
    cursor.execute("create procedure nothing is begin null; end;")
    cursor.execute("alter procedure nothing compile")
    cursor.execute("drop procedure nothing")
    for statement, code in (
        ("drop trigger five", 4080),
        ("drop procedure nothing", 4043),
        ("begin nothing; end;", 6550),
        ("drop function nothing", 4043),
        ("drop package p", 4043),
    ):
        with pytest.raises(oracledb.DatabaseError) as raised:
            cursor.execute(statement)
        assert code_of(raised) == code


def test_when_condition_and_after_statement(cursor):
    cursor.execute("create table stock (id number, amount number)")
    cursor.execute("create table counts (n number)")
    cursor.execute(
        "create trigger stock_low before update on stock for each row when (new.amount < 0 and old.amount "
        ">= 0)"
        " begin :new.amount := 0; end;"
    )
    cursor.execute(
        "create trigger stock_counted after insert or update on stock"
        " declare n number; begin select count(*) into n from stock; insert into counts values (n); end;"
    )
    cursor.execute("insert into stock select level, level from dual connect by level <= 3")
    cursor.execute("update stock set amount = amount - 2")
    assert cursor.execute("select id, amount from stock order by id").fetchall() == [(1, 0), (2, 0), (3, 1)]
    assert cursor.execute("select n from counts").fetchall() == [(3,), (3,)]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("before insert on t for each row begin :old.a := 1; end;", 4085),
        ("after insert on t for each row begin :new.a := 1; end;", 4084),
        ("before insert on t begin :new.a := 1; end;", 4082),
        ("before insert on no_table for each row begin null; end;", 942),
    ],
)
def test_triggers_that_are_not_made(cursor, body, code):
    cursor.execute("create table t (a number)")
    with pytest.raises(oracledb.DatabaseError) as raised:
        cursor.execute(f"create or replace trigger wrong {body}")
    assert code_of(raised) == code


def test_a_dropped_table_takes_its_triggers_along(schema, cursor):
    cursor.execute("create table watched (n number)")
    cursor.execute("create trigger watch before insert on watched for each row begin :new.n := 1; end;")
    cursor.execute("drop table watched purge")
    cursor.execute("create table watched (n number)")
    cursor.execute("create trigger watch before insert on watched for each row begin :new.n := 2; end;")
    cursor.execute("insert into watched values (0)")
    assert cursor.execute("select n from watched").fetchall() == [(2,)]
    cursor.execute("drop trigger watch")
    with psycopg.connect(Cluster(schema.server.instance).conninfo) as connection:
        left = connection.execute(
            "SELECT proname FROM pg_proc WHERE pronamespace = to_regnamespace(%s)", [f'"{schema.name}"']
        ).fetchall()
    assert left == []


def test_constraint_names_are_unique_in_a_schema(cursor):
    cursor.execute("create table first_one (n number constraint only_once check (n > 0))")
    for statement in (
        "create table second_one (n number constraint only_once check (n > 0))",
        "create table second_one (n number, constraint only_once primary key (n))",
    ):
        with pytest.raises(oracledb.DatabaseError) as raised:
            cursor.execute(statement)
        assert code_of(raised) in (2264, 955)
    cursor.execute("create table third_one (n number)")
    with pytest.raises(oracledb.DatabaseError) as raised:
        cursor.execute("alter table third_one add constraint only_once check (n < 9)")
    assert code_of(raised) == 2264
    cursor.execute("drop table first_one purge")
    cursor.execute("alter table third_one add constraint only_once check (n < 9)")


def test_comments_before_a_unit(cursor):
    cursor.execute("-- create procedures\n/* create function x */ create procedure p as begin null; end;")
    cursor.callproc("p")


def test_a_unit_that_does_not_compile_is_invalid(schema, cursor):
    """CREATE PROCEDURE of SQL Language Reference: the unit is stored, and the client warned (ORA-24344)."""
    cursor.execute("create procedure p as\nbegin\n null\nend;")
    assert cursor.warning.full_code == "DPY-7000"
    status = "select status from user_objects where object_name = 'P'"
    assert cursor.execute(status).fetchone() == ("INVALID",)
    errors = "select name, type, line, position, substr(text, 1, 9) from user_errors"
    assert cursor.execute(errors).fetchall() == [("P", "PROCEDURE", 4, 1, "PLS-00103")]
    with pytest.raises(oracledb.DatabaseError, match=r"PLS-00905: object .*P is invalid"):
        cursor.callproc("p")
    cursor.execute("create or replace procedure p as begin null; end;")
    assert cursor.warning is None
    assert cursor.execute(status).fetchone() == ("VALID",)
    assert cursor.execute(errors).fetchall() == []
    cursor.callproc("p")
    cursor.execute("create or replace function f return number as begin return null end;")
    assert cursor.warning.full_code == "DPY-7000"
    cursor.execute("drop function f")
    assert cursor.execute(errors).fetchall() == []


def test_packages_and_types_that_are_not_here(cursor):
    for block in (
        "declare p dbms_service.svc_parameter_array; begin null; end;",
        "declare c sys_refcursor; begin dbms_sql.return_result(c); end;",
        "begin :1 := dbms_pickler.get_type_shape('x'); end;",
    ):
        with pytest.raises(oracledb.DatabaseError, match="ORA-03001"):
            cursor.execute(block, [None] if ":1" in block else [])
    for statement in (
        "select dbms_debug_jdwp.current_session_id from dual",
        "select cursor(select 1 from dual) from dual",
    ):
        with pytest.raises(oracledb.DatabaseError, match="ORA-03001"):
            cursor.execute(statement)


def test_a_procedure_that_opens_a_cursor_for_its_caller(schema, cursor):
    cursor.execute(
        "create procedure p (c out sys_refcursor) as begin open c for select 'row' from dual; end;"
    )
    rows = cursor.var(oracledb.DB_TYPE_CURSOR)
    cursor.callproc("p", [rows])
    assert rows.getvalue().fetchall() == [("row",)]


def test_a_condition_of_case_may_be_a_boolean(cursor):
    cursor.execute(
        "create function told (sure boolean) return varchar2 as begin"
        " return case when not sure or false then 'no' when sure and 1 < 2 then 'yes' else 'maybe' end; end;"
    )
    answers = [cursor.callfunc("told", str, [sure]) for sure in (True, False, None)]
    assert answers == ["yes", "no", "maybe"]


def test_what_a_unit_calls_is_looked_up_when_it_is_compiled(cursor):
    cursor.execute("create procedure caller as begin helper(1); end;")
    assert cursor.warning is not None
    cursor.execute("select line, position, text from user_errors where name = 'CALLER'")
    assert cursor.fetchall() == [(1, 27, "PLS-00201: identifier 'HELPER' must be declared")]
    with pytest.raises(oracledb.DatabaseError) as error:
        cursor.execute("begin caller; end;")
    assert "PLS-00905: object" in str(error.value)
    cursor.execute("create procedure helper(n number) as m number; begin m := n + surplus; end;")
    assert cursor.warning is not None
    cursor.execute("create or replace procedure helper(n number) as begin null; end;")
    assert cursor.warning is None
    cursor.execute("begin caller; end;")
    cursor.execute("select count(*) from user_objects where status = 'INVALID'")
    assert cursor.fetchone() == (0,)


@pytest.mark.parametrize(
    ("unit", "code"),
    [
        ("procedure wrong as n number; begin n := doing; end;", "PLS-00222"),
        ("procedure wrong as begin telling; end;", "PLS-00221"),
    ],
)
def test_a_unit_that_uses_another_as_it_is_not(cursor, unit, code):
    cursor.execute("create procedure doing as begin null; end;")
    cursor.execute("create function telling return number as begin return 1; end;")
    cursor.execute(f"create {unit}")
    cursor.execute("select text from user_errors where name = 'WRONG'")
    assert cursor.fetchone()[0].startswith(code)


def test_units_that_call_themselves_and_each_other(cursor):
    cursor.execute("create procedure ping(n number) as begin if n > 0 then pong(n - 1); end if; end;")
    assert cursor.warning is not None
    cursor.execute("create procedure pong(n number) as begin if n > 0 then ping(n - 1); end if; end;")
    assert cursor.warning is None
    cursor.execute("begin ping(3); end;")
    cursor.execute(
        "create function factorial(n number) return number as"
        " begin if n < 2 then return 1; end if; return n * factorial(n - 1); end;"
    )
    assert cursor.callfunc("factorial", int, [5]) == 120


@pytest.mark.parametrize(
    "compiled",
    [
        "PROCEDURE P COMPILE",
        "PROCEDURE P COMPILE REUSE SETTINGS",
        "PROCEDURE P COMPILE DEBUG PLSQL_OPTIMIZE_LEVEL = 2 PLSQL_CCFLAGS='A:1' REUSE SETTINGS",
        "PACKAGE Q COMPILE",
        "PACKAGE Q COMPILE PACKAGE REUSE SETTINGS",
        "PACKAGE Q COMPILE SPECIFICATION REUSE SETTINGS",
        "PACKAGE Q COMPILE BODY REUSE SETTINGS",
        "TYPE N COMPILE SPECIFICATION REUSE SETTINGS",
        "TYPE N COMPILE",
        "TRIGGER G COMPILE REUSE SETTINGS",
        "VIEW V COMPILE",
        "SYNONYM S COMPILE",
    ],
)
def test_every_kind_is_compiled(compiling, compiled):
    compiling.execute(f"ALTER {compiled}")
    assert compiling.warning is None
    compiling.execute("SELECT object_name FROM user_objects WHERE status = 'INVALID'")
    assert compiling.fetchall() == []


@pytest.mark.parametrize(
    ("compiled", "code"),
    [
        ("PROCEDURE P COMPILE BODY", 3001),
        ("TYPE N COMPILE PACKAGE", 3001),
        ("PROCEDURE P COMPILED", 3001),
        ("PROCEDURE NOWHERE COMPILE", 4043),
        ("PACKAGE NOWHERE COMPILE BODY", 4043),
        ("TYPE NOWHERE COMPILE", 4043),
        ("TYPE N COMPILE BODY", 4043),
        ("VIEW NOWHERE COMPILE", 942),
        ("SYNONYM NOWHERE COMPILE", 1434),
    ],
)
def test_what_is_not_there_or_not_so_is_not_compiled(compiling, compiled, code):
    with pytest.raises(oracledb.DatabaseError) as failure:
        compiling.execute(f"ALTER {compiled}")
    assert code_of(failure) == code


@pytest.fixture
def compiling(cursor):
    for statement in (
        "CREATE TABLE T (A NUMBER)",
        "CREATE VIEW V AS SELECT A FROM T",
        "CREATE SYNONYM S FOR T",
        "CREATE PROCEDURE P IS BEGIN DELETE FROM T; END;",
        "CREATE PACKAGE Q AS PROCEDURE R; END;",
        "CREATE PACKAGE BODY Q AS PROCEDURE R IS BEGIN DELETE FROM T; END; END;",
        "CREATE TYPE N AS TABLE OF NUMBER",
        "CREATE TRIGGER G BEFORE DELETE ON T BEGIN NULL; END;",
    ):
        cursor.execute(statement)
    return cursor


def test_compiling_makes_invalid_what_lost_its_table_and_valid_again(compiling):
    def status():
        compiling.execute("SELECT status FROM user_objects WHERE object_name = 'P'")
        return compiling.fetchone()[0]

    compiling.execute("ALTER TABLE T RENAME TO AWAY")
    compiling.execute("ALTER PROCEDURE P COMPILE")
    assert compiling.warning.full_code == "DPY-7000"
    assert status() == "INVALID"
    compiling.execute("ALTER TABLE AWAY RENAME TO T")
    assert status() == "INVALID"
    compiling.execute("ALTER PROCEDURE P COMPILE")
    assert compiling.warning is None
    assert status() == "VALID"
