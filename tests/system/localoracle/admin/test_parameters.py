"""Initialization parameters: their values, scopes, containers, and what they change in PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import oracledb
import pytest

from localoracle.instance.cluster import Cluster
from support.cursors import fails, one
from support.stand_in import Server, new_server
from support.waiting import until

ALL_PARAMETERS = "SELECT NAME, VALUE, ISDEFAULT, ISMODIFIED FROM V$SYSTEM_PARAMETER ORDER BY NAME"


@pytest.fixture(scope="module")
def own_server() -> Iterator[Server]:
    server, end = new_server("parameters")
    yield server
    end()


@pytest.fixture
def system(own_server: Server) -> Iterator[oracledb.Cursor]:
    with own_server.connect() as connection:
        yield connection.cursor()


def postgres(server: Server, name: str) -> Any:
    with Cluster(server.instance).connect() as connection:
        row = connection.execute("SELECT current_setting(%s)", [name]).fetchone()
    assert row is not None
    return row[0]


def value(cursor: oracledb.Cursor, name: str) -> Any:
    return one(cursor, "SELECT VALUE FROM V$SYSTEM_PARAMETER WHERE NAME = :1", [name])


@pytest.mark.parametrize(
    ("code", "cause", "setting"),
    [
        (68, "between 0 and 2147483647", "undo_retention = -1"),
        (68, "between 0 and 32767", "parallel_max_servers = 40000"),
        (96, "FULL, TRUE, MEDIUM, LOW, FALSE, OFF", "db_block_checking = SOMETIMES"),
        (96, "FORCE_WAIT, NOWAIT, WAIT", "commit_wait = PERHAPS"),
        (
            2097,
            "ORA-00093: pga_aggregate_target must be between 10M and 4096G-1",
            "pga_aggregate_target = 1M",
        ),
        (2097, "ORA-00093: pga_aggregate_limit", "pga_aggregate_limit = 1G"),
        (2097, "ORA-00093: pga_aggregate_limit", "pga_aggregate_target = 4G"),
        (2097, "ORA-00823", "sga_target = 4G"),
        (2097, "ORA-00837", "memory_target = 4G"),
        (2097, "ORA-04033", "streams_pool_size = 2G"),
        (2097, "ORA-19802", "db_recovery_file_dest = '/fra'"),
        (2095, "cannot be modified", "processes = 400"),
        (2065, "illegal option", "no_such_parameter = 1"),
        (2017, "integer value", "undo_retention = 'long'"),
        (30012, "does not exist", "undo_tablespace = NOWHERE"),
        (3001, "SID = 'OTHER'", "undo_retention = 1 SID = 'other'"),
    ],
)
def test_bad_values_change_nothing(system: oracledb.Cursor, code: int, cause: str, setting: str) -> None:
    before = system.execute(ALL_PARAMETERS).fetchall()
    fails(system, code, f"ALTER SYSTEM SET {setting}", text=cause)
    fails(system, code, f"ALTER SYSTEM SET ddl_lock_timeout = 7 {setting}", text=cause)
    assert system.execute(ALL_PARAMETERS).fetchall() == before


def test_valid_values(system: oracledb.Cursor) -> None:
    system.execute("SELECT VALUE FROM V$PARAMETER_VALID_VALUES WHERE NAME = 'commit_wait' ORDER BY VALUE")
    assert [row[0] for row in system] == ["FORCE_WAIT", "NOWAIT", "WAIT"]
    assert one(system, "SELECT COUNT(*) FROM V$PARAMETER_VALID_VALUES WHERE NAME = 'undo_retention'") == 0
    assert value(system, "spfile").endswith("spfilePARAMETERS.ora")


def test_pools_are_whole_granules(system: oracledb.Cursor) -> None:
    system.execute("ALTER SYSTEM SET streams_pool_size = 5M SCOPE = MEMORY")
    assert value(system, "streams_pool_size") == str(8 << 20)
    system.execute("ALTER SYSTEM RESET streams_pool_size SCOPE = MEMORY")
    assert value(system, "streams_pool_size") == "0"


def test_memory_and_file_are_told_apart_by_a_restart(own_server: Server) -> None:
    with own_server.connect() as connection:
        cursor = connection.cursor()
        before = cursor.execute(ALL_PARAMETERS).fetchall()
        cursor.execute("ALTER SYSTEM SET undo_retention = 1200 SCOPE = MEMORY")
        cursor.execute("ALTER SYSTEM SET processes = 400 SCOPE = SPFILE")
        cursor.execute("ALTER SYSTEM SET ddl_lock_timeout = 9 SCOPE = SPFILE SID = 'parameters'")
        assert [value(cursor, name) for name in ("undo_retention", "processes", "ddl_lock_timeout")] == [
            "1200",
            "300",
            "0",
        ]
        fails(cursor, 32010, "ALTER SYSTEM RESET ddl_lock_timeout SCOPE = SPFILE SID = '*'")
    assert own_server.command("stop").returncode == 0
    assert own_server.command("start").returncode == 0
    with own_server.connect() as connection:
        cursor = connection.cursor()
        assert [value(cursor, name) for name in ("undo_retention", "processes", "ddl_lock_timeout")] == [
            "900",
            "400",
            "9",
        ]
        cursor.execute("ALTER SYSTEM RESET processes SCOPE = SPFILE")
        cursor.execute("ALTER SYSTEM RESET ddl_lock_timeout SCOPE = BOTH SID = 'parameters'")
    assert own_server.command("stop").returncode == 0
    assert own_server.command("start").returncode == 0
    with own_server.connect() as connection:
        assert connection.cursor().execute(ALL_PARAMETERS).fetchall() == before


def test_what_parameters_change(own_server: Server, system: oracledb.Cursor) -> None:
    assert postgres(own_server, "work_mem") == "64MB"
    assert postgres(own_server, "max_parallel_workers") == "8"
    system.execute("ALTER SYSTEM SET pga_aggregate_target = 256M SCOPE = MEMORY")
    system.execute("ALTER SYSTEM SET parallel_max_servers = 2 SCOPE = MEMORY")
    assert postgres(own_server, "work_mem") == "256MB"
    assert postgres(own_server, "max_parallel_workers") == "2"
    assert (
        one(system, "SELECT VALUE FROM V$PGASTAT WHERE NAME = 'aggregate PGA target parameter'") == 256 << 20
    )
    system.execute("ALTER SYSTEM RESET pga_aggregate_target SCOPE = MEMORY")
    system.execute("ALTER SYSTEM RESET parallel_max_servers SCOPE = MEMORY")
    assert postgres(own_server, "work_mem") == "64MB"


def commits(cursor: oracledb.Cursor, statement: str = "COMMIT") -> tuple[int, int]:
    """How many of three commits waited for their redo, and how many there were, by the session's counters."""
    sql = (
        "SELECT (SELECT NVL(SUM(TOTAL_WAITS), 0) FROM V$SESSION_EVENT E WHERE E.SID = M.SID AND"
        " E.EVENT = 'log file sync'), M.VALUE FROM V$MYSTAT M JOIN V$STATNAME N ON N.STATISTIC# ="
        " M.STATISTIC# WHERE N.NAME = 'user commits'"
    )
    _handed_on(cursor)
    before = one(cursor, sql) or (0, 0)
    for number in range(3):
        cursor.execute("INSERT INTO COMMITTED VALUES (:1)", [number])
        cursor.execute(statement)
    _handed_on(cursor)
    after = one(cursor, sql)
    return int(after[0] - before[0]), int(after[1] - before[1])


