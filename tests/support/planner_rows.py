"""Rows without a database, and which of them a planned job would carry."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass

from oracle_refresh.catalog import Extent, Sample, Table, TableSurvey
from oracle_refresh.plan import ExportJob
from oracle_refresh.plan.rowid import Rowid

DATA_OBJECT = 77_123
MODULO = re.compile(r"MOD\(DBMS_ROWID\.ROWID_BLOCK_NUMBER\(ROWID(?:, 'BIGFILE')?\), (\d+)\) = (\d+)")
BETWEEN = re.compile(r"ROWID BETWEEN CHARTOROWID\('(.{18})'\) AND CHARTOROWID\('(.{18})'\)")
OPEN = re.compile(r"ROWID ([<>]=) CHARTOROWID\('(.{18})'\)")
HASH = re.compile(r'ORA_HASH\("(\w+)", (\d+)(?:, (\d+))?\)')
NTILE = re.compile(
    r'ROWID IN \(SELECT R FROM \(SELECT ROWID R, NTILE\((\d+)\) OVER \(ORDER BY (?:"\w+", )*ROWID\) B'
    r' FROM "\w+"\."\w+" AS OF SCN 4711\) WHERE B = (\d+)\)'
)
#: Rows of a table whose keys are 0 to one less, in the order of their rowids: NTILE asks for the whole table.
ROWS = 2501


@dataclass(frozen=True)
class Row:
    rowid: Rowid
    key: int
    partition: str | None = None


def carries(job: ExportJob, table: Table, row: Row) -> bool:
    """Whether a job moves a row, by what its filters mean in Oracle."""
    if (table.owner, table.name) not in job.tables:
        return False
    if job.partitions and row.partition not in job.partitions:
        return False
    return job.predicate is None or holds(job.predicate, row)


def holds(predicate: str, row: Row) -> bool:
    if found := MODULO.fullmatch(predicate):
        return row.rowid.block % int(found[1]) == int(found[2])
    if found := BETWEEN.fullmatch(predicate):
        return Rowid.parse(found[1]) <= row.rowid <= Rowid.parse(found[2])
    if found := OPEN.fullmatch(predicate):
        bound = Rowid.parse(found[2])
        return row.rowid <= bound if found[1] == "<=" else row.rowid >= bound
    if found := NTILE.fullmatch(predicate):
        return ntile(row.key, int(found[1])) == int(found[2])
    left, right = predicate.rsplit(" = ", 1)
    hashes = [
        ora_hash(row.key, column, int(most), int(seed or 0)) for column, most, seed in HASH.findall(left)
    ]
    assert hashes, predicate
    if left.startswith("MOD("):
        return sum(hashes) % int(left.rpartition(", ")[2].rstrip(")")) == int(right)
    assert len(hashes) == 1
    return hashes[0] == int(right)


def ntile(position: int, buckets: int) -> int:
    """The bucket, from 1, of a row by its position: the first ones have one row more where they differ."""
    small, larger = divmod(ROWS, buckets)
    if position < larger * (small + 1):
        return position // (small + 1) + 1
    return larger + (position - larger * (small + 1)) // small + 1


def ora_hash(value: int, column: str, most: int, seed: int) -> int:
    """Like ORA_HASH a number from 0 to `most`, both inclusive."""
    return zlib.crc32(f"{column}/{seed}/{value}".encode()) % (most + 1)


def extent(relative_fno: int, block_id: int, blocks: int, data_object: int = DATA_OBJECT) -> Extent:
    first = str(Rowid(data_object, relative_fno, block_id))
    return Extent(relative_fno, block_id, blocks, blocks * 8192, first)


def surveyed(*extents: Extent, lobs: dict[tuple[int, int], int] | None = None) -> TableSurvey:
    blocks = tuple((*place, size) for place, size in (lobs or {}).items())
    return TableSurvey(tuple(extents), Sample(100.0, blocks) if blocks else None)
