"""Two shards of ten rows each, of the smallest table that can be cut by ranges of rowids."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.catalog import Catalogue, Column, Table
from oracle_refresh.first_contact.statements import FIRST_ROWIDS
from oracle_refresh.masking.compiler import declared
from oracle_refresh.oracle.identifiers import Identifier, TableName
from oracle_refresh.oracle.session import rows, translated
from oracle_refresh.plan.model import ExportJob
from oracle_refresh.plan.names import dump_file, job_name
from oracle_refresh.plan.ranges import RowidRange
from oracle_refresh.plan.rowid import Rowid

if TYPE_CHECKING:
    import oracledb

ROWS, SHARDS = 10, 2
#: Tables that are tried: statistics may count rows that have been deleted since.
LOOKED_INTO = 20
#: Of a table and its LOBs: the first rowids in order take a scan of the whole table.
LARGEST_BYTES = 1 << 30
#: Types that are declared by their name alone, in addition to those of text and numbers.
_PLAIN = frozenset({"FLOAT", "BINARY_FLOAT", "BINARY_DOUBLE", "DATE", "CLOB", "NCLOB", "BLOB"})


@dataclass(frozen=True)
class TenRows:
    """:ivar jobs: the two shards as a plan would have them."""

    table: Table
    jobs: tuple[ExportJob, ...]


def candidates(catalogue: Catalogue) -> tuple[Table, ...]:
    """Small ordinary heap tables with enough rows, according to the statistics, the smallest first. Pure."""
    fit = [
        table
        for table in catalogue.tables
        if not (table.iot or table.temporary or table.clustered or table.partitions or table.policies)
        and table.filterable
        and table.total_bytes <= LARGEST_BYTES
        and (table.rows is None or table.rows >= ROWS * SHARDS)
        and all(_declarable(column) for column in moved(table))
    ]
    return tuple(sorted(fit, key=lambda table: (table.rows is None, table.total_bytes, table.key)))


def moved(table: Table) -> tuple[Column, ...]:
    """The columns that have values of their own: virtual ones are never exported."""
    return tuple(column for column in table.columns if not column.virtual)


def ten_rows(
    source: oracledb.Connection, catalogue: Catalogue, scn: int, refresh: str, run_id: str
) -> TenRows | None:
    """Cut the first candidate that has rows enough as of the SCN; None where there is none. Reads only.

    :param refresh: names the jobs together with `run_id`, as in any plan.
    """
    for table in candidates(catalogue)[:LOOKED_INTO]:
        with translated("first contact", table.key):
            first = FIRST_ROWIDS.format(table=table.sql)
            rowids = [str(rowid) for (rowid,) in rows(source, first, scn=scn, number_of_rows=ROWS * SHARDS)]
        if len(rowids) == ROWS * SHARDS:
            return TenRows(table, tuple(shards(table, rowids, refresh, run_id)))
    return None


def shards(table: Table, rowids: Sequence[str], refresh: str, run_id: str) -> Iterator[ExportJob]:
    """The jobs of ten rows each, in the order of their rowids. Pure."""
    for number in range(SHARDS):
        own = [Rowid.parse(rowid) for rowid in rowids[number * ROWS : (number + 1) * ROWS]]
        name = job_name(refresh, run_id, f"S{number + 1:03d}")
        yield ExportJob(
            id=f"S{number + 1:03d}",
            job_name=name,
            kind="shard",
            tables=(table.full_name,),
            scheme="rowid_range",
            modulus=None,
            remainder=None,
            predicate=RowidRange(own[0], own[-1], ROWS).predicate,
            parallel=1,
            dump_file=dump_file(name.lower(), 1),
            estimate_bytes=max(1, table.total_bytes),
            priority=SHARDS - number,
        )


def create(table: Table, schema: str) -> str:
    """CREATE TABLE of the same name and columns in a schema, without constraints. Pure.

    It keeps its name: REMAP_TABLE does not work on tables that are there (Utilities 19c, REMAP_TABLE).
    """
    listed = ", ".join(f"{Identifier(column.name).sql} {declared(column)}" for column in moved(table))
    return f"CREATE TABLE {TableName(schema, table.name).sql} ({listed})"


def _declarable(column: Column) -> bool:
    kind = column.data_type
    plain = kind in _PLAIN or kind == "NUMBER" or kind.startswith(("TIMESTAMP", "INTERVAL"))
    return column.type_owner is None and (column.is_character or plain)
