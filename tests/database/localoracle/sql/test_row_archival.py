"""Row archival: which rows a session sees, the hidden column, DDL, metadata.

Sources: SQL Language Reference 19c, CREATE TABLE and ALTER TABLE (ROW ARCHIVAL), ALTER SESSION (ROW ARCHIVAL
VISIBILITY); VLDB and Partitioning Guide 19c, "Using In-Database Archiving"; Error Messages 19c.
"""

from __future__ import annotations

from typing import Any

import oracledb
import pytest

from support.rulings import Ruling
from support.stand_in import Schema

CREATE = "sqlrf CREATE TABLE, ROW ARCHIVAL"
ALTER = "sqlrf ALTER TABLE, [NO] ROW ARCHIVAL"
ERR = "Error Messages, the message"
TABLE = "CREATE TABLE T (A NUMBER, B VARCHAR2(9)) ROW ARCHIVAL"
PLAIN = "CREATE TABLE T (A NUMBER)"
ALL = "ALTER SESSION SET ROW ARCHIVAL VISIBILITY = ALL"
ACTIVE = "ALTER SESSION SET ROW ARCHIVAL VISIBILITY = ACTIVE"

RULINGS = [
    Ruling("CREATE TABLE N (A NUMBER) TABLESPACE USERS ENABLE ROW MOVEMENT ROW ARCHIVAL", "", CREATE),
    Ruling("CREATE TABLE N (A NUMBER) ROW ARCHIVAL ENABLE ROW MOVEMENT", "ORA-00922", CREATE),
    Ruling("CREATE TABLE N (A NUMBER) ROW ARCHIVAL ROW ARCHIVAL", "ORA-00922", CREATE),
    Ruling("CREATE GLOBAL TEMPORARY TABLE N (A NUMBER) ROW ARCHIVAL", "ORA-38353", ERR),
    Ruling("INSERT INTO T VALUES (1, 'b')", "", CREATE, (TABLE,)),
    Ruling("INSERT INTO T VALUES ('0', 1, 'b')", "ORA-00913", CREATE, (TABLE,)),
    Ruling("INSERT INTO T (A, ORA_ARCHIVE_STATE) VALUES (1, '1')", "", CREATE, (TABLE,)),
    Ruling("ALTER TABLE T ROW ARCHIVAL", "", ALTER, (PLAIN,)),
    Ruling("ALTER TABLE T ROW ARCHIVAL", "ORA-38396", ERR, (TABLE,)),
    Ruling("ALTER TABLE T NO ROW ARCHIVAL", "", ALTER, (TABLE,)),
    Ruling("ALTER TABLE T NO ROW ARCHIVAL", "ORA-38397", ERR, (PLAIN,)),
    Ruling("ALTER TABLE T ROW ARCHIVAL NOLOGGING", "ORA-38400", ERR, (PLAIN,)),
    Ruling("ALTER TABLE T NOLOGGING ROW ARCHIVAL", "ORA-38400", ERR, (PLAIN,)),
    Ruling("ALTER TABLE T DROP COLUMN ORA_ARCHIVE_STATE", "ORA-38398", ERR, (TABLE,)),
    Ruling("ALTER TABLE T RENAME COLUMN ORA_ARCHIVE_STATE TO S", "ORA-38398", ERR, (TABLE,)),
    Ruling("ALTER TABLE T MODIFY ORA_ARCHIVE_STATE VARCHAR2(10)", "ORA-38398", ERR, (TABLE,)),
    Ruling("ALTER TABLE T MODIFY ORA_ARCHIVE_STATE VISIBLE", "ORA-38398", ERR, (TABLE,)),
    Ruling(
        "ALTER TABLE T ROW ARCHIVAL",
        "ORA-03001",
        "not done here",
        (PLAIN, "CREATE VIEW V AS SELECT A FROM T"),
    ),
]


@pytest.mark.parametrize("ruling", RULINGS, ids=str)
def test_ruling(schema: Schema, ruling: Ruling) -> None:
    ruling.hold(schema.connection)


@pytest.fixture
def cursor(schema: Schema) -> oracledb.Cursor:
    """T has 1 and 2, and 3 in its archive; O has 1, 2 and 3."""
    opened = schema.connection.cursor()
    for statement in (
        TABLE,
        "CREATE TABLE O (A NUMBER, X NUMBER)",
        "INSERT INTO T VALUES (1, 'a')",
        "INSERT INTO T VALUES (2, 'b')",
        "INSERT INTO T (A, B, ORA_ARCHIVE_STATE) VALUES (3, 'c', '1')",
        "INSERT INTO O VALUES (1, 10)",
        "INSERT INTO O VALUES (2, 20)",
        "INSERT INTO O VALUES (3, 30)",
        "CREATE VIEW V AS SELECT A, B FROM T",
        "CREATE VIEW J AS SELECT T.A, O.X FROM T, O WHERE O.A = T.A",
        "CREATE SYNONYM S FOR T",
    ):
        opened.execute(statement)
    return opened


