"""States that DDL leaves in the dictionary: disabled constraints, unusable indexes, invalid views."""

from __future__ import annotations

from typing import Any

import oracledb
import pytest

from support.stand_in import Schema


def query(cursor: oracledb.Cursor, sql: str) -> list[Any]:
    return cursor.execute(sql).fetchall()


def test_constraints_are_added_disabled_and_relied_on(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute("CREATE TABLE T (A NUMBER, B NUMBER)")
    cursor.execute("INSERT INTO T VALUES (NULL, -1)")
    cursor.execute("ALTER TABLE T ADD CONSTRAINT T_PK PRIMARY KEY (A) RELY DISABLE NOVALIDATE")
    cursor.execute("ALTER TABLE T ADD CHECK (B > 0) DISABLE NOVALIDATE")
    cursor.execute("ALTER TABLE T ADD CHECK (B < 9) ENABLE NOVALIDATE")
    cursor.execute("ALTER TABLE T ADD CONSTRAINT T_UK UNIQUE (B)")
    cursor.execute("ALTER TABLE T MODIFY CONSTRAINT T_UK RELY")
    states = (
        "SELECT CONSTRAINT_TYPE, SEARCH_CONDITION_VC, STATUS, VALIDATED, RELY FROM USER_CONSTRAINTS"
        " ORDER BY 1, 2"
    )
    assert query(cursor, states) == [
        ("C", "B < 9", "ENABLED", "NOT VALIDATED", None),
        ("C", "B > 0", "DISABLED", "NOT VALIDATED", None),
        ("P", None, "DISABLED", "NOT VALIDATED", "RELY"),
        ("U", None, "ENABLED", "VALIDATED", "RELY"),
    ]
    cursor.execute("ALTER TABLE T MODIFY CONSTRAINT T_UK NORELY")
    assert query(cursor, states)[3][4] is None
    for statement, code in (
        ("ALTER TABLE T ADD CONSTRAINT SECOND_PK PRIMARY KEY (B) DISABLE NOVALIDATE", "ORA-02260"),
        ("ALTER TABLE T ADD CONSTRAINT T_PK UNIQUE (B) DISABLE NOVALIDATE", "ORA-02264"),
        ("ALTER TABLE T ENABLE CONSTRAINT T_PK", "ORA-02437"),
    ):
        with pytest.raises(oracledb.DatabaseError, match=code):
            cursor.execute(statement)


def test_duplicates_refuse_a_key_under_its_name(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute("CREATE TABLE T (A NUMBER)")
    cursor.executemany("INSERT INTO T VALUES (:1)", [(1,), (1,)])
    with pytest.raises(oracledb.DatabaseError, match="ORA-02299"):
        cursor.execute("ALTER TABLE T ADD CONSTRAINT T_UK UNIQUE (A)")
    with pytest.raises(oracledb.DatabaseError, match="ORA-02437"):
        cursor.execute("ALTER TABLE T ADD PRIMARY KEY (A)")
    with pytest.raises(oracledb.DatabaseError, match="ORA-01452"):
        cursor.execute("CREATE UNIQUE INDEX T_IX ON T (A)")


def test_an_index_is_unusable_until_it_is_rebuilt(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute("CREATE TABLE T (A NUMBER PRIMARY KEY, B NUMBER)")
    cursor.execute("CREATE INDEX T_IX ON T (B)")
    status = "SELECT STATUS FROM USER_INDEXES WHERE INDEX_NAME = 'T_IX'"
    cursor.execute("ALTER INDEX T_IX UNUSABLE")
    assert query(cursor, status) == [("UNUSABLE",)]
    cursor.execute("INSERT INTO T VALUES (1, 2)")
    assert query(cursor, "SELECT A FROM T WHERE B = 2") == [(1,)]
    cursor.execute("ALTER INDEX T_IX REBUILD")
    assert query(cursor, status) == [("VALID",)]
    cursor.execute("DROP INDEX T_IX")
    cursor.execute("CREATE INDEX T_IX ON T (B) NOLOGGING UNUSABLE")
    assert query(cursor, status) == [("UNUSABLE",)]
    with pytest.raises(oracledb.DatabaseError, match="ORA-02158"):
        cursor.execute("CREATE INDEX T_LATE ON T (B, A) UNUSABLE LOGGING")
    (key,) = query(cursor, "SELECT INDEX_NAME FROM USER_INDEXES WHERE UNIQUENESS = 'UNIQUE'")[0]
    cursor.execute("CREATE UNIQUE INDEX T_UK ON T (B, A) UNUSABLE")
    assert query(cursor, status.replace("T_IX", "T_UK")) == [("UNUSABLE",)]
    cursor.execute("DROP INDEX T_UK")
    cursor.execute(f"ALTER INDEX {key} UNUSABLE")
    with pytest.raises(oracledb.DatabaseError, match=f"ORA-01502: index '{schema.name}.{key}' or partition"):
        cursor.execute("DELETE FROM T")


def test_a_view_without_its_table_is_invalid(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute("CREATE TABLE T (A NUMBER)")
    cursor.execute("CREATE VIEW V AS SELECT A FROM T")
    cursor.execute("CREATE SYNONYM S FOR T")
    objects = "SELECT OBJECT_NAME, OBJECT_TYPE, STATUS FROM USER_OBJECTS ORDER BY 1"
    assert query(cursor, objects) == [
        ("S", "SYNONYM", "VALID"),
        ("T", "TABLE", "VALID"),
        ("V", "VIEW", "VALID"),
    ]
    assert query(cursor, "SELECT VIEW_NAME FROM USER_VIEWS") == [("V",)]
    cursor.execute("DROP TABLE T PURGE")
    assert query(cursor, objects) == [("S", "SYNONYM", "INVALID"), ("V", "VIEW", "INVALID")]
    assert query(
        cursor, "SELECT NAME, TYPE, REFERENCED_NAME, REFERENCED_TYPE FROM USER_DEPENDENCIES ORDER BY 1"
    ) == [("S", "SYNONYM", "T", "TABLE"), ("V", "VIEW", "T", "TABLE")]
    cursor.execute("CREATE TABLE T (A NUMBER)")
    invalid = [("S", "SYNONYM", "INVALID"), ("T", "TABLE", "VALID"), ("V", "VIEW", "INVALID")]
    assert query(cursor, objects) == invalid
    assert query(cursor, "SELECT A FROM V") == []
    cursor.execute("ALTER SYNONYM S COMPILE")
    assert {status for _, _, status in query(cursor, objects)} == {"VALID"}


def test_a_sequence_starts_anew(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute("CREATE SEQUENCE Q")
    assert query(cursor, "SELECT Q.NEXTVAL FROM DUAL") == [(1,)]
    cursor.execute("ALTER SEQUENCE Q RESTART START WITH 40")
    assert query(cursor, "SELECT Q.NEXTVAL FROM DUAL") == [(40,)]


def test_identity_options_need_no_parentheses(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute(
        "CREATE TABLE T (ID NUMBER GENERATED BY DEFAULT AS IDENTITY MINVALUE 1 START WITH 6 CACHE 20 NOORDER"
        " NOCYCLE NOKEEP NOSCALE NOT NULL, B NUMBER)"
    )
    cursor.execute("INSERT INTO T (B) VALUES (1)")
    assert query(cursor, "SELECT ID FROM T") == [(6,)]


def test_a_forced_view_that_does_not_compile_is_a_warning(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute("CREATE FORCE VIEW V AS SELECT A FROM LATER")
    assert cursor.warning is not None
    assert query(cursor, "SELECT STATUS FROM USER_OBJECTS WHERE OBJECT_NAME = 'V'") == [("INVALID",)]
    cursor.execute("CREATE TABLE LATER (A NUMBER)")
    assert cursor.warning is None
    cursor.execute("CREATE OR REPLACE FORCE VIEW V AS SELECT A FROM LATER")
    assert cursor.warning is None
