"""Which queries may lock their rows ("SELECT", for_update_clause, row_limiting_clause)."""

from __future__ import annotations

from sqlglot import exp

from localoracle.errors import OracleError
from localoracle.sql.parsing.nodes import is_aggregate, own_nodes


def check_lockable(tree: exp.Expr) -> None:
    """ORA-01786 for set operators, DISTINCT and groups, ORA-02014 with a row limit."""
    if tree.args.get("limit") or tree.args.get("offset"):
        raise OracleError(2014, "cannot select FOR UPDATE from view with DISTINCT, GROUP BY, etc.")
    if (
        isinstance(tree, exp.SetOperation)
        or any(tree.args.get(key) for key in ("distinct", "group", "having"))
        or any(is_aggregate(node) for item in tree.expressions for node in own_nodes(item))
    ):
        raise OracleError(1786, "FOR UPDATE of this query expression is not allowed")
