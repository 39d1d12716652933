"""The tables that are masked: one shape, nine masked columns, filled from one table of originals.

As in the published benchmark the columns are masked by secure lookup (seven) and date shift (two). Values
repeat as they do in tables of people: few towns, more surnames.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from oracle_refresh.catalog import Table, read_catalogue
from oracle_refresh.labs.masking.model import STEP, Workload
from oracle_refresh.masking.algorithms.date_shift import DateShift
from oracle_refresh.masking.algorithms.secure_lookup import SecureLookup
from oracle_refresh.masking.rules import ColumnRule, Ruleset
from oracle_refresh.oracle.identifiers import Identifier, TableName
from oracle_refresh.oracle.session import execute, rows
from oracle_refresh.run.kind import Kind
from oracle_refresh.run.ledger import DELETE_RUN, ensure_ledger
from oracle_refresh.target.objects.statements import WAIT_FOR_LOCKS
from oracle_refresh.target.own_schemas import OwnSchemas, SchemaIntent

if TYPE_CHECKING:
    import oracledb

ORIGINAL = "ORIGINAL"
SCHEMAS = OwnSchemas(
    "benchmark",
    STEP,
    Kind("benchmark schema", SchemaIntent),
    re.compile(rf"TABLE (?:{ORIGINAL}|J\d+_T\d+)"),
)
#: Masked by secure lookup, with the number of different originals and of the lookup's entries.
LOOKUPS = {
    "FIRST_NAME": (5_000, 500),
    "LAST_NAME": (50_000, 1_000),
    "STREET": (20_000, 500),
    "CITY": (5_000, 300),
    "COMPANY": (20_000, 1_000),
    "JOB_TITLE": (1_000, 200),
    "COUNTRY": (200, 150),
}
DATES = ("BORN", "HIRED")
COLUMNS = (*LOOKUPS, *DATES)

_TEXTS = ", ".join(f"{name} VARCHAR2(60)" for name in LOOKUPS)
CREATE = (
    f"CREATE TABLE {{table}} (ID NUMBER(12) NOT NULL, {_TEXTS}, BORN DATE, HIRED DATE, NOTE VARCHAR2(100))"
)
_VALUES = ", ".join(
    f"'{name.capitalize()} ' || MOD(ORA_HASH(N + 0.{place}), {different})"
    for place, (name, (different, _)) in enumerate(LOOKUPS.items(), 1)
)
FILL = f"""\
INSERT INTO {{table}}
SELECT N, {_VALUES}, DATE '1950-01-01' + MOD(N, 20000), DATE '2000-01-01' + MOD(N, 7000),
  'kept note of row ' || N || ' with some more text'
FROM (SELECT A.L * 1000 + B.L N FROM (SELECT LEVEL - 1 L FROM DUAL CONNECT BY LEVEL <= :thousands) A,
  (SELECT LEVEL - 1 L FROM DUAL CONNECT BY LEVEL <= 1000) B)
WHERE N < :number_of_rows"""
COPY = "INSERT INTO {table} SELECT * FROM {original}"
GATHER = "BEGIN DBMS_STATS.GATHER_TABLE_STATS(ownname => :owner, tabname => :name); END;"
CHECKPOINT = "ALTER SYSTEM CHECKPOINT"
LEFT = "SELECT TABLE_NAME FROM DBA_TABLES WHERE OWNER = :owner AND TABLE_NAME LIKE 'J%' ORDER BY TABLE_NAME"


def ruleset(workload: Workload) -> Ruleset:
    """The rules of all tables; equal columns share a domain, as in a schema with references."""
    rules = (
        *(
            ColumnRule(
                name,
                "secure_lookup",
                name.lower(),
                SecureLookup(tuple(f"{name.capitalize()}-{number:04}" for number in range(entries))),
            )
            for name, (_, entries) in LOOKUPS.items()
        ),
        *(ColumnRule(name, "date_shift", "person", DateShift(-180, 180, "ID")) for name in DATES),
    )
    tables = {TableName(workload.schema, name): rules for name in workload.all_names}
    return Ruleset("masking benchmark", tables, "masking-benchmark-1")


def fill_originals(connection: oracledb.Connection, workload: Workload) -> None:
    """Make the table that every trial's tables are copied from."""
    table = TableName(workload.schema, ORIGINAL).sql
    execute(connection, CREATE.format(table=table))
    thousands = math.ceil(workload.rows / 1000)
    execute(connection, FILL.format(table=table), thousands=thousands, number_of_rows=workload.rows)
    connection.commit()


def reset(connection: oracledb.Connection, workload: Workload) -> dict[str, Table]:
    """The tables anew with their originals, nothing of a former masking in the ledger; by name.

    A checkpoint is the last thing: what was written here is not written out during the trial. DDL commits.
    """
    ensure_ledger(connection)
    drop_tables(connection, workload)
    original, owner = TableName(workload.schema, ORIGINAL).sql, Identifier(workload.schema).sql
    execute(connection, DELETE_RUN, run_id=workload.masking_run)
    for name in workload.all_names:
        table = TableName(workload.schema, name).sql
        execute(connection, CREATE.format(table=table))
        execute(connection, COPY.format(table=table, original=original))
        connection.commit()
        execute(connection, GATHER, owner=owner, name=Identifier(name).sql)
    execute(connection, CHECKPOINT)
    return read_tables(connection, workload)


def read_tables(connection: oracledb.Connection, workload: Workload) -> dict[str, Table]:
    """The tables of the last trial, by name."""
    tables = read_catalogue(connection, [workload.schema]).tables
    return {table.name: table for table in tables if table.name != ORIGINAL}


def drop_tables(connection: oracledb.Connection, workload: Workload) -> None:
    """Drop the tables of the last trial. DDL commits. It waits for the sessions of a killed trial, which may
    be at their last statements still."""
    execute(connection, WAIT_FOR_LOCKS)
    for (name,) in rows(connection, LEFT, owner=workload.schema):
        execute(connection, f"DROP TABLE {TableName(workload.schema, str(name)).sql} PURGE")


def chunk_bytes(table: Table, commit_rows: int) -> int:
    """Bytes of a table that hold so many of its rows, by its statistics."""
    return max(1, math.ceil(table.total_bytes / max(1, table.rows or 1) * commit_rows))
