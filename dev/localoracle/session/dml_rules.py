"""Rules of DML that PostgreSQL does not have: direct-path inserts, rows that are whole, mutating tables."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from localoracle.errors import OracleError
from localoracle.session.prepared import prepare
from localoracle.sql.dml.direct_path import wanted
from localoracle.sql.functions.stored_functions import COMPILED
from localoracle.sql.parsing.lexer import literal

if TYPE_CHECKING:
    from localoracle.session.session import Session
    from localoracle.sql.statement import Statement
    from localoracle.values import Value

# -- direct-path inserts: an exclusive lock, and no second look at the table before the transaction ends --
#
# PostgreSQL inserts as ever; what is kept are the rules that clients have to live with. Source: SQL Language
# Reference 19c, INSERT, "Conventional and Direct-Path INSERT"; ORA-12838.


async def refuse_direct_access(session: Session, statement: Statement) -> None:
    """ORA-12838 for a statement about a table that the transaction has loaded directly, through views too."""
    if not session.transaction.direct_loads or not statement.tables:
        return
    names = ", ".join(literal(name) for name in statement.tables)
    loaded = ", ".join(str(relation) for relation in sorted(session.transaction.direct_loads))
    async with session.transaction.statement(writes=False):
        loads = await session.backend.script(f"SELECT ora.any_loaded(ARRAY[{names}], ARRAY[{loaded}]::oid[])")
    if loads[0].get_value(0, 0) == b"t":
        raise OracleError(12838, "cannot read/modify an object after modifying it in parallel")


async def begin_direct_load(session: Session, statement: Statement) -> frozenset[int]:
    """Lock the table of an INSERT that loads directly; the relations it loads, none where it is conventional.

    Runs inside the statement's frame: what fails gives the lock back.
    """
    if statement.insert_hints is None:
        return frozenset()
    want = wanted(
        statement.insert_hints,
        from_query=statement.insert_from_query,
        parallel_dml=session.settings.values.get("localoracle.parallel_dml", "DISABLED"),
    )
    if want == "no":
        return frozenset()
    only_parallel = str(want == "if parallel").lower()
    loads = await session.backend.script(
        f"SELECT ora.begin_direct_load({literal(statement.tables[0])}, current_user, {only_parallel})::text"
    )
    relations = (loads[0].get_value(0, 0) or b"").decode().strip("{}")
    return frozenset(int(relation) for relation in relations.split(",") if relation)


# -- INSERT without a column list gives a value to every column; PostgreSQL would fill up what is missing --
#
# Source: SQL Language Reference 19c, INSERT, values_clause; ORA-00947.


async def check_whole_rows(session: Session, statement: Statement, values: Sequence[Value]) -> None:
    """ORA-00947 where there are fewer values than columns. Runs inside the statement's frame."""
    given = statement.whole_rows
    if given is None:
        return
    if isinstance(given, str):
        query = await prepare(session, session.backend, replace(statement, sql=(given,)), values)
        given = len(query.fields)
    counted = await session.backend.script(
        "SELECT count(*) FROM pg_attribute WHERE attnum > 0 AND NOT attisdropped"
        f" AND attrelid = to_regclass({literal(statement.tables[0])})"
    )
    if given < int(counted[0].get_value(0, 0) or b"0"):
        raise OracleError(947, "not enough values")


# -- ORA-04091: functions that look at the table which the statement that calls them changes --
#
# Their compiled forms ask before each query whether one of its tables is being changed (ora.refuse_mutating).
# Source: PL/SQL Language Reference 19c, "PL/SQL Functions that SQL Statements Can Invoke".


def may_be_seen_changing(statement: Statement) -> bool:
    """Whether DML calls functions; those in VALUES of an INSERT may see the table."""
    one_row = statement.verb == "INSERT" and not statement.insert_from_query and not statement.counts_rows
    return bool(statement.tables) and not one_row and COMPILED in statement.sql[0]


async def begin_change(session: Session, statement: Statement) -> None:
    await session.backend.script(f"SELECT ora.note_changed({literal(statement.tables[0])})")


async def end_change(session: Session) -> None:
    """Where the statement fails, its rollback does the same."""
    await session.backend.script("SELECT ora.note_changed(NULL)")


@asynccontextmanager
async def noted_change(session: Session, statement: Statement) -> AsyncIterator[None]:
    """The same around one statement that is run for many rows, some of which may fail."""
    if not may_be_seen_changing(statement):
        yield
        return
    async with session.transaction.statement(writes=True):
        await begin_change(session, statement)
    try:
        yield
    finally:
        async with session.transaction.statement(writes=True):
            await end_change(session)
