"""Users, tablespaces and the instance, as a DBA sees them.

Sources: SQL Language Reference 19c (SQL), Error Messages 19c (ERR).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import oracledb
import pytest

from support.rulings import Answer, Ruling
from support.stand_in import Schema, Server

ERR = "ERR, the message"
FILE = "SQL, CREATE TABLESPACE; file_specification"
SYSTEM = "SQL, ALTER SYSTEM"
CREATE_CAPTURE = "begin dbms_capture_adm.create_capture(queue_name => 'nowhere', capture_name => 'c'); end;"
BIG = "CREATE BIGFILE TABLESPACE ruled_big DATAFILE '/u01/ruled_big.dbf' SIZE 1M"
SMALL = "CREATE TABLESPACE ruled DATAFILE '/u01/ruled.dbf' SIZE 1M"

TABLESPACES = [
    Ruling("CREATE TABLESPACE ruled", "ORA-02199", "ERR: without DB_CREATE_FILE_DEST"),
    Ruling("CREATE TABLESPACE ruled DATAFILE SIZE 1M", "ORA-02199", "ERR: without DB_CREATE_FILE_DEST"),
    Ruling("ALTER TABLESPACE ruled ADD DATAFILE SIZE 1M", "ORA-02199", ERR, (SMALL,)),
    Ruling("CREATE TABLESPACE ruled DATAFILE '/u01/o1_mf_ruled_x1y2z3w4_.dbf' SIZE 1M", "ORA-01276", ERR),
    Ruling(
        "ALTER TABLESPACE ruled ADD DATAFILE '/u01/o1_mf_ruled_x1y2z3w4_.dbf' SIZE 1M",
        "ORA-01276",
        ERR,
        (SMALL,),
    ),
    Ruling("CREATE TABLESPACE ruled DATAFILE '/u01/ruled.dbf' SIZE 33G", "ORA-01144", ERR),
    Ruling("ALTER DATABASE DATAFILE '/u01/ruled.dbf' RESIZE 33G", "ORA-01144", ERR, (SMALL,)),
    Ruling("CREATE TABLESPACE ruled DATAFILE '/u01/ruled.dbf' SIZE 31G", "", ERR),
    Ruling("CREATE BIGFILE TABLESPACE ruled_big DATAFILE '/u01/ruled_big.dbf' SIZE 33G", "", ERR),
    Ruling("ALTER TABLESPACE ruled_big ADD DATAFILE '/u01/b2.dbf' SIZE 1M", "ORA-32771", ERR, (BIG,)),
    Ruling(
        "CREATE BIGFILE TABLESPACE ruled_big DATAFILE '/u01/b1.dbf' SIZE 1M, '/u01/b2.dbf' SIZE 1M",
        "ORA-32774",
        ERR,
    ),
    Ruling("ALTER TABLESPACE ruled RESIZE 2M", "ORA-32773", ERR, (SMALL,)),
    Ruling("ALTER TABLESPACE ruled_big RESIZE 2M", "", ERR, (BIG,)),
    Ruling("CREATE TABLESPACE users DATAFILE '/u01/x.dbf' SIZE 1M", "ORA-01543", ERR),
    Ruling("CREATE TABLESPACE ruled DATAFILE '/u01/ruled.dbf' SIZE 1M NONSENSE", "ORA-02180", ERR),
    Ruling("CREATE TABLESPACE ruled DATAFILE '/u01/oradata/users01.dbf' SIZE 1M", "ORA-01537", ERR),
    Ruling("CREATE TABLESPACE ruled DATAFILE '/u01/ruled.dbf' SIZE nonsense", "ORA-02237", ERR),
    Ruling("DROP TABLESPACE nowhere", "ORA-00959", ERR),
    Ruling("DROP TABLESPACE system", "ORA-01550", ERR),
    Ruling("DROP TABLESPACE undotbs1", "ORA-30013", ERR),
    Ruling("DROP TABLESPACE users", "ORA-12919", ERR),
    Ruling(
        "DROP TABLESPACE ruled",
        "ORA-01549",
        ERR,
        (SMALL, "CREATE TABLE in_ruled (a NUMBER) TABLESPACE ruled", "INSERT INTO in_ruled VALUES (1)"),
    ),
    Ruling("DROP TABLESPACE ruled", "", ERR, (SMALL,)),
    Ruling("ALTER TABLESPACE nowhere READ ONLY", "ORA-00959", ERR),
    Ruling("ALTER TABLESPACE ruled RETENTION GUARANTEE", "ORA-30044", ERR, (SMALL,)),
    Ruling("CREATE TABLESPACE ruled DATAFILE '/u01/ruled.dbf' SIZE 1M RETENTION GUARANTEE", "ORA-30044", ERR),
    Ruling("CREATE TABLESPACE ruled DATAFILE '/u01/ruled.dbf' SIZE 1K", "ORA-03214", ERR),
    Ruling(
        "CREATE TEMPORARY TABLESPACE ruled TEMPFILE '/u01/ruled.dbf' SIZE 1M"
        " EXTENT MANAGEMENT LOCAL AUTOALLOCATE",
        "ORA-25139",
        "SQL, CREATE TABLESPACE: not AUTOALLOCATE for temporary ones",
    ),
    Ruling("CREATE PROFILE ruled LIMIT no_such_resource 5", "ORA-02376", ERR),
    Ruling("CREATE PROFILE ruled LIMIT idle_time 5 idle_time 6", "ORA-02376", ERR),
]

USERS = [
    Ruling("CREATE USER system IDENTIFIED BY x", "ORA-01920", ERR),
    Ruling("CREATE USER dba IDENTIFIED BY x", "ORA-01920", ERR),
    Ruling("CREATE USER ruled_user", "ORA-01935", ERR),
    Ruling("CREATE USER select IDENTIFIED BY x", "ORA-01935", "SQL, Oracle SQL Reserved Words"),
    Ruling("CREATE USER ruled_user IDENTIFIED BY x DEFAULT TABLESPACE nowhere", "ORA-00959", ERR),
    Ruling("CREATE USER ruled_user IDENTIFIED BY x DEFAULT TABLESPACE undotbs1", "ORA-30033", ERR),
    Ruling("CREATE USER ruled_user IDENTIFIED BY x DEFAULT TABLESPACE temp", "ORA-12910", ERR),
    Ruling("CREATE USER ruled_user IDENTIFIED BY x TEMPORARY TABLESPACE users", "ORA-10615", ERR),
    Ruling("CREATE USER ruled_user IDENTIFIED BY x QUOTA 1M ON temp", "ORA-30041", ERR),
    Ruling("CREATE USER ruled_user IDENTIFIED BY x QUOTA 1M ON undotbs1", "ORA-30041", ERR),
    Ruling("CREATE USER ruled_user IDENTIFIED BY x PROFILE nowhere", "ORA-02380", ERR),
    Ruling(
        "CREATE USER ruled_user IDENTIFIED BY x QUOTA 1M ON users PROFILE default", "", "SQL, CREATE USER"
    ),
    Ruling("ALTER USER nobody_at_all IDENTIFIED BY x", "ORA-01918", ERR),
    Ruling("DROP USER nobody_at_all", "ORA-01918", ERR),
    Ruling("CREATE ROLE dba", "ORA-01921", ERR),
    Ruling("DROP ROLE nobody_at_all", "ORA-01919", ERR),
    Ruling("GRANT dba TO dba", "ORA-01934", ERR),
    Ruling("CREATE TABLE nobody_at_all.t (a NUMBER)", "ORA-01918", ERR),
]

INSTANCE = [
    Ruling("ALTER SESSION SET ROW ARCHIVAL VISIBILITY = ALL", "", "SQL, ALTER SESSION"),
    Ruling("ALTER SESSION SET ROW ARCHIVAL VISIBILITY = ACTIVE", "", "SQL, ALTER SESSION"),
    Ruling("ALTER SYSTEM SET processes = 400", "ORA-02095", SYSTEM),
    Ruling("ALTER SYSTEM SET processes = 400 SCOPE = MEMORY", "ORA-02095", SYSTEM),
    Ruling("ALTER SYSTEM SET processes = 400 SCOPE = SPFILE", "", SYSTEM, ()),
    Ruling("ALTER SYSTEM SET sort_area_size = 200000", "ORA-02096", SYSTEM),
    Ruling("ALTER SYSTEM SET sort_area_size = 200000 DEFERRED", "", SYSTEM),
    Ruling("ALTER SYSTEM SET processes = 400 DEFERRED", "ORA-02095", SYSTEM),
    Ruling("ALTER SYSTEM SET nonsense_of_mine = 1", "ORA-02065", ERR),
    Ruling("ALTER SYSTEM SET open_cursors = 400 SCOPE = NONSENSE", "ORA-02065", ERR),
    Ruling("ALTER SYSTEM SET open_cursors", "ORA-00927", ERR),
    Ruling("ALTER SYSTEM NONSENSE", "ORA-02065", ERR),
    Ruling("ALTER DATABASE ARCHIVELOG", "ORA-01126", ERR),
    Ruling("ALTER SYSTEM KILL SESSION '999999,1'", "ORA-00030", ERR),
    Ruling("ALTER SYSTEM KILL SESSION 'nonsense'", "ORA-00026", ERR),
]

_AFTERWARDS = (
    "DROP TABLE in_ruled",
    "DROP TABLESPACE ruled INCLUDING CONTENTS",
    "DROP TABLESPACE ruled_big INCLUDING CONTENTS",
    "DROP USER ruled_user CASCADE",
    "ALTER SYSTEM RESET processes SCOPE = SPFILE",
    "ALTER SYSTEM RESET sort_area_size SCOPE = SPFILE",
)


@pytest.fixture
def system(oracle: Server) -> Iterator[oracledb.Connection]:
    """A DBA's connection, where files have to be named; what the rulings made is gone afterwards."""
    with oracle.connect() as connection:
        cursor = connection.cursor()
        cursor.execute("ALTER SYSTEM RESET db_create_file_dest SCOPE = MEMORY")
        yield connection
        for statement in _AFTERWARDS:
            with suppress(oracledb.DatabaseError):  # most rulings made nothing
                cursor.execute(statement)


