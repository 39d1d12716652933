"""Names in DDL: which words may be one, and what is said where one is missing.

SQL Language Reference, "Database Object Names and Qualifiers" and "Oracle SQL Reserved Words". The codes are
those of Error Messages for each kind of object.
"""

from __future__ import annotations

from localoracle.errors import OracleError
from localoracle.sql.parsing.lexer import Cursor, split_commas
from localoracle.sql.parsing.words import reserved_words

_INVALID = {
    "table": (903, "invalid table name"),
    "column": (904, ": invalid identifier"),
    "index": (953, "missing or invalid index name"),
    "synonym": (995, "missing or invalid synonym identifier"),
    "view": (999, "invalid view name"),
    "user": (1935, "missing user or role name"),
    "constraint": (2250, "missing or invalid constraint name"),
    "sequence": (2277, "invalid sequence name"),
}


def read_name(cursor: Cursor, kind: str) -> str:
    """The name of an object of that kind that stands here."""
    position = cursor.position
    if not cursor.done and cursor.word()[:1] in ("_", "$", "#") and cursor.word():
        raise OracleError(911, "invalid character", position)
    if cursor.word() in reserved_words() or not cursor.at_name:
        raise OracleError(*_INVALID[kind], position)
    name = cursor.name()
    if kind == "column" and name == "ROWID":
        raise OracleError(904, '"ROWID": invalid identifier', position)
    return name


def read_qualified(cursor: Cursor, kind: str) -> tuple[str | None, str]:
    """`name` or `schema.name`."""
    first = read_name(cursor, kind)
    if cursor.take("."):
        return first, read_name(cursor, kind)
    return None, first


def column_list(cursor: Cursor) -> tuple[str, ...]:
    """`(a, b)`."""
    columns = []
    for part in split_commas(cursor.inside()):
        inner = cursor.over(part)
        columns.append(read_name(inner, "column"))
        inner.finish(907, "missing right parenthesis")
    if len(set(columns)) != len(columns):
        raise OracleError(957, "duplicate column name")
    return tuple(columns)
