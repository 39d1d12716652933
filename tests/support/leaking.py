"""Tables that are hard to prove, masked for real, of which one value is leaked or spoiled at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta
from typing import Any

import oracledb

from oracle_refresh.catalog import Column, Constraint, Lob, Table
from oracle_refresh.masking import ColumnRule, MasterKey, Ruleset, mask_table
from oracle_refresh.masking.algorithms.binary_lookup import BinaryLookup
from oracle_refresh.masking.algorithms.character_mapping import CharacterMapping
from oracle_refresh.masking.algorithms.date_shift import DateShift
from oracle_refresh.masking.algorithms.decomposition import Decomposition, Part
from oracle_refresh.masking.algorithms.email import Email
from oracle_refresh.masking.algorithms.free_text import FreeText
from oracle_refresh.masking.algorithms.mapping import PoolMapping
from oracle_refresh.masking.algorithms.national_id import NationalId
from oracle_refresh.masking.algorithms.number_mapping import NumberMapping
from oracle_refresh.masking.algorithms.secure_lookup import SecureLookup
from oracle_refresh.masking.algorithms.segment_mapping import SegmentMapping
from oracle_refresh.masking.conditions import Condition
from oracle_refresh.masking.records import Document
from oracle_refresh.run.ledger import Ledger
from oracle_refresh.validation import TableCheck
from support.comparing import Proof
from support.samples import SECRET, key, number, plain, text

ROWS = 60
MASTER = MasterKey(SECRET)
GERMAN = ("86095742719", "65929970489", "47036892816", "36574261809")
SPANISH = ("12345678Z", "X1234567L", "00000000T")
LETTERS = tuple(Document(f"{n}.txt", str(n), (f"Replacement {n}. " * 200).encode()) for n in range(3))
LONG = "The original letter. " * 100

Change = Callable[[Any, Any], Any]
"""What a row's original and its masked value become."""


