"""ORA-04091: functions that look at the table which the statement that calls them changes.

Their compiled forms ask before each query whether one of its tables is being changed (ora.refuse_mutating).
Source: PL/SQL Language Reference 19c, "PL/SQL Functions that SQL Statements Can Invoke".
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from localoracle.sql.functions.stored_functions import COMPILED
from localoracle.sql.parsing.lexer import literal

if TYPE_CHECKING:
    from localoracle.session.session import Session
    from localoracle.sql.statement import Statement


def may_be_seen(statement: Statement) -> bool:
    """Whether DML calls functions; those in VALUES of an INSERT may see the table."""
    one_row = statement.verb == "INSERT" and not statement.insert_from_query and not statement.counts_rows
    return bool(statement.tables) and not one_row and COMPILED in statement.sql[0]


async def begin(session: Session, statement: Statement) -> None:
    await session.backend.script(f"SELECT ora.note_changed({literal(statement.tables[0])})")


async def end(session: Session) -> None:
    """Where the statement fails, its rollback does the same."""
    await session.backend.script("SELECT ora.note_changed(NULL)")


@asynccontextmanager
async def noted(session: Session, statement: Statement) -> AsyncIterator[None]:
    """The same around one statement that is run for many rows, some of which may fail."""
    if not may_be_seen(statement):
        yield
        return
    async with session.statement(writes=True):
        await begin(session, statement)
    try:
        yield
    finally:
        async with session.statement(writes=True):
            await end(session)
