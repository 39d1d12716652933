"""The server process of one stand-in database: PostgreSQL below, Oracle's wire protocol above."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import sql as pgsql

from localoracle.admin.passwords import make_verifier
from localoracle.capture.manager import SERVICE, CaptureManager
from localoracle.capture.sessions import CaptureSessions
from localoracle.datapump.manager import DataPump
from localoracle.datapump.processes import Processes
from localoracle.dictionary import creation
from localoracle.errors import OracleError
from localoracle.instance import environment, nls, settings
from localoracle.instance.activity import Activity
from localoracle.instance.cluster import Cluster
from localoracle.instance.config import DEFAULT_PASSWORD, PASSWORD_VARIABLE, Instance
from localoracle.instance.control_file import ControlFile
from localoracle.instance.creation import created_with
from localoracle.instance.idle_backends import IdleBackends
from localoracle.instance.redo import RedoLogs
from localoracle.instance.room import Room
from localoracle.instance.snapshots import Snapshots
from localoracle.postgres.privileges import session_role
from localoracle.postgres.types import TypeMap
from localoracle.scheduler.coordinator import SERVICE as SCHEDULER
from localoracle.scheduler.coordinator import Coordinator
from localoracle.server import bootstrap
from localoracle.server.control import Control
from localoracle.session.log import StatementLog
from localoracle.session.schema_names import (
    InvisibleColumns,
    RemoteSynonyms,
    StaleViews,
    TemporaryTables,
    UserPackages,
)
from localoracle.session.session import Client, Session
from localoracle.wire.connection import listen as open_listener

CONTROL = "control"
"""The service that commands reach a running server through (server/control.py)."""
BUILT_IN_USERS = ("SYS", "SYSTEM")


@dataclass(frozen=True)
class Account:
    """What a login needs to know about a user."""

    username: str
    salt: bytes
    verifier: bytes
    status: str
    may_connect: bool


class Database:
    """One running stand-in database; the rooms find each other through it.

    `snapshots` hands out SCNs, `services` holds what other rooms keep for the life of the server, by name.
    """

    snapshots: Snapshots
    redo: RedoLogs
    activity: Activity
    idle: IdleBackends
    types: TypeMap

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.cluster = Cluster(instance)
        self.sessions: dict[int, Session] = {}
        self.log = StatementLog()
        self.services: dict[str, Any] = {}
        self.room = Room()
        self.restarting = False
        self.container = "none"
        """What the instance plays, see instance/environment.py."""
        self.nls: dict[str, str] = {}
        """NLS parameters that sessions begin with, where they differ from those of AMERICAN_AMERICA."""
        self.synchronous_commit = True
        """Whether a commit waits for its redo unless the session wants it otherwise."""
        self.definitions = 0
        """Counts what changes objects or privileges, before and after it happens."""
        self.temporary_tables = TemporaryTables()
        self.user_packages = UserPackages()
        self.remote_synonyms = RemoteSynonyms()
        self.stale_views = StaleViews()
        self.invisible_columns = InvisibleColumns()
        self.processes = Processes(self)
        self.capture_sessions = CaptureSessions(self)
        self._sids = itertools.count(20)
        self._system: psycopg.AsyncConnection[Any] | None = None
        self._system_lock = asyncio.Lock()
        self._listener: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[Any]] = set()

    @property
    def port(self) -> int:
        """The port that is listened on (of use when the instance's port is 0)."""
        assert self._listener is not None
        return int(self._listener.sockets[0].getsockname()[1])

    async def start(self, *, listen: bool = True) -> None:
        """Start PostgreSQL, create or check the database, restore its state, listen on 127.0.0.1."""
        await self._open()
        if listen:
            self._listener = await open_listener(self, self.instance.port)

    async def stop(self) -> None:
        """End every session (uncommitted work is rolled back), then PostgreSQL."""
        if self._listener is not None:
            self._listener.close()
        for session in list(self.sessions.values()):
            await self.end_session(session)
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._shut()
        await asyncio.to_thread(self.cluster.close)
        self.log.close()

    async def restart(self, change: ControlFile) -> None:
        """SHUTDOWN IMMEDIATE, STARTUP MOUNT, a change of the control file, ALTER DATABASE OPEN.

        Clients stay connected to this process, but their sessions end (ORA-01089). When PostgreSQL does not
        start with the change, it is undone, and RuntimeError raised.
        """
        former = ControlFile.read(self.instance.root)
        self.restarting = True
        try:
            reason = OracleError(
                1089, "immediate shutdown or close in progress - no operations are permitted"
            )
            # Also those that were let in just before.
            while self.sessions:
                await self.end_session(next(iter(self.sessions.values())), reason)
            await self._shut()
            change.write(self.instance.root)
            try:
                await self._open()
            except RuntimeError:
                former.write(self.instance.root)
                await self._open()
                raise
        finally:
            self.restarting = False

    async def _open(self) -> None:
        await asyncio.to_thread(self._prepare)
        await self.temporary_tables.read(self)
        await self.user_packages.read(self)
        await self.remote_synonyms.read(self)
        await self.stale_views.read(self)
        await self.invisible_columns.read(self)
        await settings.apply(self)
        await environment.restore(self)
        parameters = await self.system("SELECT name, value FROM localoracle.parameters WHERE name ^@ 'nls_'")
        self.nls = {
            name: value for name, value in parameters if value and nls.USUAL.get(name, value) != value
        }
        self.snapshots = Snapshots(self)
        await self.snapshots.start()
        self.idle = IdleBackends()
        self.activity = self.services["activity"] = Activity(self)
        self.redo = self.services["redo"] = RedoLogs(self)
        await self.activity.start()
        await self.redo.start()
        await self._start_services()

    async def _shut(self) -> None:
        """Close the services and PostgreSQL. The control socket stays while the instance restarts."""
        for name, service in reversed(list(self.services.items())):
            if name == CONTROL and self.restarting:
                continue
            closing = getattr(service, "close", None)
            if closing is not None:
                outcome = closing()
                if asyncio.iscoroutine(outcome):
                    await outcome
        if hasattr(self, "snapshots"):
            await self.snapshots.close()
        if hasattr(self, "idle"):
            await self.idle.close()
        async with self._system_lock:
            if self._system is not None:
                await self._system.close()
        await asyncio.to_thread(self.cluster.stop)

    def _prepare(self) -> None:
        self.cluster.start()
        with self.cluster.connect() as connection:
            bootstrapped = connection.execute(
                "SELECT to_regclass('localoracle.bootstrap') IS NOT NULL"
            ).fetchone()
            if bootstrapped is not None and bootstrapped[0]:
                bootstrap.check(connection)
            else:
                bootstrap.create(connection)
                self._set_first_passwords(connection)
            creation.apply(connection, created_with())
            connection.execute(
                "SELECT localoracle.instance_started(%s, %s, %s, %s)",
                [
                    self.instance.name,
                    self.instance.port,
                    str(self.instance.dump_directory),
                    str(self.instance.dbfs_directory),
                ],
            )
            connection.execute(
                "INSERT INTO localoracle.instance_facts VALUES ('archive_directory', %s)"
                " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                [str(self.instance.archive_directory)],
            )
            connection.execute("SELECT localoracle.statistics_started()")
            self.types = TypeMap.load(connection)

    def _set_first_passwords(self, connection: psycopg.Connection[Any]) -> None:
        password = os.environ.get(PASSWORD_VARIABLE, DEFAULT_PASSWORD)
        for user in BUILT_IN_USERS:
            salt, verifier = make_verifier(password)
            connection.execute(
                "UPDATE localoracle.users SET password_salt = %s, password_hash = %s WHERE username = %s",
                [salt, verifier, user],
            )

    async def _start_services(self) -> None:
        """What works for the life of the server, which closes it when it stops."""
        pump = self.services["datapump"] = DataPump(self)
        await pump.start()
        capture = self.services[SERVICE] = CaptureManager(self)
        await capture.start()
        coordinator = self.services[SCHEDULER] = Coordinator(self)
        await coordinator.start()
        if CONTROL not in self.services:
            control = self.services[CONTROL] = Control(self)
            await control.start()

    # -- sessions ------------------------------------------------------------------------------------

    async def account(self, user: str) -> Account | None:
        """The user's verifier and status; None when there is no such user or it has no password."""
        rows = await self.system(
            "SELECT password_salt, password_hash, status, "
            "localoracle.has_privilege(localoracle.session_role(username), 'CREATE SESSION') "
            "OR username = 'SYS' FROM localoracle.users WHERE username = %s AND password_hash IS NOT NULL",
            [user],
        )
        return (
            Account(user, bytes(rows[0][0]), bytes(rows[0][1]), rows[0][2], bool(rows[0][3]))
            if rows
            else None
        )

    async def connect(self, role: str, schema: str) -> psycopg.AsyncConnection[Any]:
        """A PostgreSQL connection that acts as one of its roles (see `session_role`), with the search path of
        an Oracle schema; autocommit."""
        while (idle := self.idle.take()) is not None:
            with contextlib.suppress(psycopg.OperationalError):  # its PostgreSQL process was killed
                return await self._act_as(idle, role, schema)
        connection = await psycopg.AsyncConnection.connect(self.cluster.conninfo, autocommit=True)
        return await self._act_as(connection, role, schema)

    async def _act_as(
        self, connection: psycopg.AsyncConnection[Any], name: str, schema: str
    ) -> psycopg.AsyncConnection[Any]:
        try:
            # psycopg would DEALLOCATE ALL after DROP and ALTER, with it what the session has prepared itself.
            connection.prepare_threshold = None
            role = pgsql.Identifier(name).as_string(connection)
            path = self.search_path(schema).replace("'", "''")
            await connection.execute(f"SET ROLE {role}; SELECT set_config('search_path', '{path}', false)")
        except BaseException:
            await connection.close()
            raise
        return connection

    def search_path(self, schema: str) -> str:
        """PostgreSQL's search path for an Oracle schema."""
        return '"' + schema.replace('"', '""') + '", "SYS", "PUBLIC", ora'

    def next_session(self) -> tuple[int, int]:
        """SID and SERIAL# of one more session."""
        sid = next(self._sids)
        return sid, 1 + sid % 977

    async def open_session(
        self, user: str, client: Client | None = None, schema: str | None = None
    ) -> Session:
        """A session for an authenticated user (or for the server's own work)."""
        connection = await self.connect(session_role(user), schema or user)
        if self.restarting:
            await connection.close()
            raise psycopg.OperationalError("the instance is restarting")
        sid, serial = self.next_session()
        session = Session(self, user, connection, sid, serial, client or Client(), schema or user)
        rows = await self.system("SELECT value FROM localoracle.parameters WHERE name = 'open_cursors'")
        session.open_cursors = int(rows[0][0])
        self.sessions[sid] = session
        try:
            await session.settings.introduce()
            await self._record(session)
            self.activity.count("logons cumulative", sid)
        except BaseException:
            await session.close()
            raise
        return session

    async def _record(self, session: Session) -> None:
        client = session.client
        await self.system(
            "INSERT INTO localoracle.sessions (sid, serial, username, schema_name, program, machine, osuser, "
            "process, terminal, driver, service_name, pg_pid) "
            "VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
            [
                session.sid,
                session.serial,
                session.user,
                session.current_schema,
                client.program,
                client.machine,
                client.osuser,
                client.process,
                client.terminal,
                client.driver,
                self.instance.service_name,
                session.pg.info.backend_pid,
            ],
        )

    async def show_session(self, session: Session) -> None:
        """Bring what V$SESSION shows of a session up to date."""
        await self.system(
            "UPDATE localoracle.sessions SET schema_name = %s, module = %s, action = %s, client_info = %s, "
            "client_identifier = %s WHERE sid = %s",
            [
                session.current_schema,
                session.module or None,
                session.action or None,
                session.client_info or None,
                session.client_identifier or None,
                session.sid,
            ],
        )

    async def forget(self, session: Session) -> None:
        """A session has ended: V$SESSION does not show it any more when this returns."""
        if self.sessions.pop(session.sid, None) is not None:
            self.activity.forget(session.sid)
            with contextlib.suppress(psycopg.Error):
                await self.system("DELETE FROM localoracle.sessions WHERE sid = %s", [session.sid])

    async def end_session(self, session: Session, reason: OracleError | None = None) -> None:
        """ALTER SYSTEM KILL SESSION: its statement is cancelled, its transaction rolled back.

        Its client gets `reason`, or ORA-00028.
        """
        session.ending = reason or session.ending
        session.closed = True
        if session.end_call is not None:
            await session.end_call()
        await session.close()

    # -- for the server's own work -------------------------------------------------------------------

    async def system(self, sql: str, params: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """One PostgreSQL statement (placeholders %s) as superuser, committed at once, on its own."""
        async with self._system_lock:
            if self._system is None or self._system.closed:
                self._system = await psycopg.AsyncConnection.connect(self.cluster.conninfo, autocommit=True)
                # COMMIT_WAIT is for sessions: what the server keeps books of has to be durable.
                await self._system.execute("SET synchronous_commit = on")
            async with self._system.cursor() as cursor:
                await cursor.execute(sql, params or None)
                return await cursor.fetchall() if cursor.description else []

    def spawn(self, coroutine: Any) -> asyncio.Task[Any]:
        """Run something in the background until the server stops."""
        task: asyncio.Task[Any] = asyncio.ensure_future(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
