"""Supplemental logging of databases and tables as DDL spells it: kinds of columns, and named log groups."""

from __future__ import annotations

from dataclasses import dataclass

from localoracle.errors import not_supported
from localoracle.sql.ddl import calls
from localoracle.sql.parsing.lexer import Cursor, split_commas
from localoracle.sql.parsing.names import read_name

KINDS = ("ALL", "PRIMARY KEY", "UNIQUE", "FOREIGN KEY")


def column_kinds(cursor: Cursor) -> list[str]:
    """`(ALL | PRIMARY KEY | UNIQUE [INDEX] | FOREIGN KEY, ...) COLUMNS`, each in its word of KINDS."""
    kinds: list[str] = []
    for part in split_commas(cursor.inside()):
        inner = cursor.over(part)
        kind = inner.take(*KINDS)
        if kind is None:
            raise inner.error(905, "missing keyword")
        if kind == "UNIQUE":
            inner.take("INDEX")
        inner.finish(907, "missing right parenthesis")
        kinds.append(kind)
    cursor.expect("COLUMNS", 905, "missing keyword")
    return kinds


@dataclass(frozen=True)
class LogGroup:
    """A named log group: its columns in their order, and which of them are NO LOG."""

    name: str
    columns: tuple[str, ...]
    unlogged: tuple[str, ...]
    always: bool

    def added_to(self, relation: str) -> str:
        """The call that makes it."""
        columns, unlogged = calls.texts(self.columns), calls.texts(self.unlogged)
        return calls.call("localoracle.add_log_group", relation, self.name, columns, unlogged, self.always)


def log_group(cursor: Cursor) -> LogGroup:
    """`name (column [NO LOG], ...) [ALWAYS]`, behind SUPPLEMENTAL LOG GROUP (supplemental_log_grp_clause)."""
    name = read_name(cursor, "log group")
    columns, unlogged = [], []
    for part in split_commas(cursor.inside()):
        inner = cursor.over(part)
        column = read_name(inner, "column")
        columns.append(column)
        if inner.take("NO LOG"):
            unlogged.append(column)
        inner.finish(907, "missing right parenthesis")
    if len(set(columns)) != len(columns):
        raise not_supported("a column named twice in SUPPLEMENTAL LOG GROUP")
    return LogGroup(name, tuple(columns), tuple(unlogged), bool(cursor.take("ALWAYS")))


def logging_statements(cursor: Cursor, relation: str) -> list[str]:
    """What ADD SUPPLEMENTAL LOG says of a table, as calls; `cursor` stands behind LOG."""
    if cursor.take("GROUP"):
        return [log_group(cursor).added_to(relation)]
    cursor.expect("DATA", 905, "missing keyword")
    return [calls.call("localoracle.supplemental_log", relation, kind, True) for kind in column_kinds(cursor)]
