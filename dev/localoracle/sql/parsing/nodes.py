"""Nodes of sqlglot's trees: their names, what kind they are of, and the walk block by block."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TypeVar

from sqlglot import exp

from localoracle.errors import OracleError, not_supported
from localoracle.sql.parsing.lexer import check_identifier, quote_qualified
from localoracle.sql.parsing.words import AGGREGATES, ANALYTIC_FUNCTIONS

T = TypeVar("T")

_OTHER_AGGREGATES = {"COLLECT", "XMLAGG", "STATS_MODE", "CORR", "COVAR_POP", "COVAR_SAMP", "ANY_VALUE"}
"""Aggregates that the stand-in lacks: it is named, not called an analytic function without a window."""
GROUPING_FUNCTIONS = frozenset(["GROUPING", "GROUPING_ID", "GROUP_ID"])
_AGGREGATES = (AGGREGATES | _OTHER_AGGREGATES) - GROUPING_FUNCTIONS


def only(node: exp.Expr, *allowed: str) -> None:
    """Refuse a node that carries anything but the named parts: nothing is dropped silently."""
    for key, value in node.args.items():
        if value and key not in allowed and not key.startswith("_"):
            raise not_supported(
                f"{type(node).__name__.upper()} with {key.rstrip('_').upper().replace('_', ' ')}"
            )


def identifier_name(node: object) -> str:
    """The Oracle name of an identifier node."""
    if not isinstance(node, exp.Identifier):
        raise OracleError(904, f"{node}: invalid identifier")
    name = node.name if node.quoted else node.name.upper()
    return check_identifier(name, int(node.meta.get("start", 0)))


def qualified_name(table: exp.Expr) -> str:
    """A table's name with its owner's, if that is written, quoted."""
    owner = table.args.get("db")
    return quote_qualified(identifier_name(owner) if owner is not None else None, identifier_name(table.this))


def names_table(source: exp.Expr) -> bool:
    """Whether an item of FROM is a table or view by its name, and no query or collection."""
    return isinstance(source, exp.Table) and isinstance(source.this, exp.Identifier)


def fact_of(source: exp.Expr, facts: Mapping[str, T], common: set[str]) -> T | None:
    """The fact about a table, by its quoted name; None for other sources. `common`: the names of WITH."""
    if not names_table(source) or (source.args.get("db") is None and identifier_name(source.this) in common):
        return None
    return facts.get(qualified_name(source))


def sources_of(block: exp.Expr) -> list[exp.Expr]:
    """The items of a block's FROM clause."""
    clause = block.args.get("from_")
    first = [clause.this] if clause is not None else []
    return [*first, *(join.this for join in block.args.get("joins") or [])]


def source_name(source: exp.Expr) -> str | None:
    """The name by which a block knows an item of FROM."""
    alias = source.args.get("alias")
    if alias is not None and alias.this is not None:
        return identifier_name(alias.this)
    return identifier_name(source.this) if names_table(source) else None


def is_unquoted(node: object, names: Collection[str]) -> bool:
    """Whether it is a column written as one of these words without quotes, perhaps behind a table."""
    return (
        isinstance(node, exp.Column)
        and isinstance(node.this, exp.Identifier)
        and not node.this.quoted
        and node.name.upper() in names
    )


def is_rowid(node: object) -> bool:
    return is_unquoted(node, ("ROWID",))


def is_sequence(node: exp.Expr) -> bool:
    return is_unquoted(node, ("NEXTVAL", "CURRVAL")) and node.args.get("table") is not None


def concatenated(node: exp.DPipe) -> list[exp.Expr]:
    """The operands of ||. A table of 1,000 columns makes a chain that is deeper than Python's stack."""
    operands: list[exp.Expr] = []
    waiting: list[exp.Expr] = [node]
    while waiting:
        part = waiting.pop()
        if isinstance(part, exp.DPipe):
            only(part, "this", "expression", "safe")
            waiting += [part.expression, part.this]
        else:
            operands.append(part)
    return operands


def first_block(query: exp.Expr) -> exp.Expr:
    """The block of a query that names its columns."""
    while isinstance(query, exp.Subquery | exp.SetOperation):
        query = query.this
    return query


def children(node: exp.Expr) -> Iterator[exp.Expr]:
    """The parts of a node."""
    for value in node.args.values():
        if isinstance(value, exp.Expr):
            yield value
        elif isinstance(value, list):
            for child in value:
                if isinstance(child, exp.Expr):
                    yield child


def own_nodes(node: exp.Expr | None) -> Iterator[exp.Expr]:
    """A part of a query block with all below it, nested queries aside."""
    waiting = [] if node is None or isinstance(node, exp.Query) else [node]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [child for child in children(node) if not isinstance(child, exp.Query)][::-1]


def inner_queries(node: exp.Expr) -> Iterator[exp.Expr]:
    """The queries directly inside a query or expression."""
    for child in children(node):
        if isinstance(child, exp.Query):
            yield child
        else:
            yield from inner_queries(child)


def clauses(block: exp.Select, *names: str) -> Iterator[exp.Expr]:
    """The parts of a block: `expressions`, `where`, `group` and so on; `on` for the conditions of joins."""
    for name in names:
        if name == "on":
            for join in block.args.get("joins") or []:
                if join.args.get("on") is not None:
                    yield join.args["on"]
            continue
        value = block.args.get(name)
        yield from value if isinstance(value, list) else [value] if value is not None else []


def function_name(node: exp.Expr | None) -> str:
    return node.this.upper() if isinstance(node, exp.Anonymous) and isinstance(node.this, str) else ""


def is_analytic(node: exp.Expr) -> bool:
    """A function with OVER."""
    return isinstance(node, exp.Window) and str(node.args.get("over") or "").upper() == "OVER"


def is_aggregate(node: exp.Expr) -> bool:
    """An aggregate function that is not analytic. In its tree KEEP and WITHIN GROUP stand around it."""
    if isinstance(node, exp.Window):
        return not is_analytic(node)
    if isinstance(node, exp.WithinGroup):
        return not _is_under_over(node)
    return function_name(node) in _AGGREGATES and not _is_under_over(node)


def _is_under_over(node: exp.Expr) -> bool:
    parent = node.parent
    while isinstance(parent, exp.WithinGroup | exp.IgnoreNulls | exp.RespectNulls) or (
        isinstance(parent, exp.Window) and not is_analytic(parent)
    ):
        node, parent = parent, parent.parent
    return isinstance(parent, exp.Window) and parent.this is node


def is_known_analytic(name: str) -> bool:
    """Is there an analytic function of that name which is no aggregate?"""
    return name in ANALYTIC_FUNCTIONS and name not in _AGGREGATES


def describe(node: object) -> str:
    """The beginning of its text, to refuse it by."""
    if isinstance(node, exp.Expr):
        try:
            return node.sql(dialect="oracle")[:60]
        except Exception:
            return type(node).__name__.upper()
    return str(node)
