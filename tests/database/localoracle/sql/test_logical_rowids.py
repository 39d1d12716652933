"""ROWIDs of index-organized tables: logical ones.

Sources: SQL Language Reference 19c, "UROWID Data Type" and CAST (note 2); PL/SQL Packages Reference 19c,
DBMS_ROWID ("not to be used with universal ROWIDs", ROWID_INVALID is ORA-01410); Error Messages 19c.
"""

from __future__ import annotations

from typing import Any

import oracledb
import pytest

from support.rulings import Ruling
from support.stand_in import Schema

IOT = "CREATE TABLE I (A NUMBER, B VARCHAR2(9), C NUMBER, PRIMARY KEY (A, B)) ORGANIZATION INDEX"
HEAP = "CREATE TABLE H (A NUMBER, R ROWID)"
ROW = "INSERT INTO I VALUES (1, 'x', 10)"
PACKAGE = "arpls DBMS_ROWID, its note and exceptions"
TYPES = "sqlrf UROWID Data Type"

RULINGS = [
    Ruling("SELECT ROWID FROM I", "", TYPES, (IOT, ROW)),
    Ruling("SELECT DBMS_ROWID.ROWID_BLOCK_NUMBER(ROWID) FROM I", "ORA-01410", PACKAGE, (IOT, ROW)),
    Ruling("SELECT DBMS_ROWID.ROWID_RELATIVE_FNO(I.ROWID) FROM I", "ORA-01410", PACKAGE, (IOT, ROW)),
    Ruling("SELECT DBMS_ROWID.ROWID_OBJECT(I.ROWID) FROM I", "ORA-01410", PACKAGE, (IOT, ROW)),
    Ruling("SELECT A FROM I WHERE DBMS_ROWID.ROWID_ROW_NUMBER(ROWID) >= 0", "ORA-01410", PACKAGE, (IOT, ROW)),
    Ruling("SELECT CHARTOROWID(I.ROWID) FROM I", "ORA-01410", "sqlrf CHARTOROWID gives a ROWID", (IOT, ROW)),
    Ruling("INSERT INTO H SELECT 1, ROWID FROM I", "ORA-01410", "sqlrf CAST, note 2", (IOT, HEAP, ROW)),
    Ruling("SELECT A FROM I WHERE ROWID BETWEEN '*A' AND '*B'", "ORA-03001", "not done", (IOT,)),
    Ruling("SELECT A FROM I WHERE ROWID > '*A'", "ORA-03001", "not done", (IOT,)),
    Ruling("SELECT A FROM I ORDER BY ROWID", "ORA-03001", "not done", (IOT,)),
    Ruling("SELECT MIN(ROWID) FROM I", "ORA-03001", "not done", (IOT,)),
    Ruling("SELECT ROWID FROM (SELECT A FROM I)", "ORA-03001", "not done", (IOT,)),
]


@pytest.mark.parametrize("ruling", RULINGS, ids=str)
def test_ruling(schema: Schema, ruling: Ruling) -> None:
    ruling.hold(schema.connection)


@pytest.fixture
def cursor(schema: Schema) -> oracledb.Cursor:
    opened = schema.connection.cursor()
    opened.execute(IOT)
    opened.execute("CREATE TABLE H (A NUMBER, D NUMBER)")
    opened.execute("INSERT INTO I SELECT LEVEL, 'x' || LEVEL, 10 * LEVEL FROM DUAL CONNECT BY LEVEL <= 5")
    opened.execute("INSERT INTO H SELECT A, C FROM I")
    return opened


def rowid(cursor: oracledb.Cursor, key: int) -> str:
    cursor.execute("SELECT ROWID FROM I WHERE A = :1", [key])
    ((found,),) = cursor.fetchall()
    return str(found)


def asked(cursor: oracledb.Cursor, query: str, *values: Any) -> list[Any]:
    return [row[0] for row in cursor.execute(query, values)]


