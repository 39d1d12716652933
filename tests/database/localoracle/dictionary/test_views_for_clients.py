"""Views that clients read about themselves and about JSON columns."""

from __future__ import annotations

import oracledb

from support.stand_in import Schema, Server


def test_a_session_tells_its_driver(oracle: Server) -> None:
    with oracle.connect() as connection:
        cursor = connection.cursor()
        cursor.execute(
            "SELECT UNIQUE CLIENT_DRIVER FROM V$SESSION_CONNECT_INFO"
            " WHERE SID = SYS_CONTEXT('USERENV', 'SID')"
        )
        (driver,) = cursor.fetchone()
    assert driver == f"python-oracledb thn : {oracledb.__version__}"


def test_columns_with_a_json_check_are_listed(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute(
        'CREATE TABLE T (A VARCHAR2(99) CHECK (A IS JSON), "b" CLOB, C BLOB CONSTRAINT J CHECK (C IS JSON), '
        'D NUMBER CHECK (D > 0), E VARCHAR2(9), CONSTRAINT K CHECK ("b" IS JSON), '
        "CONSTRAINT L CHECK (E IS JSON OR E = 'x'))"
    )
    cursor.execute("SELECT TABLE_NAME, COLUMN_NAME, FORMAT, DATA_TYPE FROM USER_JSON_COLUMNS ORDER BY 2")
    assert cursor.fetchall() == [
        ("T", "A", "TEXT", "VARCHAR2"),
        ("T", "C", "TEXT", "BLOB"),
        ("T", "b", "TEXT", "CLOB"),
    ]
    cursor.execute("SELECT COUNT(*) FROM ALL_JSON_COLUMNS WHERE OWNER = :1", [schema.name])
    assert cursor.fetchone() == (3,)


def test_comments_of_materialized_views_are_in_their_own_view(oracle: Server, schema: Schema) -> None:
    with oracle.connect() as system:
        system.cursor().execute(f"GRANT CREATE MATERIALIZED VIEW TO {schema.name}")
    cursor = schema.connection.cursor()
    cursor.execute("CREATE TABLE T (A NUMBER PRIMARY KEY)")
    cursor.execute("CREATE MATERIALIZED VIEW M AS SELECT A FROM T")
    cursor.execute("COMMENT ON MATERIALIZED VIEW M IS 'copied'")
    cursor.execute("SELECT TABLE_NAME FROM USER_TAB_COMMENTS")
    assert cursor.fetchall() == [("T",)]
    cursor.execute("SELECT MVIEW_NAME, COMMENTS FROM USER_MVIEW_COMMENTS")
    assert cursor.fetchall() == [("M", "copied")]
    cursor.execute("SELECT DBMS_METADATA.GET_DEPENDENT_DDL('COMMENT', 'M') FROM DUAL")
    assert "COMMENT ON MATERIALIZED VIEW" in cursor.fetchone()[0].read()


def test_a_float_stays_one_in_views_and_copies(oracle: Server, schema: Schema) -> None:
    with oracle.connect() as system:
        system.cursor().execute(f"GRANT CREATE MATERIALIZED VIEW TO {schema.name}")
    cursor = schema.connection.cursor()
    cursor.execute('CREATE TABLE T (A FLOAT, B FLOAT(10), "{" NUMBER(5,2), D VARCHAR2(9 BYTE))')
    cursor.execute("CREATE VIEW V AS SELECT (SELECT MAX(A) FROM T) AS X, T.* FROM T")
    cursor.execute("CREATE VIEW W (B, S, A) AS SELECT B, A + 1, A FROM (SELECT A, B FROM V)")
    cursor.execute("CREATE VIEW VV AS SELECT * FROM V")
    cursor.execute("CREATE TABLE C AS SELECT B, A, A * 2 AS S FROM T")
    cursor.execute("CREATE MATERIALIZED VIEW M REFRESH WITH ROWID AS SELECT B FROM VV")
    found: dict[str, list[object]] = {}
    cursor.execute(
        "SELECT TABLE_NAME, COLUMN_NAME, DATA_TYPE, DATA_PRECISION FROM USER_TAB_COLS ORDER BY 1, COLUMN_ID"
    )
    for table, *column in cursor:
        found.setdefault(table, []).append(tuple(column))
    text, number = ("D", "VARCHAR2", None), ("{", "NUMBER", 5)
    assert found["V"] == [("X", "NUMBER", None), ("A", "FLOAT", 126), ("B", "FLOAT", 10), number, text]
    assert found["VV"] == found["V"]
    assert found["C"] == [("B", "FLOAT", 10), ("A", "FLOAT", 126), ("S", "NUMBER", None)]
    assert found["M"] == [("B", "FLOAT", 10)]
    assert found["W"][1] == ("S", "NUMBER", None)
    cursor.execute("SELECT A FROM VV")
    assert (cursor.description[0].precision, cursor.description[0].scale) == (126, -127)
