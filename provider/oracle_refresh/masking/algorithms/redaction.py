"""Redaction: every value becomes the same constant, or NULL.

Guarantees: irreversible; NULL stays NULL; a row that held the constant already gets the alternative one, so
that no value stays as it was.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from oracle_refresh.masking.algorithms import base, proofs, samples
from oracle_refresh.masking.algorithms.protocol import (
    Algorithm,
    Column,
    DomainKey,
    SqlContext,
    register,
)
from oracle_refresh.oracle.errors import MaskingError


@register
@dataclass(frozen=True)
class Redaction(Algorithm):
    """Replace by `text` (character columns and CLOB), by `number`, or by NULL when both are None."""

    kind = "redaction"
    types = (*base.CHARACTER_TYPES, "CLOB", *base.NUMERIC_TYPES)
    keeps = "nothing"
    keyed = False

    text: Annotated[str, Field(min_length=1)] | None = None
    number: int | None = None

    def __post_init__(self) -> None:
        if self.text is not None and self.number is not None:
            raise ValueError("give a text or a number, not both")

    @property
    def empties(self) -> bool:
        return self.constants is None

    @property
    def constants(self) -> tuple[str | int, str | int] | None:
        """The constant and its alternative, or None for NULL."""
        if self.text is not None:
            # One character changed keeps the width: x is in no need of another byte.
            last = "x" if self.text[-1] != "x" else "y"
            return self.text, self.text[:-1] + last
        if self.number is not None:
            return self.number, self.number + 1 if self.number % 10 != 9 else self.number - 1
        return None

    def check(self, column: Column) -> None:
        """Raise MaskingError when the column's type, width or NOT NULL does not take the replacement."""
        if self.text is not None:
            base.require_type(column, (*base.CHARACTER_TYPES, "CLOB"), "redaction by a text")
            if column.data_type != "CLOB":
                sizes = {"characters": len(self.text), "bytes": len(self.text.encode())}
                base.require_room(column, sizes.__getitem__, "the redaction text")
        elif self.number is not None:
            base.require_type(column, base.NUMERIC_TYPES, "redaction by a number")
            base.require_digits(column, self.number)
        elif not column.nullable:
            raise MaskingError(
                "redaction to NULL on a column that is NOT NULL",
                object_name=column.name,
                step="masking plan",
                remedy="give the rule a text or a number",
            )

    def proof(self, column: Column, scope: proofs.Scope) -> proofs.Proof:
        return proofs.Proof() if self.constants is None else proofs.constants(self.constants, column, scope)

    @classmethod
    def samples(cls) -> tuple[samples.Sample, ...]:
        removed = cls("[removed]")
        return (
            samples.Sample(removed, samples.TEXT),
            samples.Sample(removed, samples.plain("V", "CLOB"), name="in CLOB"),
        )

    def outputs(self) -> tuple[str | int | float, ...]:
        return self.constants or ()

    def mask(self, key: DomainKey | None, value: object, *others: object) -> str | int | None:
        if value is None or self.constants is None:
            return None
        constant, alternative = self.constants
        same = value.rstrip(" ") == str(constant) if isinstance(value, str) else value == constant
        return alternative if same else constant

    def expression(self, context: SqlContext, column: Column, reference: str) -> str:
        if self.constants is None:
            return "NULL"
        constant, alternative = (context.bind(value) for value in self.constants)
        if column.data_type == "CLOB":
            same = f"DBMS_LOB.COMPARE({reference}, TO_CLOB({constant})) = 0"
            return f"CASE WHEN {same} THEN TO_CLOB({alternative}) ELSE TO_CLOB({constant}) END"
        compared = base.text_sql(column, reference) if self.text is not None else reference
        return f"CASE WHEN {compared} = {constant} THEN {alternative} ELSE {constant} END"
