"""A job: its state, its messages, and the sequence from START_JOB to the last line of the log.

States are those of GET_STATUS: DEFINING, EXECUTING, COMPLETING, COMPLETED, STOP PENDING, STOPPING,
STOPPED, IDLING; a job without processes is NOT RUNNING in DBA_DATAPUMP_JOBS (Oracle Database
Utilities, "The Data Pump API").
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg

from localoracle.engine.datapump import container, logfile, plan, transfer
from localoracle.engine.datapump.definition import LOG_FILE, SQL_FILE, Definition
from localoracle.engine.datapump.errors import below, from_postgres, line, stack
from localoracle.engine.datapump.importing import Importer
from localoracle.engine.datapump.master import DONE, READY, SKIPPED, Master, Row
from localoracle.engine.datapump.pool import FilePool, OpenFile
from localoracle.engine.datapump.selection import Connection
from localoracle.errors import OracleError

if TYPE_CHECKING:
    from localoracle.engine.datapump.manager import DataPump

FINISHED = ("COMPLETED", "STOPPED")


@dataclass
class Message:
    """One line that GET_STATUS hands out; `code` is 0 or the ORA number, `error` tells JOB_ERROR from WIP."""

    number: int
    code: int
    text: str
    error: bool


@dataclass
class Worker:
    """What one worker process is doing, for KU$_WORKERSTATUS."""

    number: int
    state: str = "IDLE"
    row: Row | None = None
    backend: int = 0
    """Process id in PostgreSQL."""
    completed_objects: int = 0
    total_objects: int = 0
    rows: int = 0
    bytes: int = 0
    since: datetime = field(default_factory=datetime.now)


class WorkerDied(Exception):
    """A worker's database connection is gone."""


