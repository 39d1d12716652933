"""NATURAL joins whose tables' columns a query names with a qualifier.

Which columns such a join is made by only the database knows: it is asked (localoracle.session.query_columns).
Source: SQL Language Reference 19c, SELECT, join_clause, NATURAL; Error Messages, ORA-25155.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from localoracle.sql.parsing.nodes import clauses, identifier_name, names_table, own_nodes

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
