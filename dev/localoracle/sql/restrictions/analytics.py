"""Where analytic functions may stand, and what OVER has to say ("Analytic Functions")."""

from __future__ import annotations

from sqlglot import exp

from localoracle.errors import OracleError
from localoracle.sql.parsing.nodes import (
    children,
    clauses,
    function_name,
    is_aggregate,
    is_analytic,
    is_known_analytic,
    own_nodes,
)

_ORDERED = frozenset(
    ["ROW_NUMBER", "RANK", "DENSE_RANK", "NTILE", "LAG", "LEAD", "CUME_DIST", "PERCENT_RANK"]
)
"""Functions whose order_by_clause is required."""


def check(block: exp.Select) -> None:
    for part in clauses(block, "where", "on", "group", "having", "connect"):
        refuse(part)
    for part in clauses(block, "expressions", "order"):
        for node in own_nodes(part):
            if is_analytic(node):
                _window(node)
            elif is_aggregate(node):
                refuse(node)
            _has_window(node)


def refuse(part: exp.Expr) -> None:
    """ORA-30483 for any analytic function, ORA-30484 for one without its window."""
    for node in own_nodes(part):
        if is_analytic(node):
            raise OracleError(30483, "window functions are not allowed here")
        _has_window(node)


def _window(node: exp.Expr) -> None:
    for child in children(node):
        for inner in own_nodes(child):
            if is_analytic(inner):
                raise OracleError(30483, "window functions are not allowed here")
    call = node.this
    while isinstance(call, exp.WithinGroup | exp.IgnoreNulls | exp.RespectNulls | exp.Window):
        call = call.this
    name, order = function_name(call), node.args.get("order")
    if order is None and (name in _ORDERED or node.args.get("spec") is not None):
        raise OracleError(30485, "missing ORDER BY expression in the window specification")
    if order is not None and (
        name == "RATIO_TO_REPORT"
        or any(isinstance(argument, exp.Distinct) for argument in getattr(call, "expressions", []))
    ):
        raise OracleError(30487, "ORDER BY not allowed here")


def _has_window(node: exp.Expr) -> None:
    if not is_known_analytic(function_name(node)):
        return
    parent = node.parent
    if not isinstance(parent, exp.Window | exp.WithinGroup | exp.IgnoreNulls | exp.RespectNulls):
        raise OracleError(30484, "missing window specification for this function")
