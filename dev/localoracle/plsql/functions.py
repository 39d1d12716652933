"""SQL functions that PL/SQL evaluates without SQL, where Python's semantics are surely Oracle's.

Every other documented function goes through `SELECT f(...) FROM DUAL`.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_DOWN, ROUND_FLOOR, ROUND_HALF_UP, Decimal
from typing import Any

from localoracle.errors import OracleError
from localoracle.plsql.conversion import ARITHMETIC, number_text, tidy, to_number, value_error

Function = Callable[..., Any]


def _decimal(value: Any) -> Decimal:
    number = to_number(value)
    assert number is not None
    return ARITHMETIC.create_decimal(repr(number) if isinstance(number, float) else number)


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.hex().upper()
    return number_text(value)


def _substr(text: Any, start: Any, length: Any = None) -> str | None:
    source = _text(text)
    begin = int(_decimal(start).to_integral_value(ROUND_DOWN))
    count = None if length is None else int(_decimal(length).to_integral_value(ROUND_DOWN))
    if count is not None and count < 1:
        return None
    if begin < 0:
        begin += len(source)
        if begin < 0:
            return None
    elif begin > 0:
        begin -= 1
    return source[begin : None if count is None else begin + count] or None


def _instr(text: Any, pattern: Any, start: Any = 1, nth: Any = 1) -> int:
    source, sought = _text(text), _text(pattern)
    begin, occurrence = int(_decimal(start)), int(_decimal(nth))
    if begin == 0:
        return 0
    if begin > 0:
        place = begin - 2
        for _ in range(occurrence):
            place = source.find(sought, place + 1)
            if place < 0:
                return 0
        return place + 1
    place = len(source) + begin + 1
    for _ in range(occurrence):
        place = source.rfind(sought, 0, place - 1 + len(sought)) if place > 0 else -1
        if place < 0:
            return 0
    return place + 1


def _pad(left: bool) -> Function:
    def pad(text: Any, size: Any, filler: Any = " ") -> str | None:
        source, count, fill = _text(text), int(_decimal(size)), _text(filler)
        if count <= 0:
            return None
        missing = count - len(source)
        if missing <= 0:
            return source[:count]
        padding = (fill * (missing // len(fill) + 1))[:missing]
        return padding + source if left else source + padding

    return pad


def _trim(left: bool, right: bool) -> Function:
    def trim(text: Any, characters: Any = " ") -> str | None:
        result = _text(text)
        if left:
            result = result.lstrip(_text(characters))
        if right:
            result = result.rstrip(_text(characters))
        return result or None

    return trim


def _round(mode: str) -> Function:
    def rounded(value: Any, places: Any = 0) -> Any:
        number = _decimal(value)
        return tidy(number.quantize(Decimal(1).scaleb(-int(_decimal(places))), mode, ARITHMETIC))

    return rounded


def _mod(value: Any, divisor: Any) -> Any:
    right = _decimal(divisor)
    return to_number(value) if right == 0 else tidy(ARITHMETIC.remainder(_decimal(value), right))


def _power(base: Any, exponent: Any) -> Any:
    return tidy(ARITHMETIC.power(_decimal(base), _decimal(exponent)))


def _chr(code: Any) -> str:
    number = int(_decimal(code))
    data = number.to_bytes(max((number.bit_length() + 7) // 8, 1), "big")
    return data.decode("utf-8", errors="replace")


def _hextoraw(text: Any) -> bytes | None:
    digits = _text(text)
    try:
        return bytes.fromhex(digits if len(digits) % 2 == 0 else "0" + digits) or None
    except ValueError:
        raise value_error("hex to raw conversion error") from None


def _to_number(text: Any) -> Any:
    return to_number(text)


def _sign(value: Any) -> int:
    number = _decimal(value)
    return (number > 0) - (number < 0)


# NULL in, NULL out. (name) -> (function, argument count at least, at most)
STRICT: dict[str, tuple[Function, int, int]] = {
    "UPPER": (lambda text: _text(text).upper(), 1, 1),
    "LOWER": (lambda text: _text(text).lower(), 1, 1),
    "LENGTH": (lambda text: len(_text(text)), 1, 1),
    "LENGTHB": (lambda text: len(_text(text).encode()), 1, 1),
    "SUBSTR": (_substr, 2, 3),
    "INSTR": (_instr, 2, 4),
    "LPAD": (_pad(True), 2, 3),
    "RPAD": (_pad(False), 2, 3),
    "LTRIM": (_trim(True, False), 1, 2),
    "RTRIM": (_trim(False, True), 1, 2),
    "TRIM": (_trim(True, True), 1, 1),
    "CHR": (_chr, 1, 1),
    "ASCII": (lambda text: int.from_bytes(_text(text)[0].encode(), "big"), 1, 1),
    "ABS": (lambda value: tidy(abs(_decimal(value))), 1, 1),
    "CEIL": (lambda value: int(_decimal(value).to_integral_value(ROUND_CEILING)), 1, 1),
    "FLOOR": (lambda value: int(_decimal(value).to_integral_value(ROUND_FLOOR)), 1, 1),
    "SIGN": (_sign, 1, 1),
    "MOD": (_mod, 2, 2),
    "POWER": (_power, 2, 2),
    "BITAND": (lambda left, right: int(_decimal(left)) & int(_decimal(right)), 2, 2),
    "HEXTORAW": (_hextoraw, 1, 1),
    "RAWTOHEX": (
        lambda raw: raw.hex().upper() if isinstance(raw, bytes) else _text(raw).encode().hex().upper(),
        1,
        1,
    ),
}
_NUMERIC = {
    "ROUND": (_round(ROUND_HALF_UP), 1, 2),
    "TRUNC": (_round(ROUND_DOWN), 1, 2),
    "TO_NUMBER": (_to_number, 1, 1),
}


def native(name: str, arguments: list[Any]) -> tuple[bool, Any]:
    """(True, value) when the function and these values are ours to evaluate, else (False, None)."""
    entry = STRICT.get(name)
    if entry is None and name in _NUMERIC:
        simple = name == "TO_NUMBER" or all(value is None or _is_number(value) for value in arguments)
        entry = _NUMERIC[name] if simple else None
    if entry is None:
        return False, None
    function, least, most = entry
    if not least <= len(arguments) <= most:
        return False, None
    if not all(value is None or _is_number(value) or isinstance(value, str | bytes) for value in arguments):
        return False, None
    if any(isinstance(value, float) for value in arguments):
        return False, None
    if any(value is None for value in arguments):
        return True, None
    try:
        result = function(*arguments)
    except (ValueError, ArithmeticError) as error:
        raise OracleError(6502, "PL/SQL: numeric or value error") from error
    return True, None if result == "" else result


def _is_number(value: Any) -> bool:
    return isinstance(value, int | Decimal | float) and not isinstance(value, bool)


_SQL_NAMES = """
ACOS ADD_MONTHS ASCIISTR ASIN ATAN ATAN2 BFILENAME BIN_TO_NUM CHARTOROWID COMPOSE CONCAT CONVERT COS
COSH CURRENT_DATE CURRENT_TIMESTAMP DBTIMEZONE DECOMPOSE EMPTY_BLOB EMPTY_CLOB EXP FROM_TZ INITCAP
INSTRB LAST_DAY LENGTHC LN LOCALTIMESTAMP LOG MONTHS_BETWEEN NANVL NEW_TIME NEXT_DAY NLS_INITCAP
NLS_LOWER NLS_UPPER NLSSORT NUMTODSINTERVAL NUMTOYMINTERVAL ORA_HASH RAWTONHEX REGEXP_COUNT REGEXP_INSTR
REGEXP_LIKE REGEXP_REPLACE REGEXP_SUBSTR REMAINDER REPLACE ROWIDTOCHAR ROWIDTONCHAR SCN_TO_TIMESTAMP
SESSIONTIMEZONE SIN SINH SOUNDEX SQRT STANDARD_HASH SUBSTRB SYS_CONTEXT SYS_EXTRACT_UTC SYS_GUID SYSDATE
SYSTIMESTAMP TAN TANH TIMESTAMP_TO_SCN TO_BINARY_DOUBLE TO_BINARY_FLOAT TO_BLOB TO_CHAR TO_CLOB TO_DATE
TO_DSINTERVAL TO_MULTI_BYTE TO_NCHAR TO_NCLOB TO_SINGLE_BYTE TO_TIMESTAMP TO_TIMESTAMP_TZ TO_YMINTERVAL
TRANSLATE TZ_OFFSET UID UNISTR USERENV WIDTH_BUCKET
"""

# Functions of SQL that PL/SQL may call and that are evaluated by SQL (SQL Language Reference, "Functions").
SQL_FUNCTIONS = frozenset({*STRICT, *_NUMERIC} | set(_SQL_NAMES.split()))

# Functions that PL/SQL itself evaluates because their arguments are not all needed or may be of any type.
SPECIAL_FUNCTIONS = frozenset(
    {"NVL", "NVL2", "COALESCE", "NULLIF", "GREATEST", "LEAST", "DECODE", "USER", "SQLCODE", "SQLERRM"}
)
