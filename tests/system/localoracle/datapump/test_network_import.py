"""Data Pump imports over a database link between two servers, without dump files."""

from __future__ import annotations

import datetime
import decimal
import os

import oracledb
import pytest

from support.killed_server import kill_and_start
from support.stand_in import SYSTEM_PASSWORD
from support.waiting import until

DDL = (
    """CREATE TABLE {0}.PEOPLE (ID NUMBER(12) CONSTRAINT {0}_PK PRIMARY KEY, CODE CHAR(4),
       NAME NVARCHAR2(40) NOT NULL, BORN DATE, SEEN TIMESTAMP(6), ZONED TIMESTAMP WITH TIME ZONE,
       RATIO BINARY_DOUBLE, AMOUNT NUMBER CONSTRAINT {0}_CK CHECK (AMOUNT > -1), KEY RAW(16),
       TEXT VARCHAR2(200), NOTES CLOB, PHOTO BLOB)""",
    "CREATE INDEX {0}.PEOPLE_NAME_IX ON {0}.PEOPLE (UPPER(NAME))",
    "COMMENT ON TABLE {0}.PEOPLE IS 'It''s about people'",
    "COMMENT ON COLUMN {0}.PEOPLE.NAME IS 'as spoken'",
    """CREATE TABLE {0}.EVENTS (ID NUMBER, AT DATE, PERSON NUMBER(12) CONSTRAINT {0}_FK
       REFERENCES {0}.PEOPLE (ID)) PARTITION BY RANGE (AT)
       (PARTITION P_OLD VALUES LESS THAN (TO_DATE('2024-01-01', 'YYYY-MM-DD')),
       PARTITION P_NEW VALUES LESS THAN (MAXVALUE))""",
    "CREATE SEQUENCE {0}.NUMBERS START WITH 500",
    "CREATE VIEW {0}.NAMES AS SELECT ID, NAME FROM {0}.PEOPLE",
    "GRANT SELECT ON {0}.PEOPLE TO PUBLIC",
)
STRANGE = "tab\tline\nreturn\rbackslash \\ \\N \\. é \U0001f600"


@pytest.fixture(scope="module")
def filled(pair):
    """Schema APP at the far end with rows of every type."""
    with pair.far.connect() as connection, connection.cursor() as cursor:
        cursor.execute('CREATE USER APP IDENTIFIED BY "app"')
        cursor.execute("GRANT CREATE SESSION, UNLIMITED TABLESPACE TO APP")
        for text in DDL:
            cursor.execute(text.format("APP"))
        rows = [
            (
                number,
                "AB",
                f"né {number}",
                datetime.datetime(1970, 1, 1) + datetime.timedelta(days=number, seconds=number),
                datetime.datetime(2024, 5, 6, 7, 8, 9, 123456),
                datetime.datetime(2024, 5, 6, 7, 8, 9, 5),
                number / 7,
                decimal.Decimal(10) ** 37 / 7 if number == 1 else decimal.Decimal(number) / 4,
                bytes(range(16)),
                STRANGE if number % 2 else None,
                STRANGE * 300 if number % 2 else None,
                bytes([number % 256]) * 5000 if number % 3 else None,
            )
            for number in range(1, 51)
        ]
        cursor.setinputsizes(None, None, None, None, oracledb.DB_TYPE_TIMESTAMP,
                             oracledb.DB_TYPE_TIMESTAMP_TZ,
                             oracledb.DB_TYPE_BINARY_DOUBLE, None, None, None,
                             oracledb.DB_TYPE_CLOB, oracledb.DB_TYPE_BLOB)  # fmt: skip
        cursor.executemany(
            f"INSERT INTO APP.PEOPLE VALUES ({', '.join(f':{place}' for place in range(1, 13))})", rows
        )
        cursor.execute("UPDATE APP.PEOPLE SET NOTES = EMPTY_CLOB() WHERE ID = 4")
        events = [(n, datetime.datetime(2023 + n % 2, 3, 1), n % 50 + 1) for n in range(100)]
        cursor.executemany("INSERT INTO APP.EVENTS VALUES (:1, :2, :3)", events)
        connection.commit()
    with pair.near.connect() as connection, connection.cursor() as cursor:
        cursor.execute('CREATE USER APP IDENTIFIED BY "app"')
        cursor.execute("GRANT CREATE SESSION, CREATE TABLE, CREATE DATABASE LINK TO APP")
    return pair


