"""Null: every value is removed. In YAML `algorithm: null`.

Guarantees: irreversible. Refused on columns that are NOT NULL.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.masking.algorithms import base, proofs, samples
from oracle_refresh.masking.algorithms.protocol import Algorithm, Guarantees, SqlContext, register
from oracle_refresh.oracle.errors import MaskingError

if TYPE_CHECKING:
    from oracle_refresh.catalog import Column
    from oracle_refresh.masking.keys import DomainKey


@register
@dataclass(frozen=True)
class Null(Algorithm):
    """No parameters."""

    kind = "null"
    types = base.EVERY_TYPE
    keeps = "nothing"
    keyed = False

    @property
    def guarantees(self) -> Guarantees:
        # NULLs do not collide in a unique key.
        return Guarantees(unique="practically")

    @property
    def empties(self) -> bool:
        return True

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
