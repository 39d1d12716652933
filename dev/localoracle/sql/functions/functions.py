"""Calls of Oracle's SQL functions: the simple ones by the table, the others one by one."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from sqlglot import exp

from localoracle.errors import OracleError, not_supported
from localoracle.instance.creation import created_with
from localoracle.sql.context import NULL, HexDigits, Sql, hex_digits
from localoracle.sql.expressions.conversion import (
    alternatives,
    as_string,
    common_family,
    is_text_literal,
    like_first,
)
from localoracle.sql.expressions.string_limits import (
    at_most,
    characters,
    cut_off,
    may_be_too_long,
    short_string,
)
from localoracle.sql.functions.aggregates import AGGREGATE_EMITTERS, Arguments, need
from localoracle.sql.functions.function_table import (
    KNOWN_ORACLE_FUNCTIONS,
    SIMPLE,
    WITHOUT_PARENTHESES,
    Function,
)
from localoracle.sql.functions.user_functions import call_user_function
from localoracle.sql.parsing.nodes import only
from localoracle.sql.types.national import in_one_set
from localoracle.sql.types.numbers import number_range

if TYPE_CHECKING:
    from localoracle.sql.expressions.expression import Expressions


def call(emit: Expressions, name: str, arguments: Arguments) -> Sql:
    """A call of a built-in or stored function: ORA-00909, ORA-00938, ORA-00939 for a wrong count."""
    special = _SPECIAL.get(name)
    if special is not None:
        return special(emit, arguments)
    if name in AGGREGATE_EMITTERS:
        return AGGREGATE_EMITTERS[name](emit, name, arguments)
    function = SIMPLE.get(name)
    if function is not None:
        return _simple(emit, function, arguments)
    if name in WITHOUT_PARENTHESES and name != "LOCALTIMESTAMP" and name != "CURRENT_TIMESTAMP":
        raise OracleError(933, "SQL command not properly ended")
    if name in ("CURRENT_TIMESTAMP", "LOCALTIMESTAMP") and len(arguments) == 1:
        return emit.emit(exp.Column(this=exp.Identifier(this=name, quoted=False)))
    if name in KNOWN_ORACLE_FUNCTIONS:
        raise not_supported(f"the function {name}")
    return call_user_function(emit, None, name, arguments)


def is_built_in(name: str) -> bool:
    """Whether a function is one of the SQL Language Reference, here or not."""
    return name in _SPECIAL or name in AGGREGATE_EMITTERS or name in SIMPLE or name in KNOWN_ORACLE_FUNCTIONS


def _simple(emit: Expressions, function: Function, arguments: Arguments) -> Sql:
    need(arguments, function.least, None if function.variadic else len(function.kinds))
    kinds = function.kinds.lower()
    texts = []
    for index, argument in enumerate(arguments):
        if isinstance(argument, exp.Distinct):
            raise OracleError(30482, "DISTINCT option not allowed for this function")
        if isinstance(argument, exp.Kwarg | exp.Star | exp.Alias):
            raise OracleError(907, "missing right parenthesis")
        texts.append(_argument(emit, argument, kinds[min(index, len(kinds) - 1)]))
    family = function.family
    if function.kinds[:1] == "d" and arguments:
        family = emit_family(emit, texts[0])
    elif function.kinds[:1] == "l" and texts[0].startswith("ora.characters("):
        family = ""
    text = f"{function.target}({', '.join(texts)})"
    if function.grows:
        text = at_most(emit.context, text)
    elif function.pads and may_be_too_long(arguments[1]):
        text = cut_off(emit.context, text)
    return Sql(text, family)


def emit_family(emit: Expressions, text: str) -> str:
    """TRUNC and ROUND return what they are given; only plainly typed arguments tell."""
    return "N" if text.endswith("::numeric") else ""


def _argument(emit: Expressions, argument: exp.Expr, kind: str) -> str:
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
    if kind == "n" and value.family == "S":
        return f"ora.text_to_number({value.text})"
    return value.text


# -- functions that are not one call ------------


def _nvl(emit: Expressions, arguments: Arguments) -> Sql:
    need(arguments, 2, 2)
    return _coalesce([emit.scalar(argument) for argument in arguments], like_first)


def _nullif(emit: Expressions, arguments: Arguments) -> Sql:
    need(arguments, 2, 2)
    value, other = (emit.scalar(argument) for argument in arguments)
    if value is NULL:
        raise OracleError(932, "inconsistent datatypes: expected - got CHAR")
    alternatives([value, other])
    digits, excluded = value.digits_of, hex_digits(other)
    if value is NULL or digits is None or excluded is None:
        second = "NULL::text" if other is NULL else emit._side(other, value)
        if is_text_literal(value):
            return Sql(f"nullif({emit._side(value, other)}, {second})::text", "S")
        return Sql(f"nullif({in_one_set(emit, arguments, value.text)}, {second})", "")
    made = HexDigits(f"nullif({digits.bytes}, {excluded.bytes})", digits.most)
    return Sql(f"nullif({value.text}, {other.text})", "S", digits_of=made)


def _coalesce_function(emit: Expressions, arguments: Arguments) -> Sql:
    need(arguments, 2)
    first, *others = (emit.scalar(argument) for argument in arguments)
    checked = in_one_set(emit, arguments, first.text)
    if checked != first.text:
        first = Sql(checked, first.family)
    return _coalesce([first, *others], alternatives)


def _coalesce(values: list[Sql], unify: Callable[[list[Sql]], list[Sql]]) -> Sql:
    values = unify(values)
    text = f"coalesce({', '.join(value.text for value in values)})"
    found = [digits for value in values if (digits := hex_digits(value)) is not None]
    if len(found) < len(values):
        return Sql(text, common_family(values))
    made = f"coalesce({', '.join(each.bytes for each in found)})"
    return Sql(text, common_family(values), digits_of=HexDigits(made, some=any(each.some for each in found)))


def _nvl2(emit: Expressions, arguments: Arguments) -> Sql:
    need(arguments, 3, 3)
    test = emit.scalar(arguments[0])
    values = like_first([emit.scalar(argument) for argument in arguments[1:]])
    return Sql(
        f"CASE WHEN {test.text} IS NOT NULL THEN {values[0].text} ELSE {values[1].text} END",
        common_family(values),
    )


def _decode(emit: Expressions, arguments: Arguments) -> Sql:
    need(arguments, 3, 255)
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
            test = f"{emit._side(selector, search)} IS NOT DISTINCT FROM {emit._side(search, selector)}"
        parts.append(f"WHEN {test} THEN {result.text}")
    last = f" ELSE {results[-1].text}" if default is not None else ""
    return Sql(f"CASE {' '.join(parts)}{last} END", common_family(results))


def _extreme(name: str) -> Callable[[Expressions, Arguments], Sql]:
    def emitter(emit: Expressions, arguments: Arguments) -> Sql:
        need(arguments, 1)
        values = like_first([emit.scalar(argument) for argument in arguments])
        # PostgreSQL's functions skip NULLs, Oracle's return NULL.
        texts = [value.text for value in values]
        tests = " OR ".join(f"{text} IS NULL" for text in texts)
        return Sql(f"CASE WHEN {tests} THEN NULL ELSE {name}({', '.join(texts)}) END", common_family(values))

    return emitter


def _to_char(emit: Expressions, arguments: Arguments) -> Sql:
    need(arguments, 1, 3)
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


def _to_binary(function: str, kind: str) -> Callable[[Expressions, Arguments], Sql]:
    def emitter(emit: Expressions, arguments: Arguments) -> Sql:
        need(arguments, 1, 3)
        value = emit.scalar(arguments[0])
        if value is NULL:
            return Sql(f"NULL::{kind}", "F")
        if len(arguments) > 1:
            texts = ", ".join(emit.string(argument) for argument in arguments)
            return Sql(f"ora.to_number({texts})::{kind}", "F")
        return Sql(f"ora.{function}({value.text})", "F")

    return emitter


_TIMES = {"D": "ora.oradate", "T": "timestamp", "Z": "ora.timestamp_tz"}


def _conversion(function: str, family: str) -> Callable[[Expressions, Arguments], Sql]:
    def emitter(emit: Expressions, arguments: Arguments) -> Sql:
        need(arguments, 1, 3)
        value = emit.scalar(arguments[0])
        if value is NULL:
            return Sql(f"NULL::{_TIMES[family]}", family)
        rest = "".join(f", {emit.string(argument)}" for argument in arguments[1:])
        return Sql(f"ora.{function}({as_string(value)}{rest})", family)

    return emitter


def _to_number(emit: Expressions, arguments: Arguments) -> Sql:
    need(arguments, 1, 3)
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
        if value.hex_number is not None and (_cut_to(arguments[0]) or 0) <= digits:
            return Sql(value.hex_number, "N")
        if written is not None and written.most is not None and written.most * 2 <= min(digits, _INT8_DIGITS):
            return Sql(f"ora.bytes_to_number({written.bytes})", "N")
        size = _cut_to(arguments[0])
        if size is not None and size <= digits:
            function = "short_hex_to_number" if size <= _SHORT_DIGITS else "hex_to_number"
            # PostgreSQL reads hexadecimal digits of either case: bytes need not get RAWTOHEX's capitals.
            text = as_string(value) if written is None else f"encode({written.bytes}, 'hex')"
            return Sql(f"ora.{function}({text})", "N")
        return Sql(f"ora.hex_to_number({as_string(value)}, {digits})", "N")
    return Sql(f"ora.to_number({emit.string(arguments[0])}, {emit.string(model)})", "N")


#: So many hexadecimal digits are a number that an 8-byte integer holds: whole bytes, and digits.
_INT8_DIGITS, _SHORT_DIGITS = 14, 15


def _cut_to(node: exp.Expr) -> int | None:
    """The n of SUBSTR(x, a, n): what is no longer than its format needs no test of that for each row."""
    if not (isinstance(node, exp.Anonymous) and node.name.upper() == "SUBSTR" and len(node.expressions) == 3):
        return None
    size = node.expressions[2]
    constant = isinstance(size, exp.Literal) and not size.is_string and size.name.isdigit()
    return int(size.name) if constant else None


def _mod(emit: Expressions, arguments: Arguments) -> Sql:
    """MOD(m, 0) is m: what remains by a number that is larger than any NUMBER. So m is written once."""
    need(arguments, 2, 2)
    divisor = arguments[1]
    number = _argument(emit, arguments[0], "n")
    by = _argument(emit, divisor, "n")
    if isinstance(divisor, exp.Literal) and not divisor.is_string and float(divisor.name) != 0:
        return Sql(f"mod({number}, {by})", "N")
    return Sql(f"mod({number}, CASE {by} WHEN 0 THEN 1e200 ELSE {by} END)", "N")


def _trunc(emit: Expressions, arguments: Arguments) -> Sql:
    """TRUNC of a quotient needs none of its digits behind the point."""
    quotient = arguments[0] if len(arguments) == 1 else None
    if not isinstance(quotient, exp.Div):
        return _simple(emit, _TRUNC, arguments)
    only(quotient, "this", "expression", "typed", "safe")
    values = [emit.scalar(quotient.this), emit.scalar(quotient.expression)]
    parts = ", ".join(
        f"ora.text_to_number({value.text})" if value.family == "S" else value.text for value in values
    )
    if any(value is NULL or value.family not in ("", "N", "F", "S") for value in values):
        return Sql(f"ora.trunc(ora.divide({parts}))", "")
    return Sql(f"ora.trunc_quotient({parts})", "F" if any(value.family == "F" for value in values) else "N")


_TRUNC = Function("ora.trunc", "dV", "")


def _substr(emit: Expressions, arguments: Arguments) -> Sql:
    need(arguments, 2, 3)
    value = emit.scalar(arguments[0])
    text, family = characters(emit, value)
    size = arguments[2] if len(arguments) == 3 else None
    start, length = _whole(arguments[1]), _whole(size)
    if start is not None and (size is None or (length or 0) > 0):
        # The usual case, cheap: PostgreSQL's own function agrees for a positive start.
        first = max(start, 1)
        if value.digits_of is not None and first % 2 and length is not None and length % 2 == 0:
            return _piece(value.digits_of, first // 2, length // 2)
        rest = f", {length}" if length is not None else ""
        if family == "S":
            loose = f"substr({text}, {first}{rest})"
            result = f"nullif({loose}, '')"
            number = _slice_number(value.digits_of, first, length, result)
            return Sql(result, family, loose=loose, hex_number=number)
        result = f"ora.slice({text}, {first}{rest})"
    elif start is not None:
        assert size is not None
        result = f"ora.substr_from({text}, {max(start, 1)}, {emit.value(size)})"
    elif size is None and _is_minus_one(arguments[1]):
        result = f"nullif(right({text}, 1), '')" if family == "S" else f"ora.substr({text}, -1)"
    else:
        rest = f", {emit.value(size)}" if size is not None else ""
        result = f"ora.substr({text}, {emit.value(arguments[1])}{rest})"
    return Sql(result, family)


def _piece(digits: HexDigits, start: int, size: int) -> Sql:
    """The digits of so many bytes of others."""
    piece = f"substr({digits.bytes}, {start + 1}, {size})"
    return _hex(piece if start == 0 else f"nullif({piece}, ''::bytea)", size)


_SIMPLE_BYTES = re.compile(r"\((ora\.stored_bytes\()?[\w$\".]+\)?\)::bytea")


def _slice_number(digits: HexDigits | None, first: int, length: int | None, text: str) -> str | None:
    """15 digits of a column's bytes as a number: half a byte is shifted or masked away from eight."""
    if digits is None or length != _SHORT_DIGITS or not _SIMPLE_BYTES.fullmatch(digits.bytes):
        return None
    start = (first - 1) // 2
    eight = f"ora.bytes_to_int8(substr({digits.bytes}, {start + 1}, 8))"
    shifted = f"({eight} >> 4)" if first % 2 else eight
    return (
        f"CASE WHEN octet_length({digits.bytes}) >= {start + 8} THEN ({shifted} & {2**60 - 1})::numeric "
        f"ELSE ora.short_hex_to_number({text}) END"
    )


