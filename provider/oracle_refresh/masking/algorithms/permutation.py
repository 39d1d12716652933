"""The keyed permutation that the format-preserving algorithms share.

The digits and letters (A-Z, a-z) of a text are read as one number of mixed radix (10 and 26) and split into
two halves A and B. A keyed Feistel network E maps the pair one to one; the result is E^-1(S(E(A, B))), where
S adds an amount between 1 and |A| - 1 to A. S has no fixed point, so neither has the whole: no text stays as
it was, and no two meet. The round function is HMAC-SHA-256 over the round, the other half, and a tweak: the
text's shape with the characters around it. Length, letter case and everything else in the text are kept.

Why not FF1 of NIST SP 800-38G: of the libraries in the Python registry `ff3` implements FF3-1, which revision
1 of the publication (second draft, February 2025) drops, and `pyffx` the earlier draft FFX; none offers FF1.
And AES is not available to Oracle's SQL without a call of DBMS_CRYPTO per round, while HMAC-SHA-256 is two
calls of STANDARD_HASH.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from oracle_refresh.masking.algorithms import base
from oracle_refresh.masking.keys import SEPARATOR

if TYPE_CHECKING:
    from oracle_refresh.masking.algorithms.protocol import SqlContext
    from oracle_refresh.masking.keys import DomainKey

UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LOWER = UPPER.lower()
DIGITS = "0123456789"
MAX_DIGITS = 30
MAX_LETTERS = 16
#: 112 bits: far above the largest half (10^15 * 26^8, 88 bits), and exact in Oracle's NUMBER of 38 digits.
HEX_DIGITS = 28
#: A character for each maskable place of a template: letters and digits, which no separator of a shape is.
_PLACES = DIGITS + UPPER + LOWER
_DIGIT_PLACES = _PLACES[:MAX_DIGITS]
_UPPER_PLACES = _PLACES[MAX_DIGITS : MAX_DIGITS + MAX_LETTERS]
_LOWER_PLACES = _PLACES[MAX_DIGITS + MAX_LETTERS :]
_SHAPES = str.maketrans(DIGITS + UPPER + LOWER, "0" * 10 + "A" * 26 + "a" * 26)


def permuted(key: DomainKey, head: str, middle: str, tail: str = "", steps: bool = True) -> str | None:
    """The reference: `middle` permuted, or None when it has no character to map, or too many.

    :param steps: see `mixed`.
    """
    shape = middle.translate(_SHAPES)
    digits = re.sub("[^0-9]", "", middle)
    letters = re.sub("[^A-Za-z]", "", middle).upper()
    if not digits + letters or len(digits) > MAX_DIGITS or len(letters) > MAX_LETTERS:
        return None
    first_digits = (len(digits) + 1) // 2
    first_letters = (len(letters) + 1 - len(digits) % 2) // 2
    sizes = (first_digits, first_letters), (len(digits) - first_digits, len(letters) - first_letters)
    halves = mixed(
        key,
        SEPARATOR.join((head, shape, tail)),
        (
            _number(digits[:first_digits], letters[:first_letters]),
            _number(digits[first_digits:], letters[first_letters:]),
        ),
        (10 ** sizes[0][0] * 26 ** sizes[0][1], 10 ** sizes[1][0] * 26 ** sizes[1][1]),
        steps,
    )
    parts = [_characters(number, *size) for number, size in zip(halves, sizes, strict=True)]
    new_digits, new_letters = iter(parts[0][0] + parts[1][0]), iter(parts[0][1] + parts[1][1])
    return "".join(
        next(new_digits) if char == "0"
        else next(new_letters) if char == "A"
        else next(new_letters).lower() if char == "a"
        else char
        for char in shape
    )  # fmt: skip


def permutation(
    context: SqlContext, source: str, width: int, carry: tuple[str, ...] = (), steps: bool = True
) -> str:
    """SQL: the columns V, HEAD, TAIL, those of `carry`, and MAPPED over `source`, which has them and MIDDLE.

    MAPPED is what `permuted` gives, NULL where that is None. Each step is an inline view that must not be
    merged into the next one: its expressions are used more than once there and would be computed as often.
    What depends on a text's shape alone is computed once per distinct shape, in a table of its own (T): the
    sizes, which characters to remove, and the template, in which every maskable place has a character of its
    own, so that one TRANSLATE fills all places at once. Per text, digits are split by arithmetic.

    :param width: characters of the longest MIDDLE.
    """
    through = ["V", "HEAD", "TAIL", *carry]
    shape = f"TRANSLATE(MIDDLE, '{DIGITS}{UPPER}{LOWER}', '{'0' * 10}{'A' * 26}{'a' * 26}')"
    names = ", ".join(through)
    texts = context.table("N", f"SELECT {names}, MIDDLE, {shape} AS SHAPE FROM ({source})")
    shapes = context.table("T", _shapes(texts, width))
    every = ", ".join(f"N.{name}" for name in through)
    view = View(
        f"SELECT {every}, N.SHAPE, N.MIDDLE, {_SIZES} FROM {texts} N JOIN {shapes} T ON T.SHAPE = N.SHAPE"
    )
    kept = [*through, "SHAPE", "SA", "SB"]
    view.wrap(
        *(*kept, "PA", "PB", "LA", "LN"),
        "NVL(TO_NUMBER(TRANSLATE(MIDDLE, NO_DIGIT, '0')), 0) AS D",
        "CASE WHEN LN > 0 THEN UPPER(TRANSLATE(MIDDLE, NO_LETTER, 'A')) END AS L",
        "CHR(31) || HEAD || CHR(31) || SHAPE || CHR(31) || TAIL || CHR(31) AS TWEAK",
    )
    kept += ["TWEAK"]
    view.wrap(
        *kept, "PA", "PB", "LN", "D", "SUBSTR(L, 1, LA) AS FIRST_LETTERS", "SUBSTR(L, LA + 1) AS LAST_LETTERS"
    )
    first, second = map(_letters_to_number, ("FIRST_LETTERS", "LAST_LETTERS"))
    view.wrap(
        *kept,
        f"TRUNC(D / PB) + CASE WHEN LN > 0 THEN PA * {first} ELSE 0 END AS A",
        f"MOD(D, PB) + CASE WHEN LN > 0 THEN PB * {second} ELSE 0 END AS B",
    )
    mix(view, context.pads(), kept, steps)
    every = ", ".join(f"R.{name}" for name in through)
    return f"""\
