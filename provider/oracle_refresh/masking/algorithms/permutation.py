"""The keyed permutation that the format-preserving algorithms share.

The digits and letters (A-Z, a-z) of a text are read as one number of mixed radix (10 and 26) and split into
two halves A and B. A keyed Feistel network E maps the pair one to one; the result is E^-1(S(E(A, B))), where
S adds an amount between 1 and |A| - 1 to A. S has no fixed point, so neither has the whole: no text stays as
it was, and no two meet. Length, letter case and the characters of `KEPT` are kept; a text with any other
character, such as a letter of another alphabet, does not conform.

The whole is a network of five rounds: A += h(B), B += F1(A), A += 1 + F2(B), B -= F1(A), A -= h(B). F1 and F2
are SHA-256 over a secret block, the round, a tweak (the text's shape with the characters around it) and the
half, cut to at most 112 bits: a keyed prefix is a pseudo-random function where more than half of the hash is
dropped, so that nobody can go on with it (Coron, Dodis, Malinaud, Puniya, "Merkle-Damgard Revisited", CRYPTO
2005, chop-MD). h is a universal hash: linear in the half, modulo a prime, with secret factors. Outer rounds
need no more than that (Naor, Reingold, "On the Construction of Pseudo-Random Permutations: Luby-Rackoff
Revisited", Journal of Cryptology 12, 1999): unless two of the 2q inputs of F1 or two of the q inputs of F2
are equal, for q texts of one shape, all that F1 and F2 give is independent, and with it the result. A text's
own two inputs of F1 differ, as S has no fixed point. That any others are equal has a probability of at most
about 3 q^2 over the size of the smaller half, or over 10^18 if that is less (4 q^2 where S adds 1, see
`mixed`). So whoever knows far fewer pairs of one shape than the square root of that size learns nothing about
another text; for more nothing is proven.

Why not FF1 of NIST SP 800-38G: of the libraries in the Python registry `ff3` implements FF3-1, which revision
1 of the publication (second draft, February 2025) drops, and `pyffx` the earlier draft FFX; none offers FF1.
And AES is not available to Oracle's SQL without a call of DBMS_CRYPTO per round, while each round here is one
call of STANDARD_HASH.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.masking.keys import LIMB, PRIME, SEPARATOR, KeyPart

if TYPE_CHECKING:
    from oracle_refresh.masking.algorithms.protocol import SqlContext
    from oracle_refresh.masking.keys import DomainKey

UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LOWER = UPPER.lower()
DIGITS = "0123456789"
MAX_DIGITS = 30
MAX_LETTERS = 16
#: Characters that stay where they are: of ASCII all but letters, digits and NUL, of Latin-1 Supplement,
#: General Punctuation and Currency Symbols the punctuation, symbols and spaces. Any other character may be a
#: part of a name or a number.
KEPT = "".join(
    chr(code)
    for first, last in (
        *((0x01, 0x2F), (0x3A, 0x40), (0x5B, 0x60), (0x7B, 0x7F)),
        *((0xA0, 0xA9), (0xAB, 0xAC), (0xAE, 0xB1), (0xB4, 0xB4), (0xB6, 0xB8), (0xBB, 0xBB), (0xBF, 0xBF)),
        *((0xD7, 0xD7), (0xF7, 0xF7), (0x2000, 0x200A), (0x2010, 0x2029), (0x202F, 0x205F)),
        (0x20A0, 0x20BF),
    )
    for code in range(first, last + 1)
)
#: Hex digits of a hash that are added to a half: 56 bits, or 112 where a half is larger than `SMALL`. Either
#: is at least 24 bits above the half (10^9; 10^15 * 26^8), and exact in Oracle's NUMBER of 38 digits.
HEX_DIGITS, MORE_HEX_DIGITS = 14, 28
SMALL = 10**9
#: A character for each maskable place of a template: letters and digits, which no separator of a shape is.
_PLACES = DIGITS + UPPER + LOWER
_DIGIT_PLACES = _PLACES[:MAX_DIGITS]
_UPPER_PLACES = _PLACES[MAX_DIGITS : MAX_DIGITS + MAX_LETTERS]
_LOWER_PLACES = _PLACES[MAX_DIGITS + MAX_LETTERS :]
_SHAPES = str.maketrans(DIGITS + UPPER + LOWER, "0" * 10 + "A" * 26 + "a" * 26)


def permuted(key: DomainKey, head: str, middle: str, tail: str = "", steps: bool = True) -> str | None:
    """The reference: `middle` permuted, or None when it has no character to map, too many, or a character
    that is neither mapped nor one of `KEPT`.

    :param steps: see `mixed`.
    """
    shape = middle.translate(_SHAPES)
    digits = re.sub("[^0-9]", "", middle)
    letters = re.sub("[^A-Za-z]", "", middle).upper()
    if not digits + letters or len(digits) > MAX_DIGITS or len(letters) > MAX_LETTERS:
        return None
    if shape.strip(f"0Aa{KEPT}"):
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
    texts = context.table("N", f"SELECT {', '.join(through)}, MIDDLE, {shape} AS SHAPE FROM ({source})")
    shapes = context.table("T", _shapes(texts, width, context.bind(KEPT)))
    every = ", ".join(f"N.{name}" for name in (*through, "SHAPE", "MIDDLE"))
    of_shape = ", ".join(f"T.{name}" for name in (*_OF_SHAPE, "NO_DIGIT", "NO_LETTER"))
    view = View(f"SELECT {every}, {of_shape} FROM {texts} N LEFT JOIN {shapes} T ON T.SHAPE = N.SHAPE")
    kept = [*through, *_OF_SHAPE]
    digits = f"TRANSLATE(MIDDLE, NO_DIGIT, '{DIGITS}')"
    view.wrap(
        *kept,
        f"NVL(TO_NUMBER(CASE KIND WHEN 'D' THEN MIDDLE ELSE {digits} END), 0) AS D",
        "CASE WHEN LN > 0 THEN UPPER(TRANSLATE(MIDDLE, NO_LETTER, 'A')) END AS L",
        "CHR(31) || HEAD || CHR(31) || SHAPE || CHR(31) || TAIL || CHR(31) AS TWEAK",
    )
    kept += ["TWEAK"]
    view.wrap(
        *kept,
        f"TRUNC(D / PB) + CASE WHEN LA > 0 THEN PA * ({_letters_to_number('', 'LA')}) ELSE 0 END AS A",
        f"MOD(D, PB) + CASE WHEN LB > 0 THEN PB * ({_letters_to_number('LA + ', 'LB')}) ELSE 0 END AS B",
    )
    largest = 10 ** (MAX_DIGITS // 2) * 26 ** (MAX_LETTERS // 2)
    a, b = mix(view, context.permutation(), kept, largest, steps=steps)
    view.wrap(*kept, f"{a} AS A", f"{b} AS B")
    view.wrap(
        *(*through, "KIND", "TEMPLATE", "PLACES"),
        "CASE WHEN DN > 0 THEN SUBSTR(TO_CHAR((PA + MOD(A, PA)) * PB + MOD(B, PB)), 2) END AS D",
        "CASE WHEN LN > 0 THEN "
        f"{_letters('TRUNC(A / PA)', 'LA')} || {_letters('TRUNC(B / PB)', 'LB')} END AS L",
    )
    filled = "TRANSLATE(TEMPLATE, PLACES, D || L || LOWER(L))"
    view.wrap(*through, f"CASE KIND WHEN 'D' THEN D ELSE {filled} END AS MAPPED")
    return view.sql


def digits_permutation(
    context: SqlContext, source: str, width: int, carry: tuple[str, ...] = (), steps: bool = True
) -> str:
    """SQL: what `permutation` gives where no MIDDLE holds anything but digits: what follows from its shape
    follows from its length, which `source` has as DN.

    :param width: digits of the longest MIDDLE, at most `MAX_DIGITS`.
    """
    through = ["V", "HEAD", "TAIL", *carry]
    view = View(source)
    zeros = f"SUBSTR('{'0' * width}', 1, DN)"
    view.wrap(
        *(*through, "TO_NUMBER(MIDDLE) AS D"),
        f"{_by_length(lambda n: 10 ** ((n + 1) // 2), width)} AS SA",
        f"{_by_length(lambda n: 10 ** (n // 2), width)} AS SB",
        f"CHR(31) || HEAD || CHR(31) || {zeros} || CHR(31) || TAIL || CHR(31) AS TWEAK",
    )
    halves = "TRUNC(D / SB)", "MOD(D, SB)"
    kept = [*through, "SA", "SB", "TWEAK"]
    a, b = mix(view, context.permutation(), kept, 10 ** ((width + 1) // 2), halves, steps)
    view.wrap(*through, f"SUBSTR(TO_CHAR((SA + {a}) * SB + {b}), 2) AS MAPPED")
    return view.sql


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
    """The permutation of a pair of numbers below `sizes`; the first size is at least 2.

    :param steps: whether S adds a keyed amount; without, it adds 1, so that its cycles are as long as the
        first size and a repeated permutation does not come back to where it started. E has a round more
        then: B += h(A), A += F1(B), B += F2(A).
    """
    a, b = halves
    size_a, size_b = sizes
    secrets = key.permutation()
    hex_digits = HEX_DIGITS if max(sizes) <= SMALL else MORE_HEX_DIGITS

    def amount(step: int, half: int) -> int:
        return secrets.amount(step, tweak, half, hex_digits)

    if steps:
        a = (a + secrets.spread(b)) % size_a
        b = (b + amount(1, a)) % size_b
        a = (a + 1 + amount(2, b) % (size_a - 1)) % size_a
        b = (b - amount(1, a)) % size_b
        a = (a - secrets.spread(b)) % size_a
        return a, b
    b = (b + secrets.spread(a)) % size_b
    a = (a + amount(1, b)) % size_a
    b = (b + amount(2, a)) % size_b
    a = (a + 1) % size_a
    b = (b - amount(2, a)) % size_b
    a = (a - amount(1, b)) % size_a
    b = (b - secrets.spread(a)) % size_b
    return a, b


def permuted_number(key: DomainKey, tweak: str, number: int, *, zero: bool = True) -> int:
    """The reference: a number permuted among those of as many digits.

    :param zero: whether 0 is one of the numbers of one digit.
    """
    digits = len(str(number))
    low = 10 ** (digits - 1) if digits > 1 or not zero else 0
    power = 10 ** (digits // 2)
    first, second = divmod(number - low, power)
    sizes = ((10**digits - low) // power, power)
    a, b = mixed(key, tweak, (first, second), sizes)
    result: int = low + a * power + b
    return result


def permute_number(view: View, secrets: Secrets, kept: list[str], longest: int, *, zero: str) -> None:
    """SQL: what `permuted_number` does, as MAPPED, over a view with N, its digits DN, TWEAK in separators.

    :param longest: digits of the largest number.
    :param zero: a condition.
    """
    low = f"CASE WHEN DN = 1 AND {zero} THEN 0 ELSE {_by_length(lambda n: 10 ** (n - 1), longest)} END AS LOW"
    half = f"{_by_length(lambda n: 10 ** (n // 2), longest)} AS SB"
    view.wrap(*kept, "N", "TWEAK", low, half)
    first = "CASE LOW WHEN 0 THEN 10 ELSE 9 * LOW / SB END AS SA"
    view.wrap(*kept, "LOW", "SB", first, "TWEAK", "N - LOW AS N")
    halves = "TRUNC(N / SB)", "MOD(N, SB)"
    a, b = mix(view, secrets, [*kept, "LOW", "SA", "SB", "TWEAK"], 10 ** ((longest + 1) // 2), halves)
    view.wrap(*kept, f"LOW + {a} * SB + {b} AS MAPPED")


def mix(
    view: View,
    secrets: Secrets,
    kept: list[str],
    largest: int,
    halves: tuple[str, str] = ("A", "B"),
    steps: bool = True,
) -> tuple[str, str]:
    """SQL: what `mixed` does, over a view with the sizes SA and SB, and TWEAK in separators.

    Returned are the halves over the view as it is then: each is named once more, at most.

    :param largest: what no half exceeds.
    :param halves: over the view as it is given; they are computed more than once.
    """

    def amount(step: int, half: str) -> str:
        return secrets.amount(step, half, largest)

    def spread(half: str) -> str:
        return secrets.spread(half, largest)

    def more(half: str, amount: str, size: str) -> str:
        return f"MOD({half} + {amount}, {size})"

    # MOD keeps the sign of its first argument, so what is subtracted is first reduced and then complemented.
    def less(half: str, amount: str, size: str) -> str:
        return f"MOD({half} + {size} - MOD({amount}, {size}), {size})"

    a, b = halves
    if steps:
        view.wrap(*kept, f"{more(a, spread(b), 'SA')} AS A", f"{b} AS B")
        view.wrap(*kept, "A", f"{more('B', amount(1, 'A'), 'SB')} AS B")
        view.wrap(*kept, f"MOD(A + 1 + MOD({amount(2, 'B')}, SA - 1), SA) AS A", "B")
        view.wrap(*kept, "A", f"{less('B', amount(1, 'A'), 'SB')} AS B")
        return less("A", spread("B"), "SA"), "B"
    view.wrap(*kept, f"{a} AS A", f"{more(b, spread(a), 'SB')} AS B")
    view.wrap(*kept, f"{more('A', amount(1, 'B'), 'SA')} AS A", "B")
    view.wrap(*kept, "A", f"{more('B', amount(2, 'A'), 'SB')} AS B")
    view.wrap(*kept, "MOD(A + 1, SA) AS A", "B")
    view.wrap(*kept, "A", f"{less('B', amount(2, 'A'), 'SB')} AS B")
    view.wrap(*kept, f"{less('A', amount(1, 'B'), 'SA')} AS A", "B")
    return "A", less("B", spread("A"), "SB")


@dataclass(frozen=True)
class Secrets:
    """The permutation key of one domain; `bound` names the bind of a part, which is in the statement then."""

    bound: Callable[[KeyPart], str]

    def amount(self, step: int, half: str, largest: int) -> str:
        """SQL: what `PermutationKey.amount` computes, TWEAK being in separators."""
        prefix = self.bound(KeyPart.PREFIX)
        digest = f"RAWTOHEX(STANDARD_HASH({prefix} || '{step}' || TWEAK || TO_CHAR({half}), 'SHA256'))"
        few, more = (
            f"TO_NUMBER(SUBSTR({digest}, 1, {digits}), '{'X' * digits}')"
            for digits in (HEX_DIGITS, MORE_HEX_DIGITS)
        )
        return few if largest <= SMALL else f"CASE WHEN GREATEST(SA, SB) > {SMALL} THEN {more} ELSE {few} END"

    def spread(self, half: str, largest: int) -> str:
        """SQL: what `PermutationKey.spread` computes."""
        low = self.bound(KeyPart.LOW)
        if largest <= LIMB:
            return f"MOD({half} * {low}, {PRIME})"
        high = self.bound(KeyPart.HIGH)
        return f"MOD(MOD({half}, {LIMB}) * {low} + TRUNC({half} / {LIMB}) * {high}, {PRIME})"


_OF_SHAPE = ("KIND", "TEMPLATE", "PLACES", "DN", "LN", "LA", "LB", "PA", "PB", "SA", "SB")


def _shapes(texts: str, width: int, kept: str) -> str:
    """A query with all that follows from a shape, for the distinct shapes of `texts` that conform.

    KIND is D for digits only, S for digits with separators, L where there are letters.

    :param kept: the placeholder of `KEPT`.
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
        *("SHAPE", "OTHERS", "DN", "LN", "LA", "LB", "PA", "PB"),
        f"PA * {_power(26, 'LA', MAX_LETTERS)} AS SA",
        f"PB * {_power(26, 'LB', MAX_LETTERS)} AS SB",
        # What is found early in such a list is found fast: first what stays.
        f"'{DIGITS}' || OTHERS || CASE WHEN LN > 0 THEN '{UPPER}{LOWER}' END AS NO_DIGIT",
        f"'A' || OTHERS || '{DIGITS}' AS NO_LETTER",
        "CASE WHEN LN > 0 THEN 'L' WHEN OTHERS IS NOT NULL THEN 'S' ELSE 'D' END AS KIND",
        f"CASE WHEN LN > 0 OR OTHERS IS NOT NULL THEN {_template(width)} END AS TEMPLATE",
        f"SUBSTR('{_DIGIT_PLACES}', 1, DN) || SUBSTR('{_UPPER_PLACES}', 1, LN) || "
        f"SUBSTR('{_LOWER_PLACES}', 1, LN) AS PLACES",
    )
    conforms = f"DN + LN > 0 AND DN <= {MAX_DIGITS} AND LN <= {MAX_LETTERS} AND LTRIM(OTHERS, {kept}) IS NULL"
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


