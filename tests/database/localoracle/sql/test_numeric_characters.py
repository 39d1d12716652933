"""NLS_NUMERIC_CHARACTERS: the sign of decimals, and that of groups, wherever numbers and texts meet."""

from __future__ import annotations

from typing import Any

import oracledb
import pytest

from support.rulings import Ruling
from support.stand_in import Schema

EXPRESSIONS = {
    "TO_CHAR(1234.5)": "1234,5",
    "TO_CHAR(-0.5)": "-,5",
    "TO_CHAR(1234.5, 'TM9')": "1234,5",
    "1234.5 || ' euros'": "1234,5 euros",
    "TO_CHAR(1234.5, 'FM9G999D00')": "1.234,50",
    "TO_CHAR(1234.5, 'FM9,999.00')": "1,234.50",
    "TO_CHAR(1234.5, 'FM9G999D00', 'NLS_NUMERIC_CHARACTERS=''.,''')": "1,234.50",
    "TO_NUMBER('1234,5')": 1234.5,
    "'1,5' + 1": 2.5,
    "TO_NUMBER('1.234,5', '9G999D9')": 1234.5,
    "CAST('0,5' AS BINARY_DOUBLE)": 0.5,
}


def one(cursor: oracledb.Cursor, expression: str) -> Any:
    rows = cursor.execute(f"SELECT {expression} FROM DUAL").fetchall()
    return rows[0][0]


def test_expressions_follow_the_session(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    usual = one(cursor, "TO_CHAR(1234.5)")
    cursor.execute("ALTER SESSION SET NLS_NUMERIC_CHARACTERS = ',.'")
    assert usual == "1234.5"
    assert {expression: one(cursor, expression) for expression in EXPRESSIONS} == EXPRESSIONS
    Ruling("SELECT TO_NUMBER('1.5') FROM DUAL", "ORA-01722", "sqlrf Data Conversion").hold(schema.connection)
    cursor.execute("ALTER SESSION SET NLS_NUMERIC_CHARACTERS = '.,'")
    assert one(cursor, "TO_CHAR(1234.5)") == usual


def test_columns_and_blocks_follow_the_session(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute("CREATE TABLE T (V VARCHAR2(20), N NUMBER)")
    cursor.execute("ALTER SESSION SET NLS_NUMERIC_CHARACTERS = ',.'")
    cursor.execute("INSERT INTO T VALUES (2.5, '3,5')")
    assert cursor.execute("SELECT V, N FROM T").fetchone() == ("2,5", 3.5)
    text = cursor.var(str)
    cursor.execute("DECLARE N NUMBER := '1,25'; BEGIN :1 := N * 2; END;", [text])
    assert text.getvalue() == "2,5"
    with pytest.raises(oracledb.DatabaseError, match="ORA-06502"):
        cursor.execute("DECLARE N NUMBER := '1.25'; BEGIN NULL; END;")
