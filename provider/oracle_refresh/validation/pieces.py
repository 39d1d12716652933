"""Cuts a table into pieces, each compared by one session: those of both ends add up to the whole table.

At the source a table that travels in shards is read shard by shard, so that the rows of each are counted on
the way; any other one, and every table at the target, is cut by the schemes of the planner. The pieces of the
two ends hold different rows, but their sums add up to the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from oracle_refresh.catalog.survey import read_survey
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.masking.facts import in_bigfile_tablespace
from oracle_refresh.plan.schemes import cutter, ranges_wanted
from oracle_refresh.validation.model import LobSummary, Summary

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.catalog import Table
    from oracle_refresh.validation.model import Shard

#: Bytes of a table that a session compares at once: what is read again when a task is killed.
PIECE_BYTES = 1024**3
#: Pieces of one table: each costs two statements and a note.
MOST_PIECES = 256
#: Pieces in which the masked rows of a table are counted: each reads all hashes of its originals.
MOST_COUNTED = 16


@dataclass(frozen=True)
class Piece(Jsonable):
    """Some rows of a table.

    :ivar condition: without the word WHERE; None: all.
    :ivar partitions: the only ones that are read; all where empty.
    """

    condition: str | None = None
    partitions: tuple[str, ...] = ()

    def reads(self) -> Iterator[tuple[str | None, str | None]]:
        """Condition and partition of each statement that the piece takes: none names several partitions."""
        for partition in self.partitions or (None,):
            yield self.condition, partition


def number_of_pieces(table: Table, shards: int = 1) -> int:
    """How many pieces a table is compared in, which was planned to travel in so many shards."""
    return min(MOST_PIECES, max(1, shards, -(-table.total_bytes // PIECE_BYTES)))


def source_pieces(
    connection: oracledb.Connection, table: Table, shards: Sequence[Shard]
) -> tuple[Piece, ...]:
    """The shards, or where the table is one, pieces of a size that can be repeated."""
    if len(shards) > 1:
        return tuple(Piece(shard.predicate, shard.partitions) for shard in shards)
    return _cut(connection, table, number_of_pieces(table))


def target_pieces(connection: oracledb.Connection, table: Table, count: int) -> tuple[Piece, ...]:
    """At most so many, by what the target says of the table: rows have other addresses there."""
    if table.grows:  # its partitions have names of the database's own, and masked rows may have made some
        table = replace(table, partitions=table.partitions[:1])
    if count > 1:
        table = replace(table, bigfile_tablespace=in_bigfile_tablespace(connection, table))
    return _cut(connection, table, count)


def _cut(connection: oracledb.Connection, table: Table, count: int) -> tuple[Piece, ...]:
    if count < 2:
        return (Piece(),)
    survey = None
    if ranges_wanted(table, count, over_link=False):
        survey = read_survey(connection, [table]).of(table)
    cut = cutter(table, survey, count, over_link=False).cut(count)
    return tuple(Piece(each.predicate, each.partitions) for each in cut)


def added_up(summaries: Iterable[Summary], lobs: Sequence[str]) -> Summary:
    """The summary of all rows from those of pieces, without the rows of each."""
    rows, checksum = 0, (0, 0)
    columns = {name: LobSummary(name, 0, 0, checksum_text(0, 0)) for name in lobs}
    for each in summaries:
        rows, checksum = rows + each.rows, _plus(checksum, each.checksum)
        for lob in each.lobs:
            before = columns[lob.column]
            sums = _plus(_plus((0, 0), before.checksum), lob.checksum)
            columns[lob.column] = LobSummary(
                lob.column, before.count + lob.count, before.length + lob.length, checksum_text(*sums)
            )
    return Summary(rows, checksum_text(*checksum), tuple(columns.values()))


def checksum_text(first: int, second: int) -> str:
    """Two sums as `Summary` has them."""
    return f"{first:x}-{second:x}"


def _plus(sums: tuple[int, int], checksum: str) -> tuple[int, int]:
    first, second = (int(part, 16) for part in checksum.split("-"))
    return sums[0] + first, sums[1] + second
