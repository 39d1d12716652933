"""Rows of a table with rules before they are masked: what has to be the same on both ends. Pure.

Each end sums it up over its rows, or computes it while it hashes them (`pairing`). Hashes
of rows, and of LOBs bound to their row's key, are keyed: nobody who lacks the key can try guesses of what is
masked, not even where a table has one row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from oracle_refresh.validation import statements
from oracle_refresh.validation.expected import SEPARATOR
from oracle_refresh.validation.packing import keyed

if TYPE_CHECKING:
    from oracle_refresh.catalog import Table


@dataclass(frozen=True)
class CopiedRows:
    """Expressions and statements over the rows of one table; they bind :salt."""

    table: Table
    masked: frozenset[str]

    @property
    def key(self) -> str | None:
        """SQL: the key that masking leaves as it is."""
        return statements.key_text(self.table, self.masked)

    @property
    def key_changes(self) -> bool:
        """Whether masking changes the key that LOBs are bound to."""
        return self.key != self._whole_key

    @property
    def _whole_key(self) -> str | None:
        return statements.key_text(self.table)

    @property
    def lobs(self) -> tuple[str, ...]:
        """All LOB columns."""
        return statements.lob_columns(self.table)

    @property
    def kept_lobs(self) -> tuple[str, ...]:
        """Those that masking leaves as they are."""
        return statements.lob_columns(self.table, self.masked)

    @cached_property
    def row(self) -> str:
        """SQL over the row T: the hash of its unmasked columns, without LOBs."""
        columns, _ = statements.comparable(self.table)
        return statements.row_hash(tuple(column for column in columns if column.name not in self.masked))

    @cached_property
    def whole_row(self) -> str:
        """SQL over the row T: W, the keyed hash of all its columns, without LOBs."""
        columns, _ = statements.comparable(self.table)
        return f"{statements.row_hash(columns, salted=True)} AS W"

    def values(self) -> list[str]:
        """SQL over the row T, each computed once: what `summed_up` is made of."""
        values = [self.whole_row]
        for number, name in enumerate(self.lobs, 1):
            values += self._lob(number, name)
        if self.lobs:
            keys = {"KC": self._whole_key, "KM": self.key if self.key_changes else None}
            values += [f"{key} AS {name}" for name, key in keys.items() if key is not None]
        return values

    def summed_up(self) -> list[str]:
        """SQL over `values`, beside W, the row's hash: per LOB column its length, NULL where there is none,
        and its hash; where masking changes the key, once more bound to what it keeps."""
        parts: list[str] = []
        for number, _ in enumerate(self.lobs, 1):
            parts += [f"N{number}", _bound(number, self._whole_key, "KC")]
            if self.key_changes:
                parts.append(_bound(number, self.key, "KM"))
        return parts

    def copied(
        self, condition: str | None = None, partition: str | None = None, *, at_scn: bool = False
    ) -> str:
        """Sums over rows that are not masked yet, as `statements.summary` gives them: rows, two sums over
        their hashes; per LOB column values, lengths, two sums.

        :param condition: of the rows that are read; `partition`: the only one that is.
        :param at_scn: read AS OF SCN :scn.
        """
        inner, outer = ["W"], ["COUNT(*)", *statements.sums("W")]
        for number, _ in enumerate(self.lobs, 1):
            inner += [f"P{number}", f"N{number}", f"{_bound(number, self._whole_key, 'KC')} AS L{number}"]
            outer += statements.lob_sums(number, f"L{number}")
        rows = self._rows(condition, partition, at_scn=at_scn)
        return _sums(outer, inner, self.values(), rows)

    def loaded(self, condition: str | None = None, partition: str | None = None) -> str:
        """The same of rows of the target, with zeros for the rows' hashes, for a table with LOBs."""
        return self._of_lobs(self.lobs, self._whole_key, self._rows(condition, partition))

    def kept(self, condition: str | None = None, partition: str | None = None) -> str:
        """The same of masked rows: their LOBs that stay as they are, bound to the key that does."""
        return self._of_lobs(self.kept_lobs, self.key, self._rows(condition, partition))

    def _of_lobs(self, names: Sequence[str], key: str | None, rows: str) -> str:
        inner, outer, values = list[str](), ["COUNT(*)", "0", "0"], list[str]()
        for number, name in enumerate(names, 1):
            values += self._lob(number, name)
            inner += [f"P{number}", f"N{number}", f"{_bound(number, key, 'K')} AS L{number}"]
            outer += statements.lob_sums(number, f"L{number}")
        if key is not None:
            values.append(f"{key} AS K")
        return _sums(outer, inner, values, rows)

    def _lob(self, number: int, name: str) -> list[str]:
        content = f"{statements.lob_content(self.table, name)} AS C{number}"
        return [*statements.lob_parts(self.table, name, number), content]

    def _rows(self, condition: str | None, partition: str | None, *, at_scn: bool = False) -> str:
        return statements.origin(self.table, at_scn=at_scn, condition=condition, partition=partition)


def _sums(outer: Sequence[str], inner: Sequence[str], values: Sequence[str], rows: str) -> str:
    listed = ",\n  ".join(values)
    return (
        f"SELECT {', '.join(outer)}\nFROM (SELECT /*+ NO_MERGE */ {', '.join(inner)}\n"
        f"FROM (SELECT /*+ NO_MERGE */\n  {listed}\nFROM {rows}))"
    )


def _bound(number: int, key: str | None, name: str) -> str:
    """SQL over `CopiedRows.values`: a LOB's hash, bound to the key that is called so."""
    content = f"RAWTOHEX(C{number})"
    text = content if key is None else f"{name} || CHR({ord(SEPARATOR)}) || {content}"
    return f"CASE WHEN P{number} = 1 THEN {keyed(text)} END"