@pytest.fixture(autouse=True)
def cleared(pair):
    yield
    with pair.near.connect() as connection, connection.cursor() as cursor:
        cursor.execute(
            "select object_type, object_name from dba_objects where owner = 'APP'"
            " and object_type in ('TABLE', 'VIEW', 'SEQUENCE') order by 1 desc"
        )
        for kind, name in cursor.fetchall():
            end = " cascade constraints" if kind == "TABLE" else ""
            cursor.execute(f"drop {kind} app.{name}{end}")


def contents(connection, table, where=""):
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM APP.{table} {where} ORDER BY ID")
        return [
            tuple(
                value.read() if isinstance(value, oracledb.LOB) else repr(value) if value != value else value
                for value in row
            )
            for row in cursor.fetchall()
        ]


def network_import(
    server, body, *, mode="TABLE", link="FAR", user="SYSTEM", password=SYSTEM_PASSWORD, job="NET"
):
    """Run the job; its state and log."""
    with server.connect(user, password) as connection, connection.cursor() as cursor:
        state = cursor.var(str)
        log = "" if user != "SYSTEM" else f"dbms_datapump.add_file(h, '{job}.log', null, filetype => 3);"
        cursor.execute(
            f"""declare h number; begin
              h := dbms_datapump.open('IMPORT', '{mode}', '{link}', '{job}');
              {log}
              {body}
              dbms_datapump.start_job(h);
              dbms_datapump.wait_for_job(h, :state);
            end;""",
            state=state,
        )
        path = server.instance.dump_directory / f"{job}.log"
        return state.getvalue(), path.read_text() if path.exists() else ""


def reasons(connection):
    """What GET_STATUS tells after a failed OPEN."""
    with connection.cursor() as cursor:
        text = cursor.var(str)
        cursor.execute(
            """declare s ku$_status; j varchar2(30); begin
              dbms_datapump.get_status(null, 8, 0, j, s);
              for i in 1 .. s.error.count loop :text := :text || s.error(i).logtext || chr(10); end loop;
            end;""",
            text=text,
        )
        return text.getvalue() or ""


DESCRIBE = """declare s ku$_status; j varchar2(30); begin
    dbms_datapump.get_status(h, 2, 0, j, s);
    if s.job_description.remote_link <> 'FAR' then raise_application_error(-20001, 'no link'); end if;
  end;"""
ONLY_ROWS = "dbms_datapump.set_parameter(h, 'INCLUDE_METADATA', 0);"
OF_APP = "dbms_datapump.metadata_filter(h, 'SCHEMA_EXPR', '= ''APP''');"


def tables(*names):
    listed = ", ".join(f"''{name}''" for name in names)
    return OF_APP + f"dbms_datapump.metadata_filter(h, 'NAME_EXPR', 'IN ({listed})');"


def make_tables(server):
    with server.connect() as connection, connection.cursor() as cursor:
        for text in (DDL[0], DDL[4]):
            cursor.execute(text.format("APP"))


