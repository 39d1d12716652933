"""Global temporary tables: which there are, and a session's own rows of them.

A statement that names one is translated to the session's table (bootstrap/32_temporary_tables.sql), which is
made before it runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from localoracle.sql.parsing.lexer import literal, quote

if TYPE_CHECKING:
    from localoracle.server.database import Database
    from localoracle.session.session import Session
    from localoracle.sql.statement import Statement

_CHANGING = ("CREATE TABLE", "ALTER TABLE", "DROP TABLE", "RENAME")


class TemporaryTables:
    """All global temporary tables of a database, by owner and name."""

    def __init__(self) -> None:
        self._known: frozenset[tuple[str, str]] = frozenset()

    async def read(self, database: Database) -> None:
        rows = await database.system("SELECT owner, name FROM ora.temporary_tables")
        self._known = frozenset((str(owner), str(name)) for owner, name in rows)

    async def changed(self, database: Database, statement: Statement) -> None:
        """Look again after DDL that may have made or dropped one."""
        if statement.temporary or (self._known and statement.verb in _CHANGING):
            await self.read(database)

    def seen_from(self, schema: str) -> tuple[tuple[str, str], ...]:
        """How statements in a schema write the tables, quoted, and what holds the session's rows of each."""
        written = {}
        for owner, name in sorted(self._known):
            own = f"pg_temp.{quote(f'{owner}.{name}')}"
            written[f"{quote(owner)}.{quote(name)}"] = own
            if owner == schema:
                written[quote(name)] = own
        return tuple(written.items())

    def named_in(self, statement: Statement, schema: str) -> list[tuple[str, str]]:
        """The temporary tables among those that a statement names."""
        return [
            (owner, name)
            for owner, name in self._known
            if f"{quote(owner)}.{quote(name)}" in statement.tables
            or (owner == schema and quote(name) in statement.tables)
        ]


async def open_tables(session: Session, statement: Statement) -> None:
    """Make the session's tables for what a query or DML names."""
    named = session.database.temporary_tables.named_in(statement, session.current_schema)
    if not named:
        return
    async with session.statement(writes=session.backend.in_transaction):
        for owner, name in named:
            arguments = f"{literal(owner)}, {literal(name)}, current_user"
            await session.backend.script(f"SELECT ora.open_temporary({arguments})")
