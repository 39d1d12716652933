"""WITH, joins, ORDER BY of set operators, ROWIDs, names of columns and FOR UPDATE, by the tree of a query.

SQL Language Reference, "SELECT", "Joins", "The UNION [ALL], INTERSECT, MINUS Operators"; Error Messages.
"""

from __future__ import annotations

from sqlglot import exp

from localoracle.errors import OracleError
from localoracle.sql.parsing.nodes import (
    clauses,
    first_block,
    identifier_name,
    is_aggregate,
    is_rowid,
    names_table,
    own_nodes,
    sources_of,
)


def check_factoring(query: exp.Expr) -> None:
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


def check_ordering(query: exp.Expr) -> None:
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


_OUTSIDE_WHERE = ("expressions", "group", "having", "order", "connect")


def check_joins(block: exp.Select) -> None:
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


def check_rowids(block: exp.Select) -> None:
    """Refuse ROWID where the only source is an inline view whose rows are none of one table."""
    clause = block.args.get("from_")
    if clause is None or block.args.get("joins") or not isinstance(clause.this, exp.Subquery):
        return
    parts = clauses(block, "expressions", "where", "group", "having", "order")
    if any(is_rowid(node) for part in parts for node in own_nodes(part)):
        _refuse(clause.this.unnest())


def _refuse(view: exp.Expr) -> None:
    if not isinstance(view, exp.Select) or any(view.args.get(key) for key in ("distinct", "group", "having")):
        raise OracleError(1446, "cannot select ROWID from, or sample, a view with DISTINCT, GROUP BY, etc.")
    if any(is_aggregate(node) for item in view.expressions for node in own_nodes(item)):
        raise OracleError(1446, "cannot select ROWID from, or sample, a view with DISTINCT, GROUP BY, etc.")
    if view.args.get("joins") and not any(_selects_rowid(item) for item in view.expressions):
        raise OracleError(
            1445, "cannot select ROWID from, or sample, a join view without a key-preserved table"
        )


def _selects_rowid(item: exp.Expr) -> bool:
    return isinstance(item, exp.Alias) and item.alias.upper() == "ROWID"


_AMBIGUOUS = OracleError(918, "column ambiguously defined")


MOST_COLUMNS = 1000


def check_names(block: exp.Select, *, nested: bool) -> None:
    """ORA-00918: with a row limit names differ ("SELECT", row_limiting_clause), and a star shows each once.

    ORA-01792 for an inline view with more columns than a table may have.
    """
    if nested and len(block.expressions) > MOST_COLUMNS:
        raise OracleError(1792, "maximum number of columns in a table or view is 1000")
    if (block.args.get("limit") or block.args.get("offset")) and _repeated(block):
        raise OracleError(_AMBIGUOUS.code, _AMBIGUOUS.text)
    if any(isinstance(item, exp.Star) or isinstance(item.this, exp.Star) for item in block.expressions):
        for source in sources_of(block):
            if isinstance(source, exp.Subquery) and _repeated(first_block(source)):
                raise OracleError(_AMBIGUOUS.code, _AMBIGUOUS.text)


def _repeated(block: exp.Expr) -> bool:
    names = []
    for item in block.expressions if isinstance(block, exp.Select) else []:
        if isinstance(item, exp.Alias):
            names.append(identifier_name(item.args["alias"]))
        elif isinstance(item, exp.Column) and isinstance(item.this, exp.Identifier):
            names.append(identifier_name(item.this))
    return len(names) != len(set(names))


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