def _handed_on(cursor: oracledb.Cursor) -> None:
    """Until V$MYSTAT and V$SESSION_EVENT know what the session has done; they all follow together."""
    sql = (
        "SELECT NVL(MAX(M.VALUE), 0) FROM V$MYSTAT M JOIN V$STATNAME N ON N.STATISTIC# = M.STATISTIC#"
        " WHERE N.NAME = 'user rollbacks'"
    )
    before = one(cursor, sql)
    cursor.execute("INSERT INTO COMMITTED VALUES (NULL)")
    cursor.execute("ROLLBACK")
    until(lambda: one(cursor, sql) > before)


def test_commit_wait(own_server: Server, system: oracledb.Cursor) -> None:
    system.execute("CREATE TABLE COMMITTED (N NUMBER)")
    assert commits(system) == (3, 3)
    assert commits(system, "COMMIT WRITE BATCH NOWAIT") == (0, 3)
    system.execute("ALTER SESSION SET COMMIT_WAIT = NOWAIT")
    assert commits(system) == (0, 3)
    assert commits(system, "COMMIT WRITE WAIT") == (3, 3)
    system.execute("ALTER SYSTEM SET commit_wait = FORCE_WAIT SCOPE = MEMORY")
    system.execute("ALTER SESSION SET COMMIT_WAIT = NOWAIT")
    assert commits(system) == (3, 3)
    system.execute("ALTER SYSTEM SET commit_wait = nowait SCOPE = MEMORY")
    assert value(system, "commit_wait") == "NOWAIT"
    assert postgres(own_server, "synchronous_commit") == "off"
    with own_server.connect() as connection:
        assert commits(connection.cursor()) == (0, 3)
    system.execute("ALTER SYSTEM RESET commit_wait SCOPE = MEMORY")
    assert value(system, "commit_wait") is None
    assert postgres(own_server, "synchronous_commit") == "on"


