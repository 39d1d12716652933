"""INVISIBLE columns: what * is, what an INSERT fills, how the dictionary and DBMS_METADATA show them.

Source: SQL Language Reference 19c, CREATE TABLE, "VISIBLE | INVISIBLE".
"""

from __future__ import annotations

from typing import Any

import oracledb
import pytest

from support.rulings import Ruling
from support.stand_in import Schema

SOURCE = "sqlrf CREATE TABLE, VISIBLE | INVISIBLE"
ERR = "Error Messages, the message"
TABLE = "CREATE TABLE T (A NUMBER, H VARCHAR2(9) INVISIBLE DEFAULT 'd', B NUMBER)"
OTHER = "CREATE TABLE O (A NUMBER, X NUMBER)"
ROW = "INSERT INTO T (A, H, B) VALUES (1, 'h', 2)"

RULINGS = [
    Ruling("INSERT INTO T VALUES (1, 2)", "", SOURCE, (TABLE,)),
    Ruling("INSERT INTO T VALUES (1, 'h', 2)", "ORA-00913", SOURCE, (TABLE,)),
    Ruling("INSERT INTO T VALUES (1)", "ORA-00947", SOURCE, (TABLE,)),
    Ruling("INSERT INTO T SELECT 1, 2 FROM DUAL", "", SOURCE, (TABLE,)),
    Ruling("INSERT ALL INTO T VALUES (1, 2) SELECT 1 FROM DUAL", "", SOURCE, (TABLE,)),
    Ruling(
        "MERGE INTO T USING (SELECT 1 A FROM DUAL) S ON (T.A = S.A)"
        " WHEN NOT MATCHED THEN INSERT VALUES (1, 2)",
        "",
        SOURCE,
        (TABLE,),
    ),
    Ruling("CREATE TABLE N (A NUMBER INVISIBLE)", "ORA-54039", ERR),
    Ruling("ALTER TABLE N MODIFY A INVISIBLE", "ORA-54039", ERR, ("CREATE TABLE N (A NUMBER)",)),
    Ruling("GRANT UPDATE (A) ON T TO SYSTEM", "", ERR, (TABLE,)),
    Ruling("GRANT UPDATE (A, H) ON T TO SYSTEM", "ORA-54045", ERR, (TABLE,)),
    Ruling(
        "CREATE GLOBAL TEMPORARY TABLE N (A NUMBER, B NUMBER INVISIBLE)",
        "ORA-54042",
        "sqlrf CREATE TABLE, Restrictions on VISIBLE and INVISIBLE Columns",
    ),
]


@pytest.mark.parametrize("ruling", RULINGS, ids=str)
def test_ruling(schema: Schema, ruling: Ruling) -> None:
    ruling.hold(schema.connection)


@pytest.fixture
def cursor(schema: Schema) -> oracledb.Cursor:
    opened = schema.connection.cursor()
    for statement in (TABLE, OTHER, ROW, "INSERT INTO O VALUES (1, 5)"):
        opened.execute(statement)
    return opened


def names(cursor: oracledb.Cursor, query: str) -> list[str]:
    cursor.execute(query)
    return [column.name for column in cursor.description]


@pytest.mark.parametrize(
    ("query", "row"),
    [
        ("SELECT * FROM T", (1, 2)),
        ("SELECT T.*, H FROM T", (1, 2, "h")),
        ("SELECT X.* FROM T X WHERE H = 'h'", (1, 2)),
        ("SELECT * FROM T JOIN O ON O.A = T.A", (1, 2, 1, 5)),
        ("SELECT * FROM O, (SELECT * FROM T) V", (1, 5, 1, 2)),
        ("SELECT * FROM (SELECT H, A FROM T)", ("h", 1)),
        ("SELECT * FROM (SELECT * FROM T), O", (1, 2, 1, 5)),
        ("WITH T AS (SELECT 7 Q FROM O) SELECT * FROM T", (7,)),
        ("SELECT * FROM T WHERE EXISTS (SELECT * FROM T) ORDER BY H", (1, 2)),
        ("SELECT * FROM T WHERE ROWNUM <= 1 ORDER BY A", (1, 2)),
    ],
)
def test_a_star_leaves_it_out(cursor: oracledb.Cursor, query: str, row: tuple[Any, ...]) -> None:
    cursor.execute(query)
    assert cursor.fetchall() == [row]


