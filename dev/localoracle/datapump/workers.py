"""The worker processes of a job: each takes table data objects from one queue, on a connection of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

import psycopg

from localoracle.datapump.errors import below
from localoracle.datapump.master import SKIPPED, Row
from localoracle.datapump.selection import Connection
from localoracle.errors import OracleError
from localoracle.postgres.errors import oracle_error

if TYPE_CHECKING:
    from localoracle.datapump.job import Job

_FATAL = (39095, 39059)
"""No file to write to, no file to read from: the job stops, to be resumed when that is mended."""
_ABOUT_THE_FILE = (39034, 31619)


@dataclass
class Worker:
    """What one worker process is doing, for KU$_WORKERSTATUS."""

    number: int
    state: str = "IDLE"
    row: Row | None = None
    backend: int = 0
    """Process id in PostgreSQL."""
    sid: int = 0
    """Of its session, while it works."""
    completed_objects: int = 0
    rows: int = 0
    bytes: int = 0
    since: datetime = field(default_factory=datetime.now)

    @property
    def process(self) -> str:
        """Its name as Oracle's background processes are named."""
        return f"DW{self.number - 1:02d}"


class WorkerDied(Exception):
    """A worker's database connection is gone."""


Move = Callable[[Connection, Worker, Row], Awaitable[str]]
"""Moves one table data object and returns the line for the log."""


async def move_all(job: Job, rows: list[Row], move: Move, limit: int | None) -> None:
    """Process table data with the job's degree of workers (at most `limit`), in the order of `rows`.

    An object that fails is reported and skipped. Raises WorkerDied when a worker's connection is gone,
    ORA-39095 when there is no more room.
    """
    queue = list(rows)
    count = min(job.definition.degree, len(rows), limit or len(rows))
    job.workers = [Worker(number) for number in range(1, count + 1)]
    tasks = [asyncio.create_task(_work(job, worker, queue, move)) for worker in job.workers]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _work(job: Job, worker: Worker, queue: list[Row], move: Move) -> None:
    connection, processes = await job.pump.connections.borrow(), job.pump.database.processes
    worker.backend = connection.info.backend_pid
    try:
        worker.sid = await processes.begin(job.definition, "WORKER", worker.process, connection)
        path = '"{}", "SYS", ora'.format(job.definition.user.replace('"', '""'))
        # An unload whose mark is lost is done again; rows of an import and their mark must stay together.
        commit = "off" if job.definition.operation == "EXPORT" else "on"
        await connection.execute(
            # A worker is one process: what its rows are filtered with must not start more of them.
            "SELECT set_config('search_path', %s, false), set_config('synchronous_commit', %s, false),"
            " set_config('max_parallel_workers_per_gather', '0', false),"
            # Rows in an archive go along.
            " set_config('localoracle.row_archival_visibility', 'ALL', false)",
            [path, commit],
        )
        while queue and job.stopping is None:
            row = queue.pop(0)
            worker.row, worker.state, worker.since = row, "EXECUTING", datetime.now()
            try:
                done = await move(connection, worker, row)
            except (OracleError, psycopg.Error) as error:
                if connection.closed:
                    raise WorkerDied(worker.number) from error
                reason = oracle_error(error) if isinstance(error, psycopg.Error) else error
                if reason.code in _FATAL:
                    raise reason from error
                await _skip(job, connection, row, reason)
                continue
            job.emit(job.prefix(worker.number) + done)
            worker.completed_objects += 1
    except psycopg.OperationalError as error:
        raise WorkerDied(worker.number) from error
    finally:
        worker.state, worker.row = "IDLE", None
        active = psycopg.pq.TransactionStatus.ACTIVE
        if not connection.closed and connection.info.transaction_status == active:
            # Cancelled in the middle of a statement: closing alone would let PostgreSQL finish it.
            with suppress(psycopg.Error):
                await connection.cancel_safe(timeout=5)
        await processes.end(worker.sid)
        await job.pump.connections.give_back(connection)


async def _skip(job: Job, connection: Connection, row: Row, error: OracleError) -> None:
    assert row.data is not None
    if connection.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
        await connection.execute("ROLLBACK")
    row.state = SKIPPED
    await job.master.mark(connection, row, 0)
    above = [(31693, row.data.title())] + ([] if error.code in _ABOUT_THE_FILE else [(2354,)])
    job.report(below(error, *above))
