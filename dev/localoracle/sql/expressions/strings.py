"""Patterns of LIKE with ESCAPE, the character that TRIM takes away, and the longest string that SQL makes.

SQL Language Reference, "LIKE Condition", "TRIM", "Concatenation Operator", "LISTAGG"; Error Messages,
ORA-01424, ORA-01425, ORA-01489, ORA-30001.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from sqlglot import exp

from localoracle.errors import OracleError
from localoracle.instance.creation import created_with
from localoracle.sql.context import NULL, Context, Sql
from localoracle.sql.expressions.conversion import as_string

if TYPE_CHECKING:
    from localoracle.sql.expressions.expression import Expressions


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


_LONGEST_CHARACTER = 4
"""Bytes."""


def at_most(context: Context, text: str) -> str:
    """A string that is tested, or a large object, which may be of any length: its type decides."""
    return text if context.in_plsql else f"ora.at_most({text}, {created_with().longest_string})"


def cut_off(context: Context, text: str) -> str:
    """The beginning of a string that is too long, or a large object. LPAD and RPAD are reported to do so."""
    return text if context.in_plsql else f"ora.cut_off({text}, {created_with().longest_string})"


def may_be_too_long(length: exp.Expr) -> bool:
    """Whether so many characters may be more than the bytes of the longest string."""
    if isinstance(length, exp.Literal) and not length.is_string and length.name.isdigit():
        return int(length.name) * _LONGEST_CHARACTER > created_with().longest_string
    return True


def limited(context: Context, text: str, columns: Sequence[str] = ()) -> str:
    """A string that is tested. `columns`: parts of it, which make it a large object if one of them is one."""
    if context.in_plsql:
        return text
    longest = created_with().longest_string
    if not columns:
        return f"{text}::ora.result_{longest}::text"
    kinds = [f"ora.large({column})" for column in dict.fromkeys(columns)]
    while len(kinds) > 1:
        pairs = (kinds[at : at + 2] for at in range(0, len(kinds), 2))
        kinds = [f"ora.larger({', '.join(pair)})" if len(pair) > 1 else pair[0] for pair in pairs]
    return f"ora.limited_{longest}({text}, {kinds[0]})"


def maybe_large(operands: Iterable[tuple[exp.Expr, Sql]]) -> list[str] | None:
    """Parts of a concatenation that may be large objects; None if that cannot be determined."""
    parts: list[str] = []
    for node, value in operands:
        if value.family in ("", "L"):
            if node.find(exp.Query) is not None:
                return None
            parts.append(value.text)
    return parts


def characters(emit: Expressions, value: Sql) -> tuple[str, str]:
    """What a string function is given, and the family of its result: of a large object it makes one
    (SecureFiles and Large Objects Developer's Guide, "SQL Semantics and LOBs")."""
    if value.family not in ("", "L") or value is NULL or emit.context.in_plsql:
        return as_string(value), "S"
    return f"ora.characters({value.text})", ""


def short_string(emit: Expressions, value: Sql, longest: int | None = None) -> str:
    """A value as a VARCHAR2 of so many bytes; ORA-22835 for a large object that is longer."""
    if value.family not in ("", "L") or value is NULL or value.computed or emit.context.in_plsql:
        return as_string(value)
    return f"ora.short({value.text}, {longest or created_with().longest_string})"