def test_a_schema_with_its_metadata(filled):
    state, log = network_import(filled.near, OF_APP + "dbms_datapump.set_parallel(h, 2);", mode="SCHEMA")
    assert state == "COMPLETED", log
    assert "successfully completed" in log, log
    assert "Estimate in progress using BLOCKS method..." in log
    assert "Processing object type SCHEMA_EXPORT/TABLE/TABLE_DATA" in log
    assert '. . imported "APP"."PEOPLE"' in log
    assert "MB" not in log.split("imported", 1)[1]
    assert "Dump file set" not in log
    with filled.near.connect() as near, filled.far.connect() as far:
        for table in ("PEOPLE", "EVENTS"):
            assert contents(near, table) == contents(far, table)
        counted = (
            "select object_type, count(*) from dba_objects where owner = 'APP'"
            " and object_type in ('TABLE', 'INDEX', 'VIEW', 'SEQUENCE') group by object_type order by 1"
        )
        described = (
            "select constraint_type, status from dba_constraints where owner = 'APP'"
            " order by constraint_type, status, table_name",
            "select comments from dba_tab_comments where owner = 'APP' order by table_name",
            "select comments from dba_col_comments where owner = 'APP' and comments is not null",
            "select grantee, privilege from dba_tab_privs where owner = 'APP'",
            counted,
        )
        for query in described:
            assert near.cursor().execute(query).fetchall() == far.cursor().execute(query).fetchall()


def test_rows_as_of_an_scn_with_filters_at_the_far_end(filled):
    make_tables(filled.near)
    with filled.near.connect() as near, near.cursor() as cursor:
        cursor.execute("alter table app.events drop constraint app_fk")
    with filled.far.connect() as far, far.cursor() as cursor:
        before = contents(far, "PEOPLE", "where mod(id, 2) = 0")
        cursor.execute("select current_scn from v$database")
        (scn,) = cursor.fetchone()
        cursor.execute("insert into app.people (id, name) values (1000, 'too late')")
        cursor.execute("update app.people set notes = 'changed', photo = null")
        far.commit()
        try:
            state, log = network_import(
                filled.near,
                ONLY_ROWS
                + tables("PEOPLE", "EVENTS")
                + f"""dbms_datapump.set_parameter(h, 'FLASHBACK_SCN', {scn});
                dbms_datapump.data_filter(h, 'SUBQUERY', 'where mod(ku$.id, 2) = 0', 'PEOPLE', 'APP');
                dbms_datapump.data_filter(h, 'PARTITION_LIST', '''P_OLD''', 'EVENTS', 'APP');""",
            )
        finally:
            cursor.execute("delete from app.people where id = 1000")
            far.commit()
        assert state == "COMPLETED", log
        with filled.near.connect() as near:
            assert contents(near, "PEOPLE") == before
            assert {row[1].year for row in contents(near, "EVENTS")} == {2023}
        assert 'imported "APP"."EVENTS":"P_OLD"' in log


def test_a_table_that_cannot_be_emptied_is_left_alone(filled):
    make_tables(filled.near)
    _, log = network_import(
        filled.near,
        ONLY_ROWS + tables("PEOPLE") + "dbms_datapump.set_parameter(h, 'TABLE_EXISTS_ACTION', 'TRUNCATE');",
    )
    assert "ORA-39120" in log
    assert "ORA-02266" in log
    assert "completed with 1 error(s)" in log
    with filled.near.connect() as near:
        assert contents(near, "PEOPLE") == []


def test_table_exists_action_and_skipped_constraints(filled):
    make_tables(filled.near)
    with filled.near.connect() as near, near.cursor() as cursor:
        cursor.execute("insert into app.people (id, name) values (7, 'was here')")
        cursor.execute("drop table app.events")
        near.commit()
    _, log = network_import(
        filled.near, ONLY_ROWS + tables("PEOPLE") + "dbms_datapump.set_parameter(h, 'DATA_OPTIONS', 1);"
    )
    assert "49 out of 50 rows" in log, log
    _, log = network_import(filled.near, ONLY_ROWS + tables("PEOPLE"))
    assert "ORA-31693" in log
    assert "ORA-00001" in log
    with filled.near.connect() as near:
        assert len(contents(near, "PEOPLE")) == 50
    _, log = network_import(
        filled.near,
        ONLY_ROWS + tables("PEOPLE") + "dbms_datapump.set_parameter(h, 'TABLE_EXISTS_ACTION', 'TRUNCATE');",
    )
    with filled.near.connect() as near, filled.far.connect() as far:
        assert contents(near, "PEOPLE") == contents(far, "PEOPLE"), log


