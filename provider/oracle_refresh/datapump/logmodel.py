"""What a Data Pump log says, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from oracle_refresh.datapump.logerrors import LoggedError
from oracle_refresh.datapump.loglines import Ending
from oracle_refresh.oracle.identifiers import TableName

Operation = Literal["EXPORT", "IMPORT", "SQL_FILE"]


@dataclass(frozen=True)
class LoggedRows:
    """One row line: what was moved of a table, partition or subpartition.

    `bytes` as the log rounds them, None where it has none (import over a database link). `total` are the rows
    that there were, where the log says that fewer of them were moved (`3 out of 6 rows`).
    """

    owner: str
    name: str
    partition: str | None
    subpartition: str | None
    rows: int
    bytes: int | None
    seconds: int | None
    method: str | None
    worker: int | None = None
    total: int | None = None

    @property
    def table(self) -> TableName:
        return TableName(self.owner, self.name)


@dataclass(frozen=True)
class LoggedType:
    """One object type that was processed; count and seconds only with METRICS.

    Seconds of TABLE_DATA overlap with those of others: the rows are moved meanwhile.
    """

    path: str
    count: int | None = None
    seconds: int | None = None


@dataclass(frozen=True)
class DataPumpLog:
    """What a log file says. `ending` is None when the job has not written its last line (yet, or ever)."""

    rows: tuple[LoggedRows, ...] = ()
    errors: tuple[LoggedError, ...] = ()
    dump_files: tuple[str, ...] = ()
    ending: Ending | None = None
    error_count: int = 0
    """As the last line says."""
    elapsed_seconds: int | None = None
    notes: tuple[str, ...] = field(default=())
    operation: Operation | None = None
    version: str | None = None
    job: tuple[str | None, str] | None = None
    """Owner, where it is known, and name."""
    started: datetime | None = None
    ended: datetime | None = None
    object_types: tuple[LoggedType, ...] = ()
    unparsed: tuple[str, ...] = ()

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of all errors in the order they appeared, each once."""
        return tuple(dict.fromkeys(code for error in self.errors for code in error.all_codes))

    @property
    def unseen_errors(self) -> int:
        """How many errors the last line counts that the log does not show."""
        of_client = sum(error.code.startswith(("UDE", "UDI")) for error in self.errors)
        return max(0, self.error_count - (len(self.errors) - of_client))

    def table_rows(self) -> dict[TableName, int]:
        """Rows per (owner, table), partitions added up."""
        return self._sums("rows")

    def table_bytes(self) -> dict[TableName, int]:
        """Bytes per (owner, table) as the log rounds them, partitions added up."""
        return self._sums("bytes")

    def _sums(self, attribute: str) -> dict[TableName, int]:
        sums: dict[TableName, int] = {}
        for line in self.rows:
            sums[line.table] = sums.get(line.table, 0) + int(getattr(line, attribute) or 0)
        return sums