def _whole(node: exp.Expr | None) -> int | None:
    """The value of a literal that is a whole number and no negative one."""
    if not isinstance(node, exp.Literal) or node.is_string or not node.name.isdigit():
        return None
    return int(node.name) if int(node.name) < 2**31 else None


def _is_minus_one(node: exp.Expr) -> bool:
    return isinstance(node, exp.Neg) and _whole(node.this) == 1


def _chr(emit: Expressions, arguments: Arguments) -> Sql:
    """CHR of what is surely an ASCII character is PostgreSQL's."""
    need(arguments, 1, 1)
    value = _argument(emit, arguments[0], "n")
    least, most = number_range(arguments[0])
    plain = least >= 1 and most < _ASCII_CHARACTERS and created_with().character_set == "AL32UTF8"
    return Sql(f"chr(trunc({value})::int4)" if plain else f"ora.chr({value})", "S")


_ASCII_CHARACTERS = 128


def _dump(emit: Expressions, arguments: Arguments) -> Sql:
    """DUMP of a string or bytes; a literal is a CHAR value."""
    need(arguments, 1, 4)
    value = emit.scalar(arguments[0])
    if len(arguments) > 2:
        raise not_supported("DUMP with a start position")
    if value is NULL:
        return Sql("'NULL'::text", "S")
    text = f"{value.untyped}::bpchar" if is_text_literal(value) else value.text
    rest = f", {emit.value(arguments[1])}" if len(arguments) > 1 else ""
    return Sql(f"ora.dump({text}{rest})", "S")


