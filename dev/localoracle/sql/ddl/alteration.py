"""The statements of one ALTER TABLE, as its clauses add them."""

from __future__ import annotations

from collections.abc import Mapping

from localoracle.sql.ddl import calls
from localoracle.sql.parsing.lexer import Cursor, quote_qualified

#: Words with which another clause may follow.
CLAUSES = ("ADD", "MODIFY", "DROP", "ENABLE", "DISABLE", "RENAME")


class Alteration:
    """`cursor` stands behind the name of the table."""

    def __init__(self, cursor: Cursor, schema: str | None, name: str) -> None:
        self.cursor = cursor
        self.schema = schema
        self.name = name
        self.table = quote_qualified(schema, name)
        self.relation = calls.relation(self.table)
        self.visibility = False
        self.statements = [calls.call("ora.check_unbound", self.relation)]

    @property
    def first(self) -> bool:
        """Whether no clause has added anything yet to the look whether the table is bound."""
        return len(self.statements) == 1

    def run(self, statement: str) -> None:
        self.statements.append(statement)

    def call(self, function: str, *arguments: object) -> None:
        """A function whose first argument is the table."""
        self.run(calls.call(function, self.relation, *arguments))

    def change_column(self, column: str, action: str) -> None:
        """PostgreSQL does not change a column that a view or trigger names: they go and come back."""
        self.call("ora.invalidate_users", column)
        self.call("ora.lose_views")
        self.call("ora.drop_default_triggers")
        self.run(f"ALTER TABLE {self.table} {action}")
        self.call("ora.make_default_triggers")
        self.run(calls.call("ora.revive_views"))

    def keep_attributes(self, attributes: Mapping[str, str], column: str | None = None) -> None:
        self.statements += calls.attributes(self.table, attributes, column)
        if column is None and "pct_free" in attributes:
            self.call("ora.leave_free")

    def check_writable(self) -> None:
        self.call("ora.check_writable")

    def note_change(self) -> None:
        """No query looks across it (see session/flashback.py)."""
        self.call("localoracle.note_structure_change")
