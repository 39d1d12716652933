"""Each privilege of include/sql/grants.sql lets its statement pass; without it Oracle's code refuses it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import oracledb
import pytest

from support.cursors import fails, one
from support.grants import section
from support.privileges import granted
from support.stand_in import Schema, Server

#: Privilege, statement on objects of another user, and the codes that refuse it.
CASES: tuple[tuple[str, str, tuple[int, ...]], ...] = (
    ("CREATE TABLE", "CREATE TABLE MINE (N NUMBER)", (1031,)),
    ("SELECT ANY TABLE", "SELECT * FROM {owner}.T", (942,)),
    ("INSERT ANY TABLE", "INSERT INTO {owner}.T (N) VALUES (1)", (942,)),
    ("UPDATE ANY TABLE", "UPDATE {owner}.T SET N = 1", (942,)),
    ("LOCK ANY TABLE", "LOCK TABLE {owner}.T IN EXCLUSIVE MODE NOWAIT", (942,)),
    ("CREATE ANY TABLE", "CREATE TABLE {owner}.ANOTHER (N NUMBER)", (1031,)),
    ("ALTER ANY TABLE", "ALTER TABLE {owner}.T ADD (M NUMBER)", (942,)),
    ("DROP ANY TABLE", "TRUNCATE TABLE {owner}.T", (942,)),
    ("CREATE ANY INDEX", "CREATE INDEX {owner}.J ON {owner}.T (A)", (942, 1031)),
    ("ALTER ANY INDEX", "ALTER INDEX {owner}.I NOPARALLEL", (1418,)),
    ("DROP ANY INDEX", "DROP INDEX {owner}.I", (1418,)),
    ("CREATE ANY VIEW", "CREATE VIEW {owner}.W AS SELECT 1 AS N FROM DUAL", (1031,)),
    ("DROP ANY VIEW", "DROP VIEW {owner}.V", (942,)),
    ("CREATE ANY SEQUENCE", "CREATE SEQUENCE {owner}.Q", (1031,)),
    ("DROP ANY SEQUENCE", "DROP SEQUENCE {owner}.S", (2289,)),
    ("CREATE ANY SYNONYM", "CREATE SYNONYM {owner}.Y FOR {owner}.T", (1031,)),
    (
        "CREATE ANY PROCEDURE",
        "CREATE FUNCTION {owner}.F RETURN NUMBER IS BEGIN RETURN 1; END;",
        (1031,),
    ),
    ("CREATE ANY TYPE", "CREATE TYPE {owner}.NAMES_T IS TABLE OF VARCHAR2(10)", (1031,)),
    (
        "CREATE ANY TRIGGER",
        "CREATE TRIGGER {owner}.NEW_R BEFORE INSERT ON {owner}.T FOR EACH ROW BEGIN :NEW.A := 1; END;",
        (1031,),
    ),
    ("ALTER ANY TRIGGER", "ALTER TRIGGER {owner}.R DISABLE", (1031, 4080)),
    ("DROP ANY TRIGGER", "DROP TRIGGER {owner}.R", (1031, 4080)),
    ("ALTER ANY PROCEDURE", "ALTER PROCEDURE {owner}.P COMPILE REUSE SETTINGS", (1031,)),
    ("ALTER ANY TYPE", "ALTER TYPE {owner}.E COMPILE SPECIFICATION REUSE SETTINGS", (1031,)),
    ("DROP ANY SYNONYM", "ALTER SYNONYM {owner}.O COMPILE", (1031, 942)),
    ("GRANT ANY OBJECT PRIVILEGE", "GRANT SELECT ON {owner}.T TO SYSTEM", (942,)),
    ("ANALYZE ANY", "BEGIN DBMS_STATS.GATHER_TABLE_STATS('{owner}', 'T'); END;", (20000,)),
    ("COMMENT ANY TABLE", "COMMENT ON TABLE {owner}.T IS 'seen'", (942,)),
    ("ALTER USER", "ALTER USER {owner} ACCOUNT UNLOCK", (1031,)),
    ("ALTER SYSTEM", "ALTER SYSTEM SET undo_retention = 900 SCOPE = MEMORY", (1031,)),
    ("SELECT_CATALOG_ROLE", "SELECT COUNT(*) FROM DBA_TABLES", (942,)),
)
#: The stand-in reads the columns for the body of a trigger as the user who makes it.
BESIDES = {"CREATE ANY TRIGGER": ("SELECT ANY TABLE",)}
#: Looked at below, or in tests of Data Pump, DBFS and the scheduler; quotas are recorded and not enforced.
ELSEWHERE = {
    *("CREATE ANY JOB", "MANAGE SCHEDULER"),
    *("CREATE SESSION", "FLASHBACK ANY TABLE", "UNLIMITED TABLESPACE"),
    *("DATAPUMP_EXP_FULL_DATABASE", "DATAPUMP_IMP_FULL_DATABASE", "DBFS_ROLE"),
}


@pytest.fixture(scope="module")
def owner(module_schema: Schema) -> str:
    for statement in (
        "CREATE TABLE T (N NUMBER, A NUMBER)",
        "CREATE INDEX I ON T (N)",
        "CREATE VIEW V AS SELECT N FROM T",
        "CREATE SEQUENCE S",
        "CREATE PROCEDURE P IS BEGIN NULL; END;",
        "CREATE TYPE E AS TABLE OF NUMBER",
        "CREATE SYNONYM O FOR T",
        "CREATE TRIGGER R BEFORE INSERT ON T FOR EACH ROW BEGIN :NEW.A := 2; END;",
    ):
        module_schema.connection.cursor().execute(statement)
    return module_schema.name


@pytest.fixture(scope="module")
def system(oracle: Server) -> Iterator[oracledb.Cursor]:
    with oracle.connect() as connection:
        yield connection.cursor()


@pytest.fixture(scope="module")
def newcomer(system: oracledb.Cursor) -> Iterator[str]:
    """A user who may log in and nothing else; every test takes back what it grants."""
    system.execute("CREATE USER NEWCOMER IDENTIFIED BY newcomer QUOTA UNLIMITED ON USERS")
    system.execute("GRANT CREATE SESSION TO NEWCOMER")
    yield "NEWCOMER"
    system.execute("DROP USER NEWCOMER CASCADE")


@contextmanager
def with_grants(oracle: Server, system: oracledb.Cursor, *names: str) -> Iterator[oracledb.Cursor]:
    """A session of the user with these grants: roles count from the login on."""
    for name in names:
        system.execute(f"GRANT {name} TO NEWCOMER")
    try:
        with oracle.connect("NEWCOMER", "newcomer") as connection:
            yield connection.cursor()
    finally:
        for name in names:
            system.execute(f"REVOKE {name} FROM NEWCOMER")


def test_every_grant_of_the_script_is_tried_somewhere() -> None:
    printed = granted(section("source")) | granted(section("target"))
    assert printed == {privilege for privilege, _, _ in CASES} | ELSEWHERE


@pytest.mark.usefixtures("newcomer")
@pytest.mark.parametrize(("privilege", "statement", "codes"), CASES, ids=[case[0] for case in CASES])
def test_a_statement_takes_its_privilege_and_no_other(
    oracle: Server,
    system: oracledb.Cursor,
    owner: str,
    privilege: str,
    statement: str,
    codes: tuple[int, ...],
) -> None:
    text, besides = statement.format(owner=owner), BESIDES.get(privilege, ())
    with with_grants(oracle, system, *besides) as cursor, pytest.raises(oracledb.DatabaseError) as refused:
        cursor.execute(text)
    assert refused.value.args[0].code in codes
    with with_grants(oracle, system, *besides, privilege) as cursor:
        cursor.execute(text)


@pytest.mark.usefixtures("newcomer")
def test_rows_of_a_former_scn_take_a_privilege_of_their_own(
    oracle: Server, system: oracledb.Cursor, owner: str
) -> None:
    scn = one(system, "SELECT CURRENT_SCN FROM V$DATABASE")
    query = f"SELECT X.N FROM {owner}.T AS OF SCN {scn} X"
    copied = f"CREATE TABLE COPIED AS SELECT * FROM {owner}.T AS OF SCN {scn}"
    usual = ("SELECT ANY TABLE", "CREATE TABLE")
    with with_grants(oracle, system, *usual) as cursor:
        for text in (query, copied):
            fails(cursor, 1031, text)
        system.execute(f"GRANT FLASHBACK ON {owner}.T TO NEWCOMER")
        cursor.execute(query)
        system.execute(f"REVOKE FLASHBACK ON {owner}.T FROM NEWCOMER")
        fails(cursor, 1031, query)
    with with_grants(oracle, system, *usual, "FLASHBACK ANY TABLE") as cursor:
        for text in (query, copied):
            cursor.execute(text)
