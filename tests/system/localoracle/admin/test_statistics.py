"""V$SYSSTAT, V$SYSTEM_EVENT, V$UNDOSTAT and the like move with the work, and only with it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any, cast

import oracledb
import pytest

from localoracle.instance.activity import Activity
from localoracle.instance.cluster import Cluster
from localoracle.server.database import Database
from support.cursors import fails, one
from support.stand_in import Server, new_server
from support.waiting import until

ENQUEUE = "enq: TX - row lock contention"


@pytest.fixture(scope="module")
def own_server() -> Iterator[Server]:
    server, end = new_server("statistics")
    with server.connect() as connection:
        cursor = connection.cursor()
        cursor.execute("CREATE TABLE FILLED (N NUMBER, TEXT VARCHAR2(1000))")
        cursor.execute(
            "INSERT INTO FILLED SELECT LEVEL, RPAD(TO_CHAR(LEVEL), 1000, 'x') FROM DUAL CONNECT BY LEVEL <="
            " 30000"
        )
        connection.commit()
        # Each process of a parallel sort would have memory of its own.
        cursor.execute("ALTER SYSTEM SET parallel_max_servers = 0 SCOPE = BOTH")
    yield server
    end()


@pytest.fixture
def system(own_server: Server) -> Iterator[oracledb.Cursor]:
    with own_server.connect() as connection:
        yield connection.cursor()


def statistics(cursor: oracledb.Cursor) -> dict[str, int]:
    return dict(cursor.execute("SELECT NAME, VALUE FROM V$SYSSTAT").fetchall())


def test_counters_move_with_the_work(own_server: Server, system: oracledb.Cursor) -> None:
    before = statistics(system)
    with own_server.connect() as connection:
        cursor = connection.cursor()
        cursor.execute("CREATE TABLE COUNTED (TEXT VARCHAR2(1000))")
        for _ in range(5):
            cursor.executemany("INSERT INTO COUNTED VALUES (:1)", [("x" * 1000,)] * 1000)
            connection.commit()
        cursor.execute("INSERT INTO COUNTED VALUES ('not this one')")
        connection.rollback()
        mine = "SELECT N.NAME, M.VALUE FROM V$MYSTAT M JOIN V$STATNAME N ON N.STATISTIC# = M.STATISTIC#"

        def handed_on() -> dict[str, int] | None:
            own: dict[str, int] = dict(cursor.execute(mine).fetchall())
            return own if own["redo size"] >= 5_000_000 and "user rollbacks" in own else None

        own = until(handed_on)
        # Others may write redo as well, so the whole is known only when the part is, or later.
        after = until(
            lambda: (
                (now := statistics(system))["redo size"] >= before["redo size"] + 5_000_000
                and now["user rollbacks"] > before["user rollbacks"]
                and now
            )
        )
    assert after["user commits"] >= before["user commits"] + 5
    assert after["execute count"] > before["execute count"] + 6
    assert after["redo entries"] > before["redo entries"]
    assert after["logons cumulative"] > before["logons cumulative"]
    assert own["user commits"] >= 5
    assert own["user rollbacks"] == 1
    assert own["logons cumulative"] == 1


def test_a_sort_spills_unless_the_memory_is_enough(own_server: Server, system: oracledb.Cursor) -> None:
    spilled = "physical writes direct temporary tablespace"
    sort = "SELECT MAX(PLACE) FROM (SELECT N, TEXT, ROW_NUMBER() OVER (ORDER BY TEXT, N) PLACE FROM FILLED)"

    def postgres(query: str, *values: Any) -> list[Any]:
        with Cluster(own_server.instance).connect() as connection:
            return connection.execute(query, values).fetchall()  # type: ignore[call-overload,no-any-return]

    def growth() -> int:
        before = statistics(system)[spilled]
        with own_server.connect() as connection:
            one(connection.cursor(), sort)
            sid = one(connection.cursor(), "SELECT SYS_CONTEXT('USERENV', 'SID') FROM DUAL")
            (process,) = postgres("SELECT pg_pid FROM localoracle.sessions WHERE sid = %s", int(sid))[0]
        # Its counters are handed on before it ends, or is kept for the next session.
        working = "SELECT 1 FROM pg_stat_activity WHERE pid = %s AND NOT (state = 'idle' AND query LIKE %s)"
        until(lambda: not postgres(working, process, "SELECT pg_stat_reset_backend_stats(%"))
        return statistics(system)[spilled] - before

    system.execute("ALTER SYSTEM SET pga_aggregate_target = 10M SCOPE = MEMORY")
    assert growth() > 1000
    system.execute("ALTER SYSTEM SET pga_aggregate_target = 256M SCOPE = MEMORY")
    assert growth() == 0
    system.execute("ALTER SYSTEM RESET pga_aggregate_target SCOPE = MEMORY")
    assert one(system, "SELECT VALUE FROM V$PGASTAT WHERE NAME = 'extra bytes read/written'") > 8 << 20


def test_a_wait_that_one_sample_missed_is_one() -> None:
    activity = Activity(cast(Database, None))
    for seen in ([(1, ENQUEUE)], [], [(1, ENQUEUE)], [(1, ENQUEUE), (2, ENQUEUE)], [], []):
        activity.sampled(seen, 0.2)
    assert activity._waits[1][ENQUEUE].count == 1
    activity.sampled([(1, ENQUEUE)], 0.2)
    assert activity._waits[1][ENQUEUE].count == 2
    assert activity._waits[None][ENQUEUE].count == 3


def test_waits_for_a_row(own_server: Server, system: oracledb.Cursor) -> None:
    with own_server.connect() as holder, own_server.connect() as waiter:
        holder.cursor().execute("UPDATE FILLED SET TEXT = 'held' WHERE N = 1")
        sid = one(waiter.cursor(), "SELECT SYS_CONTEXT('USERENV', 'SID') FROM DUAL")

        def update() -> None:
            waiter.cursor().execute("UPDATE FILLED SET TEXT = 'waited' WHERE N = 1")

        waiting = threading.Thread(target=update)
        waiting.start()
        shown = "SELECT EVENT, WAIT_CLASS FROM V$SESSION_WAIT WHERE SID = :1 AND EVENT = :2"
        assert until(lambda: one(system, shown, [sid, ENQUEUE])) == (ENQUEUE, "Application")
        own = "SELECT TIME_WAITED_MICRO FROM V$SESSION_EVENT WHERE SID = :1 AND EVENT = :2"
        until(lambda: (one(system, own, [sid, ENQUEUE]) or 0) > 300_000)
        holder.rollback()
        waiting.join(60)
        assert not waiting.is_alive()
        waiter.rollback()
    waits, micro, group = one(
        system,
        "SELECT TOTAL_WAITS, TIME_WAITED_MICRO, WAIT_CLASS FROM V$SYSTEM_EVENT WHERE EVENT = :1",
        [ENQUEUE],
    )
    assert waits == 1
    assert micro > 300_000
    assert group == "Application"


def test_undo(own_server: Server, system: oracledb.Cursor) -> None:
    figures = "SELECT TXNCOUNT, SSOLDERRCNT, TUNED_UNDORETENTION FROM V$UNDOSTAT ORDER BY BEGIN_TIME DESC"
    transactions, errors, retention = one(system, figures)
    assert retention == 900
    scn = one(system, "SELECT CURRENT_SCN FROM V$DATABASE")
    system.execute("UPDATE FILLED SET TEXT = 'later' WHERE N = 2")
    system.connection.commit()
    assert own_server.command("control", "expire-undo").returncode == 0
    fails(system, 1555, f"SELECT COUNT(*) FROM FILLED AS OF SCN {scn}")
    until(lambda: one(system, figures)[1] == errors + 1)
    assert one(system, figures)[0] > transactions
    before = one(system, figures)[0]
    for n in range(1, 21):
        system.execute("UPDATE FILLED SET TEXT = 'again' WHERE N = :1", [n])
    system.connection.commit()
    until(lambda: one(system, figures)[0] > before)
    assert one(system, figures)[0] - before < 5, "transactions, not their statements"


def test_memory_of_processes(system: oracledb.Cursor) -> None:
    assert one(system, "SELECT MIN(PGA_ALLOC_MEM) FROM V$PROCESS") > 100_000
    assert one(system, "SELECT VALUE FROM V$PGASTAT WHERE NAME = 'total PGA allocated'") > 100_000
    sizes = dict(system.execute("SELECT NAME, BYTES FROM V$SGAINFO").fetchall())
    assert sizes["Maximum SGA Size"] > sizes["Buffer Cache Size"] > sizes["Redo Buffers"] > 0
    assert one(system, "SELECT SUM(BYTES) FROM V$SGASTAT") > sizes["Buffer Cache Size"]


def test_temporary_space_of_a_running_sort(own_server: Server, system: oracledb.Cursor) -> None:
    free = "SELECT ALLOCATED_SPACE, TABLESPACE_SIZE - FREE_SPACE FROM DBA_TEMP_FREE_SPACE"
    until(lambda: one(system, free) == (0, 0))
    system.execute("ALTER SYSTEM SET pga_aggregate_target = 10M SCOPE = MEMORY")
    with own_server.connect() as connection:
        cursor = connection.cursor()
        cursor.arraysize = 10
        cursor.execute("SELECT N, TEXT FROM FILLED ORDER BY TEXT, N")
        cursor.fetchone()
        allocated, used = one(system, free)
        assert allocated == used > 1 << 20
        assert one(system, "SELECT SUM(BLOCKS) FROM V$TEMPSEG_USAGE WHERE USERNAME = 'SYSTEM'") > 100
    system.execute("ALTER SYSTEM RESET pga_aggregate_target SCOPE = MEMORY")
    until(lambda: one(system, free) == (0, 0))


def test_a_restart_begins_anew(own_server: Server) -> None:
    with own_server.connect() as connection:
        before = statistics(connection.cursor())
    assert own_server.command("stop").returncode == 0
    assert own_server.command("start").returncode == 0
    with own_server.connect() as connection:
        after = statistics(connection.cursor())
        assert (
            one(connection.cursor(), "SELECT COUNT(*) FROM V$SYSTEM_EVENT WHERE EVENT = :1", [ENQUEUE]) == 0
        )
    assert after["redo size"] < before["redo size"]
    assert after["user commits"] == 0
    assert after["logons cumulative"] <= 1


def test_the_hosts_processors_are_counted(system: oracledb.Cursor) -> None:
    times = "SELECT STAT_NAME, VALUE, CUMULATIVE FROM V$OSSTAT"
    found = {name: (value, kind) for name, value, kind in system.execute(times).fetchall()}
    assert found["NUM_CPUS"][1] == "NO"
    names = ("BUSY_TIME", "IDLE_TIME", "USER_TIME", "NICE_TIME", "SYS_TIME", "IOWAIT_TIME")
    assert {found[name][1] for name in names} == {"YES"}
    value = {name: found[name][0] for name in names}
    assert value["BUSY_TIME"] == value["USER_TIME"] + value["NICE_TIME"] + value["SYS_TIME"]
    assert value["IOWAIT_TIME"] <= value["IDLE_TIME"]
    busy = "SELECT VALUE FROM V$OSSTAT WHERE STAT_NAME = 'BUSY_TIME'"
    until(lambda: one(system, busy) > value["BUSY_TIME"])


def test_intervals_are_closed_and_told_as_rates(own_server: Server, system: oracledb.Cursor) -> None:
    """The last test: by now most of the fifteen seconds are over."""
    short = (
        "SELECT M.METRIC_NAME, M.VALUE, M.METRIC_UNIT, M.INTSIZE_CSEC, M.END_TIME - M.BEGIN_TIME,"
        " M.END_TIME FROM V$SYSMETRIC M JOIN V$METRICNAME N ON N.GROUP_ID = M.GROUP_ID"
        " AND N.METRIC_ID = M.METRIC_ID WHERE N.GROUP_NAME = 'System Metrics Short Duration'"
    )
    begun = one(system, "SELECT SYSDATE FROM DUAL")

    def closed() -> list[tuple[Any, ...]] | None:
        one(system, "SELECT COUNT(*) FROM FILLED")
        found = system.execute(short).fetchall()
        return found if found and found[0][5] >= begun else None

    found = {row[0]: row[1:] for row in until(closed)}
    assert set(found) == {
        "Logical Reads Per Sec",
        "Physical Reads Per Sec",
        "Physical Writes Per Sec",
        "Redo Generated Per Sec",
    }
    value, unit, size, days, _ = found["Logical Reads Per Sec"]
    assert value > 0
    assert unit == "Reads Per Second"
    assert 1500 <= size < 6000
    assert abs(days * 86400 - size / 100) <= 1
