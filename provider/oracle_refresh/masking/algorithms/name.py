"""Names: one given name or surname, replaced by an entry of a list, in the letter case of the original.

Guarantees: as `secure_lookup`, and: letter case is kept (all capitals, all small, else as the list writes
it); with `accents: strip` names that differ by the accents of Latin letters only are one name (Zoe and Zoë).
Not unique, not reversible. Source of the idea: Delphix, Name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

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
class Name(Algorithm):
    """A list of names that differ even when case, blanks and, where stripped, accents are ignored."""

    kind = "name"
    types = base.CHARACTER_TYPES
    keeps = "frequencies, letter case"
    mapped = "when_repeated"
    sources: ClassVar[Mapping[str, tuple[str, Source]]] = {"lookup": ("values", "entries")}

    values: tuple[str, ...]
    accents: Literal["strip", "keep"] = "strip"

    def __post_init__(self) -> None:
        entries.checked(self.values, accents=self.accents)

    def check(self, column: Column) -> None:
        """Raise MaskingError when the column's type does not fit or an entry is too long for it."""
        super().check(column)
        base.require_hashable(column, self.kind)
        base.require_room(column, base.longest(self.values), "the longest name of the lookup")

    def proof(self, column: Column, scope: proofs.Scope) -> proofs.Proof:
        return proofs.listed(self.values)

    @classmethod
    def samples(cls) -> tuple[samples.Sample, ...]:
        return (samples.Sample(cls(samples.NAMES), samples.TEXT),)

    def originals(self, column: Column) -> Iterator[Any]:
        return samples.numbers("Anna{}")

    def mask(self, key: DomainKey, value: str | None, *others: object) -> str | None:
        if not value:
            return None
        return cased(value, entries.chosen(key, self.values, value, "upper", self.accents))

    def expression(self, context: SqlContext, column: Column, reference: str) -> str:
        text = base.text_sql(column, reference)
        entry = entries.chosen_sql(context, context.pads(), self.values, text, "upper", self.accents)
        return cased_sql(text, entry)


def cased(value: str, entry: str) -> str:
    """Python: the entry in the letter case of the value; mixed case leaves it as it is."""
    trimmed, upper, lower = (base.folded(value, how) for how in ("none", "upper", "lower"))
    if upper == lower or trimmed not in (upper, lower):
        return entry
    return base.folded(entry, "upper" if trimmed == upper else "lower")


def cased_sql(text: str, entry: str) -> str:
    """SQL: what `cased` does."""
    return (
        f"CASE WHEN UPPER({text}) = LOWER({text}) THEN {entry} "
        f"WHEN {text} = UPPER({text}) THEN UPPER({entry}) "
        f"WHEN {text} = LOWER({text}) THEN LOWER({entry}) ELSE {entry} END"
    )
