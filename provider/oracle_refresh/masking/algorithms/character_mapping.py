"""Character mapping: letters become other letters and digits other digits; everything else stays where it is.

The maskable characters of a value are read as one number of mixed radix (10 and 26) and split into two
halves A and B. A keyed Feistel network E maps the pair one to one; the result is E^-1(S(E(A, B))), where S
adds an amount between 1 and |A| - 1 to A. S has no fixed point, so neither has the whole: no value stays as
it was, and no two values meet. The round function is HMAC-SHA-256 over the round, the other half, and the
value's shape with its kept characters. The length is kept, so the column's width always suffices.

Guarantees: deterministic; 1:1; length, letter case, separators and the kept ends survive; never the value
itself; NULL stays NULL. A value without a maskable character, or with more than 30 digits or 16 letters,
does not conform and fails the masking. This is a pseudonym, not encryption by NIST SP 800-38G: a domain of
few characters can be enumerated by whoever can have values masked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.errors import MaskingError
from oracle_refresh.masking.algorithms import base
from oracle_refresh.masking.keys import SEPARATOR

if TYPE_CHECKING:
    from oracle_refresh.catalog import Column
    from oracle_refresh.masking.keys import DomainKey

UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LOWER = UPPER.lower()
DIGITS = "0123456789"
MAX_DIGITS = 30
MAX_LETTERS = 16
MAX_WIDTH = 200
#: 112 bits: far above the largest half (10^15 * 26^8, 88 bits), and exact in Oracle's NUMBER of 38 digits.
HEX_DIGITS = 28
#: A character for each maskable place of a template: letters and digits, which no separator of a shape is.
_PLACES = DIGITS + UPPER + LOWER
_DIGIT_PLACES = _PLACES[:MAX_DIGITS]
_UPPER_PLACES = _PLACES[MAX_DIGITS : MAX_DIGITS + MAX_LETTERS]
_LOWER_PLACES = _PLACES[MAX_DIGITS + MAX_LETTERS :]
_SHAPES = str.maketrans(DIGITS + UPPER + LOWER, "0" * 10 + "A" * 26 + "a" * 26)


@dataclass(frozen=True)
class CharacterMapping:
    """Keeps the first `keep_first` and the last `keep_last` characters, such as the issuer of a card."""

    keep_first: int = 0
    keep_last: int = 0

    def __post_init__(self) -> None:
        if self.keep_first < 0 or self.keep_last < 0:
            raise ValueError("keep_first and keep_last are numbers of characters, 0 or more")

    def check(self, column: Column) -> None:
        """Raise MaskingError when the column is of no character type or too wide for this algorithm."""
        base.require_type(column, base.CHARACTER_TYPES, "character_mapping")
        base.require_hashable(column, "character_mapping")
        if column.char_length > MAX_WIDTH:
            raise MaskingError(
                f"character_mapping takes up to {MAX_WIDTH} characters, not {column.char_length}",
                object_name=column.name,
                step="masking plan",
                remedy="use redaction for long texts",
            )

    def mask(self, key: DomainKey, value: str | None) -> str | None:
        """The reference. Raises MaskingError for a value that does not conform."""
        if not value:
            return None
        end = len(value) - self.keep_last
        head, middle, tail = value[: self.keep_first], value[self.keep_first : end], value[max(end, 0) :]
        shape = middle.translate(_SHAPES)
        digits = re.sub("[^0-9]", "", middle)
        letters = re.sub("[^A-Za-z]", "", middle).upper()
        if end <= self.keep_first or not digits + letters or _too_long(digits, letters):
            raise MaskingError("a value does not conform to character_mapping", step="masking")
        first_digits = (len(digits) + 1) // 2
        first_letters = (len(letters) + 1 - len(digits) % 2) // 2
        sizes = (first_digits, first_letters), (len(digits) - first_digits, len(letters) - first_letters)
        halves = _mix(
            key,
            SEPARATOR.join((head, shape, tail)),
            (
                _number(digits[:first_digits], letters[:first_letters]),
                _number(digits[first_digits:], letters[first_letters:]),
            ),
            (10 ** sizes[0][0] * 26 ** sizes[0][1], 10 ** sizes[1][0] * 26 ** sizes[1][1]),
        )
        parts = [_characters(number, *size) for number, size in zip(halves, sizes, strict=True)]
        new_digits, new_letters = iter(parts[0][0] + parts[1][0]), iter(parts[0][1] + parts[1][1])
        masked = [
            next(new_digits) if char == "0"
            else next(new_letters) if char == "A"
            else next(new_letters).lower() if char == "a"
            else char
            for char in shape
        ]  # fmt: skip
        return head + "".join(masked) + tail

    def query(self, pads: base.Pads, column: Column, values: str) -> str:
        """A query with the columns V and MASKED over `values`, a query with the distinct values as V.

        MASKED is NULL for a value that does not conform. Each step is an inline view that must not be merged
        into the next one: its expressions are used more than once there and would be computed as often.
        """
        return _query(self, pads, column, values)


def _too_long(digits: str, letters: str) -> bool:
    return len(digits) > MAX_DIGITS or len(letters) > MAX_LETTERS


def _number(digits: str, letters: str) -> int:
    number = sum(UPPER.index(char) * int(26**place) for place, char in enumerate(letters))
    return int(digits or "0") + int(10 ** len(digits)) * number


def _characters(number: int, digits: int, letters: int) -> tuple[str, str]:
    high, low = divmod(number, 10**digits)
    return f"{low:0{digits}d}" if digits else "", "".join(
        UPPER[high // 26**place % 26] for place in range(letters)
    )


def _mix(key: DomainKey, tweak: str, halves: tuple[int, int], sizes: tuple[int, int]) -> tuple[int, int]:
    a, b = halves
    size_a, size_b = sizes

    def amount(step: int, half: int) -> int:
        return key.number(f"{step}{SEPARATOR}{tweak}{SEPARATOR}{half}", HEX_DIGITS)

    b = (b + amount(1, a)) % size_b
    a = (a + amount(2, b)) % size_a
    b = (b + amount(3, a)) % size_b
    a = (a + 1 + amount(4, b) % max(size_a - 1, 1)) % size_a
    b = (b - amount(3, a)) % size_b
    a = (a - amount(2, b)) % size_a
    b = (b - amount(1, a)) % size_b
    return a, b


def _query(rule: CharacterMapping, pads: base.Pads, column: Column, values: str) -> str:
    """One inline view per step; the names of the columns are those of the reference.

    Putting the new characters back between the separators is a table of its own: each distinct shape
    becomes a template in which every maskable place has a character of its own, and TRANSLATE fills all
    places at once.
    """
    text = base.text_sql(column, "V")
    first, last = rule.keep_first, rule.keep_last
    head = f"SUBSTR({text}, 1, {first})" if first else "NULL"
    tail = f"CASE WHEN LENGTH({text}) > {first + last} THEN SUBSTR({text}, -{last}) END" if last else "NULL"
    middle = f"SUBSTR({text}, {first + 1}, GREATEST(LENGTH({text}) - {first + last}, 0))"
    letters = UPPER + LOWER
    view = _View(values)
    view.wrap("V", f"{head} AS HEAD", f"{middle} AS MIDDLE", f"{tail} AS TAIL")
    view.wrap(
        "V",
        "HEAD",
        "TAIL",
        f"TRANSLATE(MIDDLE, '{DIGITS}{letters}', '{'0' * 10}{'A' * 26}{'a' * 26}') AS SHAPE",
        f"REGEXP_REPLACE(MIDDLE, '[^{DIGITS}]', '') AS D",
        f"UPPER(REGEXP_REPLACE(MIDDLE, '[^{letters}]', '')) AS L",
    )
    kept = ["V", "HEAD", "TAIL", "SHAPE"]
    view.wrap(*kept, "D", "L", "NVL(LENGTH(D), 0) AS DN", "NVL(LENGTH(L), 0) AS LN")
    kept += ["DN", "LN"]
    # The first half gets the odd digit, and the odd letter where there is no odd digit: it is never empty.
    view.wrap(
        *kept,
        "D",
        "L",
        "TRUNC((DN + 1) / 2) AS DA",
        "TRUNC(DN / 2) AS DB",
        "TRUNC((LN + 1 - MOD(DN, 2)) / 2) AS LA",
        "TRUNC((LN + MOD(DN, 2)) / 2) AS LB",
    )
    kept += ["LA", "LB"]
    view.wrap(
        *kept,
        "SUBSTR(D, 1, DA) AS D1",
        "SUBSTR(D, DA + 1) AS D2",
        "SUBSTR(L, 1, LA) AS L1",
        "SUBSTR(L, LA + 1) AS L2",
        f"{_power(10, 'DA', MAX_DIGITS)} AS PA",
        f"{_power(10, 'DB', MAX_DIGITS)} AS PB",
    )
    kept += ["PA", "PB"]
    view.wrap(
        *kept,
        f"NVL(TO_NUMBER(D1), 0) + PA * {_letters_to_number('L1')} AS A",
        f"NVL(TO_NUMBER(D2), 0) + PB * {_letters_to_number('L2')} AS B",
        f"PA * {_power(26, 'LA', MAX_LETTERS)} AS SA",
        f"PB * {_power(26, 'LB', MAX_LETTERS)} AS SB",
        "HEAD || CHR(31) || SHAPE || CHR(31) || TAIL AS TWEAK",
    )
    kept += ["SA", "SB", "TWEAK"]

    def amount(step: int, half: str) -> str:
        message = f"'{step}' || CHR(31) || TWEAK || CHR(31) || TO_CHAR({half})"
        return pads.number(message, HEX_DIGITS)

    # MOD keeps the sign of its first argument, so what is subtracted is first reduced and then complemented.
    view.wrap(*kept, "A", f"MOD(B + {amount(1, 'A')}, SB) AS B")
    view.wrap(*kept, f"MOD(A + {amount(2, 'B')}, SA) AS A", "B")
    view.wrap(*kept, "A", f"MOD(B + {amount(3, 'A')}, SB) AS B")
    view.wrap(*kept, f"MOD(A + 1 + MOD({amount(4, 'B')}, GREATEST(SA - 1, 1)), SA) AS A", "B")
    view.wrap(*kept, "A", f"MOD(B + SB - MOD({amount(3, 'A')}, SB), SB) AS B")
    view.wrap(*kept, f"MOD(A + SA - MOD({amount(2, 'B')}, SA), SA) AS A", "B")
    view.wrap(*kept, "A", f"MOD(B + SB - MOD({amount(1, 'A')}, SB), SB) AS B")
    view.wrap(
        *("V", "HEAD", "TAIL", "SHAPE", "DN", "LN"),
        f"{_digits('A', 'PA')} || {_digits('B', 'PB')} AS D",
        f"CASE WHEN LN > 0 THEN {_letters('A', 'PA', 'LA')} || {_letters('B', 'PB', 'LB')} END AS L",
    )
    width = column.char_length - first - last
    filled = f"RPAD(NVL(S.D, '0'), {MAX_DIGITS}, '0') || RPAD(NVL(S.L, 'A'), {MAX_LETTERS}, 'A')"
    small = f"LOWER(RPAD(NVL(S.L, 'A'), {MAX_LETTERS}, 'A'))"
    conforms = f"S.DN + S.LN > 0 AND S.DN <= {MAX_DIGITS} AND S.LN <= {MAX_LETTERS}"
    return f"""\
