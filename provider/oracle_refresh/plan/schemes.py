"""How the rows of one table are told apart: the scheme, and the pieces it gives for a number of shards.

Whatever the scheme, the pieces are exhaustive and disjoint: each partition is named once, rowid ranges touch
each other, every block number or hash has one remainder, and the order that NTILE divides has no ties.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from oracle_refresh.catalog.model import Table
from oracle_refresh.catalog.survey import TableSurvey
from oracle_refresh.definition import ChosenScheme
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.plan import ranges
from oracle_refresh.plan.balance import apportion, split
from oracle_refresh.plan.model import Scheme
from oracle_refresh.plan.partitions import share

MEGABYTE = 1024 * 1024
MAX_HASH = 4294967295
#: Reading the table segment once per shard is of no account below this share of all bytes.
SCANNED = 0.05
NO_MODULO = "over a database link the number of its block would be told on the target"


@dataclass(frozen=True)
class Piece:
    """What one shard carries of a table."""

    bytes: int
    predicate: str | None
    partitions: tuple[str, ...] = ()
    modulus: int | None = None
    remainder: int | None = None


@dataclass(frozen=True)
class Cutter:
    """A table with the way to cut it: `cut(n)` gives at most n pieces, at least one."""

    table: Table
    scheme: Scheme
    why: str
    cut: Callable[[int], tuple[Piece, ...]]


def weight(table: Table) -> int:
    """Bytes of a table, at least one: an empty table is still an entry in a job."""
    return max(1, table.total_bytes)


def no_ranges(table: Table) -> str | None:
    """Why the rowids of a table make no ranges; None if they do."""
    if table.iot:
        return "an index-organized table has logical rowids"
    if table.partitions:
        return "the rowids of its partitions are those of several data objects"
    if table.clustered:
        return "it shares its extents with the other tables of its cluster"
    return "in a bigfile tablespace rowids have another shape" if table.bigfile_tablespace else None


def ranges_wanted(table: Table, shards: int, over_link: bool) -> bool:
    """Whether ranges of rowids are worth a look at the extents, for about so many shards.

    With the block modulo every shard reads the whole table segment. That costs little where nearly all bytes
    are in LOBs, and it is even without knowing any weights. Over a database link there is no such choice: the
    modulo calls DBMS_ROWID, and a function of PL/SQL is executed where the statement is, at the link's near
    end, once all rows have come over it.
    """
    return not no_ranges(table) and (over_link or (shards - 1) * table.bytes > SCANNED * weight(table))


def no_scheme(table: Table, scheme: ChosenScheme) -> str | None:
    """Why a scheme cannot tell the rows of a table apart; None if it can.

    PL/SQL Packages Reference 19c, DBMS_ROWID: not for universal rowids. A hash of NULL is promised by nobody,
    so a key has to be in force.
    """
    key = table.primary_key
    if scheme == "partition":
        if any(each.composite for each in table.partitions):
            return "its partitions have subpartitions"
        return None if len(table.partitions) > 1 else "it has less than two partitions"
    if scheme == "rowid_range":
        return no_ranges(table)
    if scheme == "ora_hash":
        in_force = key is not None and (table.iot or (key.enabled and key.validated))
        return None if in_force else "it has no primary key that is enabled and validated"
    return "an index-organized table has logical rowids" if table.iot else None


def scheme_of(table: Table, over_link: bool) -> Scheme:
    """The scheme of a table, as far as its catalogue tells; `whole_table` where there is none."""
    if len(table.partitions) > 1 and not any(each.composite for each in table.partitions):
        return "partition"
    if table.iot:
        return "ora_hash"
    if ranges_wanted(table, 2, over_link):
        return "rowid_range"
    return "whole_table" if over_link else "rowid_block_modulo"


def cutter(
    table: Table, survey: TableSurvey | None, shards: int, over_link: bool, chosen: ChosenScheme | None = None
) -> Cutter:
    """The scheme of a table that is to be cut into about so many shards.

    :param survey: its extents, where `ranges_wanted` or ranges are chosen.
    :param over_link: whether its rows are read over a database link.
    :param chosen: the scheme that the definition chooses, if `no_scheme` has nothing against it; for NTILE
        there is `ntile_cutter`.
    """
    scheme = chosen or scheme_of(table, over_link)
    if scheme == "partition":
        why = f"by its {len(table.partitions)} partitions"
        return Cutter(table, "partition", why, lambda count: _by_partition(table, count, not over_link))
    if scheme == "ora_hash":
        why = "index-organized: by a hash of its key" if table.iot else "by a hash of its key"
        return Cutter(table, "ora_hash", why, lambda count: _by_remainder(table, count, hash_predicate))
    wanted = chosen == "rowid_range" or (not chosen and ranges_wanted(table, shards, over_link))
    if wanted and survey is not None and ranges.usable(survey):
        stretches = ranges.stretches(survey, table.lob_bytes)
        sampled = f"{survey.sample.percent:.3g} % of its blocks" if survey.sample else "its extents alone"
        return Cutter(
            table,
            "rowid_range",
            f"by ranges of rowids over {len(survey.extents)} extents, weighed by {sampled}",
            lambda count: _by_range(table, stretches, count),
        )
    if over_link or chosen == "rowid_range":
        why = "whole: its extents are not known"
        if over_link:
            why = f"whole: {NO_MODULO}, and its extents are not known"
        return Cutter(table, "whole_table", why, lambda _: (Piece(weight(table), None),))
    return Cutter(
        table,
        "rowid_block_modulo",
        _why_modulo(table),
        lambda count: _by_remainder(table, count, block_predicate),
    )


def ntile_cutter(table: Table, scn: int) -> Cutter:
    """Buckets of as many rows, as of an SCN; the reason says what that costs. Only to be compared with the
    other schemes: see docs/reference/planner.md.
    """
    rows = "all its rows" if table.rows is None else f"all its {table.rows:,} rows"
    why = (
        "by NTILE, for comparison: each shard reads the table segment"
        f" ({table.bytes / MEGABYTE:,.1f} MB) twice and sorts {rows}"
    )
    return Cutter(table, "ntile", why, lambda count: _by_ntile(table, count, scn))


def _why_modulo(table: Table) -> str:
    if table.bigfile_tablespace:
        return "by block number: in a bigfile tablespace"
    if table.clustered:
        return "by block number: in a cluster"
    if table.partitions:
        return "by block number: subpartitioned" if len(table.partitions) > 1 else "by block number"
    return f"by block number: its own segment is {100 * table.bytes / weight(table):.1f} % of it"


def _by_partition(table: Table, count: int, divisible: bool) -> tuple[Piece, ...]:
    parts = share(table.partitions, count, divisible)
    sizes = apportion(weight(table), [part.bytes for part in parts])
    return tuple(
        Piece(size, remainder_predicate(table, part.of, part.part), part.names, part.of, part.part)
        if part.of > 1
        else Piece(size, None, part.names)
        for part, size in zip(parts, sizes, strict=True)
    )


def _by_range(table: Table, stretches: tuple[ranges.Stretch, ...], count: int) -> tuple[Piece, ...]:
    cuts = ranges.cut(stretches, count)
    sizes = apportion(weight(table), [each.weight for each in cuts])
    return tuple(Piece(size, each.predicate) for each, size in zip(cuts, sizes, strict=True))


def _by_remainder(table: Table, count: int, predicate: Callable[[Table, int, int], str]) -> tuple[Piece, ...]:
    if count == 1:
        return (Piece(weight(table), None),)
    return tuple(
        Piece(size, predicate(table, count, number), modulus=count, remainder=number)
        for number, size in enumerate(split(weight(table), count))
    )


def _by_ntile(table: Table, count: int, scn: int) -> tuple[Piece, ...]:
    if count == 1:
        return (Piece(weight(table), None),)
    return tuple(
        Piece(size, ntile_predicate(table, count, number, scn))
        for number, size in enumerate(split(weight(table), count), 1)
    )


def ntile_predicate(table: Table, buckets: int, bucket: int, scn: int) -> str:
    """The rows of one of so many buckets (from 1) of about as many rows, in the order of the key.

    SQL Language Reference 19c, "Analytic Functions": they stand in the select list and in ORDER BY only, so
    the condition needs a subquery. FLASHBACK_SCN of the job is not that of a subquery's tables: it names the
    SCN itself, or shards of a table that is written to would overlap. Rows that compare as equal might be in
    other buckets each time, so the rowid comes last.
    """
    key = [Identifier(name).sql for name in table.primary_key.columns] if table.primary_key else []
    order = ", ".join([*key, "ROWID"])
    return (
        f"ROWID IN (SELECT R FROM (SELECT ROWID R, NTILE({buckets}) OVER (ORDER BY {order}) B"
        f" FROM {table.sql} AS OF SCN {scn}) WHERE B = {bucket})"
    )


def block_number(bigfile: bool) -> str:
    """The block of a row. PL/SQL Packages Reference 19c, DBMS_ROWID: bigfile tablespaces have to be named."""
    kind = ", 'BIGFILE'" if bigfile else ""
    return f"DBMS_ROWID.ROWID_BLOCK_NUMBER(ROWID{kind})"


def remainder_predicate(table: Table, modulus: int, remainder: int) -> str:
    """The rows of one of `modulus` parts, by key where rows have no block, else by block number."""
    return (hash_predicate if table.iot else block_predicate)(table, modulus, remainder)


def block_predicate(table: Table, modulus: int, remainder: int) -> str:
    """The rows in the blocks whose numbers have a remainder."""
    return f"MOD({block_number(table.bigfile_tablespace)}, {modulus}) = {remainder}"


def hash_predicate(table: Table, modulus: int, remainder: int) -> str:
    """The rows whose keys' hash has a remainder.

    SQL Language Reference 19c, ORA_HASH: buckets start at 0, max_bucket is one of them. The columns of a
    longer key are hashed one by one, because joining them would convert dates by the session's settings.
    """
    key = [Identifier(name).sql for name in table.primary_key.columns] if table.primary_key else []
    if len(key) == 1:
        return f"ORA_HASH({key[0]}, {modulus - 1}) = {remainder}"
    hashes = " + ".join(f"ORA_HASH({name}, {MAX_HASH}, {seed})" for seed, name in enumerate(key))
    return f"MOD({hashes}, {modulus}) = {remainder}"
