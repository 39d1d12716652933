"""Statements about tables of the refresh that are not there yet, made such that they can be parsed. Pure.

A query is as right or as wrong over an inline view with the columns of the table. What changes such a table
cannot be parsed before the table is there.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

# CAST takes no LOB types: SQL Language Reference 19c, CAST.
_LOBS = {"CLOB": "TO_CLOB(NULL)", "NCLOB": "TO_NCLOB(NULL)", "BLOB": "EMPTY_BLOB()"}
_CREATE = re.compile(r'CREATE TABLE "(?P<name>[^"]+)" \((?P<columns>.*)\)[^()]*$', re.DOTALL)
_COLUMN = re.compile(
    r'\s*(?P<name>"[^"]+"|[A-Z][\w$#]*)\s+(?P<type>[A-Z][A-Z0-9 ]*?(?:\([^()]*\))?)\s*(?:NOT NULL)?\s*'
)
_INSERT = re.compile(r'INSERT INTO (?:"[^"]+"\.)?"(?P<name>[^"]+)"\s*\([^()]*\)\s*(?=SELECT|WITH|\()')
_CHANGED = re.compile(r'(?:INSERT INTO|UPDATE|DELETE FROM|MERGE INTO|LOCK TABLE) "(?P<name>[^"]+)"')


def inline_views(creates: Collection[str]) -> dict[str, str]:
    """For each CREATE TABLE of a table without an owner: its name, and a view of no rows' content as it."""
    views = {}
    for create in creates:
        if match := _CREATE.match(create):
            views[match["name"]] = _view(match["columns"])
    return views


def parseable(text: str, absent: Mapping[str, str]) -> str | None:
    """The statement, or the query that it inserts, over views in place of absent tables; None where what it
    changes is absent.

    :param absent: tables that are not there, by name, with their `inline_views`.
    """
    if (insert := _INSERT.match(text)) and insert["name"] in absent:
        text = text[insert.end() :]
    elif (changed := _CHANGED.match(text)) and changed["name"] in absent:
        return None
    for name, view in absent.items():
        text = text.replace(f'"{name}"', view)
    return text


def _view(columns: str) -> str:
    values = []
    for part in _split(columns):
        found = _COLUMN.fullmatch(part)
        if found and found["name"] not in ("CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"):
            kind = found["type"]
            values.append(f"{_LOBS.get(kind, f'CAST(NULL AS {kind})')} AS {found['name']}")
    return f"(SELECT {', '.join(values)} FROM DUAL)"


def _split(columns: str) -> list[str]:
    """The parts of a list, by the commas that stand in no parentheses."""
    parts, depth = [""], 0
    for sign in columns:
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if sign == "," and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return parts
