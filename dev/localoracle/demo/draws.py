"""Columns of random values: many at a time cost a tenth of one by one."""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator, Sequence
from datetime import datetime, time, timedelta
from typing import TypeVar

T = TypeVar("T")
V = TypeVar("V")

BLOCK_ROWS = 5_000
"""Rows that are drawn at a time."""
_TIMES = 10_000
_WORD = 1 << 32


def blocks(count: int) -> Iterator[tuple[int, int]]:
    """Number of the first row and count of rows of each block; rows are numbered from 1."""
    for done in range(0, count, BLOCK_ROWS):
        yield done + 1, min(BLOCK_ROWS, count - done)


class Draws:
    """Random columns of a seed: the same for the same calls."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def _words(self, rows: int) -> tuple[int, ...]:
        return struct.unpack(f"<{rows}I", self._random.randbytes(4 * rows))

    def numbers(self, rows: int, start: int, stop: int) -> list[int]:
        """Evenly from `start` to before `stop`."""
        span = stop - start
        if span > _WORD:
            return [start + self._random.randrange(span) for _ in range(rows)]
        return [start + (word * span >> 32) for word in self._words(rows)]

    def texts(self, rows: int, template: str, *ranges: tuple[int, int]) -> list[str]:
        """Texts with a number of each range in them."""
        return list(map(template.format, *(self.numbers(rows, *limits) for limits in ranges)))

    def of(self, rows: int, values: Sequence[T]) -> list[T]:
        count = len(values)
        return [values[word * count >> 32] for word in self._words(rows)]

    def some(self, probability: float, values: Sequence[T]) -> list[T | None]:
        """Each value with that probability, else None."""
        limit = int(probability * _WORD)
        words = self._words(len(values))
        return [value if word < limit else None for word, value in zip(words, values, strict=True)]

    def either(self, probability: float, values: Sequence[T], others: Sequence[V]) -> list[T | V]:
        """Each of `values` with that probability, else that of `others`."""
        limit = int(probability * _WORD)
        words = self._words(len(values))
        return [
            value if word < limit else other for word, value, other in zip(words, values, others, strict=True)
        ]

    def bytes(self, rows: int, length: int) -> list[bytes]:
        data = self._random.randbytes(rows * length)
        return [data[start : start + length] for start in range(0, len(data), length)]


class Moments:
    """Times within some days, to the second or to the microsecond."""

    def __init__(self, draws: Draws, start: datetime, days: int, *, fraction: bool = True) -> None:
        self._draws = draws
        self._days = dates(start, days)
        seconds = draws.numbers(_TIMES, 0, 86_400)
        fractions = draws.numbers(_TIMES, 0, 1_000_000) if fraction else [0] * _TIMES
        self._times = [
            time(second // 3600, second // 60 % 60, second % 60, part)
            for second, part in zip(seconds, fractions, strict=True)
        ]

    def draw(self, rows: int) -> list[datetime]:
        days, times = self._draws.of(rows, self._days), self._draws.of(rows, self._times)
        return list(map(datetime.combine, days, times))


def dates(start: datetime, days: int) -> list[datetime]:
    """Each day's beginning."""
    return [start + timedelta(days=number) for number in range(days)]
