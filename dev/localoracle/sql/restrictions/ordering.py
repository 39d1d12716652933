"""ORDER BY of set operators ("The UNION [ALL], INTERSECT, MINUS Operators")."""

from __future__ import annotations

from sqlglot import exp

from localoracle.errors import OracleError
from localoracle.sql.parsing.nodes import identifier_name


def check(query: exp.Expr) -> None:
    """ORA-01785: the rows of several queries are sorted by position or by an alias of the first.

    ORA-00904: the last query but one has to have that name as well, and a query in parentheses has none. The
    book does not say so; users of real databases do (Oracle's forum, "ORDER BY with UNION ALL and column
    aliases"; SQLAlchemy's requirement `order_by_col_from_union`).
    """
    order = query.args.get("order") if isinstance(query, exp.SetOperation) else None
    for item in order.expressions if order is not None else []:
        bare = isinstance(item.this, exp.Column) and item.this.args.get("table") is None
        if not bare and not isinstance(item.this, exp.Literal):
            raise OracleError(1785, "ORDER BY item must be the number of a SELECT-list expression")
        if bare:
            _check_name(query, identifier_name(item.this.this))


def _check_name(query: exp.Expr, name: str) -> None:
    component = query.this.expression if isinstance(query.this, exp.SetOperation) else query.this
    if isinstance(component, exp.Select):
        items = component.expressions
        if any(item.is_star for item in items) or name in map(_name, items):
            return
    raise OracleError(904, f'"{name}": invalid identifier')


def _name(item: exp.Expr) -> str | None:
    node = item.args["alias"] if isinstance(item, exp.Alias) else item.args.get("this")
    named = isinstance(item, exp.Alias | exp.Column) and isinstance(node, exp.Identifier)
    return identifier_name(node) if named else None
