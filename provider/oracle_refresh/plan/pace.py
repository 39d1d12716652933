"""Work in place of bytes: what is slow to carry weighs more.

A worker that reads LOBs one block at a time may be twenty times slower than one that unloads a plain table.
Once runs have measured that, bytes are weighed by it: the unit of work is what an average worker carries
while it carries one byte. Without measured rates, work is bytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from oracle_refresh.catalog.rates import Rates
from oracle_refresh.plan.model import Scheme

#: No scheme is taken for slower or faster than the average by more than this, whatever was measured.
WIDEST = 50.0


@dataclass(frozen=True)
class Pace:
    """How much slower than the average worker each scheme is."""

    rates: Rates | None = None

    def factor(self, scheme: Scheme) -> float:
        """Work per byte."""
        if self.rates is None:
            return 1.0
        average, rate = self.rates.export_bytes_per_second, self.rates.of(scheme)
        return min(max(average / rate, 1 / WIDEST), WIDEST)

    def work(self, size: int, scheme: Scheme) -> int:
        """Work of so many bytes, at least one."""
        return max(1, round(size * self.factor(scheme)))

    def works(self, sizes: Iterable[int], scheme: Scheme) -> tuple[int, ...]:
        return tuple(self.work(size, scheme) for size in sizes)

    def seconds(self, work: float) -> float | None:
        """How long one worker takes; None while nothing was measured."""
        return work / self.rates.export_bytes_per_second if self.rates else None