WITH S AS ({view.sql}),
T AS (SELECT SHAPE, {_template(width)} AS TEMPLATE FROM (SELECT DISTINCT SHAPE FROM S))
SELECT S.V, CASE WHEN {conforms}
  THEN S.HEAD || TRANSLATE(T.TEMPLATE, '{_PLACES}', {filled} || {small}) || S.TAIL END AS MASKED
FROM S LEFT JOIN T ON T.SHAPE = S.SHAPE"""


class _View:
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
        f"(NVL(INSTR('{UPPER}', SUBSTR({letters}, {place + 1}, 1)), 1) - 1) * {26**place}"
        for place in range(MAX_LETTERS // 2)
    ]
    return f"CASE WHEN {letters} IS NULL THEN 0 ELSE {' + '.join(terms)} END"


def _digits(number: str, power: str) -> str:
    """The digits of a half with their leading zeros: power is 1 and a zero for each digit."""
    return f"SUBSTR(TO_CHAR({power} + MOD({number}, {power})), 2)"


def _letters(number: str, power: str, count: str) -> str:
    high = f"TRUNC({number} / {power})"
    places = [
        f"SUBSTR('{UPPER}', MOD(TRUNC({high} / {26**place}), 26) + 1, 1)" for place in range(MAX_LETTERS // 2)
    ]
    return f"SUBSTR({' || '.join(places)}, 1, {count})"


def _template(width: int) -> str:
    """The shape with its placeholders numbered, position by position, in blocks that short values skip."""
    blocks = []
    for start in range(1, width + 1, 8):
        places = " || ".join(_place(place) for place in range(start, min(start + 8, width + 1)))
        blocks.append(f"CASE WHEN LENGTH(SHAPE) >= {start} THEN {places} END")
    return " || ".join(blocks) or "NULL"


def _place(place: int) -> str:
    char = f"SUBSTR(SHAPE, {place}, 1)"
    before = f"SUBSTR(SHAPE, 1, {place})"
    digit = f"{place} - NVL(LENGTH(REPLACE({before}, '0', '')), 0)"
    letter = f"{place} - NVL(LENGTH(TRANSLATE({before}, '#Aa', '#')), 0)"
    return (
        f"CASE {char} WHEN '0' THEN SUBSTR('{_DIGIT_PLACES}', {digit}, 1) "
        f"WHEN 'A' THEN SUBSTR('{_UPPER_PLACES}', {letter}, 1) "
        f"WHEN 'a' THEN SUBSTR('{_LOWER_PLACES}', {letter}, 1) ELSE {char} END"
    )
