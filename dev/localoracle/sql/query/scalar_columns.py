"""Which columns of a query are scalar subqueries.

A NUMBER that comes out of one is described without precision and scale, whatever the subquery selects. No
book says so; SQLAlchemy's tests of its Oracle dialect do ("broken inspection").
"""

from __future__ import annotations

from sqlglot import exp

from localoracle.sql.parsing.nodes import sources_of


def positions(query: exp.Expr) -> frozenset[int]:
    """The places of such columns in the outermost select list, also where inline views hand them up."""
    flags = _flags(query.unnest()) or []
    return frozenset(place for place, (_, scalar) in enumerate(flags) if scalar)


def _flags(query: exp.Expr) -> list[tuple[str, bool]] | None:
    """Name and whether it is a scalar subquery, for each column; None where that cannot be told."""
    if not isinstance(query, exp.Select) or query.args.get("from_") is None:
        return None
    sources = sources_of(query)
    views = {
        source.alias_or_name: flags
        for source in sources
        if isinstance(source, exp.Subquery) and (flags := _flags(source.unnest())) is not None
    }
    found: list[tuple[str, bool]] = []
    for item in query.expressions:
        inner = item.unalias()
        while isinstance(inner, exp.Paren):
            inner = inner.this
        if item.is_star:
            if len(sources) > 1 or not views:
                return None
            found += next(iter(views.values()))
            continue
        scalar = isinstance(inner, exp.Subquery)
        if isinstance(inner, exp.Column):
            known = [views[inner.table]] if inner.table in views else list(views.values())
            scalar = any((_name(inner), True) in flags for flags in known)
        found.append((_name(item), scalar))
    return found


def _name(item: exp.Expr) -> str:
    node = item.args.get("alias") if isinstance(item, exp.Alias) else item.args.get("this")
    quoted = isinstance(node, exp.Identifier) and bool(node.args.get("quoted"))
    return item.alias_or_name if quoted else item.alias_or_name.upper()
