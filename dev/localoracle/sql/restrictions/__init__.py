"""What queries may not do, by their trees alone: aggregates, analytic functions, sequences, names, ROWIDs.

The grammar (`localoracle.sql.grammar`) says what is well formed; what hangs on the types of columns is left
to PostgreSQL and to the translation of its errors.
"""

from __future__ import annotations

from sqlglot import exp

from localoracle.errors import OracleError
from localoracle.sql.parsing.nodes import inner_queries
from localoracle.sql.restrictions import (
    aggregates,
    analytics,
    factoring,
    grouping,
    joins,
    names,
    ordering,
    rowids,
    sequences,
)


def check_query(tree: exp.Expr) -> None:
    """Refuse a whole query, or the query of an INSERT, CREATE TABLE or CREATE VIEW."""
    _query(tree, outermost=True)


def check_expression(tree: exp.Expr) -> None:
    """Refuse an expression or condition of DML and DDL, with the queries inside it."""
    aggregates.refuse(tree)
    analytics.refuse(tree)
    if isinstance(tree, exp.Predicate | exp.Connector | exp.Not):
        sequences.refuse(tree)
    if tree.find(exp.TableSample):
        raise OracleError(30561, "SAMPLE option not allowed in statement with multiple table references")
    for query in inner_queries(tree):
        _query(query, outermost=False)


def _query(tree: exp.Expr, *, outermost: bool) -> None:
    factoring.check(tree)
    ordering.check(tree)
    if isinstance(tree, exp.Select):
        _block(tree, outermost=outermost)
        outermost = False
    elif isinstance(tree, exp.SetOperation):
        outermost = False
    for query in inner_queries(tree):
        _query(query, outermost=outermost)


def _block(block: exp.Select, *, outermost: bool) -> None:
    sequences.check(block, outermost=outermost)
    analytics.check(block)
    aggregates.check(block)
    grouping.check(block, nested=not outermost)
    joins.check(block)
    rowids.check(block)
    names.check(block, nested=not outermost)