def test_links_and_rights_are_checked_when_the_job_is_opened(filled):
    near = filled.near
    with near.connect() as connection, connection.cursor() as cursor:
        cursor.execute(f"create database link weak {filled.link('APP', 'app')}")
        cursor.execute(f"create database link wrong {filled.link('APP', 'not the password')}")
        cursor.execute("create database link nobody connect to a identified by b using '127.0.0.1:1/X'")
        cursor.execute("create database link alias connect to a identified by b using 'nowhere'")
        for link, told in (
            ("ABSENT", ['ORA-39200: Link name "ABSENT" is invalid.', "ORA-02019"]),
            ("WRONG", ["ORA-39200", "ORA-01017", "ORA-02063: preceding line from WRONG"]),
            ("NOBODY", ["ORA-39200", "ORA-12541"]),
            ("ALIAS", ["ORA-39200", "ORA-12154"]),
            ("WEAK", ["ORA-31631", "ORA-39149"]),
        ):
            with pytest.raises(oracledb.DatabaseError) as caught:
                cursor.callfunc("DBMS_DATAPUMP.OPEN", int, ["IMPORT", "TABLE", link, f"JOB_{link}"])
            assert caught.value.args[0].code == (31631 if link == "WEAK" else 39001)
            lines = reasons(connection)
            assert all(text in lines for text in told), lines
        with pytest.raises(oracledb.DatabaseError, match="ORA-03001"):
            cursor.callfunc("DBMS_DATAPUMP.OPEN", int, ["EXPORT", "TABLE", "FAR", "JOB_EXPORT"])
        handle = cursor.callfunc("DBMS_DATAPUMP.OPEN", int, ["IMPORT", "TABLE", "FAR", "WITH_FILE"])
        with pytest.raises(oracledb.DatabaseError, match="ORA-39005"):
            cursor.callproc("DBMS_DATAPUMP.ADD_FILE", [handle, "some.dmp", "DATA_PUMP_DIR"])
        for link in ("WEAK", "WRONG", "NOBODY", "ALIAS"):
            cursor.execute(f"drop database link {link}")


def test_an_unprivileged_user_gets_what_the_links_user_may_read(filled):
    make_tables(filled.near)
    with filled.near.connect("APP", "app") as connection, connection.cursor() as cursor:
        cursor.execute(f"create database link own {filled.link('APP', 'app')}")
    state, _ = network_import(
        filled.near,
        ONLY_ROWS + "dbms_datapump.metadata_filter(h, 'NAME_EXPR', '= ''PEOPLE''');",
        link="OWN",
        user="APP",
        password="app",
        job="OWN_JOB",
    )
    assert state == "COMPLETED"
    with filled.near.connect() as near, filled.far.connect() as far:
        assert contents(near, "PEOPLE") == contents(far, "PEOPLE")


def test_long_columns_and_absent_tables_are_named(filled):
    with filled.far.connect() as far, far.cursor() as cursor:
        cursor.execute("create table app.old (id number, body long)")
        cursor.execute("insert into app.old values (1, 'x')")
        far.commit()
    with filled.near.connect() as near, near.cursor() as cursor:
        cursor.execute("create table app.old (id number, body clob)")
    named = "dbms_datapump.metadata_filter(h, 'NAME_LIST', '''OLD'',''NEVER_WAS''');"
    _, log = network_import(filled.near, ONLY_ROWS + OF_APP + named)
    assert 'ORA-31679: Table data object "APP"."OLD"' in log
    assert "ORA-39166" in log
    assert "completed with 2 error(s)" in log
    with filled.far.connect() as far, far.cursor() as cursor:
        cursor.execute("drop table app.old")


