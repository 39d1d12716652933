"""Constant: every value becomes the same text, number or date.

Guarantees: irreversible; NULL stays NULL. A row that held the constant already keeps it: use `redaction`
where that must not be.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from oracle_refresh.masking.algorithms import base, proofs, samples
from oracle_refresh.masking.algorithms.protocol import (
    Algorithm,
    Column,
    DomainKey,
    Guarantees,
    SqlContext,
    register,
)


@register
@dataclass(frozen=True)
class Constant(Algorithm):
    """The value that all get."""

    kind = "constant"
    types = (*base.CHARACTER_TYPES, "CLOB", *base.NUMERIC_TYPES, "DATE", "TIMESTAMP")
    keeps = "nothing"
    guarantees = Guarantees(changes=False)
    keyed = False

    value: int | float | date | str

    def __post_init__(self) -> None:
        if self.value == "":
            raise ValueError("an empty text is NULL in Oracle: say `algorithm: null`")

    def check(self, column: Column) -> None:
        """Raise MaskingError when the column's type or width does not take the constant."""
        if isinstance(self.value, str):
            base.require_type(column, (*base.CHARACTER_TYPES, "CLOB"), self.kind)
            if column.data_type != "CLOB":
                sizes = {"characters": len(self.value), "bytes": len(self.value.encode())}
                base.require_room(column, sizes.__getitem__, "the constant")
        elif isinstance(self.value, date):
            base.require_type(column, ("DATE", "TIMESTAMP"), self.kind)
        else:
            base.require_type(column, base.NUMERIC_TYPES, self.kind)
            base.require_digits(column, self.value)

    def proof(self, column: Column, scope: proofs.Scope) -> proofs.Proof:
        if isinstance(self.value, date):
            literal = base.literal(scope.bind, column, self.value)
            return proofs.Proof(always=f"{proofs.name(column)} = {literal}")
        return proofs.constants((self.value,), column, scope)

    @classmethod
    def samples(cls) -> tuple[samples.Sample, ...]:
        return (samples.Sample(cls("gone"), samples.TEXT),)

    def outputs(self) -> tuple[int | float | date | str, ...]:
        return (self.value,)

    def mask(self, key: DomainKey | None, value: object, *others: object) -> object:
        return None if value is None else self.value

    def expression(self, context: SqlContext, column: Column, reference: str) -> str:
        constant = base.literal(context.bind, column, self.value)
        return f"TO_CLOB({constant})" if column.data_type == "CLOB" else constant