def _hextoraw(emit: Expressions, arguments: Arguments) -> Sql:
    """HEXTORAW(a || RAWTOHEX(b)) is the bytes of a and then b: HMAC by STANDARD_HASH needs that cheaply.

    The shortcut holds when a has an even number of digits; PostgreSQL refuses an odd one here, where Oracle
    would put a zero before the whole.
    """
    need(arguments, 1, 1)
    node = arguments[0]
    if isinstance(node, exp.DPipe) and isinstance(node.this, exp.Placeholder | exp.Literal):
        tail = node.expression
        if isinstance(tail, exp.Anonymous) and tail.name.upper() == "RAWTOHEX" and len(tail.expressions) == 1:
            head = emit.string(node.this)
            return Sql(f"ora.hextoraw_prefix({head}, {_bytes(emit, tail.expressions[0])})", "R")
    value = emit.scalar(node)
    if value.digits_of is not None:
        return Sql(f"({value.digits_of.bytes})::ora.raw", "R")
    return Sql(f"ora.hextoraw({as_string(value)})", "R")


def _bytes(emit: Expressions, node: exp.Expr) -> str:
    """A value's bytes as they are stored: strings in UTF-8."""
    value = emit.scalar(node)
    if value.family == "S":
        return f"ora.text_bytes({value.text})"
    return f"ora.stored_bytes({value.text})" if value.family != "R" else value.text


