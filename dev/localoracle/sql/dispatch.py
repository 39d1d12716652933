"""Which part of the server executes a statement, by its first keywords."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from functools import lru_cache

_SKIPPED = re.compile(r"(?:\s+|--[^\n]*(?:\n|$)|/\*.*?\*/)+", re.DOTALL)
_WORD = re.compile(r"[A-Za-z_][\w$#]*|<<|\(|@")
_PROGRAM_UNITS = frozenset({"TRIGGER", "PROCEDURE", "FUNCTION", "PACKAGE", "TYPE", "LIBRARY", "JAVA"})
_FILLERS = frozenset({"OR", "REPLACE", "EDITIONABLE", "NONEDITIONABLE", "FORCE"})

_ADMINISTERED = {
    "USER",
    "ROLE",
    "DIRECTORY",
    "TABLESPACE",
    "BIGFILE",
    "SMALLFILE",
    "UNDO",
    "PROFILE",
    "DATABASE",
    "PFILE",
    "SPFILE",
    "RESTORE",
}


class Kind(Enum):
    SQL = "sql"
    """For the translator."""
    BLOCK = "block"
    """Anonymous PL/SQL or CALL."""
    UNIT = "unit"
    """CREATE of a stored program or trigger."""
    ADMIN = "admin"
    """Users, grants, instance and session administration."""
    TRANSACTION = "transaction"
    """COMMIT, ROLLBACK, SAVEPOINT, SET TRANSACTION."""


def first_words(sql: str, count: int = 6) -> list[str]:
    """The first words of a statement in upper case, without comments and the fillers of CREATE OR REPLACE."""
    words: list[str] = []
    position = 0
    while len(words) < count:
        skipped = _SKIPPED.match(sql, position)
        position = skipped.end() if skipped else position
        match = _WORD.match(sql, position)
        if match is None:
            break
        position = match.end()
        word = match.group().upper()
        if not (words[:1] == ["CREATE"] and word in _FILLERS):
            words.append(word)
    return words


@lru_cache(maxsize=2000)
def classify(sql: str) -> Kind:
    """The room of a statement; what is not recognized is SQL, whose parser reports the error."""
    words = first_words(sql)
    first, second = [*words, "", ""][:2]
    if first in ("BEGIN", "DECLARE", "CALL", "<<"):
        return Kind.BLOCK
    if first in ("CREATE", "ALTER", "DROP") and second in _PROGRAM_UNITS:
        return Kind.UNIT
    if first in ("COMMIT", "ROLLBACK", "SAVEPOINT") or (first == "SET" and second == "TRANSACTION"):
        return Kind.TRANSACTION
    return Kind.ADMIN if _administrative(words) else Kind.SQL


def _administrative(words: Sequence[str]) -> bool:
    """Whether a statement with these first words (upper case) is an administrative one."""
    first, second, third = [*words, "", "", ""][:3]
    if first in ("GRANT", "REVOKE", "PURGE"):
        return True
    if first == "SET":
        return second == "ROLE"
    if first == "CREATE" and second == "TEMPORARY":
        return third == "TABLESPACE"
    if first == "ALTER" and second in ("SESSION", "SYSTEM"):
        return True
    if second == "SHARED" or (second == "PUBLIC" and third == "DATABASE"):
        return first in ("CREATE", "ALTER", "DROP")
    return first in ("CREATE", "ALTER", "DROP") and second in _ADMINISTERED
