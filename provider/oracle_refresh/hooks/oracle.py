"""Connections to the two ends of a refresh: the official Oracle hook with roles, tagging and async."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import oracledb
from airflow.providers.common.compat.sdk import AirflowNotFoundException
from airflow.providers.oracle.hooks.oracle import OracleHook

from oracle_refresh.hooks.connections import missing_connection, require_connection
from oracle_refresh.hooks.limits import SessionLimits, open_within
from oracle_refresh.oracle import session_state
from oracle_refresh.oracle.errors import PreflightError, from_oracle
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
CLIENT_OPTIONS = (
    "wallet_location",
    "wallet_password",
    "ssl_server_cert_dn",
    "ssl_server_dn_match",
)


class OracleRefreshHook(OracleHook):
    """OracleHook with what a refresh needs besides: the connection's role, session tags, async sessions.

    Connections of the type `oracle` serve as they are; only `refresh_role` has to be added to their extra:
    `{"refresh_role": "source"}` or `{"refresh_role": "target"}`. Those of the type `oracle_refresh` have a
    field for it in their form.

    :param oracle_conn_id: Airflow connection id.
    """

    @classmethod
    def get_connection(cls, conn_id: str) -> Connection:
        """:raises PreflightError: if there is no connection of this id."""
        return require_connection(conn_id)

    @classmethod
    async def aget_connection(cls, conn_id: str) -> Connection:
        """`get_connection` for triggers."""
        try:
            connection: Connection = await super().aget_connection(conn_id)
            return connection
        except AirflowNotFoundException as error:
            raise missing_connection(conn_id) from error

    @property
    def refresh_role(self) -> str | None:
        """The `refresh_role` of the connection's extra, or None where the connection is not marked."""
        role = self.get_connection(self.get_conn_id()).extra_dejson.get("refresh_role")
        return None if role is None else str(role)

    def get_conn(self) -> oracledb.Connection:
        """An open connection; its session is American, whatever the instance is.

        :raises PreflightError: if the database has not opened it in time.
        """
        conn_id = self.get_conn_id()
        airflow_connection = self.get_connection(conn_id)
        extra = airflow_connection.extra_dejson
        limits = SessionLimits.of(conn_id, extra)
        prepared = copy(airflow_connection)
        prepared.extra = json.dumps({**extra, "expire_time": limits.keep_alive})
        # Airflow is asked here: the time that it takes does not count, nor does the thread speak to it.
        official = copy(self)
        official.__dict__["get_connection"] = lambda conn_id: prepared
        return _open(limits, conn_id, super(OracleRefreshHook, official).get_conn)

    def require_role(self, role: Role) -> None:
        """Raise PreflightError unless the connection is marked with this role.

        What changes a database asks for `target`; nothing is ever changed on an unmarked connection.
        """
        if self.refresh_role != role:
            marked = f"marked as {self.refresh_role!r}" if self.refresh_role else "not marked at all"
            raise PreflightError(
                f"connection {self.get_conn_id()!r} is {marked}, but this step needs the refresh {role}",
                object_name=self.get_conn_id(),
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
            raise from_oracle(
                error, step="connect", object_name=self.get_conn_id(), kind=PreflightError
            ) from error
        try:
            connection.module = MODULE
            connection.action = action[:64]
            if run_id is not None:
                connection.client_identifier = session_state.client_of(run_id)
            with without_values():
                yield connection
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
        return _opener(self.get_connection(self.get_conn_id()), action)

    def opener(self, action: str) -> Callable[[], oracledb.Connection]:
        """What opens further sessions for the same step, from other threads, without asking Airflow again."""
        return _opener(self.get_connection(self.get_conn_id()), action, last=False)

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
        return _opener(await self.aget_connection(self.get_conn_id()), action)

    async def open_async(self) -> oracledb.AsyncConnection:
        """An open asyncio connection (thin mode), for triggers, all of whose calls are short. The caller
        closes it.

        :raises TimeoutError: if the database has not opened it in time.
        """
        airflow_connection = await self.aget_connection(self.get_conn_id())
        limits = _limits(airflow_connection)
        opening = oracledb.connect_async(**connect_parameters(airflow_connection))
        connection: oracledb.AsyncConnection = await asyncio.wait_for(opening, limits.connect_seconds or None)
        # Not a task that is cancelled: a cancelled call waits for the answer to that, without any limit.
        connection.call_timeout = int(limits.call_seconds * 1000)
        connection.module = MODULE
        return await session_state.settle_async(connection)


class OracleRefreshConnection(OracleRefreshHook):
    """The same for connections of the type `oracle_refresh`, whose form in Airflow asks for the role."""

    conn_type = "oracle_refresh"
    hook_name = "Oracle for refreshes"


def _limits(connection: Connection) -> SessionLimits:
    return SessionLimits.of(connection.conn_id, connection.extra_dejson)


def _open(
    limits: SessionLimits, conn_id: str, open_session: Callable[[], oracledb.Connection]
) -> oracledb.Connection:
    connection = open_within(limits.connect_seconds, conn_id, lambda: session_state.settle(open_session()))
    limit_short_calls(connection, limits.call_seconds)
    return connection


def _opener(
    airflow_connection: Connection, action: str, last: bool = True
) -> Callable[[], oracledb.Connection]:
    limits, parameters = _limits(airflow_connection), connect_parameters(airflow_connection)
    if last:
        limits = replace(limits, connect_seconds=CONNECT_SECONDS)

    def open_session() -> oracledb.Connection:
        connection = _open(limits, airflow_connection.conn_id, lambda: oracledb.connect(**parameters))
        if last:
            connection.call_timeout = int(LAST_CALL_SECONDS * 1000)
        connection.module = MODULE
        connection.action = action[:64]
        return connection

    return open_session


def database_uri(conn_id: str) -> str:
    """`oracle://host:port/service` of a connection, as assets and OpenLineage name an Oracle database.

    Of a connect descriptor with several addresses it is the first. Without user and password.
    """
    parameters = oracledb.ConnectParams()
    parameters.parse_connect_string(connect_parameters(OracleRefreshHook.get_connection(conn_id))["dsn"])
    host, port, service, sid = (
        value[0] if isinstance(value, list) else value
        for value in (parameters.host, parameters.port, parameters.service_name, parameters.sid)
    )
    return f"oracle://{host}:{port}/{service or sid or ''}"


def connect_parameters(connection: Connection) -> dict[str, Any]:
    """The arguments of `oracledb.connect` for an Airflow connection, read as OracleHook reads them."""
    extra = connection.extra_dejson
    parameters: dict[str, Any] = {"user": connection.login, "password": connection.password}
    host, port, sid = connection.host or "", connection.port or 1521, extra.get("sid")
    service_name = extra.get("service_name") or (None if sid else connection.schema)
    if extra.get("dsn"):
        parameters["dsn"] = extra["dsn"]
    elif sid:
        parameters["dsn"] = oracledb.makedsn(host, port, sid=sid)
    elif service_name:
        parameters["dsn"] = oracledb.makedsn(host, port, service_name=service_name)
    else:
        parameters["dsn"] = f"{host}:{port}"
    parameters.update({name: extra[name] for name in CLIENT_OPTIONS if extra.get(name) is not None})
    parameters["expire_time"] = _limits(connection).keep_alive
    return parameters
