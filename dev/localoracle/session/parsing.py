"""A query or DML is parsed and not run: its names, their types, and whether the user may.

What Oracle finds at parse; what depends on values is found when the statement runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import psycopg

from localoracle.errors import OracleError
from localoracle.postgres import privileges
from localoracle.session import (
    dml_rules,
    explanations,
    function_calls,
    queries,
    query_columns,
)
from localoracle.session.prepared import prepare
from localoracle.session.revalidation import revalidated
from localoracle.session.schema_names import open_tables
from localoracle.session.translation import translated_with
from localoracle.values import Column, Value

if TYPE_CHECKING:
    from localoracle.session.session import Session
    from localoracle.sql.statement import Statement

_LACKING = (3001, 20999)
_OF_NAMES_AND_FORM = ("42", "3F")
"""Classes of SQLSTATE: syntax, names and access rules; schemas."""


class _NotParsed(Exception):
    """Whether the statement is right is found only when it runs."""


async def parse(session: Session, sql: str, binds: Mapping[str, Value]) -> list[Column] | None:
    """The columns of a query, none of DML; None where only executing it shows whether the statement is valid.

    Raises OracleError.
    """
    try:
        return await _parse(session, sql, binds)
    except _NotParsed:
        return None


async def _parse(session: Session, sql: str, binds: Mapping[str, Value]) -> list[Column]:
    if "@" in sql or session.database.remote_synonyms.maybe_in(sql):
        raise _NotParsed
    functions: frozenset[str] = frozenset()
    while True:
        try:
            statement, values = translated_with(session, sql, (), binds, functions)
        except OracleError as error:
            other = await explanations.of_translation(session, sql, error)
            raise _certain(other) from error
        if statement.kind not in ("query", "dml") or statement.scn is not None:
            raise _NotParsed
        try:
            return await _parsed(session, statement, values)
        except function_calls.CalledByName as called:
            if called.name in functions:
                raise _NotParsed from called
            functions |= {called.name}


async def _parsed(session: Session, statement: Statement, values: Sequence[Value]) -> list[Column]:
    await privileges.require_tables(session, statement, session.role)
    await open_tables(session, statement)
    await session.database.stale_views.settle(session, statement)
    await session.backend.forget(statement.sql[0])
    while True:
        try:
            async with session.transaction.only_looking(statement.verb):
                await dml_rules.check_whole_rows(session, statement, values)
                await query_columns.check(session, session.backend, statement, values)
                prepared = await prepare(session, session.backend, statement, values)
        except OracleError as error:
            if await revalidated(session, error):
                continue
            other = await explanations.of_execution(session, statement, error)
            if isinstance(other, function_calls.CalledByName):
                raise other from error
            cause = error.__cause__
            if isinstance(cause, psycopg.Error) and (cause.sqlstate or "")[:2] not in _OF_NAMES_AND_FORM:
                raise _NotParsed from error
            raise _certain(other or error) from error
        visible = prepared.fields[: len(prepared.fields) - statement.hidden_columns]
        columns = queries.described(session.database.types, statement, visible)
        return columns if statement.kind == "query" else []


def _certain(error: OracleError) -> OracleError | _NotParsed:
    return _NotParsed() if error.code in _LACKING else error
