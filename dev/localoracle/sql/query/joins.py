"""NATURAL joins and the outer join operator (+) ("Joins" in the SQL Language Reference; ORA-25155).

Which columns a natural join is made by only the database knows: where a query names one with a qualifier, it
is asked (localoracle.session.query_columns). The operator (+) is rewritten as LEFT JOIN.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from localoracle.errors import OracleError, not_supported
from localoracle.sql.parsing.nodes import clauses, identifier_name, names_table, own_nodes, source_name
from localoracle.sql.query.row_limits import conjuncts, join_conjuncts

_CLAUSES = ("expressions", "where", "group", "having", "order", "connect", "on")


@dataclass(frozen=True, slots=True)
class NaturalJoin:
    """PostgreSQL queries of all columns of either side, and the columns that have one of their qualifiers."""

    left: str
    right: str
    qualified: frozenset[str]


def qualified_columns(block: exp.Select) -> frozenset[tuple[str, str]]:
    """The columns that a block names with a qualifier: (table or alias, column)."""
    return frozenset(
        (identifier_name(node.args["table"]), identifier_name(node.this))
        for part in clauses(block, *_CLAUSES)
        for node in own_nodes(part)
        if isinstance(node, exp.Column)
        and isinstance(node.args.get("table"), exp.Identifier)
        and isinstance(node.this, exp.Identifier)
    )


def source_names(source: exp.Expr) -> Iterator[str]:
    """The names that may qualify columns of an item of FROM: a join in parentheses has several."""
    alias = source.args.get("alias")
    if alias is not None:
        yield identifier_name(alias.this)
    elif isinstance(source, exp.Subquery) and isinstance(source.this, exp.Table):
        yield from source_names(source.this)
        for join in source.this.args.get("joins") or []:
            yield from source_names(join.this)
    elif names_table(source):
        yield identifier_name(source.this)
    for join in source.args.get("joins") or []:
        yield from source_names(join.this)


def convert_join_marks(node: exp.Select) -> exp.Select:
    """A block with (+) in WHERE as one with LEFT JOIN; the block itself when it has none.

    ORA-25156 with ANSI joins, ORA-01468 for two marked tables in one condition, ORA-01719 in OR and IN,
    ORA-01416 for tables that are outer-joined to each other.
    """
    where = node.args.get("where")
    if where is None or not _marked(where):
        return node
    items: list[exp.Expr] = [node.args["from_"].this]
    for join in node.args.get("joins") or []:
        if any(join.args.get(key) for key in ("side", "kind", "on", "using", "method")):
            raise OracleError(25156, "old style outer join (+) cannot be used with ANSI joins")
        items.append(join.this)
    by_name = {source_name(item): item for item in items}
    if None in by_name:
        raise not_supported("(+) beside a table without a name")
    conditions: dict[str, list[exp.Expr]] = {}
    needs: dict[str, set[str]] = {}
    unmarked: list[exp.Expr] = []
    for part in conjuncts(where.this):
        marked = _marked(part)
        if not marked:
            unmarked.append(part)
            continue
        listed = isinstance(part, exp.In) and part.args.get("query") is None
        if listed or isinstance(part, exp.Or) or part.find(exp.Or):
            raise OracleError(1719, "outer join operator (+) not allowed in operand of OR or IN")
        if part.find(exp.Query):
            raise OracleError(1799, "a column may not be outer-joined to a subquery")
        tables = {_table(column) for column in marked}
        if len(tables) > 1:
            raise OracleError(1468, "a predicate may reference only one outer-joined table")
        inner = tables.pop()
        if inner not in by_name:
            raise OracleError(904, f'"{inner}": invalid identifier')
        others = {
            _table(column)
            for column in part.find_all(exp.Column)
            if not column.args.get("join_mark") and column.args.get("table")
        }
        for column in marked:
            column.set("join_mark", None)
        conditions.setdefault(inner, []).append(part)
        needs.setdefault(inner, set()).update(name for name in others if name in by_name and name != inner)
    ordered = [name for name in by_name if name not in conditions]
    if not ordered:
        raise OracleError(1416, "two tables cannot be outer-joined to each other")
    joins = [exp.Join(this=by_name[name], kind="CROSS") for name in ordered[1:]]
    placed = set(ordered)
    waiting = [name for name in by_name if name in conditions]
    while waiting:
        ready = next((name for name in waiting if needs[name] <= placed), None)
        if ready is None:
            raise OracleError(1416, "two tables cannot be outer-joined to each other")
        joins.append(exp.Join(this=by_name[ready], side="LEFT", on=join_conjuncts(conditions[ready])))
        placed.add(ready)
        waiting.remove(ready)
    node.set("from_", exp.From(this=by_name[ordered[0]]))
    node.set("joins", joins)
    node.set("where", exp.Where(this=join_conjuncts(unmarked)) if unmarked else None)
    return node


def _marked(node: exp.Expr) -> list[exp.Column]:
    return [column for column in node.find_all(exp.Column) if column.args.get("join_mark")]


def _table(column: exp.Column) -> str:
    table = column.args.get("table")
    if table is None:
        raise not_supported("(+) on a column without its table")
    return identifier_name(table)
