"""Mapping: every distinct value gets an entry of a pool of its own, and a table remembers which.

The map belongs to the domain, not to the column: all tables of a run extend one map, one after the other, so
equal values stay equal everywhere. It is dropped when the target is released, or kept in the refresh user's
schema with `keep: true`, so that the next refresh hands out the same entries.

Guarantees: 1:1; deterministic only with the kept map (without one: as long as the same values come in the
same tables' order); reversible by whoever can read the kept map, which holds originals: protect or drop it. A
value may get itself if the pool holds real values. When the pool is short the remaining values do not
conform. Source of the idea: Delphix, Mapping.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from oracle_refresh.masking.algorithms import base, entries, proofs, samples
from oracle_refresh.masking.algorithms.protocol import (
    Algorithm,
    Column,
    DomainKey,
    Guarantees,
    Source,
    SqlContext,
    nonconforming,
    register,
)


@register
@dataclass(frozen=True)
class PoolMapping(Algorithm):
    """A pool of entries that all differ, at least as many as there are values."""

    kind = "mapping"
    types = base.CHARACTER_TYPES
    keeps = "nothing"
    guarantees = Guarantees(unique="always", reversible="with the kept map", changes=False)
    mapped = "always"
    whole_column = True
    sources: ClassVar[Mapping[str, tuple[str, Source]]] = {"lookup": ("values", "entries")}

    values: tuple[str, ...]
    keep: bool = False

    def __post_init__(self) -> None:
        if len(set(self.values)) < len(self.values) or not all(self.values):
            raise ValueError("the entries of a pool differ, and none is empty")
        entries.checked(self.values, repeats=True)

    def check(self, column: Column) -> None:
        """Raise MaskingError when the column's type does not fit or an entry is too long for it."""
        super().check(column)
        base.require_hashable(column, self.kind)
        base.require_room(column, base.longest(self.values), "the longest entry of the pool")

    def proof(self, column: Column, scope: proofs.Scope) -> proofs.Proof:
        return proofs.listed(self.values, as_written=True)

    @classmethod
    def samples(cls) -> tuple[samples.Sample, ...]:
        pool = tuple(f"Firm {n}" for n in range(1200))
        return (samples.Sample(cls(pool), samples.TEXT),)

    def assign(self, key: DomainKey, values: Iterable[str], known: Mapping[str, str] = {}) -> dict[str, str]:
        """The reference: the map after values were added to what was known, as far as the pool reaches."""
        new = sorted({value for value in values if value not in known}, key=lambda v: (key.number(v), v))
        used, pool = set(known.values()), key.part("pool")
        free = sorted((v for v in self.values if v not in used), key=lambda v: (pool.number(v), v))
        return {**known, **dict(zip(new, free, strict=False))}

    def mask_column(
        self, key: DomainKey, rows: Sequence[tuple[Any, ...]], column: Column | None = None
    ) -> list[Any]:
        """The reference, with a map of these rows alone. Raises MaskingError where the pool is short."""
        known = self.assign(key, [value for value, *_ in rows if value])
        try:
            return [known[value] if value else None for value, *_ in rows]
        except KeyError:
            raise nonconforming(self.kind) from None

    def shared_map(self, context: SqlContext, values: str, name: str) -> str:
        """SQL: join the values that are not in the map yet, in keyed order, to the free entries in theirs."""
        pool = context.lookup(entries.table(self.values))
        order = f"ROW_NUMBER() OVER (ORDER BY {context.pads().number('V')}, V)"
        free = f"ROW_NUMBER() OVER (ORDER BY {context.pads('pool').number('ENTRY')}, ENTRY)"
        return f"""\
INSERT INTO {name} (ORIGINAL, MASKED)
SELECT N.V, P.ENTRY
FROM (SELECT V, {order} AS RN FROM ({values}) D
  WHERE NOT EXISTS (SELECT 1 FROM {name} K WHERE K.ORIGINAL = D.V)) N
JOIN (SELECT ENTRY, {free} AS RN FROM {pool} L
  WHERE NOT EXISTS (SELECT 1 FROM {name} K WHERE K.MASKED = L.ENTRY)) P ON P.RN = N.RN"""
