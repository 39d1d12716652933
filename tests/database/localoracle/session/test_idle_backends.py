"""A session takes over the PostgreSQL process of one that has ended, and nothing else of it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import oracledb
import psycopg
import pytest

from localoracle.instance.cluster import Cluster
from support.home import until
from support.stand_in import Schema, Server

_SETTINGS = """
SELECT SYS_CONTEXT('USERENV', 'CURRENT_SCHEMA'), SYS_CONTEXT('USERENV', 'SESSION_USER'),
  SYS_CONTEXT('USERENV', 'MODULE'), SYS_CONTEXT('USERENV', 'CLIENT_IDENTIFIER'),
  TO_CHAR(DATE '2024-01-31'), TO_CHAR(SYSTIMESTAMP, 'TZH:TZM')
FROM DUAL"""
_REDO = """
SELECT S.VALUE FROM V$MYSTAT S JOIN V$STATNAME N ON N.STATISTIC# = S.STATISTIC# WHERE N.NAME = 'redo size'"""


def _row(connection: oracledb.Connection, sql: str) -> Any:
    with connection.cursor() as cursor:
        return cursor.execute(sql).fetchone()


def _process(oracle: Server, connection: oracledb.Connection) -> int:
    """The id of the PostgreSQL process that works for a session."""
    (sid,) = _row(connection, "SELECT SYS_CONTEXT('USERENV', 'SID') FROM DUAL")
    with psycopg.connect(Cluster(oracle.instance).conninfo) as administrator:
        found = administrator.execute("SELECT pg_pid FROM localoracle.sessions WHERE sid = %s", [int(sid)])
        return int(found.fetchone()[0])  # type: ignore[index]


def test_nothing_is_left_to_the_next_session(oracle: Server, schema: Schema) -> None:
    with schema.connection.cursor() as cursor:
        cursor.execute("CREATE TABLE T (ID NUMBER, TEXT VARCHAR2(1000))")
    usual = _row(schema.connection, _SETTINGS)
    with oracle.connect() as first, first.cursor() as cursor:
        first.module, first.client_identifier = "left", "somebody"
        settings = "NLS_DATE_FORMAT = 'YYYY'", "TIME_ZONE = '+05:00'", f"CURRENT_SCHEMA = {schema.name}"
        for setting in settings:
            cursor.execute(f"ALTER SESSION SET {setting}")
        cursor.execute("INSERT INTO T VALUES (0, 'never committed')")
        cursor.execute("SAVEPOINT BEFORE_THE_END")
        process = _process(oracle, first)
    with schema.connect() as second, second.cursor() as cursor:
        assert _process(oracle, second) == process
        assert _row(second, _SETTINGS) == usual
        cursor.execute("LOCK TABLE T IN EXCLUSIVE MODE NOWAIT")
        assert _row(second, "SELECT COUNT(*) FROM T") == (0,)
        with pytest.raises(oracledb.DatabaseError, match="ORA-01086"):
            cursor.execute("ROLLBACK TO SAVEPOINT BEFORE_THE_END")
        with pytest.raises(oracledb.DatabaseError, match="ORA-01031"):
            cursor.execute("ALTER SYSTEM CHECKPOINT")


def test_counters_begin_anew(oracle: Server, schema: Schema) -> None:
    schema.connection.cursor().execute("CREATE TABLE T (TEXT VARCHAR2(1000))")
    with oracle.connect() as first, first.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {schema.name}.T SELECT RPAD('x', 900) FROM DUAL CONNECT BY LEVEL <= 1000"
        )
        first.commit()
        process = _process(oracle, first)
    with oracle.connect() as second:
        assert _process(oracle, second) == process
        assert _row(second, _REDO)[0] < 500_000


def test_a_process_that_was_told_to_stop_is_not_taken_over(oracle: Server) -> None:
    endless = "SELECT COUNT(*) FROM (SELECT LEVEL FROM DUAL CONNECT BY LEVEL <= 100000000)"
    with (
        oracle.connect() as first,
        first.cursor() as cursor,
        ThreadPoolExecutor() as threads,
        psycopg.connect(Cluster(oracle.instance).conninfo, autocommit=True) as administrator,
    ):
        process = _process(oracle, first)
        running = threads.submit(cursor.execute, endless)
        until(
            lambda: administrator.execute(
                "SELECT 1 FROM pg_stat_activity WHERE pid = %s AND state = 'active' AND query ~ '100000000'",
                [process],
            ).fetchone()
        )
        first.cancel()
        with pytest.raises(oracledb.DatabaseError, match="ORA-01013"):
            running.result()
    with oracle.connect() as second:
        assert _process(oracle, second) != process


def test_a_killed_process_is_replaced(oracle: Server) -> None:
    with oracle.connect() as first:
        process = _process(oracle, first)
    with psycopg.connect(Cluster(oracle.instance).conninfo, autocommit=True) as administrator:
        administrator.execute("SELECT pg_terminate_backend(%s, 5000)", [process])
    with oracle.connect() as second:
        assert _row(second, "SELECT 1 FROM DUAL") == (1,)
        assert _process(oracle, second) != process
