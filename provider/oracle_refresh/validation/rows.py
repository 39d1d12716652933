"""The run of a row-by-row comparison: hashes come from the source into the target, one pass counts."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from oracle_refresh.errors import oracle_codes
from oracle_refresh.masking.algorithms import NumericNoise
from oracle_refresh.progress import Progress, silent
from oracle_refresh.validation import pairing, statements
from oracle_refresh.validation.model import Facts, MaskedCheck
from oracle_refresh.validation.verdicts import read_facts

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.validation.pairing import Paired, Pairing

#: Rows of hashes that are on their way at once: what bounds the memory of a comparison.
BATCH = 5_000


@dataclass(frozen=True)
class Compared:
    """Both sides of a masked table, and what was counted of its masked columns."""

    source: Facts
    target: Facts
    checks: tuple[MaskedCheck, ...]
    changed_rows: int
    """Rows that were found on both sides with other unmasked columns."""


def compare(
    source: oracledb.Connection,
    target: oracledb.Connection,
    scn: int,
    wanted: Pairing,
    lobs: tuple[str, ...],
    progress: Progress = silent,
) -> Compared:
    """Compare the rows of a masked table with the source's AS OF the SCN. Errors of the databases are raised
    as they are; the control tables are gone then, too."""
    salt = secrets.token_hex(16)
    with _session(source) as reader, _session(target) as writer, _control_tables(writer, wanted):
        rows = _send(reader, writer, wanted, {"salt": salt, "scn": scn}, progress)
        for insert, entries in wanted.entries().items():
            writer.executemany(insert, [(entry,) for entry in entries])
        writer.execute(wanted.sums())
        count, *sent = writer.fetchone() or (0,)
        sql = wanted.compare(lobs)
        writer.execute(sql, _named(sql, {**wanted.binds, "salt": salt}))
        found = list(writer.fetchone() or ())
        split = 3 + 4 * len(lobs)
        measured = found[split + 2 :]
        checks = []
        for paired in wanted.columns:
            values, measured = measured[: len(pairing.MEASURES)], measured[len(pairing.MEASURES) :]
            counts = dict(zip(pairing.MEASURES, (None if v is None else int(v) for v in values), strict=True))
            distinct = int(sent[2 * paired.number + 1]) if paired.one_to_one else None
            kept = _totals(reader, writer, scn, wanted, paired)
            checks.append(
                MaskedCheck(paired.column.name, **counts, distinct_source=distinct, totals_kept=kept)  # type: ignore[arg-type]
            )
    progress.report(rows, rows, "rows", f"verify masked {wanted.table.key}")
    before, after = read_facts([count, *sent[:2]], ()), read_facts(found[:split], lobs)
    return Compared(before, after, tuple(checks), int(found[split + 1]))


def drop_leftovers(connection: oracledb.Connection) -> tuple[str, ...]:
    """Drop the control tables that killed comparisons have left in the connected user's schema, and name
    them. DDL commits."""
    with connection.cursor() as cursor:
        cursor.execute(pairing.CONTROL_TABLES)
        names = tuple(str(name) for (name,) in cursor)
        for name in names:
            cursor.execute(f'DROP TABLE "{name}" PURGE')
    return names


@contextmanager
def _session(connection: oracledb.Connection) -> Iterator[oracledb.Cursor]:
    with connection.cursor() as cursor:
        for statement in statements.SESSION:
            cursor.execute(statement)
        yield cursor


@contextmanager
def _control_tables(cursor: oracledb.Cursor, wanted: Pairing) -> Iterator[None]:
    made = wanted.creates
    _drop(cursor, made)
    try:
        for create in made.values():
            cursor.execute(create)
        yield
    finally:
        _drop(cursor, made)


def _drop(cursor: oracledb.Cursor, names: Any) -> None:
    for name in names:
        try:
            cursor.execute(f'DROP TABLE "{name}" PURGE')
        except Exception as error:
            if "ORA-00942" not in oracle_codes(error):
                raise


def _send(
    reader: oracledb.Cursor,
    writer: oracledb.Cursor,
    wanted: Pairing,
    binds: dict[str, Any],
    progress: Progress,
) -> int:
    sql, rows = wanted.source(), 0
    reader.arraysize = BATCH
    reader.execute(sql, _named(sql, {**wanted.binds, **binds}))
    while batch := reader.fetchmany(BATCH):
        writer.executemany(wanted.insert, batch)
        writer.connection.commit()
        rows += len(batch)
        progress.report(rows, max(wanted.table.rows or 0, rows), "rows", f"hash {wanted.table.key}")
    return rows


def _totals(
    reader: oracledb.Cursor, writer: oracledb.Cursor, scn: int, wanted: Pairing, paired: Paired
) -> bool | None:
    """Whether noise kept its totals; None where nothing of the kind is promised."""
    only = paired.rules[0]
    if not isinstance(only.algorithm, NumericNoise) or len(paired.rules) > 1 or only.where is not None:
        return None
    sums = []
    for cursor, at_scn in ((reader, True), (writer, False)):
        total = only.algorithm.total
        sql = statements.totals(wanted.table, paired.column.name, total, wanted.masked, at_scn=at_scn)
        cursor.execute(sql, {"scn": scn} if at_scn else {})
        sums.append(cursor.fetchone())
    return bool(sums[0] == sums[1])


def _named(sql: str, binds: dict[str, Any]) -> dict[str, Any]:
    """The binds that a statement names: no other may be given."""
    named = set(re.findall(r":([a-z]+\d*)", sql))
    return {name: value for name, value in binds.items() if name in named}
