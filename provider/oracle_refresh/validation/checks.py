"""The comparison of one table between source and target, through open connections.

Nothing of the data comes to the caller but sums and, on their way from source to target, keyed hashes of the
rows of masked tables. Both sides are read at the same time, each by its own connection.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from oracle_refresh.masking.rules import by_column
from oracle_refresh.oracle.errors import RefreshError, ValidationError, from_oracle, oracle_codes
from oracle_refresh.run.progress import Progress, silent
from oracle_refresh.validation import statements
from oracle_refresh.validation.model import Facts, Shard, Sum, TableCheck
from oracle_refresh.validation.pairing import Pairing
from oracle_refresh.validation.rows import compare
from oracle_refresh.validation.verdicts import judge_copy, judge_masked, read_facts

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.catalog import Table
    from oracle_refresh.masking.keys import MasterKey
    from oracle_refresh.masking.rules import ColumnRule

T = TypeVar("T")


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
    facts = _both(
        table,
        source,
        lambda: _with_shards(source, table, scn, lobs, shards),
        lambda: _summary(target, table, None, frozenset(), lobs),
    )
    progress.report(facts[1].rows, facts[0].rows, "rows", f"verify {table.key}")
    _, uncompared = statements.comparable(table)
    return judge_copy(table, *facts, uncompared, time.monotonic() - started, shards)


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
    _, uncompared = statements.comparable(table)
    # A LOB's checksum is bound to the key: it can be taken over only while the key is the same.
    known = copy is not None and statements.key_text(table) == statements.key_text(table, masked)
    earlier = _taken_over(copy, lobs) if known and copy is not None else None
    if masked:
        wanted = Pairing.of(table, rules, recompute=key is not None)
        found = _reported(table, lambda: compare(source, target, scn, wanted, lobs, key, progress))
        one = found.source
        if lobs:
            read = earlier or _reported(table, lambda: _summary(source, table, scn, masked, lobs))
            one = replace(one, lobs=read.lobs)
        return judge_masked(
            table,
            one,
            found.target,
            found.checks,
            _emptied(rules),
            found.changed_rows,
            uncompared,
            time.monotonic() - started,
            found.unpaired,
            found.found_by,
        )
    one, other = _both(
        table,
        source,
        lambda: earlier or _summary(source, table, scn, masked, lobs),
        lambda: _summary(target, table, None, masked, lobs),
    )
    progress.report(other.rows, one.rows, "rows", f"verify masked {table.key}")
    return judge_masked(table, one, other, uncompared=uncompared, seconds=time.monotonic() - started)


def _emptied(rules: tuple[ColumnRule, ...]) -> dict[str, bool]:
    """The columns whose values may become NULL; true where all have to."""
    found = {}
    for column, own in by_column(rules).items():
        if any(rule.algorithm.empties or rule.policy == "null" for rule in own):
            found[column] = all(rule.algorithm.empties for rule in own) and own[-1].where is None
    return found


def _taken_over(copy: TableCheck, lobs: tuple[str, ...]) -> Facts:
    """The source's side of an earlier check."""
    earlier = {lob.column: lob for lob in copy.lobs}
    sums = tuple(Sum(n, earlier[n].count, earlier[n].bytes, earlier[n].checksum_source) for n in lobs)
    return Facts(copy.rows_source, copy.checksum_source, sums)


def _both(table: Table, connection: oracledb.Connection, source: Any, target: Any) -> tuple[Any, Any]:
    """What both sides give.

    :param connection: the source's. What it reads is of no use any more where the target cannot be read, or
        the caller is interrupted.
    """

    def read() -> tuple[Any, Any]:
        with ThreadPoolExecutor(1) as pool:
            future = pool.submit(source)
            try:
                other = target()
                return future.result(), other
            except BaseException:
                if not future.done():
                    connection.cancel()
                raise

    return _reported(table, read)


def _reported(table: Table, read: Callable[[], T]) -> T:
    """What is read; an error of the database names the table."""
    try:
        return read()
    except RefreshError:
        raise
    except Exception as error:
        if not oracle_codes(error):
            raise
        raise from_oracle(error, "validation", table.key, ValidationError) from error


def _with_shards(
    connection: oracledb.Connection, table: Table, scn: int, lobs: tuple[str, ...], shards: Sequence[Shard]
) -> Facts:
    """The source's summary with the rows of each shard, counted in the same pass as far as that goes."""
    conditions = [shard.predicate for shard in shards if shard.predicate and not shard.partitions]
    taken, left = conditions[: statements.MOST_SHARDS], conditions[statements.MOST_SHARDS :]
    facts = _summary(connection, table, scn, frozenset(), lobs, taken)
    counted = [*facts.shards]
    for place in range(0, len(left), statements.MOST_SHARDS):
        counted += _counts(connection, table, scn, left[place : place + statements.MOST_SHARDS])
    by_condition = iter(counted)
    within = _within_partitions(connection, table, scn, [shard for shard in shards if shard.partitions])
    rows = []
    for shard in shards:
        if shard.partitions:
            rows.append(within[shard.job])
        else:
            rows.append(next(by_condition) if shard.predicate else facts.rows)
    return replace(facts, shards=tuple(rows))


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
    with connection.cursor() as cursor:
        cursor.execute(statements.shard_counts(table, predicates, partition), {"scn": scn})
        return [int(count) for count in cursor.fetchone() or ()]


def _summary(
    connection: oracledb.Connection,
    table: Table,
    scn: int | None,
    masked: frozenset[str],
    lobs: tuple[str, ...],
    shards: Sequence[str] = (),
) -> Facts:
    sql = statements.summary(table, at_scn=scn is not None, masked=masked, lobs=lobs, shards=shards)
    with connection.cursor() as cursor:
        for statement in statements.SESSION:
            cursor.execute(statement)
        cursor.execute(sql, {} if scn is None else {"scn": scn})
        row = cursor.fetchone()
    if row is None:
        raise ValidationError("a summary without a row", object_name=table.key, step="validation")
    return read_facts(row, lobs)
