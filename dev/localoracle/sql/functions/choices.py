"""NVL, NULLIF, COALESCE, NVL2, DECODE, GREATEST, LEAST: one of their arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from localoracle.errors import OracleError
from localoracle.sql.context import NULL, HexDigits, Sql, hex_digits
from localoracle.sql.expressions.conditions import side
from localoracle.sql.expressions.conversion import (
    alternatives,
    as_string,
    common_family,
    is_text_literal,
    like_first,
)
from localoracle.sql.functions.aggregates import Arguments
from localoracle.sql.types.character_types import in_one_set

if TYPE_CHECKING:
    from localoracle.sql.expressions.expression import Expressions


def nvl(emit: Expressions, arguments: Arguments) -> Sql:
    return _coalesce([emit.scalar(argument) for argument in arguments], like_first)


def nullif(emit: Expressions, arguments: Arguments) -> Sql:
    value, other = (emit.scalar(argument) for argument in arguments)
    if value is NULL:
        raise OracleError(932, "inconsistent datatypes: expected - got CHAR")
    alternatives([value, other])
    digits, excluded = value.digits_of, hex_digits(other)
    if value is NULL or digits is None or excluded is None:
        second = "NULL::text" if other is NULL else side(other, value)
        if is_text_literal(value):
            return Sql(f"nullif({side(value, other)}, {second})::text", "S")
        return Sql(f"nullif({in_one_set(emit, arguments, value.text)}, {second})", "")
    remaining = HexDigits(f"nullif({digits.bytes}, {excluded.bytes})", digits.most)
    return Sql(f"nullif({value.text}, {other.text})", "S", digits_of=remaining)


def coalesce_function(emit: Expressions, arguments: Arguments) -> Sql:
    first, *others = (emit.scalar(argument) for argument in arguments)
    checked = in_one_set(emit, arguments, first.text)
    if checked != first.text:
        first = Sql(checked, first.family)
    return _coalesce([first, *others], alternatives)


def _coalesce(values: list[Sql], unify: Callable[[list[Sql]], list[Sql]]) -> Sql:
    values = unify(values)
    text = f"coalesce({', '.join(value.text for value in values)})"
    written = [digits for value in values if (digits := hex_digits(value)) is not None]
    if len(written) < len(values):
        return Sql(text, common_family(values))
    made = f"coalesce({', '.join(each.bytes for each in written)})"
    return Sql(
        text, common_family(values), digits_of=HexDigits(made, some=any(each.some for each in written))
    )


def nvl2(emit: Expressions, arguments: Arguments) -> Sql:
    test = emit.scalar(arguments[0])
    values = like_first([emit.scalar(argument) for argument in arguments[1:]])
    return Sql(
        f"CASE WHEN {test.text} IS NOT NULL THEN {values[0].text} ELSE {values[1].text} END",
        common_family(values),
    )


def decode(emit: Expressions, arguments: Arguments) -> Sql:
    selector = emit.scalar(arguments[0])
    pairs = [
        (emit.scalar(arguments[i]), emit.scalar(arguments[i + 1])) for i in range(1, len(arguments) - 1, 2)
    ]
    default = emit.scalar(arguments[-1]) if len(arguments) % 2 == 0 else None
    results = [result for _, result in pairs] + ([default] if default is not None else [])
    if results[0] is NULL:
        results = [NULL, *(Sql(as_string(result), "S") for result in results[1:])]
    results = like_first(results)
    # The first search value's type decides how the selector is compared: strings without padding.
    as_strings = pairs[0][0].family == "S" and selector is not NULL
    if as_strings and selector.family != "S":
        selector = Sql(f"ora.like_first({pairs[0][0].text}, {selector.text})", "S")
    parts = []
    for (search, _), result in zip(pairs, results, strict=False):
        if search is NULL:
            test = f"{selector.text} IS NULL"
        elif as_strings:
            test = f"{selector.text} IS NOT DISTINCT FROM {like_first([pairs[0][0], search])[1].text}"
        else:
            test = f"{side(selector, search)} IS NOT DISTINCT FROM {side(search, selector)}"
        parts.append(f"WHEN {test} THEN {result.text}")
    last = f" ELSE {results[-1].text}" if default is not None else ""
    return Sql(f"CASE {' '.join(parts)}{last} END", common_family(results))


def extreme(name: str) -> Callable[[Expressions, Arguments], Sql]:
    def emitter(emit: Expressions, arguments: Arguments) -> Sql:
        values = like_first([emit.scalar(argument) for argument in arguments])
        # PostgreSQL's functions skip NULLs, Oracle's return NULL.
        texts = [value.text for value in values]
        tests = " OR ".join(f"{text} IS NULL" for text in texts)
        return Sql(f"CASE WHEN {tests} THEN NULL ELSE {name}({', '.join(texts)}) END", common_family(values))

    return emitter