def test_a_default_fills_it(cursor: oracledb.Cursor) -> None:
    cursor.execute("INSERT INTO T VALUES (3, 4)")
    cursor.execute("SELECT H FROM T WHERE A = 3")
    assert cursor.fetchall() == [("d",)]


def test_order_of_columns_that_come_back(cursor: oracledb.Cursor) -> None:
    """A column that becomes visible gets the next highest COLUMN_ID."""
    cursor.execute("ALTER TABLE T MODIFY A INVISIBLE")
    assert names(cursor, "SELECT * FROM T") == ["B"]
    cursor.execute("ALTER TABLE T MODIFY (H VISIBLE)")
    assert names(cursor, "SELECT * FROM T") == ["B", "H"]
    cursor.execute("ALTER TABLE T ADD C NUMBER")
    cursor.execute("ALTER TABLE T MODIFY A VISIBLE")
    assert names(cursor, "SELECT * FROM T") == ["B", "H", "C", "A"]
    cursor.execute("SELECT COLUMN_NAME, COLUMN_ID FROM USER_TAB_COLUMNS WHERE TABLE_NAME = 'T' ORDER BY 2")
    assert cursor.fetchall() == [("B", 1), ("H", 2), ("C", 3), ("A", 4)]


def test_synonyms_views_and_copies(cursor: oracledb.Cursor) -> None:
    cursor.execute("CREATE SYNONYM S FOR T")
    assert names(cursor, "SELECT * FROM S") == ["A", "B"]
    assert names(cursor, "SELECT S.*, S.H FROM S") == ["A", "B", "H"]
    cursor.execute("CREATE VIEW V AS SELECT * FROM T")
    assert names(cursor, "SELECT * FROM V") == ["A", "B"]
    cursor.execute("CREATE TABLE C AS SELECT * FROM T")
    assert names(cursor, "SELECT * FROM C") == ["A", "B"]


def test_row_types_leave_it_out(cursor: oracledb.Cursor) -> None:
    found = cursor.var(int)
    cursor.execute("DECLARE R T%ROWTYPE; BEGIN SELECT * INTO R FROM T; :1 := R.A + R.B; END;", [found])
    assert found.getvalue() == 3
    with pytest.raises(oracledb.DatabaseError, match="ORA-06550"):
        cursor.execute("DECLARE R T%ROWTYPE; BEGIN R.H := 'x'; END;")


def test_dictionary_and_metadata(cursor: oracledb.Cursor) -> None:
    cursor.execute(
        "SELECT COLUMN_NAME, COLUMN_ID, HIDDEN_COLUMN, USER_GENERATED, INTERNAL_COLUMN_ID FROM USER_TAB_COLS"
        " WHERE TABLE_NAME = 'T' ORDER BY INTERNAL_COLUMN_ID"
    )
    assert cursor.fetchall() == [
        ("A", 1, "NO", "YES", 1),
        ("H", None, "YES", "YES", 2),
        ("B", 2, "NO", "YES", 3),
    ]
    cursor.execute("SELECT COLUMN_NAME FROM USER_TAB_COLUMNS WHERE TABLE_NAME = 'T' ORDER BY COLUMN_ID")
    assert cursor.fetchall() == [("A",), ("B",)]
    cursor.execute("SELECT DBMS_METADATA.GET_DDL('TABLE', 'T') FROM DUAL")
    ddl = cursor.fetchone()[0].read()
    assert '"H" VARCHAR2(9 BYTE) INVISIBLE DEFAULT' in ddl
    cursor.execute("DROP TABLE T PURGE")
    cursor.execute(ddl)
    assert names(cursor, "SELECT * FROM T") == ["A", "B"]


def test_functions_read_such_tables_by_column(cursor: oracledb.Cursor) -> None:
    """What * is would be kept in the compiled function when a column changes."""
    cursor.execute(
        "CREATE FUNCTION F RETURN NUMBER IS N NUMBER; BEGIN SELECT A INTO N FROM T; RETURN N; END;"
    )
    assert cursor.execute("SELECT F() FROM DUAL").fetchall() == [(1,)]
    cursor.execute(
        "CREATE FUNCTION G RETURN NUMBER IS N NUMBER; X NUMBER;"
        " BEGIN SELECT * INTO N, X FROM T; RETURN X; END;"
    )
    with pytest.raises(oracledb.DatabaseError, match="ORA-03001"):
        cursor.execute("SELECT G() FROM DUAL")
