"""A table of people with a column for each way of masking, and what the references make of its rows."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from typing import Any

import oracledb

from oracle_refresh.masking import ColumnRule, MasterKey, Ruleset, mask_table, run
from oracle_refresh.masking.algorithms.character_mapping import CharacterMapping
from oracle_refresh.masking.algorithms.date_shift import DateShift
from oracle_refresh.masking.algorithms.email import Email
from oracle_refresh.masking.algorithms.redaction import Redaction
from oracle_refresh.masking.algorithms.secure_lookup import SecureLookup
from oracle_refresh.run.ledger import Ledger
from support.samples import SECRET, people

KEY = MasterKey(SECRET)
NAMES = SecureLookup(tuple(f"Name{n}" for n in range(50)))
RULES = (
    ColumnRule("FIRST_NAME", "secure_lookup", "name", NAMES),
    ColumnRule("EMAIL", "email", "email", Email()),
    ColumnRule("PHONE", "character_mapping", "phone", CharacterMapping(1, 1)),
    ColumnRule("CODE", "character_mapping", "code", CharacterMapping()),
    ColumnRule("BORN", "date_shift", "person", DateShift(-90, 90, "ID")),
    ColumnRule("SEEN", "date_shift", "seen", DateShift(2, 400, "FIRST_NAME")),
    ColumnRule("SALARY", "redaction", None, Redaction(number=9)),
    ColumnRule("REMARKS", "redaction", None, Redaction("[removed]")),
    ColumnRule("NOTE", "redaction", None, Redaction()),
)
CREATE = """\
CREATE TABLE PEOPLE (ID NUMBER(12) PRIMARY KEY, FIRST_NAME VARCHAR2(60) NOT NULL, EMAIL VARCHAR2(120),
  PHONE VARCHAR2(40), CODE CHAR(12), BORN DATE, SEEN TIMESTAMP(6), SALARY NUMBER(10,2), REMARKS VARCHAR2(400),
  NOTE CLOB, RATING BINARY_DOUBLE, TOKEN RAW(16))"""
SELECT = "SELECT * FROM PEOPLE ORDER BY ID"


def rows(count: int = 200) -> list[tuple[Any, ...]]:
    some = random.Random(7)
    born = [datetime(9999, 12, 31), datetime(1, 1, 1), datetime(2000, 2, 29, 13, 14, 15), None]
    made: list[tuple[Any, ...]] = []
    for row in range(count):
        name = some.choice(["Zoë", "PETER", " peter ", "Name7", "name49", "Ann-Marie", "O'Neil"])
        made.append(
            (
                row,
                name,
                None if row % 9 == 0 else f"User{row}@Example.COM",
                None
                if row % 7 == 0
                else some.choice(["+49 (0)30 {:07d}", "x{:05d}-é", "{:03d}"]).format(row),
                None if row % 5 == 0 else f"ab{row % 60}",
                born[row]
                if row < len(born)
                else datetime(1950, 1, 1) + timedelta(days=row * 99, seconds=row),
                None if row % 4 == 0 else datetime(2020, 1, 1, 1, 2, 3, row),
                [None, 9, 100.5][row % 3],
                [None, "[removed]", "likes tea"][row % 3],
                None if row % 2 else f"note {row}",
                row / 3,
                bytes([row % 256]) * 16,
            )
        )
    return made


class Database:
    def __init__(self, schema: Any) -> None:
        self.schema, self.connection = schema, schema.connection
        with schema.server.connect() as system:
            system.cursor().execute(f"GRANT SELECT_CATALOG_ROLE TO {schema.name}")
        self.table = people(schema.name)
        self.ledger = Ledger(self.connection, "run")

    def fill(self, table_rows: list[tuple[Any, ...]]) -> None:
        with self.connection.cursor() as cursor:
            cursor.execute(CREATE)
            cursor.setinputsizes(*[None] * 6, oracledb.DB_TYPE_TIMESTAMP)
            cursor.executemany(
                f"INSERT INTO PEOPLE VALUES ({', '.join(f':{n}' for n in range(1, 13))})", table_rows
            )
        self.connection.commit()

    def read(self, sql: str = SELECT, connection: oracledb.Connection | None = None) -> list[tuple[Any, ...]]:
        with (connection or self.connection).cursor() as cursor:
            cursor.execute(sql, fetch_lobs=False)
            return list(cursor)

    def control_tables(self) -> list[tuple[Any, ...]]:
        return self.read("SELECT TABLE_NAME FROM USER_TABLES WHERE TABLE_NAME LIKE 'REFRESH$_!_%' ESCAPE '!'")

    def mask(self, *rules: ColumnRule, master: MasterKey = KEY, run_id: str = "run") -> run.MaskResult:
        ruleset = Ruleset(
            "test", {(self.table.owner, self.table.name): rules or RULES}, "f" + str(len(rules))
        )
        ledger = self.ledger if run_id == self.ledger.run_id else Ledger(self.connection, run_id)
        return mask_table(self.table, ruleset, master, ledger)


def expected(row: tuple[Any, ...]) -> tuple[Any, ...]:
    ident, name, email, phone, code, born, seen, salary, remarks, _, rating, token = row
    domain = KEY.domain
    masked_code = CharacterMapping().mask(domain("code"), code)
    return (
        ident,
        NAMES.mask(domain("name"), name),
        Email().mask(domain("email"), email),
        CharacterMapping(1, 1).mask(domain("phone"), phone),
        None if masked_code is None else masked_code.ljust(12),
        DateShift(-90, 90).mask(domain("person"), born, str(ident)),
        DateShift(2, 400).mask(domain("seen"), seen, name),
        Redaction(number=9).mask(None, salary),
        Redaction("[removed]").mask(None, remarks),
        None,
        rating,
        token,
    )
