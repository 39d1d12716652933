"""Joins by names and outer joins ("Joins", "SELECT", join_clause)."""

from __future__ import annotations

from sqlglot import exp

from localoracle.errors import OracleError
from localoracle.sql.parsing.nodes import clauses, identifier_name, own_nodes

_OUTSIDE_WHERE = ("expressions", "group", "having", "order", "connect")


def check(block: exp.Select) -> None:
    """ORA-25154: columns of USING; ORA-01799: subqueries in outer joins; ORA-30563: a (+) elsewhere."""
    joins = block.args.get("joins") or []
    for join in joins:
        outer = str(join.args.get("side") or "").upper() in ("LEFT", "RIGHT", "FULL")
        on = join.args.get("on")
        if outer and on is not None and on.find(exp.Query):
            raise OracleError(1799, "a column may not be outer-joined to a subquery")
    for part in clauses(block, *_OUTSIDE_WHERE):
        if any(node.args.get("join_mark") for node in own_nodes(part)):
            raise OracleError(30563, "outer join operator (+) is not allowed here")
    joined = {identifier_name(column) for join in joins for column in join.args.get("using") or []}
    for part in clauses(block, "where", *_OUTSIDE_WHERE) if joined else ():
        for node in own_nodes(part):
            if (
                isinstance(node, exp.Column)
                and node.args.get("table") is not None
                and isinstance(node.this, exp.Identifier)
                and identifier_name(node.this) in joined
            ):
                raise OracleError(25154, "column part of USING clause cannot have qualifier")