def test_a_pluggable_database(own_server: Server) -> None:
    context = "SELECT SYS_CONTEXT('USERENV', 'CON_NAME'), SYS_CONTEXT('USERENV', 'CON_ID') FROM DUAL"
    assert own_server.command("control", "container", "moon").returncode == 1
    assert own_server.command("control", "container", "pdb").returncode == 0
    with own_server.connect() as connection:
        cursor = connection.cursor()
        assert one(cursor, context) == ("PARAMETERS", "3")
        assert one(cursor, "SELECT CDB FROM V$DATABASE") == "YES"
        assert one(cursor, "SELECT NAME FROM V$PDBS") == "PARAMETERS"
        for statement in (
            "ALTER SYSTEM SET streams_pool_size = 8M",
            "ALTER SYSTEM SET log_buffer = 16M SCOPE = SPFILE",
            "ALTER SYSTEM SWITCH LOGFILE",
            "ALTER DATABASE ADD LOGFILE SIZE 1G",
            "ALTER DATABASE FORCE LOGGING",
            "ALTER DATABASE FLASHBACK ON",
        ):
            fails(cursor, 65040, statement)
        cursor.execute("ALTER SYSTEM SET undo_retention = 901 SCOPE = MEMORY")
        cursor.execute("ALTER SYSTEM RESET undo_retention SCOPE = MEMORY")
    assert own_server.command("control", "container", "root").returncode == 0
    with own_server.connect() as connection:
        cursor = connection.cursor()
        assert one(cursor, context) == ("CDB$ROOT", "1")
        cursor.execute("ALTER SYSTEM SET streams_pool_size = 8M SCOPE = MEMORY")
        cursor.execute("ALTER SYSTEM RESET streams_pool_size SCOPE = MEMORY")
    assert own_server.command("control", "container", "none").returncode == 0
    with own_server.connect() as connection:
        assert one(connection.cursor(), "SELECT CDB FROM V$DATABASE") == "NO"


def test_a_data_guard_primary(own_server: Server, system: oracledb.Cursor) -> None:
    standbys = "SELECT COUNT(*) FROM V$ARCHIVE_DEST WHERE TARGET = 'STANDBY' AND STATUS = 'VALID'"
    assert one(system, standbys) == 0
    assert own_server.command("control", "role", "primary-with-standby").returncode == 0
    assert one(system, standbys) == 1
    assert one(system, "SELECT DATABASE_ROLE FROM V$DATABASE") == "PRIMARY"
    assert own_server.command("control", "role", "primary").returncode == 0
    assert one(system, standbys) == 0


def test_unknown_role_is_refused(own_server: Server) -> None:
    assert own_server.command("control", "role", "standby").returncode == 1
