"""A statement's text before translation: its kind, and its binds as the driver counts them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_TOKEN = re.compile(
    r"--[^\n]*|/\*.*?(?:\*/|$)|[nN]?[qQ]'(?:\[.*?\]'|\{.*?\}'|<.*?>'|\(.*?\)'|(?P<d>[^\s\[{<(]).*?(?P=d)')|'(?:[^']|'')*'"
    r"|\"[^\"]*\"|:\s*(?P<bind>\"[^\"]+\"|[A-Za-z][\w$#]*|\d+)|(?P<word>[A-Za-z][\w$#]*)|.",
    re.DOTALL,
)
_PLSQL = frozenset(("BEGIN", "DECLARE", "CALL"))
_DML = frozenset(("INSERT", "UPDATE", "DELETE", "MERGE"))
_QUERY = frozenset(("SELECT", "WITH"))


@dataclass(frozen=True, slots=True)
class Text:
    """A statement's text; `names` has one entry per bind of the request (distinct names in PL/SQL)."""

    sql: str
    is_plsql: bool
    is_query: bool
    is_dml: bool
    names: tuple[str, ...]
    return_binds: frozenset[int]
    """Positions in `names` of the binds behind RETURNING ... INTO."""


@lru_cache(maxsize=2000)
def parse(sql: str) -> Text:
    """Look at a statement's words and binds."""
    first = ""
    occurrences: list[str] = []
    returning = into = False
    returned: set[int] = set()
    for match in _TOKEN.finditer(sql):
        word = match["word"]
        if word is not None:
            word = word.upper()
            if not first:
                first = word
            elif first in _DML:
                returning = returning or word == "RETURNING"
                into = into or (returning and word == "INTO")
        elif match["bind"] is not None:
            name = match["bind"]
            if into:
                returned.add(len(occurrences))
            occurrences.append(name[1:-1] if name.startswith('"') else name.upper())
    is_plsql = first in _PLSQL
    is_ddl = not is_plsql and first not in _DML and first not in _QUERY
    names = list(dict.fromkeys(occurrences)) if is_plsql else [] if is_ddl else occurrences
    return Text(sql, is_plsql, first in _QUERY, first in _DML, tuple(names), frozenset(returned))
