"""Users, roles and grants through the real driver."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import oracledb
import pytest

from support.cursors import fails, one
from support.stand_in import Schema, Server


@pytest.fixture
def system(oracle: Server) -> Iterator[oracledb.Cursor]:
    with oracle.connect() as connection:
        yield connection.cursor()


def refused(server: Server, user: str, password: str) -> int:
    with pytest.raises(oracledb.DatabaseError) as caught:
        server.connect(user, password)
    return int(caught.value.args[0].code)


@pytest.fixture
def visitor(system: oracledb.Cursor) -> Iterator[str]:
    system.execute('CREATE USER VISITOR IDENTIFIED BY "Pass word" QUOTA 10M ON USERS')
    system.execute("GRANT CREATE SESSION TO VISITOR")
    yield "VISITOR"
    system.execute("DROP USER VISITOR CASCADE")


def test_life_of_an_account(oracle: Server, system: oracledb.Cursor, visitor: str) -> None:
    oracle.connect("visitor", "Pass word").close()
    assert refused(oracle, "visitor", "pass word") == 1017
    system.execute("ALTER USER VISITOR ACCOUNT LOCK")
    assert one(system, "SELECT ACCOUNT_STATUS FROM DBA_USERS WHERE USERNAME = 'VISITOR'") == "LOCKED"
    assert refused(oracle, "visitor", "Pass word") == 28000
    system.execute("ALTER USER VISITOR IDENTIFIED BY Other#1 ACCOUNT UNLOCK")
    assert one(system, "SELECT ACCOUNT_STATUS, LOCK_DATE FROM DBA_USERS WHERE USERNAME = 'VISITOR'") == (
        "OPEN",
        None,
    )
    oracle.connect("visitor", "Other#1").close()
    assert one(system, "SELECT MAX_BYTES FROM DBA_TS_QUOTAS WHERE USERNAME = 'VISITOR'") == 10 << 20


def test_an_account_without_authentication(oracle: Server, system: oracledb.Cursor, visitor: str) -> None:
    told = "SELECT AUTHENTICATION_TYPE, PASSWORD_VERSIONS FROM DBA_USERS WHERE USERNAME = 'VISITOR'"
    system.execute("ALTER USER VISITOR NO AUTHENTICATION")
    assert one(system, told) == ("NONE", None)
    assert refused(oracle, "visitor", "Pass word") == 1017
    fails(system, 28010, "ALTER USER VISITOR PASSWORD EXPIRE")
    fails(system, 40367, "ALTER USER SYS NO AUTHENTICATION")
    system.execute("ALTER USER VISITOR IDENTIFIED BY Other#1")
    oracle.connect("visitor", "Other#1").close()


def test_wrong_users_are_refused(system: oracledb.Cursor, visitor: str) -> None:
    fails(system, 1920, "CREATE USER VISITOR IDENTIFIED BY x")
    fails(system, 959, "CREATE USER OTHER IDENTIFIED BY x DEFAULT TABLESPACE NOWHERE")
    assert one(system, "SELECT COUNT(*) FROM DBA_USERS WHERE USERNAME = 'OTHER'") == 0, "nothing is half done"
    fails(system, 1918, "ALTER USER NOBODY ACCOUNT LOCK")
    fails(system, 2380, "ALTER USER VISITOR PROFILE NO_PROFILE")
    fails(system, 922, "ALTER USER VISITOR FROBNICATE")
    fails(system, 1935, "CREATE USER")
    fails(system, 988, "CREATE USER OTHER IDENTIFIED BY")
    fails(system, 3001, "CREATE USER OTHER IDENTIFIED EXTERNALLY")
    fails(system, 28050, "DROP USER SYSTEM CASCADE")
    fails(system, 1918, "DROP USER NOBODY")


def test_who_is_connected_or_owns_something_is_not_dropped(
    oracle: Server, system: oracledb.Cursor, visitor: str
) -> None:
    with oracle.connect("visitor", "Pass word"):
        fails(system, 1940, "DROP USER VISITOR")
    system.execute("GRANT CREATE TABLE, UNLIMITED TABLESPACE TO VISITOR")
    with oracle.connect("visitor", "Pass word") as connection:
        connection.cursor().execute("CREATE TABLE T (ID NUMBER)")
    fails(system, 1922, "DROP USER VISITOR")


def test_views_and_synonyms_of_who_is_dropped(system: oracledb.Cursor, schema: Schema) -> None:
    """His own are gone, those of others invalid until their names are there again."""
    owner = f"{schema.name}_GONE"
    views = f"SELECT VIEW_NAME FROM DBA_VIEWS WHERE OWNER = '{owner}'"
    making = (
        f"CREATE USER {owner} IDENTIFIED BY x QUOTA UNLIMITED ON USERS",
        f"CREATE TABLE {owner}.t (a NUMBER)",
        f"CREATE VIEW {owner}.v AS SELECT a FROM {owner}.t",
        f"CREATE SYNONYM {owner}.s FOR {owner}.t",
        f"GRANT SELECT ON {owner}.t TO {schema.name}",
    )
    for statement in making:
        system.execute(statement)
    with schema.connection.cursor() as cursor:
        cursor.execute(f"CREATE VIEW v AS SELECT a FROM {owner}.t")
        cursor.execute(f"CREATE SYNONYM s FOR {owner}.t")
        system.execute(f"DROP USER {owner} CASCADE")
        assert system.execute(views).fetchall() == []
        fails(cursor, 4063, "SELECT a FROM v")
        fails(cursor, 980, "SELECT a FROM s")
        for statement in making:
            system.execute(statement)
        cursor.execute("SELECT a FROM v")
        cursor.execute("SELECT a FROM s")
    system.execute(f"DROP TABLE {owner}.t")
    system.execute(f"DROP SYNONYM {owner}.s")
    fails(system, 1922, f"DROP USER {owner}")  # its view is invalid, and still its own
    system.execute(f"DROP USER {owner} CASCADE")


@pytest.mark.parametrize("kind", ["USER", "ROLE"])
def test_grants_on_an_invalid_view_end_with_who_had_them(
    system: oracledb.Cursor, schema: Schema, kind: str
) -> None:
    """The view is valid again later on, and whoever has the name then has nothing of it."""
    gone, stays = f"{schema.name}_GONE", f"{schema.name}_STAYS"
    make = {"USER": f"CREATE USER {gone} IDENTIFIED BY x", "ROLE": f"CREATE ROLE {gone}"}[kind]
    for statement in (make, f"CREATE USER {stays} IDENTIFIED BY x"):
        system.execute(statement)
    with schema.connection.cursor() as cursor:
        cursor.execute("CREATE TABLE t (a NUMBER)")
        cursor.execute("CREATE VIEW v AS SELECT a FROM t")
        cursor.execute(f"GRANT SELECT ON v TO {gone}")
        cursor.execute(f"GRANT SELECT ON v TO {stays}")
        cursor.execute("DROP TABLE t")
        system.execute(f"DROP {kind} {gone}")
        system.execute(make)
        cursor.execute("CREATE TABLE t (a NUMBER)")
        cursor.execute("SELECT a FROM v")
        cursor.execute("SELECT GRANTEE FROM USER_TAB_PRIVS WHERE TABLE_NAME = 'V'")
        assert cursor.fetchall() == [(stays,)]
    system.execute(f"DROP {kind} {gone}")
    system.execute(f"DROP USER {stays}")


def test_one_may_change_ones_own_password_and_no_other(oracle: Server, visitor: str) -> None:
    with oracle.connect("visitor", "Pass word") as connection:
        cursor = connection.cursor()
        fails(cursor, 28008, 'ALTER USER VISITOR IDENTIFIED BY new REPLACE "wrong"')
        cursor.execute('ALTER USER VISITOR IDENTIFIED BY new REPLACE "Pass word"')
        fails(cursor, 1031, "ALTER USER SYSTEM IDENTIFIED BY mine")
        fails(cursor, 1031, "ALTER USER VISITOR ACCOUNT UNLOCK")
        fails(cursor, 1031, "CREATE USER X IDENTIFIED BY y")
        fails(cursor, 1932, "GRANT DBA TO VISITOR")
        fails(cursor, 1031, "ALTER SYSTEM SET undo_retention = 1")
        fails(cursor, 1031, "CREATE TABLE T (ID NUMBER)")
    oracle.connect("visitor", "new").close()


def test_privileges_through_roles(
    oracle: Server, system: oracledb.Cursor, visitor: str, schema: Schema
) -> None:
    schema.connection.cursor().execute("CREATE TABLE T (ID NUMBER)")
    table = f"{schema.name}.T"
    system.execute("CREATE ROLE READERS")
    try:
        fails(system, 1921, "CREATE ROLE VISITOR")
        schema.connection.cursor().execute("GRANT SELECT ON T TO READERS")
        with oracle.connect("visitor", "Pass word") as connection:
            cursor = connection.cursor()
            fails(cursor, 942, f"SELECT * FROM {table}")
            system.execute("GRANT READERS TO VISITOR")
            assert cursor.execute(f"SELECT * FROM {table}").fetchall() == []
            fails(cursor, 1031, f"INSERT INTO {table} VALUES (1)")
            assert cursor.execute("SELECT ROLE FROM SESSION_ROLES").fetchall() == [("READERS",)]
            system.execute("REVOKE READERS FROM VISITOR")
            fails(cursor, 942, f"SELECT * FROM {table}")
        fails(system, 1951, "REVOKE READERS FROM VISITOR")
        system.execute("GRANT READERS TO DBFS_ROLE")
        fails(system, 1934, "GRANT DBFS_ROLE TO READERS")
    finally:
        system.execute("DROP ROLE READERS")


def test_several_at_a_time(oracle: Server, system: oracledb.Cursor, visitor: str) -> None:
    held = (
        "SELECT PRIVILEGE FROM DBA_SYS_PRIVS WHERE GRANTEE = 'WRITERS' UNION ALL"
        " SELECT GRANTED_ROLE FROM DBA_ROLE_PRIVS WHERE GRANTEE = 'WRITERS' ORDER BY 1"
    )
    for role in ("READERS", "WRITERS"):
        system.execute(f"CREATE ROLE {role}")
    try:
        system.execute("GRANT CREATE TABLE, READERS TO VISITOR WITH ADMIN OPTION")
        with oracle.connect("visitor", "Pass word") as connection:
            cursor = connection.cursor()
            fails(cursor, 1031, "GRANT READERS, CREATE TABLE, CREATE VIEW TO WRITERS")
            fails(cursor, 1932, "GRANT READERS, WRITERS TO WRITERS")
            fails(cursor, 1934, "GRANT CREATE TABLE, READERS TO WRITERS, READERS")
            assert cursor.execute("SELECT ROLE FROM SESSION_ROLES").fetchall() == [("READERS",)]
            assert system.execute(held).fetchall() == [], "nothing is half done"
            cursor.execute("GRANT READERS, CREATE TABLE TO WRITERS, VISITOR")
            assert system.execute(held).fetchall() == [("CREATE TABLE",), ("READERS",)]
            fails(cursor, 1031, "REVOKE CREATE TABLE, CREATE VIEW FROM WRITERS")
            cursor.execute("REVOKE READERS, CREATE TABLE FROM WRITERS")
        assert system.execute(held).fetchall() == []
        system.execute("GRANT ALL PRIVILEGES TO WRITERS")
        all_of_them = {name for (name,) in system.execute(held).fetchall()}
        assert "CREATE ANY TABLE" in all_of_them
        assert "SELECT ANY DICTIONARY" not in all_of_them
    finally:
        for role in ("READERS", "WRITERS"):
            system.execute(f"DROP ROLE {role}")


def test_object_grants_are_recorded(system: oracledb.Cursor, visitor: str, schema: Schema) -> None:
    owner = schema.connection.cursor()
    owner.execute("CREATE TABLE T (ID NUMBER, N NUMBER)")
    owner.execute("GRANT SELECT, UPDATE (N), ALTER ON T TO VISITOR WITH GRANT OPTION")
    granted = (
        "SELECT PRIVILEGE, GRANTABLE FROM DBA_TAB_PRIVS WHERE OWNER = :1 AND GRANTEE = 'VISITOR' ORDER BY 1"
    )
    assert system.execute(granted, [schema.name]).fetchall() == [("ALTER", "YES"), ("SELECT", "YES")]
    assert one(
        system, "SELECT COLUMN_NAME, PRIVILEGE FROM DBA_COL_PRIVS WHERE OWNER = :1", [schema.name]
    ) == ("N", "UPDATE")
    owner.execute("REVOKE SELECT, ALTER ON T FROM VISITOR")
    assert system.execute(granted, [schema.name]).fetchall() == []
    fails(owner, 1927, "REVOKE DELETE ON T FROM VISITOR")
    fails(owner, 1749, f"GRANT SELECT ON T TO {schema.name}")
    fails(owner, 1917, "GRANT SELECT ON T TO NOBODY")
    fails(owner, 942, "GRANT SELECT ON NOT_THERE TO VISITOR")
    fails(owner, 990, "GRANT FLY ON T TO VISITOR")
    fails(owner, 2030, "GRANT SELECT ON SYS.V$SESSION TO VISITOR")


@pytest.mark.slow
def test_grants_of_two_sessions_at_once(oracle: Server, system: oracledb.Cursor, visitor: str) -> None:
    system.execute("CREATE TABLE SHARED_BY_TWO (A NUMBER)")
    try:
        with oracle.connect() as other:
            sessions = [system, other.cursor()]
            for verb, link in [("GRANT", "TO"), ("REVOKE", "FROM")] * 8:
                for rights in (
                    ("SELECT ON SHARED_BY_TWO", "INSERT ON SHARED_BY_TWO"),
                    ("CREATE VIEW", "CREATE TABLE"),
                ):
                    statements = [f"{verb} {right} {link} {visitor}" for right in rights]
                    with ThreadPoolExecutor() as pool:
                        list(pool.map(oracledb.Cursor.execute, sessions, statements))
    finally:
        system.execute("DROP TABLE SHARED_BY_TWO PURGE")


def test_system_privileges(oracle: Server, system: oracledb.Cursor, visitor: str, schema: Schema) -> None:
    owner = schema.connection.cursor()
    owner.execute("CREATE TABLE T (ID NUMBER)")
    table = f"{schema.name}.T"
    with oracle.connect("visitor", "Pass word") as connection:
        cursor = connection.cursor()
        system.execute("GRANT SELECT ANY TABLE TO VISITOR")
        cursor.execute(f"SELECT * FROM {table}")
        fails(cursor, 942, "SELECT * FROM DBA_USERS")
        system.execute("GRANT SELECT_CATALOG_ROLE TO VISITOR")
        cursor.execute("SELECT * FROM DBA_USERS")
        fails(cursor, 1031, f"DROP TABLE {table}")
        system.execute("GRANT DROP ANY TABLE TO VISITOR")
        cursor.execute(f"DROP TABLE {table}")
        granted = {privilege for (privilege,) in cursor.execute("SELECT PRIVILEGE FROM SESSION_PRIVS")}
        assert {"CREATE SESSION", "DROP ANY TABLE"} <= granted
        assert "CREATE TABLE" not in granted
    fails(system, 990, "GRANT FLY ANY KITE TO VISITOR")
    fails(system, 1919, "GRANT NO_ROLE TO VISITOR")
    fails(system, 1952, "REVOKE CREATE ANY TABLE FROM VISITOR")


def test_dba_granted_through_a_role_counts_until_it_is_revoked(
    oracle: Server, system: oracledb.Cursor, visitor: str, schema: Schema
) -> None:
    schema.connection.cursor().execute("CREATE TABLE T (ID NUMBER)")
    system.execute("CREATE ROLE OPERATORS")
    try:
        system.execute("GRANT OPERATORS TO VISITOR")
        system.execute("GRANT DBA TO OPERATORS")
        with oracle.connect("visitor", "Pass word") as connection:
            connection.cursor().execute(f"SELECT * FROM {schema.name}.T")
        system.execute("REVOKE DBA FROM OPERATORS")
        with oracle.connect("visitor", "Pass word") as connection:
            fails(connection.cursor(), 942, f"SELECT * FROM {schema.name}.T")
    finally:
        system.execute("DROP ROLE OPERATORS")


def test_packages_need_execute(oracle: Server, system: oracledb.Cursor, visitor: str) -> None:
    hashed = "SELECT DBMS_CRYPTO.HASH(UTL_RAW.CAST_TO_RAW('a'), 4) FROM DUAL"
    with oracle.connect("visitor", "Pass word") as connection:
        cursor = connection.cursor()
        fails(cursor, 904, hashed)
        with oracle.sys() as sys, sys.cursor() as owner:
            owner.execute("GRANT EXECUTE ON SYS.DBMS_CRYPTO TO VISITOR")
            assert len(one(cursor, hashed)) == 32
            owner.execute("REVOKE EXECUTE ON DBMS_CRYPTO FROM VISITOR")
            fails(cursor, 904, hashed)
            fails(owner, 2225, "GRANT SELECT ON DBMS_CRYPTO TO VISITOR")


def test_no_privilege_on_any_object_reaches_the_schema_of_sys(
    oracle: Server, system: oracledb.Cursor, visitor: str
) -> None:
    """Security Guide 19c, "Restricting System Privileges by Securing the Data Dictionary"."""
    fails(system, 1031, "GRANT EXECUTE ON SYS.DBMS_CRYPTO TO VISITOR")
    fails(system, 1031, "GRANT SELECT ON SYS.V_$SESSION TO VISITOR")
    fails(system, 1031, "REVOKE EXECUTE ON SYS.UTL_FILE FROM PUBLIC")
    system.execute("GRANT CREATE SESSION, GRANT ANY OBJECT PRIVILEGE TO VISITOR")
    with oracle.connect("visitor", "Pass word") as connection:
        fails(connection.cursor(), 1031, "GRANT EXECUTE ON SYS.DBMS_CRYPTO TO SYSTEM")
    system.execute("REVOKE GRANT ANY OBJECT PRIVILEGE FROM VISITOR")


def test_dba_and_back(oracle: Server, system: oracledb.Cursor, visitor: str) -> None:
    system.execute("GRANT DBA TO VISITOR")
    with oracle.connect("visitor", "Pass word") as connection:
        connection.cursor().execute("ALTER SYSTEM CHECKPOINT")
    system.execute("REVOKE DBA FROM VISITOR")
    with oracle.connect("visitor", "Pass word") as connection:
        fails(connection.cursor(), 1031, "ALTER SYSTEM CHECKPOINT")


def test_directories(oracle: Server, system: oracledb.Cursor, visitor: str) -> None:
    system.execute("CREATE DIRECTORY D AS '/tmp/d'")
    try:
        fails(system, 955, "CREATE DIRECTORY D AS '/tmp/d'")
        fails(system, 22930, "GRANT READ ON DIRECTORY E TO VISITOR")
        system.execute("CREATE OR REPLACE DIRECTORY D AS '/tmp/e'")
        with oracle.connect("visitor", "Pass word") as connection:
            cursor = connection.cursor()
            assert cursor.execute("SELECT * FROM ALL_DIRECTORIES").fetchall() == []
            system.execute("GRANT READ, WRITE ON DIRECTORY D TO VISITOR")
            assert one(cursor, "SELECT DIRECTORY_NAME, DIRECTORY_PATH FROM ALL_DIRECTORIES") == (
                "D",
                "/tmp/e",
            )
            fails(cursor, 1031, "CREATE DIRECTORY F AS '/'")
        rows = system.execute(
            "SELECT PRIVILEGE, TYPE FROM DBA_TAB_PRIVS WHERE GRANTEE = 'VISITOR' ORDER BY 1"
        ).fetchall()
        assert rows == [("READ", "DIRECTORY"), ("WRITE", "DIRECTORY")]
    finally:
        system.execute("DROP DIRECTORY D")
    fails(system, 4043, "DROP DIRECTORY D")
