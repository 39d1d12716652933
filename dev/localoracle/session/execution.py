"""Translated statements run: queries as streams, DML, DDL, and queries as of an SCN."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import psycopg

from localoracle.errors import OracleError, not_supported
from localoracle.postgres import interval_partitions, privileges
from localoracle.postgres.backend import Backend, Field, Prepared
from localoracle.postgres.errors import oracle_error
from localoracle.postgres.parameters import loader
from localoracle.postgres.types import UNSIZED, TypeMap
from localoracle.session import (
    direct_path,
    flashback,
    function_calls,
    invalid_objects,
    last_rows,
    mutating_tables,
    query_columns,
    temporary_tables,
    value_errors,
    whole_rows,
)
from localoracle.session.describing import as_declared
from localoracle.session.error_places import located
from localoracle.session.prepared import bound, prepare
from localoracle.session.result import QueryResult, Result, chunk_rows
from localoracle.session.revalidation import revalidated
from localoracle.session.row_lobs import lob_columns
from localoracle.sql import translate
from localoracle.sql.parsing.lexer import literal
from localoracle.values import Column, OracleType, Value

if TYPE_CHECKING:
    from psycopg.pq.abc import PGresult

    from localoracle.session.session import Session
    from localoracle.sql.statement import Statement

COMPILED_WITH_ERRORS = 0x21
"""The warning flags of an answer: there is one, and it is that the created object is invalid (ORA-24344)."""
DDL_LOCK_SECONDS = 5
"""How long DDL waits for a table's lock before ORA-00054, unless DDL_LOCK_TIMEOUT is more."""


async def run_statement(
    session: Session, statement: Statement, values: Sequence[Value], *, tell_row: bool = False
) -> Result:
    """Run a translated statement; `tell_row`: the result's `last_row` is wanted."""
    while True:
        try:
            return await _run_once(session, statement, values, tell_row)
        except OracleError as error:
            if not await interval_partitions.add_missing(session, error) and not await revalidated(
                session, error
            ):
                raise


async def _run_once(
    session: Session, statement: Statement, values: Sequence[Value], tell_row: bool
) -> Result:
    try:
        if statement.kind == "ddl":
            return await _run_ddl(session, statement)
        return await _run_prepared(session, statement, values, tell_row)
    except OracleError as error:
        other = await explained(session, statement, error)
        if other is not None:
            raise other from error
        if statement.kind == "ddl" or not stale_plan(error):
            raise
        await session.backend.forget(statement.sql[0])
        return await _run_prepared(session, statement, values, tell_row)


async def explained(session: Session, statement: Statement, error: OracleError) -> OracleError | None:
    """What a failure is that the error's own text does not tell; None where there is nothing to add."""
    if error.code == 2149 and await _unpartitioned(session, error):
        return OracleError(14501, "object is not partitioned")
    refused = await function_calls.refusal(session, statement, error)
    if refused is not None:
        return refused
    if _names_a_column(error, statement):
        return OracleError(984, "column not allowed here")
    if error.code == 942 and _unknown_sequence(error, statement):
        return OracleError(2289, "sequence does not exist")
    if error.code == 942:
        await _refuse_remote_synonym(session, error, statement)
    return await invalid_objects.refusal(session, error)


@asynccontextmanager
async def _lock_wait(session: Session, statement: Statement) -> AsyncIterator[None]:
    """WAIT n; a failure sets it back with all that the statement did."""
    if statement.lock_seconds is None:
        yield
        return
    await session.backend.script(f"SET LOCAL lock_timeout = '{statement.lock_seconds}s'")
    yield
    await session.backend.script("SET LOCAL lock_timeout = 0")


async def _run_prepared(
    session: Session, statement: Statement, values: Sequence[Value], tell_row: bool
) -> Result:
    await direct_path.refuse_access(session, statement)
    await temporary_tables.open_tables(session, statement)
    if statement.uses_current_scn:
        await _show_current_scn(session)
    if statement.reads_capture_counters:
        await session.database.services["capture"].report()
    if statement.reads_statistics:
        session.database.activity.report()
    if statement.kind == "query":
        return await _run_query(session, statement, values)
    if statement.scn is not None:
        raise not_supported(f"AS OF in {statement.verb}")
    try:
        if tell_row and statement.located:
            try:
                return await _run_dml(session, replace(statement, sql=(statement.located,)), values)
            except OracleError as error:
                if not last_rows.are_untold(error):
                    raise
        return await _run_dml(session, statement, values)
    except OracleError as error:
        if error.code != value_errors.TOO_LARGE:
            raise
        row = [value.value for value in values]
        raise await value_errors.name_column(session, statement, row, error) from error


