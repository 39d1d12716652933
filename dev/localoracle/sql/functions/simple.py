"""Calls of functions that become one function of PostgreSQL's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from localoracle.errors import OracleError
from localoracle.sql.context import NULL, Sql
from localoracle.sql.expressions.conversion import (
    as_number,
    as_string,
)
from localoracle.sql.expressions.string_limits import (
    at_most,
    characters,
    cut_off,
    may_be_too_long,
    short_string,
)
from localoracle.sql.functions.aggregates import Arguments, need
from localoracle.sql.functions.function_table import Function

if TYPE_CHECKING:
    from localoracle.sql.expressions.expression import Expressions


def call_simple(emit: Expressions, function: Function, arguments: Arguments) -> Sql:
    need(arguments, function.least, None if function.variadic else len(function.kinds))
    kinds = function.kinds.lower()
    texts = []
    for index, argument in enumerate(arguments):
        if isinstance(argument, exp.Distinct):
            raise OracleError(30482, "DISTINCT option not allowed for this function")
        if isinstance(argument, exp.Kwarg | exp.Star | exp.Alias):
            raise OracleError(907, "missing right parenthesis")
        texts.append(argument_text(emit, argument, kinds[min(index, len(kinds) - 1)]))
    family = function.family
    if function.kinds[:1] == "d" and arguments:
        # TRUNC and ROUND return what they are given; only plainly typed arguments tell.
        family = "N" if texts[0].endswith("::numeric") else ""
    elif function.kinds[:1] == "l" and texts[0].startswith("ora.characters("):
        family = ""
    text = f"{function.target}({', '.join(texts)})"
    if function.grows:
        text = at_most(emit.context, text)
    elif function.pads and may_be_too_long(arguments[1]):
        text = cut_off(emit.context, text)
    return Sql(text, family)


def argument_text(emit: Expressions, argument: exp.Expr, kind: str) -> str:
    value = emit.scalar(argument)
    if kind == "s":
        return as_string(value)
    if kind == "l":
        return characters(emit, value)[0]
    if kind == "c":
        return short_string(emit, value)
    if value is NULL:
        return "NULL::numeric" if kind in "nd" else "NULL::text"
    if kind == "t" and value.family == "S":
        return f"ora.to_date({value.text})"
    return as_number(value) if kind == "n" else value.text
