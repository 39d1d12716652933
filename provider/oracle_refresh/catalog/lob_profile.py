"""How long the LOBs of a column are, and how they lie: what decides how fast a table is exported.

The study of Data Pump with LOBs asked just that of its table: lengths, how many lie in the row, how many do
not. Here of sampled blocks, so that it takes no longer for a large table, see `survey.sample_percent`; what
a look costs is told there as well. Sources: Database Reference 19c, DBA_LOBS (CHUNK) and DBA_SEGMENTS
(EXTENTS); PL/SQL Packages Reference 19c, DBMS_LOB.GETLENGTH; SQL Language Reference 19c, sample_clause.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.catalog import statements
from oracle_refresh.catalog.model import Lob, Table
from oracle_refresh.catalog.survey import IN_ROW, SEED, lob_length, sample_percent
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.session import rows

if TYPE_CHECKING:
    import oracledb

#: Upper bounds of the histogram, in bytes; whatever is longer comes last.
BOUNDS = (IN_ROW, 8192, 32 << 10, 128 << 10, 1 << 20, 16 << 20)
#: Columns that are looked at, those with the largest segments.
MOST_COLUMNS = 20
#: Blocks that are read of the table of each.
SAMPLED_BLOCKS = 1000


@dataclass(frozen=True)
class LobProfile(Jsonable):
    """The LOBs of one column, of the rows in sampled blocks. Sizes are bytes.

    :ivar percent: of the table's blocks that were sampled.
    :ivar histogram: LOBs that are not NULL, by `BOUNDS`: up to each of them, and longer than all.
    :ivar out_of_row: those that lie in the LOB's segment, `chunks` of it together.
    :ivar segment_bytes: the whole segment's, with its extents; `table_extents` are those of its table.
    """

    owner: str
    table: str
    column: str
    securefile: bool
    in_row: bool
    chunk: int
    percent: float
    rows: int
    not_null: int
    histogram: tuple[int, ...]
    out_of_row: int
    chunks: int
    bytes: int
    longest: int
    segment_bytes: int
    segment_extents: int
    table_extents: int

    @property
    def name(self) -> str:
        return f"{self.owner}.{self.table}.{self.column}"

    @property
    def inline_share(self) -> float | None:
        """Of the LOBs that are not NULL, how many lie in their rows; None where there are none."""
        return 1 - self.out_of_row / self.not_null if self.not_null else None

    @property
    def chunks_per_lob(self) -> float | None:
        """Of those that lie out of row; None where there are none."""
        return self.chunks / self.out_of_row if self.out_of_row else None


def largest_lobs(tables: Iterable[Table]) -> list[tuple[Table, Lob]]:
    """The columns with the largest LOB segments, at most `MOST_COLUMNS`, the largest first. Pure.

    Of heap tables: no sample of blocks is taken of an index.
    """
    columns = sorted(
        ((table, lob) for table in tables if _sampled(table) for lob in table.lobs if lob.bytes),
        key=lambda each: (-each[1].bytes, each[0].key, each[1].column),
    )
    return columns[:MOST_COLUMNS]


def lob_profile(table: Table, lob: Lob, percent: float) -> str:
    """The statement that counts the LOBs of a column in sampled blocks."""
    sample = "" if percent >= 100 else f" SAMPLE BLOCK ({max(percent, 0.000001):.6f}) SEED ({SEED})"
    counts = ",\n       ".join(
        f"SUM(CASE WHEN L.SIZE_BYTES <= {bound} THEN 1 ELSE 0 END)" for bound in BOUNDS
    )
    outside = f"L.SIZE_BYTES > {IN_ROW}" if lob.in_row else "L.SIZE_BYTES > 0"
    chunks = f"CEIL(L.SIZE_BYTES / {lob.chunk})" if lob.chunk else "1"
    return statements.LOB_PROFILE.format(
        counts=counts,
        outside=outside,
        chunks=chunks,
        length=lob_length(lob),
        table=table.sql,
        sample=sample,
    )


def _sampled(table: Table) -> bool:
    return not (table.iot or table.temporary or table.clustered)


def read_lob_profile(connection: oracledb.Connection, table: Table, lob: Lob) -> LobProfile:
    """The profile of one column, by two queries.

    Needs SELECT_CATALOG_ROLE and SELECT on the table; changes nothing.
    """
    found = {
        (str(name), str(kind).split()[0].removesuffix("SEGMENT")): (int(extents or 0), int(blocks or 0))
        for name, kind, extents, blocks in rows(
            connection, statements.SEGMENT_EXTENTS, owner=table.owner, names=[table.name, lob.segment]
        )
    }
    table_extents, blocks = found.get((table.name, "TABLE"), (0, 0))
    percent = sample_percent(table, max(blocks, 1), SAMPLED_BLOCKS)
    ((counted, not_null, outside, chunks, size, longest, *up_to),) = rows(
        connection, lob_profile(table, lob, percent)
    )
    sums = [int(number or 0) for number in up_to]
    histogram = [after - before for before, after in zip([0, *sums], [*sums, int(not_null)], strict=True)]
    return LobProfile(
        owner=table.owner,
        table=table.name,
        column=lob.column,
        securefile=lob.securefile,
        in_row=lob.in_row,
        chunk=lob.chunk,
        percent=round(percent, 6),
        rows=int(counted),
        not_null=int(not_null),
        histogram=tuple(histogram),
        out_of_row=int(outside or 0),
        chunks=int(chunks or 0),
        bytes=int(size or 0),
        longest=int(longest or 0),
        segment_bytes=lob.bytes,
        segment_extents=found.get((lob.segment, "LOB"), (0, 0))[0],
        table_extents=table_extents,
    )