class Leaking:
    """A table that was masked for real; one value of it is changed for one comparison.

    `found` gives the number of a row as it was inserted, `by` the column that tells the masked rows apart.
    """

    def __init__(self, schema: Any, table: Table, rules: tuple[ColumnRule, ...], rows: list[Any], by: str):
        self.connection, self.table, self.rules, self.rows, self.by = (
            schema.connection,
            table,
            rules,
            rows,
            by,
        )
        self.names = [column.name for column in table.columns]
        with schema.server.sys() as system:
            for grant in ("SELECT_CATALOG_ROLE", "EXECUTE ON SYS.DBMS_CRYPTO", "FLASHBACK ANY TABLE"):
                system.cursor().execute(f"GRANT {grant} TO {schema.name}")
        self.source = schema.connect()
        with self.connection.cursor() as cursor:
            declared = ", ".join(f"{column.name} {_declared(column)}" for column in table.columns)
            cursor.execute(f"CREATE TABLE {table.name} ({declared})")
            places = ", ".join(f":{place}" for place in range(1, len(self.names) + 1))
            cursor.setinputsizes(*map(self._size, self.names))
            cursor.executemany(f"INSERT INTO {table.name} VALUES ({places})", rows)
            self.connection.commit()
            cursor.execute("SELECT CURRENT_SCN FROM V$DATABASE")
            (self.scn,) = cursor.fetchone()
        self.proof = Proof(schema, self.source, self.scn, table, rules)
        self.proof.keep(MASTER)
        ruleset = Ruleset("test", {(table.owner, table.name): rules}, "f")
        mask_table(table, ruleset, MASTER, Ledger(self.connection, "run"))

    def verify(self, master: MasterKey | None = MASTER) -> TableCheck:
        return self.proof.verified(master)

    def spoiled(self, *values: tuple[str, Change, int]) -> TableCheck:
        """Return the verdict while these values, by column and row, are others."""
        before = [(column, self.masked_value(column, row), row) for column, _, row in values]
        with ExitStack() as spoiled:
            for (column, change, row), (_, masked, _) in zip(values, before, strict=True):
                value = change(self.rows[row][self.names.index(column)], masked)
                spoiled.enter_context(self.with_value(column, value, row))
            return self.verify()

    def masked_value(self, column: str, row: int) -> Any:
        with self.connection.cursor() as cursor:
            sql = f"SELECT {column} FROM {self.table.name} WHERE {self.by} = :1"
            cursor.execute(sql, [self._masked(row)], fetch_lobs=False)
            ((value,),) = cursor.fetchall()
        return value

    @contextmanager
    def with_value(self, column: str, value: Any, row: int) -> Iterator[None]:
        """Have one value be another one."""
        masked, before = self._masked(row), self.masked_value(column, row)
        with self.connection.cursor() as cursor:
            self._put(cursor, column, value, masked)
            try:
                yield
            finally:
                self._put(cursor, column, before, value if column == self.by else masked)

    def deleted(self, row: int) -> TableCheck:
        """The verdict while a row is there twice and another one is not."""
        with self.connection.cursor() as cursor:
            cursor.execute(f"CREATE TABLE KEPT AS SELECT * FROM {self.table.name}")
            cursor.execute(f"DELETE FROM {self.table.name} WHERE {self.by} = :1", [self._masked(row)])
            other = self._masked(row + 1)
            cursor.execute(f"INSERT INTO {self.table.name} SELECT * FROM KEPT WHERE {self.by} = :1", [other])
            self.connection.commit()
            try:
                return self.verify()
            finally:
                cursor.execute(f"DELETE FROM {self.table.name}")
                cursor.execute(f"INSERT INTO {self.table.name} SELECT * FROM KEPT")
                cursor.execute("DROP TABLE KEPT PURGE")

    def _put(self, cursor: Any, column: str, value: Any, by: Any) -> None:
        cursor.setinputsizes(self._size(column), None)
        cursor.execute(f"UPDATE {self.table.name} SET {column} = :1 WHERE {self.by} = :2", [value, by])
        assert cursor.rowcount == 1
        self.connection.commit()

    def _masked(self, row: int) -> Any:
        value = self.rows[row][self.names.index(self.by)]
        for rule in self.rules:
            if rule.column == self.by:
                return rule.algorithm.mask(MASTER.domain(rule.domain or ""), value)
        return value

    def _size(self, column: str) -> Any:
        kind = self.table.column(column).data_type  # type: ignore[union-attr]
        return {"CLOB": oracledb.DB_TYPE_CLOB, "BLOB": oracledb.DB_TYPE_BLOB}.get(kind)


def _declared(column: Column) -> str:
    if column.is_character:
        return f"{column.data_type}({column.char_length} CHAR)"
    return f"NUMBER({column.precision}, {column.scale})" if column.data_type == "NUMBER" else column.data_type


def table_of(*columns: Column) -> Table:
    """A table of which nothing but its columns matters."""
    return Table("APP", "T", 100, 8192, 1, columns)


def leaking(
    schema: Any,
    name: str,
    columns: tuple[Column, ...],
    keys: tuple[Constraint, ...],
    rules: tuple[ColumnRule, ...],
    rows: list[tuple[Any, ...]],
    by: str,
) -> Iterator[Leaking]:
    lobs = tuple(
        Lob(column.name, f"SYS_LOB_{column.name}", column.data_type, True, True, 8192, 1)  # type: ignore[arg-type]
        for column in columns
        if column.is_lob
    )
    made = Leaking(schema, Table(schema.name, name, ROWS, 8192, 1, columns, lobs, keys), rules, rows, by)
    yield made
    made.source.close()


# -- every column is masked, the keys too ------------

SUPPLIERS = (
    ColumnRule("CODE", "segment_mapping", "code", SegmentMapping(("AA", "-", "9999"))),
    ColumnRule("NAME", "mapping", "pool", PoolMapping(tuple(f"Company {n}" for n in range(ROWS)))),
    ColumnRule("EMAIL", "email", "email", Email()),
    ColumnRule("SINCE", "date_shift", "since", DateShift(-90, 90, "CODE")),
    ColumnRule("NR", "number_mapping", "nr", NumberMapping()),
)  # fmt: skip