@pytest.mark.parametrize("ruling", [*TABLESPACES, *USERS, *INSTANCE], ids=str)
def test_administration(system: oracledb.Connection, ruling: Ruling) -> None:
    ruling.hold(system)


@pytest.mark.parametrize(
    "statement",
    [
        "ALTER SYSTEM SET open_cursors = 400",
        "ALTER SYSTEM SWITCH LOGFILE",
        "CREATE TABLESPACE ruled DATAFILE '/u01/r.dbf' SIZE 1M",
        "CREATE USER ruled_user IDENTIFIED BY x",
        "GRANT DBA TO PUBLIC",
        "CREATE DIRECTORY ruled AS '/tmp'",
    ],
)
def test_a_user_without_privileges_administers_nothing(schema: Schema, statement: str) -> None:
    with pytest.raises(oracledb.DatabaseError, match=r"ORA-01031|ORA-01932"):
        schema.connection.cursor().execute(statement)


def test_changes_are_captured_with_replication_enabled_only(oracle: Server) -> None:
    """ERR, ORA-26947; Reference, ENABLE_GOLDENGATE_REPLICATION: false by default."""
    switch = "ALTER SYSTEM SET ENABLE_GOLDENGATE_REPLICATION = {}"
    with oracle.connect() as system:
        Ruling(CREATE_CAPTURE, "ORA-26947", ERR).hold(system)
        system.cursor().execute(switch.format("TRUE"))
        try:
            Ruling(CREATE_CAPTURE, "ORA-24010", ERR).hold(system)
        finally:
            system.cursor().execute(switch.format("FALSE"))


