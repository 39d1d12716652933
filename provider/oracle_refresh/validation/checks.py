"""The comparison of one table between source and target, through open connections.

Nothing of the data comes to the caller but sums and, on their way from source to target, keyed hashes of the
rows of masked tables. Both sides are read at the same time, each by its own connection.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from oracle_refresh.oracle.errors import ValidationError
from oracle_refresh.oracle.session import row, translated
from oracle_refresh.run.progress import Progress, silent
from oracle_refresh.validation import statements
from oracle_refresh.validation.model import Comparison, LobSummary, Shard, Summary, TableCheck
from oracle_refresh.validation.pairing import Pairing
from oracle_refresh.validation.rows import RowComparison
from oracle_refresh.validation.verdicts import copy_check, masked_check, read_summary

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.catalog import Table
    from oracle_refresh.masking.keys import MasterKey
    from oracle_refresh.masking.rules import ColumnRule

S = TypeVar("S")


def verify_copy(
    source: oracledb.Connection,
    target: oracledb.Connection,
    scn: int,
    table: Table,
    progress: Progress = silent,
    shards: Sequence[Shard] = (),
) -> TableCheck:
    """Compare a table of the source, as of the SCN, with the target's: rows, all columns, all LOBs.

    :param shards: the jobs that carry its rows; the pass over the source counts what each had to carry, and
        the verdict compares that with what it exported and loaded.

    :raises ValidationError: when a side cannot be read (ORA-01555: the SCN is too old). A difference is no
        error here: it is in the verdict, see `verdicts.require`.
    """
    started = time.monotonic()
    lobs = statements.lob_columns(table)
    before, after = _both(
        table,
        source,
        lambda: _with_shards(source, table, scn, shards),
        lambda: _summary(target, table, None, frozenset(), lobs),
    )
    progress.report(after.rows, before.rows, "rows", f"verify {table.key}")
    return copy_check(table, before, after, shards, time.monotonic() - started)


def verify_masked(
    source: oracledb.Connection,
    target: oracledb.Connection,
    scn: int,
    table: Table,
    rules: tuple[ColumnRule, ...],
    progress: Progress = silent,
    *,
    copy: TableCheck | None = None,
    key: MasterKey | None = None,
) -> TableCheck:
    """Compare a masked table with its source, row by row over keyed hashes: masked columns hold what their
    rules promise and no original, all else is unchanged.

    Every row is compared. Control tables `REFRESH$P_...` are made in the target and dropped; that commits.

    :param copy: the table's earlier verdict of `verify_copy`; the source's LOBs are then not read again.
    :param key: what the table was masked with. Rows of a table whose keys are masked are found again by it;
        without it, as far as their unmasked columns tell them apart.
    :raises ValidationError: when a side cannot be read.
    """
    started = time.monotonic()
    masked = frozenset(rule.column for rule in rules)
    lobs = statements.lob_columns(table, masked)
    # A LOB's checksum is bound to the key: it can be taken over only while the key is the same.
    same_key = statements.key_text(table) == statements.key_text(table, masked)
    earlier = _taken_over(copy, lobs) if copy is not None and same_key else None

    def read() -> Summary:
        return earlier or _summary(source, table, scn, masked, lobs)

    if masked:
        pairing = Pairing.of(table, rules, recompute=key is not None)
        with _translated(table):
            comparison = RowComparison(source, target, scn, pairing, key, progress).run()
            if lobs:
                comparison = replace(comparison, source=replace(comparison.source, lobs=read().lobs))
    else:
        comparison = Comparison(
            *_both(table, source, read, lambda: _summary(target, table, None, masked, lobs))
        )
        after, before = comparison.target, comparison.source
        progress.report(after.rows, before.rows, "rows", f"verify masked {table.key}")
    return masked_check(table, rules, comparison, time.monotonic() - started)


def _taken_over(copy: TableCheck, lobs: tuple[str, ...]) -> Summary:
    """The source's side of an earlier check."""
    earlier = {lob.column: lob for lob in copy.lobs}
    sums = tuple(LobSummary(n, earlier[n].count, earlier[n].bytes, earlier[n].checksum_source) for n in lobs)
    return Summary(copy.rows_source, copy.checksum_source, sums)


def _both(
    table: Table, connection: oracledb.Connection, source: Callable[[], S], target: Callable[[], S]
) -> tuple[S, S]:
    """What both sides give, read at the same time.

    :param connection: the source's. What it reads is of no use any more where the target cannot be read, or
        the caller is interrupted.
    """
    with _translated(table), ThreadPoolExecutor(1) as pool:
        future = pool.submit(source)
        try:
            after = target()
            return future.result(), after
        except BaseException:
            if not future.done():
                connection.cancel()
            raise


def _translated(table: Table) -> AbstractContextManager[None]:
    return translated("validation", table.key, ValidationError)


def _with_shards(connection: oracledb.Connection, table: Table, scn: int, shards: Sequence[Shard]) -> Summary:
    """The source's summary with the rows of each shard, counted in the same pass as far as that goes."""
    conditions = [shard.predicate for shard in shards if shard.predicate and not shard.partitions]
    taken, left = conditions[: statements.MOST_SHARDS], conditions[statements.MOST_SHARDS :]
    lobs = statements.lob_columns(table)
    summary = _summary(connection, table, scn, frozenset(), lobs, taken)
    counted = [*summary.shards]
    for place in range(0, len(left), statements.MOST_SHARDS):
        counted += _counts(connection, table, scn, left[place : place + statements.MOST_SHARDS])
    by_condition = iter(counted)
    within = _within_partitions(connection, table, scn, [shard for shard in shards if shard.partitions])
    rows = []
    for shard in shards:
        if shard.partitions:
            rows.append(within[shard.job])
        else:
            rows.append(next(by_condition) if shard.predicate else summary.rows)
    return replace(summary, shards=tuple(rows))


def _within_partitions(
    connection: oracledb.Connection, table: Table, scn: int, shards: Sequence[Shard]
) -> dict[str, int]:
    """Rows of shards that are confined to partitions: each partition is read once."""
    rows = {shard.job: 0 for shard in shards}
    for partition in dict.fromkeys(name for shard in shards for name in shard.partitions):
        here = [shard for shard in shards if partition in shard.partitions]
        counts = _counts(connection, table, scn, [shard.predicate for shard in here], partition)
        for shard, count in zip(here, counts, strict=True):
            rows[shard.job] += count
    return rows


def _counts(
    connection: oracledb.Connection,
    table: Table,
    scn: int,
    predicates: Sequence[str | None],
    partition: str | None = None,
) -> list[int]:
    counted = row(connection, statements.shard_counts(table, predicates, partition), scn=scn)
    return [int(count) for count in counted or ()]


def _summary(
    connection: oracledb.Connection,
    table: Table,
    scn: int | None,
    masked: frozenset[str],
    lobs: tuple[str, ...],
    shards: Sequence[str] = (),
) -> Summary:
    sql = statements.summary(table, at_scn=scn is not None, masked=masked, lobs=lobs, shards=shards)
    statements.prepare(connection)
    counted = row(connection, sql, **({} if scn is None else {"scn": scn}))
    if counted is None:
        raise ValidationError("a summary without a row", object_name=table.key, step="validation")
    return read_summary(counted, lobs)
