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
