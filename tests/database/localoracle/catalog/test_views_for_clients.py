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