def test_a_pluggable_database_has_rows_of_its_own_for_what_was_set_in_it(oracle: Server) -> None:
    """Database Reference, V$SYSTEM_PARAMETER, CON_ID: 0 pertains to the entire CDB, n to the container n."""
    rows = (
        "SELECT con_id, value, isdefault FROM {} WHERE name IN ('open_cursors', 'undo_tablespace')"
        " ORDER BY name, con_id"
    )
    with oracle.connect() as system:
        try:
            oracle.command("control", "container", "pdb")
            before = [(0, "300", "TRUE"), (0, "UNDOTBS1", "TRUE")]
            Answer(rows.format("v$system_parameter"), before, "VIEWS").hold(system)
            Ruling("ALTER SYSTEM SET open_cursors = 400 SCOPE = MEMORY", "", SYSTEM).hold(system)
            after = [(0, "300", "TRUE"), (3, "400", "FALSE"), (0, "UNDOTBS1", "TRUE")]
            for view in ("v$system_parameter", "gv$system_parameter", "v$system_parameter2"):
                Answer(rows.format(view), after, "VIEWS").hold(system)
            effective = "SELECT value FROM v$parameter WHERE name = 'open_cursors'"
            Answer(effective, [("400",)], "VIEWS, V$PARAMETER: in effect for the session").hold(system)
        finally:
            system.cursor().execute("ALTER SYSTEM RESET open_cursors SCOPE = MEMORY")
            oracle.command("control", "container", "none")


def test_the_containers_have_names_of_their_own_for_users(oracle: Server) -> None:
    """SQL, CREATE USER: common users' names begin with C## in the root, local users' do not in a PDB."""
    with oracle.connect() as system:
        try:
            for container, refused, code, taken in (
                ("root", "ruled_user", "ORA-65096", "c##ruled"),
                ("pdb", "c##ruled", "ORA-65094", "ruled_user"),
            ):
                oracle.command("control", "container", container)
                for kind, suffix in (("USER", " IDENTIFIED BY x"), ("ROLE", "")):
                    Ruling(f"CREATE {kind} {refused}{suffix}", code, ERR).hold(system)
                    Ruling(f"CREATE {kind} {taken}{suffix}", "", ERR).hold(system)
                    Ruling(f"DROP {kind} {taken}", "", ERR).hold(system)
                Ruling(CREATE_CAPTURE, "ORA-26932", ERR).hold(system)
            Ruling("ALTER SYSTEM SWITCH LOGFILE", "ORA-65040", SYSTEM).hold(system)
            Ruling("ALTER SYSTEM SET processes = 400 SCOPE = SPFILE", "ORA-65040", SYSTEM).hold(system)
            Ruling("ALTER DATABASE ADD LOGFILE SIZE 4M", "ORA-65040", SYSTEM).hold(system)
            Ruling("ALTER SYSTEM SET open_cursors = 400", "", SYSTEM).hold(system)
        finally:
            system.cursor().execute("ALTER SYSTEM SET open_cursors = 300")
            oracle.command("control", "container", "none")
