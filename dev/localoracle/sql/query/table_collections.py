"""Collections as rows: TABLE(...) of a FROM clause, whose TABLE is optional before a function's parentheses.

SQL Language Reference, "table_collection_expression"; PL/SQL Language Reference, "Overview of Table
Functions". The collection is an array of a composite type (plsql/schema_types.py), whose columns are those
of the rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from localoracle.errors import OracleError, not_supported
from localoracle.sql.functions import functions, package_calls
from localoracle.sql.parsing.nodes import identifier_name, only
from localoracle.supplied.signatures import is_package

if TYPE_CHECKING:
    from localoracle.sql.expressions.expression import Expressions


def table(emit: Expressions, node: exp.Table) -> str:
    """The rows of a collection, or of a supplied package's pipelined function."""
    only(node, "this", "db", "alias", "joins")
    assert isinstance(node.this, exp.Anonymous)
    inner: exp.Expr = node.this
    schema = node.args.get("db")
    owner = [identifier_name(schema)] if schema is not None else []
    if node.this.name.upper() == "TABLE" and not owner:
        if len(node.this.expressions) != 1:
            raise OracleError(907, "missing right parenthesis")
        inner = node.this.expressions[0]
    packaged = _packaged(inner, owner)
    if packaged is not None:
        return package_calls.table(emit, *packaged)
    return f"LATERAL (SELECT * FROM ora.rows_of({_collection(emit, inner, owner)}))"


def _packaged(node: exp.Expr, owner: list[str]) -> tuple[str, str, list[exp.Expr]] | None:
    """Package, function and arguments where a supplied package is called."""
    if isinstance(node, exp.Column):
        parts = [identifier_name(part) for part in (node.args.get("db"), node.args.get("table")) if part]
        name, arguments = identifier_name(node.this), []
    elif isinstance(node, exp.Dot) and isinstance(node.expression, exp.Anonymous):
        parts = package_calls.qualifiers(node)
        name, arguments = node.expression.name.upper(), list(node.expression.expressions)
    elif isinstance(node, exp.Anonymous):
        parts, name, arguments = owner, node.name.upper(), list(node.expressions)
    else:
        return None
    if parts[:1] == ["SYS"]:
        parts = parts[1:]
    return (parts[0], name, arguments) if len(parts) == 1 and is_package(parts[0]) else None


def _collection(emit: Expressions, node: exp.Expr, owner: list[str]) -> str:
    if isinstance(node, exp.Placeholder):
        return emit.context.collection(int(node.name))
    if isinstance(node, exp.Anonymous):
        arguments = list(node.expressions)
        if owner:
            return package_calls.call(emit, owner, node.name.upper(), arguments).text
        return functions.call(emit, node.name.upper(), arguments).text
    if isinstance(node, exp.Dot):
        return emit.scalar(node).text
    if isinstance(node, exp.Column) and node.args.get("db") is None:
        table = node.args.get("table")
        name = identifier_name(node.this)
        if table is None:
            return functions.call(emit, name, []).text
        return package_calls.call(emit, [identifier_name(table)], name, []).text
    if isinstance(node, exp.Null):
        raise OracleError(22905, "cannot access rows from a non-nested table item")
    raise not_supported(f"{type(node).__name__.upper()} in TABLE( )")