def test_its_type_and_form(cursor: oracledb.Cursor) -> None:
    cursor.execute("SELECT I.ROWID, H.ROWID FROM I, H WHERE I.A = H.A AND I.A = 1")
    logical, physical = (column.type_code for column in cursor.description)
    assert (logical, physical) == (oracledb.DB_TYPE_UROWID, oracledb.DB_TYPE_ROWID)
    ((one, other),) = cursor.fetchall()
    assert one.startswith("*")
    assert len(other) == 18
    assert one == rowid(cursor, 1)


def test_it_stays_while_the_key_stays(cursor: oracledb.Cursor) -> None:
    before = rowid(cursor, 2)
    cursor.execute("UPDATE I SET C = C + 1")
    assert rowid(cursor, 2) == before
    cursor.execute("UPDATE I SET B = 'y' WHERE A = 2")
    assert rowid(cursor, 2) != before


def test_it_finds_its_row(cursor: oracledb.Cursor, schema: Schema) -> None:
    wanted, other = rowid(cursor, 3), rowid(cursor, 4)
    assert asked(cursor, "SELECT A FROM I WHERE ROWID = :1", wanted) == [3]
    assert asked(cursor, "SELECT A FROM I WHERE :1 = I.ROWID", wanted) == [3]
    assert asked(cursor, f"SELECT A FROM {schema.name}.I WHERE {schema.name}.I.ROWID = :1", wanted) == [3]
    assert asked(cursor, "SELECT A FROM I X WHERE X.ROWID IN (:1, :2) ORDER BY A", wanted, other) == [3, 4]
    assert asked(cursor, "SELECT COUNT(*) FROM I WHERE ROWID <> :1", wanted) == [4]
    assert asked(cursor, "SELECT COUNT(*) FROM I X, I Y WHERE X.ROWID = Y.ROWID") == [5]
    assert asked(cursor, "SELECT COUNT(DISTINCT ROWID) FROM I") == [5]
    inner = "SELECT ROWID FROM I WHERE C > 30"
    assert asked(cursor, f"SELECT A FROM I WHERE ROWID IN ({inner}) ORDER BY A") == [4, 5]
    outer = "SELECT A FROM I WHERE EXISTS (SELECT 1 FROM H WHERE H.A = I.A AND I.ROWID = :1)"
    assert asked(cursor, outer, wanted) == [3]
    cursor.execute("UPDATE I SET C = 0 WHERE ROWID = :1", [wanted])
    assert cursor.rowcount == 1
    cursor.execute("DELETE FROM I T WHERE T.ROWID = :1", [wanted])
    assert cursor.rowcount == 1
    assert asked(
        cursor, "SELECT COUNT(*) FROM H WHERE ROWID = :1", asked(cursor, "SELECT MAX(ROWID) FROM H")[0]
    ) == [1]


def test_it_is_returned(cursor: oracledb.Cursor) -> None:
    told = cursor.var(str)
    cursor.execute("INSERT INTO I VALUES (9, 'z', 0) RETURNING ROWID INTO :1", [told])
    assert told.getvalue() == [rowid(cursor, 9)]


def test_a_block_passes_it_on(cursor: oracledb.Cursor) -> None:
    found = cursor.var(int)
    cursor.execute(
        "DECLARE R UROWID; BEGIN SELECT ROWID INTO R FROM I WHERE A = 3;"
        " SELECT A INTO :1 FROM I WHERE ROWID = R; END;",
        [found],
    )
    assert found.getvalue() == 3


def test_a_variable_for_physical_ones_does_not_take_it(cursor: oracledb.Cursor) -> None:
    with pytest.raises(oracledb.DatabaseError, match="ORA-01410"):
        cursor.execute("DECLARE R ROWID; BEGIN SELECT ROWID INTO R FROM I WHERE A = 3; END;")


def test_partitions(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute(
        "CREATE TABLE P (A NUMBER PRIMARY KEY, B NUMBER) ORGANIZATION INDEX"
        " PARTITION BY HASH (A) PARTITIONS 3"
    )
    cursor.execute("INSERT INTO P SELECT LEVEL, 0 FROM DUAL CONNECT BY LEVEL <= 9")
    assert len(set(asked(cursor, "SELECT ROWID FROM P"))) == 9