async def _run_query(session: Session, statement: Statement, values: Sequence[Value]) -> Result:
    if statement.scn is not None:
        return await _run_flashback(session, statement, values)
    frame = session.statement(writes=statement.for_update, verb=statement.verb)
    async with frame, _lock_wait(session, statement):
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
        result.row_lobs = _row_lobs(statement, columns) or await lob_columns(backend, visible, columns)
    elif statement.addressed and backend is session.backend and backend.in_transaction:
        result.row_lobs = await lob_columns(backend, visible, columns)
        if result.row_lobs:
            result.hidden, result.locked = 2, False
            addressed = replace(statement, sql=(statement.addressed,), addressed="")
            prepared, parameters, formats = await bound(session, backend, addressed, values)
    binary = any(types.is_bytes(one.type) for one in prepared.fields)
    chunk = await backend.stream(prepared, parameters, formats, binary=binary, rows=chunk_rows(columns))
    result.start(chunk, ended=not backend.streaming)
    return result


def described(types: TypeMap, statement: Statement, fields: Sequence[Field]) -> list[Column]:
    """The columns of a query as a client is told of them."""
    names = statement.column_names or (None,) * len(fields)
    columns = [types.column(one, name) for one, name in zip(fields, names, strict=True)]
    for place in statement.scalar_columns:
        datatype = columns[place].datatype
        if datatype.type is OracleType.NUMBER:
            unsized = replace(datatype, precision=0, scale=UNSIZED)
            columns[place] = replace(columns[place], datatype=unsized)
    return [
        column if told is None else replace(column, datatype=told)
        for column, told in zip(columns, statement.column_types or (None,) * len(fields), strict=True)
    ]


async def describe(session: Session, sql: str, binds: int) -> list[Column]:
    """The columns of a query (none of other statements), without running it."""
    temporary = session.database.temporary_tables.seen_from(session.current_schema)
    packages = session.database.user_packages.seen_from(session.current_schema)
    shown = session.database.invisible_columns.seen_from(session.current_schema)
    statement = translate(sql, (None,) * binds, temporary=temporary, packages=packages, shown=shown)
    await temporary_tables.open_tables(session, statement)
    with located(sql, statement):
        async with session.statement(writes=False):
            prepared = await session.backend.prepare(statement.sql[0])
    visible = prepared.fields[: len(prepared.fields) - statement.hidden_columns]
    columns = described(session.database.types, statement, visible)
    return await as_declared(session.database, columns, visible)


async def _run_dml(session: Session, statement: Statement, values: Sequence[Value]) -> Result:
    async with session.statement(writes=True, verb=statement.verb), _lock_wait(session, statement):
        await whole_rows.check(session, statement, values)
        loaded = await direct_path.begin(session, statement)
        if statement.insert_from_query:
            await _tell_rows_from_query(session, statement.tables[0])
        await query_columns.check(session, session.backend, statement, values)
        prepared, parameters, formats = await bound(session, session.backend, statement, values)
        mutating = mutating_tables.may_be_seen(statement)
        if mutating:
            await mutating_tables.begin(session, statement)
        if statement.sql[0] == statement.located:
            count, last = await session.backend.execute_to_last(prepared, parameters, formats)
            result = Result(verb=statement.verb, rowcount=count)
            result.last_row = last_rows.from_binary(last)
        else:
            types = session.database.types
            binary = any(types.is_bytes(one.type) for one in prepared.fields)
            outcome = await session.backend.execute(prepared, parameters, formats, binary=binary)
            result = Result(verb=statement.verb, rowcount=affected_rows(statement, outcome))
            if statement.return_binds:
                result.returned = returned_values(session, statement, prepared, [outcome])
                result.last_row = last_rows.returned(outcome)
        if statement.insert_from_query:
            await _tell_rows_from_query(session, "")
        if mutating:
            await mutating_tables.end(session)
    session.direct_loads |= loaded
    return result


async def _tell_rows_from_query(session: Session, target: str) -> None:
    """Tell triggers which table's rows come from a query ("Mutating-Table Restriction")."""
    await session.backend.script(f"SELECT ora.tell_rows_from_query({literal(target)})")


def affected_rows(statement: Statement, outcome: PGresult) -> int:
    if statement.counts_rows:
        return int(outcome.get_value(0, 0) or b"0")
    return outcome.command_tuples or 0


