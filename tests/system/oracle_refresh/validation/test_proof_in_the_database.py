"""The proof after masking, on a table that was masked for real: what is whole passes, what is not counts."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import oracledb
import pytest

from oracle_refresh.catalog import Column, Lob, Table
from oracle_refresh.masking import ColumnRule, MasterKey, Ruleset, mask_table
from oracle_refresh.masking.algorithms.character_mapping import CharacterMapping
from oracle_refresh.masking.algorithms.date_shift import DateShift
from oracle_refresh.masking.algorithms.email import Email
from oracle_refresh.masking.algorithms.iban import Iban
from oracle_refresh.masking.algorithms.name import Name
from oracle_refresh.masking.algorithms.national_id import NationalId
from oracle_refresh.masking.algorithms.numeric_noise import NumericNoise
from oracle_refresh.masking.algorithms.payment_card import PaymentCard
from oracle_refresh.masking.algorithms.phone import Phone
from oracle_refresh.masking.algorithms.redaction import Redaction
from oracle_refresh.masking.algorithms.secure_lookup import SecureLookup
from oracle_refresh.masking.conditions import Condition
from oracle_refresh.oracle.errors import ValidationError
from oracle_refresh.run.ledger import Ledger
from oracle_refresh.validation import require, sending
from oracle_refresh.validation.model import MaskedCheck, TableCheck
from oracle_refresh.validation.rows import drop_hashes
from support.comparing import Proof, passes
from support.samples import SECRET, key, number, plain, text

ROWS, BATCH = 900, 400
CARDS = ("4111111111111111", "5555 5555 5555 4444", "378282246310005", "4111111111111112")
IBANS = ("DE89370400440532013000", "GB82WEST12345698765432", "NL91 ABNA 0417 1643 00")
NAMES = ("Ada", "Boris", "Cleo", "Dana")
CREATE = """\
CREATE TABLE PERSONS (ID NUMBER(12) PRIMARY KEY, FIRST_NAME VARCHAR2(30), EMAIL VARCHAR2(60),
  PHONE VARCHAR2(30), CARD VARCHAR2(30), IBAN VARCHAR2(40), SSN VARCHAR2(11), CODE VARCHAR2(12), BORN DATE,
  SEEN DATE, BALANCE NUMBER(12,2), REGION VARCHAR2(2), NOTE CLOB, CITY VARCHAR2(20))"""
RULES = (
    ColumnRule("FIRST_NAME", "name", "first", Name(NAMES)),
    ColumnRule("EMAIL", "email", "email", Email()),
    ColumnRule("PHONE", "phone", "phone", Phone(), policy="redact"),
    ColumnRule("CARD", "payment_card", "card", PaymentCard()),
    ColumnRule("IBAN", "iban", "iban", Iban()),
    ColumnRule("SSN", "national_id", "ssn", NationalId("us"), policy="null"),
    ColumnRule("CODE", "character_mapping", "code", CharacterMapping()),
    ColumnRule("BORN", "date_shift", "person", DateShift(-30, 90, "ID")),
    ColumnRule("SEEN", "date_shift", "person", DateShift(-30, 90, "ID")),
    ColumnRule("BALANCE", "numeric_noise", "noise", NumericNoise(20, "ID", "REGION")),
    ColumnRule("NOTE", "redaction", None, Redaction("gone")),
    ColumnRule("CITY", "secure_lookup", "city", SecureLookup(("Springfield", "Shelbyville")),
               Condition.parse("REGION = 'R1'")),
)  # fmt: skip


def persons(owner: str) -> Table:
    columns: tuple[Column, ...] = (
        number("ID", nullable=False),
        *(text(name, width) for name, width in (("FIRST_NAME", 30), ("EMAIL", 60), ("PHONE", 30))),
        *(text(name, width) for name, width in (("CARD", 30), ("IBAN", 40), ("SSN", 11), ("CODE", 12))),
        plain("BORN", "DATE"),
        plain("SEEN", "DATE"),
        number("BALANCE", 12, 2),
        text("REGION", 2),
        plain("NOTE", "CLOB", 4000),
        text("CITY", 20),
    )
    lob = Lob("NOTE", "SYS_LOB_NOTE", "CLOB", True, True, 8192, 1)
    keys = (key("P", "PERSONS_PK", "ID"),)
    return Table(owner, "PERSONS", ROWS, 8192, 1, columns, (lob,), keys)


def row(n: int) -> tuple[Any, ...]:
    return (
        n,
        None if n % 7 == 0 else f"First{n % 100}",
        f"{n}@corp.com",
        f"+49 30 {n:07d}" if n % 100 else "ask him",
        CARDS[n % 4],
        IBANS[n % 3],
        None if n % 5 == 0 else f"{1 + n % 600:03d}-{1 + n % 99:02d}-{1 + n % 9000:04d}",
        f"ab-{n:06d}",
        datetime(1900, 1, 1, 3, 4, 5) + timedelta(days=n % 40_000),
        datetime(9999, 12, 30) if n == 8 else datetime(2020, 1, 1) + timedelta(hours=n),
        n / 4,
        f"R{n % 9}",
        f"note {n}" if n < 50 else None,
        "Utopia",
    )


class Masked:
    def __init__(self, schema: Any) -> None:
        self.connection, self.table = schema.connection, persons(schema.name)
        with schema.server.sys() as system:
            for grant in ("SELECT_CATALOG_ROLE", "EXECUTE ON SYS.DBMS_CRYPTO", "FLASHBACK ANY TABLE"):
                system.cursor().execute(f"GRANT {grant} TO {schema.name}")
        self.source = schema.connect()
        with self.connection.cursor() as cursor:
            cursor.execute(CREATE)
            cursor.setinputsizes(*[None] * 12, oracledb.DB_TYPE_CLOB)
            places = ", ".join(f":{place}" for place in range(1, 15))
            cursor.executemany(f"INSERT INTO PERSONS VALUES ({places})", [row(n) for n in range(ROWS)])
            self.connection.commit()
            cursor.execute("SELECT CURRENT_SCN FROM V$DATABASE")
            (self.scn,) = cursor.fetchone()
        self.proof = Proof(schema, self.source, self.scn, self.table, RULES)
        self.proof.keep()
        ruleset = Ruleset("test", {(schema.name, "PERSONS"): RULES}, "f")
        ledger = Ledger(self.connection, "run")
        mask_table(self.table, ruleset, MasterKey(SECRET), ledger)

    def verify(self) -> TableCheck:
        return self.proof.verified()

    def original(self, column: str, number: int) -> Any:
        with self.connection.cursor() as cursor:
            sql = f"SELECT {column} FROM PERSONS AS OF SCN :1 WHERE ID = :2"
            cursor.execute(sql, [self.scn, number], fetch_lobs=False)
            return cursor.fetchone()[0]

    def value(self, column: str, number: int) -> Any:
        with self.connection.cursor() as cursor:
            cursor.execute(f"SELECT {column} FROM PERSONS WHERE ID = :1", [number], fetch_lobs=False)
            return cursor.fetchone()[0]

    def put(self, column: str, number: int, value: Any) -> None:
        with self.connection.cursor() as cursor:
            cursor.execute(f"UPDATE PERSONS SET {column} = :1 WHERE ID = :2", [value, number])
        self.connection.commit()


@pytest.fixture(scope="module")
def masked(module_schema: Any) -> Iterator[Masked]:
    """A masked table whose hashes come in more than one batch."""
    masked = Masked(module_schema)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sending, "BATCH", BATCH)
        yield masked
    masked.source.close()


def test_a_table_masked_by_many_algorithms_passes(masked: Masked) -> None:
    check = masked.verify()
    assert (check.verdict, check.differences) == ("masked", ())
    found = {each.column: each for each in check.masked}
    assert all(each.compared for each in check.masked)
    assert found["EMAIL"] == MaskedCheck("EMAIL", ROWS, ROWS, 0, leaked=0, misfits=0)
    assert found["FIRST_NAME"].misfits == 0
    assert (found["CARD"].misfits, found["CARD"].reshaped) == (0, 0)
    assert found["CARD"].distinct == found["CARD"].distinct_source == 4
    assert found["BORN"].shifted == found["SEEN"].shifted == 0
    assert found["BALANCE"].totals_kept is True
    assert found["CITY"].changed_share == pytest.approx(1 / 9, rel=0.01)
    assert found["PHONE"].changed_share == 1.0
    assert found["CODE"].distinct == ROWS
    assert drop_hashes(masked.connection, [masked.table.key]) == ()


WRONG = (
    ("EMAIL", 411, "its own", "EMAIL: 1 of 900 compared values are the originals"),
    ("EMAIL", 411, "another's", "EMAIL: 1 values are originals of the source"),
    ("FIRST_NAME", 412, "another's", "FIRST_NAME: 1 values are not of the rule's format or list"),
    ("FIRST_NAME", 7, "Ada", "FIRST_NAME: 1 NULLs became values"),
    ("PHONE", 5, "its own", "PHONE: 1 of 900 compared values are the originals"),
    ("PHONE", 5, "n/a", "PHONE: 1 values are not of the rule's format or list"),
    ("CARD", 4, "4111 1111 1111 111", "CARD: 1 values did not keep the shape"),
    ("CARD", 4, "one off", "CARD: 1 values did not keep the shape"),
    ("IBAN", 5, None, "IBAN: 1 values became NULL"),
    ("IBAN", 3, "one off", "IBAN: 1 values are not of the rule's format or list"),
    ("SSN", 6, "666-12-3456", "SSN: 1 values are not of the rule's format or list"),
    ("CODE", 9, "another's", "CODE: 899 distinct values, 900 are expected"),
    ("BORN", 9, datetime(1900, 1, 10, 3, 4, 5) + timedelta(days=91), "BORN: 1 dates did not move by"),
    ("BORN", 9, datetime(1900, 1, 10, 3, 4, 6) + timedelta(days=9), "BORN: 1 values did not keep"),
    ("BALANCE", 9, 1, "BALANCE: the totals are not the source's"),
    ("NOTE", 9, "its own", "NOTE: 1 of 50 compared values are the originals"),
    ("NOTE", 9, "something", "NOTE: 1 values are not of the rule's format or list"),
    ("CITY", 10, "its own", "CITY: 1 of 900 compared values are the originals"),
    ("REGION", 10, "XX", "1 rows differ outside LOBs and masks"),
)
#: A row of another REGION changes the totals of BALANCE as well.
PASSES = passes([column for column, *_ in WRONG], alone="REGION")


def wrong_value(masked: Masked, column: str, number: int, value: Any) -> Any:
    if value == "its own":
        return masked.original(column, number)
    if value == "another's" and column != "CODE":
        return masked.original(column, number + 2)
    if value == "another's":
        return masked.value(column, 77)
    if value == "one off":  # the last digit is a check digit, or what it stands for
        before = masked.value(column, number)
        return before[:-1] + str((int(before[-1]) + 1) % 10)
    return value


@pytest.fixture(scope="module")
def compared(masked: Masked) -> Callable[[int], tuple[str, list[Any]]]:
    """Returns why a pass is refused, and the wrong values that were in the table then."""

    @functools.cache
    def compared(number: int) -> tuple[str, list[Any]]:
        wrong = [each for each, its in zip(WRONG, PASSES, strict=True) if its == number]
        values = [wrong_value(masked, column, row, value) for column, row, value, _ in wrong]
        before = [masked.value(column, row) for column, row, *_ in wrong]
        for (column, row, *_), value in zip(wrong, values, strict=True):
            masked.put(column, row, value)
        try:
            with pytest.raises(ValidationError) as caught:
                require(masked.verify())
        finally:
            for (column, row, *_), value in zip(wrong, before, strict=True):
                masked.put(column, row, value)
        return str(caught.value), values

    return compared


@pytest.mark.parametrize("place", range(len(WRONG)), ids=[each[3] for each in WRONG])
def test_proof_of_one_wrong_value_in_a_column_fails(
    masked: Masked, compared: Callable[[int], tuple[str, list[Any]]], place: int
) -> None:
    message, values = compared(PASSES[place])
    assert WRONG[place][3] in message
    assert f"{masked.table.owner}.PERSONS" in message
    assert [value for value in map(str, values) if len(value) >= 4 and value in message] == []


def test_one_row_that_was_not_masked(masked: Masked) -> None:
    names = [rule.column for rule in RULES if rule.column != "NOTE"]
    with masked.connection.cursor() as cursor:
        listed = ", ".join(names)
        cursor.execute(f"SELECT {listed} FROM PERSONS WHERE ID = 333")
        before = cursor.fetchone()
        assigned = ", ".join(f"{name} = :{place}" for place, name in enumerate(names, 1))
        statement = f"UPDATE PERSONS SET {assigned} WHERE ID = 333"
        cursor.execute(f"SELECT {listed} FROM PERSONS AS OF SCN :1 WHERE ID = 333", [masked.scn])
        cursor.execute(statement, cursor.fetchone())
        masked.connection.commit()
        check = masked.verify()
        cursor.execute(statement, before)
        masked.connection.commit()
    unchanged = {each.column for each in check.masked if each.unchanged == 1}
    assert unchanged == set(names) - {"CITY"}  # its rule is for another region
