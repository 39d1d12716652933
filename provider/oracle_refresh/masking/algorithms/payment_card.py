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
    version = 2
    keeps = "issuer, Luhn's test, length, separators"
    pattern = "^[0-9]{12,19}$"
    letters = False

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
        """Of the sum that has to be a multiple of ten the issuer's digits stay: the check digit makes up for
        what the others add to it."""
        kept = self.keep_first
        view = View(source)
        view.wrap(
            *("V", "X", f"SUBSTR(C, 1, {kept}) AS HEAD", "NULL AS TAIL"),
            *(f"SUBSTR(C, {kept + 1}, LENGTH(C) - {kept + 1}) AS MIDDLE", f"LENGTH(C) - {kept + 1} AS DN"),
            _padded(f"SUBSTR(C, {kept + 1})"),
        )
        view.wrap("V", "X", "HEAD", "TAIL", "MIDDLE", "DN", f"{_SUMS} AS SUMS")
        view = View(digits_permutation(context, view.sql, LONGEST - kept - 1, ("X", "SUMS")))
        view.wrap("V", "X", "HEAD", "MAPPED", "SUMS AS FORMER", _padded("MAPPED || '0'"))
        view.wrap("V", "X", "HEAD", "MAPPED", "FORMER", f"{_SUMS} AS SUMS")
        check = f"MOD({_total('FORMER')} - {_total('SUMS')} + 10, 10)"
        return f"SELECT V, X, HEAD || MAPPED || TO_CHAR({check}) AS MAPPED FROM ({view.sql})"


def luhn(digits: str) -> int:
    """The check digit that belongs to the digits before it."""
    total = 0
    for place, char in enumerate(reversed(digits)):
        digit = int(char) * (2 - place % 2)
        total += digit - 9 if digit > 9 else digit
    return -total % 10


_WIDTH = LONGEST - 6
_THIRTIES = 30 * sum(100**place + 100 ** (place + 1) for place in range(_WIDTH)) % (100**4 - 1)
#: SQL: the sums that Luhn's test takes, of the digits of PLAIN.
#:
#: RAWTOHEX writes a digit d as 3d, so a text of digits becomes a number whose digits to the base of 100 are
#: 30 + d. The doubled digits are added one place further on: every other place then holds a plain digit and
#: a doubled one, as the sum takes them. The number's remainder by 100^4 - 1 has, at each of its four places,
#: the sum of every fourth place, which is below 100 without the thirties.
_DOUBLED = "TRANSLATE(PLAIN, '0123456789', '0246813579')"
_SUMS = f"MOD(TO_NUMBER(RAWTOHEX(PLAIN)) + 100 * TO_NUMBER(RAWTOHEX({_DOUBLED})) - {_THIRTIES}, 99999999)"


def _padded(digits: str) -> str:
    return f"LPAD({digits}, {_WIDTH}, '0') AS PLAIN"


def _total(sums: str) -> str:
    """SQL: the last digit of the sum over the first and every other place."""
    return f"MOD({sums} + TRUNC({sums} / 10000), 10)"


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
