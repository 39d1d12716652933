"""A query or DML is parsed and not run: its names, their types, and whether the user may.

What Oracle finds at parse; what hangs on values is found when the statement runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import psycopg

from localoracle.errors import OracleError
from localoracle.session import (
    execution,
    function_calls,
    query_columns,
    temporary_tables,
    user_types,
    whole_rows,
)
from localoracle.session.revalidation import revalidated
from localoracle.values import Column, Value

if TYPE_CHECKING:
    from localoracle.session.session import Session
    from localoracle.sql.statement import Statement

_LACKING = (3001, 20999)
_OF_NAMES_AND_FORM = ("42", "3F")
"""Classes of SQLSTATE: syntax, names and access rules; schemas."""
_CHANGES = {
    "INSERT": ["INSERT"],
    "UPDATE": ["UPDATE"],
    "DELETE": ["DELETE"],
    "MERGE": ["INSERT", "UPDATE"],
}
_TEXTS = {942: "table or view does not exist", 1031: "insufficient privileges"}


class NotParsed(Exception):
    """Whether the statement is right is found only when it runs."""


async def parse(session: Session, sql: str, binds: Mapping[str, Value]) -> list[Column]:
    """The columns of a query, none of DML. Raises OracleError, NotParsed for what the stand-in lacks."""
    if "@" in sql or session.database.remote_synonyms.maybe_in(sql):
        raise NotParsed
    functions: frozenset[str] = frozenset()
    while True:
        try:
            statement, values = session.translate(sql, (), binds, functions)
        except OracleError as error:
            other = await user_types.explained(session, sql, error)
            raise _certain(other) from error
        if statement.kind not in ("query", "dml") or statement.scn is not None:
            raise NotParsed
        try:
            return await _parsed(session, statement, values)
        except function_calls.CalledByName as called:
            if called.name in functions:
                raise NotParsed from called
            functions |= {called.name}


async def _parsed(session: Session, statement: Statement, values: Sequence[Value]) -> list[Column]:
    await require_tables(session, statement, session.role)
    await temporary_tables.open_tables(session, statement)
    await session.backend.forget(statement.sql[0])
    while True:
        try:
            async with session.only_looking(statement.verb):
                await whole_rows.check(session, statement, values)
                await query_columns.check(session, session.backend, statement, values)
                prepared = await execution.prepare(session, session.backend, statement, values)
        except OracleError as error:
            if await revalidated(session, error):
                continue
            other = await execution.explained(session, statement, error)
            if isinstance(other, function_calls.CalledByName):
                raise other from error
            cause = error.__cause__
            if isinstance(cause, psycopg.Error) and (cause.sqlstate or "")[:2] not in _OF_NAMES_AND_FORM:
                raise NotParsed from error
            raise _certain(other or error) from error
        visible = prepared.fields[: len(prepared.fields) - statement.hidden_columns]
        columns = execution.described(session.database.types, statement, visible)
        return columns if statement.kind == "query" else []


def _certain(error: OracleError) -> OracleError | NotParsed:
    return NotParsed() if error.code in _LACKING else error


async def require_tables(session: Session, statement: Statement, role: str) -> None:
    """ORA-00942 or ORA-01031 for the first table or view that is not there or may not be used so."""
    if not statement.tables:
        return
    wanted = [["SELECT"] for _ in statement.tables]
    wanted[0] = _CHANGES.get(statement.verb, wanted[0])
    rows = await session.pg_system(
        "SELECT ora.table_refusal(%s, %s, named, string_to_array(wanted, ','))"
        " FROM unnest(%s::text[], %s::text[]) WITH ORDINALITY AS t (named, wanted, number) ORDER BY number",
        [role, session.current_schema, list(statement.tables), [",".join(each) for each in wanted]],
    )
    for (code,), position in zip(rows, statement.table_positions, strict=True):
        if code:
            raise OracleError(int(code), _TEXTS[int(code)], position)
