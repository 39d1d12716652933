"""Calls of the functions that DDL leaves behind the statement itself: attributes, Oracle's texts, states."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from localoracle.sql.parsing.lexer import literal


class Verbatim(str):
    """SQL text that goes into a call as it is."""


def relation(table: str) -> Verbatim:
    """A quoted table name as a regclass."""
    return Verbatim(f"{literal(table)}::regclass")


def texts(values: Iterable[str]) -> Verbatim:
    """An array of strings."""
    return Verbatim(f"ARRAY[{', '.join(map(literal, values))}]::text[]")


def key_name(table: str, kind: str, columns: Iterable[str] | None, purpose: str) -> Verbatim:
    """The name of a table's primary key (p), or of a unique one (u) by its columns."""
    listed = "NULL" if columns is None else texts(columns)
    return Verbatim(f"ora.key_name({table}, '{kind}', {listed}, {literal(purpose)})")


def call(function: str, *arguments: object) -> str:
    """`SELECT function(...)`: strings become literals, None becomes NULL."""
    return f"SELECT {function}({', '.join(_written(argument) for argument in arguments)})"


def _written(argument: object) -> str:
    if argument is None:
        return "NULL"
    if isinstance(argument, Verbatim):
        return argument
    if isinstance(argument, bool | int):
        return str(argument).lower()
    return literal(str(argument))


def attribute(table: str, column: str | None, name: str, value: str | None) -> str:
    """Store one attribute of a relation or of its column."""
    return call("localoracle.set_attribute", relation(table), column, name, value)


def attributes(table: str, values: Mapping[str, str], column: str | None = None) -> list[str]:
    return [attribute(table, column, name, value) for name, value in values.items()]


def checked_attributes(table: str, values: Mapping[str, str], column: str | None = None) -> list[str]:
    """The same, of a segment: its tablespace has to be there."""
    checks = [call("ora.check_tablespace", values["tablespace"])] if "tablespace" in values else []
    return [*checks, *attributes(table, values, column)]


def source(kind: str, table: str, member: str | None, text: str) -> str:
    """Store Oracle's own text of an expression."""
    return call("localoracle.set_source", kind, relation(table), member, text)
