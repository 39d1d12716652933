"""Columns of type LONG, those of the dictionary as well."""

from __future__ import annotations

import oracledb
import pytest

from support.rulings import Ruling

_A_DIARY = "INSERT INTO DIARY VALUES (5, 'x')"

RULINGS = [
    Ruling(
        "SELECT TEXT FROM DIARY UNION ALL SELECT TEXT FROM DIARY",
        "",
        "SQL Language Reference, The UNION [ALL], INTERSECT, MINUS Operators: not UNION, INTERSECT, MINUS",
    ),
    Ruling(
        "SELECT TEXT FROM DIARY UNION SELECT TEXT FROM DIARY",
        "ORA-00997",
        "SQL Language Reference, The UNION [ALL], INTERSECT, MINUS Operators",
    ),
    Ruling(
        "INSERT INTO DIARY SELECT ID, TEXT FROM DIARY UNION ALL SELECT ID, TEXT FROM DIARY",
        "ORA-00997",
        "SQL Language Reference, LONG Data Type",
    ),
    Ruling("SELECT TO_LOB(TEXT) FROM DIARY", "ORA-00932", "SQL Language Reference, TO_LOB"),
    Ruling(
        "CREATE TABLE DIARY_COPY AS SELECT ID, TEXT FROM DIARY",
        "ORA-00997",
        "SQL Language Reference, LONG Data Type",
    ),
    Ruling(
        "CREATE TABLE DIARY_COPY AS SELECT * FROM DIARY",
        "ORA-00997",
        "SQL Language Reference, LONG Data Type",
    ),
    Ruling(
        "INSERT INTO DIARY (ID, TEXT) SELECT ID, TEXT FROM DIARY",
        "ORA-00997",
        "SQL Language Reference, LONG Data Type",
    ),
    Ruling("INSERT INTO DIARY SELECT * FROM DIARY", "ORA-00997", "SQL Language Reference, LONG Data Type"),
    Ruling(
        "INSERT INTO PERSON (ID, NOTE) SELECT ID + 60, TO_LOB(TEXT) FROM DIARY",
        "",
        "SQL Language Reference, LONG Data Type",
        (_A_DIARY,),
    ),
    Ruling(
        "INSERT INTO PERSON (ID, NOTE) SELECT ID + 60, TEXT FROM DIARY",
        "ORA-00997",
        "SQL Language Reference, LONG Data Type",
        (_A_DIARY,),
    ),
    Ruling("SELECT ID FROM DIARY WHERE TEXT IN ('x')", "ORA-00997", "SQL Language Reference, LONG Data Type"),
    Ruling("SELECT ID FROM DIARY WHERE TEXT <> 'x'", "ORA-00997", "SQL Language Reference, LONG Data Type"),
    Ruling(
        "SELECT ID FROM DIARY WHERE ID = 1 OR TEXT > 'a'",
        "ORA-00997",
        "SQL Language Reference, LONG Data Type",
    ),
    Ruling("SELECT MAX(TEXT) FROM DIARY", "ORA-00997", "SQL Language Reference, LONG Data Type"),
    Ruling("SELECT ID, TEXT FROM DIARY ORDER BY 2", "ORA-00997", "SQL Language Reference, LONG Data Type"),
    Ruling("SELECT TO_CHAR(TEXT) FROM DIARY", "ORA-00932", "SQL Language Reference, LONG Data Type"),
    Ruling(
        "SELECT CAST(TEXT AS VARCHAR2(10)) FROM DIARY", "ORA-00932", "SQL Language Reference, LONG Data Type"
    ),
    Ruling(
        "SELECT ID FROM DIARY D WHERE EXISTS (SELECT 1 FROM DUAL WHERE D.TEXT = 'x')",
        "ORA-00997",
        "SQL Language Reference, LONG Data Type",
    ),
    Ruling(
        "SELECT (SELECT TEXT FROM DIARY WHERE ID = 1) FROM DUAL",
        "ORA-00997",
        "SQL Language Reference, LONG Data Type",
    ),
    Ruling("SELECT T FROM (SELECT TEXT T FROM DIARY)", "", "SQL Language Reference, LONG Data Type"),
    Ruling("SELECT ID FROM DIARY GROUP BY ID, TEXT", "ORA-00997", "SQL Language Reference, LONG Data Type"),
    Ruling(
        "SELECT TEXT, ROW_NUMBER() OVER (ORDER BY TEXT) FROM DIARY",
        "ORA-00997",
        "SQL Language Reference, LONG Data Type",
    ),
    Ruling(
        "SELECT REPLACE(TEXT, 'a', 'b') FROM DIARY", "ORA-00932", "SQL Language Reference, LONG Data Type"
    ),
    Ruling("SELECT INSTR(TEXT, 'a') FROM DIARY", "ORA-00932", "SQL Language Reference, LONG Data Type"),
    Ruling(
        "SELECT D.TEXT FROM DIARY D JOIN DIARY E ON D.TEXT = E.TEXT",
        "ORA-00997",
        "SQL Language Reference, LONG Data Type",
    ),
    Ruling("SELECT TEXT_LENGTH, TEXT FROM USER_VIEWS", "", "SQL Language Reference, LONG Data Type"),
    Ruling(
        "SELECT VIEW_NAME FROM USER_VIEWS WHERE TEXT LIKE '%x%'",
        "ORA-00932",
        "SQL Language Reference, LONG Data Type",
    ),
    Ruling(
        "SELECT UPPER(TRIGGER_BODY) FROM USER_TRIGGERS", "ORA-00932", "SQL Language Reference, LONG Data Type"
    ),
    Ruling(
        "SELECT HIGH_VALUE || '' FROM USER_TAB_PARTITIONS",
        "ORA-00932",
        "SQL Language Reference, LONG Data Type",
    ),
    Ruling(
        "CREATE TABLE DD AS SELECT COLUMN_NAME, DATA_DEFAULT FROM USER_TAB_COLUMNS",
        "ORA-00997",
        "SQL Language Reference, LONG Data Type",
    ),
    Ruling("CREATE INDEX DI ON DIARY (TEXT)", "ORA-02327", "SQL Language Reference, LONG Data Type"),
    Ruling("CREATE TABLE TWOLONGS (A LONG, B LONG)", "ORA-01754", "SQL Language Reference, LONG Data Type"),
    Ruling(
        "SELECT D.TEXT FROM DIARY D JOIN PERSON P ON P.ID = D.ID",
        "",
        "SQL Language Reference, LONG Data Type",
    ),
    Ruling("SELECT * FROM (SELECT * FROM DIARY)", "", "SQL Language Reference, LONG Data Type"),
    Ruling(
        "WITH Q AS (SELECT TEXT FROM DIARY) SELECT TEXT FROM Q", "", "SQL Language Reference, LONG Data Type"
    ),
    Ruling("CREATE VIEW DIARIES AS SELECT ID, TEXT FROM DIARY", "", "SQL Language Reference, LONG Data Type"),
    Ruling("SELECT TEXT FROM DIARIES", "", "SQL Language Reference, LONG Data Type"),
    Ruling("UPDATE DIARY SET TEXT = 'y'", "", "SQL Language Reference, LONG Data Type"),
]


@pytest.mark.parametrize("ruling", RULINGS, ids=str)
def test_ruling(people: oracledb.Connection, ruling: Ruling) -> None:
    ruling.hold(people)
