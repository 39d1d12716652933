"""Parse statements for the rules. Statements that differ in quoted names alone share one tree."""

from __future__ import annotations

import re
from functools import lru_cache

import sqlglot
from sqlglot import exp

#: A bind by its place, which sqlglot does not read.
_PLACE = re.compile(r"(?<=[(\s]):(\d+)(?=[,)\s]|$)")
#: Names, and the texts and comments that may contain quotation marks.
_NAME = re.compile(r"'(?:[^']|'')*'|/\*.*?\*/|--[^\n]*|\"([^\"]*)\"", re.DOTALL)
_OTHER_QUOTES = re.compile(r"\b[Nn]?[Qq]'")
_MARK = "\N{REPLACEMENT CHARACTER}"


def parsed(sql: str) -> exp.Expr:
    """Return the tree of a statement. It is valid until the next call, which may put other names into it."""
    names: dict[str, str] = {}

    def numbered(match: re.Match[str]) -> str:
        name = match[1]
        return match[0] if name is None else f'"{names.setdefault(name, f"{_MARK}{len(names)}")}"'

    found = None if _OTHER_QUOTES.search(sql) else _of_shape(_NAME.sub(numbered, sql))
    if found is None:
        return _parsed(sql)
    tree, identifiers = found
    written = {mark: name for name, mark in names.items()}
    for mark, identifier in identifiers:
        identifier.set("this", written[mark])
    return tree


@lru_cache(1)
def _parsed(sql: str) -> exp.Expr:
    return sqlglot.parse_one(_PLACE.sub(r":p\1", sql), dialect="oracle")


@lru_cache(500)
def _of_shape(shape: str) -> tuple[exp.Expr, list[tuple[str, exp.Identifier]]] | None:
    """Return a tree and its identifiers by mark, or None if a mark is anything but an identifier."""
    tree = _parsed(shape)
    marked = []
    for node in tree.walk():
        for value in node.args.values():
            if isinstance(value, str) and _MARK in value:
                if not isinstance(node, exp.Identifier):
                    return None
                marked.append((value, node))
    return tree, marked