_DIGESTS = {"MD5": "ora.md5", "SHA1": "ora.sha1", "SHA256": "sha256", "SHA384": "sha384", "SHA512": "sha512"}


def _standard_hash(emit: Expressions, arguments: Arguments) -> Sql:
    need(arguments, 1, 2)
    method = "SHA1"
    if len(arguments) == 2:
        choice = arguments[1]
        if not (isinstance(choice, exp.Literal) and choice.is_string and choice.name.upper() in _DIGESTS):
            raise OracleError(902, "invalid datatype")
        method = choice.name.upper()
    return Sql(f"{_DIGESTS[method]}({_bytes(emit, arguments[0])})::ora.raw", "R")


def _rawtohex(emit: Expressions, arguments: Arguments) -> Sql:
    need(arguments, 1, 1)
    return _hex(f"({_bytes(emit, arguments[0])})::bytea")


def _hex(value: str, most: int | None = None) -> Sql:
    """The digits of some bytes; there is at least one, as the empty RAW is NULL."""
    return Sql(f"ora.rawtohex({value})", "S", digits_of=HexDigits(value, most))


def _lower(emit: Expressions, arguments: Arguments) -> Sql:
    """PostgreSQL writes hexadecimal digits in small letters: what RAWTOHEX gives need not be folded twice."""
    need(arguments, 1, 1)
    value = emit.scalar(arguments[0])
    if value.digits_of is None:
        text, family = characters(emit, value)
        return Sql(f"ora.lower({text})", family)
    return Sql(f"encode({value.digits_of.bytes}, 'hex')", "S")


