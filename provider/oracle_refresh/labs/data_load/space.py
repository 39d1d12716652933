"""Whether a load fits into its tablespace: what it will take by its numbers, and what the tablespace gives.

Estimates follow "Managing Space for Schema Objects" in Database Administrator's Guide 19c and "LOB Storage"
in SecureFiles and Large Objects Developer's Guide 19c: rows share what PCTFREE leaves of a block, a row that
has the block to itself takes all of it, LOBs above 3,964 bytes lie in whole chunks outside, and CLOBs of a
database with a multibyte character set have two bytes per character.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.catalog.identity import DatabaseIdentity
from oracle_refresh.dbfs.room import MEGABYTE, read_room
from oracle_refresh.labs.data_load import statements
from oracle_refresh.labs.data_load.definition import LoadDefinition
from oracle_refresh.labs.data_load.model import STEP, Seed, Work
from oracle_refresh.oracle.errors import PreflightError
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.oracle.session import row, rows
from oracle_refresh.tuning.refusals import identity_refusals

if TYPE_CHECKING:
    import oracledb

#: Bytes of a row besides its fillers and its LOB: header, lengths of the columns, an invented person.
PERSON_BYTES = 200
#: Bytes of a block that no row has: header, transaction slots, row directory.
BLOCK_OVERHEAD = 150
#: Bytes of an index entry: key, rowid, header, and the tenth of each leaf that PCTFREE keeps.
INDEX_ENTRY = 22
MOST_IN_ROW = 3964
CHUNK_OVERHEAD = 60
#: Sizes that segments reach, and the extents that AUTOALLOCATE gives below them.
EXTENTS = ((1 << 20, 64 << 10), (64 << 20, 1 << 20), (1 << 30, 8 << 20))
LARGEST_EXTENT = 64 << 20
#: Estimates of rows are off by some hundredths.
MARGIN = 1.1


@dataclass(frozen=True)
class Need:
    """Bytes that a load takes of its tablespace; each schema takes `schema`, the seed is there besides."""

    seed: int
    schema: int
    schemas: int

    def more(self, held_by_seed: int, held_by_schemas: int) -> int:
        """Bytes to be found besides those that former runs hold, which are given back schema by schema.

        The new seed is made while the schemas of former runs are still there.
        """
        whole = self.seed + self.schema * self.schemas - held_by_seed - held_by_schemas
        return max(whole, self.seed - held_by_seed, 0)


def estimate(work: Work, definition: LoadDefinition, block: int) -> Need:
    """By the numbers alone.

    :param block: bytes of a block of the tablespace.
    """
    table = _table(work, block)
    people = _allocated(definition.people.number * (PERSON_BYTES + statements.TEXT_CHARACTERS) * MARGIN)
    pieces = _allocated(sum(_outside(work, length, block) for length in work.lobs.lengths()) * MARGIN)
    return Need(people + pieces + table, table + _index(work), work.schemas)


def measured(work: Work, seed: Seed) -> Need:
    """By the seed table that is there already."""
    return Need(0, seed.bytes + _index(work), work.schemas)


def require_loadable(
    connection: oracledb.Connection, identity: DatabaseIdentity, definition: LoadDefinition
) -> int:
    """The bytes of a block of the tablespace.

    :raises PreflightError: if this database may not be loaded, or its tablespace cannot hold tables.
    """
    refused = identity_refusals(identity, definition.deny_list.databases)
    if refused:
        raise PreflightError(
            f"this database is not loaded: {'; '.join(refused)}",
            object_name=definition.target.conn_id,
            step=STEP,
            remedy="name the connection of a test database that is open for changes",
        )
    tablespace = row(connection, statements.TABLESPACE, name=definition.tablespace)
    contents, status, block = tablespace or (None, None, 0)
    if contents != "PERMANENT" or status != "ONLINE":
        raise PreflightError(
            "there is no such permanent tablespace that may be written to"
            + (f": it is {contents} and {status}" if tablespace else ""),
            object_name=definition.tablespace,
            step=STEP,
            remedy="correct tablespace in the definition of the load, or make it READ WRITE",
        )
    return int(block)


def require_room(connection: oracledb.Connection, work: Work, need: Need) -> tuple[int, int]:
    """What the load takes besides what former runs of it hold, and what the tablespace gives; in bytes.

    The schemas of a load have no quota, so only the files of the tablespace limit it.

    :raises PreflightError: if that is less.
    """
    held = {
        str(owner): int(size) for owner, size in rows(connection, statements.OWNERS, name=work.tablespace)
    }
    more = need.more(
        held.get(work.seed_schema, 0) if need.seed else 0,
        sum(held.get(schema, 0) for schema in work.all_schemas),
    )
    room = read_room(connection, work.tablespace)
    given = room.free + room.growth
    if more > given:
        name, short = Identifier(work.tablespace), -(-(more - given) // MEGABYTE)
        raise PreflightError(
            f"{work.schemas} schemas of {work.rows} rows and their seed need about {more / MEGABYTE:,.0f} MB"
            f" more, the tablespace takes {given / MEGABYTE:,.0f} MB",
            object_name=name.written,
            step=STEP,
            remedy=f"ALTER TABLESPACE {name.sql} ADD DATAFILE SIZE {short}M, for a bigfile tablespace"
            " RESIZE or AUTOEXTEND ON; or fewer schemas or rows, blocks that are filled, another tablespace",
        )
    return more, given


def _table(work: Work, block: int) -> int:
    """Bytes of one table with its LOBs."""
    lengths = work.lobs.lengths()
    inside = [_stored(work, length) for length in lengths if _stored(work, length) <= MOST_IN_ROW]
    row_bytes = PERSON_BYTES + statements.TEXT_CHARACTERS + (sum(inside) / len(lengths) if lengths else 0)
    usable = block - BLOCK_OVERHEAD
    per_row = -(-row_bytes // usable) * block if work.sparse else row_bytes * block / usable
    size = _allocated(work.rows * per_row * (1 if work.sparse else MARGIN))
    if lengths:
        mean = sum(_outside(work, length, block) for length in lengths) / len(lengths)
        size += _allocated(work.rows * mean * MARGIN)
    return size


def _index(work: Work) -> int:
    return _allocated(work.rows * INDEX_ENTRY)


def _stored(work: Work, length: int | None) -> int:
    return (length or 0) * (2 if work.lobs.datatype == "CLOB" else 1)


def _outside(work: Work, length: int | None, block: int) -> int:
    """Bytes of the chunks of a value that does not stay in its row."""
    stored = _stored(work, length)
    if stored <= MOST_IN_ROW:
        return 0
    return -(-stored // (block - CHUNK_OVERHEAD)) * block


def _allocated(size: float) -> int:
    """Whole extents of a segment of so many bytes; none for nothing."""
    extent = next((extent for below, extent in EXTENTS if size < below), LARGEST_EXTENT)
    return -int(-size // extent) * extent
