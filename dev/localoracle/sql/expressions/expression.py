"""Expressions and conditions: from sqlglot's tree to PostgreSQL text.

Every node class that may be emitted is named here; anything else is ORA-03001. Operators whose meaning
differs are emitted as functions or operators of schema `ora`; types are left to PostgreSQL's resolution,
which the casts of 10_types.sql steer to Oracle's implicit conversions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from sqlglot import exp

from localoracle.errors import OracleError, not_supported
from localoracle.instance.creation import created_with
from localoracle.sql.context import NULL, Context, Sql, joined_digits
from localoracle.sql.expressions import logical_rowids, rowids
from localoracle.sql.expressions.conversion import (
    alternatives,
    as_literal,
    as_string,
    common_family,
    is_text_literal,
)
from localoracle.sql.expressions.patterns import escaped_pattern, trim_character
from localoracle.sql.expressions.string_limits import characters, limited, maybe_large, short_string
from localoracle.sql.functions import functions, package_calls, windows
from localoracle.sql.functions.json_functions import json_condition_or_value
from localoracle.sql.functions.user_functions import call_user_function
from localoracle.sql.parsing.lexer import literal, quote
from localoracle.sql.parsing.nodes import identifier_name, is_rowid, is_unquoted, only
from localoracle.sql.query import row_archival
from localoracle.sql.schema_facts import schema_facts
from localoracle.sql.types.data_types import cast_type
from localoracle.sql.types.intervals import interval_literal, precisions
from localoracle.sql.types.national import in_one_set
from localoracle.sql.types.numbers import has_many_digits, number_literal

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
_EXTRACTED = {
    **dict.fromkeys(
        ("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND", "TIMEZONE_HOUR", "TIMEZONE_MINUTE"), "N"
    ),
    "TIMEZONE_REGION": "S",
}
_COMPARISONS = {exp.EQ: "=", exp.NEQ: "<>", exp.GT: ">", exp.GTE: ">=", exp.LT: "<", exp.LTE: "<="}
_FROM_STRING = {"N": "ora.text_to_number", "D": "ora.to_date", "T": "ora.to_timestamp", "R": "ora.hextoraw"}
_ARITHMETIC = {exp.Add: "+", exp.Sub: "-", exp.Mul: "*"}


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
        self._emitters: dict[type, Callable[..., Sql]] = {
            exp.Column: self.column,
            exp.Literal: self.literal,
            exp.RawString: self.string_literal,
            exp.National: self.string_literal,
            exp.Null: lambda _: NULL,
            exp.Placeholder: lambda node: self.context.bind(int(node.name)),
            exp.Paren: self.paren,
            exp.Tuple: self.tuple,
            exp.Neg: self.negative,
            exp.And: self.logical,
            exp.Or: self.logical,
            exp.Not: self.negation,
            exp.Is: self.is_null,
            exp.In: self.member,
            exp.Between: self.between,
            exp.Like: self.like,
            exp.Escape: self.escape,
            exp.Exists: self.exists,
            exp.Case: self.case,
            exp.Cast: self.cast,
            exp.Div: self.divide,
            exp.DPipe: self.concatenate,
            exp.Extract: self.extract,
            exp.Trim: self.trim,
            exp.Interval: self.interval,
            exp.AtTimeZone: self.at_time_zone,
            exp.Subquery: self.subquery,
            exp.Select: self.bare_query,
            exp.Anonymous: self.function,
            exp.Dot: self.package_function,
            exp.Window: self.window,
            exp.WithinGroup: self.within_group,
            exp.Star: self.star,
            **dict.fromkeys(_COMPARISONS, self.comparison),
            **dict.fromkeys(_ARITHMETIC, self.arithmetic),
        }

    # -- the three ways to ask for a value ------------

    def emit(self, node: object) -> Sql:
        """Translate; ORA-03001 for a node that is not known."""
        emitter = self._emitters.get(type(node))
        if emitter is None:
            if node is None:
                raise OracleError(936, "missing expression")
            raise not_supported(f"the expression {_describe(node)}")
        return emitter(node)

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
        if table is not None and not quoted and name in ("NEXTVAL", "CURRVAL"):
            parts = [identifier_name(part) for part in (node.args.get("db"), table) if part is not None]
            sequence = literal(".".join(quote(part) for part in parts))
            return Sql(f"{name.lower()}({sequence}::regclass)::numeric", "N")
        if table is not None and not quoted:
            owner = [identifier_name(part) for part in (node.args.get("db"), table) if part is not None]
            packaged = package_calls.member(self, node, owner, name)
            if packaged is not None:
                return packaged
        prefix = row_archival.qualifier(node)
        if not quoted:
            if name == "ROWID":
                logical = logical_rowids.text(self.context, prefix)
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
        pseudo = (*PSEUDO_FUNCTIONS, "ROWID", "ROWNUM", "LEVEL", "NEXTVAL", "CURRVAL")
        return isinstance(node.this, exp.Identifier) and not is_unquoted(node, *pseudo)

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

    def _rows_equal(self, left: exp.Expr, right: exp.Expr) -> str | None:
        """Two lists of expressions, each pair with types of its own; None for other operands."""
        one, two = left.unnest(), right.unnest()
        if not (isinstance(one, exp.Tuple) and isinstance(two, exp.Tuple)):
            return None
        if len(one.expressions) != len(two.expressions):
            few = len(two.expressions) < len(one.expressions)
            raise OracleError(947, "not enough values") if few else OracleError(913, "too many values")
        pairs = zip(one.expressions, two.expressions, strict=True)
        sides = [(self.scalar(first), self.scalar(second)) for first, second in pairs]
        tests = (f"{self._side(first, second)} = {self._side(second, first)}" for first, second in sides)
        return f"({' AND '.join(tests)})"

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
        family = ""
        if left.family in "NF" and right.family in "NF" and left.family and right.family:
            family = "F" if "F" in (left.family, right.family) else "N"
        elif (left.family, right.family, sign) in (("D", "N", "+"), ("N", "D", "+"), ("D", "N", "-")):
            family = "D"
        elif (left.family, right.family, sign) == ("D", "D", "-"):
            family = "N"
        text = f"({self._number(left)} {sign} {self._number(right)})"
        if family in ("", "N") and (has_many_digits(node.this) or has_many_digits(node.expression)):
            text = f"ora.kept({text})"
        return Sql(text, family, computed=True)

    @staticmethod
    def _number(value: Sql) -> str:
        """Strings in arithmetic are numbers."""
        return f"ora.text_to_number({value.text})" if value.family == "S" else value.text

    def divide(self, node: exp.Div) -> Sql:
        only(node, "this", "expression", "typed", "safe")
        left, right = self.scalar(node.this), self.scalar(node.expression)
        family = "F" if "F" in (left.family, right.family) else "N"
        family = "I" if left.family == "I" else family
        return Sql(f"ora.divide({self._number(left)}, {self._number(right)})", family, computed=True)

    def concatenate(self, node: exp.DPipe) -> Sql:
        operands: list[exp.Expr] = []
        waiting: list[exp.Expr] = [node]
        while waiting:  # a table of 1,000 columns makes a chain that is deeper than Python's stack
            part = waiting.pop()
            if isinstance(part, exp.DPipe):
                only(part, "this", "expression", "safe")
                waiting += [part.expression, part.this]
            else:
                operands.append(part)
        emitted = [(part, self.scalar(part)) for part in operands]
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

    def trim(self, node: exp.Trim) -> Sql:
        only(node, "this", "position", "expression")
        side = {"LEADING": "ltrim", "TRAILING": "rtrim"}.get(
            str(node.args.get("position") or "").upper(), "trim"
        )
        removed = trim_character(self.emit(node.expression)) if node.expression else "' '::text"
        text, family = characters(self, self.scalar(node.this))
        return Sql(f"ora.{side}({text}, {removed})", family)

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
            raise not_supported(f"the condition {_describe(node)}")
        if is_rowid(node.this):
            return Sql("false", "B")
        return Sql(f"({self.scalar(node.this).text} IS NULL)", "B")

    def comparison(self, node: exp.Binary) -> Sql:
        only(node, "this", "expression")
        sign = _COMPARISONS[type(node)]
        left, right = node.this, node.expression
        if is_rowid(left) or is_rowid(right):
            return Sql(rowids.compare(self, left, right, sign), "B")
        quantified = self._quantified(left, right, sign)
        if quantified is not None:
            return Sql(quantified, "B")
        rows = self._rows_equal(left, right)
        if rows is not None:
            if sign not in ("=", "<>"):
                raise OracleError(1796, "this operator cannot be used with lists")
            return Sql(rows if sign == "=" else f"(NOT {rows})", "B")
        if isinstance(right.unnest(), exp.Tuple):
            raise OracleError(1797, "this operator must be followed by ANY or ALL")
        one, two = self.emit(left), self.emit(right)
        if isinstance(right, exp.Subquery | exp.Select) and one.family == "tuple":
            return Sql(f"({one.untyped} {sign} {two.text})", "B")
        return Sql(f"({self._side(one, two)} {sign} {self._side(two, one)})", "B")

    @staticmethod
    def _side(value: Sql, other: Sql) -> str:
        """One side of a comparison: a string constant takes the type of a column beside it."""
        if value.family == "B":
            raise OracleError(933, "SQL command not properly ended")
        if is_text_literal(value) and is_text_literal(other):
            # Literals are CHAR values: blanks at the end do not count.
            return f"{value.untyped}::bpchar"
        if value.family == "S" and other.family in _FROM_STRING:
            return f"{_FROM_STRING[other.family]}({value.text})"
        # A bind is VARCHAR2, whatever it is compared with.
        is_bind = value.bare is not None and value.bare.startswith("$")
        return value.text if other.family == "S" or is_bind else as_literal(value)

    def _quantified(self, left: exp.Expr, right: exp.Expr, sign: str) -> str | None:
        word = ""
        if isinstance(right, exp.All | exp.Any):
            only(right, "this")
            word, inner = ("ALL" if isinstance(right, exp.All) else "ANY"), right.this
            parts = inner.expressions if isinstance(inner, exp.Tuple) else [inner]
        elif isinstance(right, exp.Anonymous) and right.name.upper() in ("ALL", "ANY", "SOME"):
            word, parts = right.name.upper().replace("SOME", "ANY"), right.expressions
        if not word:
            return None
        one = self.scalar(left)
        if len(parts) == 1 and isinstance(parts[0], exp.Query):
            return f"({one.text} {sign} {word} {self._subselect(parts[0])})"
        _check_list(parts)
        joined = (" AND " if word == "ALL" else " OR ").join(
            f"{one.text} {sign} {self._side(self.emit(part), one)}" for part in parts
        )
        return f"({joined})"

    def member(self, node: exp.In) -> Sql:
        only(node, "this", "expressions", "query")
        if is_rowid(node.this):
            return Sql(rowids.member(self, node), "B")
        query = node.args.get("query")
        left = self.emit(node.this)
        if query is not None:
            return Sql(
                f"({left.untyped if left.family == 'tuple' else left.text} IN {self._subselect(query)})", "B"
            )
        if not node.expressions:
            raise OracleError(936, "missing expression")
        _check_list(node.expressions)
        if left.family == "tuple":
            rows = [self._rows_equal(node.this, part) for part in node.expressions]
            return Sql(f"({' OR '.join(row for row in rows if row is not None)})", "B")
        parts = [self.emit(part) for part in node.expressions]
        listed_types = left.family == "" and any(
            part.family == "S" and not is_text_literal(part) for part in parts
        )
        if listed_types or is_text_literal(left):
            # PostgreSQL would bring the whole list to the column's type, a CHAR's for example.
            tests = (f"{self._side(left, part)} = {self._side(part, left)}" for part in parts)
            return Sql(f"({' OR '.join(tests)})", "B")
        listed = ", ".join(self._side(part, left) for part in parts)
        return Sql(f"({left.text} IN ({listed}))", "B")

    def between(self, node: exp.Between) -> Sql:
        only(node, "this", "low", "high")
        low, high = node.args["low"], node.args["high"]
        if is_rowid(node.this):
            return Sql(rowids.between(self, node.this, low, high), "B")
        middle, first, last = self.scalar(node.this), self.scalar(low), self.scalar(high)
        if is_text_literal(middle):
            tests = (
                f"{self._side(middle, end)} {sign} {self._side(end, middle)}"
                for sign, end in ((">=", first), ("<=", last))
            )
            return Sql(f"({' AND '.join(tests)})", "B")
        ends = f"{self._side(first, middle)} AND {self._side(last, middle)}"
        return Sql(f"({middle.text} BETWEEN {ends})", "B")

    def like(self, node: exp.Like, escape: Sql | None = None) -> Sql:
        only(node, "this", "expression", "negate")
        operator = "NOT LIKE" if node.args.get("negate") else "LIKE"
        value, pattern, sign = self.string(node.this), self.emit(node.expression), "''"
        text = as_string(pattern)
        if escape is not None:
            text, sign = escaped_pattern(pattern, escape)
        return Sql(f"({value} {operator} {text} ESCAPE {sign})", "B")

    def escape(self, node: exp.Escape) -> Sql:
        only(node, "this", "expression")
        if not isinstance(node.this, exp.Like):
            raise not_supported(f"the condition {_describe(node)}")
        return self.like(node.this, self.emit(node.expression))

    def exists(self, node: exp.Exists) -> Sql:
        only(node, "this")
        return Sql(f"(EXISTS {self._subselect(node.this)})", "B")

    # -- queries inside expressions ------------

    def _subselect(self, node: exp.Expr) -> str:
        if isinstance(node, exp.Subquery):
            only(node, "this")
            node = node.this
        return f"({self.query.nested(node, self)})"

    def subquery(self, node: exp.Subquery) -> Sql:
        return Sql(self._subselect(node))

    def bare_query(self, node: exp.Select) -> Sql:
        return Sql(self._subselect(node))

    # -- CASE, CAST and functions with a syntax of their own ------------

    def case(self, node: exp.Case) -> Sql:
        only(node, "this", "ifs", "default")
        operand = node.args.get("this")
        results = [branch.args["true"] for branch in node.args["ifs"]]
        default = node.args.get("default")
        if default is not None:
            results.append(default)
        # Parameters are numbered as they are emitted: conditions and results go in order.
        selector = self.scalar(operand) if operand is not None else None
        parts: list[tuple[str, Sql]] = []
        literal_selector = selector is not None and is_text_literal(selector)
        for branch in node.args["ifs"]:
            only(branch, "this", "true")
            if selector is None:
                when = self.condition(branch.this)
            else:
                compared = self.scalar(branch.this)
                when = self._side(compared, selector)
                if literal_selector:
                    when = f"{self._side(selector, compared)} = {when}"
            parts.append((when, self.scalar(branch.args["true"])))
        last = self.scalar(default) if default is not None else None
        values = alternatives([value for _, value in parts] + ([last] if last is not None else []))
        texts = [in_one_set(self, results, values[0].text), *(value.text for value in values[1:])]
        text = " ".join(f"WHEN {when} THEN {result}" for (when, _), result in zip(parts, texts, strict=False))
        if last is not None:
            text += f" ELSE {texts[-1]}"
        head = f"CASE {selector.text} " if selector is not None and not literal_selector else "CASE "
        return Sql(f"{head}{text} END", common_family(values))

    def cast(self, node: exp.Cast) -> Sql:
        only(node, "this", "to")
        target = node.args["to"]
        if isinstance(target, exp.DataType) and isinstance(node.this, exp.Literal):
            # 1.5d, which may be larger than any NUMBER.
            number = cast_type(target)
            return Sql(f"{literal(node.this.name)}::{number.name}", number.family)
        value = self.scalar(node.this)
        wanted = cast_type(target, lengths_in_bytes=self.context.lengths_in_bytes)
        name, family = wanted.name, wanted.family
        if value is NULL:
            return Sql(f"NULL::{name}", family)
        if family == "S":
            # NULLIF alone would forget the length, and that the type is national. Of CHAR and of VARCHAR2
            # comparisons differ: the database tells them apart.
            kept = family if name.startswith("varchar") else ""
            text = short_string(self, value, wanted.length)
            may_be_number = value.family in ("N", "F") or (value.family == "" and not value.computed)
            if wanted.length is not None and may_be_number and not self.context.in_plsql:
                text = f"ora.cast_string({value.text}, {wanted.length})"
            if wanted.bytes is not None and value.family in ("", "S"):
                text = f"ora.leading_bytes({text}, {wanted.bytes})"
            return Sql(f"nullif({text}::{name}, '')::{name}", kept)
        if name.startswith("ora.raw(") and value.family in ("", "L"):
            size = name.removeprefix("ora.raw")
            return Sql(f"ora.short_raw({value.text}, {size})::{name}", family)
        if family == "N" and value.family == "F":
            value = Sql(f"ora.finite({value.text})", "N")
        if wanted.digits is not None:
            return Sql(f"ora.significant(({value.text})::numeric, {wanted.digits})", family)
        if name.startswith("ora.timestampltz"):
            precision = name.removeprefix("ora.timestampltz")
            moment = f"ora.to_timestamp({value.text})" if value.family == "S" else f"({value.text})"
            return Sql(f"{moment}::timestamptz{precision}::ora.timestampltz", family)
        if family in "DTZ" and value.family == "S":
            function = {"D": "to_date", "T": "to_timestamp", "Z": "to_timestamp_tz"}[family]
            return Sql(f"ora.{function}({value.text})", family)
        digits = precisions(int(name[name.index("(") + 1 : -1]) + 4) if family == "I" else None
        return Sql(f"({value.text})::{name}", family, precision=digits)

    def extract(self, node: exp.Extract) -> Sql:
        only(node, "this", "expression")
        field = node.name.upper()
        if field in _EXTRACTED:
            return Sql(f"ora.extract_{field.lower()}({self.value(node.expression)})", _EXTRACTED[field])
        raise not_supported(f"EXTRACT({field})")

    def interval(self, node: exp.Interval) -> Sql:
        only(node, "this", "unit")
        text, precision = interval_literal(node)
        return Sql(text, "I", precision=precision)

    def at_time_zone(self, node: exp.AtTimeZone) -> Sql:
        """A moment in another zone; one without a zone is of the session's ("Datetime Expressions")."""
        only(node, "this", "zone")
        moment = f"({self.value(node.this)})::ora.timestamp_tz"
        return Sql(f"ora.at_zone(ora.moment_of({moment}), {self.string(node.args['zone'])})", "Z")

    def function(self, node: exp.Anonymous) -> Sql:
        if (found := json_condition_or_value(self, node)) is not None:
            return found
        only(node, "this", "expressions")
        if isinstance(node.this, exp.Identifier):
            raise OracleError(904, f'"{node.name}": invalid identifier')
        if node.name.upper() == "CURSOR" and any(isinstance(one, exp.Query) for one in node.expressions):
            raise not_supported("CURSOR expressions")
        return functions.call(self, node.name.upper(), list(node.expressions))

    def package_function(self, node: exp.Dot) -> Sql:
        only(node, "this", "expression")
        call = node.expression
        parts = package_calls.qualifiers(node)
        if not isinstance(call, exp.Anonymous):
            raise OracleError(904, f"{'.'.join(parts)}: invalid identifier")
        return package_calls.call(self, parts, call.name.upper(), list(call.expressions))

    def window(self, node: exp.Window) -> Sql:
        return windows.window(self, node)

    def within_group(self, node: exp.WithinGroup) -> Sql:
        return windows.within_group(self, node)


def _check_list(parts: Sequence[exp.Expr]) -> None:
    """ORA-01795; lists of rows have no limit ("Expression Lists")."""
    maximum = 1000 if created_with().major_version < 23 else 65535
    if len(parts) > maximum and not isinstance(parts[0], exp.Tuple):
        raise OracleError(1795, f"maximum number of expressions in a list is {maximum}")


def _describe(node: object) -> str:
    if isinstance(node, exp.Expr):
        try:
            return node.sql(dialect="oracle")[:60]
        except Exception:
            return type(node).__name__.upper()
    return str(node)
