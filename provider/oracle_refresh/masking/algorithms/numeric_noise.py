"""Numeric noise with kept totals: amounts are moved between the rows of a group; the group's sum stays.

The rows of a group are ordered by the keyed hash of their `subject`. Neighbours form pairs, the last three of
an odd number a triple. Within a pair a keyed amount, at most `percent` of the smaller of the two values and
at least one unit of the last decimal place, is taken from one and given to the other, so every sum is kept
exactly and every value changes.

Guarantees: deterministic as long as the group's rows are the same; no value stays as it was; the sum of each
group (`total`, a column; all rows without it), the count and the average are kept; values above one unit keep
their sign; NULL stays NULL. A group of a single row keeps no total: its sum is the value itself. Not unique.
Values at the very end of the column's precision may overflow it, which fails the masking (ORA-01438).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from typing import Annotated, Any

from pydantic import Field

from oracle_refresh.masking.algorithms import proofs, samples
from oracle_refresh.masking.algorithms.permutation import View
from oracle_refresh.masking.algorithms.protocol import (
    Algorithm,
    Column,
    DomainKey,
    SqlContext,
    register,
)

#: Decimal places of a NUMBER without a scale.
DEFAULT_SCALE = 2


@register
@dataclass(frozen=True)
class NumericNoise(Algorithm):
    """`subject` tells the rows of a table apart, such as its primary key."""

    kind = "numeric_noise"
    #: Sums of binary fractions are not exact.
    types = ("NUMBER",)
    keeps = "totals"
    mapped = "by_row"
    whole_column = True
    column_fields = ("subject", "total")

    percent: Annotated[int, Field(ge=1, le=49)]
    subject: str
    total: str | None = None
    decimals: Annotated[int, Field(ge=0, le=10)] = DEFAULT_SCALE

    def proof(self, column: Column, scope: proofs.Scope) -> proofs.Proof:
        return proofs.Proof(totals=True, group=self.total)

    @classmethod
    def samples(cls) -> tuple[samples.Sample, ...]:
        amount, kinds = samples.number("V", 12, 2), samples.text("KIND", 9)
        return (samples.Sample(cls(20, "SUBJECT", "KIND"), amount, (samples.SUBJECT, kinds)),)

    def _scale(self, column: Column) -> int:
        return self.decimals if column.precision is None else (column.scale or 0)

    def mask_column(
        self, key: DomainKey, rows: Sequence[tuple[Any, ...]], column: Column | None = None
    ) -> list[Any]:
        """The reference: rows are (value, subject, group or nothing), subject and group as canonical text."""
        scale = self._scale(column) if column else self.decimals
        groups: dict[Any, list[int]] = {}
        numbers = [key.number(row[1] or "") for row in rows]
        for place, row in enumerate(rows):
            if row[0] is not None:
                groups.setdefault(row[2] if len(row) > 2 else None, []).append(place)
        masked: list[Any] = [None] * len(rows)
        with localcontext() as context:
            context.prec = 60
            for places in groups.values():
                places.sort(key=lambda place: (numbers[place], rows[place][1] or ""))
                values = [Decimal(str(rows[place][0])) for place in places]
                moved = self._moved(values, [numbers[place] for place in places], scale)
                for place, value in zip(places, moved, strict=True):
                    masked[place] = value
        return masked

    def _moved(self, values: list[Decimal], numbers: list[int], scale: int) -> list[Decimal]:
        count = len(values)

        def amount(place: int) -> Decimal:
            least = min(abs(value) for value in values[place : place + 2])
            units = int(least * 10**scale * self.percent * (numbers[place] % 1000 + 1)) // 100000
            return Decimal(max(units, 1)).scaleb(-scale)

        signs = [1 if number // 1000 % 2 else -1 for number in numbers]
        moved = list(values)
        pairs = count - 3 if count % 2 and count > 1 else count if count > 1 else 0
        for place in range(0, pairs, 2):
            change = signs[place] * amount(place)
            moved[place] += change
            moved[place + 1] -= change
        if count == 1:
            moved[0] += signs[0] * amount(0)
        elif count % 2:
            first, second = amount(pairs), amount(pairs + 1)
            moved[pairs] += signs[pairs] * first
            moved[pairs + 1] -= signs[pairs] * (first + second)
            moved[pairs + 2] += signs[pairs] * second
        return moved

    def query(self, context: SqlContext, column: Column, values: str) -> str:
        """A query with the columns V (the ROWID) and MASKED over the rows."""
        scale = self._scale(column)
        group = "PARTITION BY O2 " if self.total else ""
        view = View(values)
        kept = ["RID", "V", "O1", *(["O2"] if self.total else [])]
        view.wrap(*kept, f"{context.pads().number('O1')} AS U")
        order = f"OVER ({group}ORDER BY U, O1)"
        count = f"COUNT(*) OVER ({group.strip()})"
        view.wrap(*kept, "U", f"ROW_NUMBER() {order} AS RN", f"{count} AS CN", f"LEAD(V) {order} AS W")
        least = f"LEAST(ABS(V), ABS(NVL(W, V))) * {10**scale * self.percent} * (MOD(U, 1000) + 1)"
        view.wrap(*kept, "U", "RN", "CN", "CASE MOD(TRUNC(U / 1000), 2) WHEN 1 THEN 1 ELSE -1 END AS S",
                  f"GREATEST(TRUNC({least} / 100000), 1) / {10**scale} AS D",
                  "CASE WHEN MOD(CN, 2) = 1 THEN CN - 3 ELSE CN END AS K")  # fmt: skip
        view.wrap("RID", "V", "RN", "CN", "K", "S", "D", f"LAG(S) {order} AS S1", f"LAG(S, 2) {order} AS S2",
                  f"LAG(D) {order} AS D1")  # fmt: skip
        return f"""\
SELECT RID AS V, CASE WHEN CN = 1 THEN V + S * D
  WHEN RN <= K AND MOD(RN, 2) = 1 THEN V + S * D
  WHEN RN <= K THEN V - S1 * D1
  WHEN RN = K + 1 THEN V + S * D
  WHEN RN = K + 2 THEN V - S1 * (D1 + D)
  ELSE V + S2 * D1 END AS MASKED
FROM ({view.sql})"""
