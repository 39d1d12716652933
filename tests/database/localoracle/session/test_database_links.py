"""What can be read over a database link, and synonyms for what is behind one. The link leads back here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import oracledb
import pytest

from support.stand_in import Schema, Server, new_schema

LINK = "LINK_TO_ITSELF"


@pytest.fixture(scope="module")
def far(oracle: Server) -> Iterator[Schema]:
    """The schema at the other end of the public link."""
    for schema in new_schema(oracle):
        cursor = schema.connection.cursor()
        cursor.execute("CREATE TABLE CITY (ID NUMBER(9) PRIMARY KEY, NAME VARCHAR2(40))")
        cursor.execute("CREATE TABLE STREET (CITY_ID NUMBER(9) REFERENCES CITY, NAME VARCHAR2(40))")
        cursor.execute("CREATE VIEW BIG_CITY AS SELECT ID, NAME FROM CITY WHERE ID < 10")
        cursor.execute("INSERT INTO CITY VALUES (1, 'Oslo')")
        cursor.execute("INSERT INTO STREET VALUES (1, 'Karl Johans gate')")
        schema.connection.commit()
        with oracle.connect() as system, system.cursor() as administrator:
            administrator.execute(
                f"CREATE PUBLIC DATABASE LINK {LINK} CONNECT TO {schema.name}"
                f" IDENTIFIED BY \"{schema.password}\" USING '{oracle.dsn}'"
            )
            yield schema
            administrator.execute(f"DROP PUBLIC DATABASE LINK {LINK}")


@pytest.fixture
def near(schema: Schema, far: Schema) -> oracledb.Cursor:
    """Of a user with synonyms of the link's tables."""
    cursor = schema.connection.cursor()
    cursor.execute(f"CREATE SYNONYM TOWN FOR CITY@{LINK}")
    cursor.execute(f"CREATE OR REPLACE SYNONYM ROAD FOR {far.name}.STREET@{LINK}")
    return cursor


def rows(cursor: oracledb.Cursor, query: str, *binds: Any) -> list[tuple[Any, ...]]:
    cursor.execute(query, binds)
    return cursor.fetchall()  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("SELECT * FROM TOWN", [(1, "Oslo")]),
        ("SELECT TOWN.NAME FROM TOWN WHERE TOWN.ID = 1", [("Oslo",)]),
        ("SELECT t.NAME, r.NAME FROM TOWN t JOIN ROAD r ON r.CITY_ID = t.ID", [("Oslo", "Karl Johans gate")]),
        ('SELECT "TOWN".NAME FROM "TOWN", ROAD@@ r WHERE r.CITY_ID = ID', [("Oslo",)]),
        ("WITH TOWN AS (SELECT 'x' a FROM ROAD) SELECT a FROM TOWN", [("x",)]),
        ("SELECT COUNT(*) FROM (SELECT NAME FROM TOWN WHERE EXISTS (SELECT 1 FROM ROAD))", [(1,)]),
        (
            "SELECT VIEW_NAME, TEXT FROM USER_VIEWS@@",
            [("BIG_CITY", "SELECT ID, NAME FROM CITY WHERE ID < 10")],
        ),
    ],
)
def test_queries_run_at_the_other_end(near: oracledb.Cursor, query: str, found: list[Any]) -> None:
    query = query.replace("ROAD@@", f"STREET@{LINK}").replace("@@", f"@{LINK}")
    assert rows(near, query) == found


def test_binds_go_along(near: oracledb.Cursor) -> None:
    assert rows(near, "SELECT NAME FROM TOWN WHERE ID = :1 AND NAME <> :2", 1, "Rome") == [("Oslo",)]


def test_the_dictionary_has_the_link(near: oracledb.Cursor, schema: Schema, far: Schema) -> None:
    near.execute("SELECT SYNONYM_NAME, TABLE_OWNER, TABLE_NAME, DB_LINK FROM USER_SYNONYMS ORDER BY 1")
    assert near.fetchall() == [
        ("ROAD", far.name, "STREET", LINK),
        ("TOWN", None, "CITY", LINK),
    ]
    near.execute("SELECT STATUS FROM USER_OBJECTS WHERE OBJECT_NAME = 'TOWN'")
    assert near.fetchall() == [("VALID",)]
    near.execute("SELECT DBMS_METADATA.GET_DDL('SYNONYM', 'ROAD') FROM DUAL")
    assert f'FOR "{far.name}"."STREET"@"{LINK}"' in near.fetchone()[0].read()


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("CREATE TABLE TOWN (A NUMBER)", "ORA-00955"),
        ("CREATE VIEW TOWN AS SELECT 1 A FROM DUAL", "ORA-00955"),
        (f"CREATE SYNONYM TOWN FOR STREET@{LINK}", "ORA-00955"),
        ("INSERT INTO TOWN VALUES (2, 'Rome')", "ORA-03001"),
        ("UPDATE TOWN SET NAME = 'x'", "ORA-03001"),
        ("CREATE VIEW V AS SELECT * FROM TOWN", "ORA-03001"),
        (f"CREATE VIEW V AS SELECT * FROM CITY@{LINK}", "ORA-03001"),
        (f"DELETE FROM CITY@{LINK}", "ORA-03001"),
        ("SELECT USER FROM TOWN", "ORA-03001"),
        ("SELECT ITS_OWN(NAME) FROM TOWN", "ORA-03001"),
        ("SELECT NAME FROM TOWN WHERE TOOLS.LENGTH(NAME) > 1", "ORA-03001"),
        ("SELECT NUMBERS.NEXTVAL FROM TOWN", "ORA-03001"),
        ("SELECT NAME FROM TOWN WHERE SYS_CONTEXT('USERENV', 'SID') > 0", "ORA-03001"),
        ("SELECT t.NAME FROM TOWN t, DUAL", "ORA-03001"),
        ("SELECT * FROM CITY@UNKNOWN", "ORA-02019"),
        (f"SELECT * FROM NOWHERE@{LINK}", "ORA-00942"),
    ],
)
def test_what_is_refused(near: oracledb.Cursor, statement: str, code: str) -> None:
    with pytest.raises(oracledb.DatabaseError, match=code):
        near.execute(statement)


def test_a_dropped_synonym_is_no_name_any_more(near: oracledb.Cursor) -> None:
    near.execute("DROP SYNONYM TOWN")
    near.execute("CREATE TABLE TOWN (A NUMBER)")
    assert rows(near, "SELECT COUNT(A) FROM TOWN") == [(0,)]


def test_a_table_comes_before_a_public_synonym(near: oracledb.Cursor, oracle: Server, schema: Schema) -> None:
    with oracle.connect() as system, system.cursor() as administrator:
        administrator.execute(f"CREATE PUBLIC SYNONYM PLACE FOR CITY@{LINK}")
        try:
            assert rows(near, "SELECT NAME FROM PLACE") == [("Oslo",)]
            near.execute("CREATE TABLE PLACE (NAME VARCHAR2(9))")
            assert rows(near, "SELECT NAME FROM PLACE") == []
        finally:
            administrator.execute("DROP PUBLIC SYNONYM PLACE")
