"""Interval literals and data types ("Interval Literals" and "Interval Data Types")."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal

from sqlglot import exp

from localoracle.errors import OracleError, not_supported
from localoracle.sql.parsing.lexer import Cursor

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
    ends = (unit.this, unit.expression) if isinstance(unit, exp.IntervalSpan) else (unit,)
    first, leading, fraction = _field(ends[0], leads=True)
    last, _, fraction = _field(ends[-1], leads=False) if len(ends) == 2 else (first, leading, fraction)
    family = _YEAR_FIELDS if first in _YEAR_FIELDS else _DAY_FIELDS
    if last not in family or (len(ends) == 2 and family.index(last) <= family.index(first)):
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
