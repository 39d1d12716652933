"""Character sets of alternatives: values of VARCHAR2 and NVARCHAR2 do not stand side by side.

SQL Language Reference, "CASE Expressions", "COALESCE", "NULLIF"; Error Messages, ORA-12704. The types of
columns are known to the database only: it gets an expression that it refuses when two sets meet.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sqlglot import exp

from localoracle.errors import OracleError
from localoracle.sql.parsing.nodes import first_block
from localoracle.sql.types.data_types import cast_type

if TYPE_CHECKING:
    from localoracle.sql.expressions.expression import Expressions

_DATABASE, _NATIONAL = "NULL::varchar", "NULL::ora.nvarchar2"
_OF_FIRST = {
    "INITCAP", "LOWER", "LPAD", "LTRIM", "REGEXP_REPLACE", "REGEXP_SUBSTR", "REPLACE", "RPAD", "RTRIM",
    "SUBSTR", "TRANSLATE", "UPPER",
}  # fmt: skip
"""Functions whose result is of their first argument's character set."""
_OF_DATABASE = frozenset(["CHR", "RAWTOHEX", "ROWIDTOCHAR", "SYS_CONTEXT", "TO_CHAR", "USERENV"])
_OF_NATION = frozenset(["NCHR", "RAWTONHEX", "TO_NCHAR", "UNISTR"])


def in_one_set(emit: Expressions, nodes: Sequence[exp.Expr], value: str) -> str:
    """A value beside which others stand: ORA-12704, where it is not plain by a condition on their types."""
    examples = list(dict.fromkeys(found for node in nodes if (found := _example(emit, node)) is not None))
    if len(examples) < 2:
        return value
    if _DATABASE in examples and _NATIONAL in examples:
        raise OracleError(12704, "character set mismatch")
    first, *others = sorted(examples, key=lambda example: example not in (_DATABASE, _NATIONAL))
    agree = " AND ".join(f"ora.in_one_set({first}, {other})" for other in others)
    return f"CASE WHEN {agree} THEN {value} ELSE {value} END"


def plain_sets(query: exp.Expr) -> tuple[bool | None, ...]:
    """Of a query's columns which are plainly national (True) or not (False), None where it is not plain."""
    return tuple(
        {_DATABASE: False, _NATIONAL: True}.get(_example(None, item.unalias()) or "")
        for item in first_block(query).expressions
    )


def _example(emit: Expressions | None, node: exp.Expr) -> str | None:
    """A value of the type that an expression has, as far as its character set is concerned.

    Without `emit` of columns nothing is said.
    """
    if isinstance(node, exp.Paren):
        return _example(emit, node.this)
    if isinstance(node, exp.Column):
        return emit.column(node).text if emit is not None and emit.is_plain(node) else None
    if isinstance(node, exp.National):
        return _NATIONAL
    if isinstance(node, exp.RawString) or (isinstance(node, exp.Literal) and node.is_string):
        return _DATABASE if node.name else None
    if isinstance(node, exp.Cast):
        target = cast_type(node.args["to"])
        if target.family != "S":
            return None
        return _NATIONAL if target.name.startswith("ora.n") else _DATABASE
    if isinstance(node, exp.DPipe):
        parts = [_example(emit, part) for part in (node.this, node.expression)]
        if _NATIONAL in parts or parts[0] == parts[1]:
            return _NATIONAL if _NATIONAL in parts else parts[0]
        return next((part for part in parts if part != _DATABASE), None) if None not in parts else None
    if isinstance(node, exp.Trim):
        return _example(emit, node.this)
    if isinstance(node, exp.Anonymous) and isinstance(node.this, str):
        return _of_function(emit, node)
    return None


def _of_function(emit: Expressions | None, node: exp.Anonymous) -> str | None:
    name = node.name.upper()
    if name in _OF_DATABASE:
        return _DATABASE
    if name in _OF_NATION:
        return _NATIONAL
    if name not in _OF_FIRST or not node.expressions:
        return None
    # Of a group only what GROUP BY names has a value, and that may be the whole call.
    return _example(None if emit is None or emit.grouped else emit, node.expressions[0])