def asked(cursor: oracledb.Cursor, query: str) -> list[Any]:
    return [row[0] for row in cursor.execute(query)]


@pytest.mark.parametrize(
    ("query", "active", "every"),
    [
        ("SELECT A FROM T ORDER BY A", [1, 2], [1, 2, 3]),
        ("SELECT A FROM T WHERE A = 3 OR A = 1 ORDER BY A", [1], [1, 3]),
        ("SELECT COUNT(*) FROM T", [2], [3]),
        ("SELECT COUNT(*) FROM T SAMPLE (99.9999)", [2], [3]),
        ("SELECT COUNT(*) FROM T X WHERE X.ROWID IS NOT NULL", [2], [3]),
        ("SELECT COUNT(*) FROM T JOIN O ON O.A = T.A", [2], [3]),
        ("SELECT COUNT(*) FROM O LEFT JOIN T ON O.A = T.A WHERE T.A IS NULL", [1], [0]),
        ("SELECT COUNT(*) FROM O, T WHERE O.A = T.A (+) AND T.B IS NULL", [1], [0]),
        (
            "SELECT O.X FROM O WHERE EXISTS (SELECT 1 FROM T WHERE T.A = O.A) ORDER BY 1",
            [10, 20],
            [10, 20, 30],
        ),
        ("SELECT (SELECT MAX(A) FROM T) FROM DUAL", [2], [3]),
        ("SELECT A FROM T WHERE ROWNUM <= 3 ORDER BY A DESC", [2, 1], [3, 2, 1]),
        ("WITH T AS (SELECT 7 A FROM DUAL) SELECT A FROM T", [7], [7]),
        ("WITH W AS (SELECT A FROM T) SELECT COUNT(*) FROM W", [2], [3]),
        ("SELECT A FROM V ORDER BY A", [1, 2], [1, 2, 3]),
        ("SELECT A FROM J ORDER BY A", [1, 2], [1, 2, 3]),
        ("SELECT A FROM S ORDER BY A", [1, 2], [1, 2, 3]),
        ("SELECT COUNT(*) FROM S, O WHERE S.A = O.A", [2], [3]),
        ("SELECT A FROM T UNION SELECT A FROM T ORDER BY A", [1, 2], [1, 2, 3]),
        ("SELECT A FROM T WHERE A > 1 FOR UPDATE", [2], [2, 3]),
        ("SELECT T.A FROM T, O WHERE O.A = T.A AND T.A > 1 ORDER BY T.A FOR UPDATE", [2], [2, 3]),
        ("SELECT ORA_ARCHIVE_STATE FROM T ORDER BY A", ["0", "0"], ["0", "0", "1"]),
    ],
)
def test_what_a_session_sees(
    cursor: oracledb.Cursor, query: str, active: list[Any], every: list[Any]
) -> None:
    assert asked(cursor, query) == active
    cursor.execute(ALL)
    assert asked(cursor, query) == every
    cursor.execute(ACTIVE)
    assert asked(cursor, query) == active


def test_columns_with_their_schema(cursor: oracledb.Cursor, schema: Schema) -> None:
    table = f"{schema.name}.T"
    assert asked(cursor, f"SELECT {table}.A FROM {table}, O WHERE {table}.A = O.A AND O.A > 1") == [2]
    assert len(asked(cursor, f"SELECT {table}.ROWID FROM {table}, O WHERE O.A = {table}.A")) == 2


def test_a_star_leaves_the_state_out(cursor: oracledb.Cursor) -> None:
    assert cursor.execute("SELECT * FROM T ORDER BY A").fetchall() == [(1, "a"), (2, "b")]
    joined = cursor.execute("SELECT T.*, O.* FROM T, O WHERE T.A = O.A ORDER BY 1").fetchall()
    assert joined == [(1, "a", 1, 10), (2, "b", 2, 20)]


def test_the_choice_outlives_a_rollback(cursor: oracledb.Cursor) -> None:
    cursor.execute("UPDATE T SET B = 'z'")
    cursor.execute(ALL)
    cursor.connection.rollback()
    assert asked(cursor, "SELECT COUNT(*) FROM T") == [3]


def test_plsql_sees_what_its_session_sees(cursor: oracledb.Cursor) -> None:
    count = cursor.var(int)
    block = "BEGIN SELECT COUNT(*) INTO :1 FROM T; END;"
    cursor.execute(block, [count])
    assert count.getvalue() == 2
    cursor.execute(ALL)
    cursor.execute(block, [count])
    assert count.getvalue() == 3


