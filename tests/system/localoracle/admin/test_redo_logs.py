"""Redo log groups: adding, switching, dropping, and how they move with the work."""

from __future__ import annotations

import time
from collections.abc import Iterator

import oracledb
import pytest

from localoracle.instance.cluster import Cluster
from support.cursors import fails, one
from support.stand_in import Server, new_server
from support.waiting import PATIENCE, until

SMALL = 4 << 20


@pytest.fixture(scope="module")
def own_server() -> Iterator[Server]:
    server, end = new_server("redologs")
    with Cluster(server.instance).connect() as connection:
        # Its redo would fill groups as well, at times of its own.
        connection.execute("ALTER SYSTEM SET autovacuum = off")
        connection.execute("SELECT pg_reload_conf()")
    yield server
    end()


@pytest.fixture
def system(own_server: Server) -> Iterator[oracledb.Cursor]:
    with own_server.connect() as connection:
        yield connection.cursor()


def groups(cursor: oracledb.Cursor) -> dict[int, tuple[int, str, int]]:
    cursor.execute("SELECT GROUP#, BYTES, STATUS, MEMBERS FROM V$LOG ORDER BY GROUP#")
    return {row[0]: row[1:] for row in cursor}


def current(cursor: oracledb.Cursor) -> int:
    return int(one(cursor, "SELECT GROUP# FROM V$LOG WHERE STATUS = 'CURRENT'"))


def leave_only(cursor: oracledb.Cursor, wanted: set[int]) -> None:
    """As a DBA replaces groups: switch into a new one, make the others inactive, drop them."""
    for _ in range(10):
        if current(cursor) in wanted:
            break
        cursor.execute("ALTER SYSTEM SWITCH LOGFILE")
    cursor.execute("ALTER SYSTEM CHECKPOINT GLOBAL")
    for group in set(groups(cursor)) - wanted:
        cursor.execute(f"ALTER DATABASE DROP LOGFILE GROUP {group}")


def counted(cursor: oracledb.Cursor, name: str) -> int:
    return int(one(cursor, "SELECT VALUE FROM V$SYSSTAT WHERE NAME = :1", [name]))


def switched(cursor: oracledb.Cursor) -> int:
    return int(one(cursor, "SELECT MAX(SEQUENCE#) FROM V$LOG"))


def test_members_and_sizes(system: oracledb.Cursor) -> None:
    assert groups(system) == {
        number: (200 << 20, status, 1) for number, status in [(1, "CURRENT"), (2, "UNUSED"), (3, "UNUSED")]
    }
    system.execute(
        "ALTER DATABASE ADD LOGFILE THREAD 1 GROUP 4 ('/a/x.log', '/b/x.log') SIZE 8M REUSE,"
        " GROUP 5 '/a/y.log' SIZE 8M BLOCKSIZE 4096"
    )
    assert groups(system)[4] == (8 << 20, "UNUSED", 2)
    assert one(system, "SELECT BLOCKSIZE FROM V$LOG WHERE GROUP# = 5") == 4096
    system.execute("ALTER DATABASE ADD LOGFILE MEMBER '/b/y.log' TO GROUP 5")
    assert groups(system)[5] == (8 << 20, "UNUSED", 2)
    system.execute("ALTER DATABASE DROP LOGFILE MEMBER '/a/y.log'")
    system.execute("SELECT MEMBER FROM V$LOGFILE WHERE GROUP# = 5")
    assert system.fetchall() == [("/b/y.log",)]
    fails(system, 361, "ALTER DATABASE DROP LOGFILE MEMBER '/b/y.log'")
    fails(system, 360, "ALTER DATABASE DROP LOGFILE MEMBER '/nowhere.log'")
    fails(system, 1514, "ALTER DATABASE ADD LOGFILE MEMBER '/c.log' TO GROUP 77")
    fails(system, 1577, "ALTER DATABASE ADD LOGFILE GROUP 6 '/b/y.log' SIZE 8M")
    fails(system, 1577, "ALTER DATABASE ADD LOGFILE GROUP 6 ('/c.log', '/c.log') SIZE 8M")
    fails(system, 1184, "ALTER DATABASE ADD LOGFILE GROUP 5 SIZE 8M")
    fails(system, 1185, "ALTER DATABASE ADD LOGFILE GROUP 300 SIZE 8M")
    fails(system, 336, "ALTER DATABASE ADD LOGFILE GROUP 6 SIZE 1M")
    fails(system, 3001, "ALTER DATABASE ADD LOGFILE THREAD 2 GROUP 6 SIZE 8M")
    fails(system, 258, "ALTER SYSTEM ARCHIVE LOG CURRENT")
    system.execute("ALTER DATABASE DROP LOGFILE '/b/y.log', GROUP 4")
    assert set(groups(system)) == {1, 2, 3}


