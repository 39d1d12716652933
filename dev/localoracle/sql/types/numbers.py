"""Number literals as NUMBER holds them ("Numeric Literals", "NUMBER Data Type"); ranges of expressions."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Context, Decimal

from sqlglot import exp

from localoracle.errors import OracleError

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
    """The least and the largest value that an expression can have, as far as it says so itself."""
    match node:
        case exp.Literal() if not node.is_string:
            return float(node.name), float(node.name)
        case exp.Paren():
            return number_range(node.this)
        case exp.Add():
            one, two = number_range(node.this), number_range(node.expression)
            return one[0] + two[0], one[1] + two[1]
        case exp.Anonymous() if node.name.upper() == "MOD" and len(node.expressions) == 2:
            most = max(map(abs, number_range(node.expressions[1])))
            return (-most, most) if most else (-math.inf, math.inf)
    return -math.inf, math.inf
