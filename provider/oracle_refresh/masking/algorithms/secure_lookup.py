"""Secure lookup: a value is replaced by the entry of a list that its keyed hash points to.

Guarantees: deterministic; equal values (letter case and outer blanks apart) get equal entries wherever
domain and list are shared; never the value itself: where the hash points to it, the next entry is taken;
NULL stays NULL; not unique and so not reversible. The frequencies of the values survive: the most common
surname stays the most common. Adding one row to the list remaps nearly everything, so the list's digest is
part of the ruleset's fingerprint.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.masking.algorithms import base

if TYPE_CHECKING:
    from oracle_refresh.catalog import Column
    from oracle_refresh.masking.keys import DomainKey


@dataclass(frozen=True)
class SecureLookup:
    """A list of at least two entries that differ even when case and blanks are ignored."""

    values: tuple[str, ...]
    fold: str = "upper"

    def __post_init__(self) -> None:
        if len(self.values) < 2:
            raise ValueError("a lookup needs at least two entries")
        seen: dict[str, int] = {}
        for row, value in enumerate(self.values, 1):
            same = seen.setdefault(base.folded(value, "upper"), row)
            if not value.strip():
                raise ValueError(f"row {row} is empty")
            if same != row:
                raise ValueError(f"row {row} repeats row {same}: {value!r}")

    def check(self, column: Column) -> None:
        """Raise MaskingError when the column's type does not fit or an entry is too long for it."""
        base.require_type(column, base.CHARACTER_TYPES, "secure_lookup")
        base.require_hashable(column, "secure_lookup")
        base.require_room(
            column,
            lambda unit: max(len(value if unit == "characters" else value.encode()) for value in self.values),
            "the longest entry of the lookup",
        )

    def mask(self, key: DomainKey, value: str | None) -> str | None:
        """The reference."""
        if not value:
            return None
        index = key.number(base.folded(value, self.fold)) % len(self.values)
        same = base.folded(self.values[index], "upper") == base.folded(value, "upper")
        return self.values[(index + 1) % len(self.values)] if same else self.values[index]

    def rows(self) -> list[tuple[int, str, str]]:
        """The lookup table: index, entry, and the entry for the value that is this entry itself."""
        return [
            (index, value, self.values[(index + 1) % len(self.values)])
            for index, value in enumerate(self.values)
        ]

    def index_sql(self, pads: base.Pads, column: Column, reference: str) -> str:
        """The index of the entry that a value points to."""
        text = base.folded_sql(base.text_sql(column, reference), self.fold)
        return f"MOD({pads.number(text)}, {len(self.values)})"

    def value_sql(self, column: Column, reference: str, lookup: str) -> str:
        """The masked value, where `lookup` is the alias of the lookup table's joined row."""
        original = base.folded_sql(base.text_sql(column, reference), "upper")
        same = f"{base.folded_sql(f'{lookup}.ENTRY', 'upper')} = {original}"
        return f"CASE WHEN {same} THEN {lookup}.NEXT_ENTRY ELSE {lookup}.ENTRY END"
