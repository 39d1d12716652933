"""The kinds of supplemental logging, as ALTER DATABASE and ALTER TABLE spell them."""

from __future__ import annotations

from localoracle.sql.lexer import Cursor, split_commas

KINDS = ("ALL", "PRIMARY KEY", "UNIQUE", "FOREIGN KEY")


def column_kinds(cursor: Cursor) -> list[str]:
    """`(ALL | PRIMARY KEY | UNIQUE [INDEX] | FOREIGN KEY, ...) COLUMNS`, each in its word of KINDS."""
    kinds: list[str] = []
    for part in split_commas(cursor.sub(cursor.parenthesised())):
        inner = Cursor(part, cursor.sql)
        kind = inner.take(*KINDS)
        if kind is None:
            raise inner.error(905, "missing keyword")
        if kind == "UNIQUE":
            inner.take("INDEX")
        inner.finish(907, "missing right parenthesis")
        kinds.append(kind)
    cursor.expect("COLUMNS", 905, "missing keyword")
    return kinds
