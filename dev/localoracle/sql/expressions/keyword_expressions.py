"""Expressions with words inside: CASE, CAST, EXTRACT, INTERVAL, AT TIME ZONE, TRIM."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from localoracle.errors import not_supported
from localoracle.sql.context import NULL, Sql
from localoracle.sql.expressions.conditions import side
from localoracle.sql.expressions.conversion import alternatives, common_family, is_text_literal
from localoracle.sql.expressions.strings import characters, short_string, trim_character
from localoracle.sql.parsing.lexer import literal
from localoracle.sql.parsing.nodes import only
from localoracle.sql.types.character_types import in_one_set
from localoracle.sql.types.data_types import cast_type
from localoracle.sql.types.literals import interval_literal, precisions

if TYPE_CHECKING:
    from localoracle.sql.expressions.expression import Expressions


_NUMBERS = ("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND", "TIMEZONE_HOUR", "TIMEZONE_MINUTE")
_EXTRACTED = {**dict.fromkeys(_NUMBERS, "N"), "TIMEZONE_REGION": "S"}


def case(emit: Expressions, node: exp.Case) -> Sql:
    only(node, "this", "ifs", "default")
    operand = node.args.get("this")
    results = [branch.args["true"] for branch in node.args["ifs"]]
    default = node.args.get("default")
    if default is not None:
        results.append(default)
    # Parameters are numbered as they are emitted: conditions and results go in order.
    selector = emit.scalar(operand) if operand is not None else None
    parts: list[tuple[str, Sql]] = []
    literal_selector = selector is not None and is_text_literal(selector)
    for branch in node.args["ifs"]:
        only(branch, "this", "true")
        if selector is None:
            when = emit.condition(branch.this)
        else:
            compared = emit.scalar(branch.this)
            when = side(compared, selector)
            if literal_selector:
                when = f"{side(selector, compared)} = {when}"
        parts.append((when, emit.scalar(branch.args["true"])))
    last = emit.scalar(default) if default is not None else None
    values = alternatives([value for _, value in parts] + ([last] if last is not None else []))
    texts = [in_one_set(emit, results, values[0].text), *(value.text for value in values[1:])]
    text = " ".join(f"WHEN {when} THEN {result}" for (when, _), result in zip(parts, texts, strict=False))
    if last is not None:
        text += f" ELSE {texts[-1]}"
    head = f"CASE {selector.text} " if selector is not None and not literal_selector else "CASE "
    return Sql(f"{head}{text} END", common_family(values))


def cast(emit: Expressions, node: exp.Cast) -> Sql:
    only(node, "this", "to")
    target = node.args["to"]
    if isinstance(target, exp.DataType) and isinstance(node.this, exp.Literal):
        # 1.5d, which may be larger than any NUMBER.
        number = cast_type(target)
        return Sql(f"{literal(node.this.name)}::{number.name}", number.family)
    value = emit.scalar(node.this)
    wanted = cast_type(target, lengths_in_bytes=emit.context.lengths_in_bytes)
    name, family = wanted.name, wanted.family
    if value is NULL:
        return Sql(f"NULL::{name}", family)
    if family == "S":
        # NULLIF alone would forget the length, and that the type is national. Of CHAR and of VARCHAR2
        # comparisons differ: the database distinguishes them.
        result_family = family if name.startswith("varchar") else ""
        text = short_string(emit, value, wanted.length)
        may_be_number = value.family in ("N", "F") or (value.family == "" and not value.computed)
        if wanted.length is not None and may_be_number and not emit.context.in_plsql:
            text = f"ora.cast_string({value.text}, {wanted.length})"
        if wanted.bytes is not None and value.family in ("", "S"):
            text = f"ora.leading_bytes({text}, {wanted.bytes})"
        return Sql(f"nullif({text}::{name}, '')::{name}", result_family)
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


def extract(emit: Expressions, node: exp.Extract) -> Sql:
    only(node, "this", "expression")
    field = node.name.upper()
    if field in _EXTRACTED:
        return Sql(f"ora.extract_{field.lower()}({emit.value(node.expression)})", _EXTRACTED[field])
    raise not_supported(f"EXTRACT({field})")


def interval(emit: Expressions, node: exp.Interval) -> Sql:
    only(node, "this", "unit")
    text, precision = interval_literal(node)
    return Sql(text, "I", precision=precision)


def at_time_zone(emit: Expressions, node: exp.AtTimeZone) -> Sql:
    """A moment in another zone; one without a zone is of the session's ("Datetime Expressions")."""
    only(node, "this", "zone")
    moment = f"({emit.value(node.this)})::ora.timestamp_tz"
    return Sql(f"ora.at_zone(ora.moment_of({moment}), {emit.string(node.args['zone'])})", "Z")


def trim(emit: Expressions, node: exp.Trim) -> Sql:
    only(node, "this", "position", "expression")
    side = {"LEADING": "ltrim", "TRAILING": "rtrim"}.get(str(node.args.get("position") or "").upper(), "trim")
    removed = trim_character(emit.emit(node.expression)) if node.expression else "' '::text"
    text, family = characters(emit, emit.scalar(node.this))
    return Sql(f"ora.{side}({text}, {removed})", family)
