"""Expressions and conditions: from sqlglot's tree to PostgreSQL text.

Every node class that may be emitted is named here; anything else is ORA-03001. Operators whose meaning
differs are emitted as functions or operators of schema `ora`; types are left to PostgreSQL's resolution,
which the casts of 10_types.sql steer to Oracle's implicit conversions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from localoracle.errors import OracleError, not_supported
from localoracle.instance.creation import created_with
from localoracle.sql.context import NULL, Context, Sql, joined_digits
from localoracle.sql.expressions import rowids
from localoracle.sql.expressions.conditions import (
    COMPARISONS,
    between,
    comparison,
    escape,
    exists,
    like,
    member,
)
from localoracle.sql.expressions.conversion import as_number, as_string
from localoracle.sql.expressions.keyword_expressions import at_time_zone, case, cast, extract, interval, trim
from localoracle.sql.expressions.strings import limited, maybe_large
from localoracle.sql.functions import aggregates, functions, stored_functions
from localoracle.sql.functions.json_functions import json_condition_or_value
from localoracle.sql.functions.stored_functions import call_user_function
from localoracle.sql.parsing.lexer import literal, quote
from localoracle.sql.parsing.nodes import concatenated, describe, identifier_name, is_rowid, is_unquoted, only
from localoracle.sql.query import row_archival
from localoracle.sql.schema_facts import schema_facts
from localoracle.sql.types.literals import has_many_digits, number_literal

if TYPE_CHECKING:
    from localoracle.sql.query.query import Query

PSEUDO_FUNCTIONS = {
    "SYSDATE": Sql("ora.sysdate()", "D"),
    "SYSTIMESTAMP": Sql("ora.at_minutes(statement_timestamp(), 0)::ora.timestamp_tz(7)", "Z"),
    "CURRENT_DATE": Sql("ora.session_date()", "D"),
    "CURRENT_TIMESTAMP": Sql("ora.at_zone(statement_timestamp(), 'LOCAL')::ora.timestamp_tz(7)", "Z"),
    "LOCALTIMESTAMP": Sql("statement_timestamp()::timestamp(6)", "T"),
    "USER": Sql("ora.session_user()", "S"),
    "UID": Sql("ora.uid()", "N"),
    "SESSIONTIMEZONE": Sql("ora.session_zone()", "S"),
    "DBTIMEZONE": Sql("'+00:00'::text", "S"),
    "BINARY_FLOAT_NAN": Sql("'NaN'::float4", "F"),
    "BINARY_FLOAT_INFINITY": Sql("'Infinity'::float4", "F"),
    "BINARY_DOUBLE_NAN": Sql("'NaN'::float8", "F"),
    "BINARY_DOUBLE_INFINITY": Sql("'Infinity'::float8", "F"),
}
_NO_COLUMNS = frozenset((*PSEUDO_FUNCTIONS, "ROWID", "ROWNUM", "LEVEL", "NEXTVAL", "CURRVAL"))
_ARITHMETIC = {exp.Add: "+", exp.Sub: "-", exp.Mul: "*"}
_RESULTS = {("N", "N"): "N", ("N", "F"): "F", ("F", "N"): "F", ("F", "F"): "F"}
"""The families of results of arithmetic, by those of its operands."""
_OF_DATES = {("D", "+", "N"): "D", ("N", "+", "D"): "D", ("D", "-", "N"): "D", ("D", "-", "D"): "N"}
_MOST_ARGUMENTS = 100
"""What PostgreSQL passes to a function."""


class Expressions:
    """Emits expressions inside one query block. `query` emits nested queries and knows the block."""

    def __init__(self, context: Context, query: Query) -> None:
        self.context = context
        self.query = query
        self.rownum: str | None = None
        """What ROWNUM stands for here; None where it may not be used."""
        self.grouped = False
        """In a block with GROUP BY or aggregates, where columns have no value of their own."""
        self.level: str | None = None
        self.substitutes: dict[str, exp.Expr] = {}
        """Aliases that an expression may name (ORDER BY)."""

    # -- the three ways to ask for a value ------------

    def emit(self, node: object) -> Sql:
        """Translate; ORA-03001 for a node that is not known."""
        emitter = _EMITTERS.get(type(node))
        if emitter is None:
            raise not_supported(f"the expression {describe(node)}")
        return emitter(self, node)

    def value(self, node: object) -> str:
        return self.emit(node).text

    def string(self, node: object) -> str:
        """As text: numbers and dates as Oracle prints them, CHAR with its padding."""
        return as_string(self.emit(node))

    def condition(self, node: object) -> str:
        result = self.emit(node)
        if result.family != "B":
            raise OracleError(920, "invalid relational operator")
        return result.text

    def scalar(self, node: object) -> Sql:
        result = self.emit(node)
        if result.family == "B":
            raise OracleError(936, "missing expression")
        return result

    # -- names and literals ------------

    def column(self, node: exp.Column) -> Sql:
        only(node, "this", "table", "db")
        if isinstance(node.this, exp.Star):
            raise OracleError(936, "missing expression")
        name = identifier_name(node.this)
        quoted = node.this.quoted
        table = node.args.get("table")
        if table is not None and not quoted:
            owner = [identifier_name(part) for part in (node.args.get("db"), table) if part is not None]
            if name in ("NEXTVAL", "CURRVAL"):
                sequence = literal(".".join(map(quote, owner)))
                return Sql(f"{name.lower()}({sequence}::regclass)::numeric", "N")
            packaged = stored_functions.member(self, node, owner, name)
            if packaged is not None:
                return packaged
        prefix = row_archival.qualifier(node)
        if not quoted:
            if name == "ROWID":
                logical = rowids.logical(self.context, prefix)
                if logical:
                    return Sql(logical, "X")
                return Sql(f"ora.rowid_text({prefix}tableoid, {prefix}ctid)", "X")
            if not prefix:
                pseudo = self._pseudo_column(name)
                if pseudo is not None:
                    return pseudo
            if name == "ORA_ROWSCN":
                raise not_supported("ORA_ROWSCN")
        if not prefix and name in self.substitutes:
            return self.emit(self.substitutes[name])
        if not prefix and name in schema_facts.get().called_by_name:
            return call_user_function(self, None, name, [])
        return Sql(prefix + quote(name))

    @staticmethod
    def is_plain(node: exp.Column) -> bool:
        """Is it a column of a table, and no pseudocolumn, sequence or star?"""
        return isinstance(node.this, exp.Identifier) and not is_unquoted(node, _NO_COLUMNS)

    def _pseudo_column(self, name: str) -> Sql | None:
        if name in PSEUDO_FUNCTIONS:
            return PSEUDO_FUNCTIONS[name]
        if name == "ROWNUM":
            if self.rownum is None:
                raise not_supported("ROWNUM in this place")
            return Sql(self.rownum, "N")
        if name == "LEVEL":
            if self.level is None:
                raise OracleError(1788, "CONNECT BY clause required in this query block")
            return Sql(self.level, "N")
        if name in ("SYSTIMESTAMP", "CONNECT_BY_ISLEAF", "CONNECT_BY_ISCYCLE"):
            raise not_supported(name)
        return None

    def literal(self, node: exp.Literal) -> Sql:
        if node.is_string:
            return self.string_literal(node)
        return Sql(f"{number_literal(node.name)}::numeric", "N")

    def string_literal(self, node: exp.Expr) -> Sql:
        text = node.name
        if not text:
            return NULL
        if "\x00" in text:
            raise OracleError(911, "invalid character")
        if len(text.encode()) > created_with().longest_string:
            raise OracleError(1704, "string literal too long", int(node.meta.get("start", 0)))
        return Sql(f"{literal(text)}::text", "S", literal(text))

    def paren(self, node: exp.Paren) -> Sql:
        only(node, "this")
        inner = self.emit(node.this)
        return Sql(
            f"({inner.text})", inner.family, inner.bare, precision=inner.precision, computed=inner.computed
        )

    def tuple(self, node: exp.Tuple) -> Sql:
        only(node, "expressions")
        return Sql("(" + ", ".join(self.emit(part).untyped for part in node.expressions) + ")", "tuple")

    def star(self, node: exp.Star) -> Sql:
        raise OracleError(936, "missing expression")

    # -- arithmetic and strings ------------

    def negative(self, node: exp.Neg) -> Sql:
        only(node, "this")
        inner = self.scalar(node.this)
        family = inner.family if inner.family in "NFI" else ""
        return Sql(f"(- {inner.text})", family, precision=inner.precision, computed=inner.computed)

    def arithmetic(self, node: exp.Binary) -> Sql:
        only(node, "this", "expression")
        left, right = self.scalar(node.this), self.scalar(node.expression)
        sign = _ARITHMETIC[type(node)]
        if left is NULL and right is NULL:
            return NULL
        family = _RESULTS.get((left.family, right.family), "") or _OF_DATES.get(
            (left.family, sign, right.family), ""
        )
        text = f"({as_number(left)} {sign} {as_number(right)})"
        if family in ("", "N") and (has_many_digits(node.this) or has_many_digits(node.expression)):
            text = f"ora.kept({text})"
        return Sql(text, family, computed=True)

    def divide(self, node: exp.Div) -> Sql:
        only(node, "this", "expression", "typed", "safe")
        left, right = self.scalar(node.this), self.scalar(node.expression)
        family = "F" if "F" in (left.family, right.family) else "N"
        family = "I" if left.family == "I" else family
        return Sql(f"ora.divide({as_number(left)}, {as_number(right)})", family, computed=True)

    def concatenate(self, node: exp.DPipe) -> Sql:
        emitted = [(part, self.scalar(part)) for part in concatenated(node)]
        operands = [part for part, value in emitted if value is not NULL]
        values = [value for _, value in emitted if value is not NULL]
        if not values:
            return NULL
        parts = [as_string(value) if value.loose is None else value.loose for value in values]
        while len(parts) > _MOST_ARGUMENTS:
            groups = (parts[at : at + _MOST_ARGUMENTS] for at in range(0, len(parts), _MOST_ARGUMENTS))
            parts = [f"ora.concat({', '.join(group)})" for group in groups]
        text = f"ora.concat({', '.join(parts)})"
        if not any(value.bare is not None and value.bare.startswith("'") for value in values):
            text = f"nullif({text}, '')"
        columns = maybe_large(zip(operands, values, strict=True))
        if columns is not None:
            text = limited(self.context, text, columns)
        typed_by_database = columns and not self.context.in_plsql
        return Sql(text, "" if typed_by_database else "S", digits_of=joined_digits(values))

    # -- conditions ------------

    def logical(self, node: exp.Connector) -> Sql:
        only(node, "this", "expression")
        word = "AND" if isinstance(node, exp.And) else "OR"
        return Sql(f"({self.condition(node.this)} {word} {self.condition(node.expression)})", "B")

    def negation(self, node: exp.Not) -> Sql:
        only(node, "this")
        return Sql(f"(NOT {self.condition(node.this)})", "B")

    def is_null(self, node: exp.Is) -> Sql:
        only(node, "this", "expression")
        if not isinstance(node.expression, exp.Null):
            raise not_supported(f"the condition {describe(node)}")
        if is_rowid(node.this):
            return Sql("false", "B")
        return Sql(f"({self.scalar(node.this).text} IS NULL)", "B")

    # -- queries inside expressions ------------

    def subselect(self, node: exp.Expr) -> str:
        if isinstance(node, exp.Subquery):
            only(node, "this")
            node = node.this
        return f"({self.query.nested(node, self)})"

    def subquery(self, node: exp.Subquery | exp.Select) -> Sql:
        return Sql(self.subselect(node))

    # -- calls ------------

    def function(self, node: exp.Anonymous) -> Sql:
        if (json := json_condition_or_value(self, node)) is not None:
            return json
        only(node, "this", "expressions")
        if isinstance(node.this, exp.Identifier):
            raise OracleError(904, f'"{node.name}": invalid identifier')
        if node.name.upper() == "CURSOR" and any(
            isinstance(argument, exp.Query) for argument in node.expressions
        ):
            raise not_supported("CURSOR expressions")
        return functions.call(self, node.name.upper(), list(node.expressions))

    def package_function(self, node: exp.Dot) -> Sql:
        only(node, "this", "expression")
        call = node.expression
        parts = stored_functions.qualifiers(node)
        if not isinstance(call, exp.Anonymous):
            raise OracleError(904, f"{'.'.join(parts)}: invalid identifier")
        return stored_functions.call(self, parts, call.name.upper(), list(call.expressions))


_EMITTERS: dict[type, Callable[[Expressions, Any], Sql]] = {
    exp.Column: Expressions.column,
    exp.Literal: Expressions.literal,
    exp.RawString: Expressions.string_literal,
    exp.National: Expressions.string_literal,
    exp.Null: lambda emit, node: NULL,
    exp.Placeholder: lambda emit, node: emit.context.bind(int(node.name)),
    exp.Paren: Expressions.paren,
    exp.Tuple: Expressions.tuple,
    exp.Neg: Expressions.negative,
    **dict.fromkeys(_ARITHMETIC, Expressions.arithmetic),
    exp.Div: Expressions.divide,
    exp.DPipe: Expressions.concatenate,
    **dict.fromkeys((exp.And, exp.Or), Expressions.logical),
    exp.Not: Expressions.negation,
    exp.Is: Expressions.is_null,
    **dict.fromkeys(COMPARISONS, comparison),
    exp.In: member,
    exp.Between: between,
    exp.Like: like,
    exp.Escape: escape,
    exp.Exists: exists,
    exp.Case: case,
    exp.Cast: cast,
    exp.Extract: extract,
    exp.Interval: interval,
    exp.AtTimeZone: at_time_zone,
    exp.Trim: trim,
    **dict.fromkeys((exp.Subquery, exp.Select), Expressions.subquery),
    exp.Anonymous: Expressions.function,
    exp.Dot: Expressions.package_function,
    exp.Window: aggregates.window,
    exp.WithinGroup: aggregates.within_group,
    exp.Star: Expressions.star,
}
