"""One client's session: statements, transaction, locators, on one PostgreSQL connection."""

from __future__ import annotations

import asyncio
import re
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import sql as pgsql

from localoracle import admin
from localoracle.errors import OracleError, not_supported
from localoracle.instance import environment, nls
from localoracle.instance.activity import LOG_FILE_SYNC
from localoracle.lobs.locators import Locators
from localoracle.plsql import lexer, unit_statements
from localoracle.plsql.execution import execute_block
from localoracle.postgres import privileges
from localoracle.postgres.backend import Backend
from localoracle.postgres.errors import oracle_error
from localoracle.postgres.roles import session_role
from localoracle.session import (
    execution,
    function_calls,
    parsing,
    referenced_synonyms,
    remote_query,
    row_lobs,
    transactions,
    user_types,
)
from localoracle.session.error_places import located
from localoracle.session.parsed_blocks import ParsedBlocks
from localoracle.session.result import QueryResult, Result
from localoracle.sql import bind_names, translate
from localoracle.sql.dispatch import Kind, classify, first_words
from localoracle.tasks import undisturbed
from localoracle.values import Column, Value

if TYPE_CHECKING:
    from localoracle.instance.config import Instance
    from localoracle.plsql.packages import Package
    from localoracle.server.database import Database
    from localoracle.sql.statement import Statement

_SHOWN = tuple(f"localoracle.{name}" for name in ("module", "action", "client_identifier", "client_info"))
STATEMENT_SAVEPOINT = "localoracle_statement"
LOOKING_MILLISECONDS = 100
"""How long a table that another session has locked is waited for where only its columns are wanted."""


class Keyword(IntEnum):
    """Properties of a session of which clients are told when they change, numbered as on the wire."""

    CURRENT_SCHEMA = 168
    EDITION = 172


_PLANNED_SETTINGS = ("localoracle.nls_numeric_characters", "localoracle.nls_territory")


@dataclass
class Client:
    """What the client told about itself; V$SESSION shows it."""

    program: str = ""
    machine: str = ""
    osuser: str = ""
    process: str = ""
    terminal: str = ""
    driver: str = ""
    proxy_user: str = ""
    """The user that connected for the session's one; "" where nobody did."""


