"""Literals of numbers and intervals, the data types of intervals, and the ranges and digits of expressions.

SQL Language Reference, "Numeric Literals", "NUMBER Data Type", "Interval Literals", "Interval Data Types".
"""

from __future__ import annotations

import math
import re
from decimal import ROUND_HALF_UP, Context, Decimal

from sqlglot import exp

from localoracle.errors import OracleError, not_supported
from localoracle.sql.parsing.lexer import Cursor

_PLAIN_DIGITS = 38
_EXACT = Context(prec=1000, rounding=ROUND_HALF_UP)
_BASE_100_DIGITS = 20
_LARGEST_EXPONENT, _SMALLEST_EXPONENT = 125, -130


def number_literal(text: str) -> str:
    """The literal with the digits that NUMBER keeps; ORA-01426 from 1E126 on."""
    if len(text) <= _PLAIN_DIGITS and text.isdigit():
        return text
    number = _EXACT.create_decimal(text)
    if not number:
        return "0"
    if number.adjusted() < _SMALLEST_EXPONENT:
        return "0"
    # The digit of base 100 that the first decimal digit belongs to, and the 19 behind it.
    last = Decimal(1).scaleb(2 * (number.adjusted() // 2 + 1 - _BASE_100_DIGITS))
    number = number.quantize(last, context=_EXACT) if number.as_tuple().exponent < last.adjusted() else number  # type: ignore[operator]
    if number.adjusted() > _LARGEST_EXPONENT:
        raise OracleError(1426, "numeric overflow")
    return str(number)


_MANY_DIGITS = {
    "ACOS", "ASIN", "ATAN", "ATAN2", "AVG", "COS", "COSH", "EXP", "LN", "LOG", "MEDIAN", "MONTHS_BETWEEN",
    "POWER", "RATIO_TO_REPORT", "SIN", "SINH", "SQRT", "STDDEV", "STDDEV_POP", "STDDEV_SAMP", "TAN", "TANH",
    "VARIANCE", "VAR_POP", "VAR_SAMP",
}  # fmt: skip
_FEW_DIGITS = {
    "ASCII", "CEIL", "COUNT", "DENSE_RANK", "EXTRACT", "FLOOR", "INSTR", "LENGTH", "LENGTHB", "MOD", "NTILE",
    "RANK", "ROUND", "ROW_NUMBER", "SIGN", "TRUNC", "VSIZE",
}  # fmt: skip
_MANY = 18


def has_many_digits(node: exp.Expr | None) -> bool:
    """Whether sums and products with such an operand may have more digits than a NUMBER.

    A quotient, or what a function computes, has all that there are; a large literal may be far from others.
    What columns and variables hold is not known here.
    """
    match node:
        case exp.Literal() if not node.is_string:
            return len(node.name) > _MANY or "E" in node.name.upper()
        case exp.Div():
            return True
        case exp.Paren() | exp.Neg():
            return has_many_digits(node.this)
        case exp.Add() | exp.Sub() | exp.Mul():
            return has_many_digits(node.this) or has_many_digits(node.expression)
        case exp.Window():
            return has_many_digits(node.this)
        case exp.Anonymous():
            name = node.name.upper()
            if name in _MANY_DIGITS or name in _FEW_DIGITS:
                return name in _MANY_DIGITS
            return any(has_many_digits(argument) for argument in node.expressions)
        case exp.Case():
            results = [branch.args["true"] for branch in node.args["ifs"]]
            return any(has_many_digits(result) for result in (*results, node.args.get("default")))
    return False


def number_range(node: exp.Expr | None) -> tuple[float, float]:
    """The least and the largest value that an expression can have, as far as its text alone shows."""
    match node:
        case exp.Literal() if not node.is_string:
            return float(node.name), float(node.name)
        case exp.Paren():
            return number_range(node.this)
        case exp.Add():
            left, right = number_range(node.this), number_range(node.expression)
            return left[0] + right[0], left[1] + right[1]
        case exp.Anonymous() if node.name.upper() == "MOD" and len(node.expressions) == 2:
            most = max(map(abs, number_range(node.expressions[1])))
            return (-most, most) if most else (-math.inf, math.inf)
    return -math.inf, math.inf


_YEAR_FIELDS = ("YEAR", "MONTH")
_DAY_FIELDS = ("DAY", "HOUR", "MINUTE", "SECOND")
_MICROSECONDS = {"DAY": 86_400_000_000, "HOUR": 3_600_000_000, "MINUTE": 60_000_000, "SECOND": 1_000_000}
_LIMITS = {
    "HOUR": (23, 1850, "hour must be between 0 and 23"),
    "MINUTE": (59, 1851, "minutes must be between 0 and 59"),
    "SECOND": (59, 1852, "seconds must be between 0 and 59"),
    "MONTH": (11, 1843, "not a valid month"),
}
_BETWEEN = {"MONTH": r"\s*-\s*", "HOUR": r"\s+", "MINUTE": r"\s*:\s*", "SECOND": r"\s*:\s*"}
_INTEGER_LIMIT = 2**63
DEFAULT_LEADING, DEFAULT_FRACTION = 2, 6
KEPT_FRACTION = 6
"""Digits of a fraction of a second that are kept; those behind have to be zeros."""


def modified(name: str, leading: int, fraction: int) -> str:
    """PostgreSQL's type with the precisions as 13_intervals.sql has them in its modifier."""
    return f"ora.{name}({leading * 10 + fraction + 1})"


def precisions(modifier: int) -> tuple[int, int]:
    """The leading precision and the digits of the fraction; 9 where the type has none."""
    return divmod(modifier - 5, 10) if modifier >= 5 else (9, 9)


def parse_interval_type(cursor: Cursor) -> str:
    """PostgreSQL's name of what follows INTERVAL in a data type."""

    def precision(default: int) -> int:
        if not cursor.take("("):
            return default
        digits = cursor.number()
        cursor.expect(")", 907, "missing right parenthesis")
        if not 0 <= digits <= 9:
            raise cursor.error(30088, "datetime/interval precision is out of range")
        return digits

    if cursor.take("YEAR"):
        leading = precision(DEFAULT_LEADING)
        cursor.expect("TO MONTH", 30089, "missing or invalid <datetime field>")
        return modified("interval_ym", leading, 0)
    cursor.expect("DAY", 30089, "missing or invalid <datetime field>")
    leading = precision(DEFAULT_LEADING)
    cursor.expect("TO SECOND", 30089, "missing or invalid <datetime field>")
    return modified("interval_ds", leading, precision(DEFAULT_FRACTION))


def interval_literal(node: exp.Interval) -> tuple[str, tuple[int, int]]:
    """INTERVAL '3-2' YEAR TO MONTH, INTERVAL '4 5:12:10.222' DAY TO SECOND(3), INTERVAL '10' HOUR ...

    Returns PostgreSQL's text, and the digits of years or days and of a second's fraction when it is written.
    """
    value, unit = node.this, node.args.get("unit")
    if not (isinstance(value, exp.Literal) and value.is_string):
        raise not_supported("an interval expression")
    parts = (unit.this, unit.expression) if isinstance(unit, exp.IntervalSpan) else (unit,)
    first, leading, fraction = _field(parts[0], leads=True)
    last, _, fraction = _field(parts[-1], leads=False) if len(parts) == 2 else (first, leading, fraction)
    family = _YEAR_FIELDS if first in _YEAR_FIELDS else _DAY_FIELDS
    if last not in family or (len(parts) == 2 and family.index(last) <= family.index(first)):
        raise OracleError(30089, "missing or invalid <datetime field>")
    fields = family[family.index(first) : family.index(last) + 1]
    sign, numbers = _numbers(value.name, fields)
    if len(str(int(numbers[0]))) > leading and numbers[0] >= 1:
        raise OracleError(1873, "the leading precision of the interval is too small")
    if family is _YEAR_FIELDS:
        factors = {"YEAR": 12, "MONTH": 1}
        months = sum(int(number) * factors[name] for name, number in zip(fields, numbers, strict=True))
        written = (leading if first == "YEAR" else DEFAULT_LEADING, 0)
        return _constant(sign * months, modified("interval_ym", 9, 0)), written
    if fields[-1] == "SECOND":
        rounded = numbers[-1].quantize(Decimal(1).scaleb(-fraction), ROUND_HALF_UP)
        if rounded != round(rounded, KEPT_FRACTION):
            raise not_supported("fractions of a second of more than 6 digits")
        numbers[-1] = rounded
    microseconds = int(
        sum(number * _MICROSECONDS[name] for name, number in zip(fields, numbers, strict=True))
    )
    # The leading field may be one of hours: the days that it makes have as many digits as they need.
    written = (leading if first == "DAY" else DEFAULT_LEADING, fraction if fields[-1] == "SECOND" else 0)
    return _constant(sign * microseconds, modified("interval_ds", 9, fraction)), written


def _constant(number: int, name: str) -> str:
    if abs(number) >= _INTEGER_LIMIT:
        raise not_supported("intervals of more than 106751991 days")
    return f"('{number}'::int8::{name})"


def _field(part: object, *, leads: bool) -> tuple[str, int, int]:
    """A field, its leading precision, the digits of its fraction: DAY(3), SECOND(2, 1), TO SECOND(3)."""
    if not isinstance(part, exp.Var | exp.Anonymous | exp.Column):
        raise OracleError(30089, "missing or invalid <datetime field>")
    name = part.name.upper()
    if name not in _YEAR_FIELDS + _DAY_FIELDS:
        raise OracleError(30089, "missing or invalid <datetime field>")
    given = [_digits(each) for each in part.expressions] if isinstance(part, exp.Anonymous) else []
    if name == "SECOND" and not leads:
        return name, DEFAULT_LEADING, (given or [DEFAULT_FRACTION])[0]
    if len(given) > (2 if name == "SECOND" else 1) or (given and not leads):
        raise OracleError(30089, "missing or invalid <datetime field>")
    leading, fraction = [*given, *(DEFAULT_LEADING, DEFAULT_FRACTION)[len(given) :]][:2]
    return name, leading, fraction


def _digits(node: exp.Expr) -> int:
    if not (isinstance(node, exp.Literal) and not node.is_string and node.name.isdigit()):
        raise OracleError(30088, "datetime/interval precision is out of range")
    if int(node.name) > 9:
        raise OracleError(30088, "datetime/interval precision is out of range")
    return int(node.name)


def _numbers(text: str, fields: tuple[str, ...]) -> tuple[int, list[Decimal]]:
    """The sign and what stands for each field; all but the leading one have their limits."""
    pattern = r"\s*([+-]?)\s*" + "".join(
        ("" if place == 0 else _BETWEEN[name]) + (r"(\d+(?:\.\d*)?)" if name == "SECOND" else r"(\d+)")
        for place, name in enumerate(fields)
    )
    match = re.fullmatch(pattern + r"\s*", text)
    if match is None:
        raise OracleError(1867, "the interval is invalid")
    numbers = [Decimal(part) for part in match.groups()[1:]]
    for name, number in list(zip(fields, numbers, strict=True))[1:]:
        most, code, message = _LIMITS[name]
        if int(number) > most:
            raise OracleError(code, message)
    return (-1 if match[1] == "-" else 1), numbers
