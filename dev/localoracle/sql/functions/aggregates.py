"""Aggregate functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sqlglot import exp

from localoracle.errors import OracleError, not_supported
from localoracle.sql.context import Sql
from localoracle.sql.expressions.conversion import as_number

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
