"""One client's session: statements, transaction, locators, on one PostgreSQL connection."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import sql as pgsql

from localoracle.errors import OracleError, not_supported
from localoracle.session import flashback, transactions, value_errors
from localoracle.session.backend import Backend, Prepared
from localoracle.session.dispatch import Kind, classify, first_words
from localoracle.session.locators import Locators
from localoracle.session.parameters import encode, loader, materialize
from localoracle.session.pg_errors import oracle_error
from localoracle.session.result import QueryResult, Result, chunk_rows
from localoracle.values import Column, OracleType, Value

if TYPE_CHECKING:
    from localoracle.config import Instance
    from localoracle.server import Database
    from localoracle.sql.statement import Statement

_SHOWN = tuple(f"localoracle.{name}" for name in ("module", "action", "client_identifier", "client_info"))
STATEMENT_SAVEPOINT = "localoracle_statement"
DDL_LOCK_SECONDS = 5
"""How long DDL waits for a table's lock before ORA-00054."""


@dataclass
class Client:
    """What the client told about itself; V$SESSION shows it."""

    program: str = ""
    machine: str = ""
    osuser: str = ""
    process: str = ""
    terminal: str = ""
    driver: str = ""


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

    def __post_init__(self) -> None:
        self.current_schema = self.current_schema or self.user
        self.backend = Backend(self.pg)
        self._streamed: QueryResult | None = None
        self._flashbacks: set[psycopg.AsyncConnection[Any]] = set()
        """Connections of AS OF queries with rows left."""
        self._savepoint = False
        self._transactions = 0
        self._calls = 0
        self._configuration: dict[str, str] = {}
        self._configured_in_transaction = False
        self.closed = False

    @property
    def instance(self) -> Instance:
        return self.database.instance

    @property
    def program(self) -> str:
        return self.client.program

    @property
    def machine(self) -> str:
        return self.client.machine

    @property
    def in_transaction(self) -> bool:
        """Whether there is something to commit or roll back."""
        return self.backend.in_transaction or bool(self.lobs.dirty_rows())

    # -- statements ----------------------------------------------------------------------------------

    async def run(
        self, sql: str, values: Sequence[Value] = (), *, by_name: Mapping[str, Value] | None = None
    ) -> Result:
        """Run any Oracle statement.

        Binds come as `values`, one per occurrence (SQL) or distinct name (PL/SQL), or `by_name` with
        upper-case names. OUT binds of PL/SQL are replaced in place. Raises OracleError; the failed
        statement leaves nothing behind, the transaction stays open.
        """
        kind = classify(sql)
        if kind is Kind.BLOCK:
            return await self._run_block(sql, values, by_name)
        if kind is Kind.SQL:
            statement, values = self.translate(sql, values, by_name)
            return await self.run_statement(statement, values)
        if kind is Kind.TRANSACTION:
            return Result(verb=await transactions.execute(self, sql))
        if kind is Kind.UNIT:
            from localoracle import plsql

            await self.commit()
            async with self._whole_call():
                verb = await plsql.create(self, sql)
            await self.commit()
            return Result(verb=verb)
        from localoracle import admin

        control = first_words(sql, 2) in (["ALTER", "SESSION"], ["ALTER", "SYSTEM"], ["SET", "ROLE"])
        if not control:
            await self.commit()
        async with self._whole_call():
            verb = await admin.execute(self, sql)
        if not control:
            await self.commit()
        return Result(verb=verb)

    def translate(
        self, sql: str, values: Sequence[Value], by_name: Mapping[str, Value] | None = None
    ) -> tuple[Statement, Sequence[Value]]:
        """The translated statement and the values in the order that its parameters refer to."""
        from localoracle.sql import bind_names, translate

        if by_name is not None:
            names = list(dict.fromkeys(bind_names(sql)))
            missing = [name for name in names if name not in by_name]
            if missing:
                raise OracleError(1008, "not all variables bound")
            values = [by_name[name] for name in names]
        types = tuple(value.datatype for value in values)
        return translate(sql, types, binds_by_name=by_name is not None), values

    async def run_statement(self, statement: Statement, values: Sequence[Value]) -> Result:
        """Run a translated statement."""
        if statement.kind == "ddl":
            return await self._run_ddl(statement)
        try:
            return await self._run_prepared(statement, values)
        except OracleError as error:
            if error.code == 942 and _unknown_sequence(error, statement):
                raise OracleError(2289, "sequence does not exist") from error
            if not _stale_plan(error):
                raise
            await self.backend.forget(statement.sql[0])
            return await self._run_prepared(statement, values)

    async def _run_prepared(self, statement: Statement, values: Sequence[Value]) -> Result:
        if statement.uses_current_scn:
            await self._show_current_scn()
        if statement.kind == "query":
            return await self._run_query(statement, values)
        if statement.scn is not None:
            raise not_supported(f"AS OF in {statement.verb}")
        try:
            return await self._run_dml(statement, values)
        except OracleError as error:
            if error.code != value_errors.TOO_LARGE:
                raise
            row = [value.value for value in values]
            raise await value_errors.name_column(self, statement, row, error) from error

    async def _run_query(self, statement: Statement, values: Sequence[Value]) -> Result:
        if statement.scn is not None:
            return await self._run_flashback(statement, values)
        frame = self.statement(writes=statement.for_update, verb=statement.verb)
        async with frame, self._lock_wait(statement):
            result = await self._open(self.backend, statement, values)
            if result.streaming:
                self._streamed = result
                if statement.for_update:
                    await result.park()
        return result

    async def _open(self, backend: Backend, statement: Statement, values: Sequence[Value]) -> QueryResult:
        prepared, parameters, formats = await self._prepare(backend, statement, values)
        types = self.database.types
        visible = prepared.fields[: len(prepared.fields) - statement.hidden_columns]
        names = statement.column_names or (None,) * len(visible)
        columns = [types.column(one, name) for one, name in zip(visible, names, strict=True)]
        result = QueryResult(self, backend, types, columns)
        result.hidden = statement.hidden_columns
        if statement.hidden_columns:
            result.row_lobs = _row_lobs(statement, columns)
        binary = any(types.is_bytes(one.type) for one in prepared.fields)
        chunk = await backend.stream(prepared, parameters, formats, binary=binary, rows=chunk_rows(columns))
        result.start(chunk, ended=not backend.streaming)
        return result

    async def _prepare(
        self, backend: Backend, statement: Statement, values: Sequence[Value]
    ) -> tuple[Prepared, list[bytes | None], list[int]]:
        prepared = await self.prepare(backend, statement, values)
        parameters: list[bytes | None] = []
        formats: list[int] = []
        for index, oid in zip(statement.parameters, prepared.parameter_types, strict=True):
            data, form = encode(await materialize(values[index].value), oid, self.database.types)
            parameters.append(data)
            formats.append(form)
        return prepared, parameters, formats

    async def prepare(self, backend: Backend, statement: Statement, values: Sequence[Value]) -> Prepared:
        """Parse and describe; binds whose type PostgreSQL cannot infer get the one the client declared."""
        try:
            return await backend.prepare(statement.sql[0])
        except (psycopg.errors.IndeterminateDatatype, psycopg.errors.AmbiguousFunction):
            if self.backend.in_transaction and backend is self.backend:
                await self._undo_statement(keep=True)
            types = tuple(
                self.database.types.parameter_type(values[i].datatype) for i in statement.parameters
            )
            return await backend.prepare(statement.sql[0], types)

    async def describe(self, sql: str, binds: int) -> list[Column]:
        """The columns of a query (none of other statements), without running it."""
        from localoracle.sql import translate

        statement = translate(sql, (None,) * binds)
        async with self.statement(writes=False):
            prepared = await self.backend.prepare(statement.sql[0])
        visible = prepared.fields[: len(prepared.fields) - statement.hidden_columns]
        names = statement.column_names or (None,) * len(visible)
        return [self.database.types.column(one, name) for one, name in zip(visible, names, strict=True)]

    async def _run_dml(self, statement: Statement, values: Sequence[Value]) -> Result:
        async with self.statement(writes=True, verb=statement.verb), self._lock_wait(statement):
            prepared, parameters, formats = await self._prepare(self.backend, statement, values)
            types = self.database.types
            binary = any(types.is_bytes(one.type) for one in prepared.fields)
            outcome = await self.backend.execute(prepared, parameters, formats, binary=binary)
            result = Result(verb=statement.verb, rowcount=outcome.command_tuples or 0)
            if statement.return_binds:
                result.returned = self.returned_values(statement, prepared, [outcome])
        return result

    def returned_values(
        self, statement: Statement, prepared: Prepared, outcomes: Sequence[Any]
    ) -> list[list[Any]]:
        """RETURNING INTO: per bind the values of the affected rows; LOBs as locators of their rows."""
        visible = prepared.fields[: len(prepared.fields) - statement.hidden_columns]
        columns = [self.database.types.column(one) for one in visible]
        reader = QueryResult(self, self.backend, self.database.types, columns)
        reader.hidden = statement.hidden_columns
        if statement.hidden_columns:
            reader.row_lobs = _row_lobs(statement, columns)
        returned: list[list[Any]] = [[] for _ in columns]
        loaders = [loader(column.datatype.type, column.datatype.national) for column in columns]
        for outcome in outcomes:
            for row in reader.rows_of(outcome):
                for target, function, value in zip(returned, loaders, row, strict=True):
                    target.append(value if value is None or function is None else function(value))
        return returned

    async def _run_ddl(self, statement: Statement) -> Result:
        from localoracle.admin import privileges

        await self.commit()
        await privileges.require(self, statement)
        begin = "BEGIN"
        if statement.scn is not None:
            name = await self._snapshot_name(statement, ())
            begin = f"BEGIN ISOLATION LEVEL REPEATABLE READ; SET TRANSACTION SNAPSHOT '{name}'"
        async with self.statement(writes=False):
            await self.backend.script(
                f"{begin}; SET LOCAL ROLE NONE; SET LOCAL lock_timeout = '{DDL_LOCK_SECONDS}s'"
            )
            for one in statement.sql:
                await self.backend.script(one)
            if statement.scn is not None:
                await flashback.check_unchanged(self.backend)
            await self.backend.script("COMMIT")
        return Result(verb=statement.verb)

    async def _run_flashback(self, statement: Statement, values: Sequence[Value]) -> Result:
        """AS OF SCN: on a connection of its own that looks at the SCN's snapshot."""
        if statement.for_update:
            raise OracleError(8187, "snapshot expression not allowed here")
        name = await self._snapshot_name(statement, values)
        await self._free_backend()
        connection = await self.database.connect(self.user, self.current_schema)
        backend = Backend(connection)
        try:
            for key, value in self._configuration.items():
                await connection.execute("SELECT set_config(%s, %s, false)", [key, value])
            await backend.script("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            await backend.script(f"SET TRANSACTION SNAPSHOT '{name}'")
            await self.prepare(backend, statement, values)
            await flashback.check_unchanged(backend)
            result = await self._open(backend, statement, values)
        except BaseException as error:
            await connection.close()
            if isinstance(error, (psycopg.errors.UndefinedObject, psycopg.errors.InvalidParameterValue)):
                raise OracleError(1555, "snapshot too old") from error
            if isinstance(error, psycopg.Error):
                raise oracle_error(error) from error
            raise
        if result.streaming:
            result.closes_backend = True
            self._flashbacks = {one for one in self._flashbacks if not one.closed} | {connection}
        else:
            await connection.close()
        return result

    async def _snapshot_name(self, statement: Statement, values: Sequence[Value]) -> str:
        scn = statement.scn
        if isinstance(scn, tuple):
            value = values[scn[1]].value
            if value is None:
                raise OracleError(8182, "operation not supported while in Flashback mode")
            scn = int(value)
        assert scn is not None
        return await self.database.snapshots.snapshot(scn)

    async def _show_current_scn(self) -> None:
        await self.configure("localoracle.current_scn", str(await self.database.snapshots.take()))

    async def _run_block(
        self, sql: str, values: Sequence[Value], by_name: Mapping[str, Value] | None
    ) -> Result:
        from localoracle import plsql

        names = plsql.bind_names(sql)
        if by_name is not None:
            values = [by_name[name] for name in names]
        if len(values) != len(names):
            raise OracleError(1008, "not all variables bound")
        async with self._whole_call():
            directions = await plsql.execute(self, sql, list(values), names)
        result = Result(verb="BLOCK")
        result.directions = directions
        return result

    # -- the frame around each statement ---------------------------------------------------------------

    @asynccontextmanager
    async def statement(self, *, writes: bool, verb: str = "") -> AsyncIterator[None]:
        """Statement-level rollback: what fails inside leaves nothing behind. Raises OracleError."""
        await self._free_backend()
        if self.backend.in_transaction:
            release = f"RELEASE SAVEPOINT {STATEMENT_SAVEPOINT}; " if self._savepoint else ""
            await self.backend.script(f"{release}SAVEPOINT {STATEMENT_SAVEPOINT}")
            self._savepoint = True
        elif writes:
            await self.backend.script("BEGIN")
            self._savepoint = False
        try:
            yield
        except BaseException as error:
            self._streamed = None
            await self._undo_statement()
            if isinstance(error, psycopg.errors.InsufficientPrivilege):
                from localoracle.admin import privileges

                raise await privileges.denied(self, error) from error
            if isinstance(error, psycopg.Error):
                raise oracle_error(error, verb) from error
            raise

    @asynccontextmanager
    async def _lock_wait(self, statement: Statement) -> AsyncIterator[None]:
        """WAIT n; a failure sets it back with all that the statement did."""
        if statement.lock_seconds is None:
            yield
            return
        await self.backend.script(f"SET LOCAL lock_timeout = '{statement.lock_seconds}s'")
        yield
        await self.backend.script("SET LOCAL lock_timeout = 0")

    async def _undo_statement(self, *, keep: bool = False) -> None:
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
        await self._free_backend()
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
                await self._free_backend(discard=True)
                await self.backend.script(f"ROLLBACK TO SAVEPOINT {name}" if opened else "ROLLBACK")
                self._savepoint = False
            if isinstance(error, psycopg.Error):
                raise oracle_error(error) from error
            raise
        finally:
            self._calls -= 1

    async def _free_backend(self, *, discard: bool = False) -> None:
        """Make the connection usable: park the rows that are still coming, store written LOBs."""
        streamed, self._streamed = self._streamed, None
        if streamed is not None:
            if discard:
                await streamed.close()
            else:
                await streamed.park()
        for lob in self.lobs.dirty_rows():
            await transactions.store_lob(self, lob)

    async def next_chunk(self, result: QueryResult) -> Any:
        """More rows for `result`; a failure there ends the statement."""
        try:
            chunk = await result.backend.next_chunk()
        except BaseException as error:
            self._forget_stream(result)
            if result.backend is self.backend:
                await self._undo_statement()
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
            await self._undo_statement()

    def _forget_stream(self, result: QueryResult) -> None:
        if self._streamed is result:
            self._streamed = None

    # -- transaction -----------------------------------------------------------------------------------

    async def begin(self, mode: str = "") -> None:
        """Open PostgreSQL's transaction now, with an isolation mode."""
        await self._free_backend()
        await self.backend.script(f"BEGIN {mode}")
        self._savepoint = False

    async def savepoint(self, name: str) -> None:
        """A PostgreSQL savepoint that outlives the statement's own."""
        await self._free_backend()
        if not self.backend.in_transaction:
            await self.backend.script("BEGIN")
        release = f"RELEASE SAVEPOINT {STATEMENT_SAVEPOINT}; " if self._savepoint else ""
        await self.backend.script(f'{release}SAVEPOINT "{name}"')
        self._savepoint = False

    async def rollback_to(self, name: str) -> None:
        await self._free_backend()
        if not self.backend.in_transaction:
            raise psycopg.errors.InvalidSavepointSpecification(name)
        async with self.statement(writes=False):
            await self.backend.script(f'ROLLBACK TO SAVEPOINT "{name}"')
        self._savepoint = False

    async def commit(self) -> None:
        """Commit; open queries keep their rows."""
        await self._free_backend()
        if self.backend.in_transaction:
            self._end_transaction()
            try:
                await self.backend.script("COMMIT")
            except psycopg.Error as error:
                cause = oracle_error(error)
                raise OracleError(2091, f"transaction rolled back\n{cause}") from error
            finally:
                self._configured_in_transaction = False

    async def rollback(self) -> None:
        """Roll back; open queries keep their rows."""
        for lob in self.lobs.dirty_rows():
            lob.dirty = False
        await self._free_backend()
        if self.backend.in_transaction:
            self._end_transaction()
            await self.backend.script("ROLLBACK")
            if self._configured_in_transaction:
                self._configured_in_transaction = False
                for name, value in self._configuration.items():
                    await self._set(name, value)

    def _end_transaction(self) -> None:
        self._transactions += 1
        self._savepoint = False

    async def cancel(self) -> None:
        """Stop the running statement; it fails with ORA-01013."""
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
            await self.backend.script("SET LOCAL ROLE NONE" if inside else "SET ROLE NONE")
            try:
                async with self.pg.cursor() as cursor:
                    await cursor.execute(sql, params or None)
                    rows = await cursor.fetchall() if cursor.description else []
            finally:
                if (
                    not self.pg.closed
                    and self.pg.info.transaction_status != psycopg.pq.TransactionStatus.INERROR
                ):
                    role = pgsql.Identifier(self.user).as_string(self.pg)
                    await self.backend.script(f"SET {'LOCAL ' if inside else ''}ROLE {role}")
        return rows

    async def configure(self, name: str, value: str) -> None:
        """Set a PostgreSQL parameter for the session; unlike SET it survives a rollback."""
        await self._free_backend()
        self._configuration[name] = value
        self._configured_in_transaction = self.backend.in_transaction
        await self._set(name, value)

    async def _set(self, name: str, value: str) -> None:
        await self.backend.script(self._setting_statement({name: value}))

    async def show(self) -> None:
        """Bring V$SESSION and SYS_CONTEXT up to date after a change of module, action, client info."""
        names = ("module", "action", "client_identifier", "client_info")
        await self._free_backend()
        for name in names:
            self._configuration[f"localoracle.{name}"] = getattr(self, name)
        self._configured_in_transaction = self.backend.in_transaction
        await self.backend.script(self._setting_statement({key: self._configuration[key] for key in _SHOWN}))
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
            "server_host": socket.gethostname(),
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
        await self.configure("search_path", self.database.search_path(schema))

    async def close(self) -> None:
        """End the session: what was not committed is rolled back."""
        if self.closed:
            return
        self.closed = True
        self.lobs.clear()
        self.database.forget(self)
        for state in self.package_state.values():
            ending = getattr(state, "session_closed", None)
            if ending is not None:
                with suppress(Exception):
                    outcome = ending()
                    if asyncio.iscoroutine(outcome):
                        await outcome
        for connection in (*self._flashbacks, self.pg):
            with suppress(psycopg.Error):
                if connection.info.transaction_status == psycopg.pq.TransactionStatus.ACTIVE:
                    await connection.cancel_safe(timeout=5.0)
                await connection.close()


def _stale_plan(error: OracleError) -> bool:
    """Whether a table was altered since the statement was prepared."""
    cause = error.__cause__
    return isinstance(cause, psycopg.errors.FeatureNotSupported) and "cached plan" in str(cause)


def _unknown_sequence(error: OracleError, statement: Statement) -> bool:
    """Whether the relation that PostgreSQL misses is the object of NEXTVAL or CURRVAL."""
    missing = re.search(r'relation "(.*)" does not exist', str(error.__cause__))
    if missing is None:
        return False
    name = missing[1].split(".")[-1]
    return re.search(rf"""(?:next|curr)val\('[^']*"?{re.escape(name)}"?'""", statement.sql[0]) is not None


def _row_lobs(statement: Statement, columns: Sequence[Column]) -> dict[int, str]:
    """Output position -> column name of the LOBs that are columns of the row behind the hidden columns."""
    return {
        position: name
        for position, (name, column) in enumerate(zip(statement.lob_columns, columns, strict=False))
        if name is not None and column.datatype.type in (OracleType.CLOB, OracleType.BLOB)
    }
