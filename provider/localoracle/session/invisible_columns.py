"""Tables with INVISIBLE columns: what * and an INSERT without a column list mean for them.

SQL Language Reference, CREATE TABLE, "VISIBLE | INVISIBLE". Those with row archival are among them: it hides
its column, and rows (localoracle.sql.row_archival).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from localoracle.sql.lexer import quote
from localoracle.sql.stars import Shown

if TYPE_CHECKING:
    from localoracle.server import Database
    from localoracle.sql.statement import Statement

_CHANGING = (
    "CREATE TABLE",
    "CREATE VIEW",
    "CREATE MATERIALIZED VIEW",
    "CREATE SYNONYM",
    "CREATE PUBLIC SYNONYM",
    "ALTER TABLE",
    "DROP TABLE",
    "DROP SYNONYM",
    "DROP PUBLIC SYNONYM",
    "DROP VIEW",
    "RENAME",
)


class InvisibleColumns:
    """All tables of a database where what is shown is not every column in the order of creation."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], tuple[tuple[str, ...], str | None]] = {}
        """By owner and name the columns, and as what it has row archival."""
        self._public: dict[str, tuple[tuple[str, ...], str | None, frozenset[str]]] = {}
        """By public synonym also the schemas in which its name means something else."""

    async def read(self, database: Database) -> None:
        rows = await database.system(
            "SELECT owner, name, columns, archival, hidden_in FROM ora.shown_columns()"
        )
        self._known = {
            (owner, name): (tuple(columns), archival)
            for owner, name, columns, archival, _ in rows
            if owner != "PUBLIC"
        }
        self._public = {
            name: (tuple(columns), archival, frozenset(hidden_in))
            for owner, name, columns, archival, hidden_in in rows
            if owner == "PUBLIC"
        }

    async def changed(self, database: Database, statement: Statement) -> None:
        """Look again after DDL that may have changed what is shown."""
        if statement.visibility or (self._known and statement.verb in _CHANGING):
            await self.read(database)

    def seen_from(self, schema: str) -> Shown:
        """How statements in a schema write the tables, quoted, and the columns that are shown."""
        if not self._known:
            return ()
        written = {
            quote(name): (columns, archival)
            for name, (columns, archival, hidden_in) in sorted(self._public.items())
            if schema not in hidden_in
        }
        for (owner, name), told in sorted(self._known.items()):
            written[f"{quote(owner)}.{quote(name)}"] = told
            if owner == schema:
                written[quote(name)] = told
        return tuple((name, columns, archival) for name, (columns, archival) in written.items())