@dataclass
class Session:
    """An authenticated user's session. Every statement of any room goes through `run`.

    Not for concurrent use: one statement at a time, as Oracle has it.
    """

    database: Database
    user: str
    pg: psycopg.AsyncConnection[Any]
    sid: int
    serial: int
    client: Client = field(default_factory=Client)
    current_schema: str = ""
    module: str = ""
    action: str = ""
    client_identifier: str = ""
    client_info: str = ""
    package_state: dict[str, Any] = field(default_factory=dict)
    """State of supplied packages, by package name."""
    lobs: Locators = field(default_factory=Locators)
    autocommit: bool = False
    open_cursors: int = 300

    def __post_init__(self) -> None:
        self.current_schema = self.current_schema or self.user
        self.backend = Backend(self.pg)
        self.streamed: QueryResult | None = None
        self.flashbacks: set[psycopg.AsyncConnection[Any]] = set()
        """Connections of AS OF queries with rows left."""
        self.direct_loads: frozenset[int] = frozenset()
        """Relations that the open transaction has loaded directly."""
        self.changes: dict[Keyword, str] = {}
        """What the client has not been told of yet."""
        self._savepoint = False
        self._transactions = 0
        self.packages: dict[tuple[str, str], Package] = {}
        """The packages of schemas that this session has used, with their state."""
        self.parsed_blocks = ParsedBlocks()
        self._calls = 0
        self.configuration: dict[str, str] = {}
        self._configured_in_transaction = False
        self._role: str | None = None
        """PostgreSQL's role once it was another than the session's; a rollback brings back that of before."""
        self.closed = False
        """Whether it takes no more calls."""
        self.ending = OracleError(28, "your session has been killed")
        """What a client whose session the server has ended is told."""
        self.end_call: Callable[[], Awaitable[None]] | None = None
        """Cancels the call that runs when the server ends the session, and waits until it is over."""
        self._closing: asyncio.Task[None] | None = None

    @property
    def instance(self) -> Instance:
        return self.database.instance

    @property
    def role(self) -> str:
        """PostgreSQL's role, whose privileges count.

        That of the user's sessions has all of the user's roles. In a program unit with definer's rights it is
        the owner's own, for which they do not count (Database Security Guide, "How Roles Work in PL/SQL
        Blocks").
        """
        return self._role or session_role(self.user)

    @property
    def program(self) -> str:
        return self.client.program

    @property
    def machine(self) -> str:
        return self.client.machine

    @property
    def language(self) -> str:
        """NLS_LANGUAGE."""
        return self._setting("nls_language", "AMERICAN")

    @property
    def length_semantics(self) -> str:
        """NLS_LENGTH_SEMANTICS: BYTE or CHAR."""
        return self._setting("nls_length_semantics", "BYTE")

    def _setting(self, parameter: str, usual: str) -> str:
        return self.configuration.get(f"localoracle.{parameter}") or self.database.nls.get(parameter, usual)

    @property
    def in_transaction(self) -> bool:
        """Whether there is something to commit or roll back."""
        return self.backend.in_transaction or bool(self.lobs.dirty_rows())

    # -- statements ----------------------------------------------------------------------------------

    async def run(
        self,
        sql: str,
        values: Sequence[Value] = (),
        *,
        by_name: Mapping[str, Value] | None = None,
        tell_row: bool = False,
    ) -> Result:
        """Run any Oracle statement.

        Binds come as `values`, one per occurrence (SQL) or distinct name (PL/SQL), or `by_name` with
        upper-case names. OUT binds of PL/SQL are replaced in place. `tell_row`: the last row that DML changes
        is wanted. Raises OracleError; the failed
        statement leaves nothing behind, the transaction stays open.
        """
        kind = classify(sql)
        self.database.activity.count("execute count", self.sid)
        if kind is Kind.BLOCK:
            return await self._run_block(sql, values, by_name)
        if kind is Kind.SQL:
            if "@" in sql or self.database.remote_synonyms.maybe_in(sql):
                query = await remote_query.recognized(self, sql)
                if query is not None:
                    if by_name is not None:
                        raise not_supported("a database link in PL/SQL")
                    return await remote_query.run(self, query, values)
            try:
                return await self._run_sql(sql, values, by_name, tell_row)
            except OracleError as error:
                again = await referenced_synonyms.resolved(self, sql, error)
                if again is None:
                    raise
            return await self._run_sql(again, values, by_name, tell_row)
        if kind is Kind.TRANSACTION:
            return Result(verb=await transactions.execute(self, sql))
        if kind is Kind.UNIT:
            self.database.definitions += 1
            await self.commit()
            self.backend.compiled_with_errors = False
            async with self._whole_call():
                verb = await unit_statements.run_unit_statement(self, sql)
            await self.commit()
            await self.database.user_packages.changed(self.database, verb)
            result = Result(verb=verb)
            result.warning = execution.COMPILED_WITH_ERRORS if self.backend.compiled_with_errors else 0
            return result
        control = first_words(sql, 2) in (["ALTER", "SESSION"], ["ALTER", "SYSTEM"], ["SET", "ROLE"])
        if not control:
            self.database.definitions += 1
            await self.commit()
        async with self._whole_call():
            verb = await admin.execute(self, sql)
        if not control:
            await self.commit()
        return Result(verb=verb)

    async def _run_sql(
        self, sql: str, values: Sequence[Value], by_name: Mapping[str, Value] | None, tell_row: bool
    ) -> Result:
        functions: frozenset[str] = frozenset()
        while True:
            try:
                statement, given = self.translate(sql, values, by_name, functions)
            except OracleError as error:
                raise await user_types.explained(self, sql, error) from None
            try:
                with located(sql, statement):
                    return await execution.run_statement(self, statement, given, tell_row=tell_row)
            except function_calls.CalledByName as called:
                if called.name in functions:
                    raise
                functions |= {called.name}

    def translate(
        self,
        sql: str,
        values: Sequence[Value],
        by_name: Mapping[str, Value] | None = None,
        functions: frozenset[str] = frozenset(),
    ) -> tuple[Statement, Sequence[Value]]:
        """The translated statement and the values in the order that its parameters refer to."""
        if by_name is not None:
            names = list(dict.fromkeys(bind_names(sql)))
            missing = [name for name in names if name not in by_name]
            if missing:
                raise OracleError(1008, "not all variables bound")
            values = [by_name[name] for name in names]
        types = tuple(value.datatype for value in values)
        temporary = self.database.temporary_tables.seen_from(self.current_schema)
        statement = translate(
            sql,
            types,
            binds_by_name=by_name is not None,
            temporary=temporary,
            packages=self.database.user_packages.seen_from(self.current_schema),
            functions=functions,
            shown=self.database.invisible_columns.seen_from(self.current_schema),
            lengths_in_bytes=self.length_semantics == "BYTE",
        )
        return statement, values

    async def parse(self, sql: str, binds: Mapping[str, Value]) -> list[Column] | None:
        """See `parsing.parse`."""
        return await parsing.parse(self, sql, binds)

    async def recompile(self, owner: str, name: str, kind: str) -> bool:
        """See `unit_statements.recompile`."""
        return await unit_statements.recompile(self, owner, name, kind)

    async def _run_block(
        self, sql: str, values: Sequence[Value], by_name: Mapping[str, Value] | None
    ) -> Result:
        names = lexer.bind_names(sql)
        if by_name is not None:
            values = [by_name[name] for name in names]
        if len(values) != len(names):
            raise OracleError(1008, "not all variables bound")
        nls.numeric_characters.set(self._setting("nls_numeric_characters", ".,"))
        async with self._whole_call():
            directions = await execute_block(self, sql, list(values), names)
        result = Result(verb="BLOCK")
        result.directions = directions
        return result

    # -- the frame around each statement ---------------------------------------------------------------

    @asynccontextmanager
    async def statement(self, *, writes: bool, verb: str = "") -> AsyncIterator[None]:
        """Statement-level rollback: what fails inside leaves nothing behind. Raises OracleError."""
        await self.free_backend()
        if writes:
            await self.database.redo.wait_for_room(self)
        try:
            if self.backend.in_transaction or writes:
                await undisturbed(self._mark_statement())
            yield
        except BaseException as error:
            self.streamed = None
            await undisturbed(self.undo_statement())
            if isinstance(error, psycopg.Error):
                raise await self._told(error, verb) from error
            raise

    async def _told(self, error: psycopg.Error, verb: str) -> OracleError:
        if isinstance(error, psycopg.errors.InsufficientPrivilege):
            return await privileges.denied(self, error)
        return oracle_error(error, verb)

    @asynccontextmanager
    async def only_looking(self, verb: str = "") -> AsyncIterator[None]:
        """Nothing stays of what happens inside, neither its locks; nor is a lock waited for. Raises
        OracleError."""
        await self.free_backend()
        await undisturbed(self._mark_statement())
        try:
            await self.backend.script(f"SET LOCAL lock_timeout = '{LOOKING_MILLISECONDS}ms'")
            yield
        except psycopg.Error as error:
            raise await self._told(error, verb) from error
        finally:
            await undisturbed(self.undo_statement())

    async def _mark_statement(self) -> None:
        """What `undo_statement` goes back to."""
        if self.backend.in_transaction:
            release = f"RELEASE SAVEPOINT {STATEMENT_SAVEPOINT}; " if self._savepoint else ""
            await self.backend.script(f"{release}SAVEPOINT {STATEMENT_SAVEPOINT}")
            self._savepoint = True
        else:
            await self.backend.script("BEGIN")
            self._savepoint = False

    async def undo_statement(self, *, keep: bool = False) -> None:
        """Back to the statement's beginning; with `keep` in a transaction even if the statement opened it."""
        if self.pg.closed or not self.backend.in_transaction:
            return
        if self._savepoint:
            await self.backend.script(f"ROLLBACK TO SAVEPOINT {STATEMENT_SAVEPOINT}")
        else:
            await self.backend.script("ROLLBACK; BEGIN" if keep else "ROLLBACK")

    @asynccontextmanager
    async def _whole_call(self) -> AsyncIterator[None]:
        """A call of several statements (a PL/SQL block): undone as a whole unless it committed inside."""
        await self.free_backend()
        self._calls += 1
        name = f"localoracle_call_{self._calls}"
        opened = self.backend.in_transaction
        if opened:
            await self.savepoint(name)
        number = self._transactions
        try:
            yield
        except BaseException as error:
            if not self.pg.closed and number == self._transactions and self.backend.in_transaction:
                await undisturbed(self._undo_call(name if opened else None))
            if isinstance(error, psycopg.Error):
                raise oracle_error(error) from error
            raise
        finally:
            self._calls -= 1

    async def _undo_call(self, savepoint: str | None) -> None:
        await self.free_backend(discard=True)
        await self.backend.script(f"ROLLBACK TO SAVEPOINT {savepoint}" if savepoint else "ROLLBACK")
        self._savepoint = False
        await self._keep_role()

    async def free_backend(self, *, discard: bool = False) -> None:
        """Make the connection usable: park the rows that are still coming, store written LOBs."""
        streamed, self.streamed = self.streamed, None
        if streamed is not None:
            if discard:
                await streamed.close()
            else:
                await streamed.park()
        for lob in self.lobs.dirty_rows():
            await row_lobs.store(self, lob)

    async def next_chunk(self, result: QueryResult) -> Any:
        """More rows for `result`; a failure there ends the statement."""
        try:
            chunk = await result.backend.next_chunk()
        except BaseException as error:
            self._forget_stream(result)
            if result.backend is self.backend:
                await undisturbed(self.undo_statement())
            else:
                await result.backend.connection.close()
            if isinstance(error, psycopg.Error):
                raise oracle_error(error) from error
            raise
        if chunk is None:
            self._forget_stream(result)
        return chunk

    async def abandon(self, result: QueryResult) -> None:
        """Stop a query whose rows are not wanted any more."""
        self._forget_stream(result)
        with suppress(psycopg.Error):
            await result.backend.abandon()
        if result.backend is self.backend:
            await self.undo_statement()

    def _forget_stream(self, result: QueryResult) -> None:
        if self.streamed is result:
            self.streamed = None

    # -- transaction -----------------------------------------------------------------------------------

    async def begin(self, mode: str = "") -> None:
        """Open PostgreSQL's transaction now, with an isolation mode."""
        await self.free_backend()
        await self.backend.script(f"BEGIN {mode}")
        self._savepoint = False

    async def savepoint(self, name: str) -> None:
        """A PostgreSQL savepoint that outlives the statement's own."""
        await self.free_backend()
        if not self.backend.in_transaction:
            await self.backend.script("BEGIN")
        release = f"RELEASE SAVEPOINT {STATEMENT_SAVEPOINT}; " if self._savepoint else ""
        await self.backend.script(f'{release}SAVEPOINT "{name}"')
        self._savepoint = False

    async def rollback_to(self, name: str) -> None:
        await self.free_backend()
        if not self.backend.in_transaction:
            raise psycopg.errors.InvalidSavepointSpecification(name)
        async with self.statement(writes=False):
            await self.backend.script(f'ROLLBACK TO SAVEPOINT "{name}"')
        self._savepoint = False
        await self._keep_role()

    async def commit(self, *, wait: bool | None = None) -> None:
        """Commit; open queries keep their rows. `wait` for the redo to be written; None: as set."""
        await self.free_backend()
        if self.backend.in_transaction:
            await self.database.redo.wait_for_room(self)
            self._end_transaction()
            waits = self._waits_for_redo() if wait is None else wait
            begin = time.monotonic()
            try:
                if wait is not None:
                    await self.backend.script(f"SET LOCAL synchronous_commit = {'on' if wait else 'off'}")
                # Cancelled midway it would be undone, and the client's next COMMIT answered for nothing.
                await undisturbed(self.backend.script("COMMIT"))
            except psycopg.Error as error:
                cause = oracle_error(error)
                raise OracleError(2091, f"transaction rolled back\n{cause}") from error
            finally:
                self._configured_in_transaction = False
            self.database.activity.count("user commits", self.sid)
            if waits:
                self.database.activity.waited(LOG_FILE_SYNC, time.monotonic() - begin, self.sid)

    async def rollback(self) -> None:
        """Roll back; open queries keep their rows."""
        for lob in self.lobs.dirty_rows():
            lob.dirty = False
        await self.free_backend()
        if self.backend.in_transaction:
            self._end_transaction()
            await self.backend.script("ROLLBACK")
            self.database.activity.count("user rollbacks", self.sid)
            await self._keep_role()
            if self._configured_in_transaction:
                self._configured_in_transaction = False
                for name, value in self.configuration.items():
                    await self._set(name, value)

    def _waits_for_redo(self) -> bool:
        own = self.configuration.get("synchronous_commit")
        return self.database.synchronous_commit if own is None else own == "on"

    def _end_transaction(self) -> None:
        self._transactions += 1
        self._savepoint = False
        self.direct_loads = frozenset()

    async def cancel(self) -> None:
        """Stop the running statement; it fails with ORA-01013."""
        self.backend.disturbed = True
        if not self.pg.closed:
            await self.pg.cancel_safe(timeout=5.0)

    # -- for the other rooms ---------------------------------------------------------------------------

    async def pg_system(
        self, sql: str, params: Sequence[Any] = (), *, write: bool = False
    ) -> list[tuple[Any, ...]]:
        """PostgreSQL SQL (placeholders %s) as superuser, inside the session's transaction if there is one.

        With `write` a transaction is opened when there is none, so that the work is the client's to commit.
        Raises OracleError.
        """
        async with self.statement(writes=write):
            inside = self.backend.in_transaction
            try:
                await self.backend.script("SET LOCAL ROLE NONE" if inside else "SET ROLE NONE")
                async with self.pg.cursor() as cursor:
                    await cursor.execute(sql, params or None)
                    rows = await cursor.fetchall() if cursor.description else []
                await self._be_the_user(inside)
            except BaseException:
                await undisturbed(self._be_the_user(inside))
                raise
        return rows

    async def _be_the_user(self, inside: bool) -> None:
        """The role of before; in a transaction that has failed its rollback brings it back."""
        if not self.pg.closed and self.pg.info.transaction_status != psycopg.pq.TransactionStatus.INERROR:
            await self.backend.script(f"SET {'LOCAL ' if inside else ''}ROLE {self._quoted_role()}")

    def _quoted_role(self) -> str:
        return pgsql.Identifier(self.role).as_string(self.pg)

    @asynccontextmanager
    async def without_roles(self, owner: str) -> AsyncIterator[None]:
        """Inside a program unit with definer's rights: those privileges count that its owner was granted
        directly."""
        before = self.role
        await self._become(owner)
        try:
            yield
        finally:
            await undisturbed(self._become(before))

    async def _become(self, role: str) -> None:
        if role == self.role or self.pg.closed:
            return
        await self.free_backend()
        self._role = role
        await self._keep_role()

    async def _keep_role(self) -> None:
        if self._role is not None and not self.pg.closed:
            await self.backend.script(f"SET ROLE {self._quoted_role()}")

    async def configure(self, name: str, value: str) -> None:
        """Set a PostgreSQL parameter for the session; unlike SET it survives a rollback."""
        await self.free_backend()
        self.configuration[name] = value
        self._configured_in_transaction = self.backend.in_transaction
        await self._set(name, value)
        if name in _PLANNED_SETTINGS:
            # Plans hold it as a constant: ora.planned_setting.
            await self.backend.script("DISCARD PLANS")

    async def _set(self, name: str, value: str) -> None:
        await self.backend.script(self._setting_statement({name: value}))

    async def show(self) -> None:
        """Bring V$SESSION and SYS_CONTEXT up to date after a change of module, action, client info."""
        names = ("module", "action", "client_identifier", "client_info")
        await self.free_backend()
        for name in names:
            self.configuration[f"localoracle.{name}"] = getattr(self, name)
        self._configured_in_transaction = self.backend.in_transaction
        await self.backend.script(self._setting_statement({key: self.configuration[key] for key in _SHOWN}))
        await self.database.show_session(self)

    async def introduce(self) -> None:
        """Tell PostgreSQL's functions once what SYS_CONTEXT('USERENV', ...) shows of this session."""
        facts = {
            "sid": str(self.sid),
            "sessionid": str(self.sid),
            "session_user": self.user,
            "os_user": self.client.osuser,
            "host": self.client.machine,
            "terminal": self.client.terminal,
            "client_program_name": self.client.program,
            "ip_address": "127.0.0.1",
            "network_protocol": "tcp",
            "authentication_method": "PASSWORD",
            "authenticated_identity": self.user,
            "isdba": "FALSE",
            "proxy_user": self.client.proxy_user,
            "server_host": socket.gethostname(),
            **environment.context(self.database.container, self.instance.service_name),
            **self.database.nls,
        }
        facts |= dict.fromkeys(
            ("db_name", "db_unique_name", "instance_name", "service_name"), self.instance.service_name
        )
        await self.backend.script(
            self._setting_statement({f"localoracle.{name}": value for name, value in facts.items()})
        )

    def _setting_statement(self, settings: Mapping[str, str]) -> str:
        parts = []
        for name, value in settings.items():
            literal = pgsql.Literal(value).as_string(self.pg)
            parts.append(f"set_config('{name}', {literal}, false)")
        return "SELECT " + ", ".join(parts)

    async def set_time_zone(self, zone: str) -> None:
        """The session time zone: an offset such as +02:00, or a region name. Raises ORA-01882."""
        offset = re.fullmatch(r"([+-])(\d{1,2}):(\d\d)", zone)
        if offset:
            # POSIX counts west of Greenwich as positive.
            sign = "-" if offset[1] == "+" else "+"
            zone = f"<{zone}>{sign}{offset[2]}:{offset[3]}"
        try:
            await self.configure("TimeZone", zone)
        except psycopg.Error as error:
            raise OracleError(1882, "timezone region not found") from error

    async def set_current_schema(self, schema: str) -> None:
        """ALTER SESSION SET CURRENT_SCHEMA; the caller has checked that the schema exists."""
        self.current_schema = schema
        self.changes[Keyword.CURRENT_SCHEMA] = schema
        await self.configure("search_path", self.database.search_path(schema))

    def set_edition(self, edition: str) -> None:
        """ALTER SESSION SET EDITION; the caller has checked that it exists."""
        self.changes[Keyword.EDITION] = edition

    async def close(self) -> None:
        """End the session: what was not committed is rolled back.

        It is done once, and to its end, also when who has asked for it is cancelled meanwhile.
        """
        self.closed = True
        if self._closing is None:
            self._closing = asyncio.ensure_future(self._close())
        await asyncio.shield(self._closing)

    async def _close(self) -> None:
        # A request to cancel may still be on its way to a process that was told to.
        quiet = not self.backend.disturbed and not self.backend.streaming
        try:
            self.lobs.clear()
            for connection in (*self.flashbacks, self.pg):
                with suppress(psycopg.Error):
                    await _let_go(Backend(connection))
            for state in self.package_state.values():
                ending = getattr(state, "session_closed", None)
                if ending is not None:
                    with suppress(Exception):
                        outcome = ending()
                        if asyncio.iscoroutine(outcome):
                            await outcome
            for connection in self.flashbacks:
                with suppress(psycopg.Error):
                    await connection.close()
        finally:
            await self.database.forget(self)
            if quiet:
                await self.database.idle.give(self.pg)
            else:
                with suppress(psycopg.Error):
                    await self.pg.close()


async def _let_go(backend: Backend) -> None:
    """End statement and transaction now: PostgreSQL's process ends some time after its connection, and the
    client's next session must not find its locks."""
    await backend.stop()
    if backend.in_transaction:
        await backend.script("ROLLBACK")
