"""A closer look at the few tables that are worth it: extents, and how much LOB data which blocks lead to.

Sources: Database Reference 19c, DBA_EXTENTS and DBA_OBJECTS.DATA_OBJECT_ID; PL/SQL Packages Reference 19c,
DBMS_ROWID.ROWID_CREATE; SQL Language Reference 19c, sample_clause. Extents are read table by table, because
DBA_EXTENTS of a whole database costs minutes. The length of a LOB with storage in row stands in its locator,
so that sampling reads blocks of the table only, none of the LOB; without storage in row it is looked up in
the LOB's index, once per row, so that fewer rows are sampled (SecureFiles and Large Objects Developer's
Guide 19c, "LOB Storage").
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from oracle_refresh.catalog import statements
from oracle_refresh.catalog.model import Lob, Table
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.oracle.session import rows

if TYPE_CHECKING:
    import oracledb

#: Blocks that are read of a table to learn where its LOBs are long.
SAMPLED_BLOCKS = 4000
#: Rows that are sampled at most where each costs a look into the index of a LOB.
SAMPLED_LOOKUPS = 20_000
#: Rows of a block, where there are no statistics.
USUAL_ROWS = 100
#: Bytes of a LOB that are stored in the row at most, where it is enabled.
IN_ROW = 3964
#: SEED of the sample: a plan that is made again from the same data has the same shards.
SEED = 1
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
    """What the rows in sampled blocks have in LOB segments, as (relative_fno, block, bytes)."""

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
    extents = tuple(
        Extent(int(fno), int(block), int(blocks), int(size), first)
        for fno, block, blocks, size, first in rows(
            connection, statements.EXTENTS, owner=table.owner, name=table.name
        )
    )
    if not table.lobs or not extents:
        return TableSurvey(extents)
    percent = sample_percent(table, sum(extent.blocks for extent in extents), sampled_blocks)
    sampled = tuple(
        (int(fno), int(block), int(size)) for fno, block, size in rows(connection, lob_sample(table, percent))
    )
    return TableSurvey(extents, Sample(percent, sampled))


def sample_percent(table: Table, blocks: int, sampled_blocks: int = SAMPLED_BLOCKS) -> float:
    """How much of a table is sampled: so many of its blocks, however large it is; all of a small one."""
    wanted = float(sampled_blocks)
    lookups = sum(not lob.in_row for lob in table.lobs)
    if lookups:
        per_block = USUAL_ROWS if table.rows is None else max(1.0, table.rows / blocks)
        wanted = min(wanted, SAMPLED_LOOKUPS / lookups / per_block)
    percent = 100.0 * wanted / blocks
    return 100.0 if percent >= WHOLE else percent


def lob_sample(table: Table, percent: float) -> str:
    """The statement that sums by block what the rows of a table have stored in LOB segments."""
    clause = "" if percent >= 100 else f" SAMPLE BLOCK ({max(percent, 0.000001):.6f}) SEED ({SEED})"
    stored = " + ".join(f"NVL(SUM({_stored(lob)}), 0)" for lob in table.lobs)
    return statements.LOB_SAMPLE.format(lengths=stored, table=table.sql, sample=clause)


def lob_length(lob: Lob) -> str:
    """SQL: bytes of one LOB of the table `T`."""
    length = f"DBMS_LOB.GETLENGTH(T.{Identifier(lob.column).sql})"
    # GETLENGTH counts characters, which are stored with two bytes each.
    return length if lob.data_type == "BLOB" else f"{length} * 2"


def _stored(lob: Lob) -> str:
    """Bytes of one LOB in its segment: whole chunks, or none where it is stored in the row."""
    length = lob_length(lob)
    chunks = f"CEIL({length} / {lob.chunk}) * {lob.chunk}" if lob.chunk else length
    return f"CASE WHEN {length} > {IN_ROW} THEN {chunks} ELSE 0 END" if lob.in_row else chunks
