"""What each masking algorithm costs: one column of values that never repeat, one session, one table each.

All figures are of whole maskings as the compiler chooses them: maps, checks, the pass, the taking of the
name. `copy` is the same table copied by one INSERT: what a rewrite costs at least. Dates and texts are 10 to
30 characters long. It runs in a home of its own, on a port of its own. ROWS scales it (default 100000).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import oracledb

from benchmarks.own_database import PASSWORD, own_database
from benchmarks.result import Result
from benchmarks.size import amount
from localoracle.instance.config import Instance
from oracle_refresh.catalog.reader import read_catalogue
from oracle_refresh.masking import ColumnRule, MasterKey, Ruleset, mask_table
from oracle_refresh.masking.algorithms import Algorithm
from oracle_refresh.masking.algorithms.character_mapping import CharacterMapping
from oracle_refresh.masking.algorithms.date_shift import DateShift
from oracle_refresh.masking.algorithms.email import Email
from oracle_refresh.masking.algorithms.free_text import FreeText
from oracle_refresh.masking.algorithms.full_name import FullName
from oracle_refresh.masking.algorithms.iban import Iban
from oracle_refresh.masking.algorithms.name import Name
from oracle_refresh.masking.algorithms.national_id import NationalId
from oracle_refresh.masking.algorithms.number_mapping import NumberMapping
from oracle_refresh.masking.algorithms.payment_card import PaymentCard
from oracle_refresh.masking.algorithms.phone import Phone
from oracle_refresh.masking.algorithms.redaction import Redaction
from oracle_refresh.masking.algorithms.secure_lookup import SecureLookup
from oracle_refresh.masking.algorithms.segment_mapping import SegmentMapping
from oracle_refresh.run.ledger import Ledger

NAME, PORT = "masking_algorithms", 15318
OWNER = "BENCH"
ROWS = amount("ROWS", 100_000, 500)
KEY = MasterKey(bytes(range(32)))
ENTRIES = tuple(f"Entry{number:04}" for number in range(1000))


@dataclass(frozen=True)
class Case:
    """An algorithm, and the value of the so-manyth row; all are different."""

    name: str
    algorithm: Algorithm
    value: Callable[[int], Any]
    data_type: str = "VARCHAR2(60)"


def _spread(number: int) -> int:
    """Another number of nine digits for each number below 10^9: 7919 and 10^9 have no common divisor."""
    return number * 7919 % 10**9


def _iban(number: int) -> str:
    account = f"37040044{_spread(number):010d}"
    return f"DE{98 - int(f'{account}131400') % 97:02d}{account}"


CASES = (
    Case("secure_lookup", SecureLookup(ENTRIES), lambda n: f"Person {_spread(n)}"),
    Case("name", Name(ENTRIES), lambda n: f"Person{_spread(n)}"),
    Case("full_name", FullName(ENTRIES, ENTRIES), lambda n: f"Anna{n} Berg{_spread(n)}"),
    Case("email", Email(), lambda n: f"person.{_spread(n)}@example.org"),
    Case("segment_mapping", SegmentMapping(("999", "-", "999", "-", "999")), lambda n: _dashed(_spread(n))),
    Case(
        "segment_mapping_chained",
        SegmentMapping(("999", "-", "999", "-", "999"), chained=True),
        lambda n: _dashed(_spread(n)),
    ),
    Case("character_mapping", CharacterMapping(), lambda n: f"AB-{_spread(n):09d}"),
    Case("payment_card", PaymentCard(), lambda n: f"411111{_spread(n):010d}"),
    Case("phone", Phone(), lambda n: f"+49 30 {_spread(n):09d}"),
    Case("iban", Iban(), _iban),
    Case("national_id", NationalId("any"), lambda n: f"X{_spread(n):09d}"),
    Case("number_mapping", NumberMapping(), lambda n: 10**9 + _spread(n), "NUMBER(12)"),
    Case("date_shift", DateShift(-180, 180), lambda n: datetime(1900, 1, 1) + timedelta(minutes=n), "DATE"),
    Case("free_text", FreeText(("see", "order")), lambda n: f"see order {_spread(n)}, Peter!"),
    Case("redaction", Redaction("[removed]"), lambda n: f"note {n}"),
)


def _dashed(number: int) -> str:
    digits = f"{number:09d}"
    return f"{digits[:3]}-{digits[3:6]}-{digits[6:]}"


def run() -> Result:
    with own_database(NAME, PORT) as database:
        return compare(database)


def compare(database: Instance) -> Result:
    connection = oracledb.connect(user="SYSTEM", password=PASSWORD, dsn=database.dsn)
    with connection.cursor() as cursor:
        cursor.execute(f'CREATE USER {OWNER} IDENTIFIED BY "{PASSWORD}"')
        cursor.execute(f"GRANT CREATE SESSION, CREATE TABLE, UNLIMITED TABLESPACE TO {OWNER}")
    figures, ratios = {"rows": float(ROWS)}, {}
    for case in CASES:
        copied, masked = _seconds(connection, case)
        figures[f"{case.name}_rows_per_second"] = ROWS / masked
        ratios[f"{case.name}_over_copy"] = masked / copied
        print(f"  {case.name:24} {masked:8.2f} s {ROWS / masked:10,.0f} rows/s", flush=True)
    return Result(NAME, ratios, figures)


def _seconds(connection: oracledb.Connection, case: Case) -> tuple[float, float]:
    """Of a plain copy of the case's table, and of its masking."""
    name = case.name.upper()
    with connection.cursor() as cursor:
        for created in (name, f"{name}_COPY"):
            cursor.execute(f"CREATE TABLE {OWNER}.{created} (ID NUMBER(12), V {case.data_type})")
        cursor.executemany(
            f"INSERT INTO {OWNER}.{name} VALUES (:1, :2)", [(n, case.value(n)) for n in range(ROWS)]
        )
        connection.commit()
        cursor.execute(f"BEGIN DBMS_STATS.GATHER_TABLE_STATS('{OWNER}', '{name}'); END;")
        began = time.monotonic()
        cursor.execute(f"INSERT INTO {OWNER}.{name}_COPY SELECT * FROM {OWNER}.{name}")
        connection.commit()
        copied = time.monotonic() - began
    table = read_catalogue(connection, [OWNER]).table(OWNER, name)
    assert table is not None
    rule = ColumnRule("V", case.algorithm.kind, case.name, case.algorithm)
    ruleset = Ruleset("bench", {(OWNER, name): (rule,)}, "bench")
    began = time.monotonic()
    result = mask_table(table, ruleset, KEY, Ledger(connection, "bench"))
    assert result.rows == ROWS
    return copied, time.monotonic() - began