def _by_length(number: Callable[[int], int], longest: int) -> str:
    """A number for each length DN, from a table: POWER need not be exact."""
    return "CASE DN " + " ".join(f"WHEN {n} THEN {number(n)}" for n in range(1, longest + 1)) + " END"


def _letters_to_number(before: str, count: str) -> str:
    """So many letters of L, at least one, to the base of 26, the first letter the least.

    :param before: what stands before the place of a letter, as a sum.
    """
    terms = [f"(ASCII(SUBSTR(L, {before}{n + 1}, 1)) - 65) * {26**n}" for n in range(MAX_LETTERS // 2)]
    return _as_many(terms, count, " + ", "0")


def _letters(high: str, count: str) -> str:
    """What `_letters_to_number` reads, NULL for none."""
    places = [f"CHR(65 + MOD(TRUNC({high} / {26**place}), 26))" for place in range(MAX_LETTERS // 2)]
    return f"CASE WHEN {count} > 0 THEN {_as_many(places, count, ' || ', 'NULL')} END"


def _as_many(terms: list[str], count: str, joined: str, none: str) -> str:
    """The first terms, at least one; the others are not computed."""
    whole = terms[-1]
    for number, term in reversed(list(enumerate(terms[:-1], 1))):
        whole = f"{term}{joined}CASE WHEN {count} > {number} THEN {whole} ELSE {none} END"
    return whole


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
