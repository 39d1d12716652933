"""Which expressions are of type CHAR: text literals, and what is made of nothing else; the bytes of a CAST.

SQL Language Reference, "Text Literals", "Concatenation Operator", "CASE Expressions", "The UNION [ALL],
INTERSECT, MINUS Operators". DECODE, NVL and most functions give VARCHAR2, whatever they are given.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from localoracle.sql.types.data_types import cast_type
from localoracle.values import BYTES_OF_CHARACTER, DataType, OracleType

_LONGEST = 2000


def character_type(node: exp.Expr, *, lengths_in_bytes: bool = True) -> DataType | None:
    """CHAR or NCHAR with its length; VARCHAR2 of a CAST to bytes.

    None for any other type, and where PostgreSQL's own tells it. `lengths_in_bytes`: as of `Cursor`.
    """
    if isinstance(node, exp.Paren):
        return character_type(node.this, lengths_in_bytes=lengths_in_bytes)
    if isinstance(node, exp.Cast):
        wanted = cast_type(node.args["to"], lengths_in_bytes=lengths_in_bytes)
        if wanted.bytes is None or not wanted.name.startswith("varchar"):
            return None
        return DataType(OracleType.VARCHAR2, wanted.bytes, in_bytes=True)
    if isinstance(node, exp.National):
        return _of_length(len(node.name), national=True)
    if isinstance(node, exp.RawString) or (isinstance(node, exp.Literal) and node.is_string):
        return _of_length(len(node.name.encode()), national=False)
    if isinstance(node, exp.DPipe):
        return _joined(node)
    if isinstance(node, exp.Case):
        results = [branch.args["true"] for branch in node.args["ifs"]]
        default = node.args.get("default")
        results += [default] if default is not None else []
        return _common(results, lengths_in_bytes)
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
            size, in_bytes = max(left.size, right.size), left.in_bytes
            types.append(DataType(OracleType.VARCHAR2, size, national=left.national, in_bytes=in_bytes))
    return types


def _of_length(length: int, *, national: bool) -> DataType | None:
    if not 0 < length <= _LONGEST:
        return None
    size = length * BYTES_OF_CHARACTER if national else length
    return DataType(OracleType.CHAR, size, national=national, in_bytes=not national)


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
    known = [each for each in types if each is not None and each.type is OracleType.CHAR]
    if len(known) < len(types) or len({each.national for each in known}) > 1:
        return None
    national = known[0].national
    size = sum(each.size for each in known)
    return _of_length(size // BYTES_OF_CHARACTER if national else size, national=national)


def _common(results: Sequence[exp.Expr], lengths_in_bytes: bool) -> DataType | None:
    given = [result for result in results if not isinstance(result, exp.Null)]
    types = {character_type(result, lengths_in_bytes=lengths_in_bytes) for result in given}
    return types.pop() if len(types) == 1 else None
