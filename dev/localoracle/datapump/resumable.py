"""Loads that wait for space: a tablespace without room suspends them (Administrator's Guide, "Managing
Resumable Space Allocation").

Data Pump enables resumable statements for its workers. A suspended one shows in DBA_RESUMABLE and in the log
(ORA-39171); it goes on when there is room, or fails when its time is over.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Coroutine
from datetime import datetime
from typing import TYPE_CHECKING, Any

from localoracle.datapump.errors import line, stack
from localoracle.datapump.selection import Connection
from localoracle.datapump.stream import Stopped

if TYPE_CHECKING:
    from localoracle.datapump.job import Job
    from localoracle.datapump.workers import Worker

DEFAULT_SECONDS = 7200
"""Of ENABLE RESUMABLE without a TIMEOUT where RESUMABLE_TIMEOUT is 0."""
EXTENT_BLOCKS = 128
_LOOK_SECONDS = 0.1


class SpaceGate:
    """Passed before each block of a load: its thread waits while a tablespace of the table is full."""

    def __init__(
        self,
        job: Job,
        worker: Worker,
        title: tuple[str, str, str | None],
        tablespaces: set[str],
        seconds: int,
    ) -> None:
        self._job = job
        self._worker = worker
        self._title = title
        self._tablespaces = tablespaces
        self._seconds = seconds
        self._loop = asyncio.get_running_loop()
        self._began = datetime.now()

    @classmethod
    async def of(
        cls, connection: Connection, job: Job, worker: Worker, title: tuple[str, str, str | None]
    ) -> SpaceGate:
        """The gate for a load into a table (owner, name, partition)."""
        cursor = await connection.execute(
            "SELECT DISTINCT tablespace_name FROM dictionary.table_tablespaces(%s, %s)", title[:2]
        )
        tablespaces = {row[0] for row in await cursor.fetchall()}
        row = await (
            await connection.execute(
                "SELECT value::int FROM localoracle.parameters WHERE name = 'resumable_timeout'"
            )
        ).fetchone()
        return cls(job, worker, title, tablespaces, (row[0] if row else 0) or DEFAULT_SECONDS)

    def __call__(self, over: threading.Event) -> None:
        """Raises ORA-30032 over ORA-01653 when the time is over, Stopped when the load is."""
        full = self._full()
        if full is None:
            return
        end = time.monotonic() + self._seconds
        self._do(self._suspend(full))
        try:
            while self._full() is not None:
                if over.wait(_LOOK_SECONDS):
                    raise Stopped
                if time.monotonic() >= end:
                    raise stack((30032,), self._error(full))
        finally:
            self._do(self._resume())

    def _full(self) -> str | None:
        is_full = self._job.pump.database.room.is_full
        return next(filter(is_full, sorted(self._tablespaces)), None)

    def _error(self, tablespace: str) -> tuple[Any, ...]:
        """Code and arguments of what a load in non-resumable mode would fail with."""
        owner, table, partition = self._title
        if partition:
            return 1688, owner, table, partition, EXTENT_BLOCKS, tablespace
        return 1653, owner, table, EXTENT_BLOCKS, tablespace

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def _suspend(self, tablespace: str) -> None:
        job, definition = self._job, self._job.definition
        code, *arguments = self._error(tablespace)
        message = line(code, *arguments)
        job.emit(line(39171, message), error=True, code=39171)
        owner, table, partition = self._title
        await job.pump.database.system(
            "INSERT INTO localoracle.resumable (username, session_id, timeout, start_time, name, sql_text,"
            " error_number, parameters, error_msg) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)"
            " ON CONFLICT DO NOTHING",
            [
                definition.owner,
                self._worker.sid,
                self._seconds,
                self._began,
                f"{definition.owner}.{definition.name}.{self._worker.number}",
                f'INSERT /*+ APPEND */ INTO "{owner}"."{table}"'
                + (f' PARTITION ("{partition}")' if partition else ""),
                code,
                [str(value) for value in arguments],
                message,
            ],
        )

    async def _resume(self) -> None:
        await self._job.pump.database.system(
            "DELETE FROM localoracle.resumable WHERE session_id = %s", [self._worker.sid]
        )
