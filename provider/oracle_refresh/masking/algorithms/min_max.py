"""Min-max: values outside a range move to its nearer end; values inside stay.

Guarantees: deterministic, idempotent, keeps the order; NULL stays NULL. Masks nothing inside the range: it
hides outliers (the one salary above a million), not people. So the proof does not expect the values to
change.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from oracle_refresh.masking.algorithms import base, proofs, samples
from oracle_refresh.masking.algorithms.protocol import (
    Algorithm,
    Column,
    DomainKey,
    Guarantees,
    SqlContext,
    register,
)

Bound = int | float | date


@register
@dataclass(frozen=True)
class MinMax(Algorithm):
    """The range: two numbers, or two dates (a time of day is not compared)."""

    kind = "min_max"
    types = (*base.NUMERIC_TYPES, "DATE", "TIMESTAMP")
    keeps = "order"
    guarantees = Guarantees(format_kept=True, changes=False)
    keyed = False

    minimum: Bound
    maximum: Bound

    def __post_init__(self) -> None:
        if isinstance(self.minimum, date) != isinstance(self.maximum, date):
            raise ValueError("minimum and maximum are two numbers or two dates")
        if self.minimum > self.maximum:  # type: ignore[operator]
            raise ValueError("maximum must not be below minimum")

    def check(self, column: Column) -> None:
        """Raise MaskingError unless the column is of the range's type and holds both ends."""
        if isinstance(self.minimum, date):
            base.require_type(column, ("DATE", "TIMESTAMP"), self.kind)
        else:
            base.require_type(column, base.NUMERIC_TYPES, self.kind)
            for bound in (self.minimum, self.maximum):
                if not isinstance(bound, date):
                    base.require_digits(column, bound)

    def proof(self, column: Column, scope: proofs.Scope) -> proofs.Proof:
        low, high = (base.literal(scope.bind, column, bound) for bound in (self.minimum, self.maximum))
        always = f"{proofs.name(column)} BETWEEN {low} AND {high}"
        if isinstance(self.minimum, date) or isinstance(self.maximum, date):
            return proofs.Proof(always=always)
        return proofs.Proof(always=always, bounds=(self.minimum, self.maximum))

    @classmethod
    def samples(cls) -> tuple[samples.Sample, ...]:
        dates = cls(date(1930, 2, 1), date(1930, 6, 1))
        return (
            samples.Sample(cls(1000, 5000), samples.NUMBER),
            samples.Sample(dates, samples.DAY, name="of dates"),
        )

    def mask(self, key: DomainKey | None, value: Any, *others: object) -> Any:
        if value is None:
            return None
        low, high = (_value(bound, value) for bound in (self.minimum, self.maximum))
        return min(max(value, low), high)

    def expression(self, context: SqlContext, column: Column, reference: str) -> str:
        low, high = (base.literal(context.bind, column, bound) for bound in (self.minimum, self.maximum))
        return f"LEAST(GREATEST({reference}, {low}), {high})"


def _value(bound: Bound, like: Any) -> Any:
    if isinstance(bound, date):
        return datetime(bound.year, bound.month, bound.day)
    return Decimal(str(bound)) if isinstance(like, Decimal) else bound
