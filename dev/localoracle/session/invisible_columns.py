"""Tables with INVISIBLE columns: what * and an INSERT without a column list mean for them.

SQL Language Reference, CREATE TABLE, "VISIBLE | INVISIBLE". Those with row archival are among them: it hides
its column, and rows (localoracle.sql.query.row_archival). Index-organized ones are told beside them, for
their ROWIDs (localoracle.sql.expressions.logical_rowids).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from localoracle.sql.parsing.lexer import quote
from localoracle.sql.schema_facts import TableFacts

if TYPE_CHECKING:
    from localoracle.server.database import Database
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
        self._known: dict[tuple[str, str], TableFacts] = {}
        """By owner and name."""
        self._public: dict[str, tuple[TableFacts, frozenset[str]]] = {}
        """By public synonym; with the schemas in which its name means something else."""

    async def read(self, database: Database) -> None:
        rows = await database.system(
            "SELECT owner, name, columns, archival, key, hidden_in FROM ora.shown_columns()"
        )
        self._known, self._public = {}, {}
        for owner, name, columns, archival, key, hidden_in in rows:
            shown = tuple(columns) if columns is not None else None
            told = TableFacts(quote(name), shown, archival, tuple(key))
            if owner == "PUBLIC":
                self._public[name] = told, frozenset(hidden_in)
            else:
                self._known[owner, name] = told

    async def changed(self, database: Database, statement: Statement) -> None:
        """Look again after DDL that may have changed what is shown."""
        if statement.visibility or (self._known and statement.verb in _CHANGING):
            await self.read(database)

    def seen_from(self, schema: str) -> tuple[TableFacts, ...]:
        """The tables by the names that statements in a schema have for them."""
        if not self._known:
            return ()
        written = {
            told.name: told
            for _, (told, hidden_in) in sorted(self._public.items())
            if schema not in hidden_in
        }
        for (owner, _), told in sorted(self._known.items()):
            qualified = f"{quote(owner)}.{told.name}"
            written[qualified] = told._replace(name=qualified)
            if owner == schema:
                written[told.name] = told
        return tuple(written.values())
