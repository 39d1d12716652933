"""TO_CHAR, TO_DATE, TO_NUMBER and the like, and literals of moments."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sqlglot import exp

from localoracle.sql.context import NULL, Sql
from localoracle.sql.expressions.conversion import as_string
from localoracle.sql.expressions.strings import short_string
from localoracle.sql.functions.aggregates import Arguments
from localoracle.sql.functions.strings import INT8_DIGITS, SHORT_DIGITS, cut_to

if TYPE_CHECKING:
    from localoracle.sql.expressions.expression import Expressions


def to_char(emit: Expressions, arguments: Arguments) -> Sql:
    value = emit.scalar(arguments[0])
    if value is NULL:
        return Sql("NULL::text", "S")
    if len(arguments) == 1:
        return Sql(value.text if value.family == "S" else short_string(emit, value), "S")
    if len(arguments) == 3:
        return Sql(
            f"ora.to_char({value.text}, {emit.string(arguments[1])}, {emit.string(arguments[2])})", "S"
        )
    if isinstance(arguments[1], exp.Literal) and arguments[1].name.upper() in ("TM", "TM9"):
        return Sql(f"ora.to_char_minimum({value.text})", "S")  # inlined; with a model it is PL/pgSQL
    return Sql(f"ora.to_char({value.text}, {emit.string(arguments[1])})", "S")


def to_binary(function: str, kind: str) -> Callable[[Expressions, Arguments], Sql]:
    def emitter(emit: Expressions, arguments: Arguments) -> Sql:
        value = emit.scalar(arguments[0])
        if value is NULL:
            return Sql(f"NULL::{kind}", "F")
        if len(arguments) > 1:
            texts = ", ".join(emit.string(argument) for argument in arguments)
            return Sql(f"ora.to_number({texts})::{kind}", "F")
        return Sql(f"ora.{function}({value.text})", "F")

    return emitter


_TIMES = {"D": "ora.oradate", "T": "timestamp", "Z": "ora.timestamp_tz"}


def conversion(function: str, family: str) -> Callable[[Expressions, Arguments], Sql]:
    def emitter(emit: Expressions, arguments: Arguments) -> Sql:
        value = emit.scalar(arguments[0])
        if value is NULL:
            return Sql(f"NULL::{_TIMES[family]}", family)
        rest = "".join(f", {emit.string(argument)}" for argument in arguments[1:])
        return Sql(f"ora.{function}({as_string(value)}{rest})", family)

    return emitter


def to_number(emit: Expressions, arguments: Arguments) -> Sql:
    if len(arguments) == 3:
        texts = ", ".join(emit.string(argument) for argument in arguments)
        return Sql(f"ora.to_number({texts})", "N")
    if len(arguments) == 1:
        value = emit.scalar(arguments[0])
        if value is NULL:
            return Sql("NULL::numeric", "N")
        if value.family in ("N", "F"):
            return value
        if value.digits_of is not None:
            return Sql(f"ora.hex_digits_to_number({value.digits_of.bytes})", "N")
        return Sql(
            f"ora.text_to_number(ora.str({value.text}))"
            if value.family != "S"
            else f"ora.text_to_number({value.text})",
            "N",
        )
    model = arguments[1]
    if (
        isinstance(model, exp.Literal)
        and model.is_string
        and model.name.upper().removeprefix("FM").strip("X") == ""
        and model.name
    ):
        digits = model.name.upper().removeprefix("FM").count("X")
        value = emit.scalar(arguments[0])
        written = value.digits_of
        if value.hex_number is not None and (cut_to(arguments[0]) or 0) <= digits:
            return Sql(value.hex_number, "N")
        if written is not None and written.most is not None and written.most * 2 <= min(digits, INT8_DIGITS):
            return Sql(f"ora.bytes_to_number({written.bytes})", "N")
        size = cut_to(arguments[0])
        if size is not None and size <= digits:
            function = "short_hex_to_number" if size <= SHORT_DIGITS else "hex_to_number"
            # PostgreSQL reads hexadecimal digits of either case: bytes need not get RAWTOHEX's capitals.
            text = as_string(value) if written is None else f"encode({written.bytes}, 'hex')"
            return Sql(f"ora.{function}({text})", "N")
        return Sql(f"ora.hex_to_number({as_string(value)}, {digits})", "N")
    return Sql(f"ora.to_number({emit.string(arguments[0])}, {emit.string(model)})", "N")


def literal_time(function: str, family: str) -> Callable[[Expressions, Arguments], Sql]:
    def emitter(emit: Expressions, arguments: Arguments) -> Sql:
        text = arguments[0].name
        if family == "T" and _has_zone(text):
            return Sql(f"ora.timestamp_tz_literal({emit.string(arguments[0])})", "Z")
        return Sql(f"ora.{function}({emit.string(arguments[0])})", family)

    return emitter


def _has_zone(text: str) -> bool:
    tail = text.strip()[10:]
    return "+" in tail or "-" in tail or tail[-1:].isalpha()
