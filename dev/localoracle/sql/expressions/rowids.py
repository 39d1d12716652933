"""ROWID: 18 characters for the client, tableoid and ctid for PostgreSQL; logical for index-organized tables.

A comparison of ROWID with a value becomes a comparison of ctid, so that it reads only the blocks it names
(TID scans); the object number is compared as well, because the partitions of a table share ctids.

Logical rowids are made of the primary key and stay while it stays (SQL Language Reference, "UROWID Data
Type"); DBMS_ROWID is not for them (PL/SQL Packages Reference). As text they begin with an asterisk; what
follows is the stand-in's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sqlglot import exp

from localoracle.errors import not_supported
from localoracle.sql.context import Context, Sql
from localoracle.sql.parsing.lexer import quote
from localoracle.sql.parsing.nodes import (
    clauses,
    fact_of,
    is_rowid,
    names_table,
    own_nodes,
    qualified_name,
    source_name,
    sources_of,
)
from localoracle.sql.query.row_archival import qualifier
from localoracle.sql.schema_facts import schema_facts

if TYPE_CHECKING:
    from localoracle.sql.expressions.expression import Expressions

_UNORDERED = "logical ROWIDs that are compared by size"
"""No manual says how they are sorted."""


def key_of(table: exp.Expr, common: set[str]) -> tuple[str, ...]:
    """The key of an index-organized table; () for any other source."""
    return fact_of(table, schema_facts.get().keys, common) or ()


@contextmanager
def of_block(context: Context, block: exp.Select) -> Iterator[None]:
    """While a block is translated: what its ROWIDs are."""
    scope: dict[str, tuple[str, ...]] = {}
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


def logical(context: Context, prefix: str) -> str:
    """A logical rowid, "" where `prefix` is of a table with physical ones."""
    for scope in reversed(context.rowids):
        if prefix in scope:
            key = scope[prefix]
            columns = "".join(f", {prefix}{quote(column)}::text" for column in key)
            return f"ora.logical_rowid({prefix}tableoid{columns})" if key else ""
    return ""


def of_inline_view(block: exp.Select) -> bool:
    """Whether a block whose only source is an inline view, all of whose columns it names, uses its ROWID."""
    if block.args.get("joins") or not isinstance(block.args["from_"].this, exp.Subquery):
        return False
    parts = clauses(block, "expressions", "where", "group", "having", "order")
    nodes = [node for part in parts for node in own_nodes(part)]
    return any(map(is_rowid, nodes)) and not any(isinstance(node, exp.Star) for node in nodes)


def compare(emit: Expressions, left: exp.Expr, right: exp.Expr, sign: str) -> str:
    """`ROWID sign value`, or the other way round."""
    if not is_rowid(left):
        left, right = right, left
        sign = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(sign, sign)
    table = qualifier(left)
    if logical(emit.context, table) or (is_rowid(right) and logical(emit.context, qualifier(right))):
        if sign not in ("=", "<>"):
            raise not_supported(_UNORDERED)
        return f"({emit.scalar(left).text}::text {sign} ({emit.scalar(right).text})::text)"
    if is_rowid(right):
        other = qualifier(right)
        if sign == "=":
            return f"({table}ctid = {other}ctid AND {table}tableoid = {other}tableoid)"
        return f"(({table}tableoid, {table}ctid) {sign} ({other}tableoid, {other}ctid))"
    value = emit.string(right)
    if sign == "=":
        return f"({table}ctid = ora.rowid_tid({value}) AND {table}tableoid = ora.rowid_object({value}))"
    return f"(({table}tableoid, {table}ctid) {sign} (ora.rowid_object({value}), ora.rowid_tid({value})))"


def between(emit: Expressions, node: exp.Expr, low: exp.Expr, high: exp.Expr) -> str:
    """A range of rowids within one object reads only its blocks; one over several objects is ORA-03001."""
    table = qualifier(node)
    if logical(emit.context, table):
        raise not_supported(_UNORDERED)
    first, last = emit.string(low), emit.string(high)
    return (
        f"({table}ctid >= ora.rowid_tid({first}) AND {table}ctid <= ora.rowid_tid({last})"
        f" AND {table}tableoid = ora.rowid_range_object({first}, {last}))"
    )


def member(emit: Expressions, node: exp.In) -> str:
    table = qualifier(node.this)
    query = node.args.get("query")
    if text := logical(emit.context, table):
        if query is not None:
            return f"({text}::text IN (SELECT member.id::text FROM {emit.subselect(query)} AS member(id)))"
        return f"({text}::text IN ({', '.join(emit.string(part) for part in node.expressions)}))"
    if query is not None:
        rows = f"{emit.subselect(query)} AS member(id)"
        parts = f"SELECT ora.rowid_object(member.id), ora.rowid_tid(member.id) FROM {rows}"
        return f"(({table}tableoid, {table}ctid) IN ({parts}))"
    values = [emit.string(part) for part in node.expressions]
    tids = ", ".join(f"ora.rowid_tid({value})" for value in values)
    objects = ", ".join(f"ora.rowid_object({value})" for value in values)
    exact = f"({table}tableoid, {table}ctid) IN (SELECT * FROM unnest(ARRAY[{objects}], ARRAY[{tids}]))"
    return f"({table}ctid = ANY (ARRAY[{tids}]) AND {exact})"


_PARTS = {
    "ROWID_BLOCK_NUMBER": "ora.tid_block({0}ctid)",
    "ROWID_ROW_NUMBER": "ora.tid_row({0}ctid)",
    "ROWID_OBJECT": "{0}tableoid::int8::numeric",
    "ROWID_RELATIVE_FNO": "1::numeric",
}


def package_function(emit: Expressions, name: str, arguments: list[exp.Expr]) -> Sql | None:
    """DBMS_ROWID.ROWID_BLOCK_NUMBER(ROWID) and its like, from the row's address; None for other arguments."""
    if name not in _PARTS or not arguments:
        return None
    first = arguments[0]
    if isinstance(first, exp.Kwarg):
        if first.this.name.upper() != "ROW_ID":
            return None
        first = first.expression
    if not is_rowid(first) or logical(emit.context, qualifier(first)):
        return None
    if len(arguments) > 2:
        raise not_supported(f"DBMS_ROWID.{name} with {len(arguments)} arguments")
    # SMALLFILE or BIGFILE changes nothing: a table here has one file of 32-bit block numbers.
    return Sql(_PARTS[name].format(qualifier(first)), "N")
