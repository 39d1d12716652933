"""Payment cards: the number of the issuer stays, everything after it is permuted, the check digit fits again.

Guarantees: deterministic; 1:1; a number that passes Luhn's test (ISO/IEC 7812-1) still passes it, one that
fails still fails, with the same error; the first `keep_first` digits (6 or 8: the issuer, BIN) and the
separators stay; never the number itself. Kept BIN and check digit leave 10^3 to 10^12 numbers per issuer and
length: who can have values masked can enumerate them. 12 to 19 digits with blanks and hyphens conform.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from oracle_refresh.masking.algorithms.compact import CompactAlgorithm
from oracle_refresh.masking.algorithms.permutation import View, permutation, permuted
from oracle_refresh.masking.algorithms.protocol import SqlContext, register

if TYPE_CHECKING:
    from oracle_refresh.masking.keys import DomainKey

LONGEST = 19


@register
@dataclass(frozen=True)
class PaymentCard(CompactAlgorithm):
    """Keeps the first six or eight digits."""

    kind = "payment_card"
    pattern = "^[0-9]{12,19}$"

    keep_first: Literal[6, 8] = 6

    def mask_compact(self, key: DomainKey, compact: str) -> str | None:
        head, middle, check = compact[: self.keep_first], compact[self.keep_first : -1], int(compact[-1])
        error = check - luhn(head + middle)
        masked = permuted(key, head, middle)
        return None if masked is None else f"{head}{masked}{(luhn(head + masked) + error) % 10}"

    def has_form(self, compact: str) -> str:
        # A regular expression that counts costs several times as much.
        return f"LTRIM({compact}, '0123456789') IS NULL AND LENGTH({compact}) BETWEEN 12 AND {LONGEST}"

    def compact_query(self, context: SqlContext, source: str) -> str:
        kept = self.keep_first
        view = View(source)
        view.wrap("V", "X", "SUBSTR(C, 1, LENGTH(C) - 1) AS P", "TO_NUMBER(SUBSTR(C, -1)) AS E")
        _wrap_luhn(view, "V", "X", "P", "E")
        parts = f"SUBSTR(P, 1, {kept}) AS HEAD", f"SUBSTR(P, {kept + 1}) AS MIDDLE", "NULL AS TAIL"
        view.wrap("V", "X", "E - CHECK_DIGIT AS E", *parts)
        view = View(permutation(context.pads(), view.sql, LONGEST - kept - 1, ("X", "E")))
        view.wrap("V", "X", "E", "HEAD || MAPPED AS P")
        _wrap_luhn(view, "V", "X", "P", "E")
        return f"SELECT V, X, P || TO_CHAR(MOD(CHECK_DIGIT + E + 10, 10)) AS MAPPED FROM ({view.sql})"


def luhn(digits: str) -> int:
    """The check digit that belongs to the digits before it."""
    total = 0
    for place, char in enumerate(reversed(digits)):
        digit = int(char) * (2 - place % 2)
        total += digit - 9 if digit > 9 else digit
    return -total % 10


def _wrap_luhn(view: View, *columns: str) -> None:
    """SQL: what `luhn` gives for P, as CHECK_DIGIT.

    RAWTOHEX writes a digit d as 3d, so a text of digits becomes a number whose digits to the base of 100 are
    30 + d. The number's remainder by 9999 is their sum at the last place and every other one before it, and a
    hundred times that at the places between; what the thirties add up to is made a multiple of 9999, too.
    """
    each = (LONGEST - 1) // 2
    thirties = -30 * each * 101 % 9999
    plain, doubled = (
        f"MOD(TO_NUMBER(RAWTOHEX({text})) + {thirties}, 9999)"
        for text in ("PLAIN", "TRANSLATE(PLAIN, '0123456789', '0246813579')")
    )
    view.wrap(*columns, f"LPAD(P, {LONGEST - 1}, '0') AS PLAIN")
    view.wrap(*columns, f"MOD(200 - TRUNC({plain} / 100) - MOD({doubled}, 100), 10) AS CHECK_DIGIT")
