"""Clauses and types that a statement was written with, as the dictionary shows them afterwards."""

from __future__ import annotations

import pytest

from support.rulings import Ruling
from support.stand_in import Schema

TABLE = 'CREATE TABLE T (A NUMBER, B VARCHAR2(9), "c" VARCHAR2(9))'

RULINGS = [
    Ruling("CREATE UNIQUE INDEX I ON T (A) COMPRESS", "ORA-25193", "errmg", (TABLE,)),
    Ruling("CREATE INDEX I ON T (A, B) COMPRESS 3", "ORA-25194", "errmg", (TABLE,)),
    Ruling("CREATE INDEX I ON T (A, B) COMPRESS 0", "ORA-25194", "errmg", (TABLE,)),
    Ruling("CREATE UNIQUE INDEX I ON T (A, B) COMPRESS 2", "ORA-25194", "errmg", (TABLE,)),
    Ruling("ALTER TABLE T MODIFY A VISIBLE", "", "sqlrf ALTER TABLE", (TABLE,)),
    Ruling(
        "CREATE TABLE I (A NUMBER PRIMARY KEY) ORGANIZATION INDEX TABLESPACE USERS OVERFLOW TABLESPACE USERS",
        "",
        "sqlrf CREATE TABLE, index_org_overflow_clause",
    ),
    Ruling(
        "CREATE TABLE I (A NUMBER PRIMARY KEY) ORGANIZATION INDEX TABLESPACE USERS TABLESPACE USERS",
        "ORA-02215",
        "errmg",
    ),
]


@pytest.mark.parametrize("ruling", RULINGS, ids=str)
def test_a_statement_is_judged_as_documented(schema: Schema, ruling: Ruling) -> None:
    ruling.hold(schema.connection)


@pytest.mark.parametrize(
    ("clause", "shown"),
    [
        ("", ("DISABLED", None)),
        ("NOCOMPRESS", ("DISABLED", None)),
        ("COMPRESS", ("ENABLED", "BASIC")),
        ("COMPRESS BASIC", ("ENABLED", "BASIC")),
        ("COMPRESS FOR DIRECT_LOAD OPERATIONS", ("ENABLED", "BASIC")),
        ("COMPRESS FOR OLTP", ("ENABLED", "ADVANCED")),
        ("ROW STORE COMPRESS ADVANCED", ("ENABLED", "ADVANCED")),
    ],
)
def test_a_tables_compression(schema: Schema, clause: str, shown: tuple[str, str | None]) -> None:
    cursor = schema.connection.cursor()
    cursor.execute(f"CREATE TABLE T (A NUMBER) {clause}")
    assert cursor.execute("SELECT COMPRESSION, COMPRESS_FOR FROM USER_TABLES").fetchone() == shown


@pytest.mark.parametrize(
    ("index", "shown"),
    [
        ("INDEX I ON T (A, B)", ("DISABLED", None)),
        ("INDEX I ON T (A, B) COMPRESS", ("ENABLED", 2)),
        ("INDEX I ON T (A, B) COMPRESS 1", ("ENABLED", 1)),
        ("UNIQUE INDEX I ON T (A, B) COMPRESS", ("ENABLED", 1)),
        ("INDEX I ON T (A, B) COMPRESS ADVANCED LOW", ("ADVANCED LOW", None)),
        ("INDEX I ON T (A, B) COMPRESS ADVANCED", ("ADVANCED HIGH", None)),
    ],
)
def test_an_indexes_compression(schema: Schema, index: str, shown: tuple[str, int | None]) -> None:
    cursor = schema.connection.cursor()
    cursor.execute(TABLE)
    cursor.execute(f"CREATE {index}")
    assert cursor.execute("SELECT COMPRESSION, PREFIX_LENGTH FROM USER_INDEXES").fetchone() == shown


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("lower( b )", 'LOWER("B")'),
        ('("c" || b)', '"c"||"B"'),
        ("Substr(b, 1 , 2)", 'SUBSTR("B",1,2)'),
        ("(a + 1) * (a - 1)", '("A"+1)*("A"-1)'),
        (
            "case when a is null then 'it''s' else B end",
            """CASE WHEN "A" IS NULL THEN 'it''s' ELSE "B" END""",
        ),
    ],
)
def test_an_indexes_expression_is_decompiled(schema: Schema, written: str, shown: str) -> None:
    cursor = schema.connection.cursor()
    cursor.execute(TABLE)
    cursor.execute(f"CREATE INDEX I ON T ({written})")
    assert cursor.execute("SELECT COLUMN_EXPRESSION FROM USER_IND_EXPRESSIONS").fetchall() == [(shown,)]


@pytest.mark.parametrize(
    ("written", "precision", "scale"),
    [
        ("NUMBER", None, None),
        ("NUMBER(*)", None, None),
        ("NUMBER(*,0)", None, 0),
        ("INTEGER", None, 0),
        ("NUMERIC", None, 0),
        ("DECIMAL", None, 0),
        ("DEC(5,2)", 5, 2),
    ],
)
def test_a_numbers_precision_and_scale(
    schema: Schema, written: str, precision: int | None, scale: int | None
) -> None:
    cursor = schema.connection.cursor()
    cursor.execute(f"CREATE TABLE T (A {written})")
    cursor.execute("SELECT DATA_PRECISION, DATA_SCALE FROM USER_TAB_COLUMNS")
    assert cursor.fetchone() == (precision, scale)