def test_changes(cursor: oracledb.Cursor) -> None:
    """That UPDATE and DELETE leave alone what a query does not see is no sentence of the books."""
    cursor.execute("UPDATE T SET B = 'x'")
    assert cursor.rowcount == 2
    cursor.execute("DELETE FROM T WHERE A = 3")
    assert cursor.rowcount == 0
    cursor.execute("UPDATE V SET B = 'y'")
    assert cursor.rowcount == 2
    cursor.execute("UPDATE T SET ORA_ARCHIVE_STATE = '1' WHERE A = 2")
    assert asked(cursor, "SELECT A FROM T") == [1]
    merge = "MERGE INTO T USING O ON (T.A = O.A) WHEN MATCHED THEN UPDATE SET B = TO_CHAR(O.X)"
    with pytest.raises(oracledb.DatabaseError, match="ORA-03001"):
        cursor.execute(merge)
    cursor.execute(ALL)
    cursor.execute(merge)
    assert cursor.execute("SELECT A, B, ORA_ARCHIVE_STATE FROM T ORDER BY A").fetchall() == [
        (1, "10", "0"),
        (2, "20", "1"),
        (3, "30", "1"),
    ]
    cursor.execute("DELETE FROM T")
    assert cursor.rowcount == 3


def test_partitions(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    for statement in (
        "CREATE TABLE P (A NUMBER) PARTITION BY HASH (A) (PARTITION P1, PARTITION P2) ROW ARCHIVAL",
        "INSERT INTO P SELECT LEVEL FROM DUAL CONNECT BY LEVEL <= 20",
        "UPDATE P SET ORA_ARCHIVE_STATE = '1' WHERE A > 5",
    ):
        cursor.execute(statement)
    both = "(SELECT COUNT(*) FROM P PARTITION (P1)) + (SELECT COUNT(*) FROM P PARTITION (P2))"
    assert asked(cursor, f"SELECT {both} FROM DUAL") == [5]
    cursor.execute("UPDATE P PARTITION (P1) SET A = A")
    first = cursor.rowcount
    cursor.execute("UPDATE P PARTITION (P2) SET A = A")
    assert first + cursor.rowcount == 5


def test_dictionary(cursor: oracledb.Cursor) -> None:
    """As the guide's example shows them; there the column has 4,000 characters."""
    columns = (
        "SELECT COLUMN_NAME, DATA_TYPE, COLUMN_ID, SEGMENT_COLUMN_ID, INTERNAL_COLUMN_ID, HIDDEN_COLUMN,"
        " CHAR_LENGTH FROM USER_TAB_COLS WHERE TABLE_NAME = 'T' ORDER BY INTERNAL_COLUMN_ID"
    )
    assert cursor.execute(columns).fetchall() == [
        ("ORA_ARCHIVE_STATE", "VARCHAR2", None, 1, 1, "YES", 4000),
        ("A", "NUMBER", 1, 2, 2, "NO", 0),
        ("B", "VARCHAR2", 2, 3, 3, "NO", 9),
    ]


def test_metadata(cursor: oracledb.Cursor) -> None:
    ((text,),) = cursor.execute("SELECT DBMS_METADATA.GET_DDL('TABLE', 'T') FROM DUAL")
    ddl = text.read()
    assert ddl.rstrip().endswith("ROW ARCHIVAL")
    assert "ORA_ARCHIVE_STATE" not in ddl
    cursor.execute("DROP SYNONYM S")
    cursor.execute("DROP VIEW V")
    cursor.execute("DROP VIEW J")
    cursor.execute("DROP TABLE T")
    cursor.execute(ddl)
    assert asked(cursor, "SELECT COUNT(*) FROM USER_TAB_COLS WHERE TABLE_NAME = 'T'") == [3]


def test_enabled_and_disabled_later(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute(PLAIN)
    cursor.execute("INSERT INTO T SELECT LEVEL FROM DUAL CONNECT BY LEVEL <= 3")
    cursor.execute("ALTER TABLE T ROW ARCHIVAL")
    assert asked(cursor, "SELECT ORA_ARCHIVE_STATE FROM T") == ["0"] * 3
    cursor.execute("UPDATE T SET ORA_ARCHIVE_STATE = '1' WHERE A = 1")
    assert asked(cursor, "SELECT A FROM T ORDER BY A") == [2, 3]
    cursor.execute("ALTER TABLE T NO ROW ARCHIVAL")
    assert asked(cursor, "SELECT A FROM T ORDER BY A") == [1, 2, 3]
    with pytest.raises(oracledb.DatabaseError, match="ORA-00904"):
        cursor.execute("SELECT ORA_ARCHIVE_STATE FROM T")
