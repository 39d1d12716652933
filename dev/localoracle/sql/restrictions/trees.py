"""Walking the trees of queries block by block."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from localoracle.sql.functions.function_table import AGGREGATES
from localoracle.sql.parsing.words import ANALYTIC_FUNCTIONS

_OTHER_AGGREGATES = {"COLLECT", "XMLAGG", "STATS_MODE", "CORR", "COVAR_POP", "COVAR_SAMP", "ANY_VALUE"}
"""Aggregates that the stand-in lacks: it is named, not called an analytic function without a window."""
GROUPING_FUNCTIONS = frozenset(["GROUPING", "GROUPING_ID", "GROUP_ID"])
_AGGREGATES = (frozenset(AGGREGATES) | _OTHER_AGGREGATES) - GROUPING_FUNCTIONS


def children(node: exp.Expr) -> Iterator[exp.Expr]:
    """The parts of a node."""
    for value in node.args.values():
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, exp.Expr):
                yield child


def own_nodes(node: exp.Expr | None) -> Iterator[exp.Expr]:
    """A part of a query block with all below it, nested queries aside."""
    if node is None or isinstance(node, exp.Query):
        return
    yield node
    for child in children(node):
        yield from own_nodes(child)


def inner_queries(node: exp.Expr) -> Iterator[exp.Expr]:
    """The queries directly inside a query or expression."""
    for child in children(node):
        if isinstance(child, exp.Query):
            yield child
        else:
            yield from inner_queries(child)


def clauses(block: exp.Select, *names: str) -> Iterator[exp.Expr]:
    """The parts of a block: `expressions`, `where`, `group` and so on; `on` for the conditions of joins."""
    for name in names:
        if name == "on":
            for join in block.args.get("joins") or []:
                if join.args.get("on") is not None:
                    yield join.args["on"]
            continue
        value = block.args.get(name)
        yield from value if isinstance(value, list) else [value] if value is not None else []


def function_name(node: exp.Expr | None) -> str:
    return node.this.upper() if isinstance(node, exp.Anonymous) and isinstance(node.this, str) else ""


def is_analytic(node: exp.Expr) -> bool:
    """A function with OVER."""
    return isinstance(node, exp.Window) and str(node.args.get("over") or "").upper() == "OVER"


def is_aggregate(node: exp.Expr) -> bool:
    """An aggregate function that is not analytic. In its tree KEEP and WITHIN GROUP stand around it."""
    if isinstance(node, exp.Window):
        return not is_analytic(node)
    if isinstance(node, exp.WithinGroup):
        return not _is_under_over(node)
    return function_name(node) in _AGGREGATES and not _is_under_over(node)


def _is_under_over(node: exp.Expr) -> bool:
    parent = node.parent
    while isinstance(parent, exp.WithinGroup | exp.IgnoreNulls | exp.RespectNulls) or (
        isinstance(parent, exp.Window) and not is_analytic(parent)
    ):
        node, parent = parent, parent.parent
    return isinstance(parent, exp.Window) and parent.this is node


def is_known_analytic(name: str) -> bool:
    """Is there an analytic function of that name which is no aggregate?"""
    return name in ANALYTIC_FUNCTIONS and name not in _AGGREGATES
