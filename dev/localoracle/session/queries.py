"""Queries: described, opened as streams of rows, also as of an SCN."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import psycopg
from sqlglot.errors import TokenError

from localoracle.errors import OracleError
from localoracle.postgres import privileges
from localoracle.postgres.backend import Backend, Field
from localoracle.postgres.errors import oracle_error
from localoracle.postgres.types import UNSIZED, TypeMap
from localoracle.session import flashback, function_calls, query_columns
from localoracle.session.describing import as_declared
from localoracle.session.error_places import located
from localoracle.session.prepared import bound, prepare
from localoracle.session.result import QueryResult, chunk_rows
from localoracle.session.row_lobs import lob_columns
from localoracle.session.schema_names import open_tables
from localoracle.session.translation import translated
from localoracle.sql.parsing.dialect import DIALECT
from localoracle.sql.parsing.lexer import Cursor, literal, quote_qualified
from localoracle.values import Column, OracleType, Value

if TYPE_CHECKING:
    from localoracle.session.session import Session
    from localoracle.sql.statement import Statement

_NO_TABLE, _NO_OBJECT = 942, 4043


async def run_query(session: Session, statement: Statement, values: Sequence[Value]) -> QueryResult:
    """Run a translated query; its rows are read on demand."""
    if statement.scn is not None:
        return await _run_flashback(session, statement, values)
    frame = session.transaction.statement(writes=statement.for_update, verb=statement.verb)
    async with frame, lock_wait(session, statement):
        if statement.for_update and statement.tables:
            await _check_lockable(session, statement)
        result = await _open(session, session.backend, statement, values)
        if result.streaming:
            session.streamed = result
            if statement.for_update:
                await result.park()
    return result


async def _check_lockable(session: Session, statement: Statement) -> None:
    """ORA-12081 for the rows of a table in read-only mode."""
    names = ", ".join(literal(name) for name in statement.tables)
    await session.backend.script(f"SELECT ora.check_lockable(ARRAY[{names}])")


async def _open(
    session: Session, backend: Backend, statement: Statement, values: Sequence[Value]
) -> QueryResult:
    prepared, parameters, formats = await bound(session, backend, statement, values)
    types = session.database.types
    visible = prepared.fields[: len(prepared.fields) - statement.hidden_columns]
    columns = described(types, statement, visible)
    if not statement.branches:
        query_columns.refuse_long_expressions(columns, visible)
    function_calls.refuse_results(columns, visible)
    await query_columns.check(session, backend, statement, values)
    result = QueryResult(session, backend, types, columns, visible)
    if statement.hidden_columns:
        result.hidden = statement.hidden_columns
        result.row_lobs = shown_lobs(statement, columns) or await lob_columns(backend, visible, columns)
    elif statement.addressed and backend is session.backend and backend.in_transaction:
        result.row_lobs = await lob_columns(backend, visible, columns)
        if result.row_lobs:
            result.hidden, result.locked = 2, False
            addressed = replace(statement, sql=(statement.addressed,), addressed="")
            prepared, parameters, formats = await bound(session, backend, addressed, values)
    binary = any(types.is_bytes(field.type) for field in prepared.fields)
    chunk = await backend.stream(prepared, parameters, formats, binary=binary, rows=chunk_rows(columns))
    result.start(chunk, ended=not backend.streaming)
    return result


def described(types: TypeMap, statement: Statement, fields: Sequence[Field]) -> list[Column]:
    """The columns of a query as they are described to a client."""
    names = statement.column_names or (None,) * len(fields)
    columns = [types.column(field, name) for field, name in zip(fields, names, strict=True)]
    for place in statement.scalar_columns:
        datatype = columns[place].datatype
        if datatype.type is OracleType.NUMBER:
            unsized = replace(datatype, precision=0, scale=UNSIZED)
            columns[place] = replace(columns[place], datatype=unsized)
    return [
        column if datatype is None else replace(column, datatype=datatype)
        for column, datatype in zip(columns, statement.column_types or (None,) * len(fields), strict=True)
    ]


async def describe(session: Session, sql: str, binds: int) -> list[Column]:
    """The columns of a query (none of other statements), without running it."""
    statement = translated(session, sql, (None,) * binds)
    await open_tables(session, statement)
    with located(sql, statement):
        async with session.transaction.statement(writes=False):
            prepared = await session.backend.prepare(statement.sql[0])
    visible = prepared.fields[: len(prepared.fields) - statement.hidden_columns]
    columns = described(session.database.types, statement, visible)
    return await as_declared(session.database, columns, visible)


async def describe_relation(session: Session, name: str) -> tuple[list[Column], bool]:
    """The columns of what is named as in a statement, without the invisible ones; and whether it is a view.

    Raises ORA-04043 where there is none, also for what no statement could name.
    """
    missing = OracleError(_NO_OBJECT, f"object {name} does not exist")
    try:
        cursor = Cursor(DIALECT.tokenize(name), name)
        schema, relation = cursor.qualified()
    except (OracleError, TokenError):
        raise missing from None
    if not cursor.done:
        raise missing
    try:
        columns = await describe(session, f"SELECT * FROM {quote_qualified(schema, relation)}", 0)
    except OracleError as error:
        raise missing if error.code == _NO_TABLE else error from None
    kinds = await session.pg_system(
        "SELECT relkind IN ('v', 'm') FROM pg_class WHERE oid = to_regclass(%s)",
        [quote_qualified(schema or session.current_schema, relation)],
    )
    return columns, bool(kinds and kinds[0][0])


@asynccontextmanager
async def lock_wait(session: Session, statement: Statement) -> AsyncIterator[None]:
    """WAIT n; a failure sets it back with all that the statement did."""
    if statement.lock_seconds is None:
        yield
        return
    await session.backend.script(f"SET LOCAL lock_timeout = '{statement.lock_seconds}s'")
    yield
    await session.backend.script("SET LOCAL lock_timeout = 0")


async def _run_flashback(session: Session, statement: Statement, values: Sequence[Value]) -> QueryResult:
    """AS OF SCN: on a connection of its own that looks at the SCN's snapshot."""
    if statement.for_update:
        raise OracleError(8187, "snapshot expression not allowed here")
    await privileges.demand_flashback(session, statement.tables)
    name = await flashback.snapshot_name(session, statement, values)
    await session.free_backend()
    connection = await session.database.connect(session.role, session.current_schema)
    backend = Backend(connection)
    try:
        for key, value in session.settings.values.items():
            await connection.execute("SELECT set_config(%s, %s, false)", [key, value])
        await backend.script("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        await backend.script(f"SET TRANSACTION SNAPSHOT '{name}'")
        await prepare(session, backend, statement, values)
        await flashback.check_unchanged(session.database, backend)
        result = await _open(session, backend, statement, values)
    except BaseException as error:
        await connection.close()
        if isinstance(error, (psycopg.errors.UndefinedObject, psycopg.errors.InvalidParameterValue)):
            raise OracleError(
                1555, 'snapshot too old: rollback segment number  with name "" too small'
            ) from error
        if isinstance(error, psycopg.Error):
            raise oracle_error(error) from error
        raise
    if result.streaming:
        result.closes_backend = True
        session.flashbacks = {other for other in session.flashbacks if not other.closed} | {connection}
    else:
        await session.database.idle.give(connection)
    return result


def shown_lobs(statement: Statement, columns: Sequence[Column]) -> dict[int, str]:
    """Output position -> column name of the LOBs that are columns of the row behind the hidden columns."""
    return {
        position: name
        for position, (name, column) in enumerate(zip(statement.lob_columns, columns, strict=False))
        if name is not None and column.datatype.type in (OracleType.CLOB, OracleType.BLOB)
    }
