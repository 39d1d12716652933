"""DBMS_STATS: locks, and the history of statistics, which brings former values back."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import oracledb
import pytest

from support.cursors import one
from support.stand_in import Schema, Server, new_server

HISTORY = "SELECT COUNT(*) FROM DBA_TAB_STATS_HISTORY WHERE OWNER = USER AND TABLE_NAME = 'PEOPLE'"
HIGHEST = """\
SELECT UTL_RAW.CAST_TO_VARCHAR2(HIGH_VALUE) FROM USER_TAB_COL_STATISTICS
WHERE TABLE_NAME = 'PEOPLE' AND COLUMN_NAME = 'NAME'"""
LOCKED = "SELECT STATTYPE_LOCKED FROM USER_TAB_STATISTICS WHERE TABLE_NAME = 'PEOPLE'"


def fails(code: str) -> Any:
    return pytest.raises(oracledb.DatabaseError, match=code)


def statistics(cursor: oracledb.Cursor, verb: str, **more: Any) -> None:
    cursor.callproc(f"DBMS_STATS.{verb}_TABLE_STATS", [], {"ownname": None, "tabname": "PEOPLE", **more})


def moment(cursor: oracledb.Cursor, days: int = 0) -> oracledb.Var:
    """The database's time, with the fractions that a datetime is not bound with."""
    var = cursor.var(oracledb.DB_TYPE_TIMESTAMP)
    var.setvalue(0, one(cursor, "SELECT SYS_EXTRACT_UTC(SYSTIMESTAMP) FROM DUAL") + timedelta(days=days))
    return var


@pytest.fixture
def people(schema: Schema) -> Iterator[oracledb.Cursor]:
    with schema.server.connect() as system:
        system.cursor().execute(f"GRANT SELECT_CATALOG_ROLE TO {schema.name}")
    with schema.connect() as connection:
        cursor = connection.cursor()
        cursor.execute("CREATE TABLE PEOPLE (ID NUMBER, NAME VARCHAR2(80))")
        cursor.execute("CREATE INDEX PEOPLE_IX ON PEOPLE (ID)")
        cursor.execute("ALTER SESSION SET TIME_ZONE = '+00:00'")
        cursor.execute("INSERT INTO PEOPLE VALUES (1, 'Zacharias')")
        connection.commit()
        yield cursor


def test_locked_statistics_stay_as_they_are(people: oracledb.Cursor) -> None:
    statistics(people, "LOCK")
    assert one(people, LOCKED) == "ALL", "a table without statistics can be locked, too"
    for verb in ("GATHER", "DELETE"):
        with fails("ORA-20005"):
            statistics(people, verb)
    with fails("ORA-20005"):
        statistics(people, "RESTORE", as_of_timestamp=moment(people))
    people.callproc("DBMS_STATS.GATHER_SCHEMA_STATS", [one(people, "SELECT USER FROM DUAL")])
    assert one(people, "SELECT NUM_ROWS FROM USER_TABLES") is None, "passed over"
    statistics(people, "GATHER", force=True)
    assert one(people, "SELECT NUM_ROWS FROM USER_TABLES") == 1
    statistics(people, "UNLOCK")
    assert one(people, LOCKED) is None
    statistics(people, "DELETE")


def test_locks_reach_partitions_and_go_with_the_table(people: oracledb.Cursor) -> None:
    people.execute("""\
CREATE TABLE PARTED (ID NUMBER) PARTITION BY RANGE (ID)
(PARTITION P1 VALUES LESS THAN (10), PARTITION P2 VALUES LESS THAN (MAXVALUE))""")
    people.callproc("DBMS_STATS.LOCK_TABLE_STATS", [None, "PARTED"])
    with fails("ORA-20005"):
        people.callproc("DBMS_STATS.GATHER_TABLE_STATS", [None, "PARTED", "P1"])
    locked = "SELECT COUNT(*), COUNT(STATTYPE_LOCKED) FROM USER_TAB_STATISTICS WHERE TABLE_NAME = 'PARTED'"
    assert people.execute(locked).fetchone() == (3, 3)
    people.execute("DROP TABLE PARTED PURGE")
    people.execute("CREATE TABLE PARTED (ID NUMBER)")
    assert people.execute(locked).fetchone() == (1, 0)


def test_what_was_replaced_comes_back(people: oracledb.Cursor) -> None:
    statistics(people, "GATHER")
    gathered = moment(people)
    assert one(people, HIGHEST) == "Zacharias"
    people.execute("UPDATE PEOPLE SET NAME = 'masked'")
    statistics(people, "GATHER")
    assert one(people, HIGHEST) == "masked"
    assert one(people, HISTORY) == 2
    statistics(people, "RESTORE", as_of_timestamp=gathered)
    assert one(people, HIGHEST) == "Zacharias", "values of the rows as they were"
    assert one(people, "SELECT NUM_ROWS FROM USER_INDEXES") == 1
    people.execute("TRUNCATE TABLE PEOPLE")
    assert one(people, HISTORY) == 3, "the restoration is a change as well; TRUNCATE keeps the history"
    people.execute("DROP TABLE PEOPLE PURGE")
    people.execute("CREATE TABLE PEOPLE (ID NUMBER, NAME VARCHAR2(80))")
    assert one(people, HISTORY) == 0, "DROP does not"


