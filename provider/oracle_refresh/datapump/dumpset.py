"""What export, staging and load hand to each other: small frozen values, no row data."""

from __future__ import annotations

from dataclasses import dataclass

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.run.kind import Kind


@dataclass(frozen=True)
class DumpFile(Jsonable):
    """One dump file; `sha256` (hexadecimal) is known once the file has been read."""

    name: str
    bytes: int
    sha256: str | None = None


@dataclass(frozen=True)
class TableRows(Jsonable):
    """What one job moves of one table; `bytes` as Data Pump's log rounds them."""

    owner: str
    name: str
    rows: int
    bytes: int

    @property
    def table(self) -> TableName:
        return TableName(self.owner, self.name)


@dataclass(frozen=True)
class DumpSet(Jsonable):
    """The finished export of one job: files in `directory` of the source, and the rows they hold."""

    job_id: str
    job_name: str
    scn: int
    directory: str
    log_file: str
    files: tuple[DumpFile, ...]
    tables: tuple[TableRows, ...]
    seconds: float

    @property
    def rows(self) -> int:
        return sum(table.rows for table in self.tables)

    @property
    def bytes(self) -> int:
        """Bytes of the dump files."""
        return sum(file.bytes for file in self.files)


EXPORT: Kind[DumpSet] = Kind("export", DumpSet)


@dataclass(frozen=True)
class StagedSet(Jsonable):
    """A dump set as it lies in `directory` of the target: the same files, with checksums."""

    dump_set: DumpSet
    directory: str
    files: tuple[DumpFile, ...]
    seconds: float

    @property
    def bytes(self) -> int:
        return sum(file.bytes for file in self.files)


STAGE: Kind[StagedSet] = Kind("stage", StagedSet)


@dataclass(frozen=True)
class LoadResult(Jsonable):
    """A job's rows in the target's tables, by the import's log or by count, whatever the export's log says;
    `recovered` when a former try had loaded some of them."""

    job_id: str
    tables: tuple[TableRows, ...]
    seconds: float
    recovered: bool = False

    @property
    def rows(self) -> int:
        return sum(table.rows for table in self.tables)


LOAD: Kind[LoadResult] = Kind("load", LoadResult)
