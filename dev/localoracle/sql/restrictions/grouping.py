"""What may stand beside aggregates and GROUP BY ("SELECT", group_by_clause, order_by_clause).

Expressions outside aggregates repeat a grouped expression, word for word or as a part of theirs. PostgreSQL
is more generous: grouped by its primary key, a row may show all its columns.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from localoracle.errors import OracleError
from localoracle.sql.expressions.expression import PSEUDO_FUNCTIONS
from localoracle.sql.parsing.nodes import (
    GROUPING_FUNCTIONS,
    children,
    clauses,
    function_name,
    identifier_name,
    is_aggregate,
    is_analytic,
    own_nodes,
    source_name,
    sources_of,
)


def check(block: exp.Select, *, nested: bool) -> None:
    """ORA-00979 with GROUP BY, ORA-00937 without."""
    group = block.args.get("group")
    if group is None and not any(
        is_aggregate(node)
        for part in clauses(block, "expressions", "having", "order")
        for node in own_nodes(part)
    ):
        return
    rule = _Rule(block, list(_items(group)) if group is not None else None, nested=nested)
    for part in [*block.expressions, *clauses(block, "having")]:
        rule.hold(part.this if isinstance(part, exp.Alias | exp.Having) else part, part)
    for order in clauses(block, "order"):
        for item in order.expressions:
            key = item.this
            if not (_is_bare(key) and identifier_name(key.this) in rule.aliases):
                rule.hold(key, key)


def _items(node: exp.Expr) -> Iterator[exp.Expr]:
    """The grouped expressions, those inside ROLLUP, CUBE and GROUPING SETS as well."""
    for child in children(node):
        if isinstance(child, exp.Rollup | exp.Cube | exp.GroupingSets | exp.Tuple):
            yield from _items(child)
        elif isinstance(child, exp.Query):
            raise OracleError(22818, "subquery expressions not allowed here")
        else:
            yield child.unnest()


def _is_bare(node: exp.Expr) -> bool:
    return (
        isinstance(node, exp.Column)
        and node.args.get("table") is None
        and not isinstance(node.this, exp.Star)
    )


class _Rule:
    """One block's: `groups` is None where there is no GROUP BY."""

    def __init__(self, block: exp.Select, groups: list[exp.Expr] | None, *, nested: bool) -> None:
        self.groups, self.nested = groups, nested
        self.sources = {source_name(source) for source in sources_of(block)}
        self.aliases = aliases_of(block)

    def hold(self, node: exp.Expr, clause: exp.Expr) -> None:
        if not self._loose(node, having=isinstance(clause, exp.Having)):
            return
        self._refuse_alias(node, clause)
        if self.groups is None:
            raise OracleError(937, "not a single-group group function")
        raise OracleError(979, "not a GROUP BY expression")

    def _refuse_alias(self, node: exp.Expr, clause: exp.Expr) -> None:
        """ORA-00904: GROUP BY and HAVING do not know the aliases of the select list."""
        named = [group for group in self.groups or () if _is_bare(group)]
        if isinstance(clause, exp.Alias):
            alias = identifier_name(clause.args["alias"])
            unknown = [alias] if alias in {identifier_name(group.this) for group in named} else []
        elif isinstance(clause, exp.Having):
            read = (column for column in own_nodes(node) if _is_bare(column))
            unknown = [
                name for name in (identifier_name(column.this) for column in read) if name in self.aliases
            ]
        else:
            unknown = []
        if unknown:
            raise OracleError(904, f'"{unknown[0]}": invalid identifier')

    def _loose(self, node: exp.Expr, *, having: bool = False) -> bool:
        """Does the value differ between the rows of a group?"""
        if any(same(node, group) for group in self.groups or ()):
            return False
        if is_aggregate(node):
            return False
        if function_name(node) in GROUPING_FUNCTIONS:
            return any(self._loose(argument) for argument in node.expressions)
        if isinstance(node, exp.Query):
            return self._loose_query(node, having=having)
        if isinstance(node, exp.Column):
            return self._loose_column(node)
        if isinstance(node, exp.Star):
            return True
        if is_analytic(node):
            parts = [*children(node.this), *(child for child in children(node) if child is not node.this)]
            return any(self._loose(part) for part in parts)
        return any(self._loose(child, having=having) for child in children(node))

    def _loose_column(self, node: exp.Column) -> bool:
        table = node.args.get("table")
        if table is not None:
            return identifier_name(table) in self.sources
        if isinstance(node.this, exp.Star):
            return True
        name = node.name.upper()
        if not node.this.quoted and name in PSEUDO_FUNCTIONS:
            return False
        # In a subquery it may be a column of the query around it: PostgreSQL knows.
        return not self.nested or name in ("ROWNUM", "LEVEL")

    def _loose_query(self, node: exp.Expr, *, having: bool) -> bool:
        """Without GROUP BY it is no value of a group, else it is unless it looks at what is not grouped."""
        if self.groups is None:
            return not having
        inside = {source_name(source) for block in node.find_all(exp.Select) for source in sources_of(block)}
        return any(
            identifier_name(column.args["table"]) in self.sources - inside
            and not any(same(column, group) for group in self.groups)
            for column in node.find_all(exp.Column)
            if isinstance(column.args.get("table"), exp.Identifier)
        )


def aliases_of(block: exp.Select) -> set[str]:
    """The names that the select list gives."""
    renamed = (item for item in block.expressions if isinstance(item, exp.Alias))
    return {identifier_name(item.args["alias"]) for item in renamed}


def same(left: exp.Expr, right: exp.Expr) -> bool:
    """Are two expressions the same but for letter case, parentheses and the tables named before columns?"""
    left, right = left.unnest(), right.unnest()
    if isinstance(left, exp.Column) and isinstance(right, exp.Column):
        if isinstance(left.this, exp.Star) or isinstance(right.this, exp.Star):
            return False
        tables = [node.args.get("table") for node in (left, right)]
        qualifiers = {identifier_name(table) for table in tables if table is not None}
        return identifier_name(left.this) == identifier_name(right.this) and len(qualifiers) <= 1
    if type(left) is not type(right):
        return False
    return _same_parts(left, right)


def _same_parts(left_node: exp.Expr, right_node: exp.Expr) -> bool:
    for key in {*left_node.args, *right_node.args}:
        left, right = left_node.args.get(key), right_node.args.get(key)
        if isinstance(left, list) or isinstance(right, list):
            left, right = left or [], right or []
            if len(left) != len(right) or not all(map(_same_value, left, right)):
                return False
        elif not _same_value(left, right):
            return False
    return True


def _same_value(left: object, right: object) -> bool:
    if isinstance(left, exp.Expr) and isinstance(right, exp.Expr):
        return same(left, right)
    if isinstance(left, str) and isinstance(right, str):
        return left.upper() == right.upper()
    return (left or None) == (right or None)
