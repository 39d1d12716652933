"""Groups of temporary tablespaces, and the views of their files.

Sources: SQL Language Reference 19c, CREATE and ALTER TABLESPACE (tablespace_group_clause), CREATE USER;
Administrator's Guide 19c, Temporary Tablespace Groups; Error Messages 19c (ERR); Database Reference 19c.
"""

from __future__ import annotations

from collections.abc import Iterator

import oracledb
import pytest

from support.rulings import Answer, Ruling
from support.stand_in import Server

GROUPS = "Administrator's Guide, Temporary Tablespace Groups"
ERR = "ERR"
MEMBERS = "SELECT group_name, tablespace_name FROM dba_tablespace_groups ORDER BY 2"


@pytest.fixture
def system(oracle: Server) -> Iterator[oracledb.Connection]:
    with oracle.connect() as connection:
        cursor = connection.cursor()
        cursor.execute("CREATE TEMPORARY TABLESPACE temp_a TEMPFILE '/u01/oradata/temp_a.dbf' SIZE 50M")
        cursor.execute(
            "CREATE TEMPORARY TABLESPACE temp_b TEMPFILE '/u01/oradata/temp_b.dbf' SIZE 60M"
            " TABLESPACE GROUP temps"
        )
        yield connection
        cursor.execute("DROP TABLESPACE temp_a INCLUDING CONTENTS AND DATAFILES")
        cursor.execute("DROP TABLESPACE temp_b INCLUDING CONTENTS AND DATAFILES")


def test_a_group_is_its_members(system: oracledb.Connection) -> None:
    Answer(MEMBERS, [("TEMPS", "TEMP_B")], GROUPS).hold(system)
    Ruling("ALTER TABLESPACE temp_a TABLESPACE GROUP temps", "", GROUPS).hold(system)
    Answer(MEMBERS, [("TEMPS", "TEMP_A"), ("TEMPS", "TEMP_B")], GROUPS).hold(system)
    Ruling("ALTER TABLESPACE temp_b TABLESPACE GROUP ''", "", "SQL, ALTER TABLESPACE").hold(system)
    Ruling("ALTER TABLESPACE temp_a TABLESPACE GROUP others", "", GROUPS).hold(system)
    Answer(MEMBERS, [("OTHERS", "TEMP_A")], GROUPS).hold(system)


def test_what_a_group_may_be(system: oracledb.Connection) -> None:
    Ruling("ALTER TABLESPACE users TABLESPACE GROUP temps", "ORA-10915", ERR).hold(system)
    Ruling("CREATE UNDO TABLESPACE u TABLESPACE GROUP temps", "ORA-10915", ERR).hold(system)
    Ruling("ALTER TABLESPACE temp_a TABLESPACE GROUP temp_a", "ORA-10918", ERR).hold(system)
    Ruling("ALTER TABLESPACE temp_a TABLESPACE GROUP users", "ORA-10918", f"{GROUPS}: namespace").hold(system)
    Ruling("ALTER TABLESPACE temp_a TABLESPACE GROUP", "ORA-10914", ERR).hold(system)
    Ruling("ALTER TABLESPACE temps ADD TEMPFILE '/u01/x.dbf' SIZE 1M", "ORA-10917", ERR).hold(system)
    Ruling("DROP TABLESPACE temps", "ORA-10917", ERR).hold(system)
    twice = "CREATE TEMPORARY TABLESPACE t TABLESPACE GROUP temps TABLESPACE GROUP temps"
    Ruling(twice, "ORA-10916", ERR).hold(system)
    taken = "CREATE TEMPORARY TABLESPACE temps TEMPFILE '/u01/x.dbf' SIZE 1M"
    Ruling(taken, "ORA-10917", ERR).hold(system)


def test_a_user_may_have_a_group(system: oracledb.Connection) -> None:
    create = "CREATE USER grouped IDENTIFIED BY x TEMPORARY TABLESPACE temps"
    Ruling(create, "", "SQL, CREATE USER, TEMPORARY TABLESPACE").hold(system)
    try:
        shown = "SELECT temporary_tablespace FROM dba_users WHERE username = 'GROUPED'"
        Answer(shown, [("TEMPS",)], "Database Reference, DBA_USERS: or of a group").hold(system)
        Ruling("ALTER USER grouped DEFAULT TABLESPACE temps", "ORA-00959", ERR).hold(system)
        Ruling("ALTER USER grouped TEMPORARY TABLESPACE nowhere", "ORA-00959", ERR).hold(system)
        Ruling("ALTER USER grouped QUOTA 1M ON temps", "ORA-00959", ERR).hold(system)
    finally:
        system.cursor().execute("DROP USER grouped")


def test_the_views_of_temporary_files(system: oracledb.Connection) -> None:
    Answer(
        "SELECT tablespace_name, bytes, blocks, status, autoextensible, maxbytes, shared, inst_id"
        " FROM dba_temp_files WHERE tablespace_name LIKE 'TEMP\\__' ESCAPE '\\' ORDER BY 1",
        [
            ("TEMP_A", 50 << 20, 6400, "ONLINE", "NO", 0, "SHARED", None),
            ("TEMP_B", 60 << 20, 7680, "ONLINE", "NO", 0, "SHARED", None),
        ],
        "Database Reference, DBA_TEMP_FILES",
    ).hold(system)
    Answer(
        "SELECT t.name, f.name, f.status, f.enabled, f.bytes, f.create_bytes, f.block_size FROM v$tempfile f"
        " JOIN v$tablespace t ON t.ts# = f.ts# WHERE t.name = 'TEMP_A'",
        [("TEMP_A", "/u01/oradata/temp_a.dbf", "ONLINE", "READ WRITE", 50 << 20, 50 << 20, 8192)],
        "Database Reference, V$TEMPFILE",
    ).hold(system)
