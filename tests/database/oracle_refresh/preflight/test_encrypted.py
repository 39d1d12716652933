"""Which tables have rows in encrypted tablespaces, wherever a table keeps rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from oracle_refresh.oracle.session import rows
from oracle_refresh.preflight.statements import ENCRYPTED_TABLESPACES

#: The stand-in encrypts nothing, and keeps index-organized tables in their schema's tablespace.
PLACED = ENCRYPTED_TABLESPACES.replace("T.ENCRYPTED = 'YES'", "T.TABLESPACE_NAME = '{place}'")
TABLES = (
    "CREATE TABLE CLEAR (A NUMBER, B CLOB)",
    "CREATE TABLE WHOLE (A NUMBER) TABLESPACE SAFE",
    "CREATE TABLE PARTS (A NUMBER) PARTITION BY RANGE (A)"
    " (PARTITION P1 VALUES LESS THAN (2), PARTITION P2 VALUES LESS THAN (9) TABLESPACE SAFE)",
    "CREATE TABLE LOBS (A NUMBER, B CLOB) LOB (B) STORE AS (TABLESPACE SAFE DISABLE STORAGE IN ROW)",
    "CREATE TABLE KEYED (A NUMBER PRIMARY KEY) ORGANIZATION INDEX",
    "CREATE TABLE INDEXED (A NUMBER)",
    "CREATE INDEX INDEXED_IX ON INDEXED (A) TABLESPACE SAFE",
)


@pytest.fixture
def safe(schema: Any) -> Iterator[Any]:
    with schema.server.connect() as system:
        system.cursor().execute("CREATE TABLESPACE SAFE DATAFILE '/u01/safe.dbf' SIZE 1M")
        yield schema
        for statement in TABLES:
            if (words := statement.split())[1] == "TABLE":
                system.cursor().execute(f"DROP TABLE {schema.name}.{words[2]} PURGE")
        system.cursor().execute("DROP TABLESPACE SAFE INCLUDING CONTENTS AND DATAFILES")


def test_rows_in_segments_of_every_kind(safe: Any) -> None:
    with safe.connection.cursor() as cursor:
        for statement in TABLES:
            cursor.execute(statement)
        for name in ("CLEAR", "LOBS"):
            cursor.execute(f"INSERT INTO {name} VALUES (1, RPAD('x', 4000, 'x'))")
        for name in ("WHOLE", "PARTS", "KEYED", "INDEXED"):
            cursor.executemany(f"INSERT INTO {name} VALUES (:1)", [(1,), (2,)])
    safe.connection.commit()
    with safe.server.connect() as system:
        found = {
            place: [
                name for _, name in sorted(rows(system, PLACED.replace("{place}", place), names=[safe.name]))
            ]
            for place in ("SAFE", "USERS")
        }
    assert found["SAFE"] == ["LOBS", "PARTS", "WHOLE"]
    assert found["USERS"] == ["CLEAR", "INDEXED", "KEYED", "LOBS", "PARTS"]
