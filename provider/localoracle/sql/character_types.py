"""Which expressions are of type CHAR: text literals, and what is made of nothing else.

SQL Language Reference, "Text Literals", "Concatenation Operator", "CASE Expressions", "The UNION [ALL],
INTERSECT, MINUS Operators". DECODE, NVL and most functions give VARCHAR2, whatever they are given.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from localoracle.values import DataType, OracleType

_LONGEST = 2000
_CHARACTER_BYTES = 4
"""In a description a character has room for the longest one."""


def character_type(node: exp.Expr) -> DataType | None:
    """CHAR or NCHAR with its length; None for any other type, and where PostgreSQL's own tells it."""
    if isinstance(node, exp.Paren):
        return character_type(node.this)
    if isinstance(node, exp.National):
        return _of_length(len(node.name), national=True)
    if isinstance(node, exp.RawString) or (isinstance(node, exp.Literal) and node.is_string):
        return _of_length(len(node.name.encode()), national=False)
    if isinstance(node, exp.DPipe):
        return _joined(node)
    if isinstance(node, exp.Case):
        results = [branch.args["true"] for branch in node.args["ifs"]]
        default = node.args.get("default")
        return _common([*results, *([default] if default is not None else [])])
    return None


def of_both(one: Sequence[DataType | None], other: Sequence[DataType | None]) -> list[DataType | None]:
    """The types of a set operation's columns: VARCHAR2 where the lengths differ."""
    types: list[DataType | None] = []
    for left, right in zip(one, other, strict=False):
        if left is None or right is None or left.national is not right.national:
            types.append(None)
        elif left.type is right.type and left.size == right.size:
            types.append(left)
        else:
            types.append(DataType(OracleType.VARCHAR2, max(left.size, right.size), national=left.national))
    return types


def _of_length(length: int, *, national: bool) -> DataType | None:
    if not 0 < length <= _LONGEST:
        return None
    return DataType(OracleType.CHAR, length * _CHARACTER_BYTES, national=national)


def _joined(node: exp.DPipe) -> DataType | None:
    operands: list[exp.Expr] = []
    waiting: list[exp.Expr] = [node]
    while waiting:  # the chain may be deeper than Python's stack
        part = waiting.pop()
        if isinstance(part, exp.DPipe):
            waiting += [part.expression, part.this]
        else:
            operands.append(part)
    types = [character_type(operand) for operand in operands]
    known = [each for each in types if each is not None]
    if len(known) < len(types) or len({each.national for each in known}) > 1:
        return None
    return _of_length(sum(each.size for each in known) // _CHARACTER_BYTES, national=known[0].national)


def _common(results: Sequence[exp.Expr]) -> DataType | None:
    types = {character_type(result) for result in results if not isinstance(result, exp.Null)}
    return types.pop() if len(types) == 1 else None
