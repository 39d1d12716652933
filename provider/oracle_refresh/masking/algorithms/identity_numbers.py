"""National numbers whose rules are more than kept and permuted slices: the US SSN and the German tax id."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.masking.algorithms.permutation import DIGITS, SMALL, View, mix, mixed

if TYPE_CHECKING:
    from oracle_refresh.masking.algorithms.protocol import SqlContext
    from oracle_refresh.masking.keys import DomainKey


@dataclass(frozen=True)
class SocialSecurityNumber:
    """Area 001 to 899 without 666, group 01 to 99, serial 0001 to 9999: a number out of 898 * 99 * 9999."""

    pattern: str = (
        "(00[1-9]|0[1-9][0-9]|[1-578][0-9]{2}|6[0-57-9][0-9]|66[0-57-9])(0[1-9]|[1-9][0-9])"
        "(000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})"
    )

    def mask(self, key: DomainKey, compact: str) -> str | None:
        area, group, serial = int(compact[:3]), int(compact[3:5]), int(compact[5:])
        pair = (area - (1 if area < 666 else 2), (group - 1) * 9999 + serial - 1)
        a, b = mixed(key, "us", pair, (898, 99 * 9999))
        return f"{a + (1 if a < 665 else 2):03d}{b // 9999 + 1:02d}{b % 9999 + 1:04d}"

    def query(self, context: SqlContext, source: str) -> str:
        view = View(source)
        view.wrap(
            *("V", "X", "898 AS SA", f"{99 * 9999} AS SB", "CHR(31) || 'us' || CHR(31) AS TWEAK"),
            "TO_NUMBER(SUBSTR(C, 1, 3)) - CASE WHEN SUBSTR(C, 1, 3) < '666' THEN 1 ELSE 2 END AS A",
            "(TO_NUMBER(SUBSTR(C, 4, 2)) - 1) * 9999 + TO_NUMBER(SUBSTR(C, 6)) - 1 AS B",
        )
        a, b = mix(view, context.permutation(), ["V", "X", "SA", "SB", "TWEAK"], SMALL)
        view.wrap("V", "X", f"{a} AS A", f"{b} AS B")
        area = "LPAD(TO_CHAR(A + CASE WHEN A < 665 THEN 1 ELSE 2 END), 3, '0')"
        group, serial = (
            "LPAD(TO_CHAR(TRUNC(B / 9999) + 1), 2, '0')",
            "LPAD(TO_CHAR(MOD(B, 9999) + 1), 4, '0')",
        )
        return f"SELECT V, X, {area} || {group} || {serial} AS MAPPED FROM ({view.sql})"

    def right(self, compact: str) -> str:
        return "1 = 1"


#: Which digits are left to choose from, place by place: the first is not 0, then one less each time.
_CHOICES = (9, 9, 8, 7, 6, 5, 4, 3, 2)
_FIRST_HALF = 9 * 9 * 8
_SECOND_HALF = 7 * 6 * 5 * 4 * 3 * 2
_TWICE = r"([0-9]).*\1"


@dataclass(frozen=True)
class GermanTaxId:
    """Ten digits of which exactly one comes two or three times, the first not 0, and a check digit (ISO 7064,
    MOD 11,10). The places of the digit that repeats stay; which digits stand where is one number, by its rank
    among all arrangements."""

    pattern: str = "[1-9][0-9]{10}"

    def mask(self, key: DomainKey, compact: str) -> str | None:
        body = compact[:10]
        repeated = [digit for digit in DIGITS if body.count(digit) > 1]
        if len(repeated) != 1 or body.count(repeated[0]) > 3 or check_digit(body) != compact[10]:
            return None
        places = "".join("*" if digit == repeated[0] else "." for digit in body)
        ordered = "".join(dict.fromkeys(body))
        triple = len(ordered) == 8
        size = _SECOND_HALF // 2 if triple else _SECOND_HALF
        pair = mixed(key, places, divmod(_rank(ordered), size), (_FIRST_HALF, size))
        chosen = _arrangement((pair[0] * size + pair[1]) * (2 if triple else 1))
        twice = chosen[places.index("*")]
        singles, first, masked = iter(chosen), True, ""
        for place in places:
            masked += twice if place == "*" and not first else next(singles)
            first = first and place != "*"
        return masked + check_digit(masked)

    def query(self, context: SqlContext, source: str) -> str:
        view = View(source)
        view.wrap("V", "X", "C", "SUBSTR(C, 1, 10) AS P")
        view.wrap("V", "X", "C", "P", f"REGEXP_SUBSTR(P, '{_TWICE}', 1, 1, NULL, 1) AS R")
        view.wrap(
            *("V", "X", "C", "P"),
            "SUBSTR(P, 1, INSTR(P, R)) || REPLACE(SUBSTR(P, INSTR(P, R) + 1), R) AS S",
            f"TRANSLATE(REPLACE(P, R, '*'), '{DIGITS}', '..........') AS PLACES",
        )
        conforms = (
            f"LENGTH(S) IN (8, 9) AND NOT REGEXP_LIKE(S, '{_TWICE}') AND SUBSTR(C, 11) = {_check_sql('P')}"
        )
        # Without S everything that follows is NULL.
        view.wrap("V", "X", "PLACES", f"CASE WHEN {conforms} THEN S END AS S")
        kept = ["V", "X", "PLACES"]
        rest, number = f"REPLACE('{DIGITS}', SUBSTR(S, 1, 1)) AS REST", "TO_NUMBER(SUBSTR(S, 1, 1)) - 1 AS N"
        view.wrap(*kept, "S", rest, number)
        for place, choices in enumerate(_CHOICES[1:], 2):
            char = f"SUBSTR(S, {place}, 1)"
            number = f"N * {choices} + NVL(INSTR(REST, {char}), 1) - 1 AS N"
            view.wrap(*kept, "S", f"REPLACE(REST, {char}) AS REST", number)
        kept += ["F"]
        view.wrap("V", "X", "PLACES", "10 - LENGTH(S) AS F", "N")
        tweak = "CHR(31) || PLACES || CHR(31) AS TWEAK"
        view.wrap(*kept, "N / F AS N", f"{_SECOND_HALF} / F AS SB", f"{_FIRST_HALF} AS SA", tweak)
        mixing = [*kept, "SA", "SB", "TWEAK"]
        view.wrap(*mixing, "TRUNC(N / SB) AS A", "MOD(N, SB) AS B")
        a, b = mix(view, context.permutation(), mixing, SMALL)
        weight = _FIRST_HALF * _SECOND_HALF // 9
        view.wrap(*kept, f"({a} * SB + {b}) * F AS N", f"'{DIGITS}' AS REST")
        view.wrap(*kept, f"MOD(N, {weight}) AS N", "REST", f"SUBSTR(REST, TRUNC(N / {weight}) + 2, 1) AS S")
        view.wrap(*kept, "N", "REPLACE(REST, S) AS REST", "S")
        for choices in _CHOICES[1:]:
            weight //= choices
            view.wrap(*kept, "N", "REST", "S", f"SUBSTR(REST, TRUNC(N / {weight}) + 1, 1) AS C")
            view.wrap(*kept, f"MOD(N, {weight}) AS N", "REPLACE(REST, C) AS REST", "S || C AS S")
        view.wrap(
            *("V", "X", "SUBSTR(S, 1, 10 - F) AS S", "SUBSTR(S, INSTR(PLACES, '*'), 1) AS R"),
            *("INSTR(PLACES, '*', 1, 2) AS P2", "INSTR(PLACES, '*', 1, 3) AS P3"),
        )
        view.wrap(
            *("V", "X"),
            "CASE WHEN S IS NOT NULL THEN SUBSTR(S, 1, P2 - 1) || R || "
            "CASE WHEN P3 = 0 THEN SUBSTR(S, P2) ELSE "
            "CASE WHEN P3 - 1 > P2 THEN SUBSTR(S, P2, P3 - 1 - P2) END "
            "|| R || SUBSTR(S, P3 - 1) END END AS P",
        )
        whole = f"CASE WHEN P IS NOT NULL THEN P || {_check_sql('P')} END"
        return f"SELECT V, X, {whole} AS MAPPED FROM ({view.sql})"

    def right(self, compact: str) -> str:
        """SQL: of the first ten digits one comes twice or three times and all others once, and the last is
        the check digit."""
        state = "9"
        for place in range(1, 11, 2):
            pair = f"TO_NUMBER(SUBSTR({compact}, {place}, 2))"
            state = f"TO_NUMBER(SUBSTR('{_PRODUCTS}', 100 * {state} + {pair} + 1, 1))"
        body = f"SUBSTR({compact}, 1, 10)"
        different = " + ".join(f"SIGN(INSTR({body}, '{digit}'))" for digit in DIGITS)
        three = " OR ".join(f"INSTR({body}, '{digit}', 1, 3) > 0" for digit in DIGITS)
        return (
            f"MOD(10 - {state}, 10) = TO_NUMBER(SUBSTR({compact}, 11)) AND "
            f"({different} = 9 OR {different} = 8 AND ({three}))"
        )


def _rank(ordered: str) -> int:
    """The place of an arrangement of eight or nine different digits among all, the first not 0."""
    rest = DIGITS.replace(ordered[0], "")
    number = int(ordered[0]) - 1
    for char, choices in zip(ordered[1:], _CHOICES[1:], strict=False):
        number = number * choices + rest.index(char)
        rest = rest.replace(char, "")
    return number


def _arrangement(number: int) -> str:
    """The arrangement of nine digits with a rank."""
    weight, rest, chosen = _FIRST_HALF * _SECOND_HALF // 9, DIGITS[1:], ""
    for choices in (*_CHOICES[1:], 1):
        place, number = divmod(number, weight)
        chosen += rest[place]
        rest = DIGITS.replace(chosen, "") if len(chosen) == 1 else rest.replace(rest[place], "")
        weight //= choices
    return chosen


def _step(product: int, digit: int) -> int:
    return 2 * ((digit + product) % 10 or 10) % 11


#: The state after each state (1 to 10) and digit, written as a digit one less.
_STEPS = "".join(str(_step(product, digit) - 1) for product in range(1, 11) for digit in range(10))


def check_digit(body: str) -> str:
    """The last digit of a German tax id (ISO 7064, MOD 11,10)."""
    product = 10
    for char in body:
        product = _step(product, int(char))
    return str((11 - product) % 10)


def _check_sql(body: str) -> str:
    state = "'9'"
    for place in range(1, 11):
        state = f"SUBSTR('{_STEPS}', 10 * TO_NUMBER({state}) + TO_NUMBER(SUBSTR({body}, {place}, 1)) + 1, 1)"
    return f"TO_CHAR(MOD(10 - TO_NUMBER({state}), 10))"


def _product(product: int, digits: int) -> int:
    """The product of ISO 7064, MOD 11,10, after two further digits: written for the proof alone."""
    for digit in divmod(digits, 10):
        product = ((product + digit) % 10 or 10) * 2 % 11
    return product


#: The products (1 to 10, each one less) after each product and each pair of digits: nested arithmetic over
#: single digits would be too deep for a parser.
_PRODUCTS = "".join(str(_product(product, digits) - 1) for product in range(1, 11) for digits in range(100))
