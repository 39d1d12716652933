"""IBANs: the country stays, letters and digits of the account are permuted, the check digits are right again.

Guarantees: deterministic; 1:1; country, length, letters against digits, and blanks kept; the check digits
of ISO 13616 (ISO 7064, MOD 97-10) are right; never the number itself. Check digits that some countries have
inside the account number are not kept right. An IBAN whose check digits are wrong does not conform.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.masking.algorithms.compact import CompactAlgorithm
from oracle_refresh.masking.algorithms.permutation import UPPER, View, permutation, permuted
from oracle_refresh.masking.algorithms.protocol import SqlContext, register

if TYPE_CHECKING:
    from oracle_refresh.masking.keys import DomainKey


@register
@dataclass(frozen=True)
class Iban(CompactAlgorithm):
    """No parameters: everything follows from the number."""

    kind = "iban"
    pattern = "^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$"

    def mask_compact(self, key: DomainKey, compact: str) -> str | None:
        country, account = compact[:2], compact[4:]
        if f"{check_digits(country, account):02d}" != compact[2:4]:
            return None
        masked = permuted(key, country, account)
        return None if masked is None else f"{country}{check_digits(country, masked):02d}{masked}"

    def compact_query(self, context: SqlContext, source: str) -> str:
        view = View(source)
        view.wrap("V", "X", "C", "SUBSTR(C, 1, 2) AS HEAD", "SUBSTR(C, 5) AS M")
        right = f"SUBSTR(C, 3, 2) = {_check_digits('HEAD', 'M')}"
        view.wrap("V", "X", "HEAD", f"CASE WHEN {right} THEN M END AS MIDDLE", "NULL AS TAIL")
        whole = f"HEAD || {_check_digits('HEAD', 'MAPPED')} || MAPPED"
        return (
            f"SELECT V, X, CASE WHEN MAPPED IS NOT NULL THEN {whole} END AS MAPPED "
            f"FROM ({permutation(context.pads(), view.sql, 30, ('X',))})"
        )


#: A is 10, Z is 35.
_NUMBERS = str.maketrans({letter: str(number) for number, letter in enumerate(UPPER, 10)})


def check_digits(country: str, account: str) -> int:
    """The check digits that belong to a country and an account: 2 to 98."""
    return 98 - int(f"{account}{country}00".upper().translate(_NUMBERS)) % 97


def _check_digits(country: str, account: str) -> str:
    """SQL: the same as two digits. At most 68 digits are divided in three steps, as NUMBER holds 38."""
    numbers = f"{account} || {country} || '00'"
    for number, letter in enumerate(UPPER, 10):
        numbers = f"REPLACE({numbers}, '{letter}', '{number}')"
    rest = f"MOD(TO_NUMBER(SUBSTR({numbers}, 1, 30)), 97)"
    for start in (31, 61):
        rest = f"MOD(TO_NUMBER(TO_CHAR({rest}) || SUBSTR({numbers}, {start}, 30)), 97)"
    return f"LPAD(TO_CHAR(98 - {rest}), 2, '0')"
