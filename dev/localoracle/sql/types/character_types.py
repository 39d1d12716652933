"""CHAR, VARCHAR2 and their character sets: which an expression has, as far as its text alone shows.

SQL Language Reference, "Text Literals", "Concatenation Operator", "CASE Expressions", "COALESCE", "NULLIF",
"The UNION [ALL], INTERSECT, MINUS Operators"; Error Messages, ORA-12704. Of type CHAR are text literals, and
what is made of nothing else; DECODE, NVL and most functions give VARCHAR2, whatever they are given. Values of
VARCHAR2 and NVARCHAR2 are no alternatives of each other: the types of columns are known to the database only,
which gets an expression that it refuses when two sets meet.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sqlglot import exp

from localoracle.errors import OracleError
from localoracle.sql.parsing.nodes import concatenated, first_block
from localoracle.sql.types.data_types import cast_type
from localoracle.values import BYTES_OF_CHARACTER, DataType, OracleType

if TYPE_CHECKING:
    from localoracle.sql.expressions.expression import Expressions


_LONGEST = 2000


def character_type(node: exp.Expr, *, lengths_in_bytes: bool = True) -> DataType | None:
    """CHAR or NCHAR with its length; VARCHAR2 of a CAST to bytes.

    None for any other type, and where PostgreSQL's own type says it. `lengths_in_bytes`: as of `Cursor`.
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


def of_both(lefts: Sequence[DataType | None], rights: Sequence[DataType | None]) -> list[DataType | None]:
    """The types of a set operation's columns: VARCHAR2 where the lengths differ."""
    types: list[DataType | None] = []
    for left, right in zip(lefts, rights, strict=False):
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
    types = [character_type(operand) for operand in concatenated(node)]
    characters = [each for each in types if each is not None and each.type is OracleType.CHAR]
    if len(characters) < len(types) or len({each.national for each in characters}) > 1:
        return None
    national = characters[0].national
    size = sum(each.size for each in characters)
    return _of_length(size // BYTES_OF_CHARACTER if national else size, national=national)


def _common(results: Sequence[exp.Expr], lengths_in_bytes: bool) -> DataType | None:
    given = [result for result in results if not isinstance(result, exp.Null)]
    types = {character_type(result, lengths_in_bytes=lengths_in_bytes) for result in given}
    return types.pop() if len(types) == 1 else None


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
    examples = list(dict.fromkeys(example for node in nodes if (example := _example(emit, node)) is not None))
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
