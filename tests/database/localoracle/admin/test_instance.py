"""ALTER SYSTEM, ALTER SESSION, ALTER DATABASE, tablespaces."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import oracledb
import pytest

from support.cursors import fails, one
from support.stand_in import Schema, Server


@pytest.fixture
def system(oracle: Server) -> Iterator[oracledb.Cursor]:
    with oracle.connect() as connection:
        yield connection.cursor()


def parameter(cursor: oracledb.Cursor, name: str) -> Any:
    return one(
        cursor,
        "SELECT P.VALUE, S.VALUE, S.ISSPECIFIED FROM V$SYSTEM_PARAMETER P JOIN V$SPPARAMETER S ON S.NAME ="
        " P.NAME WHERE P.NAME = :1",
        [name],
    )


def test_parameters_in_memory_and_in_the_file(system: oracledb.Cursor) -> None:
    assert parameter(system, "undo_retention") == ("900", None, "FALSE")
    system.execute("ALTER SYSTEM SET undo_retention = 1200 SCOPE = MEMORY")
    assert parameter(system, "undo_retention") == ("1200", None, "FALSE")
    system.execute("ALTER SYSTEM SET undo_retention = 1800 COMMENT = 'longer' SCOPE = BOTH SID = '*'")
    assert parameter(system, "undo_retention") == ("1800", "1800", "TRUE")
    system.execute("ALTER SYSTEM RESET undo_retention SCOPE = SPFILE SID = '*'")
    assert parameter(system, "undo_retention") == ("1800", None, "FALSE")
    fails(system, 32010, "ALTER SYSTEM RESET undo_retention SCOPE = SPFILE")
    system.execute("ALTER SYSTEM SET undo_retention = 900 SCOPE = MEMORY")


def test_static_and_unknown_parameters(system: oracledb.Cursor) -> None:
    fails(system, 2095, "ALTER SYSTEM SET processes = 400")
    system.execute("ALTER SYSTEM SET processes = 400 SCOPE = SPFILE")
    assert parameter(system, "processes") == ("300", "400", "TRUE")
    system.execute("ALTER SYSTEM RESET processes SCOPE = SPFILE")
    fails(system, 2065, "ALTER SYSTEM SET no_such_parameter = 1")
    fails(system, 2017, "ALTER SYSTEM SET undo_retention = 'long'")
    fails(system, 68, "ALTER SYSTEM SET deferred_segment_creation = MAYBE")
    fails(system, 2096, "ALTER SYSTEM SET recyclebin = ON")
    fails(system, 30012, "ALTER SYSTEM SET undo_tablespace = USERS")
    fails(system, 3001, "ALTER SYSTEM DUMP DATAFILE 1 BLOCK 1")


def test_a_session_has_its_own_settings(oracle: Server, system: oracledb.Cursor) -> None:
    with oracle.connect() as connection:
        cursor = connection.cursor()
        cursor.execute("ALTER SESSION SET NLS_DATE_FORMAT = 'YYYY-MM-DD' NLS_SORT = BINARY")
        connection.rollback()
        value = "SELECT VALUE FROM NLS_SESSION_PARAMETERS WHERE PARAMETER = 'NLS_DATE_FORMAT'"
        assert one(cursor, value) == "YYYY-MM-DD"
        assert one(system, value) == "DD-MON-RR"
        assert one(cursor, "SELECT ISMODIFIED FROM V$PARAMETER WHERE NAME = 'nls_date_format'") == "MODIFIED"
        cursor.execute("ALTER SESSION SET TIME_ZONE = '+02:00'")
        assert one(cursor, "SELECT SESSIONTIMEZONE FROM DUAL") == "+02:00"
        cursor.execute("ALTER SESSION ENABLE PARALLEL DML")
        assert (
            one(cursor, "SELECT PDML_STATUS FROM V$SESSION WHERE SID = SYS_CONTEXT('USERENV', 'SID')")
            == "ENABLED"
        )
        fails(cursor, 2248, "ALTER SESSION SET NO_SUCH_PARAMETER = 1")
        fails(cursor, 2096, "ALTER SESSION SET UNDO_RETENTION = 1")
        fails(cursor, 1882, "ALTER SESSION SET TIME_ZONE = 'Middle/Earth'")
        fails(cursor, 1435, "ALTER SESSION SET CURRENT_SCHEMA = NOBODY")
        fails(cursor, 12705, "ALTER SESSION SET NLS_NUMERIC_CHARACTERS = '..'")


def test_altering_the_session_does_not_end_the_transaction(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute("CREATE TABLE T (ID NUMBER)")
    cursor.execute("INSERT INTO T VALUES (1)")
    cursor.execute("ALTER SESSION SET NLS_COMP = BINARY")
    fails(cursor, 12841, "ALTER SESSION ENABLE PARALLEL DML")
    schema.connection.rollback()
    assert one(cursor, "SELECT COUNT(*) FROM T") == 0


def test_kill_session(oracle: Server, system: oracledb.Cursor, schema: Schema) -> None:
    victim = schema.connect()
    sid, serial = (
        one(victim.cursor(), "SELECT SYS_CONTEXT('USERENV', 'SID'), 0 FROM DUAL")[0],
        one(system, "SELECT MAX(SERIAL#) FROM V$SESSION WHERE USERNAME = :1", [schema.name]),
    )
    row = system.execute("SELECT SID, SERIAL# FROM V$SESSION WHERE SID = :1", [sid]).fetchone()
    assert row is not None
    assert serial
    fails(system, 30, f"ALTER SYSTEM KILL SESSION '{row[0]},{row[1] + 1}'")
    fails(system, 26, "ALTER SYSTEM KILL SESSION 'somebody'")
    system.execute(f"ALTER SYSTEM KILL SESSION '{row[0]},{row[1]}' IMMEDIATE")
    with pytest.raises(oracledb.DatabaseError):
        victim.cursor().execute("SELECT 1 FROM DUAL")
    own = one(system, "SELECT SID, SERIAL# FROM V$SESSION WHERE SID = SYS_CONTEXT('USERENV', 'SID')")
    fails(system, 27, f"ALTER SYSTEM KILL SESSION '{own[0]},{own[1]}'")


def test_redo_log_groups(system: oracledb.Cursor) -> None:
    system.execute("ALTER DATABASE ADD LOGFILE GROUP 4 ('/u01/oradata/redo04.log') SIZE 1G")
    fails(system, 1184, "ALTER DATABASE ADD LOGFILE GROUP 4 SIZE 1G")
    current = one(system, "SELECT GROUP# FROM V$LOG WHERE STATUS = 'CURRENT'")
    fails(system, 1623, f"ALTER DATABASE DROP LOGFILE GROUP {current}")
    system.execute("ALTER SYSTEM SWITCH LOGFILE")
    fails(system, 1624, f"ALTER DATABASE DROP LOGFILE GROUP {current}")
    system.execute("ALTER SYSTEM CHECKPOINT GLOBAL")
    system.execute(f"ALTER DATABASE DROP LOGFILE GROUP {current}")
    assert one(system, "SELECT COUNT(*) FROM V$LOG") == 3
    fails(system, 1514, "ALTER DATABASE DROP LOGFILE GROUP 77")
    fails(system, 1126, "ALTER DATABASE NOARCHIVELOG")
    fails(system, 3001, "ALTER DATABASE RENAME GLOBAL_NAME TO X")


def test_tablespaces(system: oracledb.Cursor) -> None:
    system.execute("ALTER SYSTEM SET db_create_file_dest = '/u01/oradata' SCOPE = MEMORY")
    system.execute(
        "CREATE BIGFILE UNDO TABLESPACE U DATAFILE SIZE 4096M AUTOEXTEND ON NEXT 512M MAXSIZE 1048576M"
        " RETENTION GUARANTEE"
    )
    described = "SELECT CONTENTS, BIGFILE, RETENTION FROM DBA_TABLESPACES WHERE TABLESPACE_NAME = 'U'"
    assert one(system, described) == ("UNDO", "YES", "GUARANTEE")
    assert one(system, "SELECT BYTES, MAXBYTES FROM DBA_DATA_FILES WHERE TABLESPACE_NAME = 'U'") == (
        4 << 30,
        1 << 40,
    )
    fails(system, 1543, "CREATE TABLESPACE U DATAFILE SIZE 1M")
    system.execute("ALTER TABLESPACE U RETENTION NOGUARANTEE")
    assert one(system, described) == ("UNDO", "YES", "NOGUARANTEE")
    fails(system, 30044, "ALTER TABLESPACE USERS RETENTION GUARANTEE")
    system.execute("ALTER SYSTEM SET undo_tablespace = U SCOPE = MEMORY")
    fails(system, 30013, "DROP TABLESPACE U")
    system.execute("ALTER SYSTEM RESET undo_tablespace SCOPE = MEMORY")
    system.execute("DROP TABLESPACE U INCLUDING CONTENTS AND DATAFILES")
    fails(system, 959, "DROP TABLESPACE U")
    fails(system, 1550, "DROP TABLESPACE SYSTEM")
    fails(system, 2180, "CREATE TABLESPACE V DATAFILE SIZE 1M FROBNICATE")
    system.execute("ALTER SYSTEM RESET db_create_file_dest SCOPE = MEMORY")