SELECT {names}, CASE KIND WHEN 'D' THEN D
  WHEN 'S' THEN TRANSLATE(TEMPLATE, '{_DIGIT_PLACES}', D)
  WHEN 'L' THEN TRANSLATE(TEMPLATE, '{_PLACES}', {_FILLED}) END AS MAPPED
FROM (SELECT /*+ NO_MERGE */ {every}, T.KIND, T.TEMPLATE,
  CASE WHEN DN > 0 THEN SUBSTR(TO_CHAR(PA * PB + MOD(A, PA) * PB + MOD(B, PB)), 2) END AS D,
  CASE WHEN LN > 0 THEN {_letters("TRUNC(A / PA)", "LA")} || {_letters("TRUNC(B / PB)", "LB")} END AS L
FROM ({view.sql}) R JOIN {shapes} T ON T.SHAPE = R.SHAPE)
UNION ALL SELECT {names}, NULL FROM {texts} N
WHERE NOT EXISTS (SELECT 1 FROM {shapes} T WHERE T.SHAPE = N.SHAPE)"""


def digits_permutation(
    context: SqlContext, source: str, width: int, carry: tuple[str, ...] = (), steps: bool = True
) -> str:
    """SQL: what `permutation` gives where no MIDDLE holds anything but digits: what follows from its shape
    follows from its length.

    :param width: digits of the longest MIDDLE, at most `MAX_DIGITS`.
    """
    through = ["V", "HEAD", "TAIL", *carry]
    view = View(source)
    view.wrap(*through, "MIDDLE", "LENGTH(MIDDLE) AS DN")
    halves = (f"{_power(10, half, width)} AS {size}" for half, size in (("DA", "SA"), ("DB", "SB")))
    view.wrap(*through, "MIDDLE", "DN", "TRUNC((DN + 1) / 2) AS DA", "TRUNC(DN / 2) AS DB")
    tweak = "CHR(31) || HEAD || CHR(31) || RPAD('0', DN, '0') || CHR(31) || TAIL || CHR(31) AS TWEAK"
    view.wrap(*through, "TO_NUMBER(MIDDLE) AS D", *halves, tweak)
    kept = [*through, "SA", "SB", "TWEAK"]
    view.wrap(*kept, "TRUNC(D / SB) AS A", "MOD(D, SB) AS B")
    mix(view, context.pads(), kept, steps)
    return f"SELECT {', '.join(through)}, SUBSTR(TO_CHAR((SA + A) * SB + B), 2) AS MAPPED FROM ({view.sql})"


def _number(digits: str, letters: str) -> int:
    number = sum(UPPER.index(char) * int(26**place) for place, char in enumerate(letters))
    return int(digits or "0") + int(10 ** len(digits)) * number


def _characters(number: int, digits: int, letters: int) -> tuple[str, str]:
    high, low = divmod(number, 10**digits)
    return f"{low:0{digits}d}" if digits else "", "".join(
        UPPER[high // 26**place % 26] for place in range(letters)
    )


def mixed(
    key: DomainKey, tweak: str, halves: tuple[int, int], sizes: tuple[int, int], steps: bool = True
) -> tuple[int, int]:
    """The permutation of a pair of numbers below `sizes`; the first size is at least 2, or nothing moves.

    :param steps: whether S adds a keyed amount; without, it adds 1, so that its cycles are as long as the
        first size and a repeated permutation does not come back to where it started.
    """
    a, b = halves
    size_a, size_b = sizes

    def amount(step: int, half: int) -> int:
        return key.number(f"{step}{SEPARATOR}{tweak}{SEPARATOR}{half}", HEX_DIGITS)

    b = (b + amount(1, a)) % size_b
    a = (a + amount(2, b)) % size_a
    b = (b + amount(3, a)) % size_b
    a = (a + 1 + (amount(4, b) % max(size_a - 1, 1) if steps else 0)) % size_a
    b = (b - amount(3, a)) % size_b
    a = (a - amount(2, b)) % size_a
    b = (b - amount(1, a)) % size_b
    return a, b


def permuted_number(key: DomainKey, tweak: str, number: int, *, zero: bool = True) -> int:
    """The reference: a number permuted among those of as many digits.

    :param zero: whether 0 is one of the numbers of one digit.
    """
    digits = len(str(number))
    low = 10 ** (digits - 1) if digits > 1 or not zero else 0
    power = 10 ** (digits // 2)
    first, second = divmod(number - low, power)
    a, b = mixed(key, tweak, (first, second), ((10**digits - low) // power, power))
    result: int = low + a * power + b
    return result


def permute_number(view: View, pads: base.Pads, kept: list[str], longest: int, *, zero: str) -> None:
    """SQL: what `permuted_number` does, as MAPPED, over a view with N, its digits DN, TWEAK in separators.

    :param longest: digits of the largest number.
    :param zero: a condition.
    """
    powers = " ".join(f"WHEN {n} THEN {10**n}" for n in range(longest + 1))

    def power(exponent: str) -> str:
        return f"CASE {exponent} {powers} END"

    low = f"CASE WHEN DN = 1 AND {zero} THEN 0 ELSE {power('DN - 1')} END AS LOW"
    half, high = f"{power('TRUNC(DN / 2)')} AS SB", f"{power('DN')} AS HIGH"
    view.wrap(*kept, "N", "TWEAK", low, half, high)
    halves = "TRUNC((N - LOW) / SB) AS A", "MOD(N - LOW, SB) AS B"
    view.wrap(*kept, "LOW", "SB", "(HIGH - LOW) / SB AS SA", "TWEAK", *halves)
    mix(view, pads, [*kept, "LOW", "SA", "SB", "TWEAK"])
    view.wrap(*kept, "LOW + A * SB + B AS MAPPED")


def mix(view: View, pads: base.Pads, kept: list[str], steps: bool = True) -> None:
    """SQL: what `mixed` does, over a view with A, B, their sizes SA and SB, and TWEAK in separators."""

    def amount(step: int, half: str) -> str:
        return pads.number(f"'{step}' || TWEAK || TO_CHAR({half})", HEX_DIGITS)

    # MOD keeps the sign of its first argument, so what is subtracted is first reduced and then complemented.
    view.wrap(*kept, "A", f"MOD(B + {amount(1, 'A')}, SB) AS B")
    view.wrap(*kept, f"MOD(A + {amount(2, 'B')}, SA) AS A", "B")
    view.wrap(*kept, "A", f"MOD(B + {amount(3, 'A')}, SB) AS B")
    more = f" + MOD({amount(4, 'B')}, GREATEST(SA - 1, 1))" if steps else ""
    view.wrap(*kept, f"MOD(A + 1{more}, SA) AS A", "B")
    view.wrap(*kept, "A", f"MOD(B + SB - MOD({amount(3, 'A')}, SB), SB) AS B")
    view.wrap(*kept, f"MOD(A + SA - MOD({amount(2, 'B')}, SA), SA) AS A", "B")
    view.wrap(*kept, "A", f"MOD(B + SB - MOD({amount(1, 'A')}, SB), SB) AS B")


_SIZES = "T.NO_DIGIT, T.NO_LETTER, T.LN, T.LA, T.PA, T.PB, T.SA, T.SB"
_FILLED = " || ".join(
    (
        f"RPAD(NVL(D, '0'), {MAX_DIGITS}, '0')",
        f"RPAD(L, {MAX_LETTERS}, 'A')",
        f"LOWER(RPAD(L, {MAX_LETTERS}, 'A'))",
    )
)


def _shapes(texts: str, width: int) -> str:
    """A query with all that follows from a shape, for the distinct shapes of `texts` that conform.

    KIND is D for digits only, S for digits with separators, L where there are letters.
    """
    view = View(f"SELECT DISTINCT SHAPE FROM {texts} WHERE SHAPE IS NOT NULL")
    view.wrap(
        "SHAPE",
        "TRANSLATE(SHAPE, '#0Aa', '#') AS OTHERS",
        "LENGTH(SHAPE) - NVL(LENGTH(REPLACE(SHAPE, '0')), 0) AS DN",
        "LENGTH(SHAPE) - NVL(LENGTH(TRANSLATE(SHAPE, '#Aa', '#')), 0) AS LN",
    )
    # The first half gets the odd digit, and the odd letter where there is no odd digit: it is never empty.
    view.wrap(
        *("SHAPE", "OTHERS", "DN", "LN"),
        "TRUNC((DN + 1) / 2) AS DA",
        "TRUNC(DN / 2) AS DB",
        "TRUNC((LN + 1 - MOD(DN, 2)) / 2) AS LA",
        "TRUNC((LN + MOD(DN, 2)) / 2) AS LB",
    )
    powers = (f"{_power(10, half, MAX_DIGITS)} AS P{half[1]}" for half in ("DA", "DB"))
    view.wrap("SHAPE", "OTHERS", "DN", "LN", "LA", "LB", *powers)
    view.wrap(
        *("SHAPE", "DN", "LN", "LA", "LB", "PA", "PB"),
        f"PA * {_power(26, 'LA', MAX_LETTERS)} AS SA",
        f"PB * {_power(26, 'LB', MAX_LETTERS)} AS SB",
        f"'0' || OTHERS || CASE WHEN LN > 0 THEN '{UPPER}{LOWER}' END AS NO_DIGIT",
        f"'A' || OTHERS || '{DIGITS}' AS NO_LETTER",
        "CASE WHEN LN > 0 THEN 'L' WHEN OTHERS IS NOT NULL THEN 'S' ELSE 'D' END AS KIND",
        f"CASE WHEN LN > 0 OR OTHERS IS NOT NULL THEN {_template(width)} END AS TEMPLATE",
    )
    conforms = f"DN + LN > 0 AND DN <= {MAX_DIGITS} AND LN <= {MAX_LETTERS}"
    return f"{view.sql}\nWHERE {conforms}"


class View:
    """A query that grows by one unmerged inline view per step."""

    def __init__(self, sql: str) -> None:
        self.sql = sql

    def wrap(self, *columns: str) -> None:
        self.sql = f"SELECT /*+ NO_MERGE */ {', '.join(columns)}\nFROM ({self.sql})"


def _power(base_number: int, exponent: str, characters: int) -> str:
    """A power by a table, exact where POWER need not be; the largest exponent is half of the characters."""
    cases = " ".join(f"WHEN {n} THEN {base_number**n}" for n in range((characters + 1) // 2 + 1))
    return f"CASE {exponent} {cases} ELSE 1 END"


def _letters_to_number(letters: str) -> str:
    """Base 26, the first letter the least; a place that is not there counts 0."""
    terms = [
        f"NVL(ASCII(SUBSTR({letters}, {place + 1}, 1)) - 65, 0) * {26**place}"
        for place in range(MAX_LETTERS // 2)
    ]
    return f"CASE WHEN {letters} IS NULL THEN 0 ELSE {' + '.join(terms)} END"


def _letters(high: str, count: str) -> str:
    places = [f"CHR(65 + MOD(TRUNC({high} / {26**place}), 26))" for place in range(MAX_LETTERS // 2)]
    return f"SUBSTR({' || '.join(places)}, 1, {count})"


def by_place(character: str, width: int) -> str:
    """SQL: the text of a character for each place of SHAPE, an expression over SHAPE and PLACE."""
    places = f"SELECT LEVEL AS PLACE FROM DUAL CONNECT BY LEVEL <= {width}"
    listed = f"LISTAGG({character}) WITHIN GROUP (ORDER BY PLACE)"
    return f"(SELECT {listed} FROM ({places}) WHERE PLACE <= LENGTH(SHAPE))"


def _template(width: int) -> str:
    """The shape with its placeholders numbered."""
    char, before = "SUBSTR(SHAPE, PLACE, 1)", "SUBSTR(SHAPE, 1, PLACE)"
    digit = f"PLACE - NVL(LENGTH(REPLACE({before}, '0', '')), 0)"
    letter = f"PLACE - NVL(LENGTH(TRANSLATE({before}, '#Aa', '#')), 0)"
    return by_place(
        f"CASE {char} WHEN '0' THEN SUBSTR('{_DIGIT_PLACES}', {digit}, 1) "
        f"WHEN 'A' THEN SUBSTR('{_UPPER_PLACES}', {letter}, 1) "
        f"WHEN 'a' THEN SUBSTR('{_LOWER_PLACES}', {letter}, 1) ELSE {char} END",
        width,
    )
