"""A job: its state, its messages, and the sequence from START_JOB to the last line of the log.

States are those of GET_STATUS: DEFINING, EXECUTING, COMPLETING, COMPLETED, STOP PENDING, STOPPING,
STOPPED, IDLING; a job without processes is NOT RUNNING in DBA_DATAPUMP_JOBS (Oracle Database
Utilities, "The Data Pump API").
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg

from localoracle.datapump import logfile
from localoracle.datapump.definition import LOG_FILE, Definition
from localoracle.datapump.errors import below, line, stack
from localoracle.datapump.exporting import Exporter
from localoracle.datapump.importing import run_import
from localoracle.datapump.master import READY, Master, Row
from localoracle.datapump.phrases import PHRASES, Phrases
from localoracle.datapump.pool import FilePool
from localoracle.datapump.selection import Connection
from localoracle.datapump.workers import Worker, WorkerDied
from localoracle.errors import OracleError

if TYPE_CHECKING:
    from localoracle.datapump.manager import DataPump

FINISHED = ("COMPLETED", "STOPPED")


@dataclass
class Message:
    """One line that GET_STATUS hands out; `code` is 0 or the ORA number, `error` tells JOB_ERROR from WIP."""

    number: int
    code: int
    text: str
    error: bool


class Job:
    """One Data Pump job of this server process."""

    def __init__(self, pump: DataPump, definition: Definition, *, restarted: bool = False) -> None:
        self.pump = pump
        self.definition = definition
        self.master = Master(definition.owner, definition.name)
        self.state = "IDLING" if restarted else "DEFINING"
        self.restart_count = int(restarted)
        self.messages: list[Message] = []
        self.workers: list[Worker] = []
        self.rows: list[Row] = []
        self.errors = 0
        self.attached = 0
        self.term_reason: int | None = None
        self.started_at: datetime | None = None
        self.restarted = restarted
        self.password: str | None = None
        """ENCRYPTION_PASSWORD: in memory only, so a restarted job must be told it again."""
        self.key: bytes | None = None
        """Of an encrypted export."""
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._ending = False
        """Whether the task is past its work, or has been told to be: it must not be cancelled (again)."""
        self.stopping: str | None = None
        self.changing = asyncio.Lock()
        """Held while the job is started, or ended without having run."""
        self._log = logfile.LogFile(None, logtime=False)

    @property
    def title(self) -> str:
        return f'"{self.definition.owner}"."{self.definition.name}"'

    @property
    def phrases(self) -> Phrases:
        return PHRASES[self.definition.language]

    @property
    def finished(self) -> bool:
        return self.state in FINISHED

    @property
    def active(self) -> bool:
        return self._task is not None and not self._task.done()

    def emit(self, text: str, *, error: bool = False, code: int = 0, to_status: bool = True) -> None:
        """Write a message to the log and to the sessions that call GET_STATUS."""
        self._log.write(text)
        if to_status:
            if self.definition.parameter("LOGTIME", "NONE") in ("STATUS", "ALL"):
                text = logfile.stamp(datetime.now()) + text
            for part in text.split("\n"):
                self.messages.append(Message(len(self.messages) + 1, code, part, error))
        self._notify()

    def report(self, error: OracleError) -> None:
        """An error that the job survives."""
        self.errors += 1
        self.emit(f"ORA-{error.code:05d}: {error.text}", error=True, code=error.code)

    async def changed(self, seconds: float | None) -> None:
        """Wait until there is a new message or state, at most `seconds`."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), seconds)

    def _notify(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    async def set_state(self, state: str) -> None:
        self.state = state
        shown = "NOT RUNNING" if state == "STOPPED" else state
        await self.pump.save_state(self, shown)
        self._notify()

    async def start(self, log_path: Path | None, connection: Connection) -> None:
        """Begin or resume in the background; `connection` becomes the job's master process.

        Raises ORA-39002 over ORA-39070 when the log cannot be opened.
        """
        definition = self.definition
        timed = definition.parameter("LOGTIME", "NONE") in ("LOGFILE", "ALL")
        try:
            self._log = logfile.LogFile(log_path, logtime=timed, append=self.restarted)
        except OracleError as error:
            raise below(error, (39002,)) from None
        # A job stopped a moment later must be able to go on from its master table.
        await self.pump.save_definition(self)
        self.started_at = datetime.now()
        self.stopping = None
        self._ending = False
        self.state = "EXECUTING"
        self._task = asyncio.create_task(self._run(connection), name=f"Data Pump {self.title}")
        # A task cancelled before its first step would never reach its own ending.
        await asyncio.sleep(0)

    async def stop(self, *, immediate: bool, keep_master: bool, delay: float) -> None:
        """End the job.

        At the next table data object, or at once. Without the master table it cannot be resumed.
        """
        async with self.changing:
            running = self.active
        if running:
            assert self._task is not None
            self.stopping = "stopped by user request"
            if not self._ending:  # else it would be written after what the job has ended as
                await self.set_state("STOPPING" if immediate else "STOP PENDING")
            if not immediate:
                await asyncio.wait([self._task], timeout=delay)
            if not self._task.done():
                self._cancel()
                await asyncio.wait([self._task])
        async with self.changing:
            if not keep_master:
                connection = await self.pump.connections.connect()
                try:
                    await self._discard(connection)
                finally:
                    await connection.close()
            elif self.state in ("IDLING", "DEFINING"):
                await self.set_state("STOPPED")

    async def abandon(self) -> None:
        """The server stops: leave everything as a killed server would, to be resumed."""
        if self.active and self._task is not None:
            self.stopping = ""
            self._cancel()
            await asyncio.wait([self._task])
        self._log.close()

    def _cancel(self) -> None:
        """Only once: a second cancellation would hit the task while it cleans up, and it would never end."""
        if self._task is not None and not self._ending:
            self._ending = True
            self._task.cancel()

    async def wait(self) -> str:
        while not self.finished:
            await self.changed(5)
        return self.state

    async def _run(self, connection: Connection) -> None:
        ticker = asyncio.create_task(self._tick())
        final, sid = "STOPPED", 0
        try:
            sid = await self.pump.database.processes.begin(self.definition, "MASTER", "DM00", connection)
            await self.set_state("EXECUTING")
            if self.definition.operation == "EXPORT":
                await Exporter(self, connection).run()
            else:
                await run_import(self, connection)
            if self.stopping is None:
                final = "COMPLETED"
            elif self.stopping:
                self._end(self.stopping, 3)
        except asyncio.CancelledError:
            if self.stopping:
                self._end(self.stopping, 3)
        except WorkerDied as death:
            worker = death.args[0]
            self.errors += 1
            self.emit(line(39014) + "\n" + line(39029, worker, f"DW{worker - 1:02d}"), error=True, code=39014)
            self._end("stopped due to fatal error", 4)
        except OracleError as error:
            self.report(error)
            self._end("stopped due to fatal error", 4)
        except Exception as error:
            self.report(stack((39097, type(error).__name__, str(error).split("\n")[0])))
            self._end("stopped due to fatal error", 4)
        finally:
            self._ending = True
            ticker.cancel()
            self._log.close()
            for worker in self.workers:
                worker.state = "UNDEFINED"
            with suppress(psycopg.Error, OSError):
                if final == "COMPLETED":
                    await self._clear_away(connection)
            await self.pump.database.processes.end(sid)
            with suppress(psycopg.Error, OSError):
                await self.pump.connections.give_back(connection)
            with suppress(psycopg.Error, OSError):
                await self.pump.end_longops(self)
                await self.pump.finished(self, final)
            self.state = final
            self._notify()

    async def _clear_away(self, connection: Connection) -> None:
        """In this order: without the claims a job that can still be started again would take its own dump
        files for others'."""
        if not self.definition.parameter("KEEP_MASTER", 0):
            await self.master.drop(connection)
        if self.definition.operation == "EXPORT":
            FilePool(self.definition).claims.remove()

    def _end(self, reason: str, term_reason: int) -> None:
        moment = datetime.now()
        took = moment - (self.started_at or moment)
        self.term_reason = term_reason
        language = self.definition.language
        self.emit(logfile.ending(self.title, self.errors, moment, took, reason, language))

    def complete(self) -> None:
        self._end("", 2 if self.errors else 1)

    def starting(self) -> None:
        if self.restarted:
            self.emit(
                f"Job {self.definition.name} has been reopened at {datetime.now():%a %b %d %H:%M:%S %Y}"
            )
            self.emit(f"Restarting {self.title}:  {self.definition.parameter('CLIENT_COMMAND', '')}")
        else:
            self.emit(f"Starting {self.title}:  {self.definition.parameter('CLIENT_COMMAND', '')}")

    def prefix(self, worker: int = 1) -> str:
        return f"W-{worker} " if self.definition.parameter("METRICS", 0) else ""

    def processing(self, paths: list[str]) -> None:
        for path in dict.fromkeys(paths):
            self.emit(self.prefix() + self.phrases.object_type.format(path=path))

    def control_table_moved(self) -> None:
        self.emit(self.prefix() + self.phrases.control_table.format(title=self.title))

    def completed(self, what: str, count: int, seconds: float) -> None:
        """What METRICS adds behind the objects of one type."""
        if self.definition.parameter("METRICS", 0):
            self.emit(f"{self.prefix()}     Completed {count} {what} objects in {seconds:.0f} seconds")

    def metrics(self, seconds: float, method: str) -> str:
        return f" in {seconds:.0f} seconds using {method}" if self.definition.parameter("METRICS", 0) else ""

    async def _discard(self, connection: Connection) -> None:
        """Drop the master table; the dump files of an export go with it."""
        await self.master.drop(connection)
        if self.definition.operation == "EXPORT":
            pool = FilePool(self.definition)
            for path in pool.paths():
                path.unlink(missing_ok=True)
            pool.claims.remove()
        self.state = "STOPPED"
        await self.pump.forget(self)
        self._notify()

    async def progress(self) -> tuple[int, int]:
        """Bytes processed and bytes in all; running objects count by PostgreSQL's own progress report."""
        total = sum(row.data.bytes for row in self.rows if row.data is not None)
        done = sum(row.data.bytes for row in self.rows if row.data is not None and row.state != READY)
        running = {worker.backend: worker.row for worker in self.workers if worker.row is not None}
        for backend, moved in (await self.pump.copy_progress(list(running))).items():
            row = running[backend]
            if row is not None and row.data is not None:
                done += min(moved, row.data.bytes)
        return (total if self.state == "COMPLETED" else min(done, total)), total

    async def _tick(self) -> None:
        """Keep V$SESSION_LONGOPS up to date."""
        while True:
            await asyncio.sleep(1)
            with suppress(psycopg.Error):
                done, total = await self.progress()
                await self.pump.save_longops(self, done, total)

    @property
    def log_path(self) -> str | None:
        file = self.definition.file(LOG_FILE)
        return file.path if file else None
