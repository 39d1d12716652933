"""SQL statements of a session, run here or over a database link."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from localoracle.errors import OracleError, not_supported
from localoracle.session import explanations, remote_query
from localoracle.session.error_places import located
from localoracle.session.execution import run_statement
from localoracle.session.function_calls import CalledByName
from localoracle.session.result import Result
from localoracle.session.translation import translated_with
from localoracle.sql.parsing.lexer import Cursor, quote_qualified, tokenize
from localoracle.values import Value

if TYPE_CHECKING:
    from localoracle.session.session import Session

_NO_TABLE = re.compile(r'referenced relation "(.*)" is not a table')


async def run_sql(
    session: Session,
    sql: str,
    values: Sequence[Value],
    by_name: Mapping[str, Value] | None,
    tell_row: bool,
) -> Result:
    """See `Session.run`."""
    if "@" in sql or session.database.remote_synonyms.maybe_in(sql):
        query = await remote_query.recognized(session, sql)
        if query is not None:
            if by_name is not None:
                raise not_supported("a database link in PL/SQL")
            return await remote_query.run(session, query, values)
    try:
        return await _run(session, sql, values, by_name, tell_row)
    except OracleError as error:
        again = await _with_tables_referenced(session, sql, error)
        if again is None:
            raise
    return await _run(session, again, values, by_name, tell_row)


async def _run(
    session: Session,
    sql: str,
    values: Sequence[Value],
    by_name: Mapping[str, Value] | None,
    tell_row: bool,
) -> Result:
    functions: frozenset[str] = frozenset()
    while True:
        try:
            statement, given = translated_with(session, sql, values, by_name, functions)
        except OracleError as error:
            raise await explanations.of_translation(session, sql, error) from None
        try:
            with located(sql, statement):
                return await run_statement(session, statement, given, tell_row=tell_row)
        except CalledByName as called:
            if called.name in functions:
                raise
            functions |= {called.name}


async def _with_tables_referenced(session: Session, sql: str, error: OracleError) -> str | None:
    """The statement with tables instead of synonyms behind REFERENCES, if these are what it failed for:
    the constraint is on the table behind the synonym."""
    if error.code != 1702 or not _NO_TABLE.search(str(error.__cause__)):
        return None
    text, position = "", 0
    cursor = Cursor(tokenize(sql).tokens, sql)
    while not cursor.done:
        if not cursor.take("REFERENCES") or not cursor.at_name:
            cursor.next()
            continue
        start = cursor.position
        owner, name = cursor.qualified()
        table = await _table(session, owner, name)
        if table is not None:
            text += sql[position:start] + table
            position = cursor.tokens[cursor.index - 1].end + 1
    return text + sql[position:] if text else None


async def _table(session: Session, owner: str | None, name: str) -> str | None:
    owners = (owner, owner) if owner else (session.current_schema, "PUBLIC")
    rows = await session.pg_system(
        "SELECT table_owner, table_name FROM localoracle.synonyms"
        " WHERE owner IN (%s, %s) AND synonym_name = %s AND db_link IS NULL"
        " ORDER BY owner = 'PUBLIC' LIMIT 1",
        [*owners, name],
    )
    return quote_qualified(*rows[0]) if rows else None
