"""The queries that WITH names ("SELECT", subquery_factoring_clause)."""

from __future__ import annotations

from sqlglot import exp

from localoracle.errors import OracleError
from localoracle.sql.parsing.nodes import first_block, identifier_name, names_table


def check(query: exp.Expr) -> None:
    """ORA-32038, ORA-00957 for the column aliases, ORA-32039, ORA-32040 for what refers to itself."""
    clause = query.args.get("with_")
    for table in clause.expressions if clause is not None else []:
        alias = table.args["alias"]
        columns = [identifier_name(column) for column in alias.args.get("columns") or []]
        if len(set(columns)) != len(columns):
            raise OracleError(957, "duplicate column name")
        if columns and _width(table.this) not in (None, len(columns)):
            raise OracleError(
                32038, "number of WITH clause column names does not match number of elements in select list"
            )
        if refers_to_itself(table):
            if not columns:
                raise OracleError(32039, "recursive WITH clause must have column alias list")
            if not isinstance(table.this, exp.Union) or table.this.args.get("distinct"):
                raise OracleError(32040, "recursive WITH clause must use a UNION ALL operation")


def refers_to_itself(table: exp.Expr) -> bool:
    """Is the common table `table` among those that its query reads?"""
    name = identifier_name(table.args["alias"].this)
    return any(
        names_table(read) and identifier_name(read.this) == name and read.args.get("db") is None
        for read in table.this.find_all(exp.Table)
    )


def _width(query: exp.Expr) -> int | None:
    """How many columns a query has; None where a star stands for some."""
    items = first_block(query).expressions
    if any(isinstance(item, exp.Star) or isinstance(item.this, exp.Star) for item in items):
        return None
    return len(items)
