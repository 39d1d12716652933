"""A table of many types in a schema of its own, whose past is the source and whose present is the target."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import oracledb

from oracle_refresh.catalog import Column, Lob, Table
from oracle_refresh.masking import ColumnRule
from oracle_refresh.masking.algorithms.email import Email
from oracle_refresh.masking.algorithms.redaction import Redaction
from support.samples import key, number, plain, text

ROWS = 120
CREATE = """\
CREATE TABLE THINGS (ID NUMBER(12) PRIMARY KEY, LABEL VARCHAR2(60), CODE CHAR(4), AMOUNT NUMBER(12,2),
  MADE DATE, STAMP TIMESTAMP(6), RATING BINARY_DOUBLE, TOKEN RAW(16), BODY BLOB, TEXT CLOB)"""
RULES = (
    ColumnRule("LABEL", "email", "email", Email()),
    ColumnRule("AMOUNT", "redaction", None, Redaction()),
)


def things(owner: str) -> Table:
    def lob(name: str, kind: str) -> Lob:
        return Lob(name, f"SYS_LOB_{name}", kind, True, True, 8192, 1)

    columns: tuple[Column, ...] = (
        number("ID", nullable=False),
        text("LABEL", 60),
        text("CODE", 4, data_type="CHAR"),
        number("AMOUNT", 12, 2),
        plain("MADE", "DATE"),
        plain("STAMP", "TIMESTAMP(6)", 11),
        plain("RATING", "BINARY_DOUBLE", 8),
        plain("TOKEN", "RAW", 16),
        plain("BODY", "BLOB", 4000),
        plain("TEXT", "CLOB", 4000),
    )
    keys = (key("P", "THINGS_PK", "ID"),)
    return Table(owner, "THINGS", ROWS, 8192, 1, columns, (lob("BODY", "BLOB"), lob("TEXT", "CLOB")), keys)


class Copies:
    def __init__(self, schema: Any) -> None:
        self.schema, self.connection, self.table = schema, schema.connection, things(schema.name)
        self.source = schema.connect()
        with schema.server.sys() as system:
            system.cursor().execute(f"GRANT SELECT_CATALOG_ROLE TO {schema.name}")
            system.cursor().execute(f"GRANT EXECUTE ON SYS.DBMS_CRYPTO TO {schema.name}")
            system.cursor().execute(f"GRANT FLASHBACK ANY TABLE TO {schema.name}")
        with self.connection.cursor() as cursor:
            cursor.execute(CREATE)
            cursor.setinputsizes(*[None] * 5, oracledb.DB_TYPE_TIMESTAMP)
            cursor.executemany(
                "INSERT INTO THINGS VALUES (:1, :2, :3, :4, :5, :6, :7, :8, :9, :10)",
                [self.row(number) for number in range(ROWS)],
            )
            self.connection.commit()
            cursor.execute("SELECT CURRENT_SCN FROM V$DATABASE")
            (self.scn,) = cursor.fetchone()

    @staticmethod
    def row(row: int) -> tuple[Any, ...]:
        return (
            row,
            None if row % 6 == 0 else f"Läbel {row}",
            f"c{row % 50}",
            None if row % 5 == 0 else row / 4,
            datetime(2020, 1, 1 + row % 28, 1, 2, 3),
            datetime(2020, 1, 1, 1, 2, 3, row),
            None if row == 3 else row / 7,
            bytes([row]) * (1 + row % 16),
            [None, b"", bytes([row]) * 900, bytes([row]) * 50_000][row % 4],
            [None, "", f"täxt {row} " * 9, f"long {row} " * 9000][row % 4],
        )

    def change(self, statement: str, *values: Any) -> None:
        with self.connection.cursor() as cursor:
            cursor.execute(statement, values)
        self.connection.commit()
