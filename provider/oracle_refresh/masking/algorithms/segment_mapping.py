"""Segment mapping: a value of fixed form is cut into segments, and each is replaced through a keyed table.

`segments` says the form: `999` is a segment of digits (1 to 4), `AA` of letters (1 to 3), `XX` of letters and
digits (1 or 2), `KKK` stays as it is, anything else stands for itself, such as `-`. Every segment's table is
a permutation without a fixed point, in the keyed order of its entries.

Guarantees: deterministic; 1:1; length and form kept; no segment stays as it was, with `chained` the first;
reversible with the key. Without `chained` equal segments stay equal, so 1,000 known values give a three-digit
segment away: `chained` moves each further segment by a keyed amount of all segments before it. Values of
another form do not conform (small letters included). Source of the idea: Delphix, Segment Mapping.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any

from pydantic import Field

from oracle_refresh.masking.algorithms import base, proofs, samples
from oracle_refresh.masking.algorithms.permutation import DIGITS, UPPER
from oracle_refresh.masking.algorithms.protocol import (
    Algorithm,
    Column,
    DomainKey,
    Guarantees,
    LookupTable,
    MasterKey,
    SqlContext,
    nonconforming,
    register,
)
from oracle_refresh.masking.keys import SEPARATOR
from oracle_refresh.masking.statements import pattern
from oracle_refresh.oracle.errors import MaskingError

_CLASSES = {"9": (DIGITS, 4, "[0-9]"), "A": (UPPER, 3, "[A-Z]"), "X": (DIGITS + UPPER, 2, "[A-Z0-9]")}


@register
@dataclass(frozen=True)
class SegmentMapping(Algorithm):
    """The form, segment by segment."""

    kind = "segment_mapping"
    types = base.CHARACTER_TYPES
    keeps = "form"
    guarantees = Guarantees(unique="always", reversible="with the key", format_kept=True)
    mapped = "when_repeated"
    tells_misfits = True

    segments: Annotated[tuple[str, ...], Field(min_length=1, max_length=20)]
    chained: bool = False

    def __post_init__(self) -> None:
        if not self._mapped:
            raise ValueError("there is no segment to mask")
        for segment in self.segments:
            if not segment:
                raise ValueError("a segment is empty")
            kind = segment[0]
            if segment == kind * len(segment) and kind in _CLASSES and len(segment) > _CLASSES[kind][1]:
                raise ValueError(f"the segment {segment} is longer than {_CLASSES[kind][1]}: cut it in two")

    @property
    def _mapped(self) -> list[tuple[int, int, int, str]]:
        """Number, start (from 0), length and class of the segments that are masked."""
        segments: list[tuple[int, int, int, str]] = []
        start = 0
        for segment in self.segments:
            if segment and segment[0] in _CLASSES and segment == segment[0] * len(segment):
                segments.append((len(segments) + 1, start, len(segment), segment[0]))
            start += len(segment)
        return segments

    @property
    def _pattern(self) -> str:
        parts = []
        for segment in self.segments:
            if segment == segment[0] * len(segment) and segment[0] in _CLASSES:
                parts.append(_CLASSES[segment[0]][2] * len(segment))
            elif segment == "K" * len(segment):
                parts.append("." * len(segment))
            else:
                parts.append(
                    "".join(char if char.isalnum() or char in " -" else f"[{char}]" for char in segment)
                )
        return "".join(parts)

    def check(self, column: Column) -> None:
        """Raise MaskingError when the column is of no character type or narrower than the form."""
        super().check(column)
        base.require_hashable(column, self.kind)
        base.require_room(column, lambda _: sum(map(len, self.segments)), "the form")
        if any(char in "^]['\\" for segment in self.segments for char in segment):
            raise MaskingError("segments may not hold ^ [ ] ' or \\", step="masking plan")

    def proof(self, column: Column, scope: proofs.Scope) -> proofs.Proof:
        return proofs.Proof(kept=f"TO_CHAR(LENGTH({proofs.text(column)}))")

    @classmethod
    def samples(cls) -> tuple[samples.Sample, ...]:
        chained = cls(("999", "999"), chained=True)
        return (
            samples.Sample(cls(("AA", "-", "999", "9")), samples.TEXT),
            samples.Sample(chained, samples.TEXT, name="chained"),
        )

    def originals(self, column: Column) -> Iterator[Any]:
        """Texts of the form."""
        letters = samples.LETTERS
        classes = {"9": DIGITS, "A": letters, "X": f"{DIGITS}{letters}", "K": letters}
        for n in itertools.count():
            text, rest = "", n
            for segment in self.segments:
                signs = classes.get(segment[0]) if segment == segment[0] * len(segment) else None
                for sign in segment:
                    text += signs[rest % len(signs)] if signs else sign
                    rest //= len(signs) if signs else 1
            if rest:
                return
            yield text

    def mask(self, key: DomainKey, value: str | None, *others: object) -> str | None:
        if not value:
            return None
        if not re.fullmatch(self._pattern, value, re.DOTALL):
            raise nonconforming(self.kind)
        masked, before = list(value), ""
        for number, start, length, kind in self._mapped:
            text = value[start : start + length]
            entries, images = _permutation(key, number, kind, length)
            image = images[text]
            if self.chained and number > 1:
                image = (image + key.number(f"chain{number}{SEPARATOR}{before}")) % len(entries)
            masked[start : start + length] = entries[image]
            before += text
        return "".join(masked)

    def conforms(self, context: SqlContext, column: Column, reference: str) -> tuple[str, str]:
        """A value of the form."""
        text = base.text_sql(column, reference)
        return f"REGEXP_LIKE({text}, '^{self._pattern}$', 'n')", pattern(text)

    def expression(self, context: SqlContext, column: Column, reference: str) -> str:
        """The masked value: its segments are joined, they need no map of values. A value is of the form when
        every segment meets an entry and the rest is as it should be, so no other test is needed."""
        text = base.text_sql(column, reference)
        table = context.lookup(self._table(context.domain))
        parts: list[str] = []
        before: list[str] = []
        tests = [self._like(text)]
        end = 0
        for number, start, length, kind in self._mapped:
            if start > end:
                parts.append(f"SUBSTR({text}, {end + 1}, {start - end})")
            piece = f"SUBSTR({text}, {start + 1}, {length})"
            entry = context.join(table, f"{{alias}}.SEG = {number} AND {{alias}}.ENTRY = {piece}")
            tests.append(f"{entry}.ENTRY IS NOT NULL")
            if self.chained and number > 1:
                earlier = " || ".join(before)
                amount = context.pads().number(f"'chain{number}' || CHR(31) || {earlier}")
                size = len(_CLASSES[kind][0]) ** length
                index = f"MOD({entry}.IMAGE + {amount}, {size})"
                moved = context.join(table, f"{{alias}}.SEG = {number} AND {{alias}}.IDX = {index}")
                parts.append(f"{moved}.ENTRY")
            else:
                parts.append(f"{entry}.MASKED")
            before.append(piece)
            end = start + length
        whole = sum(map(len, self.segments))
        if whole > end:
            parts.append(f"SUBSTR({text}, {end + 1}, {whole - end})")
        return f"CASE WHEN {' AND '.join(tests)} THEN {' || '.join(parts)} END"

    def _like(self, text: str) -> str:
        """SQL: that a text is as long as the form, with the form's own characters where they belong."""
        free = (*_CLASSES, "K")
        form = "".join(
            "_" * len(segment) if segment == segment[0] * len(segment) and segment[0] in free
            else re.sub("([!_%])", r"!\1", segment)
            for segment in self.segments
        )  # fmt: skip
        return f"{text} LIKE '{form}'" + (" ESCAPE '!'" if "!" in form else "")

    def _table(self, domain: str) -> LookupTable:
        columns = [("SEG", "NUMBER(3) NOT NULL"), ("ENTRY", "VARCHAR2(4 CHAR) NOT NULL")]
        columns += [("MASKED", "VARCHAR2(4 CHAR) NOT NULL")]
        if self.chained:
            columns += [(name, "NUMBER(6) NOT NULL") for name in ("IDX", "IMAGE")]

        def rows(master: MasterKey) -> list[tuple[int | str, ...]]:
            key, listed = master.domain(domain), []
            for number, _, length, kind in self._mapped:
                entries, images = _permutation(key, number, kind, length)
                listed += [
                    (number, entry, entries[images[entry]], index, images[entry])[: len(columns)]
                    for index, entry in enumerate(entries)
                ]
            return listed

        return LookupTable(f"segments {domain} {self.segments} {self.chained}", tuple(columns), rows)


@lru_cache(maxsize=64)
def _permutation(key: DomainKey, number: int, kind: str, length: int) -> tuple[list[str], dict[str, int]]:
    """The entries of a segment in their natural order, and the place of each one's image in it."""
    entries = ["".join(chars) for chars in itertools.product(_CLASSES[kind][0], repeat=length)]
    ordered = sorted(
        range(len(entries)), key=lambda index: key.digest(f"segment{number}{SEPARATOR}{entries[index]}")
    )
    following = dict(zip(ordered, [*ordered[1:], ordered[0]], strict=True))
    return entries, {entries[index]: following[index] for index in ordered}
