"""Payment cards: the number of the issuer stays, everything after it is permuted, the check digit fits again.

Guarantees: deterministic; 1:1; a number that passes Luhn's test (ISO/IEC 7812-1) still passes it, one that
fails still fails, with the same error; the first `keep_first` digits (6 or 8: the issuer, BIN) and the
separators stay; never the number itself. Kept BIN and check digit leave 10^3 to 10^12 numbers per issuer and
length: who can have values masked can enumerate them. 12 to 19 digits with blanks and hyphens conform.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from oracle_refresh.masking.algorithms import proofs, samples
from oracle_refresh.masking.algorithms.compact import CompactAlgorithm
from oracle_refresh.masking.algorithms.permutation import View, digits_permutation, permuted
from oracle_refresh.masking.algorithms.protocol import Column, DomainKey, SqlContext, register

LONGEST = 19


@register
@dataclass(frozen=True)
class PaymentCard(CompactAlgorithm):
    """Keeps the first six or eight digits."""

    kind = "payment_card"
    keeps = "issuer, Luhn's test, length, separators"
    pattern = "^[0-9]{12,19}$"

    keep_first: Literal[6, 8] = 6

    def proof(self, column: Column, scope: proofs.Scope) -> proofs.Proof:
        compact, text = self.compact(column, scope), proofs.text(column)
        issuer = f"SUBSTR({compact}, 1, {self.keep_first})"
        passes = passes_luhn(compact, scope)
        return proofs.Proof(
            always=proofs.only_digits(compact, 12, LONGEST),
            kept=f"CASE WHEN {passes} THEN 'L' END || {issuer} || {proofs.shape(text)}",
            valid=passes,
        )

    @classmethod
    def samples(cls) -> tuple[samples.Sample, ...]:
        return (samples.Sample(cls(), samples.TEXT),)

    def originals(self, column: Column) -> Iterator[Any]:
        return samples.numbers("411111{:09d}7")

    def mask_compact(self, key: DomainKey, compact: str) -> str | None:
        head, middle, check = compact[: self.keep_first], compact[self.keep_first : -1], int(compact[-1])
        error = check - luhn(head + middle)
        masked = permuted(key, head, middle)
        return None if masked is None else f"{head}{masked}{(luhn(head + masked) + error) % 10}"

    def has_form(self, compact: str) -> str:
        return f"LTRIM({compact}, '0123456789') IS NULL AND LENGTH({compact}) BETWEEN 12 AND {LONGEST}"

    def compact_query(self, context: SqlContext, source: str) -> str:
        """The check digit changes by as much as the sum of the digits before it, of which the first stay."""
        kept = self.keep_first
        view = View(source)
        view.wrap(
            *("V", "X", f"SUBSTR(C, 1, {kept}) AS HEAD", "NULL AS TAIL"),
            *(f"SUBSTR(C, {kept + 1}, LENGTH(C) - {kept + 1}) AS MIDDLE", "TO_NUMBER(SUBSTR(C, -1)) AS E"),
        )
        _wrap_luhn(view, "MIDDLE", "V", "X", "HEAD", "TAIL", "MIDDLE", "E")
        view.wrap("V", "X", "HEAD", "TAIL", "MIDDLE", "E + TOTAL AS E")
        view = View(digits_permutation(context, view.sql, LONGEST - kept - 1, ("X", "E")))
        _wrap_luhn(view, "MAPPED", "V", "X", "HEAD", "MAPPED", "E")
        return f"SELECT V, X, HEAD || MAPPED || TO_CHAR(MOD(E - TOTAL + 10, 10)) AS MAPPED FROM ({view.sql})"


def luhn(digits: str) -> int:
    """The check digit that belongs to the digits before it."""
    total = 0
    for place, char in enumerate(reversed(digits)):
        digit = int(char) * (2 - place % 2)
        total += digit - 9 if digit > 9 else digit
    return -total % 10


def _wrap_luhn(view: View, digits: str, *columns: str) -> None:
    """SQL: the last digit of the sum that `luhn` complements, as TOTAL, for the digits behind the issuer's.

    RAWTOHEX writes a digit d as 3d, so a text of digits becomes a number whose digits to the base of 100 are
    30 + d. The doubled digits are added one place further on: every other place then holds a plain digit and
    a doubled one, as the sum takes them. The number's remainder by 100^4 - 1 has, at each of its four places,
    the sum of every fourth place: three pairs of digits, less than 100 without the thirties.
    """
    width = LONGEST - 7
    thirties = 30 * 2 * width // 4 * 1010101
    view.wrap(*columns, f"LPAD({digits}, {width}, '0') AS PLAIN")
    plain, doubled = (
        f"TO_NUMBER(RAWTOHEX({text}))" for text in ("PLAIN", "TRANSLATE(PLAIN, '0123456789', '0246813579')")
    )
    view.wrap(*columns, f"MOD({plain} + 100 * {doubled} - {thirties}, 99999999) AS SUMS")
    view.wrap(*columns, "MOD(TRUNC(SUMS / 100) + TRUNC(SUMS / 1000000), 10) AS TOTAL")


def passes_luhn(digits: str, scope: proofs.Scope) -> str:
    """SQL, for the proof: whether a text of up to 19 digits passes Luhn's test; false for any other text.

    RAWTOHEX writes a digit d as 3d, so a text of digits becomes a number whose digits to the base of 100 are
    30 + d. The number's remainder by 9999 is their sum at every other place, and a hundred times that at the
    places between; what the thirties add up to is made a multiple of 9999, too.
    """
    padded = f"LPAD({digits}, {LONGEST}, '0')"
    odd, even = (LONGEST + 1) // 2, LONGEST // 2
    thirties = -30 * (odd + 100 * even) % 9999
    plain, doubled = (
        f"MOD(TO_NUMBER(RAWTOHEX({text})) + {thirties}, 9999)"
        for text in (padded, f"TRANSLATE({padded}, '{proofs.DIGITS}', '0246813579')")
    )
    total = f"MOD({plain}, 100) + TRUNC({doubled} / 100)"
    right = proofs.only_digits(digits, 1, LONGEST)
    return f"{scope.once(f'CASE WHEN {right} THEN MOD({total}, 10) END')} = 0"