def test_the_lock_of_the_time_comes_back_as_well(people: oracledb.Cursor) -> None:
    statistics(people, "GATHER")
    open_then = moment(people)
    statistics(people, "LOCK")
    statistics(people, "GATHER", force=True)
    statistics(people, "RESTORE", as_of_timestamp=open_then, force=True)
    assert one(people, LOCKED) == "ALL", "they were locked when they were replaced"


def test_times_that_nothing_can_be_restored_to(people: oracledb.Cursor) -> None:
    with fails("ORA-20001"):
        statistics(people, "RESTORE", as_of_timestamp=moment(people, 1))
    with fails("ORA-20006"):
        statistics(people, "RESTORE", as_of_timestamp=moment(people, -365 * 50))
    with fails("ORA-20000"):
        people.callproc("DBMS_STATS.RESTORE_TABLE_STATS", [None, "NOT_THERE", moment(people)])


@pytest.mark.parametrize(
    "call", ["DBMS_STATS.PURGE_STATS(SYSTIMESTAMP)", "DBMS_STATS.ALTER_STATS_HISTORY_RETENTION(0)"]
)
@pytest.mark.parametrize("privilege", [None, "ANALYZE ANY", "ANALYZE ANY DICTIONARY"])
def test_the_whole_history_takes_both_privileges(schema: Schema, call: str, privilege: str | None) -> None:
    with schema.server.connect() as system:
        if privilege:
            system.cursor().execute(f"GRANT {privilege} TO {schema.name}")
    with fails("ORA-20000"):
        schema.connection.cursor().execute(f"BEGIN {call}; END;")


@pytest.fixture
def own_server() -> Iterator[Server]:
    """What concerns the whole database is tried in one that nobody else uses."""
    server, end = new_server("history")
    yield server
    end()


def test_the_history_of_the_whole_database(own_server: Server) -> None:
    with own_server.connect() as connection:
        cursor = connection.cursor()
        cursor.execute("ALTER SESSION SET TIME_ZONE = '+00:00'")
        cursor.execute("CREATE TABLE PEOPLE (ID NUMBER, NAME VARCHAR2(80))")
        cursor.execute("INSERT INTO PEOPLE VALUES (1, 'Zacharias')")
        connection.commit()
        statistics(cursor, "GATHER")
        gathered = moment(cursor)
        statistics(cursor, "GATHER")
        assert one(cursor, HISTORY) == 2
        assert one(cursor, "SELECT DBMS_STATS.GET_STATS_HISTORY_RETENTION() FROM DUAL") == 31
        cursor.execute("BEGIN DBMS_STATS.PURGE_STATS(NULL); END;")
        assert one(cursor, HISTORY) == 2, "both are younger than 31 days"
        cursor.callproc("DBMS_STATS.PURGE_STATS", [gathered])
        assert one(cursor, HISTORY) == 1
        statistics(cursor, "RESTORE", as_of_timestamp=gathered)
        cursor.execute("BEGIN DBMS_STATS.PURGE_STATS(SYSTIMESTAMP); END;")
        assert one(cursor, HISTORY) == 0
        with fails("ORA-20006"):
            statistics(cursor, "RESTORE", as_of_timestamp=gathered)
        until = one(cursor, "SELECT SYS_EXTRACT_UTC(DBMS_STATS.GET_STATS_HISTORY_AVAILABILITY()) FROM DUAL")
        assert gathered.getvalue() < until <= datetime.now(UTC).replace(tzinfo=None)
        cursor.execute("BEGIN DBMS_STATS.ALTER_STATS_HISTORY_RETENTION(0); END;")
        statistics(cursor, "GATHER")
        assert one(cursor, HISTORY) == 0, "nothing is saved any more"
        with fails("ORA-20001"):
            cursor.callproc("DBMS_STATS.ALTER_STATS_HISTORY_RETENTION", [-2])
        cursor.execute("BEGIN DBMS_STATS.ALTER_STATS_HISTORY_RETENTION(NULL); END;")
        statistics(cursor, "GATHER")
        assert one(cursor, HISTORY) == 1


