"""Secure lookup: a value is replaced by the entry of a list that its keyed hash points to.

Guarantees: deterministic; equal values (letter case and outer blanks apart) get equal entries wherever
domain and list are shared; never the value itself: where the hash points to it, the next entry is taken;
NULL stays NULL; not unique and so not reversible. The frequencies of the values survive: the most common
surname stays the most common. Adding one row to the list remaps nearly everything, so the list's digest is
part of the ruleset's fingerprint. Source of the idea: Delphix, Secure Lookup (SHA-256).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from oracle_refresh.masking.algorithms import base, entries, proofs, samples
from oracle_refresh.masking.algorithms.protocol import (
    Algorithm,
    Column,
    DomainKey,
    Source,
    SqlContext,
    register,
)


@register
@dataclass(frozen=True)
class SecureLookup(Algorithm):
    """A list of entries that differ even when case and blanks are ignored. With `weighted` an entry may come
    more than once, and is then taken as much more often."""

    kind = "secure_lookup"
    types = base.CHARACTER_TYPES
    keeps = "frequencies"
    mapped = "when_repeated"
    sources: ClassVar[Mapping[str, tuple[str, Source]]] = {"lookup": ("values", "entries")}

    values: tuple[str, ...]
    fold: Literal["upper", "none"] = "upper"
    weighted: bool = False

    def __post_init__(self) -> None:
        entries.checked(self.values, repeats=self.weighted)

    def check(self, column: Column) -> None:
        """Raise MaskingError when the column's type does not fit or an entry is too long for it."""
        super().check(column)
        base.require_hashable(column, self.kind)
        base.require_room(column, base.longest(self.values), "the longest entry of the lookup")

    def proof(self, column: Column, scope: proofs.Scope) -> proofs.Proof:
        return proofs.listed(self.values, as_written=True)

    @classmethod
    def samples(cls) -> tuple[samples.Sample, ...]:
        weighted = cls((*samples.NAMES, samples.NAMES[0]), weighted=True)
        return (
            samples.Sample(cls(samples.NAMES), samples.TEXT),
            samples.Sample(weighted, samples.text("V", 20, "CHAR"), name="in CHAR"),
        )

    def outputs(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.values))

    def mask(self, key: DomainKey, value: str | None, *others: object) -> str | None:
        return entries.chosen(key, self.values, value, self.fold) if value else None

    def expression(self, context: SqlContext, column: Column, reference: str) -> str:
        text = base.text_sql(column, reference)
        return entries.chosen_sql(context, context.pads(), self.values, text, self.fold)
