"""Cuts a table's extents into ranges of rowids that carry about the same weight.

The ranges touch each other, the first is open below and the last above. So every row is in exactly one of
them, wherever it lies: in a gap between extents, or in an extent that was allocated after planning. What
the extents say decides on the balance only.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from oracle_refresh.catalog.survey import Sample, TableSurvey
from oracle_refresh.plan.rowid import LAST_ROW, Rowid

#: Sampled blocks that a stretch should hold, so that its weight is more than chance.
SAMPLED_PER_STRETCH = 16


@dataclass(frozen=True)
class Stretch:
    """Some blocks in a row, assumed to weigh the same each."""

    first: Rowid
    blocks: int
    weight: float


@dataclass(frozen=True)
class RowidRange:
    """Rowids from `low` to `high`, both inclusive; None is open."""

    low: Rowid | None
    high: Rowid | None
    weight: float

    @property
    def predicate(self) -> str | None:
        if self.low and self.high:
            return f"ROWID BETWEEN CHARTOROWID('{self.low}') AND CHARTOROWID('{self.high}')"
        if self.high:
            return f"ROWID <= CHARTOROWID('{self.high}')"
        return f"ROWID >= CHARTOROWID('{self.low}')" if self.low else None


def usable(survey: TableSurvey | None) -> bool:
    """Whether ranges can be made: extents of one data object, whose rowids mean what they say."""
    if survey is None or not survey.extents:
        return False
    objects = set()
    for extent in survey.extents:
        first = Rowid.parse(extent.first)
        if first != Rowid(first.data_object, extent.relative_fno, extent.block_id):
            return False
        objects.add(first.data_object)
    return len(objects) == 1


def stretches(survey: TableSurvey, lob_bytes: int) -> tuple[Stretch, ...]:
    """The extents in the order of their rowids, weighed by their own bytes and by sampled LOB bytes.

    Large extents are cut further where there are samples enough to tell their parts apart.
    Without a sample every block weighs the same.
    """
    ordered = sorted(survey.extents, key=lambda extent: (extent.relative_fno, extent.block_id))
    sample = survey.sample
    total = sum(size for _, _, size in sample.blocks) if sample else 0
    if sample is None or not total:
        return tuple(Stretch(Rowid.parse(each.first), each.blocks, float(each.bytes)) for each in ordered)
    width = max(1, round(SAMPLED_PER_STRETCH * 100 / sample.percent))
    places, sums = _sums(sample)
    pieces = []
    for extent in ordered:
        first = Rowid.parse(extent.first)
        for offset in range(0, extent.blocks, width):
            blocks = min(width, extent.blocks - offset)
            start = (extent.relative_fno, extent.block_id + offset)
            low = bisect_left(places, start)
            high = bisect_left(places, (start[0], start[1] + blocks))
            weight = lob_bytes * (sums[high] - sums[low]) / total + extent.bytes * blocks / extent.blocks
            place = Rowid(first.data_object, first.relative_fno, first.block + offset)
            pieces.append(Stretch(place, blocks, weight))
    return tuple(pieces)


def _sums(sample: Sample) -> tuple[list[tuple[int, int]], list[int]]:
    """Places of the sampled blocks in order, and the LOB bytes before each."""
    ordered = sorted(sample.blocks)
    places = [(fno, block) for fno, block, _ in ordered]
    return places, list(accumulate((size for _, _, size in ordered), initial=0))


def cut(parts: Sequence[Stretch], count: int) -> tuple[RowidRange, ...]:
    """At most `count` ranges of about equal weight, cut between blocks; fewer where blocks are few."""
    before = list(accumulate((part.weight for part in parts), initial=0.0))
    starts: list[tuple[Rowid, float]] = []
    for number in range(1, count):
        wanted = before[-1] * number / count
        place = min(bisect_right(before, wanted) - 1, len(parts) - 1)
        part = parts[place]
        share = (wanted - before[place]) / part.weight if part.weight else 0.0
        offset = min(round(share * part.blocks), part.blocks)
        first = part.first
        start = Rowid(first.data_object, first.relative_fno, first.block + offset)
        previous = starts[-1][0] if starts else parts[0].first
        if start > previous and start.block:
            starts.append((start, before[place] + part.weight * offset / part.blocks))
    lows: list[tuple[Rowid | None, float]] = [(None, 0.0), *starts]
    ends: list[tuple[Rowid | None, float]] = [*starts, (None, before[-1])]
    return tuple(
        RowidRange(low, _before(end) if end else None, reached - begun)
        for (low, begun), (end, reached) in zip(lows, ends, strict=True)
    )


def _before(start: Rowid) -> Rowid:
    """The last rowid before the first one of a block."""
    return Rowid(start.data_object, start.relative_fno, start.block - 1, LAST_ROW)
