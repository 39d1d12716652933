"""IS JSON, JSON_VALUE, JSON_EXISTS, JSON_TABLE; and LISTAGG's clauses."""

from __future__ import annotations

import pytest

from support.rulings import Ruling
from support.stand_in import Schema

DOCUMENT = '{"a": true, "n": 12.50, "text": "long text", "none": null, "list": [1, 2], "e": {"f": "x"}}'
VALUES = {
    "JSON_VALUE(D, '$.a')": "true",
    "JSON_VALUE(D, '$.n')": "12.5",
    "JSON_VALUE(D, '$.n' RETURNING NUMBER)": 12.5,
    "JSON_VALUE(D, '$.text' RETURNING VARCHAR2(4))": None,
    "JSON_VALUE(D, '$.text' RETURNING NUMBER)": None,
    "JSON_VALUE(D, '$.none')": None,
    "JSON_VALUE(D, '$.nothing')": None,
    "JSON_VALUE(D, '$.e')": None,
    "JSON_VALUE(D, '$.e.f')": "x",
    "JSON_VALUE(D, '$.list[1]')": "2",
    "JSON_VALUE(D, '$.list[*]')": None,
    "JSON_VALUE('{', '$.a')": None,
    "CASE WHEN JSON_EXISTS(D, '$.e.f') THEN 1 ELSE 0 END": 1,
    "CASE WHEN JSON_EXISTS(D, '$.e.g') THEN 1 ELSE 0 END": 0,
    "CASE WHEN D IS JSON THEN 1 ELSE 0 END": 1,
    "CASE WHEN '{' IS NOT JSON THEN 1 ELSE 0 END": 1,
}
SOURCE = "sqlrf JSON_VALUE"
RULINGS = [
    Ruling("SELECT JSON_VALUE('{', '$.a' ERROR ON ERROR) FROM DUAL", "ORA-40441", SOURCE),
    Ruling("SELECT JSON_VALUE('{}', '$.a' ERROR ON EMPTY) FROM DUAL", "ORA-40462", SOURCE),
    Ruling("SELECT JSON_VALUE('[1,2]', '$[*]' ERROR ON ERROR) FROM DUAL", "ORA-40470", SOURCE),
    Ruling("SELECT JSON_VALUE('{}', '$' ERROR ON ERROR) FROM DUAL", "ORA-40456", SOURCE),
    Ruling(
        "SELECT JSON_VALUE('[\"ab\"]', '$[0]' RETURNING VARCHAR2(1) ERROR ON ERROR) FROM DUAL",
        "ORA-40478",
        SOURCE,
    ),
    Ruling("SELECT JSON_VALUE('{}', '$.a?(@ > 3)') FROM DUAL", "ORA-03001", "the stand-in"),
    Ruling("SELECT JSON_VALUE('{}', '$.a' DEFAULT 'x' ON ERROR) FROM DUAL", "ORA-03001", "the stand-in"),
    Ruling("SELECT JSON_QUERY('{}', '$') FROM DUAL", "ORA-03001", "the stand-in"),
    Ruling("SELECT 1 FROM DUAL WHERE '{}' IS JSON STRICT", "ORA-03001", "the stand-in"),
    Ruling("CREATE TABLE T (D BLOB CHECK (D IS JSON))", "", "sqlrf IS JSON Condition"),
    Ruling("CREATE TABLE T (D BLOB CHECK (D IS JSON FORMAT JSON))", "", "sqlrf IS JSON Condition"),
]


@pytest.mark.parametrize("ruling", RULINGS, ids=str)
def test_a_statement_is_judged_as_documented(schema: Schema, ruling: Ruling) -> None:
    ruling.hold(schema.connection)


@pytest.mark.parametrize(("expression", "value"), VALUES.items())
@pytest.mark.parametrize("kind", ["VARCHAR2(200)", "CLOB", "BLOB"])
def test_values_are_found(module_schema: Schema, expression: str, value: object, kind: str) -> None:
    cursor = module_schema.connection.cursor()
    table = f"J_{kind[:4]}"
    cursor.execute("SELECT COUNT(*) FROM USER_TABLES WHERE TABLE_NAME = :1", [table])
    if cursor.fetchone() == (0,):
        cursor.execute(f"CREATE TABLE {table} (D {kind})")
        document = DOCUMENT.encode() if kind == "BLOB" else DOCUMENT
        cursor.execute(f"INSERT INTO {table} VALUES (:1)", [document])
    cursor.execute(f"SELECT {expression} FROM {table}")
    assert cursor.fetchall() == [(value,)]


def test_a_table_of_nested_values(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute(
        """SELECT T.NR, T.NAME, T.N, T.V FROM JSON_TABLE('[{"k": "a", "l": [1, 2.5]}, {"k": "b"}]', '$[*]'
           COLUMNS (NR FOR ORDINALITY, NAME VARCHAR2(10) PATH '$.k',
                    NESTED PATH '$.l[*]' COLUMNS (N FOR ORDINALITY, V NUMBER PATH '$'))) T ORDER BY 1, 3"""
    )
    assert cursor.fetchall() == [(1, "a", 1, 1), (1, "a", 2, 2.5), (2, "b", None, None)]


LISTS = {
    "LEVEL, ',' ON OVERFLOW ERROR": "1,2,3",
    "RPAD(LEVEL, 1998, '-'), ',' ON OVERFLOW TRUNCATE": "1".ljust(1998, "-") + ",...(2)",
    "RPAD(LEVEL, 1990, '-'), ',' ON OVERFLOW TRUNCATE '!' WITHOUT COUNT": (
        "1".ljust(1990, "-") + "," + "2".ljust(1990, "-") + ",!"
    ),
}


@pytest.mark.parametrize(("clauses", "value"), LISTS.items())
def test_a_list_that_is_too_long_ends_with_whole_values(schema: Schema, clauses: str, value: str) -> None:
    cursor = schema.connection.cursor()
    cursor.execute(f"SELECT LISTAGG({clauses}) WITHIN GROUP (ORDER BY LEVEL) FROM DUAL CONNECT BY LEVEL <= 3")
    assert cursor.fetchall() == [(value,)]
