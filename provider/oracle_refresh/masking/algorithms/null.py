"""Null: every value is removed. In YAML `algorithm: null`.

Guarantees: irreversible. Refused on columns that are NOT NULL.
"""

from __future__ import annotations

from dataclasses import dataclass

from oracle_refresh.masking.algorithms import base, proofs, samples
from oracle_refresh.masking.algorithms.protocol import (
    Algorithm,
    Column,
    DomainKey,
    Guarantees,
    SqlContext,
    register,
)
from oracle_refresh.oracle.errors import MaskingError


@register
@dataclass(frozen=True)
class Null(Algorithm):
    """No parameters."""

    kind = "null"
    types = base.EVERY_TYPE
    keeps = "nothing"
    # NULLs do not collide in a unique key.
    guarantees = Guarantees(unique="practically")
    keyed = False
    empties = True

    def check(self, column: Column) -> None:
        """Raise MaskingError when the column is NOT NULL."""
        if not column.nullable:
            raise MaskingError(
                "null on a column that is NOT NULL",
                object_name=column.name,
                step="masking plan",
                remedy="use constant or redaction",
            )

    def proof(self, column: Column, scope: proofs.Scope) -> proofs.Proof:
        """Nothing of values: there are none."""
        return proofs.Proof()

    @classmethod
    def samples(cls) -> tuple[samples.Sample, ...]:
        return (samples.Sample(cls(), samples.TEXT),)

    def mask(self, key: DomainKey | None, value: object, *others: object) -> None:
        """The reference."""

    def expression(self, context: SqlContext, column: Column, reference: str) -> str:
        """NULL, whatever the value is."""
        return "NULL"
