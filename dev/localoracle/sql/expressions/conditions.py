"""Comparisons: with values, lists, rows, patterns and subqueries ("Conditions")."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sqlglot import exp

from localoracle.errors import OracleError, not_supported
from localoracle.instance.creation import created_with
from localoracle.sql.context import Sql
from localoracle.sql.expressions import rowids
from localoracle.sql.expressions.conversion import FROM_STRING, as_literal, as_string, is_text_literal
from localoracle.sql.expressions.strings import escaped_pattern
from localoracle.sql.parsing.nodes import describe, is_rowid, only

if TYPE_CHECKING:
    from localoracle.sql.expressions.expression import Expressions

COMPARISONS = {exp.EQ: "=", exp.NEQ: "<>", exp.GT: ">", exp.GTE: ">=", exp.LT: "<", exp.LTE: "<="}


def comparison(emit: Expressions, node: exp.Binary) -> Sql:
    only(node, "this", "expression")
    sign = COMPARISONS[type(node)]
    left, right = node.this, node.expression
    if is_rowid(left) or is_rowid(right):
        return Sql(rowids.compare(emit, left, right, sign), "B")
    quantified = _quantified(emit, left, right, sign)
    if quantified is not None:
        return Sql(quantified, "B")
    rows = _rows_equal(emit, left, right)
    if rows is not None:
        if sign not in ("=", "<>"):
            raise OracleError(1796, "this operator cannot be used with lists")
        return Sql(rows if sign == "=" else f"(NOT {rows})", "B")
    if isinstance(right.unnest(), exp.Tuple):
        raise OracleError(1797, "this operator must be followed by ANY or ALL")
    left_value, right_value = emit.emit(left), emit.emit(right)
    if isinstance(right, exp.Subquery | exp.Select) and left_value.family == "tuple":
        return Sql(f"({left_value.untyped} {sign} {right_value.text})", "B")
    return Sql(f"({side(left_value, right_value)} {sign} {side(right_value, left_value)})", "B")


def side(value: Sql, other: Sql) -> str:
    """One side of a comparison: a string constant takes the type of a column beside it."""
    if value.family == "B":
        raise OracleError(933, "SQL command not properly ended")
    if is_text_literal(value) and is_text_literal(other):
        # Literals are CHAR values: blanks at the end do not count.
        return f"{value.untyped}::bpchar"
    if value.family == "S" and other.family in FROM_STRING:
        return f"{FROM_STRING[other.family]}({value.text})"
    # A bind is VARCHAR2, whatever it is compared with.
    return value.text if other.family == "S" or _is_bind(value) else as_literal(value)


def _is_bind(value: Sql) -> bool:
    return value.bare is not None and value.bare.startswith("$")


def _quantified(emit: Expressions, left: exp.Expr, right: exp.Expr, sign: str) -> str | None:
    word = ""
    if isinstance(right, exp.All | exp.Any):
        only(right, "this")
        word, inner = ("ALL" if isinstance(right, exp.All) else "ANY"), right.this
        parts = inner.expressions if isinstance(inner, exp.Tuple) else [inner]
    elif isinstance(right, exp.Anonymous) and right.name.upper() in ("ALL", "ANY", "SOME"):
        word, parts = right.name.upper().replace("SOME", "ANY"), right.expressions
    if not word:
        return None
    value = emit.scalar(left)
    if len(parts) == 1 and isinstance(parts[0], exp.Query):
        return f"({value.text} {sign} {word} {emit.subselect(parts[0])})"
    _check_list(parts)
    joined = (" AND " if word == "ALL" else " OR ").join(
        f"{value.text} {sign} {side(emit.emit(part), value)}" for part in parts
    )
    return f"({joined})"


def member(emit: Expressions, node: exp.In) -> Sql:
    only(node, "this", "expressions", "query")
    if is_rowid(node.this):
        return Sql(rowids.member(emit, node), "B")
    query = node.args.get("query")
    left = emit.emit(node.this)
    if query is not None:
        return Sql(
            f"({left.untyped if left.family == 'tuple' else left.text} IN {emit.subselect(query)})", "B"
        )
    if not node.expressions:
        raise OracleError(936, "missing expression")
    _check_list(node.expressions)
    if left.family == "tuple":
        rows = [_rows_equal(emit, node.this, part) for part in node.expressions]
        return Sql(f"({' OR '.join(row for row in rows if row is not None)})", "B")
    parts = [emit.emit(part) for part in node.expressions]
    listed_types = left.family == "" and any(
        part.family == "S" and not is_text_literal(part) for part in parts
    )
    if listed_types or is_text_literal(left):
        # PostgreSQL would bring the whole list to the column's type, a CHAR's for example.
        if all(_is_bind(part) and part.text == f"{part.bare}::text" for part in parts):
            # The same comparisons: it looks the value up in a list, which may be long, once for a row.
            return Sql(f"({left.text} = ANY (ARRAY[{', '.join(part.text for part in parts)}]))", "B")
        tests = (f"{side(left, part)} = {side(part, left)}" for part in parts)
        return Sql(f"({' OR '.join(tests)})", "B")
    listed = ", ".join(side(part, left) for part in parts)
    return Sql(f"({left.text} IN ({listed}))", "B")


def between(emit: Expressions, node: exp.Between) -> Sql:
    only(node, "this", "low", "high")
    low, high = node.args["low"], node.args["high"]
    if is_rowid(node.this):
        return Sql(rowids.between(emit, node.this, low, high), "B")
    middle, first, last = emit.scalar(node.this), emit.scalar(low), emit.scalar(high)
    if is_text_literal(middle):
        tests = (
            f"{side(middle, end)} {sign} {side(end, middle)}" for sign, end in ((">=", first), ("<=", last))
        )
        return Sql(f"({' AND '.join(tests)})", "B")
    bounds = f"{side(first, middle)} AND {side(last, middle)}"
    return Sql(f"({middle.text} BETWEEN {bounds})", "B")


def like(emit: Expressions, node: exp.Like, escape: Sql | None = None) -> Sql:
    only(node, "this", "expression", "negate")
    operator = "NOT LIKE" if node.args.get("negate") else "LIKE"
    value, pattern, sign = emit.string(node.this), emit.emit(node.expression), "''"
    text = as_string(pattern)
    if escape is not None:
        text, sign = escaped_pattern(pattern, escape)
    return Sql(f"({value} {operator} {text} ESCAPE {sign})", "B")


def escape(emit: Expressions, node: exp.Escape) -> Sql:
    only(node, "this", "expression")
    if not isinstance(node.this, exp.Like):
        raise not_supported(f"the condition {describe(node)}")
    return like(emit, node.this, emit.emit(node.expression))


def exists(emit: Expressions, node: exp.Exists) -> Sql:
    only(node, "this")
    return Sql(f"(EXISTS {emit.subselect(node.this)})", "B")


def _rows_equal(emit: Expressions, left: exp.Expr, right: exp.Expr) -> str | None:
    """Two lists of expressions, each pair with types of its own; None for other operands."""
    left_row, right_row = left.unnest(), right.unnest()
    if not (isinstance(left_row, exp.Tuple) and isinstance(right_row, exp.Tuple)):
        return None
    if len(left_row.expressions) != len(right_row.expressions):
        missing = len(right_row.expressions) < len(left_row.expressions)
        raise OracleError(947, "not enough values") if missing else OracleError(913, "too many values")
    pairs = zip(left_row.expressions, right_row.expressions, strict=True)
    sides = [(emit.scalar(first), emit.scalar(second)) for first, second in pairs]
    tests = (f"{side(first, second)} = {side(second, first)}" for first, second in sides)
    return f"({' AND '.join(tests)})"


def _check_list(parts: Sequence[exp.Expr]) -> None:
    """ORA-01795; lists of rows have no limit ("Expression Lists")."""
    maximum = 1000 if created_with().major_version < 23 else 65535
    if len(parts) > maximum and not isinstance(parts[0], exp.Tuple):
        raise OracleError(1795, f"maximum number of expressions in a list is {maximum}")
