"""ROWIDs of index-organized tables: logical ones, made of the primary key.

SQL Language Reference, "UROWID Data Type"; PL/SQL Packages Reference, DBMS_ROWID, which is not for them. They
stay while the key stays. As text they begin with an asterisk; what follows is the stand-in's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sqlglot import exp

from localoracle.errors import not_supported
from localoracle.sql.parsing.lexer import quote
from localoracle.sql.parsing.nodes import fact_of, names_table, qualified_name, source_name, sources_of
from localoracle.sql.schema_facts import schema_facts

if TYPE_CHECKING:
    from localoracle.sql.context import Context

Scope = dict[str, tuple[str, ...]]
"""What may stand before ROWID in a block, with its dot: the key of the table that it names, () for one with
physical rowids."""


def key_of(table: exp.Expr, common: set[str]) -> tuple[str, ...]:
    """The key of an index-organized table; () for any other source."""
    return fact_of(table, schema_facts.get().keys, common) or ()


@contextmanager
def of_block(context: Context, block: exp.Select) -> Iterator[None]:
    """While a block is translated: what its ROWIDs are."""
    scope: Scope = {}
    if schema_facts.get().keys:
        sources = sources_of(block)
        for source in sources:
            name, key = source_name(source), key_of(source, context.common_tables)
            if name is not None:
                scope[f"{quote(name)}."] = key
            if names_table(source) and source.args.get("alias") is None:
                scope[f"{qualified_name(source)}."] = key
        if len(sources) == 1:
            scope[""] = key_of(sources[0], context.common_tables)
    context.rowids.append(scope)
    try:
        yield
    finally:
        context.rowids.pop()


def of_target(context: Context, written: str, name: str) -> bool:
    """The table of a DML statement is known from here on. Whether it is index-organized."""
    key = schema_facts.get().keys.get(written, ())
    context.rowids.append({"": key, f"{name}.": key, f"{written}.": key})
    return bool(key)


def text(context: Context, prefix: str) -> str:
    """A logical rowid, "" where `prefix` is of a table with physical ones."""
    for scope in reversed(context.rowids):
        if prefix in scope:
            key = scope[prefix]
            columns = "".join(f", {prefix}{quote(column)}::text" for column in key)
            return f"ora.logical_rowid({prefix}tableoid{columns})" if key else ""
    return ""


def comparison(left: str, right: str, sign: str) -> str:
    """Only = and <>: no manual says how they are sorted."""
    if sign not in ("=", "<>"):
        raise not_supported("logical ROWIDs that are compared by size")
    return f"({left}::text {sign} ({right})::text)"
