"""Sessions of source and target: the official Oracle hook with roles, tags and time limits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from typing import TYPE_CHECKING, Any, Literal

import oracledb
from airflow.providers.oracle.hooks.oracle import OracleHook

from oracle_refresh.hooks.connections import missing_connection, require_connection
from oracle_refresh.hooks.dsn import database_of, shown
from oracle_refresh.hooks.limits import SessionLimits, open_within
from oracle_refresh.hooks.parameters import added_to, adding, is_true, prepare
from oracle_refresh.integration import compat
from oracle_refresh.oracle import session_state
from oracle_refresh.oracle.errors import PreflightError, RefreshError, at_database, from_oracle
from oracle_refresh.oracle.session import close, limit_all_calls, limit_short_calls, without_values

if TYPE_CHECKING:
    from airflow.sdk import Connection
    from sqlalchemy.engine import Engine

Role = Literal["source", "target"]
MODULE = "oracle_refresh"
#: Airflow kills a task five seconds after it has asked it to end: until then it is known whether the database
#: can be reached.
CONNECT_SECONDS = 4.0
#: A call in the last session of a task. ATTACH and STOP_JOB wait for the job's processes, longer than Airflow
#: does: a call that is under way when its client is killed ends in the database all the same, one that is
#: broken off by a time limit (ORA-01013) leaves the job running.
LAST_CALL_SECONDS = 120.0


class OracleRefreshHook(OracleHook):
    """OracleHook with the connection's role, session tags and time limits.

    The official `get_conn` opens every session, whichever thread or process asks for it.

    Connections of the type `oracle` serve as they are; only `refresh_role` has to be added to their extra:
    `{"refresh_role": "source"}` or `{"refresh_role": "target"}`. Those of the type `oracle_refresh` have a
    field for it in their form.

    :param oracle_conn_id: Airflow connection id.
    """

    #: Role, connection and address for messages, once a session was asked for.
    database = ""

    @classmethod
    def get_connection(cls, conn_id: str) -> Connection:
        """:raises PreflightError: if there is no connection of this id."""
        return require_connection(conn_id)

    @classmethod
    async def aget_connection(cls, conn_id: str) -> Connection:
        """`get_connection` for triggers."""
        try:
            return await compat.aget_connection(conn_id)
        except compat.AirflowNotFoundException as error:
            raise missing_connection(conn_id) from error

    @property
    def refresh_role(self) -> str | None:
        """The `refresh_role` of the connection's extra, or None where the connection is not marked."""
        role = self.get_connection(self.get_conn_id()).extra_dejson.get("refresh_role")
        return None if role is None else str(role)

    @property
    def client(self) -> tuple[str | None, str | None] | None:
        """Folders of the Oracle Client libraries and of their configuration in thick mode; None in thin mode.

        A process can use one of them only.
        """
        connection = self.get_connection(self.get_conn_id())
        if not self._is_thick(connection):
            return None
        extra = connection.extra_dejson
        folder = extra.get("thick_mode_config_dir", extra.get("config_dir"))
        return self.thick_mode_lib_dir or extra.get(
            "thick_mode_lib_dir"
        ), self.thick_mode_config_dir or folder

    def _is_thick(self, airflow_connection: Connection) -> bool:
        given = airflow_connection.extra_dejson.get("thick_mode")
        return is_true(given if self.thick_mode is None else self.thick_mode)

    def get_conn(self) -> oracledb.Connection:
        """Open a session with American language settings, whatever those of the instance are.

        :raises PreflightError: if the database has not opened it in time.
        """
        return self._opener(self.get_connection(self.get_conn_id()))()

    def require_role(self, role: Role) -> None:
        """Raise PreflightError unless the connection is marked with this role.

        What changes a database asks for `target`; nothing is ever changed on an unmarked connection.
        """
        if self.refresh_role != role:
            marked = f"marked as {self.refresh_role!r}" if self.refresh_role else "not marked at all"
            raise PreflightError(
                f"the connection is {marked}, but this step needs the refresh {role}",
                object_name=database_of(self.get_connection(self.get_conn_id())),
                step="connect",
                remedy=f'put "refresh_role": "{role}" into its extra if it really is the {role}',
            )

    @contextmanager
    def session(
        self, role: Role | None, action: str, run_id: str | None = None
    ) -> Iterator[oracledb.Connection]:
        """An open connection of that role, tagged so that a DBA finds it in V$SESSION; closed at the end.

        What is not committed when the block ends is rolled back by the close. An error that ends it leaves it
        without the values of rows, also a driver's that nobody has translated.

        :param role: None opens the connection whatever its role; only for steps that read, such as preflight.
        :param action: shown as V$SESSION.ACTION (at most 64 bytes), usually the task id.
        :param run_id: the run that it is for, by which its sessions are found: `session_state.client_of`.
        """
        if role is not None:
            self.require_role(role)
        try:
            connection = self.get_conn()
        except oracledb.Error as error:
            place = self.database or self.get_conn_id()
            raise from_oracle(error, step="connect", object_name=place, kind=PreflightError) from error
        try:
            connection.module = MODULE
            connection.action = action[:64]
            if run_id is not None:
                connection.client_identifier = session_state.client_of(run_id)
            with without_values():
                yield connection
        except (oracledb.Error, RefreshError) as error:
            if not connection.is_healthy():
                at_database(error, f"lost the session of {self.database}")
            raise
        finally:
            close(connection)

    def require_any_role(self) -> None:
        """Raise PreflightError unless the connection is marked as source or target."""
        if self.refresh_role not in ("source", "target"):
            self.require_role("source")

    def prepared(self, action: str) -> Callable[[], oracledb.Connection]:
        """What opens a session later, in a signal handler or another thread, without asking Airflow again.

        A connection that is not there within `CONNECT_SECONDS` is given up, a call after `LAST_CALL_SECONDS`.
        """
        return self._opener(self.get_connection(self.get_conn_id()), action, last=True)

    def opener(self, action: str) -> Callable[[], oracledb.Connection]:
        """What opens further sessions for the same step, from other threads, without asking Airflow again."""
        return self._opener(self.get_connection(self.get_conn_id()), action)

    def get_sqlalchemy_engine(self, engine_kwargs: dict[str, Any] | None = None) -> Engine:
        """An engine of SQLAlchemy whose sessions are those of `opener`, with their limits. No password goes
        through its URL, and whatever the connection says of the database serves.
        """
        import sqlalchemy

        given = {"creator": self.opener("sqlalchemy"), **(engine_kwargs or {})}
        engine = sqlalchemy.create_engine("oracle+oracledb://", **given)
        sqlalchemy.event.listen(engine, "close", lambda connection, _: limit_all_calls(connection))
        return engine

    async def aprepared(self, action: str) -> Callable[[], oracledb.Connection]:
        """`prepared` for triggers."""
        return self._opener(await self.aget_connection(self.get_conn_id()), action, last=True)

    async def aopener(self, action: str) -> Callable[[], oracledb.Connection]:
        """`opener` for triggers, which call it in a worker thread."""
        return self._opener(await self.aget_connection(self.get_conn_id()), action)

    def _opener(
        self, airflow_connection: Connection, action: str | None = None, *, last: bool = False
    ) -> Callable[[], oracledb.Connection]:
        """Return a function that opens a session through the official hook without asking Airflow again."""
        database = self.database = database_of(airflow_connection)
        limits = SessionLimits.of(database, airflow_connection.extra_dejson)
        official = copy(self)
        prepared = prepare(airflow_connection, limits.keep_alive, self._is_thick(airflow_connection))
        official.__dict__["get_connection"] = lambda conn_id: prepared
        official.fetch_decimals = official.fetch_lobs = None
        added = added_to(airflow_connection)

        def connect() -> oracledb.Connection:
            with adding(added):
                return session_state.settle(OracleHook.get_conn(official))

        def open_session() -> oracledb.Connection:
            seconds = CONNECT_SECONDS if last else limits.connect_seconds
            try:
                connection = open_within(seconds, database, connect)
            except oracledb.Error as error:
                at_database(error, database)
                raise
            limit_short_calls(connection, limits.call_seconds)
            if last:
                connection.call_timeout = int(LAST_CALL_SECONDS * 1000)
            if action is not None:
                connection.module, connection.action = MODULE, action[:64]
            return connection

        return open_session


class OracleRefreshConnection(OracleRefreshHook):
    """The same for connections of the type `oracle_refresh`, whose form in Airflow asks for the role."""

    conn_type = "oracle_refresh"
    hook_name = "Oracle for refreshes"


def database_uri(conn_id: str) -> str:
    """Return `oracle://host:port/service` of a connection, as assets and OpenLineage name an Oracle database.

    A connect descriptor with several addresses is named by its first one, an alias that only the Oracle
    Client libraries can resolve by itself. User and password are not in it.
    """
    return f"oracle://{shown(OracleRefreshHook.get_connection(conn_id))}"
