"""UPDATE and DELETE of a subquery that selects columns of one table: the change is one of that table.

SQL Language Reference 19c, UPDATE and DELETE, "DML_table_expression_clause". Subqueries that join, group, or
leave rows out otherwise than by a condition are refused by name, whether Oracle could change them or not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlglot import exp

from localoracle.errors import OracleError, not_supported
from localoracle.sql.parsing.nodes import identifier_name, only, source_name
from localoracle.sql.query.query import is_pseudo_column

_REFUSED = "DML on a subquery"
_ROWID = "ROWID"


@dataclass(frozen=True)
class ChangedSubquery:
    """The table, and its columns by the names that the subquery gives them; None is its ROWID."""

    table: exp.Table
    columns: Mapping[str, str | None]
    where: exp.Expr | None

    def column(self, name: str) -> str:
        """The table's column to be changed. ORA-00904, ORA-01733."""
        selected = self._selected(name)
        if selected is None:
            raise OracleError(1733, "virtual column not allowed here")
        return selected

    def of_table(self, node: exp.Expr, alias: str | None) -> exp.Expr:
        """An expression over the subquery's columns as one over the table's. `alias` is the subquery's."""
        if any(node.find_all(exp.Query)):
            raise not_supported(f"{_REFUSED} with a subquery in an expression")
        for column in list(node.find_all(exp.Column)):
            qualifier = column.args.get("table")
            if qualifier is not None and identifier_name(qualifier) != alias:
                raise OracleError(904, f'"{column.sql()}": invalid identifier')
            column.set("table", None)
            if not is_pseudo_column(column):
                selected = self._selected(identifier_name(column.this))
                quoted = selected is not None
                column.set("this", exp.to_identifier(selected or _ROWID, quoted=quoted))
        return node

    def _selected(self, name: str) -> str | None:
        if name not in self.columns:
            raise OracleError(904, f'"{name}": invalid identifier')
        return self.columns[name]


def changed_subquery(query: exp.Expr) -> ChangedSubquery:
    """Raises ORA-03001 for a subquery of another form."""
    table = query.args["from_"].this if query.args.get("from_") is not None else None
    if not isinstance(query, exp.Select) or not isinstance(table, exp.Table):
        raise not_supported(_REFUSED)
    only(query, "expressions", "from_", "where")
    only(table, "this", "db", "alias")
    own = source_name(table)
    columns: dict[str, str | None] = {}
    for item in query.expressions:
        node = item.this if isinstance(item, exp.Alias) else item
        if not isinstance(node, exp.Column) or node.is_star:
            raise not_supported(f"{_REFUSED} that selects more than columns by their names")
        qualifier = node.args.get("table")
        if qualifier is not None and identifier_name(qualifier) != own:
            raise OracleError(904, f'"{node.sql()}": invalid identifier')
        name = identifier_name(node.this)
        if is_pseudo_column(node) and name != _ROWID:
            raise not_supported(f"{_REFUSED} with {name}")
        shown = identifier_name(item.args["alias"]) if isinstance(item, exp.Alias) else name
        columns[shown] = None if is_pseudo_column(node) else name
    where = query.args.get("where")
    if where is not None and any(column.name.upper() == "ROWNUM" for column in where.find_all(exp.Column)):
        raise not_supported(f"{_REFUSED} with ROWNUM")
    return ChangedSubquery(table, columns, where.this if where is not None else None)