def test_a_stopped_job_goes_on_where_it_was(filled):
    make_big(filled)
    try:
        with (
            filled.near.connect() as connection,
            connection.cursor() as cursor,
            filled.near.connect() as blocker,
        ):
            blocker.cursor().execute("lock table app.big_2 in exclusive mode")
            handle = cursor.callfunc("DBMS_DATAPUMP.OPEN", int, ["IMPORT", "TABLE", "FAR", "STOPPED_NET"])
            body = ONLY_ROWS + tables("BIG_1", "BIG_2", "BIG_3") + "dbms_datapump.set_parallel(h, 2);"
            cursor.execute("begin " + body.replace("(h,", f"({handle},") + " end;")
            cursor.callproc("DBMS_DATAPUMP.START_JOB", [handle])
            wait_for_rows(filled)
            cursor.callproc("DBMS_DATAPUMP.STOP_JOB", [handle, 1, 1])
            blocker.rollback()
            cursor.execute("select state from dba_datapump_jobs where job_name = 'STOPPED_NET'")
            assert cursor.fetchone() == ("NOT RUNNING",)
            handle = cursor.callfunc("DBMS_DATAPUMP.ATTACH", int, ["STOPPED_NET", "SYSTEM"])
            cursor.callproc("DBMS_DATAPUMP.START_JOB", [handle])
            state = cursor.var(str)
            cursor.callproc("DBMS_DATAPUMP.WAIT_FOR_JOB", [handle, state])
            assert state.getvalue() == "COMPLETED"
            for number in (1, 2, 3):
                cursor.execute(f"select count(*), count(distinct id) from app.big_{number}")
                assert cursor.fetchone() == (60, 60)
    finally:
        drop_big(filled)


def test_lobs_larger_than_a_piece(filled):
    body, text = os.urandom(3_000_001), STRANGE * 30_000
    for server in (filled.far, filled.near):
        with server.connect() as connection, connection.cursor() as cursor:
            cursor.execute("create table app.large (id number, body blob, text clob)")
            if server is filled.far:
                cursor.setinputsizes(oracledb.DB_TYPE_BLOB, oracledb.DB_TYPE_CLOB)
                cursor.execute("insert into app.large values (1, :1, :2)", [body, text])
                connection.commit()
    try:
        _, log = network_import(filled.near, ONLY_ROWS + tables("LARGE") + DESCRIBE)
        assert "successfully completed" in log, log
        with filled.near.connect() as near:
            assert contents(near, "LARGE") == [(1, body, text)]
    finally:
        with filled.far.connect() as far:
            far.cursor().execute("drop table app.large")


def test_a_killed_server_goes_on_with_the_objects_that_are_left(filled):
    make_big(filled)
    blocker = filled.near.connect()
    try:
        blocker.cursor().execute("lock table app.big_2 in exclusive mode")
        with filled.near.connect() as connection, connection.cursor() as cursor:
            handle = cursor.callfunc("DBMS_DATAPUMP.OPEN", int, ["IMPORT", "TABLE", "FAR", "KILLED_NET"])
            body = ONLY_ROWS + tables("BIG_1", "BIG_2", "BIG_3") + "dbms_datapump.set_parallel(h, 2);"
            body += "dbms_datapump.start_job(h);"
            cursor.execute("begin " + body.replace("(h", f"({handle}") + " end;")
            wait_for_rows(filled)
        kill_and_start(filled.near)
        with filled.near.connect() as connection, connection.cursor() as cursor:
            cursor.execute("select state from dba_datapump_jobs where job_name = 'KILLED_NET'")
            assert cursor.fetchone() == ("NOT RUNNING",)
            handle = cursor.callfunc("DBMS_DATAPUMP.ATTACH", int, ["KILLED_NET", "SYSTEM"])
            cursor.callproc("DBMS_DATAPUMP.START_JOB", [handle])
            wait_for_message(cursor, handle, "successfully completed")
            for number in (1, 2, 3):
                cursor.execute(f"select count(*), count(distinct id) from app.big_{number}")
                assert cursor.fetchone() == (60, 60)
    finally:
        drop_big(filled)


