"""How masking grows with the masked columns of a small table: from one to 300, of four kinds in turn."""

from __future__ import annotations

import time
from dataclasses import replace

import oracledb

from benchmarks.curves import Curve
from benchmarks.masking import KEY, NAME, OWNER, PORT, RULES
from benchmarks.own_database import PASSWORD, own_database
from benchmarks.size import amounts
from oracle_refresh.catalog import Table
from oracle_refresh.catalog.reader import read_catalogue
from oracle_refresh.masking import ColumnRule, Ruleset, compile_table, mask_table
from oracle_refresh.run.ledger import Ledger

COLUMNS = amounts("MASKED_COLUMNS", (1, 10, 100, 300), (1, 8))
ROWS = 1_000
ROUNDS = 3
#: A rule of the benchmark of masking, and the value of the n-th row.
VALUES = {
    "FIRST_NAME": "'Anna' || N",
    "EMAIL": "'person.' || N || '@example.org'",
    "PHONE": "'+49 030 ' || LPAD(N, 7, '0')",
    "CARD": "'400000' || LPAD(N, 10, '0')",
}
KINDS = [(rule, VALUES[rule.column]) for rule in RULES if rule.column in VALUES]


def run() -> tuple[Curve, Curve]:
    """Seconds to compile the masking of so many columns, and to mask them."""
    compiled, masked = [], []
    with own_database(NAME, PORT) as database:
        connection = oracledb.connect(user="SYSTEM", password=PASSWORD, dsn=database.dsn)
        with connection.cursor() as cursor:
            cursor.execute(f'CREATE USER {OWNER} IDENTIFIED BY "{PASSWORD}"')
            cursor.execute(f"GRANT CREATE SESSION, CREATE TABLE, UNLIMITED TABLESPACE TO {OWNER}")
        for count in COLUMNS:
            table, rules = _filled(connection, count), rules_of(count)
            compiled.append((float(count), min(_compiled(table, rules) for _ in range(ROUNDS))))
            began = time.monotonic()
            ruleset = Ruleset("bench", {(OWNER, table.name): rules}, "bench")
            mask_table(table, ruleset, KEY, Ledger(connection, "bench"))
            masked.append((float(count), time.monotonic() - began))
            print(
                f"  {count:,} columns: compiled in {compiled[-1][1]:.3f} s, masked in {masked[-1][1]:.2f} s",
                flush=True,
            )
    return Curve("masked_columns_compile_seconds", tuple(compiled)), Curve(
        "masked_columns_seconds", tuple(masked)
    )


def rules_of(count: int) -> tuple[ColumnRule, ...]:
    """The kinds in turn, for the columns C1, C2, ..."""
    return tuple(replace(KINDS[number % len(KINDS)][0], column=f"C{number + 1}") for number in range(count))


def _compiled(table: Table, rules: tuple[ColumnRule, ...]) -> float:
    began = time.monotonic()
    compile_table(table, rules, "bench")
    return time.monotonic() - began


def _filled(connection: oracledb.Connection, count: int) -> Table:
    name = f"COLUMNS_{count}"
    columns = ", ".join(f"C{number + 1} VARCHAR2(60)" for number in range(count))
    values = ", ".join(KINDS[number % len(KINDS)][1] for number in range(count))
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE {OWNER}.{name} (ID NUMBER(12), {columns})")
        cursor.execute(
            f"INSERT INTO {OWNER}.{name} SELECT N, {values} FROM"
            f" (SELECT LEVEL N FROM DUAL CONNECT BY LEVEL <= {ROWS})"
        )
        connection.commit()
        cursor.execute(f"BEGIN DBMS_STATS.GATHER_TABLE_STATS('{OWNER}', '{name}'); END;")
    table = read_catalogue(connection, [OWNER]).table(OWNER, name)
    assert table is not None
    return table
