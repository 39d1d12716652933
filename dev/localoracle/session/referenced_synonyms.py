"""REFERENCES with a synonym: the constraint is on the table behind it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from localoracle.errors import OracleError
from localoracle.sql.parsing.lexer import Cursor, quote_qualified, tokenize

if TYPE_CHECKING:
    from localoracle.session.session import Session

_NO_TABLE = re.compile(r'referenced relation "(.*)" is not a table')


async def resolved(session: Session, sql: str, error: OracleError) -> str | None:
    """The statement with tables instead of synonyms, if these are what it failed for."""
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
