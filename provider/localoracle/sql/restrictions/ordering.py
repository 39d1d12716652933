"""ORDER BY of set operators ("The UNION [ALL], INTERSECT, MINUS Operators")."""

from __future__ import annotations

from sqlglot import exp

from localoracle.errors import OracleError


def check(query: exp.Expr) -> None:
    """ORA-01785: the rows of several queries are sorted by position or by an alias of the first."""
    order = query.args.get("order") if isinstance(query, exp.SetOperation) else None
    for item in order.expressions if order is not None else []:
        bare = isinstance(item.this, exp.Column) and item.this.args.get("table") is None
        if not bare and not isinstance(item.this, exp.Literal):
            raise OracleError(1785, "ORDER BY item must be the number of a SELECT-list expression")
