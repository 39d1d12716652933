"""Where an import gets its metadata and rows from: a dump set, or a database at the other end of a link."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from localoracle.datapump import network, plan
from localoracle.datapump.load import FileRows, RowSource
from localoracle.datapump.master import Row
from localoracle.datapump.plan import DumpSet
from localoracle.datapump.remote import Remote
from localoracle.datapump.selection import Connection, TableData
from localoracle.instance import links
from localoracle.tasks import in_thread

if TYPE_CHECKING:
    from localoracle.datapump.job import Job


class Source(Protocol):
    """What an import needs of its source; `method` is METRICS' word for how rows are moved."""

    network: bool
    method: str

    async def master_rows(self, connection: Connection) -> list[Row]:
        """What the job's filters leave of it."""

    def rows_of(self, data: TableData) -> RowSource:
        """The rows of one table data object."""

    async def close(self) -> None: ...


class FileSource:
    """A dump set."""

    network = False

    def __init__(self, job: Job, dump: DumpSet) -> None:
        self._job = job
        self._dump = dump
        self.method = job.definition.load_method

    async def master_rows(self, connection: Connection) -> list[Row]:
        return await plan.import_rows(connection, self._job.definition, self._dump, self._job.report)

    def rows_of(self, data: TableData) -> RowSource:
        return FileRows(data, self._dump.files, self._job.pump.pipes, self._dump.key)

    async def close(self) -> None:
        return None


class NetworkSource:
    """The other end of the job's database link."""

    network = True
    method = "direct_path"
    """Since 12.2 (Oracle Database Utilities, "Using Network Link Import to Move Data")."""

    def __init__(self, job: Job, remote: Remote) -> None:
        self._job = job
        self._remote = remote

    @classmethod
    async def open(cls, job: Job) -> NetworkSource:
        """Raises ORA-02019 for a link that is gone."""
        definition = job.definition
        link = await links.find(job.pump.database, definition.owner, definition.remote_link or "")
        return cls(job, Remote(job.pump.database.instance, link))

    async def master_rows(self, connection: Connection) -> list[Row]:
        return await network.import_rows(connection, self._job.definition, self._remote, self._job.report)

    def rows_of(self, data: TableData) -> RowSource:
        return network.RemoteRows(self._remote, self._job.definition, data, self._job.pump.pipes)

    async def close(self) -> None:
        await in_thread(self._remote.close)
