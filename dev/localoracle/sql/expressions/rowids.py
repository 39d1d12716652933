"""ROWID: 18 characters for the client, tableoid and ctid for PostgreSQL.

A comparison of ROWID with a value becomes a comparison of ctid, so that it reads only the blocks it names
(TID scans); the object number is compared as well, because the partitions of a table share ctids.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from localoracle.errors import not_supported
from localoracle.sql.context import Sql
from localoracle.sql.expressions import logical_rowids
from localoracle.sql.parsing.nodes import clauses, is_rowid, own_nodes
from localoracle.sql.query.row_archival import qualifier

if TYPE_CHECKING:
    from localoracle.sql.expressions.expression import Expressions


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
    logical = logical_rowids.text(emit.context, table)
    if logical or (is_rowid(right) and logical_rowids.text(emit.context, qualifier(right))):
        return logical_rowids.comparison(emit.scalar(left).text, emit.scalar(right).text, sign)
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
    if logical_rowids.text(emit.context, table):
        raise not_supported("logical ROWIDs that are compared by size")
    first, last = emit.string(low), emit.string(high)
    return (
        f"({table}ctid >= ora.rowid_tid({first}) AND {table}ctid <= ora.rowid_tid({last})"
        f" AND {table}tableoid = ora.rowid_range_object({first}, {last}))"
    )


def member(emit: Expressions, node: exp.In) -> str:
    table = qualifier(node.this)
    query = node.args.get("query")
    logical = logical_rowids.text(emit.context, table)
    if logical and query is not None:
        return f"({logical}::text IN (SELECT member.id::text FROM {emit.subselect(query)} AS member(id)))"
    if logical:
        return f"({logical}::text IN ({', '.join(emit.string(part) for part in node.expressions)}))"
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
    if not is_rowid(first) or logical_rowids.text(emit.context, qualifier(first)):
        return None
    if len(arguments) > 2:
        raise not_supported(f"DBMS_ROWID.{name} with {len(arguments)} arguments")
    # SMALLFILE or BIGFILE changes nothing: a table here has one file of 32-bit block numbers.
    return Sql(_PARTS[name].format(qualifier(first)), "N")
