"""Aggregate and analytic functions, KEEP (DENSE_RANK ...), WITHIN GROUP.

SQL Language Reference, "Aggregate Functions", "Analytic Functions".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sqlglot import exp

from localoracle.errors import OracleError, not_supported
from localoracle.sql.context import Sql
from localoracle.sql.expressions.conversion import as_number
from localoracle.sql.expressions.strings import limited
from localoracle.sql.parsing.lexer import literal
from localoracle.sql.parsing.nodes import only
from localoracle.sql.parsing.words import AGGREGATES

if TYPE_CHECKING:
    from localoracle.sql.expressions.expression import Expressions


Arguments = list[exp.Expr]


def need(arguments: Arguments, least: int, most: int | None = None) -> None:
    """ORA-00938 and ORA-00939 for too few and too many arguments, ORA-00909 where the number is fixed."""
    if most == least and len(arguments) != least:
        raise OracleError(909, "invalid number of arguments")
    if len(arguments) < least:
        raise OracleError(
            909 if not arguments else 938,
            "invalid number of arguments" if not arguments else "not enough arguments for function",
        )
    if most is not None and len(arguments) > most:
        raise OracleError(939, "too many arguments for function")


def distinct_argument(arguments: Arguments) -> tuple[str, Arguments]:
    """DISTINCT before the only argument, as text, and the arguments without it."""
    if len(arguments) == 1 and isinstance(arguments[0], exp.Distinct):
        return "DISTINCT ", list(arguments[0].expressions)
    return "", arguments


def _aggregate(emit: Expressions, name: str, arguments: Arguments) -> Sql:
    distinct, arguments = distinct_argument(arguments)
    need(arguments, 1, 1)
    if name == "COUNT":
        if isinstance(arguments[0], exp.Star):
            return Sql("count(*)::numeric", "N")
        counted = emit.scalar(arguments[0])
        text = counted.text
        # Large objects are not counted, and the types of columns are known to the database only.
        if counted.family == "" and isinstance(arguments[0], exp.Column) and not distinct:
            text = f"ora.counted({text})"
        return Sql(f"count({distinct}{text})::numeric", "N")
    value = emit.scalar(arguments[0])
    if name in ("MIN", "MAX") and value.text.startswith("ora.logical_rowid("):
        raise not_supported(f"{name} of logical ROWIDs")
    if name in ("MIN", "MAX") and value.family == "X" and value.text.startswith("ora.rowid_text("):
        # The row's address as bytes sorts as rowids do, at the price of no more than that.
        key = value.text.replace("ora.rowid_text(", "ora.rowid_key(", 1)
        return Sql(f"ora.rowid_of_key({name.lower()}({key}))", "X")
    if name in ("MIN", "MAX"):
        return Sql(f"{name.lower()}({distinct}{value.text})", value.family)
    number = as_number(value)
    if name == "SUM":
        return Sql(f"sum({distinct}{number})", value.family if value.family in "NFI" else "")
    return Sql(f"percentile_cont(0.5) WITHIN GROUP (ORDER BY {number})::numeric", "N")


MOMENTS = ("AVG", "STDDEV", "STDDEV_SAMP", "STDDEV_POP", "VARIANCE", "VAR_SAMP", "VAR_POP")


def moment(emit: Expressions, name: str, arguments: Arguments, over: str = "") -> Sql:
    """Of sums, which are exact: PostgreSQL's own functions give fewer digits than a NUMBER has.

    `over`: the analytic clause, if there is one.
    """
    distinct, arguments = distinct_argument(arguments)
    need(arguments, 1, 1)
    value = emit.scalar(arguments[0])
    number = as_number(value)
    count, total = f"count({distinct}{number}){over}", f"sum({distinct}{number}){over}"
    if name == "AVG":
        return Sql(f"ora.divide({total}, {count})", value.family if value.family in "NF" else "")
    # The squares of distinct numbers are not distinct.
    squares = f"sum(ora.square({number})){over}"
    if distinct:
        squares = f"ora.sum_of_squares(array_agg(DISTINCT {number}))"
    return Sql(
        f"ora.{name.lower()}({count}, {total}, {squares})", value.family if value.family in "NF" else ""
    )


def _count_distinct(emit: Expressions, name: str, arguments: Arguments) -> Sql:
    need(arguments, 1, 1)
    return Sql(f"count(DISTINCT {emit.scalar(arguments[0]).text})::numeric", "N")


def _grouping(emit: Expressions, name: str, arguments: Arguments) -> Sql:
    need(arguments, 1)
    return Sql(f"grouping({', '.join(emit.value(argument) for argument in arguments)})::numeric", "N")


AGGREGATE_EMITTERS: dict[str, Callable[[Expressions, str, Arguments], Sql]] = {
    "COUNT": _aggregate,
    "SUM": _aggregate,
    "MIN": _aggregate,
    "MAX": _aggregate,
    "MEDIAN": _aggregate,
    "APPROX_COUNT_DISTINCT": _count_distinct,
    "GROUPING": _grouping,
    "GROUPING_ID": _grouping,
    **dict.fromkeys(MOMENTS, moment),
}


_RANKING = ("ROW_NUMBER", "RANK", "DENSE_RANK", "NTILE", "PERCENT_RANK", "CUME_DIST")
_VALUES = {"FIRST_VALUE", "LAST_VALUE", "NTH_VALUE", "LAG", "LEAD"}


def window(emit: Expressions, node: exp.Window) -> Sql:
    if str(node.args.get("over") or "").upper() == "KEEP" or node.args.get("first") is not None:
        return _keep(emit, node)
    only(node, "this", "partition_by", "order", "spec", "over")
    call = node.this
    if isinstance(call, exp.IgnoreNulls):
        raise not_supported("IGNORE NULLS")
    if isinstance(call, exp.RespectNulls):
        call = call.this
    over = _over(emit, node)
    if isinstance(call, exp.WithinGroup):
        raise not_supported("LISTAGG ... OVER")
    if not isinstance(call, exp.Anonymous):
        raise not_supported("an analytic clause after this expression")
    name = call.name.upper()
    arguments = list(call.expressions)
    if name in _RANKING:
        inner = f"({emit.value(arguments[0])})::int4" if name == "NTILE" and arguments else ""
        return Sql(f"({name.lower()}({inner}) OVER ({over}))::numeric", "N")
    if name in _VALUES:
        return _value_function(emit, name, arguments, over)
    if name == "RATIO_TO_REPORT":
        value = emit.value(arguments[0])
        return Sql(f"ora.divide({value}, sum({value}) OVER ({over}))", "N")
    if name in MOMENTS:
        return moment(emit, name, arguments, f" OVER ({over})")
    if name in AGGREGATES and name not in (
        "LISTAGG",
        "MEDIAN",
        "GROUPING",
        "PERCENTILE_CONT",
        "PERCENTILE_DISC",
    ):
        inner_sql = emit.emit(call)
        text = inner_sql.text
        if text.endswith("::numeric") and text.startswith("count("):
            return Sql(f"({text.removesuffix('::numeric')} OVER ({over}))::numeric", "N")
        return Sql(f"{text} OVER ({over})", inner_sql.family)
    raise not_supported(f"the analytic function {name}")


def _value_function(emit: Expressions, name: str, arguments: list[exp.Expr], over: str) -> Sql:
    if not arguments:
        raise OracleError(909, "invalid number of arguments")
    value = emit.scalar(arguments[0])
    rest = ""
    if len(arguments) > 1:
        rest = f", ({emit.value(arguments[1])})::int4"
    if len(arguments) > 2:
        rest += f", {emit.scalar(arguments[2]).text}"
    return Sql(f"{name.lower()}({value.text}{rest}) OVER ({over})", value.family)


def _over(emit: Expressions, node: exp.Window) -> str:
    parts = []
    partition = node.args.get("partition_by")
    if partition:
        parts.append("PARTITION BY " + ", ".join(emit.value(part) for part in partition))
    if node.args.get("order"):
        parts.append(ordering(emit, node.args["order"]))
    spec = node.args.get("spec")
    if spec is not None:
        only(spec, "kind", "start", "start_side", "end", "end_side")
        start = _bound(emit, spec.args.get("start"), spec.args.get("start_side"))
        end = _bound(emit, spec.args.get("end"), spec.args.get("end_side"))
        frame = f"BETWEEN {start} AND {end}" if end else start
        parts.append(f"{spec.args['kind']} {frame}")
    return " ".join(parts)


def _bound(emit: Expressions, place: object, side: object) -> str:
    if place is None:
        return ""
    if isinstance(place, str):
        return f"{place} {side or ''}".strip()
    return f"{emit.value(place)} {side}"


def ordering(emit: Expressions, order: exp.Order) -> str:
    """ORDER BY inside an expression."""
    only(order, "expressions")
    return "ORDER BY " + ", ".join(sort_key(emit.value(item.this), item) for item in order.expressions)


def sort_key(text: str, item: exp.Ordered) -> str:
    """NULL sorts as the largest value in both databases; NULLS is written only for another order."""
    only(item, "this", "desc", "nulls_first")
    descending = bool(item.args.get("desc"))
    first = bool(item.args.get("nulls_first"))
    suffix = " DESC" if descending else ""
    if first != descending:
        suffix += " NULLS FIRST" if first else " NULLS LAST"
    return text + suffix


def within_group(emit: Expressions, node: exp.WithinGroup) -> Sql:
    only(node, "this", "expression")
    call = node.this
    if not isinstance(call, exp.Anonymous):
        raise not_supported("WITHIN GROUP after this expression")
    name = call.name.upper()
    order = node.args["expression"]
    if name == "LISTAGG":
        return _listagg(emit, call, order)
    if name in ("PERCENTILE_CONT", "PERCENTILE_DISC"):
        fraction = emit.value(call.expressions[0])
        key = ordering(emit, order)
        text = f"{name.lower()}(({fraction})::float8) WITHIN GROUP ({key})"
        return Sql(
            f"({text})::numeric" if name == "PERCENTILE_CONT" else text,
            "N" if name == "PERCENTILE_CONT" else "",
        )
    raise not_supported(f"{name} WITHIN GROUP")


def _listagg(emit: Expressions, call: exp.Anonymous, order: exp.Order) -> Sql:
    distinct, arguments = distinct_argument(list(call.expressions))
    if isinstance(call.expressions[0], exp.Distinct) and len(call.expressions) > 1:
        distinct, arguments = "DISTINCT ", [*call.expressions[0].expressions, *call.expressions[1:]]
    if not 1 <= len(arguments) <= 2:
        raise OracleError(909, "invalid number of arguments")
    value = emit.string(arguments[0])
    separator = f"coalesce({emit.string(arguments[1])}, '')" if len(arguments) == 2 else "''"
    if distinct:
        # PostgreSQL sorts distinct values only by themselves, so they are made strings afterwards.
        plain = emit.scalar(arguments[0]).text
        key = ordering(emit, order)
        if len(order.expressions) != 1 or emit.scalar(order.expressions[0].this).text != plain:
            raise not_supported("LISTAGG(DISTINCT ...) sorted by something else")
        return _joined(emit, call, f"ora.strs(array_agg(DISTINCT {plain} {key}))", separator)
    if call.args.get("filler") is not None:
        return _joined(emit, call, f"array_agg({value} {ordering(emit, order)})", separator)
    aggregated = f"string_agg({distinct}{value}, {separator} {ordering(emit, order)})"
    return Sql(limited(emit.context, aggregated), "S")


def _joined(emit: Expressions, call: exp.Anonymous, values: str, separator: str) -> Sql:
    filler = call.args.get("filler")
    if filler is None:
        return Sql(limited(emit.context, f"array_to_string({values}, {separator})"), "S")
    counted = str(bool(call.args.get("counted"))).lower()
    return Sql(f"ora.listagg_truncated({values}, {separator}, {literal(filler.name)}, {counted})", "S")


def _keep(emit: Expressions, node: exp.Window) -> Sql:
    """MAX(x) KEEP (DENSE_RANK FIRST ORDER BY y): the aggregate over the rows that come first (or last)."""
    only(node, "this", "order", "alias", "over", "first")
    call = node.this
    alias = node.args.get("alias")
    if not isinstance(call, exp.Anonymous) or alias is None or alias.name.upper() != "DENSE_RANK":
        raise not_supported("KEEP in this form")
    name = call.name.upper()
    if name not in ("MIN", "MAX"):
        raise not_supported(f"{name} KEEP (DENSE_RANK ...)")
    value = emit.scalar(call.expressions[0])
    order = node.args["order"].copy()
    if not node.args.get("first"):
        for item in order.expressions:
            item.set("desc", not item.args.get("desc"))
            item.set("nulls_first", not item.args.get("nulls_first"))
    # Rows that tie for the first place are settled by MIN or MAX: the value itself is the last sort key.
    key = ordering(emit, order)
    direction = "DESC NULLS LAST" if name == "MAX" else "ASC NULLS LAST"
    return Sql(f"(array_agg({value.text} {key}, {value.text} {direction}))[1]", value.family)
