"""All Data Pump jobs of a database: opening, attaching, their rows in the dictionary, control hooks."""

from __future__ import annotations

import asyncio
import uuid
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg

from localoracle.datapump import limits
from localoracle.datapump.connections import Connections
from localoracle.datapump.definition import MODES, OPERATIONS, Definition, invalid
from localoracle.datapump.errors import below, stack
from localoracle.datapump.job import Job
from localoracle.datapump.master import Master
from localoracle.datapump.remote import Remote
from localoracle.datapump.selection import Connection
from localoracle.errors import OracleError, not_supported
from localoracle.instance import links
from localoracle.postgres import privileges
from localoracle.tasks import in_thread

if TYPE_CHECKING:
    from localoracle.server.database import Database
    from localoracle.session.session import Session


NOT_AWAITED = "SET synchronous_commit = off"
"""For what a restarted job or server finds out again: its commits need not wait for the disk.

Committed changes still reach the disk in their order, so a later awaited commit includes them.
"""


@dataclass(eq=False)
class Attachment:
    """A session's handle on a job, and how much of its messages the session has been given."""

    job: Job
    sid: int
    seen_wip: int = 0
    seen_errors: int = 0


class DataPump:
    """The jobs of one server process. `slow_lobs`: unloads begun now wait for each LOB."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.connections = Connections(database.cluster.conninfo)
        self.slow_lobs = False
        self._jobs: dict[tuple[str, str], Job] = {}
        self._full: set[str] = set()
        self._lock = asyncio.Lock()
        self._control: Connection | None = None
        self._control_lock = asyncio.Lock()

    async def delay_lobs(self, milliseconds: int) -> None:
        """For demonstrations: how long an unload waits for a LOB out of its row. 0 also ends the waiting of
        unloads that have begun."""
        self.slow_lobs = milliseconds > 0
        await self._execute("SELECT setval('localoracle.lob_delay', %s)", [milliseconds])

    async def start(self) -> None:
        """After a crash, jobs that were running have no processes any more."""
        await self._execute(
            "UPDATE localoracle.datapump_jobs SET state = 'NOT RUNNING', attached_sessions = 0, "
            "datapump_sessions = 0"
        )
        await self._execute("DELETE FROM localoracle.resumable")
        await self._execute(
            "DELETE FROM localoracle.datapump_jobs WHERE to_regclass(format('%I.%I', owner_name, "
            "job_name)) IS NULL"
        )

    async def close(self) -> None:
        """The server is stopping: running jobs are left to be resumed."""
        for job in list(self._jobs.values()):
            await job.abandon()
        await self.start()
        await self.connections.close()
        if self._control is not None:
            await self._control.close()

    @property
    def pipes(self) -> Path:
        """A folder of the server's own that PostgreSQL's user may pass."""
        return self.database.cluster.socket_directory

    async def open(
        self, session: Session, operation: str, mode: str, name: str | None, remote_link: str | None
    ) -> Attachment:
        """DBMS_DATAPUMP.OPEN: a new job in state DEFINING with its master table.

        Raises ORA-39001, ORA-31634 for a job of that name, ORA-31626 over ORA-31633 when the master table
        cannot be made, over ORA-39391 when there are too many jobs.
        """
        operation, mode = (operation or "").upper(), (mode or "").upper()
        if operation not in OPERATIONS or mode not in MODES:
            raise invalid()
        if remote_link is not None and operation != "IMPORT":
            raise not_supported(f"Data Pump {operation} over a database link")
        if mode in ("TABLESPACE", "TRANSPORTABLE") or (operation == "EXPORT" and mode == "FULL"):
            raise not_supported(f"Data Pump {operation} in {mode} mode")
        owner = session.user
        direction = "EXP" if operation == "EXPORT" else "IMP"
        privileged = await privileges.has(session, f"DATAPUMP_{direction}_FULL_DATABASE")
        if remote_link is not None:
            remote_link = await self._check_link(owner, remote_link, privileged=privileged)
        async with self._lock:
            if name is None:
                name = await self._free_name(owner, f"SYS_{operation}_{mode}")
            if len(name.encode()) > 128:
                raise invalid()
            if (owner, name) in self._jobs or await self._stored(owner, name) is not None:
                raise stack((31634,))
            await limits.check_jobs(self.database, len(self._jobs), owner, name)
            own = await privileges.has(session, "CREATE TABLE")
            if not own and not await privileges.has(session, "CREATE ANY TABLE"):
                raise stack((31626,), (31633, owner, name), (1031,))
            definition = Definition(
                operation,
                mode,
                owner,
                name,
                session.user,
                privileged=privileged,
                remote_link=remote_link,
                guid=uuid.uuid4().hex.upper(),
                created=f"{datetime.now():%Y-%m-%d %H:%M:%S}",
                language=session.settings.language,
            )
            job = Job(self, definition)
            try:
                async with self._control_lock:
                    await job.master.create(await self._control_connection(), definition)
            except (psycopg.errors.DuplicateTable, psycopg.errors.UniqueViolation):
                raise stack((31626,), (31633, owner, name), (955,)) from None
            except psycopg.errors.InvalidSchemaName:
                raise stack((31626,), (31633, owner, name), (1031,)) from None
            await self._execute(
                "INSERT INTO localoracle.datapump_jobs (owner_name, job_name, operation, job_mode, "
                "state) VALUES (%s, %s, %s, %s, %s)"
                " ON CONFLICT (owner_name, job_name) DO UPDATE SET operation = excluded.operation, "
                "job_mode = excluded.job_mode,"
                " state = excluded.state, attached_sessions = 0, datapump_sessions = 0",
                [owner, name, operation, mode, job.state],
            )
            self._jobs[owner, name] = job
        return await self._attach(job, session)

    async def _check_link(self, owner: str, name: str, *, privileged: bool) -> str:
        """The link's name, once the other end has let its user in.

        Raises ORA-39001 over ORA-39200 and the cause, ORA-31631 over ORA-39149 when the job's user may do
        more here than the link's user there.
        """
        try:
            link = await links.find(self.database, owner, name)
            remote = Remote(self.database.instance, link)
            try:
                privileged_there = await in_thread(lambda: remote.privileged)
            finally:
                await in_thread(remote.close)
        except OracleError as error:
            raise below(error, (39001,), (39200, name)) from None
        if privileged and not privileged_there:
            raise stack((31631,), (39149,))
        return link.name

    async def attach(self, session: Session, name: str | None, owner: str | None) -> Attachment:
        """DBMS_DATAPUMP.ATTACH. A job without processes is brought to IDLING from its master table.

        Raises ORA-31626 when there is no such job, ORA-31631 for another user's without the role.
        """
        owner = owner or session.user
        if name is None:
            rows = await self._execute(
                "SELECT job_name FROM localoracle.datapump_jobs WHERE owner_name = %s", [owner]
            )
            if len(rows) != 1:
                raise stack((31626,))
            name = rows[0][0]
        assert name is not None
        async with self._lock:
            job = self._jobs.get((owner, name))
            if job is not None and job.state == "DEFINING":
                raise stack((31626,))
            if job is None:
                definition = await self._stored(owner, name)
                if definition is None:
                    raise stack((31626,))
                job = Job(self, definition, restarted=True)
            if owner != session.user:
                direction = "EXP" if job.definition.operation == "EXPORT" else "IMP"
                if not await privileges.has(session, f"DATAPUMP_{direction}_FULL_DATABASE"):
                    raise stack((31631,))
            if (owner, name) not in self._jobs:
                await limits.check_jobs(self.database, len(self._jobs), owner, name)
                self._jobs[owner, name] = job
                await self._execute(
                    "INSERT INTO localoracle.datapump_jobs (owner_name, job_name, operation, "
                    "job_mode, state) VALUES (%s, %s, %s, %s, %s)"
                    " ON CONFLICT (owner_name, job_name) DO UPDATE SET state = excluded.state",
                    [owner, name, job.definition.operation, job.definition.mode, job.state],
                )
        return await self._attach(job, session)

    async def _attach(self, job: Job, session: Session) -> Attachment:
        attachment = Attachment(job, session.sid, seen_wip=len(job.messages), seen_errors=len(job.messages))
        job.attached += 1
        await self.save_state(job, job.state)
        await self._execute(
            "INSERT INTO localoracle.datapump_sessions (owner_name, job_name, sid, session_type) "
            "VALUES (%s, %s, %s, 'DBMS_DATAPUMP')",
            [job.definition.owner, job.definition.name, session.sid],
        )
        return attachment

    async def detach(self, attachment: Attachment) -> None:
        """DBMS_DATAPUMP.DETACH or the end of the session.

        A job that nobody has started goes with its last session.
        """
        job = attachment.job
        job.attached -= 1
        key = job.definition.owner, job.definition.name
        await self._execute(
            "DELETE FROM localoracle.datapump_sessions WHERE owner_name = %s AND job_name = %s AND sid = %s"
            " AND session_type = 'DBMS_DATAPUMP'",
            [*key, attachment.sid],
        )
        if job.attached <= 0 and job.state == "DEFINING":
            await job.stop(immediate=True, keep_master=False, delay=0)
        elif job.attached <= 0 and job.state == "IDLING":
            job.state = "STOPPED"
            await self.finished(job, "STOPPED")
        elif self._jobs.get(key) is job:
            await self.save_state(job, job.state)

    async def save_state(self, job: Job, state: str) -> None:
        definition = job.definition
        workers = job.definition.degree + 1 if job.active else 0
        await self._execute(
            "UPDATE localoracle.datapump_jobs SET state = %s, degree = %s, attached_sessions = %s, "
            "datapump_sessions = %s"
            " WHERE owner_name = %s AND job_name = %s",
            [
                state,
                definition.degree,
                job.attached,
                job.attached + workers,
                definition.owner,
                definition.name,
            ],
        )

    async def save_definition(self, job: Job) -> None:
        """Bring the definition in the job's master table up to date; it survives whatever happens next."""
        async with self._control_lock:
            connection = await self._control_connection()
            async with connection.transaction():
                await connection.execute("SET LOCAL synchronous_commit = on")
                await job.master.save_definition(connection, job.definition)

    async def finished(self, job: Job, state: str) -> None:
        """The job's processes are gone.

        A completed job leaves the dictionary unless its master table stays.
        """
        definition = job.definition
        # A session that attaches meanwhile finds this job or the next one, not a row about to change.
        async with self._lock:
            self._jobs.pop((definition.owner, definition.name), None)
            if state == "COMPLETED" and not definition.parameter("KEEP_MASTER", 0):
                await self._forget_row(definition)
            else:
                await self.save_state(job, "NOT RUNNING")

    async def forget(self, job: Job) -> None:
        """The job is gone with its master table."""
        self._jobs.pop((job.definition.owner, job.definition.name), None)
        await self._forget_row(job.definition)

    async def _forget_row(self, definition: Definition) -> None:
        await self._execute(
            "DELETE FROM localoracle.datapump_jobs WHERE owner_name = %s AND job_name = %s",
            [definition.owner, definition.name],
        )

    async def _stored(self, owner: str, name: str) -> Definition | None:
        """The definition in the master table of a job without processes."""
        async with self._control_lock:
            return await Master(owner, name).definition(await self._control_connection())

    async def _free_name(self, owner: str, prefix: str) -> str:
        rows = await self._execute(
            "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE "
            "n.nspname = %s",
            [owner],
        )
        taken = {row[0] for row in rows}
        for number in range(1, 100):
            name = f"{prefix}_{number:02d}"
            if name not in taken:
                return name
        raise stack((31626,), (31633, owner, f"{prefix}_99"), (955,))

    async def copy_progress(self, backends: list[int]) -> dict[int, int]:
        """Bytes that the COPY of each of these PostgreSQL processes has moved."""
        if not backends:
            return {}
        rows = await self._execute(
            "SELECT pid, bytes_processed FROM pg_stat_progress_copy WHERE pid = ANY(%s)", [backends]
        )
        return {int(row[0]): int(row[1]) for row in rows}

    async def save_longops(self, job: Job, done: int, total: int) -> None:
        """V$SESSION_LONGOPS.

        OPNAME is the job, TARGET_DESC the operation, amounts are MB (Oracle Database Utilities).
        """
        definition = job.definition
        megabytes = round(done / 1048576), max(1, round(total / 1048576))
        message = f"{definition.name}: {definition.operation} : {megabytes[0]} out of {megabytes[1]} MB done"
        updated = await self._execute(
            "UPDATE localoracle.session_longops SET sofar = %s, totalwork = %s, message = %s, "
            "last_update_time = localtimestamp(0)"
            " WHERE username = %s AND opname = %s RETURNING id",
            [*megabytes, message, definition.owner, definition.name],
        )
        if not updated:
            await self._execute(
                "INSERT INTO localoracle.session_longops (sid, username, opname, target_desc, "
                "sofar, totalwork, units, message)"
                " VALUES (0, %s, %s, %s, %s, %s, 'MB', %s)",
                [definition.owner, definition.name, definition.operation, *megabytes, message],
            )

    async def end_longops(self, job: Job) -> None:
        await self._execute(
            "DELETE FROM localoracle.session_longops WHERE username = %s AND opname = %s",
            [job.definition.owner, job.definition.name],
        )

    def is_full(self, directory: Path) -> bool:
        return str(directory) in self._full

    def set_full(self, directory: str, full: bool) -> None:
        """Control hook: exports into the directory find no space."""
        (self._full.add if full else self._full.discard)(str(Path(directory)))

    async def kill_worker(self, owner: str, name: str) -> bool:
        """Control hook: end the first working worker's connection. False when none works."""
        async with self._control_lock:
            connection = await self._control_connection()
            job = self._jobs.get((owner, name))
            for worker in job.workers if job is not None else []:
                if worker.row is not None and worker.backend:
                    await connection.execute("SELECT pg_terminate_backend(%s)", [worker.backend])
                    return True
        return False

    async def _control_connection(self) -> Connection:
        if self._control is None or self._control.closed:
            self._control = await self.connections.connect()
            await self._control.execute(NOT_AWAITED)
        return self._control

    async def _execute(self, statement: str, values: list[Any] | None = None) -> list[tuple[Any, ...]]:
        """A bookkeeping statement on the connection kept for them."""
        async with self._control_lock:
            cursor = await (await self._control_connection()).execute(statement, values)
            return await cursor.fetchall() if cursor.description else []