class Job:
    """One Data Pump job of this server process."""

    def __init__(self, pump: DataPump, definition: Definition, *, restarted: bool = False) -> None:
        self.pump = pump
        self.definition = definition
        self.master = Master(definition.owner, definition.name)
        self.state = "IDLING" if restarted else "DEFINING"
        self.restart_count = 0
        self.messages: list[Message] = []
        self.workers: list[Worker] = []
        self.rows: list[Row] = []
        self.errors = 0
        self.attached = 0
        self.term_reason: int | None = None
        self.started_at: datetime | None = None
        self._restarted = restarted
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._stopping: str | None = None
        self._log = logfile.LogFile(None, logtime=False)
        self._pool: FilePool | None = None
        self._queue: list[Row] = []
        self._began = time.monotonic()

    @property
    def title(self) -> str:
        return f'"{self.definition.owner}"."{self.definition.name}"'

    @property
    def finished(self) -> bool:
        return self.state in FINISHED

    @property
    def active(self) -> bool:
        return self._task is not None and not self._task.done()

    def emit(self, text: str, *, error: bool = False, code: int = 0, to_status: bool = True) -> None:
        """Write a message to the log and to everybody who asks with GET_STATUS."""
        self._log.write(text)
        if to_status:
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

    def start(self, log_path: Path | None) -> None:
        """Begin or resume in the background.

        Raises ORA-39002 over ORA-39070 when the log cannot be opened.
        """
        definition = self.definition
        timed = definition.parameter("LOGTIME", "NONE") in ("LOGFILE", "ALL")
        try:
            self._log = logfile.LogFile(log_path, logtime=timed, append=self._restarted)
        except OracleError as error:
            raise below(error, (39002,)) from None
        self.started_at = datetime.now()
        self._began = time.monotonic()
        self._stopping = None
        self.state = "EXECUTING"
        self._task = asyncio.create_task(self._run(), name=f"Data Pump {self.title}")

    async def stop(self, *, immediate: bool, keep_master: bool, delay: float) -> None:
        """End the job.

        At the next table data object, or at once. Without the master table it cannot be resumed.
        """
        if self.active:
            assert self._task is not None
            self._stopping = "stopped by user request"
            await self.set_state("STOPPING" if immediate else "STOP PENDING")
            if not immediate:
                await asyncio.wait([self._task], timeout=delay)
            if not self._task.done():
                self._task.cancel()
                await asyncio.wait([self._task])
        if not keep_master:
            connection = await self.pump.connect()
            try:
                await self._discard(connection)
            finally:
                await connection.close()
        elif self.state in ("IDLING", "DEFINING"):
            await self.set_state("STOPPED")

    async def abandon(self) -> None:
        """The server stops: leave everything as a killed server would, to be resumed."""
        if self.active and self._task is not None:
            self._stopping = ""
            self._task.cancel()
            await asyncio.wait([self._task])
        self._log.close()

    async def wait(self) -> str:
        while not self.finished:
            await self.changed(5)
        return self.state

    async def _run(self) -> None:
        connection = await self.pump.connect()
        ticker = asyncio.create_task(self._tick())
        final = "STOPPED"
        try:
            await self.set_state("EXECUTING")
            await self.master.save_definition(connection, self.definition)
            if self.definition.operation == "EXPORT":
                await self._export(connection)
            else:
                await self._import(connection)
            if self._stopping is None:
                final = "COMPLETED"
            elif self._stopping:
                self._end(self._stopping, 3)
        except asyncio.CancelledError:
            if self._stopping:
                self._end(self._stopping, 3)
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
            ticker.cancel()
            self._log.close()
            for worker in self.workers:
                worker.state = "UNDEFINED"
            with suppress(psycopg.Error, OSError):
                if final == "COMPLETED" and not self.definition.parameter("KEEP_MASTER", 0):
                    await self.master.drop(connection)
                await self.pump.end_longops(self)
                await self.pump.finished(self, final)
            await connection.close()
            self.state = final
            self._notify()

    def _end(self, reason: str, term_reason: int) -> None:
        now = datetime.now()
        took = now - (self.started_at or now)
        self.term_reason = term_reason
        self.emit(logfile.ending(self.definition.owner, self.definition.name, self.errors, now, took, reason))

    def _complete(self) -> None:
        self._end("", 2 if self.errors else 1)

    def _starting(self) -> None:
        if self._restarted:
            self.emit(
                f"Job {self.definition.name} has been reopened at {datetime.now():%a %b %d %H:%M:%S %Y}"
            )
            self.emit(f"Restarting {self.title}:  {self.definition.parameter('CLIENT_COMMAND', '')}")
        else:
            self.emit(f"Starting {self.title}:  {self.definition.parameter('CLIENT_COMMAND', '')}")

    def _prefix(self, worker: int = 1) -> str:
        return f"W-{worker} " if self.definition.parameter("METRICS", 0) else ""

    def _processing(self, paths: list[str]) -> None:
        for path in dict.fromkeys(paths):
            self.emit(f"{self._prefix()}Processing object type {path}")

    async def _export(self, connection: Connection) -> None:
        definition = self.definition
        self._starting()
        self.rows = await self.master.rows(connection) if self._restarted else []
        if not self.rows:
            self.rows = await plan.export_rows(connection, definition, self.report)
            await self.master.add(connection, self.rows)
        data = [row for row in self.rows if row.data is not None]
        method = definition.parameter("ESTIMATE", "BLOCKS")
        estimate_only = definition.parameter("ESTIMATE_ONLY", 0)
        if not self._restarted:
            self.emit(f"{self._prefix()}Estimate in progress using {method} method...")
            self._processing([row.path for row in data])
            for row in data if estimate_only else []:
                assert row.data is not None
                self.emit(logfile.estimated(row.data.title(), row.data.bytes))
            number, unit = logfile.size(sum(row.data.bytes for row in data if row.data))
            self.emit(f"Total estimation using {method} method: {number} {unit}")
        if not self.rows:
            self.report(stack((31655,)))
        if estimate_only or not self.rows:
            self._complete()
            return
        pool = self._pool = FilePool(definition)
        written: dict[Path, int] = {}
        for row in data:
            for path, offset, length, _ in row.data.pieces if row.data and row.state == DONE else []:
                written[Path(path)] = max(written.get(Path(path), 0), offset + length)
        pool.open(written)
        self._processing([row.path for row in self.rows if row.data is None])
        await self._move([row for row in data if row.state == READY], self._unload, pool.limit)
        if self._stopping is not None:
            return
        await self.set_state("COMPLETING")
        paths = await self._seal(pool)
        self.emit(f"{self._prefix()}Master table {self.title} successfully loaded/unloaded")
        self.emit(
            "*" * 78
            + f"\nDump file set for {definition.owner}.{definition.name} is:\n"
            + "\n".join(f"  {path}" for path in paths)
        )
        pool.claims.remove()
        self._complete()

    async def _seal(self, pool: FilePool) -> list[Path]:
        """Number the files, append their directories and the master data."""
        paths = [path for path in pool.paths() if path.exists()]
        if not paths:
            file = await pool.acquire()
            paths = [file.path]
        numbers = {str(path): number for number, path in enumerate(paths, 1)}
        by_file: dict[int, list[list[int]]] = {number: [] for number in numbers.values()}
        described = []
        for row in self.rows:
            raw: dict[str, Any] = {
                "path": row.path,
                "kind": row.kind,
                "schema": row.schema,
                "name": row.name,
                "base": row.base,
            }
            if row.data is None:
                raw["ddl"] = row.ddl
            elif row.state == DONE:
                raw["data"] = row.data.to_json()
                raw["data"]["pieces"] = [[numbers[piece[0]], *piece[1:]] for piece in row.data.pieces]
                for piece in raw["data"]["pieces"]:
                    by_file[piece[0]].append([row.order, *piece[1:]])
            else:
                continue
            described.append(raw)
        smallest = min(paths, key=lambda path: (path.stat().st_size, numbers[str(path)]))
        for path in paths:
            header = pool.header()
            header.number, header.file_count = numbers[str(path)], len(paths)
            header.database = self.pump.database.instance.service_name
            header.codec = transfer.codec(self.definition)
            directory: dict[str, Any] = {"segments": by_file[header.number]}
            if path == smallest:
                header.has_master = True
                directory["master"] = {
                    "mode": self.definition.mode,
                    "scn": self.definition.parameter("FLASHBACK_SCN"),
                    "rows": described,
                }
            await asyncio.to_thread(container.finish, path, header, directory)
        return paths

    async def _import(self, connection: Connection) -> None:
        dump = await plan.open_set(self.definition)
        self.rows = await self.master.rows(connection) if self._restarted else []
        if not self.rows:
            self.rows = await plan.import_rows(connection, self.definition, dump, self.report)
            await self.master.add(connection, self.rows)
        self.emit(f"{self._prefix()}Master table {self.title} successfully loaded/unloaded")
        self._starting()
        if not self.rows:
            self.report(stack((31655,)))
        sql_file = self.definition.file(SQL_FILE)
        importer = Importer(self, connection, dump, Path(sql_file.path) if sql_file else None)
        try:
            before = [row for row in self.rows if row.kind in plan.BEFORE_DATA]
            after = [row for row in self.rows if row.kind not in plan.BEFORE_DATA and row.data is None]
            self._processing([row.path for row in before if row.kind != "TRUNCATE"])
            for row in before:
                await importer.before(row)
            if self.definition.operation == "IMPORT":
                data = [row for row in self.rows if row.data is not None and row.state == READY]
                self._processing([row.path for row in data])
                await self._move(data, importer.load, None)
            if self._stopping is not None:
                return
            self._processing([row.path for row in after if row.state != SKIPPED])
            for row in after:
                await importer.after(row)
        finally:
            await importer.close()
        await self.set_state("COMPLETING")
        self._complete()

    async def _move(
        self,
        rows: list[Row],
        move: Callable[[Connection, Worker, Row], Awaitable[str | None]],
        limit: int | None,
    ) -> None:
        """Process table data with `degree` workers, each with a connection of its own, largest object first.

        `move` returns the line for the log. An object that fails is reported and skipped; a worker whose
        connection dies ends the job.
        """
        self._queue = list(rows)
        count = min(self.definition.degree, len(rows), limit or len(rows))
        self.workers = [Worker(number) for number in range(1, count + 1)]
        tasks = [asyncio.create_task(self._work(worker, move)) for worker in self.workers]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _work(
        self, worker: Worker, move: Callable[[Connection, Worker, Row], Awaitable[str | None]]
    ) -> None:
        connection = await self.pump.connect()
        worker.backend = connection.info.backend_pid
        try:
            await connection.execute(
                "SELECT set_config('search_path', %s, false)",
                ['"{}", "SYS", ora'.format(self.definition.user.replace('"', '""'))],
            )
            while self._queue and self._stopping is None:
                row = self._queue.pop(0)
                worker.row, worker.state, worker.since = row, "EXECUTING", datetime.now()
                try:
                    done = await move(connection, worker, row)
                except OracleError as error:
                    if connection.closed:
                        raise WorkerDied(worker.number) from error
                    if error.code in (39095, 39059):
                        raise
                    await self._skip(connection, row, error)
                    continue
                except psycopg.Error as error:
                    if connection.closed:
                        raise WorkerDied(worker.number) from error
                    await self._skip(connection, row, from_postgres(error))
                    continue
                if done is not None:
                    self.emit(self._prefix(worker.number) + done)
                worker.completed_objects += 1
        except psycopg.OperationalError as error:
            raise WorkerDied(worker.number) from error
        finally:
            worker.state, worker.row = "IDLE", None
            if (
                not connection.closed
                and connection.info.transaction_status == psycopg.pq.TransactionStatus.ACTIVE
            ):
                # Cancelled in the middle of a statement: closing alone would let PostgreSQL finish it.
                with suppress(psycopg.Error):
                    await connection.cancel_safe(timeout=5)
            await connection.close()

    async def _skip(self, connection: Connection, row: Row, error: OracleError) -> None:
        assert row.data is not None
        if connection.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
            await connection.execute("ROLLBACK")
        row.state = SKIPPED
        await self.master.mark(connection, row, 0)
        self.report(
            below(error, (31693, row.data.title()), (2354,))
            if error.code not in (39034, 31619)
            else below(error, (31693, row.data.title()))
        )

    async def _unload(self, connection: Connection, worker: Worker, row: Row) -> str:
        assert row.data is not None
        assert self._pool is not None
        began = time.monotonic()
        scn = self.definition.parameter("FLASHBACK_SCN")
        snapshot = await self.pump.database.snapshots.snapshot(scn) if scn else None
        estimate = row.data.bytes
        file: OpenFile = await self._pool.acquire()
        kept = file.path, file.path.stat().st_size
        try:
            if self.pump.is_full(file.path.parent):
                raise stack((39095, container.HEADER_BYTES))
            await transfer.export_rows(
                connection, self.definition, row.data, file, self._pool, snapshot, self.pump.lob_delay
            )
        except OracleError:
            row.data.bytes, row.data.pieces = estimate, []
            # With a size limit the rest of a failed object may lie in other files as well; it is not listed
            # anywhere and harmless there.
            if kept[0].exists():
                os.truncate(kept[0], kept[1])
            raise
        finally:
            await self._pool.release(file)
        seconds = time.monotonic() - began
        row.state = DONE
        await self.master.mark(connection, row, seconds)
        worker.rows, worker.bytes = worker.rows + row.data.rows, worker.bytes + row.data.bytes
        return logfile.moved(
            "exported",
            row.data.title(),
            row.data.bytes,
            row.data.rows,
            metrics=self.metrics(
                seconds,
                "external_table"
                if self.definition.data_filter("SUBQUERY", row.schema, row.name)
                else "direct_path",
            ),
        )

    def metrics(self, seconds: float, method: str) -> str:
        return f" in {seconds:.0f} seconds using {method}" if self.definition.parameter("METRICS", 0) else ""

    async def _discard(self, connection: Connection) -> None:
        """Drop the master table; the dump files of an export go with it."""
        await self.master.drop(connection)
        if self.definition.operation == "EXPORT":
            pool = self._pool or FilePool(self.definition)
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
