"""Telephone numbers: the country code, trunk zeros and separators stay, all other digits are permuted.

A number starts with + or 00 and a country code (ITU-T E.164; the code is read off the assigned ranges), or is
national. The trunk zero of a national number, and one in parentheses after the country code, stay.

Guarantees: deterministic; 1:1; length, separators, country code and trunk zero kept; one number in different
spellings (+49, 0049, blanks) is masked as one number; never the number itself. A number of 4 to 15 digits
after country code and trunk zero conforms, unless these begin with a further zero.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from oracle_refresh.masking.algorithms import samples
from oracle_refresh.masking.algorithms.compact import CompactAlgorithm
from oracle_refresh.masking.algorithms.permutation import View, permute_number, permuted_number
from oracle_refresh.masking.algorithms.protocol import Column, DomainKey, SqlContext, register
from oracle_refresh.masking.keys import SEPARATOR

#: No alternative is the beginning of another one, so it does not matter which of them an engine prefers.
COUNTRY = (
    "[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]"
    "|(2[1-689]|3[578]|42|5[09]|6[789]|8[035789]|9[679])[0-9]"
)
INTERNATIONAL = f"^([+]|00)({COUNTRY})"
LONGEST = 15
NUMBER = "[1-9][0-9]{3,14}"


@register
@dataclass(frozen=True)
class Phone(CompactAlgorithm):
    """No parameters: everything follows from the number."""

    kind = "phone"
    version = 2
    keeps = "country code, trunk zero, separators"
    separators = " -./()"
    pattern = "^[+]?[0-9]{4,21}$"
    letters = False

    @classmethod
    def samples(cls) -> tuple[samples.Sample, ...]:
        return (samples.Sample(cls(), samples.TEXT),)

    def originals(self, column: Column) -> Iterator[Any]:
        return samples.numbers("+49 30 {:09d}")

    def mask_compact(self, key: DomainKey, compact: str) -> str | None:
        match = re.match(INTERNATIONAL, compact)
        code = match[2] if match else ""
        start = len(match[0]) if match else 0
        if compact[start : start + 1] == "0":
            start += 1
        middle = compact[start:]
        if not re.fullmatch(NUMBER, middle):
            return None
        number = permuted_number(key, f"{code}{SEPARATOR}{len(middle)}", int(middle))
        return f"{compact[:start].lstrip('+')}{number}"

    def has_form(self, compact: str) -> str:
        digits = f"LTRIM({compact}, '+')"
        return (
            f"LENGTH({digits}) BETWEEN 4 AND 21 AND LTRIM({digits}, '0123456789') IS NULL "
            f"AND SUBSTR({compact}, 2, 1) <> '+'"
        )

    def compact_query(self, context: SqlContext, source: str) -> str:
        """All places where a text is cut are constants, which is cheaper than a regular expression."""
        view = View(source)
        plus, zeros = "SUBSTR(C, 1, 1) = '+'", "SUBSTR(C, 1, 2) = '00'"
        abroad = f"CASE WHEN {plus} THEN SUBSTR(C, 2) WHEN {zeros} THEN SUBSTR(C, 3) END AS R"
        view.wrap("V", "X", "C", abroad, f"CASE WHEN {zeros} THEN '00' END AS ZEROS")
        lengths = " ".join(f"WHEN SUBSTR(R, 1, 2) IN ({_beginnings(n)}) THEN {n}" for n in (1, 2, 3))
        view.wrap(
            "V", "X", "C", "R", "ZEROS", f"CASE WHEN R IS NOT NULL THEN CASE {lengths} ELSE 0 END END AS CODE"
        )
        head = " ".join(f"WHEN {n} THEN SUBSTR(R, 1, {n})" for n in (1, 2, 3))
        rest = " ".join(f"WHEN CODE = {n} THEN SUBSTR(R, {n + 1})" for n in (1, 2, 3))
        national = "WHEN R IS NULL THEN C"
        view.wrap("V", "X", "ZEROS", f"CASE CODE {head} END AS HEAD", f"CASE {national} {rest} END AS R")
        trunk = "SUBSTR(R, 1, 1) = '0'"
        view.wrap(
            *("V", "X", "HEAD", f"ZEROS || HEAD || CASE WHEN {trunk} THEN '0' END AS F"),
            f"CASE WHEN {trunk} THEN SUBSTR(R, 2) ELSE R END AS M",
        )
        number = f"LENGTH(M) BETWEEN 4 AND {LONGEST} AND SUBSTR(M, 1, 1) NOT IN ('+', '0')"
        view.wrap("V", "X", "F", "HEAD", f"CASE WHEN {number} THEN M END AS M")
        tweak = "CHR(31) || HEAD || CHR(31) || LENGTH(M) || CHR(31) AS TWEAK"
        view.wrap("V", "X", "F", "TO_NUMBER(M) AS N", "LENGTH(M) AS DN", tweak)
        permute_number(view, context.permutation(), ["V", "X", "F"], LONGEST, zero="1 = 1")
        whole = "CASE WHEN MAPPED IS NOT NULL THEN F || TO_CHAR(MAPPED) END"
        return f"SELECT V, X, {whole} AS MAPPED FROM ({view.sql})"


def _beginnings(length: int) -> str:
    """SQL: the two digits that a country code of so many digits begins with, or that it and a number do."""
    two = (f"{number:02d}" for number in range(100))
    found = (digits for digits in two if (m := re.match(COUNTRY, f"{digits}0")) and len(m[0]) == length)
    return ", ".join(f"'{digits}'" for digits in found)
