"""Patterns of LIKE with ESCAPE, and the character that TRIM takes away.

SQL Language Reference, "LIKE Condition", "TRIM"; Error Messages, ORA-01424, ORA-01425, ORA-30001.
"""

from __future__ import annotations

import re

from localoracle.errors import OracleError
from localoracle.sql.context import NULL, Sql
from localoracle.sql.expressions.conversion import as_string


def _constant(value: Sql) -> str | None:
    """The text of a literal."""
    bare = value.bare or ""
    return bare[1:-1].replace("''", "'") if bare.startswith("'") else None


def trim_character(value: Sql) -> str:
    """What TRIM takes away: one character."""
    if value is NULL:
        return "NULL::text"
    text = _constant(value)
    if text is None:
        return f"ora.trim_character({as_string(value)})"
    if len(text) != 1:
        raise OracleError(30001, "trim set should have only one character")
    return value.text


def escaped_pattern(pattern: Sql, escape: Sql) -> tuple[str, str]:
    """Pattern and escape character, tested: those of literals now, others for each row."""
    sign, text = _constant(escape), _constant(pattern)
    if escape is NULL or (sign is not None and len(sign) != 1):
        raise OracleError(1425, "escape character must be character string of length 1")
    if sign is None or text is None:
        return f"ora.escaped_pattern({as_string(pattern)}, {as_string(escape)})", as_string(escape)
    if re.fullmatch(f"(?s)(?:[^{re.escape(sign)}]|{re.escape(sign)}[%_{re.escape(sign)}])*", text) is None:
        raise OracleError(1424, "missing or illegal character following the escape character")
    return as_string(pattern), as_string(escape)