def test_partitions_are_locked_by_themselves(people: oracledb.Cursor) -> None:
    """PL/SQL Packages and Types Reference 19c, DBMS_STATS: UNLOCK_TABLE_STATS does not unlock partitions."""
    people.execute("""\
CREATE TABLE PARTED (ID NUMBER) PARTITION BY RANGE (ID)
(PARTITION P1 VALUES LESS THAN (10), PARTITION P2 VALUES LESS THAN (MAXVALUE))""")
    locked = "SELECT PARTITION_NAME FROM USER_TAB_STATISTICS WHERE STATTYPE_LOCKED = 'ALL' ORDER BY 1"
    people.callproc("DBMS_STATS.LOCK_PARTITION_STATS", [None, "PARTED", "P1"])
    assert people.execute(locked).fetchall() == [("P1",)]
    with fails("ORA-20005"):
        people.callproc("DBMS_STATS.GATHER_TABLE_STATS", [None, "PARTED", "P1"])
    people.callproc("DBMS_STATS.GATHER_TABLE_STATS", [None, "PARTED", "P2"])
    people.callproc("DBMS_STATS.LOCK_TABLE_STATS", [None, "PARTED"])
    people.callproc("DBMS_STATS.UNLOCK_TABLE_STATS", [None, "PARTED"])
    assert people.execute(locked).fetchall() == [("P1",)]
    with fails("ORA-20000"):
        people.callproc("DBMS_STATS.LOCK_PARTITION_STATS", [None, "PARTED", "P3"])
    people.callproc("DBMS_STATS.UNLOCK_PARTITION_STATS", [None, "PARTED", "P1"])
    assert people.execute(locked).fetchall() == []


COMPUTED = "PCTFREE 10 INITRANS 2 MAXTRANS 255 COMPUTE STATISTICS"
COMPUTING = (
    "CREATE INDEX PEOPLE_NAME_IX ON PEOPLE (NAME) COMPUTE STATISTICS",
    "CREATE BITMAP INDEX PEOPLE_NAME_IX ON PEOPLE (NAME) COMPUTE STATISTICS",
    "ALTER INDEX PEOPLE_IX REBUILD COMPUTE STATISTICS",
    "ALTER INDEX PEOPLE_IX COMPUTE STATISTICS",
    "ALTER TABLE PEOPLE ADD CONSTRAINT PEOPLE_UK UNIQUE (NAME) USING INDEX INITRANS 4 COMPUTE STATISTICS",
    "ALTER TABLE PEOPLE ADD CONSTRAINT PEOPLE_UK UNIQUE (NAME)"
    " USING INDEX (CREATE INDEX PEOPLE_NAME_IX ON PEOPLE (NAME) COMPUTE STATISTICS)",
)


def written(cursor: oracledb.Cursor, name: str, kind: str = "INDEX") -> str:
    text: Any = cursor.callfunc("DBMS_METADATA.GET_DDL", oracledb.DB_TYPE_CLOB, [kind, name])
    return " ".join(str(text.read()).split())


@pytest.mark.parametrize("statement", COMPUTING)
def test_no_statistics_are_computed_where_they_are_locked(people: oracledb.Cursor, statement: str) -> None:
    """Error Messages, ORA-38029."""
    statistics(people, "LOCK")
    with fails("ORA-38029"):
        people.execute(statement)
    assert one(people, "SELECT COUNT(*) FROM USER_INDEXES") == 1, "nothing is left of it"
    statistics(people, "UNLOCK")
    people.execute(statement)


def test_indexes_are_made_without_statistics_where_they_are_locked(people: oracledb.Cursor) -> None:
    assert COMPUTED in written(people, "PEOPLE_IX")
    statistics(people, "LOCK")
    people.execute("CREATE INDEX PEOPLE_NAME_IX ON PEOPLE (NAME)")
    assert "COMPUTE" not in written(people, "PEOPLE_NAME_IX")
    people.execute("ALTER INDEX PEOPLE_NAME_IX REBUILD")
    assert "COMPUTE" not in written(people, "PEOPLE_NAME_IX")
    assert COMPUTED in written(people, "PEOPLE_IX"), "it has kept them"
    statistics(people, "UNLOCK")
    people.execute("ALTER INDEX PEOPLE_NAME_IX REBUILD")
    assert COMPUTED in written(people, "PEOPLE_NAME_IX")


def test_what_the_ddl_of_an_index_says_of_its_statistics(people: oracledb.Cursor) -> None:
    people.execute("CREATE TABLE KEYED (ID NUMBER CONSTRAINT KEYED_PK PRIMARY KEY, CODE NUMBER)")
    for kind, name in (("TABLE", "KEYED"), ("INDEX", "KEYED_PK"), ("CONSTRAINT", "KEYED_PK")):
        assert "COMPUTE" not in written(people, name, kind), "it is empty, and was never gathered"
    people.execute("ALTER TABLE KEYED ADD CONSTRAINT KEYED_UK UNIQUE (CODE)")
    assert f"USING INDEX {COMPUTED}" in written(people, "KEYED_UK", "CONSTRAINT")
    statistics(people, "GATHER", tabname="KEYED")
    assert written(people, "KEYED", "TABLE").count(f"USING INDEX {COMPUTED}") == 2
    statistics(people, "DELETE", tabname="KEYED")
    assert "COMPUTE" not in written(people, "KEYED", "TABLE")
    statistics(people, "GATHER")
    statistics(people, "DELETE")
    assert "COMPUTE" not in written(people, "PEOPLE_IX")
    people.callproc("DBMS_METADATA.SET_TRANSFORM_PARAM", [-1, "SEGMENT_ATTRIBUTES", False])
    statistics(people, "GATHER")
    assert "COMPUTE" not in written(people, "PEOPLE_IX")
