"""size_clause: an integer with an optional K, M, G, T, P or E."""

from __future__ import annotations

import re

from localoracle.sql.parsing.lexer import Cursor

_FACTORS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40, "P": 1 << 50, "E": 1 << 60}
_SIZE = re.compile(r"(\d+)\s*([KMGTPE]?)", re.IGNORECASE)


def parse_size(text: str) -> int | None:
    """Bytes of "512M"; None when it is not a size."""
    match = _SIZE.fullmatch(text.strip())
    return int(match[1]) * _FACTORS[match[2].upper()] if match else None


def size(cursor: Cursor) -> int:
    """The size that stands here, in bytes. ORA-02180 and the like are the caller's; here ORA-02238."""
    if cursor.done:
        raise cursor.error(922, "missing or invalid option")
    token = cursor.next()
    value = parse_size(str(token.text))
    if value is None:
        raise cursor.error(922, "missing or invalid option")
    if token.text.isdigit() and cursor.word() in _FACTORS and cursor.word():
        value *= _FACTORS[str(cursor.next().text).upper()]
    return value
