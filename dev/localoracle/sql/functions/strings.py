"""Functions of strings and of the hexadecimal digits of bytes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sqlglot import exp

from localoracle.errors import OracleError, not_supported
from localoracle.instance.creation import created_with
from localoracle.sql.context import NULL, HexDigits, Sql
from localoracle.sql.expressions.conversion import as_string, is_text_literal
from localoracle.sql.expressions.strings import characters
from localoracle.sql.functions.aggregates import Arguments
from localoracle.sql.functions.simple import argument_text
from localoracle.sql.types.literals import number_range

if TYPE_CHECKING:
    from localoracle.sql.expressions.expression import Expressions


#: So many hexadecimal digits are a number that an 8-byte integer holds: whole bytes, and digits.
INT8_DIGITS, SHORT_DIGITS = 14, 15


def cut_to(node: exp.Expr) -> int | None:
    """The n of SUBSTR(x, a, n): what is no longer than its format needs no test of that for each row."""
    if not (isinstance(node, exp.Anonymous) and node.name.upper() == "SUBSTR" and len(node.expressions) == 3):
        return None
    size = node.expressions[2]
    constant = isinstance(size, exp.Literal) and not size.is_string and size.name.isdigit()
    return int(size.name) if constant else None


def substr(emit: Expressions, arguments: Arguments) -> Sql:
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
    if digits is None or length != SHORT_DIGITS or not _SIMPLE_BYTES.fullmatch(digits.bytes):
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


def chr(emit: Expressions, arguments: Arguments) -> Sql:
    """CHR of what is surely an ASCII character is PostgreSQL's."""
    value = argument_text(emit, arguments[0], "n")
    least, most = number_range(arguments[0])
    plain = least >= 1 and most < _ASCII_CHARACTERS and created_with().character_set == "AL32UTF8"
    return Sql(f"chr(trunc({value})::int4)" if plain else f"ora.chr({value})", "S")


_ASCII_CHARACTERS = 128


def dump(emit: Expressions, arguments: Arguments) -> Sql:
    """DUMP of a string or bytes; a literal is a CHAR value."""
    value = emit.scalar(arguments[0])
    if len(arguments) > 2:
        raise not_supported("DUMP with a start position")
    if value is NULL:
        return Sql("'NULL'::text", "S")
    text = f"{value.untyped}::bpchar" if is_text_literal(value) else value.text
    rest = f", {emit.value(arguments[1])}" if len(arguments) > 1 else ""
    return Sql(f"ora.dump({text}{rest})", "S")


def hextoraw(emit: Expressions, arguments: Arguments) -> Sql:
    """HEXTORAW(a || RAWTOHEX(b)) is the bytes of a and then b: HMAC by STANDARD_HASH needs that cheaply.

    The shortcut holds when a has an even number of digits; PostgreSQL refuses an odd one here, where Oracle
    would put a zero before the whole.
    """
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


def standard_hash(emit: Expressions, arguments: Arguments) -> Sql:
    method = "SHA1"
    if len(arguments) == 2:
        choice = arguments[1]
        if not (isinstance(choice, exp.Literal) and choice.is_string and choice.name.upper() in _DIGESTS):
            raise OracleError(902, "invalid datatype")
        method = choice.name.upper()
    return Sql(f"{_DIGESTS[method]}({_bytes(emit, arguments[0])})::ora.raw", "R")


def rawtohex(emit: Expressions, arguments: Arguments) -> Sql:
    return _hex(f"({_bytes(emit, arguments[0])})::bytea")


def _hex(value: str, most: int | None = None) -> Sql:
    """The digits of some bytes; there is at least one, as the empty RAW is NULL."""
    return Sql(f"ora.rawtohex({value})", "S", digits_of=HexDigits(value, most))


def lower(emit: Expressions, arguments: Arguments) -> Sql:
    """PostgreSQL writes hexadecimal digits in small letters: what RAWTOHEX gives need not be folded twice."""
    value = emit.scalar(arguments[0])
    if value.digits_of is None:
        text, family = characters(emit, value)
        return Sql(f"ora.lower({text})", family)
    return Sql(f"encode({value.digits_of.bytes}, 'hex')", "S")