def test_what_is_needed_cannot_be_dropped(system: oracledb.Cursor) -> None:
    first = current(system)
    fails(system, 1623, f"ALTER DATABASE DROP LOGFILE GROUP {first}")
    sequence = one(system, "SELECT SEQUENCE# FROM V$LOG WHERE STATUS = 'CURRENT'")
    system.execute("ALTER SYSTEM SWITCH LOGFILE")
    assert groups(system)[first][1] == "ACTIVE"
    fails(system, 1624, f"ALTER DATABASE DROP LOGFILE GROUP {first}")
    history = "SELECT FIRST_TIME, NEXT_CHANGE# - FIRST_CHANGE# FROM V$LOG_HISTORY WHERE SEQUENCE# = :1"
    assert one(system, history, [sequence])[1] > 0
    system.execute("ALTER SYSTEM CHECKPOINT GLOBAL")
    assert groups(system)[first][1] == "INACTIVE"
    system.execute(f"ALTER DATABASE DROP LOGFILE GROUP {first}")
    (unused,) = [number for number, row in groups(system).items() if row[1] == "UNUSED"]
    fails(system, 1567, f"ALTER DATABASE DROP LOGFILE GROUP {unused}")
    system.execute(f"ALTER DATABASE ADD LOGFILE GROUP {first} SIZE 200M")


def test_a_switch_waits_for_the_checkpoint_where_all_are_active(system: oracledb.Cursor) -> None:
    for _ in range(2 * len(groups(system))):
        before = current(system)
        system.execute("ALTER SYSTEM SWITCH LOGFILE")
        assert current(system) != before


