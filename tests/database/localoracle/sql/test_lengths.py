"""VARCHAR2(n) and CHAR(n) count bytes, unless the column or the session says CHAR (sqlrf, Data Types)."""

from __future__ import annotations

import pytest

from support.rulings import Ruling
from support.stand_in import Schema

TOO_LONG = "INSERT INTO T (A) VALUES ('äää')"


@pytest.mark.parametrize(
    ("semantics", "column", "code"),
    [
        ("BYTE", "VARCHAR2(5)", "ORA-12899"),
        ("BYTE", "VARCHAR2(6)", ""),
        ("BYTE", "VARCHAR2(3 CHAR)", ""),
        ("BYTE", "CHAR(5)", "ORA-12899"),
        ("CHAR", "VARCHAR2(3)", ""),
        ("CHAR", "VARCHAR2(2)", "ORA-12899"),
        ("CHAR", "VARCHAR2(5 BYTE)", "ORA-12899"),
    ],
)
def test_what_a_length_counts(schema: Schema, semantics: str, column: str, code: str) -> None:
    cursor = schema.connection.cursor()
    cursor.execute(f"ALTER SESSION SET NLS_LENGTH_SEMANTICS = {semantics}")
    cursor.execute(f"CREATE TABLE T (A {column}, B NUMBER)")
    Ruling(TOO_LONG, code, "sqlrf Data Types").hold(schema.connection)
    cursor.execute(f"ALTER TABLE T ADD C {column}")
    Ruling(TOO_LONG.replace("(A)", "(C)"), code, "sqlrf Data Types").hold(schema.connection)
    cursor.execute("DELETE FROM T")
    cursor.execute(f"ALTER TABLE T MODIFY C {column}")
    used = cursor.execute(
        "SELECT COLUMN_NAME, CHAR_USED, DATA_LENGTH FROM USER_TAB_COLUMNS WHERE CHAR_USED IS NOT NULL"
    ).fetchall()
    assert used[0][1:] == used[1][1:]
    in_bytes = "BYTE" in column or (semantics == "BYTE" and "CHAR)" not in column)
    size = int("".join(filter(str.isdigit, column.split("(")[1])))
    assert used[0][1:] == (("B", size) if in_bytes else ("C", 4 * size))


def test_other_semantics_are_refused(schema: Schema) -> None:
    Ruling("ALTER SESSION SET NLS_LENGTH_SEMANTICS = WORD", "ORA-00096", "errmg").hold(schema.connection)