def suppliers(schema: Any, *, keyed: bool) -> Iterator[Leaking]:
    """With a primary key, or without any."""
    columns = (
        *(text("CODE", 7, nullable=False), text("NAME", 20), text("EMAIL", 60)),
        *(plain("SINCE", "DATE"), number("NR", 9)),
    )
    rows = [
        (
            f"{'ABCDEF'[n % 6]}X-{n:04d}",
            f"Firm {n}",
            f"{n}@corp.com",
            datetime(2001, 2, 3, 4, 5) + timedelta(n),
            n * 13,
        )
        for n in range(ROWS)
    ]
    keys = (key("P", "SUPPLIERS_PK", "CODE"),) if keyed else ()
    name = f"SUPPLIERS{len(keys)}"
    yield from leaking(schema, name, columns, keys, SUPPLIERS, rows, "CODE")


# -- rules with conditions, documents, free text, parts, dates of one subject ------------

TEXTS = Condition.parse("MEDIA = 'text/plain'")
PART = Decomposition((Part("[A-Z]{2}-"), Part("[0-9]+", CharacterMapping())))
CASES = (
    ColumnRule("TAX", "national_id", "de", NationalId("de"), Condition.parse("COUNTRY = 'DE'")),
    ColumnRule("TAX", "national_id", "es", NationalId("es"), Condition.parse("COUNTRY = 'ES'")),
    ColumnRule("TAX", "email", "mail", Email(), Condition.parse("COUNTRY = 'XX'")),
    ColumnRule("COUNTRY", "secure_lookup", "land", SecureLookup(("AT", "CH"))),
    ColumnRule("LETTER", "binary_lookup", "letter", BinaryLookup(LETTERS, "ID")),
    ColumnRule("SCAN", "binary_lookup", "scan", BinaryLookup(LETTERS, "ID", "MEDIA")),
    ColumnRule("REMARK", "free_text", None, FreeText(("thank", "you", "for", "order"), ("ORD-[0-9]+",), "x")),
    ColumnRule("SHORT", "free_text", None, FreeText(("thank", "you")), TEXTS),
    ColumnRule("NUMBER_", "regex", "number", PART),
    ColumnRule("BORN", "date_shift", "person", DateShift(-30, 30, "PERSON")),
    ColumnRule("DIED", "date_shift", "person", DateShift(-30, 30, "PERSON")),
)  # fmt: skip


def papers(schema: Any) -> Iterator[Leaking]:
    columns = (
        *(number("ID", nullable=False), text("TAX", 60), text("COUNTRY", 2), plain("LETTER", "CLOB", 4000)),
        *(plain("SCAN", "BLOB", 4000), text("MEDIA", 20), plain("REMARK", "CLOB", 4000), text("SHORT", 900)),
        *(text("NUMBER_", 20), plain("BORN", "DATE"), plain("DIED", "DATE"), number("PERSON")),
    )

    def row(n: int) -> tuple[Any, ...]:
        country = ("DE", "ES", "XX", "FR")[n % 4]
        german, spanish = GERMAN[n // 4 % 4], SPANISH[n // 4 % 3]
        tax = {"DE": german, "ES": spanish, "XX": f"{n}@corp.com"}.get(country)
        return (
            *(n, tax, country, "" if n == 20 else LONG + f"Yours, {n}"),
            *(None if n % 9 == 0 else LONG.encode() + bytes([n]) * 5000, "text/plain"),
            f"Thank you, Peter {n}, for ORD-{n}! " * (200 if n % 7 else 1),
            *("thank you!" if n % 5 == 0 else f"thank {n} people", f"AB-{n:05d}"),
            *(datetime(1960, 1, 1) + timedelta(n * 100), None if n % 3 else datetime(2020, 1, 1), n % 20),
        )

    rows = [row(n) for n in range(ROWS)]
    yield from leaking(schema, "PAPERS", columns, (key("P", "PAPERS_PK", "ID"),), CASES, rows, "ID")
