"""Where aggregate and analytic functions and sequences may stand.

SQL Language Reference, "Aggregate Functions", "Analytic Functions", "Sequence Pseudocolumns".
"""

from __future__ import annotations

from sqlglot import exp

from localoracle.errors import OracleError, not_supported
from localoracle.sql.parsing.nodes import (
    children,
    clauses,
    function_name,
    is_aggregate,
    is_analytic,
    is_known_analytic,
    is_sequence,
    own_nodes,
)


def check_aggregates(block: exp.Select) -> None:
    """ORA-00934 outside select list, HAVING and ORDER BY; ORA-00978, ORA-00935 inside one another."""
    for part in clauses(block, "where", "on", "group", "connect"):
        refuse_aggregates(part)
    for part in clauses(block, "expressions", "having", "order"):
        for node in own_nodes(part):
            depth = _depth(node) if is_aggregate(node) else 1
            if depth > 2:
                raise OracleError(935, "group function is nested too deeply")
            if depth == 2:
                _refuse_nested(block)


def refuse_aggregates(part: exp.Expr) -> None:
    """ORA-00934 for any aggregate function."""
    if any(is_aggregate(node) for node in own_nodes(part)):
        raise OracleError(934, "group function is not allowed here")


def _refuse_nested(block: exp.Select) -> None:
    if block.args.get("group") is None:
        raise OracleError(978, "nested group function without GROUP BY")
    if any(not any(is_aggregate(node) for node in own_nodes(item)) for item in block.expressions):
        raise OracleError(937, "not a single-group group function")
    raise not_supported("aggregate functions of aggregate functions")


def _depth(node: exp.Expr) -> int:
    """How many aggregates are inside one another here."""
    inner = node.this if isinstance(node, exp.Window | exp.WithinGroup) else node
    below = [
        _depth(child)
        for part in inner.args.values()
        for item in (part if isinstance(part, list) else [part])
        if isinstance(item, exp.Expr)
        for child in own_nodes(item)
        if is_aggregate(child)
    ]
    if inner is not node and is_aggregate(inner):
        return _depth(inner)
    return 1 + max(below, default=0)


_ORDERED = frozenset(
    ["ROW_NUMBER", "RANK", "DENSE_RANK", "NTILE", "LAG", "LEAD", "CUME_DIST", "PERCENT_RANK"]
)
"""Functions whose order_by_clause is required."""


def check_analytics(block: exp.Select) -> None:
    for part in clauses(block, "where", "on", "group", "having", "connect"):
        refuse_analytics(part)
    for part in clauses(block, "expressions", "order"):
        for node in own_nodes(part):
            if is_analytic(node):
                _window(node)
            elif is_aggregate(node):
                refuse_analytics(node)
            _has_window(node)


def refuse_analytics(part: exp.Expr) -> None:
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


def check_sequences(block: exp.Select, *, outermost: bool) -> None:
    """ORA-02287 but in the select list of the outermost block that neither groups nor sorts."""
    for part in clauses(block, "where", "on", "group", "having", "order", "connect"):
        refuse_sequences(part)
    if not outermost or any(
        block.args.get(key) for key in ("distinct", "group", "order", "limit", "offset", "having")
    ):
        for item in block.expressions:
            refuse_sequences(item)


def refuse_sequences(part: exp.Expr) -> None:
    if any(is_sequence(node) for node in own_nodes(part)):
        raise OracleError(2287, "sequence number not allowed here")
