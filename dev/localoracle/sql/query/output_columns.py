"""The columns that a query gives: names and lengths for a view or a table, and which are scalar subqueries.

SQL Language Reference, CREATE VIEW and CREATE TABLE, AS subquery; Error Messages.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from localoracle.errors import OracleError
from localoracle.sql.parsing.nodes import first_block, sources_of


def _items(query: exp.Expr) -> Sequence[exp.Expr]:
    """The select list of the first branch, which names the columns."""
    block = first_block(query)
    return block.expressions if isinstance(block, exp.Select) else []


def check_titles(query: exp.Expr) -> None:
    """ORA-00998 for an expression without an alias."""
    for item in _items(query):
        while isinstance(item, exp.Paren):
            item = item.this
        named = isinstance(item, exp.Alias | exp.Star) or (
            isinstance(item, exp.Column)
            and (item.name.upper() not in _PSEUDOCOLUMNS or getattr(item.this, "quoted", False))
        )
        if not named:
            raise OracleError(998, "must name this expression with a column alias")


_PSEUDOCOLUMNS = ("LEVEL", "ROWNUM", "SYSDATE", "SYSTIMESTAMP", "UID", "USER")


def check_lengths(query: exp.Expr) -> None:
    """ORA-01723 for a column of a table that is NULL without a type."""
    if isinstance(query, exp.Select):
        for item in _items(query):
            value = item.unalias()
            if isinstance(value, exp.Null) or (
                isinstance(value, exp.Literal) and value.is_string and not value.name
            ):
                raise OracleError(1723, "zero-length columns are not allowed")


def check_columns(names: Sequence[str], given: Sequence[str] | None) -> None:
    """ORA-01730 if the names are not as many as the query's columns, ORA-00957 if two of these are the same.

    `given`: the query's own names; None where only the database knows them.
    """
    if given is None:
        return
    if names and len(names) != len(given):
        raise OracleError(1730, "invalid number of column names specified")
    if not names and len(set(given)) != len(given):
        raise OracleError(957, "duplicate column name")


def scalar_positions(query: exp.Expr) -> frozenset[int]:
    """The places of such columns in the outermost select list, also where inline views hand them up."""
    flags = _flags(query.unnest()) or []
    return frozenset(place for place, (_, scalar) in enumerate(flags) if scalar)


def _flags(query: exp.Expr) -> list[tuple[str, bool]] | None:
    """Name and whether it is a scalar subquery, for each column; None if that cannot be determined."""
    if not isinstance(query, exp.Select) or query.args.get("from_") is None:
        return None
    sources = sources_of(query)
    views = {
        source.alias_or_name: flags
        for source in sources
        if isinstance(source, exp.Subquery) and (flags := _flags(source.unnest())) is not None
    }
    columns: list[tuple[str, bool]] = []
    for item in query.expressions:
        inner = item.unalias()
        while isinstance(inner, exp.Paren):
            inner = inner.this
        if item.is_star:
            if len(sources) > 1 or not views:
                return None
            columns += next(iter(views.values()))
            continue
        scalar = isinstance(inner, exp.Subquery)
        if isinstance(inner, exp.Column):
            candidates = [views[inner.table]] if inner.table in views else list(views.values())
            scalar = any((_name(inner), True) in flags for flags in candidates)
        columns.append((_name(item), scalar))
    return columns


def _name(item: exp.Expr) -> str:
    node = item.args.get("alias") if isinstance(item, exp.Alias) else item.args.get("this")
    quoted = isinstance(node, exp.Identifier) and bool(node.args.get("quoted"))
    return item.alias_or_name if quoted else item.alias_or_name.upper()
