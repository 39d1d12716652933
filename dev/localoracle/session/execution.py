"""Translated statements run: queries, DML, DDL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from localoracle.errors import OracleError, not_supported
from localoracle.postgres import interval_partitions, privileges
from localoracle.postgres.backend import Prepared
from localoracle.postgres.parameters import loader
from localoracle.session import (
    dml_rules,
    explanations,
    flashback,
    last_rows,
    query_columns,
    value_errors,
)
from localoracle.session.prepared import bound
from localoracle.session.queries import lock_wait, run_query, shown_lobs
from localoracle.session.result import QueryResult, Result
from localoracle.session.revalidation import revalidated
from localoracle.session.schema_names import open_tables
from localoracle.sql.parsing.lexer import literal
from localoracle.values import Value

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
        other = await explanations.of_execution(session, statement, error)
        if other is not None:
            raise other from error
        if statement.kind == "ddl" or not explanations.is_stale_plan(error):
            raise
        await session.backend.forget(statement.sql[0])
        return await _run_prepared(session, statement, values, tell_row)


async def _run_prepared(
    session: Session, statement: Statement, values: Sequence[Value], tell_row: bool
) -> Result:
    await dml_rules.refuse_direct_access(session, statement)
    await open_tables(session, statement)
    await session.database.stale_views.settle(session, statement)
    if statement.uses_current_scn:
        await _show_current_scn(session)
    if statement.reads_capture_counters:
        await session.database.services["capture"].report()
    if statement.reads_statistics:
        session.database.activity.report()
    if statement.kind == "query":
        return await run_query(session, statement, values)
    if statement.scn is not None:
        raise not_supported(f"AS OF in {statement.verb}")
    try:
        if tell_row and statement.located:
            try:
                return await _run_dml(session, replace(statement, sql=(statement.located,)), values)
            except OracleError as error:
                if not last_rows.have_no_place(error):
                    raise
        return await _run_dml(session, statement, values)
    except OracleError as error:
        if error.code != value_errors.TOO_LARGE:
            raise
        row = [value.value for value in values]
        raise await value_errors.name_column(session, statement, row, error) from error


async def _run_dml(session: Session, statement: Statement, values: Sequence[Value]) -> Result:
    async with session.transaction.statement(writes=True, verb=statement.verb), lock_wait(session, statement):
        await dml_rules.check_whole_rows(session, statement, values)
        loaded = await dml_rules.begin_direct_load(session, statement)
        if statement.insert_from_query:
            await _tell_rows_from_query(session, statement.tables[0])
        await query_columns.check(session, session.backend, statement, values)
        prepared, parameters, formats = await bound(session, session.backend, statement, values)
        mutating = dml_rules.may_be_seen_changing(statement)
        if mutating:
            await dml_rules.begin_change(session, statement)
        if statement.sql[0] == statement.located:
            count, last = await session.backend.execute_to_last(prepared, parameters, formats)
            result = Result(verb=statement.verb, rowcount=count)
            result.last_row = last_rows.from_binary(last)
        else:
            types = session.database.types
            binary = any(types.is_bytes(field.type) for field in prepared.fields)
            outcome = await session.backend.execute(prepared, parameters, formats, binary=binary)
            result = Result(verb=statement.verb, rowcount=affected_rows(statement, outcome))
            if statement.return_binds:
                result.returned = returned_values(session, statement, prepared, [outcome])
                result.last_row = last_rows.returned(outcome)
        session.database.room.require_undo(result.rowcount or 0)
        if statement.insert_from_query:
            await _tell_rows_from_query(session, "")
        if mutating:
            await dml_rules.end_change(session)
    session.transaction.direct_loads |= loaded
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
    columns = [session.database.types.column(field) for field in visible]
    reader = QueryResult(session, session.backend, session.database.types, columns)
    reader.hidden = statement.hidden_columns
    if statement.hidden_columns:
        reader.row_lobs = shown_lobs(statement, columns)
    returned: list[list[Any]] = [[] for _ in columns]
    loaders = [loader(column.datatype.type, column.datatype.national) for column in columns]
    for outcome in outcomes:
        for row in reader.rows_of(outcome):
            for target, function, value in zip(returned, loaders, row, strict=True):
                target.append(value if value is None or function is None else function(value))
    return returned


async def _run_ddl(session: Session, statement: Statement) -> Result:
    await session.transaction.commit()
    await privileges.require(session, statement)
    session.database.remote_synonyms.refuse_name(statement, session.current_schema)
    begin = "BEGIN"
    if statement.scn is not None:
        await privileges.demand_flashback(session, statement.tables)
        name = await flashback.snapshot_name(session, statement, ())
        begin = f"BEGIN ISOLATION LEVEL REPEATABLE READ; SET TRANSACTION SNAPSHOT '{name}'"
    async with session.transaction.statement(writes=False, verb=statement.verb):
        seconds = max(DDL_LOCK_SECONDS, int(session.settings.values.get("localoracle.ddl_lock_timeout", 0)))
        await session.backend.script(f"{begin}; SET LOCAL ROLE NONE; SET LOCAL lock_timeout = '{seconds}s'")
        session.backend.compiled_with_errors = False
        await query_columns.check_natural_joins(session, session.backend, statement, ())
        for text in statement.sql:
            await session.backend.script(text)
        if statement.scn is not None:
            await flashback.check_unchanged(session.database, session.backend)
        await session.backend.script("COMMIT")
    session.database.definitions += 1
    await session.database.temporary_tables.changed(session.database, statement)
    await session.database.remote_synonyms.changed(session.database, statement)
    await session.database.stale_views.changed(session.database, statement)
    await session.database.invisible_columns.changed(session.database, statement)
    result = Result(verb=statement.verb)
    result.warning = COMPILED_WITH_ERRORS if session.backend.compiled_with_errors else 0
    return result


async def _show_current_scn(session: Session) -> None:
    await session.settings.set("localoracle.current_scn", str(await session.database.snapshots.take()))
