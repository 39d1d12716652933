"""What queries may not do, by their trees alone: aggregates, analytic functions, sequences, names, ROWIDs.

The grammar (`localoracle.sql.grammar`) says what is well formed; what depends on the types of columns is left
to PostgreSQL and to the translation of its errors.
"""

from __future__ import annotations

from sqlglot import exp

from localoracle.errors import OracleError
from localoracle.sql.parsing.nodes import inner_queries
from localoracle.sql.restrictions import functions, grouping, queries


def check_query(tree: exp.Expr) -> None:
    """Refuse a whole query, or the query of an INSERT, CREATE TABLE or CREATE VIEW."""
    _query(tree, outermost=True)


def check_expression(tree: exp.Expr) -> None:
    """Refuse an expression or condition of DML and DDL, with the queries inside it."""
    functions.refuse_aggregates(tree)
    functions.refuse_analytics(tree)
    if isinstance(tree, exp.Predicate | exp.Connector | exp.Not):
        functions.refuse_sequences(tree)
    if tree.find(exp.TableSample):
        raise OracleError(30561, "SAMPLE option not allowed in statement with multiple table references")
    for query in inner_queries(tree):
        _query(query, outermost=False)


def _query(tree: exp.Expr, *, outermost: bool) -> None:
    queries.check_factoring(tree)
    queries.check_ordering(tree)
    if isinstance(tree, exp.Select):
        _block(tree, outermost=outermost)
        outermost = False
    elif isinstance(tree, exp.SetOperation):
        outermost = False
    for query in inner_queries(tree):
        _query(query, outermost=outermost)


def _block(block: exp.Select, *, outermost: bool) -> None:
    functions.check_sequences(block, outermost=outermost)
    functions.check_analytics(block)
    functions.check_aggregates(block)
    grouping.check(block, nested=not outermost)
    queries.check_joins(block)
    queries.check_rowids(block)
    queries.check_names(block, nested=not outermost)
