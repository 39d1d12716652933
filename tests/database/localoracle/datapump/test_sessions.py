"""The sessions of a job's processes, and the lock that a load holds or waits for.

Database Reference 19c, DBA_DATAPUMP_SESSIONS, V$SESSION, V$LOCK; Utilities 19c, DATA_OPTIONS
(DISABLE_APPEND_HINT).
"""

from __future__ import annotations

import asyncio
import time

import pytest

from support.waiting import PATIENCE

from .test_jobs import ONLY_T, export, fill, job, state

PROCESSES = """
SELECT p.session_type, s.program, s.action, s.status, s.event, l.lmode, l.request
FROM dictionary.datapump_sessions p
JOIN dictionary.v$session s ON s.saddr = p.saddr
LEFT JOIN (SELECT l.* FROM dictionary.v$lock l JOIN dictionary.objects o ON o.object_id = l.id1
           WHERE l.type = 'TM' AND o.object_name = 'COPY_OF_T') l ON l.sid = s.sid
WHERE p.job_name = %s AND p.session_type <> 'DBMS_DATAPUMP' ORDER BY 1"""
NO_APPEND = (
    "dbms_datapump.set_parameter(h, 'DATA_OPTIONS', dbms_datapump.ku$_dataopt_disabl_append_hint);"
    " dbms_datapump.set_parameter(h, 'DATA_ACCESS_METHOD', 'EXTERNAL_TABLE');"
)
MASTER = ("MASTER", "oracle@localhost (DM00)")
WORKER = ("WORKER", "oracle@localhost (DW00)")


@pytest.fixture
def held(world):
    """A dump of a table, an empty copy of it, and a session to hold the copy with."""
    world.user("DPWAIT", "CREATE TABLE", "CREATE SESSION")
    fill(world, "DPWAIT", "T", 50)
    assert export(world, "SE", ONLY_T, owner="DPWAIT") == "COMPLETED"
    world.sql('CREATE TABLE "DPWAIT"."COPY_OF_T" (LIKE "DPWAIT"."T" INCLUDING STORAGE)')
    session = world.session("SYSTEM")
    yield session
    world.run(session.close())
    for path in world.dumps.iterdir():
        path.unlink()
    world.sql('DROP TABLE "DPWAIT"."T", "DPWAIT"."COPY_OF_T"')
    world.sql("SELECT localoracle.drop_user('DPWAIT', true)")


def load(world, name, body=""):
    return job(
        world,
        "IMPORT",
        name,
        f"""dbms_datapump.add_file(h, 'x%U.dmp', 'DATA_PUMP_DIR');
        dbms_datapump.add_file(h, '{name}.log', 'DATA_PUMP_DIR', filetype => 3);
        dbms_datapump.metadata_filter(h, 'SCHEMA_EXPR', 'IN (''DPWAIT'')'); {ONLY_T}
        dbms_datapump.set_parameter(h, 'INCLUDE_METADATA', 0);
        dbms_datapump.metadata_remap(h, 'REMAP_TABLE', 'T', 'COPY_OF_T'); {body}""",
        wait=False,
    )


def seen(world, name, wanted):
    """What PROCESSES shows as soon as the worker has asked for a lock, or holds one."""
    end = time.monotonic() + PATIENCE
    while True:
        rows = world.sql(PROCESSES, name)
        if any(row[5:] == wanted for row in rows):
            return rows
        assert time.monotonic() < end, rows
        world.run(asyncio.sleep(0.02))


def ended(world, name):
    end = time.monotonic() + PATIENCE
    while state(world, name) is not None:
        assert time.monotonic() < end
        world.run(asyncio.sleep(0.02))
    assert world.sql(PROCESSES, name) == []
    assert world.sql("SELECT count(*) FROM dictionary.v$session WHERE program LIKE '%%(D_0%%'") == [(0,)]


def test_a_load_with_append_waits_for_the_table(world, held):
    world.run(held.run('LOCK TABLE "DPWAIT"."COPY_OF_T" IN ROW EXCLUSIVE MODE'))
    load(world, "SI1")
    master, worker = seen(world, "SI1", (0, 6))
    assert master[:4] == (*MASTER, "SI1", "ACTIVE")
    assert worker == (*WORKER, "SI1", "ACTIVE", "enq: TM - contention", 0, 6)
    world.run(held.run("ROLLBACK"))
    ended(world, "SI1")


def test_a_load_without_append_shares_the_table(world, held):
    """A row whose key another transaction has taken holds the load up, with its lock."""
    world.sql('CREATE UNIQUE INDEX "COPY_KEY" ON "DPWAIT"."COPY_OF_T" ("ID")')
    world.run(held.run('INSERT INTO "DPWAIT"."COPY_OF_T" (ID) VALUES (50)'))
    load(world, "SI2", NO_APPEND)
    _, worker = seen(world, "SI2", (3, 0))
    assert worker[:4] == (*WORKER, "SI2", "ACTIVE")
    world.run(held.run("ROLLBACK"))
    ended(world, "SI2")


def test_a_killed_worker_stops_its_job(world, held):
    world.run(held.run('LOCK TABLE "DPWAIT"."COPY_OF_T" IN ROW EXCLUSIVE MODE'))
    load(world, "SI3")
    seen(world, "SI3", (0, 6))
    ((sid, serial),) = world.sql(
        "SELECT sid, serial FROM localoracle.sessions WHERE module = 'Data Pump Worker'"
    )
    world.run(world.system.run(f"ALTER SYSTEM KILL SESSION '{sid},{serial}'"))
    end = time.monotonic() + PATIENCE
    while state(world, "SI3") != "NOT RUNNING":
        assert time.monotonic() < end
        world.run(asyncio.sleep(0.02))
    assert "ORA-39014" in world.log("SI3.log")
    world.run(held.run("ROLLBACK"))
    world.sql('DROP TABLE "SYSTEM"."SI3"')
    world.sql("DELETE FROM localoracle.datapump_jobs WHERE job_name = 'SI3'")
