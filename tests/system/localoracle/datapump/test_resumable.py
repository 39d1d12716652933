"""Imports into a full tablespace: they wait, show it, go on, run out of time, are stopped."""

from __future__ import annotations

import os

import oracledb
import pytest

ROWS = 30


@pytest.fixture(scope="module")
def server(pair):
    """A table in tablespace ROOMY, its LOBs in TIGHT; a dump set of it."""
    server = pair.near
    with server.connect() as connection, connection.cursor() as cursor:
        for name in ("ROOMY", "TIGHT"):
            cursor.execute(f"create tablespace {name} datafile '/u01/oradata/{name}.dbf' size 100M")
        cursor.execute(
            "create table PAPERS (id number, body blob) tablespace ROOMY"
            " lob (body) store as (tablespace TIGHT)"
        )
        cursor.setinputsizes(None, oracledb.DB_TYPE_BLOB)
        cursor.executemany(
            "insert into PAPERS values (:1, :2)", [(n, os.urandom(200_000)) for n in range(ROWS)]
        )
        connection.commit()
        handle = job(cursor, "EXPORT", "PAPERS_OUT")
        state = cursor.var(str)
        cursor.callproc("dbms_datapump.wait_for_job", [handle, state])
        assert state.getvalue() == "COMPLETED"
    yield server
    with server.connect() as connection, connection.cursor() as cursor:
        cursor.execute("drop table PAPERS")
        for name in ("ROOMY", "TIGHT"):
            cursor.execute(f"drop tablespace {name}")
    (server.instance.dump_directory / "papers.dmp").unlink()


@pytest.fixture
def cursor(server):
    with server.connect() as connection, connection.cursor() as cursor:
        cursor.execute("truncate table PAPERS")
        yield cursor
        for name in ("ROOMY", "TIGHT"):
            control(server, "empty-tablespace", name)
        cursor.execute("alter system set resumable_timeout = 0")


def control(server, *words):
    done = server.command("control", *words)
    assert done.returncode == 0, done.stderr


def job(cursor, operation, name):
    """The handle of a started job."""
    handle = cursor.callfunc("dbms_datapump.open", int, [operation, "TABLE", None, name])
    parameter = "INCLUDE_METADATA"
    cursor.execute(
        f"""begin
          dbms_datapump.add_file({handle}, 'papers.dmp', null);
          dbms_datapump.metadata_filter({handle}, 'NAME_EXPR', '= ''PAPERS''');
          dbms_datapump.set_parameter({handle}, '{parameter}', 0);
          dbms_datapump.start_job({handle});
        end;"""
    )
    return handle


def told(cursor, handle, text):
    """What GET_STATUS tells up to a message."""
    found = ""
    while text not in found:
        lines, state = cursor.var(str), cursor.var(str)
        cursor.execute(
            """declare s ku$_status; l ku$_logentry; begin
              dbms_datapump.get_status(:h, 9, 10, :state, s);
              for k in 1 .. 2 loop
                if k = 1 then l := s.error; else l := s.wip; end if;
                if l is not null then
                  for i in 1 .. l.count loop :lines := :lines || l(i).logtext || chr(10); end loop;
                end if;
              end loop;
            end;""",
            h=handle,
            state=state,
            lines=lines,
        )
        found += lines.getvalue() or ""
        assert text in found or state.getvalue() in ("EXECUTING", "COMPLETING"), found
    return found


def count(cursor, table="PAPERS"):
    cursor.execute(f"select count(*) from {table}")
    return cursor.fetchone()[0]


@pytest.mark.parametrize("tablespace", ["ROOMY", "TIGHT"])
def test_an_import_waits_for_space_and_goes_on(server, cursor, tablespace):
    control(server, "fill-tablespace", tablespace)
    handle = job(cursor, "IMPORT", "PAPERS_IN")
    lines = told(cursor, handle, "ORA-01653")
    assert "ORA-39171: Job is experiencing a resumable wait." in lines
    assert f"unable to extend table SYSTEM.PAPERS by 128 in tablespace {tablespace}" in lines
    while count(cursor, "dba_resumable") == 0:
        pass
    cursor.execute(
        "select name, status, timeout, error_number, error_parameter2, error_msg from dba_resumable"
    )
    name, status, timeout, number, table, message = cursor.fetchone()
    assert (name, status, timeout) == ("SYSTEM.PAPERS_IN.1", "SUSPENDED", 7200)
    assert (number, table) == (1653, "PAPERS")
    assert message.startswith("ORA-01653: unable to extend table SYSTEM.PAPERS")
    assert count(cursor, "user_resumable") == 1
    cursor.execute("select state from dba_datapump_jobs where job_name = 'PAPERS_IN'")
    assert cursor.fetchone() == ("EXECUTING",)
    control(server, "empty-tablespace", tablespace)
    assert "successfully completed" in told(cursor, handle, "completed")
    assert count(cursor) == ROWS
    assert count(cursor, "dba_resumable") == 0


def test_a_wait_that_takes_too_long_loses_the_object(server, cursor):
    cursor.execute("alter system set resumable_timeout = 1")
    control(server, "fill-tablespace", "ROOMY")
    lines = told(cursor, job(cursor, "IMPORT", "PAPERS_LATE"), "completed")
    for code in ("ORA-39171", "ORA-31693", "ORA-02354", "ORA-30032", "ORA-01653"):
        assert code in lines
    assert "completed with 1 error(s)" in lines
    assert count(cursor) == 0
    assert count(cursor, "dba_resumable") == 0


def test_a_waiting_job_can_be_stopped_and_started_again(server, cursor):
    control(server, "fill-tablespace", "ROOMY")
    handle = job(cursor, "IMPORT", "PAPERS_STOPPED")
    told(cursor, handle, "ORA-39171")
    cursor.callproc("dbms_datapump.stop_job", [handle, 1, 1])
    assert count(cursor, "dba_resumable") == 0
    control(server, "empty-tablespace", "ROOMY")
    handle = cursor.callfunc("dbms_datapump.attach", int, ["PAPERS_STOPPED", "SYSTEM"])
    cursor.callproc("dbms_datapump.start_job", [handle])
    told(cursor, handle, "completed")
    assert count(cursor) == ROWS


def test_other_tablespaces_are_not_waited_for(server, cursor):
    assert "no tablespace NOWHERE" in server.command("control", "fill-tablespace", "NOWHERE").stderr
    control(server, "fill-tablespace", "USERS")
    told(cursor, job(cursor, "IMPORT", "PAPERS_ELSEWHERE"), "successfully completed")
    control(server, "empty-tablespace", "USERS")
    assert count(cursor) == ROWS
