"""Reads a bounded sample of each table, in one query, and keeps nothing of it but evidence.

Blocks are sampled where a table is large, so that the sample is spread over it; a small table is read from
its beginning. Of a LOB only the beginning is read. Rows and bytes per table are bounded. The sampled values
are not logged, not stored and not part of any error; hashes of short texts are kept in memory for as long as
a profile is made, and values themselves only where rules are to be tried on them.

A value that the driver cannot fetch hides no other column: the columns of its table are then read one by one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from oracle_refresh.catalog.model import Column, Table
from oracle_refresh.oracle.errors import MaskingError, from_oracle, oracle_codes, overall_disposition
from oracle_refresh.oracle.session import ARRAY_SIZE, without_values
from oracle_refresh.profiler import statements
from oracle_refresh.profiler.content import BEGINNING
from oracle_refresh.profiler.evidence import look
from oracle_refresh.profiler.model import ColumnEvidence
from oracle_refresh.profiler.relations import Prints, prints

if TYPE_CHECKING:
    import oracledb

WHOLE = 50.0
"""From this percentage on a sample is no cheaper than a look from the beginning."""
SPREAD = 1.5
"""Times the wanted rows that the sampled blocks shall hold: a sample may come out smaller than asked for."""
LEAST_BLOCKS = 16
"""Blocks that a sample shall hit on average; of fewer, all may be missed."""
TOO_FEW = 20
"""Sampled rows under which a table is read from its beginning after all."""


@dataclass(frozen=True)
class Bounds:
    """How much is read of one table. `rows` of 0: nothing is, names and types decide alone."""

    rows: int = 300
    bytes: int = 4 << 20

    def rows_of(self, columns: Iterable[Column]) -> int:
        """Rows of these columns that stay within the bytes, at least 20 where any are wanted."""
        width = sum(BEGINNING if column.is_lob else min(column.length, BEGINNING) for column in columns)
        return min(self.rows, max(TOO_FEW, self.bytes // max(width, 1)))


@dataclass(frozen=True)
class TableSample:
    """Evidence per sampled column. `problem` says why there is none, without any value; `unread` maps the
    columns that alone could not be fetched to the reason; `values` are the different values of each column,
    and `prints` the hashes of its short texts."""

    rows: int = 0
    evidence: dict[str, ColumnEvidence] | None = None
    problem: str | None = None
    unread: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Collection[Any]] = field(default_factory=dict, repr=False)
    prints: Mapping[str, Prints] = field(default_factory=dict, repr=False)


def sample_table(connection: oracledb.Connection, table: Table, bounds: Bounds, today: date) -> TableSample:
    """Return the evidence in a sample of a table. Columns that cannot be read are named in it, not raised.

    :raises MaskingError: for what may pass, such as a lost connection: names alone are not to decide then.
    """
    columns = [column for column in table.columns if worth_reading(column)]
    wanted = bounds.rows_of(columns)
    if not columns or not wanted or table.temporary:
        return TableSample()
    try:
        sampled = _sampled(connection, table, columns, wanted)
    except Exception as error:
        _reason(error, table)
        return _by_column(connection, table, columns, wanted, today)
    by_column = {column.name: [row[place] for row in sampled] for place, column in enumerate(columns)}
    return _shown(by_column, today)


def _by_column(
    connection: oracledb.Connection, table: Table, columns: Sequence[Column], wanted: int, today: date
) -> TableSample:
    """Sample one column at a time, in a table with a value that cannot be fetched."""
    values, unread = dict[str, list[Any]](), dict[str, str]()
    for column in columns:
        try:
            values[column.name] = [value for (value,) in _sampled(connection, table, [column], wanted)]
        except Exception as error:
            unread[column.name] = _reason(error, table)
    if not values:
        return TableSample(problem="; ".join(sorted(set(unread.values()))))
    return replace(_shown(values, today), unread=unread)


def _shown(values: Mapping[str, list[Any]], today: date) -> TableSample:
    """What the values of a table's columns show."""
    return TableSample(
        rows=max(map(len, values.values())),
        evidence={column: look(of_column, today) for column, of_column in values.items()},
        values={
            column: {value for value in of_column if value is not None}
            for column, of_column in values.items()
        },
        prints={column: found for column, of_column in values.items() if (found := prints(of_column))},
    )


def _reason(error: Exception, table: Table) -> str:
    """Why a sample failed: codes or the error's type, as the message could quote a value.

    :raises MaskingError: if the error may pass.
    """
    codes = oracle_codes(error)
    if overall_disposition(codes) == "retry":
        raise from_oracle(error, "profile", table.key, MaskingError) from error
    return ", ".join(codes) or type(error).__name__


def _sampled(
    connection: oracledb.Connection, table: Table, columns: Sequence[Column], wanted: int
) -> list[tuple[Any, ...]]:
    percent = share_of_blocks(table, wanted)
    sampled = _fetched(connection, statements.sample(table, columns, percent), wanted)
    if len(sampled) < TOO_FEW and percent < 100:
        sampled = _fetched(connection, statements.sample(table, columns, 100), wanted)
    dates = [column.is_datetime for column in columns]
    return [
        tuple(moment(value) if as_date else value for value, as_date in zip(row, dates, strict=True))
        for row in sampled
    ]


def _fetched(connection: oracledb.Connection, statement: str, wanted: int) -> list[tuple[Any, ...]]:
    with without_values(), connection.cursor() as cursor:
        cursor.arraysize = cursor.prefetchrows = ARRAY_SIZE
        cursor.outputtypehandler = _replacing
        cursor.execute(statement, {"wanted": wanted}, fetch_lobs=False)
        return list(cursor)


def _replacing(cursor: oracledb.Cursor, metadata: oracledb.FetchInfo) -> oracledb.Var | None:
    """Decode bytes outside the database's character set as U+FFFD (python-oracledb, "Querying
    Corrupt Data"): one of them would hide the other values of its column."""
    if metadata.type_code.name not in _TEXTS:
        return None
    return cursor.var(metadata.type_code, arraysize=cursor.arraysize, encoding_errors="replace")


_TEXTS = frozenset(f"DB_TYPE_{name}" for name in ("VARCHAR", "NVARCHAR", "CHAR", "NCHAR"))


def moment(text: str | None) -> datetime | str | None:
    """Return the date that a text in the format `statements.MOMENT` means, the text where Python has no such
    date."""
    try:
        return None if text is None else datetime.fromisoformat(text.strip())
    except ValueError:
        return text


def worth_reading(column: Column) -> bool:
    """Whether the values of a column can be read cheaply and say anything."""
    if column.virtual:
        return False
    if column.is_lob or column.is_datetime:
        return True
    if column.is_character:
        return column.length > 0
    # Digits of cards and identity numbers; amounts and keys of a few digits tell nothing.
    return column.data_type == "NUMBER" and not column.scale and (column.precision or 38) >= 7


def share_of_blocks(table: Table, wanted: int) -> float:
    """The percentage of blocks to sample, 100 to read from the beginning."""
    if table.iot or table.clustered or table.blocks <= LEAST_BLOCKS:
        return 100.0  # block sampling needs a full scan of a heap table
    by_rows = 100.0 * SPREAD * wanted / table.rows if table.rows else 0.0
    percent = max(by_rows, 100.0 * LEAST_BLOCKS / table.blocks, 0.000001)
    return 100.0 if percent >= WHOLE else percent
