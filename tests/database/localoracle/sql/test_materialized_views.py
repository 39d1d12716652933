"""Materialized views as objects: a container that only a refresh changes."""

from __future__ import annotations

import pytest

from support.rulings import Ruling
from support.stand_in import Schema

SOURCE = "sqlrf CREATE MATERIALIZED VIEW"
TABLE = "CREATE TABLE T (A NUMBER)"
VIEW = "CREATE MATERIALIZED VIEW M AS SELECT A, A * 2 B FROM T"

RULINGS = [
    Ruling("INSERT INTO M VALUES (1, 2)", "ORA-01732", "errmg", (TABLE, VIEW)),
    Ruling("DELETE FROM M", "ORA-01732", "errmg", (TABLE, VIEW)),
    Ruling("DROP TABLE M", "ORA-12083", "errmg", (TABLE, VIEW)),
    Ruling("DROP MATERIALIZED VIEW T", "ORA-12003", "errmg", (TABLE,)),
    Ruling("DROP MATERIALIZED VIEW M", "", SOURCE, (TABLE, VIEW)),
    Ruling("DROP TABLE T", "", SOURCE, (TABLE, VIEW)),
    Ruling("COMMENT ON TABLE M IS 'x'", "ORA-12098", "sqlrf COMMENT", (TABLE, VIEW)),
    Ruling("COMMENT ON MATERIALIZED VIEW M IS 'x'", "", "sqlrf COMMENT", (TABLE, VIEW)),
    Ruling(VIEW.replace("AS", "REFRESH FAST ON COMMIT AS"), "ORA-03001", "the stand-in", (TABLE,)),
    Ruling(VIEW.replace("AS", "ON PREBUILT TABLE AS"), "ORA-03001", "the stand-in", (TABLE,)),
    Ruling(VIEW.replace("AS", "REFRESH COMPLETE ON DEMAND WITH ROWID AS"), "", SOURCE, (TABLE,)),
    Ruling("CREATE MATERIALIZED VIEW LOG ON T", "ORA-03001", "the stand-in", (TABLE,)),
]


@pytest.fixture
def allowed(schema: Schema) -> Schema:
    with schema.server.connect() as system:
        system.cursor().execute(f"GRANT CREATE MATERIALIZED VIEW TO {schema.name}")
    return schema


@pytest.mark.parametrize("ruling", RULINGS, ids=str)
def test_a_statement_is_judged_as_documented(allowed: Schema, ruling: Ruling) -> None:
    ruling.hold(allowed.connection)


def test_it_needs_the_privilege(schema: Schema) -> None:
    Ruling(VIEW, "ORA-01031", SOURCE, (TABLE,)).hold(schema.connection)


def test_it_keeps_its_rows_and_is_listed_as_table_and_as_view(allowed: Schema) -> None:
    cursor = allowed.connection.cursor()
    for statement in (TABLE, "INSERT INTO T VALUES (4)", VIEW, "INSERT INTO T VALUES (5)"):
        cursor.execute(statement)
    cursor.execute("SELECT A, B FROM M")
    assert cursor.fetchall() == [(4, 8)]
    cursor.execute("SELECT OBJECT_TYPE FROM USER_OBJECTS WHERE OBJECT_NAME = 'M' ORDER BY 1")
    assert cursor.fetchall() == [("MATERIALIZED VIEW",), ("TABLE",)]
    cursor.execute("SELECT CONTAINER_NAME, QUERY FROM USER_MVIEWS")
    assert cursor.fetchall() == [("M", "SELECT A, A * 2 B FROM T")]


def test_build_deferred_has_no_rows(allowed: Schema) -> None:
    cursor = allowed.connection.cursor()
    cursor.execute("CREATE MATERIALIZED VIEW M (X) BUILD DEFERRED AS SELECT 1 FROM DUAL")
    cursor.execute("SELECT X FROM M")
    assert cursor.fetchall() == []


@pytest.mark.parametrize(
    ("query", "key"),
    [
        ("SELECT * FROM B", ["A", "K"]),
        ("SELECT V, K AS RENAMED, A FROM B WHERE V > 0", ["A", "RENAMED"]),
        ("SELECT V, K FROM B", []),
        ("SELECT A, K + 0 AS K FROM B", []),
        ("SELECT DISTINCT A, K FROM B", []),
        ("SELECT X.A, X.K FROM B X, DUAL", []),
    ],
)
def test_a_simple_query_passes_the_primary_key_on(allowed: Schema, query: str, key: list[str]) -> None:
    cursor = allowed.connection.cursor()
    cursor.execute("CREATE TABLE B (V NUMBER, K NUMBER, A NUMBER, PRIMARY KEY (A, K))")
    cursor.execute("INSERT INTO B VALUES (1, 2, 3)")
    cursor.execute(f"CREATE MATERIALIZED VIEW W AS {query}")
    cursor.execute(
        "SELECT U.COLUMN_NAME FROM USER_CONSTRAINTS C JOIN USER_CONS_COLUMNS U USING (CONSTRAINT_NAME) "
        "WHERE C.CONSTRAINT_TYPE = 'P' AND C.TABLE_NAME = 'W' ORDER BY U.POSITION"
    )
    assert [name for (name,) in cursor] == key


def test_a_materialized_view_by_rowid_has_no_key(allowed: Schema) -> None:
    cursor = allowed.connection.cursor()
    cursor.execute("CREATE TABLE B (K NUMBER PRIMARY KEY)")
    cursor.execute("CREATE MATERIALIZED VIEW W REFRESH COMPLETE WITH ROWID AS SELECT * FROM B")
    cursor.execute("SELECT COUNT(*) FROM USER_CONSTRAINTS WHERE TABLE_NAME = 'W'")
    assert cursor.fetchone() == (0,)
