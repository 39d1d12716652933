"""Identity columns: GENERATED ... AS IDENTITY, and what ALTER TABLE ... MODIFY does to them.

SQL Language Reference, CREATE TABLE and ALTER TABLE, identity_clause. The work is that of the functions in
bootstrap/23_identities.sql.
"""

from __future__ import annotations

from dataclasses import dataclass

from localoracle.errors import not_supported
from localoracle.sql.ddl import calls
from localoracle.sql.ddl.sequence_options import read_options
from localoracle.sql.parsing.lexer import Cursor

_AFTER_OPTIONS = (
    "CONSTRAINT", "NOT NULL", "NULL", "CHECK", "UNIQUE", "PRIMARY KEY", "REFERENCES", "ENABLE", "DISABLE"
)  # fmt: skip


@dataclass(frozen=True)
class Identity:
    """The clause as read: `kind` is ALWAYS, BY DEFAULT or BY DEFAULT ON NULL."""

    kind: str
    options: str
    altering_options: str
    cache: str | None
    order: str | None
    from_limit: bool

    def create(self, table: str, column: str) -> str:
        """Make a numeric column an identity."""
        if self.from_limit:
            raise not_supported("START WITH LIMIT VALUE for a new identity column")
        relation = calls.relation(table)
        attributes = (self.cache or "20", self.order)
        return calls.call("ora.make_identity", relation, column, self.kind, self.options, *attributes)

    def modify(self, table: str, column: str) -> str:
        made = (calls.relation(table), column, self.kind, self.altering_options, self.cache, self.order)
        return calls.call("ora.modify_identity", *made, self.from_limit)


def identity_clause(cursor: Cursor, *, always: bool, on_null: bool) -> Identity:
    """`cursor` stands behind IDENTITY. DBMS_METADATA writes the options without parentheses."""
    tokens = cursor.parenthesised() if cursor.at("(") else cursor.until(*_AFTER_OPTIONS)
    kind = "ALWAYS" if always else "BY DEFAULT ON NULL" if on_null else "BY DEFAULT"
    inner = cursor.sub(tokens)
    from_limit = bool(inner.take("START WITH LIMIT VALUE"))
    rest = inner.rest()
    options = read_options(cursor.sub(rest))
    options.check()
    texts = (options.text(altering=False), options.text(altering=True))
    attributes = options.attributes
    return Identity(kind, *texts, attributes.get("cache"), attributes.get("order"), from_limit)
