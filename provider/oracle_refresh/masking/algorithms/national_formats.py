"""The formats of national identity numbers: which characters are permuted, how the check is made.

A format says both how Python and how SQL mask it: `slices` are permuted together, all other characters stay,
the check characters are computed anew from a weighted sum.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from oracle_refresh.masking.algorithms.identity_numbers import GermanTaxId, SocialSecurityNumber
from oracle_refresh.masking.algorithms.permutation import (
    DIGITS,
    UPPER,
    View,
    digits_permutation,
    permutation,
    permuted,
)

if TYPE_CHECKING:
    from oracle_refresh.masking.algorithms.protocol import SqlContext
    from oracle_refresh.masking.keys import DomainKey

CHARACTERS = DIGITS + UPPER


class Format(Protocol):
    """One format; `pattern` is without anchors."""

    @property
    def pattern(self) -> str: ...

    def mask(self, key: DomainKey, compact: str) -> str | None:
        """The reference: None where the check characters are wrong."""

    def query(self, context: SqlContext, source: str) -> str:
        """SQL: V, X and MAPPED over `source`, which has V, X and C; MAPPED is NULL for a misfit."""

    def right(self, compact: str) -> str:
        """SQL, for the proof: whether the check characters of a text that fits `pattern` are right."""


@dataclass(frozen=True)
class Check:
    """Check characters from a sum over all characters before them.

    `values` has, for each place, the summand of each of the 36 characters; the remainder by the number of
    `results` chooses the result. A result that is empty means: no such number is issued.
    """

    values: tuple[tuple[int, ...], ...]
    results: tuple[str, ...]

    @property
    def width(self) -> int:
        return max(map(len, self.results))

    def of(self, body: str) -> str:
        """The check characters of what stands before them."""
        total = sum(row[CHARACTERS.index(char)] for row, char in zip(self.values, body, strict=True))
        return self.results[total % len(self.results)]

    def sql(self, body: str) -> str:
        """SQL: the same, NULL where there is no such number."""
        terms = []
        for number, values in enumerate(self.values, 1):
            char = f"SUBSTR({body}, {number}, 1)"
            if values == _digits(values[1]):
                terms.append(f"{values[1]} * TO_NUMBER({char})")
            else:
                listed = "".join(f"{value:03d}" for value in values)
                terms.append(f"TO_NUMBER(SUBSTR('{listed}', 3 * INSTR('{CHARACTERS}', {char}) - 2, 3))")
        padded = "".join(result.ljust(self.width) for result in self.results)
        place = f"{self.width} * MOD({' + '.join(terms)}, {len(self.results)}) + 1"
        return f"TRIM(SUBSTR('{padded}', {place}, {self.width}))"


@dataclass(frozen=True)
class Sliced:
    """Permutes the characters of `slices` (start, length; start counts from 0) as one text.

    `letters`: whether the slices may hold letters.
    `walk`: how often a result for which no check character exists is permuted again. The permutation without
    the numbers that are left out is one to one as well (cycle walking, NIST SP 800-38G, appendix).
    """

    pattern: str
    length: int
    slices: tuple[tuple[int, int], ...]
    check: Check | None = None
    letters: bool = False
    walk: int = 0

    def _split(self, compact: str) -> tuple[str, str]:
        inside = {place for start, size in self.slices for place in range(start, start + size)}
        body = compact[: self.length]
        kept = "".join(char for place, char in enumerate(body) if place not in inside)
        return kept, "".join(body[start : start + size] for start, size in self.slices)

    def _joined(self, kept: str, middle: str) -> str:
        left, moved = iter(kept), iter(middle)
        inside = {place for start, size in self.slices for place in range(start, start + size)}
        return "".join(next(moved if place in inside else left) for place in range(self.length))

    def mask(self, key: DomainKey, compact: str) -> str | None:
        if self.check and self.check.of(compact[: self.length]) != compact[self.length :]:
            return None
        kept, middle = self._split(compact)
        for _ in range(self.walk + 1):
            moved = permuted(key, kept, middle, steps=self.walk == 0)
            if moved is None:
                return None
            middle, body = moved, self._joined(kept, moved)
            if self.check is None or self.check.of(body):
                return body + (self.check.of(body) if self.check else "")
        return None

    def query(self, context: SqlContext, source: str) -> str:
        inside = sorted(self.slices)
        outside, place = [], 0
        for start, size in [*inside, (self.length, 0)]:
            if start > place:
                outside.append((place, start - place))
            place = start + size
        head = " || ".join(_piece("C", each) for each in outside) or "NULL"
        middle = " || ".join(_piece("C", each) for each in self.slices)
        if self.check:
            right = f"SUBSTR(C, {self.length + 1}) = {self.check.sql('C')}"
            middle = f"CASE WHEN {right} THEN {middle} END"
        width = sum(size for _, size in self.slices)
        listed = "V, X, {} AS HEAD, {} AS MIDDLE, NULL AS TAIL" + ("" if self.letters else f", {width} AS DN")
        rows = f"SELECT {listed.format(head, middle)} FROM ({source})"
        tables = []
        for turn in range(self.walk + 1):
            permute = permutation if self.letters else digits_permutation
            view = View(permute(context, rows, width, ("X",), steps=self.walk == 0))
            body = f"CASE WHEN MAPPED IS NOT NULL THEN {self._joined_sql()} END AS BODY"
            view.wrap("V", "X", "HEAD", "MAPPED", body)
            check = self.check.sql("BODY") if self.check else "NULL"
            view.wrap("V", "X", "HEAD", "MAPPED", "BODY", f"CASE WHEN BODY IS NOT NULL THEN {check} END AS C")
            if self.walk == 0:
                return f"SELECT V, X, BODY || C AS MAPPED FROM ({view.sql})"
            tables.append(context.table(f"W{turn}", view.sql))
            again = "C IS NULL AND BODY IS NOT NULL"
            rows = f"SELECT {listed.format('HEAD', 'MAPPED')} FROM {tables[-1]} WHERE {again}"
        every = " UNION ALL ".join(
            f"SELECT V, X, BODY || C AS MAPPED FROM {table} WHERE C IS NOT NULL OR BODY IS NULL"
            for table in tables[:-1]
        )
        return f"{every} UNION ALL SELECT V, X, CASE WHEN C IS NOT NULL THEN BODY || C END FROM {tables[-1]}"

    def right(self, compact: str) -> str:
        if self.check is None:
            return "1 = 1"
        return f"SUBSTR({compact}, {self.length + 1}) = {self.check.sql(compact)}"

    def _joined_sql(self) -> str:
        parts, kept, moved = [], 1, 1
        inside = dict(self.slices)
        order = {}
        for start, size in self.slices:
            order[start] = moved
            moved += size
        place = 0
        while place < self.length:
            if place in inside:
                parts.append(f"SUBSTR(MAPPED, {order[place]}, {inside[place]})")
                place += inside[place]
            else:
                end = min([start for start in inside if start > place], default=self.length)
                parts.append(f"SUBSTR(HEAD, {kept}, {end - place})")
                kept += end - place
                place = end
        return " || ".join(parts)


@dataclass(frozen=True)
class AnyId:
    """Digits to digits, letters to letters, nothing kept, no check."""

    pattern: str = "[A-Z0-9]{1,40}"

    def mask(self, key: DomainKey, compact: str) -> str | None:
        return permuted(key, "", compact)

    def query(self, context: SqlContext, source: str) -> str:
        rows = f"SELECT V, X, NULL AS HEAD, C AS MIDDLE, NULL AS TAIL FROM ({source})"
        return permutation(context, rows, 40, ("X",))

    def right(self, compact: str) -> str:
        return "1 = 1"


def _piece(text: str, piece: tuple[int, int]) -> str:
    return f"SUBSTR({text}, {piece[0] + 1}, {piece[1]})"


def _digits(weight: int) -> tuple[int, ...]:
    """The summands of a place that holds digits only; letters stand for 0."""
    return tuple(weight * digit for digit in range(10)) + (0,) * 26


def _weights(*weights: int) -> tuple[tuple[int, ...], ...]:
    return tuple(_digits(weight) for weight in weights)


def _number(digits: int, modulus: int) -> tuple[tuple[int, ...], ...]:
    """The digits as one number."""
    return _weights(*(pow(10, digits - 1 - place, modulus) for place in range(digits)))


_DNI = tuple("TRWAGMYFPDXBNJZSQVHLCKE")
#: X, Y and Z stand for the digits 0, 1 and 2 before the seven others.
_NIE_FIRST = tuple(pow(10, 7, 23) * max("XYZ".find(char), 0) for char in CHARACTERS)
_NIR_RESULTS = tuple(f"{97 - rest:02d}" for rest in range(97))
#: 2A counts as 19 and 2B as 18: A adds 19 - 20 to a digit's place, B 18 - 20.
_NIR_LETTERS = {"A": -1, "B": -2}
_NIR_SEVENTH = tuple(
    pow(10, 6, 97) * (_NIR_LETTERS.get(char, 0) if char in UPPER else int(char)) % 97 for char in CHARACTERS
)
_ODD: tuple[int, ...] = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21)
_ODD += (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23)
_EVEN = (*range(10), *range(26))
_MONTH = "[ABCDEHLMPRST]"

FORMATS: dict[str, tuple[Format, ...]] = {
    "any": (AnyId(),),
    "us": (SocialSecurityNumber(),),
    # Prefix and suffix say nothing about a person; the six digits are the number.
    "uk": (Sliced("[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z][0-9]{6}[A-D]", 9, ((2, 6),)),),
    "de": (GermanTaxId(),),
    # Sex, month and department stay; the year of birth, the municipality and the number in it are permuted.
    "fr": (
        Sliced(
            "[1-478][0-9]{2}(0[1-9]|1[0-2]|[2-9][0-9])([013-9][0-9]|2[0-9AB])[0-9]{8}",
            13,
            ((1, 2), (7, 6)),
            Check(
                (
                    *_weights(*(pow(10, 12 - place, 97) for place in range(6))),
                    _NIR_SEVENTH,
                    *_weights(*(pow(10, 12 - place, 97) for place in range(7, 13))),
                ),
                _NIR_RESULTS,
            ),
        ),
    ),
    "es": (
        Sliced("[0-9]{8}[A-Z]", 8, ((0, 8),), Check(_number(8, 23), _DNI)),
        Sliced("[XYZ][0-9]{7}[A-Z]", 8, ((1, 7),), Check((_NIE_FIRST, *_number(7, 23)), _DNI)),
    ),
    # The eleven-test has no ninth digit for one in eleven numbers.
    "nl": (
        Sliced(
            "[0-9]{9}",
            8,
            ((0, 8),),
            Check(_weights(*range(9, 1, -1)), (*DIGITS, "")),
            walk=9,
        ),
    ),
    # Name letters, year of birth and the number of the municipality are permuted; month, day with sex, and
    # the letter of the municipality stay.
    "it": (
        Sliced(
            f"[A-Z]{{6}}[0-9]{{2}}{_MONTH}[0-7][0-9][A-Z][0-9]{{3}}[A-Z]",
            15,
            ((0, 6), (6, 2), (12, 3)),
            Check(tuple(_EVEN if place % 2 else _ODD for place in range(15)), tuple(UPPER)),
            letters=True,
        ),
    ),
}
