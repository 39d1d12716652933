"""The row limiting clause, and ROWNUM as a limit: `ROWNUM <= n` among the conditions of WHERE.

SQL Language Reference, SELECT, row_limiting_clause, "ROWNUM Pseudocolumn": a negative offset is 0, a null one
leaves no rows; a negative or null count is 0; fractions of both are cut off. A percentage is of all rows that
are selected.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlglot import exp

from localoracle.errors import not_supported
from localoracle.sql.parsing.nodes import is_unquoted, only

_BEYOND_ALL_ROWS = 2**63 - 1


def offset_text(offset: exp.Offset | None, value: Callable[[object], str]) -> str:
    """:param value: translates an expression."""
    if offset is None:
        return ""
    only(offset, "expression")
    skipped = f"coalesce(trunc(({value(offset.expression)})::numeric), {_BEYOND_ALL_ROWS})"
    return f" OFFSET (greatest({skipped}, 0)::int8)"


def fetch_text(
    limit: exp.Expr | None, value: Callable[[object], str], *, ordered: bool, unlimited: str
) -> str:
    """:param ordered: there is an ORDER BY; without one WITH TIES is ONLY.
    :param unlimited: the query without ORDER BY and limits: its rows are counted for a percentage.
    """
    if limit is None:
        return ""
    only(limit, "direction", "count", "limit_options")
    options = limit.args["limit_options"]
    only(options, "rows", "with_ties", "percent")
    count = value(limit.args["count"]) if limit.args.get("count") is not None else "1"
    if options.args.get("percent"):
        count = f"ceil((SELECT count(*) FROM ({unlimited}) AS counted) * ({count})::numeric / 100)"
    else:
        count = f"trunc(({count})::numeric)"
    ties = "WITH TIES" if ordered and options.args.get("with_ties") else "ONLY"
    return f" FETCH FIRST (greatest({count}, 0)::int8) ROWS {ties}"


_MIRRORED: dict[type, type] = {
    exp.GT: exp.LT,
    exp.GTE: exp.LTE,
    exp.LT: exp.GT,
    exp.LTE: exp.GTE,
    exp.EQ: exp.EQ,
}


@dataclass(frozen=True)
class Limit:
    """At most (`<=`) or less than (`<`) `bound` rows."""

    sign: str
    bound: exp.Expr


def is_rownum(node: exp.Expr) -> bool:
    return is_unquoted(node, ("ROWNUM",)) and node.args.get("table") is None


def conjuncts(node: exp.Expr) -> list[exp.Expr]:
    """The conditions that AND joins."""
    if isinstance(node, exp.And):
        return conjuncts(node.this) + conjuncts(node.expression)
    if isinstance(node, exp.Paren) and isinstance(node.this, exp.And):
        return conjuncts(node.this)
    return [node]


def join_conjuncts(parts: list[exp.Expr]) -> exp.Expr:
    result = parts[0]
    for part in parts[1:]:
        result = exp.And(this=result, expression=part)
    return result


def take_rownum_limit(node: exp.Expr) -> Limit | None:
    """Remove the condition on ROWNUM from WHERE and return it; other uses stay and are refused later."""
    where = node.args.get("where")
    if where is None:
        return None
    others, limits = [], []
    for part in conjuncts(where.this):
        limit = _as_limit(part)
        if limit is None:
            others.append(part)
        elif limit.sign:
            limits.append(limit)
    if len(limits) > 1:
        raise not_supported("several conditions on ROWNUM")
    if len(others) < len(conjuncts(where.this)):
        node.set("where", exp.Where(this=join_conjuncts(others)) if others else None)
    return limits[0] if limits else None


def _as_limit(part: exp.Expr) -> Limit | None:
    if isinstance(part, exp.Paren):
        return _as_limit(part.this)
    kind: type = type(part)
    if not isinstance(part, exp.Binary) or kind not in _MIRRORED:
        return None
    left, right = part.this, part.expression
    if is_rownum(right):
        left, right, kind = right, left, _MIRRORED[kind]
    if not is_rownum(left) or any(is_rownum(column) for column in right.find_all(exp.Column)):
        return None
    number = (
        int(right.name)
        if isinstance(right, exp.Literal) and not right.is_string and right.name.isdigit()
        else None
    )
    if kind is exp.LTE:
        return Limit("<=", right)
    if kind is exp.LT:
        return Limit("<", right)
    if kind is exp.EQ and number is not None:
        # Only the first row can have number 1, and no row ever gets another when it is not let through.
        return Limit("<=", exp.Literal.number(1 if number == 1 else 0))
    if number is not None:
        always = number < 1 if kind is exp.GT else number <= 1
        return Limit("", right) if always else Limit("<=", exp.Literal.number(0))
    return None
