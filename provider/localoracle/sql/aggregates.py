"""Aggregate functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sqlglot import exp

from localoracle.errors import OracleError
from localoracle.sql.context import Sql

if TYPE_CHECKING:
    from localoracle.sql.expression import Expressions

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
    if name in ("MIN", "MAX") and value.family == "X" and value.text.startswith("ora.rowid_text("):
        # The row's address as bytes sorts as rowids do, at the price of no more than that.
        key = value.text.replace("ora.rowid_text(", "ora.rowid_key(", 1)
        return Sql(f"ora.rowid_of_key({name.lower()}({key}))", "X")
    if name in ("MIN", "MAX"):
        return Sql(f"{name.lower()}({distinct}{value.text})", value.family)
    number = f"ora.text_to_number({value.text})" if value.family == "S" else value.text
    if name == "SUM":
        return Sql(f"sum({distinct}{number})", value.family if value.family in "NFI" else "")
    if name == "AVG":
        return Sql(f"avg({distinct}{number})", "N")
    if name in ("STDDEV", "VARIANCE"):
        # One row has the deviation 0 in Oracle, NULL with STDDEV_SAMP and VAR_SAMP.
        several = "stddev_samp" if name == "STDDEV" else "var_samp"
        return Sql(
            f"CASE WHEN count({distinct}{number}) = 1 THEN 0 ELSE {several}({distinct}{number}) END", "N"
        )
    return Sql(f"percentile_cont(0.5) WITHIN GROUP (ORDER BY {number})::numeric", "N")


def _count_distinct(emit: Expressions, name: str, arguments: Arguments) -> Sql:
    need(arguments, 1, 1)
    return Sql(f"count(DISTINCT {emit.scalar(arguments[0]).text})::numeric", "N")


def _grouping(emit: Expressions, name: str, arguments: Arguments) -> Sql:
    need(arguments, 1)
    return Sql(f"grouping({', '.join(emit.value(argument) for argument in arguments)})::numeric", "N")


AGGREGATE_EMITTERS: dict[str, Callable[[Expressions, str, Arguments], Sql]] = {
    "COUNT": _aggregate,
    "SUM": _aggregate,
    "AVG": _aggregate,
    "MIN": _aggregate,
    "MAX": _aggregate,
    "STDDEV": _aggregate,
    "VARIANCE": _aggregate,
    "MEDIAN": _aggregate,
    "APPROX_COUNT_DISTINCT": _count_distinct,
    "GROUPING": _grouping,
    "GROUPING_ID": _grouping,
}