def test_a_link_that_breaks_loses_the_objects_not_the_job(filled):
    make_tables(filled.near)
    with filled.near.connect() as near, near.cursor() as cursor, filled.far.connect() as far:
        theirs = far.cursor()
        theirs.execute('create user courier identified by "first"')
        theirs.execute("grant create session, datapump_exp_full_database to courier")
        cursor.execute(f"create database link brittle {filled.link('courier', 'first')}")
        handle = cursor.callfunc("DBMS_DATAPUMP.OPEN", int, ["IMPORT", "TABLE", "BRITTLE", "BROKEN_NET"])
        blocker = filled.near.connect()
        blocker.cursor().execute("insert into app.people (id, name) values (1, 'locks the table')")
        body = ONLY_ROWS + tables("PEOPLE") + "dbms_datapump.start_job(h);"
        cursor.execute("begin " + body.replace("(h", f"({handle}") + " end;")
        wait_for_message(cursor, handle, "Total estimation")
        theirs.execute('alter user courier identified by "second"')
        theirs.execute("select sid, serial# from v$session where username = 'COURIER'")
        for sid, serial in theirs.fetchall():
            theirs.execute(f"alter system kill session '{sid},{serial}' immediate")
        blocker.close()
        told = wait_for_message(cursor, handle, "completed with")
        assert 'ORA-31693: Table data object "APP"."PEOPLE" failed' in told
        # Killed during the statement, or found dead before it.
        assert "ORA-02354" in told
        assert "ORA-03113" in told or "ORA-01017" in told
        assert "completed with 1 error(s)" in told
        cursor.execute("drop database link brittle")
        theirs.execute("drop user courier")


def wait_for_message(cursor, handle, text):
    """What GET_STATUS tells up to a message."""
    found = ""
    while text not in found:
        told, state = cursor.var(str), cursor.var(str)
        cursor.execute(
            """declare s ku$_status; l ku$_logentry; begin
              dbms_datapump.get_status(:h, 9, 10, :state, s);
              for k in 1 .. 2 loop
                if k = 1 then l := s.error; else l := s.wip; end if;
                if l is not null then
                  for i in 1 .. l.count loop :told := :told || l(i).logtext || chr(10); end loop;
                end if;
              end loop;
            end;""",
            h=handle,
            state=state,
            told=told,
        )
        found += told.getvalue() or ""
        assert text in found or state.getvalue() in ("EXECUTING", "COMPLETING"), found
    return found


def make_big(filled):
    for server, rows in ((filled.far, 60), (filled.near, 0)):
        with server.connect() as connection, connection.cursor() as cursor:
            for number in (1, 2, 3):
                cursor.execute(f"create table app.big_{number} (id number, body blob)")
                for row in range(rows):
                    cursor.setinputsizes(None, oracledb.DB_TYPE_BLOB)
                    cursor.execute(
                        f"insert into app.big_{number} values (:1, :2)", [row, os.urandom(400_000)]
                    )
            connection.commit()


def drop_big(filled):
    with filled.far.connect() as connection, connection.cursor() as cursor:
        for number in (1, 2, 3):
            cursor.execute(f"drop table app.big_{number}")


def wait_for_rows(filled):
    """Until one of the tables has been loaded."""
    with filled.near.connect() as connection, connection.cursor() as cursor:

        def loaded():
            counts = [
                cursor.execute(f"select count(*) from app.big_{number}").fetchone() for number in (1, 2, 3)
            ]
            return any(count != (0,) for count in counts)

        until(loaded, "for the first table")
