"""The longest string that SQL makes: ORA-01489 for a longer one ("Concatenation Operator", "LISTAGG")."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from sqlglot import exp

from localoracle.creation import created_with
from localoracle.sql.context import NULL, Context, Sql
from localoracle.sql.conversion import as_string

if TYPE_CHECKING:
    from localoracle.sql.expression import Expressions

_LARGE = frozenset(["EMPTY_CLOB", "TO_CLOB", "TO_LOB", "TO_NCLOB", "XMLSERIALIZE"])


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


def maybe_large(emit: Expressions, operands: Iterable[tuple[exp.Expr, Sql]]) -> list[str] | None:
    """Parts of a concatenation that may be large objects; None where one surely is or that cannot be told."""
    found: list[str] = []
    for node, value in operands:
        if value.family == "":
            if node.find(exp.Query) is not None:
                return None
            found.append(value.text)
        elif value.family == "S" and value.bare is None:
            # The result of a function: of a large object it is one. Of a group its columns have no value.
            if emit.grouped and node.find(exp.Column) is not None:
                return None
            if any(call.name.upper() in _LARGE for call in node.find_all(exp.Anonymous)):
                return None
            if any(cast.args["to"].name.upper().endswith("CLOB") for cast in node.find_all(exp.Cast)):
                return None
            found += [
                emit.column(column).text for column in node.find_all(exp.Column) if emit.is_plain(column)
            ]
    return found


def short_string(emit: Expressions, value: Sql, longest: int | None = None) -> str:
    """A value as a VARCHAR2 of so many bytes; ORA-22835 for a large object that is longer."""
    if value.family not in ("", "L") or value is NULL or emit.context.in_plsql:
        return as_string(value)
    return f"ora.short({value.text}, {longest or created_with().longest_string})"
