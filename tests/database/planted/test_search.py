"""The search for planted values in what a database keeps besides the tables of applications."""

from __future__ import annotations

import oracledb
import pytest

from support.demo import DemoDatabase
from support.planted import DICTIONARY, LACKING, in_restored_statistics, in_target
from support.stand_in import Schema

pytestmark = pytest.mark.slow

VALUE = "Ünsal <Planted> 4711"


def test_values_are_found_in_own_tables_and_the_dictionary(demo_target: DemoDatabase) -> None:
    with demo_target.connect() as connection, connection.cursor() as cursor:
        assert in_target([VALUE], connection) == []
        cursor.execute("CREATE TABLE KEPT (A VARCHAR2(40))")
        cursor.execute("INSERT INTO KEPT VALUES (:1)", [VALUE])
        assert in_target([VALUE], connection) == [f'SELECT * FROM "KEPT": {VALUE}']
        cursor.execute(f"COMMENT ON COLUMN KEPT.A IS '{VALUE}'")
        assert f"SELECT * FROM DBA_COL_COMMENTS: {VALUE}" in in_target([VALUE], connection)
        cursor.execute("DROP TABLE KEPT PURGE")


EMPTY = ("DBA_DATAPUMP_JOBS", "DBA_RECYCLEBIN")
#: What has the value then, how it comes there and how it is removed; in the order in which they are made.
PLACES = {
    "SELECT * FROM DBA_TAB_COL_STATISTICS": [
        "CREATE TABLE KEPT (A VARCHAR2(40))",
        "INSERT INTO KEPT SELECT 'planted_4711' || LEVEL FROM DUAL CONNECT BY LEVEL < 5",
        "COMMIT",
        "BEGIN DBMS_STATS.GATHER_TABLE_STATS(USER, 'KEPT'); END;",
    ],
    "SELECT * FROM DBA_TAB_PARTITIONS": [
        "CREATE TABLE KEPT_PARTS (A VARCHAR2(40)) PARTITION BY LIST (A) (PARTITION P VALUES ('planted_4711'))"
    ],
    "SELECT * FROM DBA_TAB_COMMENTS": ["COMMENT ON TABLE KEPT IS 'planted_4711'"],
    "SELECT * FROM DBA_COL_COMMENTS": ["COMMENT ON COLUMN KEPT.A IS 'planted_4711'"],
    "SELECT * FROM DBA_OBJECTS": ["CREATE TABLE PLANTED_4711 (A NUMBER)"],
    "SELECT * FROM DBA_CONSTRAINTS": ["ALTER TABLE KEPT ADD CONSTRAINT KEPT_CK CHECK (A <> 'planted_4711 ')"],
    "SELECT OWNER, NAME, TEXT FROM DBA_SOURCE WHERE OWNER <> 'SYS'": [
        "CREATE PROCEDURE KEEPS AS BEGIN DBMS_OUTPUT.PUT_LINE('planted_4711'); END;"
    ],
    "SELECT OWNER, VIEW_NAME, TEXT FROM DBA_VIEWS WHERE OWNER <> 'SYS'": [
        "CREATE VIEW KEPT_VIEW AS SELECT 'planted_4711' A FROM DUAL"
    ],
}


def test_the_search_can_fail_in_each_view(demo_target: DemoDatabase) -> None:
    """But in that of jobs of Data Pump, whose names a refresh makes of its own, and in the recycle bin, where
    the stand-in keeps nothing."""
    looked_at = {query for query in DICTIONARY if not query.endswith(EMPTY)} - LACKING
    assert PLACES.keys() == looked_at
    with demo_target.sys() as system, system.cursor() as cursor:
        cursor.execute("GRANT CREATE PROCEDURE, CREATE VIEW TO REFRESH_TARGET")
    with demo_target.connect() as connection, connection.cursor() as cursor:
        assert in_target(["planted_4711"], connection) == []
        for query, statements in PLACES.items():
            assert f"{query}: planted_4711" not in in_target(["planted_4711"], connection)
            for statement in statements:
                cursor.execute(statement)
            assert f"{query}: planted_4711" in in_target(["planted_4711"], connection)
        for table in ("KEPT", "KEPT_PARTS", "PLANTED_4711"):
            cursor.execute(f"DROP TABLE {table} PURGE")
        for undone in ("PROCEDURE KEEPS", "VIEW KEPT_VIEW"):
            cursor.execute(f"DROP {undone}")
        assert in_target(["planted_4711"], connection) == []


def test_replaced_statistics_are_searched_and_the_present_ones_stay(demo_target: DemoDatabase) -> None:
    gather = "BEGIN DBMS_STATS.GATHER_TABLE_STATS(USER, 'KEPT'); END;"
    with demo_target.connect() as connection, connection.cursor() as cursor:
        cursor.execute("CREATE TABLE KEPT (A VARCHAR2(40))")
        for text in ("older_1 ", "planted_4711 ", "present_1 "):
            cursor.execute("DELETE FROM KEPT")
            cursor.executemany("INSERT INTO KEPT VALUES (:1)", [[text + digit] for digit in "1234"])
            connection.commit()
            cursor.execute(gather)
        searched = ["older_1", "planted_4711", "present_1"]
        kept = in_target(searched, connection)
        assert "SELECT * FROM DBA_TAB_COL_STATISTICS: present_1" in kept
        assert in_restored_statistics(searched, connection) == [
            "statistics of REFRESH_TARGET.KEPT: older_1",
            "statistics of REFRESH_TARGET.KEPT: planted_4711",
        ]
        assert in_target(searched, connection) == kept
        cursor.execute("DROP TABLE KEPT PURGE")


def test_a_view_that_is_out_of_reach_fails_the_search(schema: Schema) -> None:
    with pytest.raises(oracledb.DatabaseError, match="ORA-00942"):
        in_target([VALUE], schema.connection)


def test_values_are_found_in_named_tables(demo_source: DemoDatabase) -> None:
    with demo_source.connect() as connection, connection.cursor() as cursor:
        cursor.execute("SELECT NAME FROM APP.COUNTRIES WHERE LENGTH(NAME) > 5 AND ROWNUM = 1")
        (name,) = cursor.fetchone()
        query = "SELECT * FROM APP.COUNTRIES"
        assert f"{query}: {name}" in in_target([name], connection, ["APP.COUNTRIES"])
