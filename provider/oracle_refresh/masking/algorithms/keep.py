"""Keep: the value stays as it is, by a rule that says so: a part of a decomposed value, or the rest of
conditional rules. It masks nothing, so it is for what is known to be harmless.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from oracle_refresh.masking.algorithms import base, proofs, samples
from oracle_refresh.masking.algorithms.protocol import (
    Algorithm,
    Column,
    DomainKey,
    Guarantees,
    SqlContext,
    register,
)

T = TypeVar("T")


@register
@dataclass(frozen=True)
class Keep(Algorithm):
    """No parameters."""

    kind = "keep"
    types = base.EVERY_TYPE
    keeps = "everything"
    guarantees = Guarantees(unique="always", format_kept=True, changes=False)
    keyed = False
    masks = False

    def proof(self, column: Column, scope: proofs.Scope) -> proofs.Proof:
        return proofs.of_shape(column)

    @classmethod
    def samples(cls) -> tuple[samples.Sample, ...]:
        return (samples.Sample(cls(), samples.TEXT),)

    def mask(self, key: DomainKey | None, value: T, *others: object) -> T:
        return value

    def expression(self, context: SqlContext, column: Column, reference: str) -> str:
        """The reference itself."""
        return reference