def returned_values(
    session: Session, statement: Statement, prepared: Prepared, outcomes: Sequence[Any]
) -> list[list[Any]]:
    """RETURNING INTO: per bind the values of the affected rows; LOBs as locators of their rows."""
    visible = prepared.fields[: len(prepared.fields) - statement.hidden_columns]
    columns = [session.database.types.column(one) for one in visible]
    reader = QueryResult(session, session.backend, session.database.types, columns)
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


async def _run_ddl(session: Session, statement: Statement) -> Result:
    await session.commit()
    await privileges.require(session, statement)
    session.database.remote_synonyms.refuse_name(statement, session.current_schema)
    begin = "BEGIN"
    if statement.scn is not None:
        await privileges.demand_flashback(session, statement.tables)
        name = await _snapshot_name(session, statement, ())
        begin = f"BEGIN ISOLATION LEVEL REPEATABLE READ; SET TRANSACTION SNAPSHOT '{name}'"
    async with session.statement(writes=False, verb=statement.verb):
        seconds = max(DDL_LOCK_SECONDS, int(session.configuration.get("localoracle.ddl_lock_timeout", 0)))
        await session.backend.script(f"{begin}; SET LOCAL ROLE NONE; SET LOCAL lock_timeout = '{seconds}s'")
        session.backend.compiled_with_errors = False
        await query_columns.check_natural_joins(session, session.backend, statement, ())
        for one in statement.sql:
            await session.backend.script(one)
        if statement.scn is not None:
            await flashback.check_unchanged(session.database, session.backend)
        await session.backend.script("COMMIT")
    session.database.definitions += 1
    await session.database.temporary_tables.changed(session.database, statement)
    await session.database.remote_synonyms.changed(session.database, statement)
    await session.database.invisible_columns.changed(session.database, statement)
    result = Result(verb=statement.verb)
    result.warning = COMPILED_WITH_ERRORS if session.backend.compiled_with_errors else 0
    return result


async def _run_flashback(session: Session, statement: Statement, values: Sequence[Value]) -> Result:
    """AS OF SCN: on a connection of its own that looks at the SCN's snapshot."""
    if statement.for_update:
        raise OracleError(8187, "snapshot expression not allowed here")
    await privileges.demand_flashback(session, statement.tables)
    name = await _snapshot_name(session, statement, values)
    await session.free_backend()
    connection = await session.database.connect(session.role, session.current_schema)
    backend = Backend(connection)
    try:
        for key, value in session.configuration.items():
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
        session.flashbacks = {one for one in session.flashbacks if not one.closed} | {connection}
    else:
        await session.database.idle.give(connection)
    return result


async def _snapshot_name(session: Session, statement: Statement, values: Sequence[Value]) -> str:
    scn = statement.scn
    if isinstance(scn, tuple):
        value = values[scn[1]].value
        if value is None:
            raise OracleError(8182, "operation not supported while in Flashback mode")
        scn = int(value)
    assert scn is not None
    return await session.database.snapshots.snapshot(scn)


async def _show_current_scn(session: Session) -> None:
    await session.configure("localoracle.current_scn", str(await session.database.snapshots.take()))


def stale_plan(error: OracleError) -> bool:
    """Whether a table was altered since the statement was prepared."""
    cause = error.__cause__
    return isinstance(cause, psycopg.errors.FeatureNotSupported) and "cached plan" in str(cause)


async def _unpartitioned(session: Session, error: OracleError) -> bool:
    """Whether the table of a partition that is not there has no partitions at all."""
    missing = re.search(r'relation "(.*)\$P\$', str(error.__cause__))
    if missing is None:
        return False
    rows = await session.pg_system(
        "SELECT 1 FROM pg_class WHERE oid = to_regclass(%s) AND relkind <> 'p'",
        [".".join(f'"{part}"' for part in missing[1].replace('"', "").split("."))],
    )
    return bool(rows)


async def _refuse_remote_synonym(session: Session, error: OracleError, statement: Statement) -> None:
    """ORA-03001 if the relation that PostgreSQL misses is behind a database link."""
    missing = re.search(r'relation "(?:(.*)\.)?(.*)" does not exist', str(error.__cause__))
    if missing and await session.database.remote_synonyms.find(session, missing[1], missing[2]):
        raise not_supported(f"{statement.verb} with {missing[2]}, which is behind a database link") from error


def _names_a_column(error: OracleError, statement: Statement) -> bool:
    """Whether INSERT ... VALUES gives a column as a value. Those of a multitable INSERT may be columns."""
    cause = error.__cause__
    return (
        statement.verb == "INSERT"
        and not statement.insert_from_query
        and not statement.counts_rows
        and isinstance(cause, psycopg.errors.UndefinedColumn)
        and "of relation" not in str(cause)
    )


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
