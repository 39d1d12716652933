"""IBANs: the country stays, letters and digits of the account are permuted, the check digits are right again.

Guarantees: deterministic; 1:1; country, length, letters against digits, and blanks kept; the check digits
of ISO 13616 (ISO 7064, MOD 97-10) are right; never the number itself. Check digits that some countries have
inside the account number are not kept right. An IBAN whose check digits are wrong does not conform.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from oracle_refresh.masking.algorithms import proofs, samples
from oracle_refresh.masking.algorithms.compact import CompactAlgorithm
from oracle_refresh.masking.algorithms.permutation import DIGITS, UPPER, View, permutation, permuted
from oracle_refresh.masking.algorithms.protocol import Column, DomainKey, SqlContext, register


@register
@dataclass(frozen=True)
class Iban(CompactAlgorithm):
    """No parameters: everything follows from the number."""

    kind = "iban"
    version = 2
    keeps = "country, check digits, separators"
    pattern = "^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$"

    def proof(self, column: Column, scope: proofs.Scope) -> proofs.Proof:
        compact = self.compact(column, scope)
        rest = remainder(scope.once(as_number(compact)))
        text = proofs.text(column)
        return proofs.Proof(
            always=f"CASE WHEN REGEXP_LIKE({compact}, '{self.pattern}') THEN {rest} END = 1",
            kept=f"SUBSTR(UPPER({text}), 1, 2) || {proofs.shape(text)}",
        )

    @classmethod
    def samples(cls) -> tuple[samples.Sample, ...]:
        return (samples.Sample(cls(), samples.TEXT),)

    def originals(self, column: Column) -> Iterator[Any]:
        """German ones."""
        for number in samples.numbers("37040044{:010d}"):
            yield f"DE{check_digits('DE', number):02d}{number}"

    def mask_compact(self, key: DomainKey, compact: str) -> str | None:
        country, account = compact[:2], compact[4:]
        if f"{check_digits(country, account):02d}" != compact[2:4]:
            return None
        masked = permuted(key, country, account)
        return None if masked is None else f"{country}{check_digits(country, masked):02d}{masked}"

    def has_form(self, compact: str) -> str:
        return (
            f"LENGTH({compact}) BETWEEN 15 AND 34 AND LTRIM({compact}, '{DIGITS}{UPPER}') IS NULL "
            f"AND LTRIM(SUBSTR({compact}, 1, 2), '{UPPER}') IS NULL "
            f"AND LTRIM(SUBSTR({compact}, 3, 2), '{DIGITS}') IS NULL"
        )

    def compact_query(self, context: SqlContext, source: str) -> str:
        view = View(source)
        view.wrap("V", "X", "C", "SUBSTR(C, 1, 2) AS HEAD", "SUBSTR(C, 5) AS M")
        _wrap_check_digits(view, "M", "V", "X", "C", "HEAD", "M")
        view.wrap(
            *("V", "X", "HEAD", "NULL AS TAIL"),
            "CASE WHEN SUBSTR(C, 3, 2) = CHECK_DIGITS THEN M END AS MIDDLE",
        )
        view = View(permutation(context, view.sql, 30, ("X",)))
        _wrap_check_digits(view, "MAPPED", "V", "X", "HEAD", "MAPPED")
        whole = "CASE WHEN MAPPED IS NOT NULL THEN HEAD || CHECK_DIGITS || MAPPED END"
        return f"SELECT V, X, {whole} AS MAPPED FROM ({view.sql})"


#: A is 10, Z is 35.
_NUMBERS = str.maketrans({letter: str(number) for number, letter in enumerate(UPPER, 10)})


def check_digits(country: str, account: str) -> int:
    """The check digits that belong to a country and an account: 2 to 98."""
    return 98 - int(f"{account}{country}00".upper().translate(_NUMBERS)) % 97


def _wrap_check_digits(view: View, account: str, *columns: str) -> None:
    """SQL: what `check_digits` gives for HEAD and an account, as CHECK_DIGITS, two digits. Most accounts have
    no letter to be replaced, and are a number as they are. NUMBER holds 38 digits: at most 66 digits are
    divided in three steps."""
    country = "(100 * ASCII(SUBSTR(HEAD, 1, 1)) + ASCII(SUBSTR(HEAD, 2, 1)) - 5555)"
    numbers = account
    for number, letter in enumerate(UPPER, 10):
        numbers = f"REPLACE({numbers}, '{letter}', '{number}')"
    view.wrap(*columns, f"CASE WHEN LTRIM({account}, '{DIGITS}') IS NOT NULL THEN {numbers} END AS NUMBERS")
    rest = "MOD(TO_NUMBER(SUBSTR(NUMBERS, 1, 30)), 97)"
    for start in (31, 61):
        rest = f"MOD(TO_NUMBER(TO_CHAR({rest}) || SUBSTR(NUMBERS, {start}, 30)), 97)"
    whole = f"CASE WHEN NUMBERS IS NULL THEN TO_NUMBER({account}) ELSE {rest} END"
    rest = f"MOD({whole} * 1000000 + {country} * 100, 97)"
    view.wrap(*columns, f"LPAD(TO_CHAR(98 - {rest}), 2, '0') AS CHECK_DIGITS")


def as_number(iban: str) -> str:
    """SQL, for the proof: an IBAN in capitals, without blanks, as the number that its check digits are
    computed from."""
    numbers = f"SUBSTR({iban}, 5) || SUBSTR({iban}, 1, 4)"
    for number, letter in enumerate(UPPER, 10):
        numbers = f"REPLACE({numbers}, '{letter}', '{number}')"
    return numbers


def remainder(numbers: str) -> str:
    """SQL, for the proof: the remainder of that number, which is 1 if the check digits are right.

    NUMBER holds 38 digits, so it is divided in three steps.
    """
    rest = f"MOD(TO_NUMBER(SUBSTR({numbers}, 1, 30)), 97)"
    for start in (31, 61):
        rest = f"MOD(TO_NUMBER(TO_CHAR({rest}) || SUBSTR({numbers}, {start}, 30)), 97)"
    return rest