def _literal_time(function: str, family: str) -> Callable[[Expressions, Arguments], Sql]:
    def emitter(emit: Expressions, arguments: Arguments) -> Sql:
        text = arguments[0].name
        if family == "T" and _has_zone(text):
            return Sql(f"ora.timestamp_tz_literal({emit.string(arguments[0])})", "Z")
        return Sql(f"ora.{function}({emit.string(arguments[0])})", family)

    return emitter


def _has_zone(text: str) -> bool:
    tail = text.strip()[10:]
    return "+" in tail or "-" in tail or tail[-1:].isalpha()


def _concat(emit: Expressions, arguments: Arguments) -> Sql:
    need(arguments, 2, 2)
    return emit.concatenate(exp.DPipe(this=arguments[0], expression=arguments[1]))


def _trim_function(emit: Expressions, arguments: Arguments) -> Sql:
    raise OracleError(907, "missing right parenthesis")


_SPECIAL: dict[str, Callable[[Expressions, Arguments], Sql]] = {
    "NVL": _nvl,
    "NVL2": _nvl2,
    "NULLIF": _nullif,
    "COALESCE": _coalesce_function,
    "CONCAT": _concat,
    "DECODE": _decode,
    "GREATEST": _extreme("greatest"),
    "LEAST": _extreme("least"),
    "TO_CHAR": _to_char,
    "TO_DATE": _conversion("to_date", "D"),
    "TO_TIMESTAMP": _conversion("to_timestamp", "T"),
    "TO_TIMESTAMP_TZ": _conversion("to_timestamp_tz", "Z"),
    "TO_BINARY_DOUBLE": _to_binary("to_binary_double", "float8"),
    "TO_BINARY_FLOAT": _to_binary("to_binary_float", "float4"),
    "TO_NUMBER": _to_number,
    "LOWER": _lower,
    "MOD": _mod,
    "SUBSTR": _substr,
    "TRUNC": _trunc,
    "CHR": _chr,
    "DUMP": _dump,
    "HEXTORAW": _hextoraw,
    "RAWTOHEX": _rawtohex,
    "STANDARD_HASH": _standard_hash,
    "DATE LITERAL": _literal_time("date_literal", "D"),
    "TIMESTAMP LITERAL": _literal_time("timestamp_literal", "T"),
    "TRIM": _trim_function,
}
