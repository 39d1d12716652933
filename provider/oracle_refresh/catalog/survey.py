"""A closer look at the few tables that are worth it: extents, and how much LOB data which blocks lead to.

Sources: Database Reference 19c, DBA_EXTENTS and DBA_OBJECTS.DATA_OBJECT_ID; PL/SQL Packages Reference 19c,
DBMS_ROWID.ROWID_CREATE; SQL Language Reference 19c, sample_clause. Extents are read table by table, because
DBA_EXTENTS of a whole database costs minutes. The length of a LOB stands in its locator, so that sampling
reads blocks of the table only, none of the LOB.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from oracle_refresh.catalog import statements
from oracle_refresh.catalog.model import LOB_TYPES, Table
from oracle_refresh.identifiers import Identifier
from oracle_refresh.jsonable import Jsonable

if TYPE_CHECKING:
    import oracledb

ARRAY_SIZE = 1000
#: Blocks that are read of a table to learn where its LOBs are long.
SAMPLED_BLOCKS = 4000
#: SAMPLE takes less than 100 per cent; from here on the whole table is read.
WHOLE = 50.0


@dataclass(frozen=True)
class Extent(Jsonable):
    """One extent of a table's own segment. `first` is what ROWID_CREATE gives for its first row."""

    relative_fno: int
    block_id: int
    blocks: int
    bytes: int
    first: str


@dataclass(frozen=True)
class Sample(Jsonable):
    """LOB bytes of the rows in sampled blocks, as (relative_fno, block, bytes)."""

    percent: float
    blocks: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True)
class TableSurvey(Jsonable):
    """What was seen of one table; no sample where it has no LOBs."""

    extents: tuple[Extent, ...]
    sample: Sample | None = None


@dataclass(frozen=True)
class Survey:
    """What was seen, by `Table.key`."""

    tables: dict[str, TableSurvey] = field(default_factory=dict)

    def of(self, table: Table) -> TableSurvey | None:
        return self.tables.get(table.key)


def read_survey(
    connection: oracledb.Connection, tables: Iterable[Table], sampled_blocks: int = SAMPLED_BLOCKS
) -> Survey:
    """Look at heap tables that are neither partitioned nor clustered; see `plan.survey_wanted`.

    Needs SELECT_CATALOG_ROLE and SELECT on the tables.
    """
    return Survey({table.key: _survey(connection, table, sampled_blocks) for table in tables})


def _survey(connection: oracledb.Connection, table: Table, sampled_blocks: int) -> TableSurvey:
    with connection.cursor() as cursor:
        cursor.arraysize = cursor.prefetchrows = ARRAY_SIZE
        cursor.execute(statements.EXTENTS, owner=table.owner, name=table.name)
        extents = tuple(
            Extent(int(fno), int(block), int(blocks), int(size), first)
            for fno, block, blocks, size, first in cursor
        )
        if not table.lobs or not extents:
            return TableSurvey(extents)
        percent = 100.0 * sampled_blocks / sum(extent.blocks for extent in extents)
        if percent >= WHOLE:
            percent = 100.0
        cursor.execute(lob_sample(table, percent))
        sampled = tuple((int(fno), int(block), int(size)) for fno, block, size in cursor)
    return TableSurvey(extents, Sample(percent, sampled))


def lob_sample(table: Table, percent: float) -> str:
    """The statement that sums the LOB bytes of a table by block."""
    kinds = {column.name: column.data_type for column in table.columns if column.data_type in LOB_TYPES}
    lengths = [
        # GETLENGTH counts the characters of a CLOB, which is stored with two bytes each.
        f"NVL(SUM(DBMS_LOB.GETLENGTH(T.{Identifier(lob.column).sql})), 0)"
        + ("" if kinds.get(lob.column, "BLOB") == "BLOB" else " * 2")
        for lob in table.lobs
    ]
    clause = "" if percent >= 100 else f" SAMPLE BLOCK ({max(percent, 0.000001):.6f})"
    return statements.LOB_SAMPLE.format(lengths=" + ".join(lengths), table=table.sql, sample=clause)
