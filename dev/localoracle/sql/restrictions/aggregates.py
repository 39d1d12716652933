"""Where aggregate functions may stand ("Aggregate Functions" in the SQL Language Reference)."""

from __future__ import annotations

from sqlglot import exp

from localoracle.errors import OracleError, not_supported
from localoracle.sql.parsing.nodes import clauses, is_aggregate, own_nodes


def check(block: exp.Select) -> None:
    """ORA-00934 outside select list, HAVING and ORDER BY; ORA-00978, ORA-00935 inside one another."""
    for part in clauses(block, "where", "on", "group", "connect"):
        refuse(part)
    for part in clauses(block, "expressions", "having", "order"):
        for node in own_nodes(part):
            depth = _depth(node) if is_aggregate(node) else 1
            if depth > 2:
                raise OracleError(935, "group function is nested too deeply")
            if depth == 2:
                _refuse_nested(block)


def refuse(part: exp.Expr) -> None:
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
