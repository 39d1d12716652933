"""Record lookup: several columns of a row are replaced by the fields of one record of a lookup.

The keyed hash of the `key` columns, taken together, points to the record, so city, postcode and country fit
each other, in every table that has the same three. Written for all columns at once as `place`.

Guarantees: deterministic; columns with one `key` and domain stay in accord; the first field is never the
first key column's value (the next record with another first field is taken then), the others may stay what
they were; NULL stays NULL, column by column; not unique, not reversible; frequencies survive.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from pydantic import Field

from oracle_refresh.masking.algorithms import base, proofs, samples
from oracle_refresh.masking.algorithms.protocol import (
    Algorithm,
    Column,
    DomainKey,
    Guarantees,
    Source,
    SqlContext,
    entries_table,
    register,
)
from oracle_refresh.masking.records import Records
from oracle_refresh.oracle.errors import MaskingError

SEPARATOR = "\x1e"
#: For samples.
PLACES = Records(("city", "postcode"), tuple((f"City {n}", f"{n:05d}") for n in range(90)))


@register
@dataclass(frozen=True)
class RecordLookup(Algorithm):
    """`field` counts from 1; the first field has to be that of the first key column."""

    kind = "record_lookup"
    types = base.CHARACTER_TYPES
    keeps = "accord of the columns"
    sources: ClassVar[Mapping[str, tuple[str, Source]]] = {"lookup": ("records", "records")}
    column_fields = ("key",)
    own_fields = ("field",)

    records: Records
    field: Annotated[int, Field(ge=1, le=20)]
    key: Annotated[tuple[str, ...], Field(min_length=1, max_length=10)]

    def __post_init__(self) -> None:
        if self.field > len(self.records.headings):
            raise ValueError(f"the lookup has {len(self.records.headings)} fields, not {self.field}")
        if len({base.folded(row[0], "upper") for row in self.records.rows}) < 2:
            raise ValueError("a lookup of records needs at least two first fields")
        if not all(map(all, self.records.rows)):
            raise ValueError("a field is empty")

    @property
    def guarantees(self) -> Guarantees:
        return Guarantees(changes=self.field == 1)

    def check(self, column: Column) -> None:
        """Raise MaskingError when the column's type does not fit or a field is too long for it."""
        super().check(column)
        values = [row[self.field - 1] for row in self.records.rows]
        base.require_room(column, base.longest(values), "the longest field of the lookup")

    def check_reads(self, columns: Mapping[str, Column]) -> None:
        """Raise MaskingError unless the key columns together can be hashed."""
        super().check_reads(columns)
        if sum(columns[name].text_bytes + 1 for name in self.key) > base.HASHABLE_BYTES:
            raise MaskingError(
                f"{self.kind} hashes keys of up to {base.HASHABLE_BYTES} bytes",
                object_name=", ".join(self.key),
                step="masking plan",
            )

    def proof(self, column: Column, scope: proofs.Scope) -> proofs.Proof:
        return proofs.listed(tuple(row[self.field - 1] for row in self.records.rows), as_written=True)

    @classmethod
    def samples(cls) -> tuple[samples.Sample, ...]:
        return (samples.Sample(cls(PLACES, 1, ("V",)), samples.TEXT),)

    def mask(self, key: DomainKey, value: str | None, *others: Any) -> str | None:
        """The reference; `others` are the key columns' values as canonical text."""
        if not value:
            return None
        folded = [base.folded(other or "", "upper") for other in others]
        index = key.number(SEPARATOR.join(folded)) % len(self.records.rows)
        if base.folded(self.records.rows[index][0], "upper") == folded[0]:
            index = self._next(index)
        return self.records.rows[index][self.field - 1]

    def expression(self, context: SqlContext, column: Column, reference: str) -> str:
        parts = [base.folded_sql(context.other(name), "upper") for name in self.key]
        number = context.pads().number(" || CHR(30) || ".join(parts))
        alias = context.join(
            context.lookup(self._table()), f"{{alias}}.IDX = MOD({number}, {len(self.records.rows)})"
        )
        same = f"{base.folded_sql(f'{alias}.F1', 'upper')} = {parts[0]}"
        return f"CASE WHEN {same} THEN {alias}.N{self.field} ELSE {alias}.F{self.field} END"

    def _next(self, index: int) -> int:
        own = base.folded(self.records.rows[index][0], "upper")
        step = (index + 1) % len(self.records.rows)
        while base.folded(self.records.rows[step][0], "upper") == own:
            step = (step + 1) % len(self.records.rows)
        return step

    def _table(self) -> Any:
        rows = self.records.rows
        places = range(1, len(self.records.headings) + 1)
        widths = [max(len(row[place - 1]) for row in rows) for place in places]
        columns = [("IDX", "NUMBER(9) NOT NULL")]
        columns += [
            (f"{letter}{place}", f"VARCHAR2({width} CHAR) NOT NULL")
            for letter in "FN"
            for place, width in zip(places, widths, strict=True)
        ]
        listed = [(index, *row, *rows[self._next(index)]) for index, row in enumerate(rows)]
        return entries_table(f"records {self.records.digest}", columns, listed)