def test_small_groups_switch_often_and_hold_the_writers_up(system: oracledb.Cursor) -> None:
    system.execute(
        "ALTER DATABASE ADD LOGFILE " + ", ".join(f"GROUP {number} SIZE 4M" for number in (11, 12, 13))
    )
    leave_only(system, {11, 12, 13})
    system.execute("CREATE TABLE WRITTEN (TEXT VARCHAR2(1000))")
    redo = counted(system, "redo size")
    first = switched(system)
    rows = [("x" * 1000,)] * 2000
    event = (
        "SELECT TOTAL_WAITS, TIME_WAITED_MICRO, WAIT_CLASS FROM V$SYSTEM_EVENT"
        " WHERE EVENT = 'log file switch (checkpoint incomplete)'"
    )
    end = time.monotonic() + PATIENCE
    batches = 0
    # Whether a writer comes while all groups are needed is a matter of moments.
    while batches < 24 or one(system, event) is None:
        assert time.monotonic() < end
        system.executemany("INSERT INTO WRITTEN VALUES (:1)", rows)
        system.connection.commit()
        batches += 1
    # PostgreSQL's statistics follow after a moment, and so does the log writer.
    until(lambda: counted(system, "redo size") - redo > 5 * SMALL)
    until(lambda: switched(system) - first >= (counted(system, "redo size") - redo) // SMALL - 2)
    history = "SELECT COUNT(*) FROM V$LOG_HISTORY WHERE SEQUENCE# >= :1"
    until(lambda: one(system, history, [first]) == switched(system) - first)
    waits = one(system, event)
    assert waits[0] >= 1
    assert waits[1] > 0
    assert waits[2] == "Configuration"
    # Both views read what the server writes down every now and then: it may do so between them.
    until(lambda: counted(system, "redo log space requests") == one(system, event)[0])

    system.execute(
        "ALTER DATABASE ADD LOGFILE " + ", ".join(f"GROUP {number} SIZE 1G" for number in (1, 2, 3))
    )
    leave_only(system, {1, 2, 3})
    before = switched(system)
    for _ in range(6):
        system.executemany("INSERT INTO WRITTEN VALUES (:1)", rows)
        system.connection.commit()
    time.sleep(0.5)
    assert switched(system) == before
    system.execute("DROP TABLE WRITTEN PURGE")


def test_groups_stay_through_a_restart(own_server: Server) -> None:
    with own_server.connect() as connection:
        before = groups(connection.cursor())
        sequence = switched(connection.cursor())
    assert own_server.command("stop").returncode == 0
    assert own_server.command("start").returncode == 0
    with own_server.connect() as connection:
        cursor = connection.cursor()
        assert set(groups(cursor)) == set(before)
        assert switched(cursor) == sequence
        assert current(cursor) == next(number for number, row in before.items() if row[1] == "CURRENT")


def test_archived_groups(own_server: Server) -> None:
    assert own_server.command("control", "log-mode", "archivelog").returncode == 0
    with own_server.connect() as connection:
        cursor = connection.cursor()
        sequence = one(cursor, "SELECT SEQUENCE# FROM V$LOG WHERE STATUS = 'CURRENT'")
        cursor.execute("CREATE TABLE ARCHIVED (N NUMBER)")
        cursor.execute("INSERT INTO ARCHIVED VALUES (1)")
        connection.commit()
        cursor.execute("ALTER SYSTEM ARCHIVE LOG CURRENT")
        archived = "SELECT ARCHIVED FROM V$ARCHIVED_LOG WHERE SEQUENCE# = :1"
        until(lambda: one(cursor, archived, [sequence]) is not None)
        assert one(cursor, "SELECT ARCHIVED FROM V$LOG WHERE SEQUENCE# = :1", [sequence]) == "YES"
        assert one(cursor, "SELECT ARCHIVED FROM V$LOG WHERE STATUS = 'CURRENT'") == "NO"


def test_small_groups_are_replaced_while_redo_is_archived(own_server: Server) -> None:
    assert own_server.command("control", "log-mode", "archivelog").returncode == 0
    with own_server.connect() as connection:
        cursor = connection.cursor()
        archived = "SELECT ARCHIVED FROM V$LOG WHERE GROUP# = :1"
        for wanted in ({21, 22, 23}, {31, 32, 33}):
            cursor.execute(
                "ALTER DATABASE ADD LOGFILE " + ", ".join(f"GROUP {number} SIZE 4M" for number in wanted)
            )
            for _ in range(20):
                if current(cursor) in wanted:
                    break
                cursor.execute("ALTER SYSTEM SWITCH LOGFILE")
            cursor.execute("ALTER SYSTEM CHECKPOINT GLOBAL")
            for group in set(groups(cursor)) - wanted:
                until(lambda group=group: one(cursor, archived, [group]) != "NO")
                cursor.execute(f"ALTER DATABASE DROP LOGFILE GROUP {group}")
            assert set(groups(cursor)) == wanted


def test_a_filled_group_is_archived_without_further_redo(own_server: Server) -> None:
    assert own_server.command("control", "log-mode", "archivelog").returncode == 0
    with own_server.connect() as connection:
        cursor = connection.cursor()
        first = one(cursor, "SELECT SEQUENCE# FROM V$LOG WHERE STATUS = 'CURRENT'")
        assert one(cursor, "SELECT BYTES FROM V$LOG WHERE STATUS = 'CURRENT'") == SMALL
        cursor.execute("CREATE TABLE OVERFLOWING (TEXT VARCHAR2(1000))")
        cursor.executemany("INSERT INTO OVERFLOWING VALUES (:1)", [("x" * 1000,)] * 6000)
        connection.commit()
        archived = "SELECT COUNT(*) FROM V$ARCHIVED_LOG WHERE SEQUENCE# = :1"
        until(lambda: one(cursor, archived, [first]))
        assert one(cursor, "SELECT SEQUENCE# FROM V$LOG WHERE STATUS = 'CURRENT'") <= first + 3


def test_standby_logs(system: oracledb.Cursor) -> None:
    system.execute("ALTER DATABASE ADD STANDBY LOGFILE THREAD 1 GROUP 90 '/s/90.log' SIZE 200M")
    fails(system, 1184, "ALTER DATABASE ADD LOGFILE GROUP 90 SIZE 200M")
    fails(system, 1577, "ALTER DATABASE ADD LOGFILE GROUP 91 '/s/90.log' SIZE 200M")
    assert one(system, "SELECT GROUP#, BYTES, STATUS, DBID FROM V$STANDBY_LOG") == (
        90,
        200 << 20,
        "UNASSIGNED",
        "UNASSIGNED",
    )
    assert one(system, "SELECT MEMBER FROM V$LOGFILE WHERE TYPE = 'STANDBY'") == "/s/90.log"
    system.execute("ALTER DATABASE DROP STANDBY LOGFILE GROUP 90")
    fails(system, 1514, "ALTER DATABASE DROP STANDBY LOGFILE GROUP 90")
