"""What a refresh asks of the past and of addresses: LOBs as of an SCN, ranges of rowids, a closed history."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from oracle_refresh.first_contact.ladder import tried
from oracle_refresh.first_contact.model import REPORT, Check
from oracle_refresh.first_contact.statements import CHANGE_LOBS, FILL_LOBS, ROWS_BETWEEN
from oracle_refresh.masking import history
from oracle_refresh.masking import statements as masking
from oracle_refresh.oracle.session import execute, row, rows, scalar
from oracle_refresh.validation import statements as validation

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.catalog import Table

ROWS, CHUNKS = 400, 4
UNDO = "let the undo tablespace and the LOB's RETENTION keep what was changed a moment ago"


def look_back(target: oracledb.Connection, table: Table) -> Iterator[Check]:
    """The checks on a table with LOBs, which is filled here."""
    execute(target, FILL_LOBS.format(table=table.sql), number_of_rows=ROWS)
    target.commit()
    scn = history.current_scn(target)
    yield tried("LOB hashes AS OF SCN", lambda: _same_hashes(target, table, scn))
    yield tried("ranges of rowids", lambda: _ranges(target, table))
    yield tried("closed history", lambda: _closed(target, table, scn))


def _same_hashes(target: oracledb.Connection, table: Table, scn: int) -> tuple[str, str] | None:
    before = row(target, validation.summary(table, at_scn=False))
    execute(target, CHANGE_LOBS.format(table=table.sql))
    target.commit()
    as_of_scn = row(target, validation.summary(table, at_scn=True), scn=scn)
    return None if before == as_of_scn else ("LOBs as of an SCN are not those that stood there then", UNDO)


def _ranges(target: oracledb.Connection, table: Table) -> tuple[str, str] | None:
    ranges = rows(target, masking.ranges(table.sql, table.bigfile_tablespace), chunks=CHUNKS)
    for _, low, high, expected in ranges:
        ((first, last),) = rows(target, masking.address(table.sql), low=low, high=high)
        counted = scalar(target, ROWS_BETWEEN.format(table=table.sql), low=first, high=last)
        if counted != expected:
            return f"a range of {expected} rows has {counted}", REPORT
    held = sum(int(count) for *_, count in ranges)
    return None if held == ROWS else (f"the ranges hold {held} of {ROWS} rows", REPORT)


def _closed(target: oracledb.Connection, table: Table, scn: int) -> tuple[str, str] | None:
    if not history.readable(target, table.sql, scn):
        return "the rows cannot be read as of an SCN before", UNDO
    history.close(target, table)
    if history.readable(target, table.sql, scn):
        return "a flashback query still shows the rows as they were", REPORT
    return None
