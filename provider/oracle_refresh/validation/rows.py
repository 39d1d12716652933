"""The run of a row-by-row comparison: hashes come from the source into the target, one pass counts."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from oracle_refresh.oracle.errors import oracle_codes
from oracle_refresh.run.progress import Progress, silent
from oracle_refresh.validation import pairing, statements
from oracle_refresh.validation.model import Facts, MaskedCheck
from oracle_refresh.validation.promises import MEASURES
from oracle_refresh.validation.verdicts import read_facts

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.masking.keys import MasterKey
    from oracle_refresh.validation.pairing import Pairing
    from oracle_refresh.validation.promises import Paired

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
    unpaired: int | None
    """Rows of the target that the key and the rules make of no row of the source; None where rows are not
    looked for by masked values."""
    found_by: str


def compare(
    source: oracledb.Connection,
    target: oracledb.Connection,
    scn: int,
    wanted: Pairing,
    lobs: tuple[str, ...],
    key: MasterKey | None = None,
    progress: Progress = silent,
) -> Compared:
    """Compare the rows of a masked table with the source's AS OF the SCN. Errors of the databases are raised
    as they are; the control tables are gone then, too.

    :param key: needed where masked values are computed again.
    """
    salt = secrets.token_hex(16)
    with _session(source) as reader, _session(target) as writer, _control_tables(writer, wanted):
        rows = _send(reader, writer, wanted, scn, salt, key, progress)
        for insert, entries in wanted.entries().items():
            writer.executemany(insert, [(entry,) for entry in entries])
        writer.execute(wanted.sums())
        count, *sent = writer.fetchone() or (0,)
        sql = wanted.compare(lobs)
        writer.execute(sql, _named(sql, {**wanted.binds, "salt": salt}))
        found = list(writer.fetchone() or ())
        split = 3 + 4 * len(lobs)
        keys, (found_rows, changed_rows) = found[split : split + 2], map(int, found[split + 2 : split + 4])
        measured, distinct = found[split + 4 :], _together(writer, wanted, salt)
        years = _years(reader, scn, wanted)
        checks = []
        for place, paired in enumerate(wanted.columns):
            values, measured = measured[: len(MEASURES)], measured[len(MEASURES) :]
            counts = {name: None if v is None else int(v) for name, v in zip(MEASURES, values, strict=True)}
            apart = sent[5 + 2 * place]
            checks.append(
                MaskedCheck(
                    paired.column.name,
                    **counts,  # type: ignore[arg-type]
                    distinct_source=None if apart is None else int(apart),
                    totals_kept=_totals(reader, writer, scn, wanted, paired),
                    apart=distinct.get(paired.column.name),
                    years=years.get(paired.column.name),
                )
            )
    progress.report(rows, rows, "rows", f"verify masked {wanted.table.key}")
    before, after = read_facts([count, *sent[:2]], ()), read_facts(found[:split], lobs)
    unpaired = None
    if wanted.parts:
        unpaired = after.rows - found_rows if wanted.exact else int(list(keys) != list(sent[2:4]))
    return Compared(before, after, tuple(checks), changed_rows, unpaired, wanted.found_by)


def drop_leftovers(connection: oracledb.Connection) -> tuple[str, ...]:
    """Drop the control tables that killed comparisons have left in the connected user's schema, and name
    them. DDL commits."""
    with connection.cursor() as cursor:
        cursor.execute(pairing.CONTROL_TABLES)
        names = tuple(str(name) for (name,) in cursor)
        _drop(cursor, names)
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
    scn: int,
    salt: str,
    key: MasterKey | None,
    progress: Progress,
) -> int:
    sql, rows = wanted.source(), 0
    reader.arraysize = BATCH
    # Numbers of which values are computed again must not lose digits.
    reader.execute(
        sql, _named(sql, {**wanted.binds, "salt": salt, "scn": scn}), fetch_decimals=bool(wanted.parts)
    )
    while batch := reader.fetchmany(BATCH):
        writer.executemany(wanted.insert, [wanted.sent(row, salt, key) for row in batch])
        writer.connection.commit()
        rows += len(batch)
        progress.report(rows, max(wanted.table.rows or 0, rows), "rows", f"hash {wanted.table.key}")
    return rows


def _together(writer: oracledb.Cursor, wanted: Pairing, salt: str) -> dict[str, int]:
    """Per column whose dates move with others: the subjects whose dates moved by different days."""
    found: dict[str, int] = {}
    for names, sql in wanted.together().items():
        writer.execute(sql, _named(sql, {**wanted.binds, "salt": salt}))
        (count,) = writer.fetchone() or (0,)
        found |= dict.fromkeys(names, int(count))
    return found


def _years(reader: oracledb.Cursor, scn: int, wanted: Pairing) -> dict[str, tuple[int, int]]:
    """Per column of dates the first and the last year that they can have been moved to."""
    ranges = {
        paired.column.name: days
        for paired in wanted.columns
        if (days := paired.promises[0].proof.days) and not paired.conditional
    }
    if not ranges:
        return {}
    reader.execute(statements.years(wanted.table, ranges), scn=scn)
    found = list(reader.fetchone() or ())
    pairs = zip(ranges, found[::2], found[1::2], strict=True)
    return {name: (int(first), int(last)) for name, first, last in pairs if first is not None}


def _totals(
    reader: oracledb.Cursor, writer: oracledb.Cursor, scn: int, wanted: Pairing, paired: Paired
) -> bool | None:
    """Whether noise kept its totals; None where nothing of the kind is promised."""
    proof = paired.promises[0].proof
    if paired.conditional or not proof.totals:
        return None
    sums = []
    for cursor, at_scn in ((reader, True), (writer, False)):
        sql = statements.totals(wanted.table, paired.column.name, proof.group, wanted.masked, at_scn=at_scn)
        cursor.execute(sql, {"scn": scn} if at_scn else {})
        sums.append(cursor.fetchone())
    return bool(sums[0] == sums[1])


def _named(sql: str, binds: dict[str, Any]) -> dict[str, Any]:
    """The binds that a statement names: no other may be given."""
    named = set(re.findall(r":([a-z]+\d*)", sql))
    return {name: value for name, value in binds.items() if name in named}
