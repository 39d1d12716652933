"""Number mapping: whole numbers become others with as many digits and the same sign, one to one.

For numeric keys: a primary key and its foreign keys in one domain stay joined. Guarantees: deterministic;
1:1; number of digits and sign kept; never the number itself (0 is one of ten numbers of one digit). A
number with a fraction, or of more than 30 digits, does not conform. One-digit numbers have ten images, so
they are pseudonyms that anybody can enumerate.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from oracle_refresh.masking.algorithms import proofs, samples
from oracle_refresh.masking.algorithms.permutation import View, permute_number, permuted_number
from oracle_refresh.masking.algorithms.protocol import (
    Algorithm,
    Column,
    DomainKey,
    Guarantees,
    SqlContext,
    nonconforming,
    register,
)
from oracle_refresh.oracle.errors import MaskingError

LONGEST = 30
_TWEAK = "CHR(31) || TO_CHAR(LENGTH(TO_CHAR(N, 'TM9'))) || CHR(31) AS TWEAK"


@register
@dataclass(frozen=True)
class NumberMapping(Algorithm):
    """No parameters: everything follows from the number."""

    kind = "number_mapping"
    version = 2
    types = ("NUMBER",)
    keeps = "number of digits, sign"
    guarantees = Guarantees(unique="always", reversible="with the key", format_kept=True)
    mapped = "always"

    def check(self, column: Column) -> None:
        """Raise MaskingError unless the column is a NUMBER for whole numbers."""
        super().check(column)
        if column.scale is not None and column.scale < 0:
            raise MaskingError(
                f"{self.kind} cannot mask numbers that are rounded to scale {column.scale}",
                object_name=column.name,
                step="masking plan",
            )

    def proof(self, column: Column, scope: proofs.Scope) -> proofs.Proof:
        name = proofs.name(column)
        # 0 is one of ten numbers of one digit: it may become another one, and another one 0.
        sign = f"CASE WHEN {name} < 0 THEN '-' ELSE '+' END"
        return proofs.Proof(kept=f"{sign} || LENGTH(TO_CHAR(ABS({name}), 'TM9'))")

    @classmethod
    def samples(cls) -> tuple[samples.Sample, ...]:
        return (samples.Sample(cls(), samples.NUMBER),)

    def mask(self, key: DomainKey, value: int | Decimal | None, *others: object) -> int | None:
        if value is None:
            return None
        if value != int(value) or len(str(abs(int(value)))) > LONGEST:
            raise nonconforming(self.kind)
        sign, number = (-1 if value < 0 else 1), abs(int(value))
        return sign * permuted_number(key, str(len(str(number))), number, zero=value >= 0)

    def query(self, context: SqlContext, column: Column, values: str) -> str:
        view = View(
            f"SELECT V, CASE WHEN V = TRUNC(V) AND ABS(V) < {10**LONGEST} THEN ABS(V) END AS N "
            f"FROM ({values})"
        )
        view.wrap("V", "N", "LENGTH(TO_CHAR(N, 'TM9')) AS DN", _TWEAK)
        permute_number(view, context.permutation(), ["V"], LONGEST, zero="V >= 0")
        return f"SELECT V, CASE WHEN V < 0 THEN -1 ELSE 1 END * MAPPED AS MASKED FROM ({view.sql})"
