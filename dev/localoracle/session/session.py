"""One client's session: statements, transaction, locators, on one PostgreSQL connection."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import psycopg

from localoracle import admin
from localoracle.errors import OracleError
from localoracle.instance import nls
from localoracle.lobs.locators import Locators
from localoracle.plsql import lexer, unit_statements
from localoracle.plsql.execution import execute_block
from localoracle.postgres.backend import Backend
from localoracle.session import execution, parsing, row_lobs, transaction
from localoracle.session.acting_role import ActingRole
from localoracle.session.parsed_blocks import ParsedBlocks
from localoracle.session.result import QueryResult, Result
from localoracle.session.revalidation import revalidated
from localoracle.session.settings import Settings
from localoracle.session.sql_statements import run_sql
from localoracle.sql.dispatch import Kind, classify, first_words
from localoracle.values import Column, Value

if TYPE_CHECKING:
    from localoracle.instance.config import Instance
    from localoracle.plsql.packages import Package
    from localoracle.server.database import Database


class Keyword(IntEnum):
    """Properties of a session whose changes are sent to clients, numbered as on the wire."""

    CURRENT_SCHEMA = 168
    EDITION = 172


@dataclass
class Client:
    """What the client reported about itself; V$SESSION shows it."""

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
    open_cursors: int = 300

    def __post_init__(self) -> None:
        self.current_schema = self.current_schema or self.user
        self.backend = Backend(self.pg)
        self.transaction = transaction.Transaction(self)
        self.settings = Settings(self)
        self.acting = ActingRole(self)
        self.streamed: QueryResult | None = None
        """The query whose rows are still coming over the connection."""
        self.flashbacks: set[psycopg.AsyncConnection[Any]] = set()
        """Connections of AS OF queries with rows left."""
        self.changes: dict[Keyword, str] = {}
        """Changes that have not been sent to the client yet."""
        self.packages: dict[tuple[str, str], Package] = {}
        """The packages of schemas that this session has used, with their state."""
        self.parsed_blocks = ParsedBlocks()
        self.closed = False
        """Whether it takes no more calls."""
        self.ending = OracleError(28, "your session has been killed")
        """The error for a client whose session the server has ended."""
        self.end_call: Callable[[], Awaitable[None]] | None = None
        """Cancels the call that runs when the server ends the session, and waits until it is over."""
        self._closing: asyncio.Task[None] | None = None

    @property
    def instance(self) -> Instance:
        return self.database.instance

    @property
    def role(self) -> str:
        """PostgreSQL's role, whose privileges count."""
        return self.acting.name

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
            return await run_sql(self, sql, values, by_name, tell_row)
        if kind is Kind.TRANSACTION:
            return Result(verb=await transaction.control(self, sql))
        if kind is Kind.UNIT:
            self.backend.compiled_with_errors = False
            verb = await self._define(unit_statements.run_unit_statement, sql)
            if verb in ("CREATE PACKAGE", "DROP PACKAGE"):
                await self.database.user_packages.read(self.database)
            result = Result(verb=verb)
            result.warning = execution.COMPILED_WITH_ERRORS if self.backend.compiled_with_errors else 0
            return result
        if first_words(sql, 2) not in (["ALTER", "SESSION"], ["ALTER", "SYSTEM"], ["SET", "ROLE"]):
            return Result(verb=await self._define(admin.execute, sql))
        async with self.transaction.whole_call():
            return Result(verb=await admin.execute(self, sql))

    async def _define(self, execute: Callable[[Session, str], Awaitable[str]], sql: str) -> str:
        """Data definition: commits before and after. Returns the statement's verb."""
        self.database.definitions += 1
        await self.transaction.commit()
        async with self.transaction.whole_call():
            verb = await execute(self, sql)
        await self.transaction.commit()
        if verb.startswith("DROP "):
            await self.database.stale_views.read(self.database)
        return verb

    async def _run_block(
        self, sql: str, values: Sequence[Value], by_name: Mapping[str, Value] | None
    ) -> Result:
        names = lexer.bind_names(sql)
        if by_name is not None:
            values = [by_name[name] for name in names]
        if len(values) != len(names):
            raise OracleError(1008, "not all variables bound")
        nls.numeric_characters.set(self.settings.numeric_characters)
        async with self.transaction.whole_call():
            directions = await execute_block(self, sql, list(values), names)
        result = Result(verb="BLOCK")
        result.directions = directions
        return result

    async def parse(self, sql: str, binds: Mapping[str, Value]) -> list[Column] | None:
        """See `parsing.parse`."""
        return await parsing.parse(self, sql, binds)

    async def recompile(self, owner: str, name: str, kind: str) -> bool:
        """See `unit_statements.recompile`."""
        return await unit_statements.recompile(self, owner, name, kind)

    async def revalidate(self, error: OracleError) -> bool:
        """See `revalidation.revalidated`; for an error in work that is not this session's. Commits."""
        valid = await revalidated(self, error)
        await self.transaction.commit()
        return valid

    async def pg_system(
        self, sql: str, params: Sequence[Any] = (), *, write: bool = False
    ) -> list[tuple[Any, ...]]:
        """PostgreSQL SQL (placeholders %s) as superuser, inside the session's transaction if there is one.

        With `write` a transaction is opened when there is none, so that the work is the client's to commit.
        Raises OracleError.
        """
        async with (
            self.transaction.statement(writes=write),
            self.acting.superuser(),
            self.pg.cursor() as cursor,
        ):
            await cursor.execute(sql, params or None)
            return await cursor.fetchall() if cursor.description else []

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

    async def cancel(self) -> None:
        """Stop the running statement; it fails with ORA-01013."""
        self.backend.disturbed = True
        if not self.pg.closed:
            await self.pg.cancel_safe(timeout=5.0)

    async def set_current_schema(self, schema: str) -> None:
        """ALTER SESSION SET CURRENT_SCHEMA; the caller has checked that the schema exists."""
        self.current_schema = schema
        self.changes[Keyword.CURRENT_SCHEMA] = schema
        await self.settings.set("search_path", self.database.search_path(schema))

    def set_edition(self, edition: str) -> None:
        """ALTER SESSION SET EDITION; the caller has checked that it exists."""
        self.changes[Keyword.EDITION] = edition

    async def close(self) -> None:
        """End the session: what was not committed is rolled back.

        It is done once and completely, even if the caller is cancelled in the meantime.
        """
        self.closed = True
        if self._closing is None:
            self._closing = asyncio.ensure_future(self._close())
        await asyncio.shield(self._closing)

    async def _close(self) -> None:
        # A cancel request may still be on its way to a process that was asked to stop.
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
