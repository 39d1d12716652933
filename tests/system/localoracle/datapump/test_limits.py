"""Editions and the parameters that bound Data Pump jobs."""

from __future__ import annotations

import oracledb
import pytest

from support.stand_in import new_server

STACK = """DECLARE s KU$_STATUS; st VARCHAR2(30); t VARCHAR2(4000);
BEGIN
  DBMS_DATAPUMP.GET_STATUS(NULL, 8, 0, st, s);
  FOR i IN 1 .. s.error.COUNT LOOP t := t || s.error(i).LogText || CHR(10); END LOOP;
  :t := t;
END;"""


@pytest.fixture(scope="module")
def server():
    server, end = new_server("edition")
    yield server
    end()


@pytest.fixture
def cursor(server):
    with server.connect() as connection, connection.cursor() as cursor:
        yield cursor


def opened(cursor, name=None):
    return cursor.callfunc("DBMS_DATAPUMP.OPEN", int, ["EXPORT", "SCHEMA", None, name])


def close(cursor, handle):
    cursor.callproc("DBMS_DATAPUMP.STOP_JOB", [handle, 1, 0])


def messages(cursor):
    text = cursor.var(str, 4000)
    cursor.execute(STACK, t=text)
    return text.getvalue()


def one(cursor, statement):
    cursor.execute(statement)
    return cursor.fetchone()[0]


def test_no_more_jobs_than_the_parameter_says(cursor):
    cursor.execute("ALTER SYSTEM SET max_datapump_jobs_per_pdb = '2'")
    try:
        handles = [opened(cursor), opened(cursor)]
        with pytest.raises(oracledb.DatabaseError, match="ORA-31626"):
            opened(cursor, "ONE_TOO_MANY")
        assert (
            "ORA-31637: cannot create job ONE_TOO_MANY for user SYSTEM\nORA-39391: maximum number of Data "
            in (messages(cursor))
        )
        close(cursor, handles.pop())
        handles.append(opened(cursor))
        for handle in handles:
            close(cursor, handle)
        cursor.execute("ALTER SYSTEM SET max_datapump_jobs_per_pdb = 'MANY'")
        with pytest.raises(oracledb.DatabaseError, match="ORA-39400: invalid value MANY"):
            opened(cursor)
        cursor.execute("ALTER SYSTEM SET max_datapump_jobs_per_pdb = 'AUTO'")
        close(cursor, opened(cursor))
    finally:
        cursor.execute("ALTER SYSTEM SET max_datapump_jobs_per_pdb = '100'")


def test_degree_is_bounded(cursor):
    cursor.execute("ALTER SYSTEM SET max_datapump_parallel_per_job = '3'")
    handle = opened(cursor, "BOUNDED")
    cursor.callproc("DBMS_DATAPUMP.SET_PARALLEL", [handle, 8])
    degree = cursor.var(int)
    cursor.execute(
        "DECLARE s KU$_STATUS; st VARCHAR2(30); j KU$_JOBSTATUS; BEGIN"
        " DBMS_DATAPUMP.GET_STATUS(:h, 4, 0, st, s); j := s.job_status; :d := j.degree; END;",
        h=handle,
        d=degree,
    )
    assert degree.getvalue() == 3
    close(cursor, handle)
    cursor.execute("ALTER SYSTEM SET max_datapump_parallel_per_job = '50'")


def test_standard_edition(server, cursor):
    option = "SELECT value FROM v$option WHERE parameter = 'Parallel execution'"
    assert one(cursor, option) == "TRUE"
    assert "Enterprise Edition" in one(cursor, "SELECT banner FROM v$version")
    assert server.command("control", "edition", "professional").returncode == 1
    assert server.command("control", "edition", "standard").stdout == "standard\n"
    assert one(cursor, option) == "FALSE"
    assert "19c Standard Edition 2 Release" in one(cursor, "SELECT banner FROM v$version")
    assert "Standard Edition 2" in one(cursor, "SELECT product FROM product_component_version")
    handle = opened(cursor)
    cursor.callproc("DBMS_DATAPUMP.SET_PARALLEL", [handle, 1])
    with pytest.raises(oracledb.DatabaseError, match="ORA-39002"):
        cursor.callproc("DBMS_DATAPUMP.SET_PARALLEL", [handle, 2])
    assert "ORA-39094: Parallel execution not supported in this database edition." in messages(cursor)
    for name, value in (("COMPRESSION", "ALL"), ("ENCRYPTION_PASSWORD", "secret")):
        with pytest.raises(oracledb.DatabaseError, match="ORA-39002"):
            cursor.callproc("DBMS_DATAPUMP.SET_PARAMETER", [handle, name, value])
        assert "ORA-00439: feature not enabled" in messages(cursor)
    cursor.callproc("DBMS_DATAPUMP.SET_PARAMETER", [handle, "COMPRESSION", "METADATA_ONLY"])
    close(cursor, handle)

    server.command("stop")
    server.command("start")
    with server.connect() as connection, connection.cursor() as again:
        assert one(again, option) == "FALSE"
        server.command("control", "edition", "enterprise")
        assert one(again, option) == "TRUE"
