"""National identity numbers: masked numbers keep their format and have right check digits.

Formats: see `national_formats`. `country: any` is the generic pattern: digits to digits, letters to letters.

Guarantees: deterministic; 1:1 within a format; the parts a format keeps (such as the letters that say what
kind of number it is), length and separators stay; check letters and digits are right; the number itself never
comes out. A number that is not of the format, or whose check digits are wrong, does not conform.
Sources: the issuing authorities' public descriptions, as collected by python-stdnum, whose validators the
tests hold the results against.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, get_args

from oracle_refresh.masking.algorithms import national_originals, proofs, samples
from oracle_refresh.masking.algorithms.compact import CompactAlgorithm
from oracle_refresh.masking.algorithms.national_formats import CHARACTERS, FORMATS
from oracle_refresh.masking.algorithms.protocol import Column, DomainKey, SqlContext, register

Country = Literal["any", "de", "es", "fr", "it", "nl", "uk", "us"]


@register
@dataclass(frozen=True)
class NationalId(CompactAlgorithm):
    """The number of one country: us (SSN), uk (NINO), de (tax id), fr (NIR), es (DNI and NIE), nl (BSN),
    it (codice fiscale), or any."""

    kind = "national_id"
    version = 2
    keeps = "format, check digits, separators"
    separators = " -./"
    pattern = "^[A-Z0-9]{1,40}$"

    country: Country = "any"

    def proof(self, column: Column, scope: proofs.Scope) -> proofs.Proof:
        compact, tests = self.compact(column, scope), []
        for each in FORMATS[self.country]:
            right = f"CASE WHEN {each.right(compact)} THEN 1 END"
            tests.append(f"WHEN REGEXP_LIKE({compact}, '^({each.pattern})$') THEN {right}")
        always = f"CASE {' '.join(tests)} END = 1"
        return proofs.Proof(always=always, kept=proofs.shape(proofs.text(column)))

    @classmethod
    def samples(cls) -> tuple[samples.Sample, ...]:
        return tuple(
            samples.Sample(cls(country), samples.TEXT, name=country) for country in get_args(Country)
        )

    def originals(self, column: Column) -> Iterator[Any]:
        return national_originals.NUMBERS[self.country]()

    def mask_compact(self, key: DomainKey, compact: str) -> str | None:
        for each in FORMATS[self.country]:
            if re.fullmatch(each.pattern, compact):
                return each.mask(key, compact)
        return None

    def has_form(self, compact: str) -> str:
        return f"LTRIM({compact}, '{CHARACTERS}') IS NULL AND LENGTH({compact}) <= 40"

    def compact_query(self, context: SqlContext, source: str) -> str:
        """The formats of a country exclude each other: each gives its rows; what is of none comes last."""
        tests = [f"REGEXP_LIKE(C, '^({each.pattern})$')" for each in FORMATS[self.country]]
        rows = []
        for each, test in zip(FORMATS[self.country], tests, strict=True):
            query = each.query(context, f"SELECT V, X, C FROM ({source}) WHERE {test}")
            rows.append(f"SELECT V, X, MAPPED FROM ({query})")
        rows.append(f"SELECT V, X, NULL FROM ({source}) WHERE C IS NULL OR NOT ({' OR '.join(tests)})")
        return "\nUNION ALL ".join(rows)
