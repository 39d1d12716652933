"""Capture and apply processes in V$SESSION, and what the views say about tables that are captured from."""

from __future__ import annotations

import oracledb
import pytest

from .conftest import Flow

WORKING = """\
SELECT s.action FROM v$session s JOIN {view} p ON p.sid = s.sid AND p.serial# = s.serial#
WHERE p.{name} = :1 AND s.type = 'BACKGROUND' AND s.module = 'Streams' AND s.username IS NULL"""


def actions(flow: Flow, view: str, name: str) -> list[str]:
    process = f"{flow.name}_C" if name == "capture_name" else f"{flow.name}_A"
    return [str(action) for (action,) in flow.rows(WORKING.format(view=view, name=name), process)]


def test_processes_have_sessions_while_they_work(flow: Flow) -> None:
    flow.parameter("parallelism", "2")
    flow.start()
    flow.insert(1, 10)
    flow.wait_for(10)
    name = flow.name
    assert actions(flow, "v$streams_capture", "capture_name") == [f"{name}_C - Capture"]
    assert actions(flow, "v$streams_apply_reader", "apply_name") == [f"{name}_A - Apply Reader"]
    assert actions(flow, "v$streams_apply_server", "apply_name") == [f"{name}_A - Apply Server"] * 2
    assert flow.rows("SELECT sid, serial# FROM v$streams_apply_coordinator") == [(None, None)]
    programs = "SELECT SUBSTR(program, INSTR(program, '(') + 1, 4) FROM v$session WHERE module = 'Streams'"
    assert sorted(flow.rows(programs)) == [("AS00",), ("AS01",), ("AS02",), ("CP01",)]
    ((sid, serial),) = flow.rows("SELECT sid, serial# FROM v$streams_capture")
    with pytest.raises(oracledb.DatabaseError, match="ORA-00029"):
        flow.cursor.execute(f"ALTER SYSTEM KILL SESSION '{sid},{serial}'")
    flow.stop_apply()
    assert flow.rows("SELECT sid FROM v$session WHERE module = 'Streams'") == []


def test_a_process_that_failed_has_no_session(flow: Flow) -> None:
    flow.start()
    flow.cursor.execute(f"DROP TABLE {flow.changes} PURGE")
    flow.insert(1, 1)
    aborted = "SELECT status FROM dba_apply WHERE apply_name = :1"
    flow.until(lambda: flow.one(aborted, f"{flow.name}_A") == "ABORTED")
    flow.until(lambda: flow.rows("SELECT sid FROM v$session WHERE module = 'Streams'") == [])


def test_an_apply_server_that_waits_for_a_lock(flow: Flow) -> None:
    flow.start()
    blocker = flow.server.connect()
    with blocker.cursor() as cursor:
        cursor.execute(f"LOCK TABLE {flow.changes} IN EXCLUSIVE MODE")
        flow.insert(1, 1)
        blocked = """\
SELECT s.event FROM v$session s JOIN v$streams_apply_server p ON p.sid = s.sid
WHERE s.event LIKE 'enq: TM%'"""
        flow.until(lambda: flow.rows(blocked) == [("enq: TM - contention",)])
        waited = """\
SELECT e.event FROM v$session_event e JOIN v$streams_apply_server p ON p.sid = e.sid
WHERE e.time_waited_micro > 0"""
        flow.until(lambda: ("enq: TM - contention",) in flow.rows(waited))
    blocker.close()
    flow.wait_for(1)


def test_tables_that_are_not_captured_wholly_or_have_no_key(flow: Flow) -> None:
    execute, name = flow.cursor.execute, flow.name
    execute(f"CREATE TABLE {name}.POINTERS (id NUMBER PRIMARY KEY, at ROWID)")
    execute(f"CREATE TABLE {name}.LOG (text VARCHAR2(10))")
    execute(f"CREATE TABLE {name}.CODES (code VARCHAR2(10) NOT NULL, text VARCHAR2(10))")
    execute(f"CREATE UNIQUE INDEX {name}.CODES_U ON {name}.CODES (code)")
    execute(f"CREATE UNIQUE INDEX {name}.LOG_U ON {name}.LOG (text)")
    execute(f"GRANT CREATE TABLE, CREATE MATERIALIZED VIEW TO {name}")
    execute(f"CREATE MATERIALIZED VIEW {name}.TEXTS AS SELECT text FROM {name}.LOG")
    execute(f"CREATE GLOBAL TEMPORARY TABLE {name}.BRIEF (id NUMBER)")
    for view in ("dba_xstream_out_support_mode", "dba_goldengate_support_mode"):
        modes = dict(flow.rows(f"SELECT object_name, support_mode FROM {view} WHERE owner = :1", name))
        assert modes == {
            **dict.fromkeys(["SRC", "CHG", "LOG", "CODES"], "FULL"),
            "POINTERS": "ID KEY",
        }
    for view in ("dba_goldengate_not_unique", "dba_logstdby_not_unique"):
        keyless = f"SELECT table_name, bad_column FROM {view} WHERE owner = :1 ORDER BY table_name"
        assert flow.rows(keyless, name) == [("CHG", "Y"), ("LOG", "N")]
    unsupported = (
        "SELECT table_name, reason FROM dba_streams_unsupported WHERE owner = :1 ORDER BY table_name"
    )
    assert flow.rows(unsupported, name) == [
        ("BRIEF", "temporary table"),
        ("POINTERS", "unsupported column exists"),
        ("TEXTS", "materialized view"),
    ]


def test_views_of_xstream_and_goldengate_are_there_and_empty(flow: Flow) -> None:
    """Neither outbound servers nor Extracts can be made here; a Streams capture is none of theirs."""
    flow.start()
    for view in (
        *("dba_xstream_outbound", "v$xstream_capture", "v$xstream_outbound_server", "v$xstream_apply_server"),
        *("v$goldengate_capture", "v$gg_apply_reader", "v$gg_apply_coordinator", "v$gg_apply_server"),
    ):
        assert flow.one(f"SELECT COUNT(*) FROM {view}") == 0
