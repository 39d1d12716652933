"""MOD and TRUNC."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from localoracle.sql.context import NULL, Sql
from localoracle.sql.expressions.conversion import (
    as_number,
)
from localoracle.sql.functions.aggregates import Arguments
from localoracle.sql.functions.function_table import SIMPLE
from localoracle.sql.functions.simple import argument_text, call_simple
from localoracle.sql.parsing.nodes import only

if TYPE_CHECKING:
    from localoracle.sql.expressions.expression import Expressions


def mod(emit: Expressions, arguments: Arguments) -> Sql:
    """MOD(m, 0) is m: what remains by a number that is larger than any NUMBER. So m is written once."""
    divisor = arguments[1]
    number = argument_text(emit, arguments[0], "n")
    by = argument_text(emit, divisor, "n")
    if isinstance(divisor, exp.Literal) and not divisor.is_string and float(divisor.name) != 0:
        return Sql(f"mod({number}, {by})", "N")
    return Sql(f"mod({number}, CASE {by} WHEN 0 THEN 1e200 ELSE {by} END)", "N")


def trunc(emit: Expressions, arguments: Arguments) -> Sql:
    """TRUNC of a quotient needs none of its digits behind the point."""
    quotient = arguments[0] if len(arguments) == 1 else None
    if not isinstance(quotient, exp.Div):
        return call_simple(emit, SIMPLE["TRUNC"], arguments)
    only(quotient, "this", "expression", "typed", "safe")
    values = [emit.scalar(quotient.this), emit.scalar(quotient.expression)]
    parts = ", ".join(map(as_number, values))
    if any(value is NULL or value.family not in ("", "N", "F", "S") for value in values):
        return Sql(f"ora.trunc(ora.divide({parts}))", "")
    return Sql(f"ora.trunc_quotient({parts})", "F" if any(value.family == "F" for value in values) else "N")
