"""The time axis of a run: seconds of its work, without the long stretches in which nothing was at work.

A failed run that is cleared the next morning goes on as the same run. Drawn by the clock on the wall, its
work would be two specks at the ends of a night.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

#: What is shorter belongs to the work: the scheduler's latency, a retry that waits for a restart.
LONGEST_IDLE = timedelta(seconds=60)


@dataclass(frozen=True)
class Pause:
    """A stretch in which nothing was at work: a run that had failed, or one that asks a person."""

    start: datetime
    end: datetime

    @property
    def seconds(self) -> float:
        return (self.end - self.start).total_seconds()


@dataclass(frozen=True)
class Clock:
    """Seconds since `zero`, the pauses left out."""

    zero: datetime
    pauses: tuple[Pause, ...] = ()

    def seconds(self, moment: datetime) -> float:
        """Seconds of work until then; all moments of a pause are the moment that it began."""
        worked = moment - self.zero
        for pause in self.pauses:
            if pause.start < moment:
                worked -= min(moment, pause.end) - pause.start
        return worked.total_seconds()

    def at(self, moment: datetime | None) -> float | None:
        """The same, rounded, of a moment that may not have come."""
        return None if moment is None else round(self.seconds(moment), 2)

    def covered(self, spans: Iterable[tuple[datetime, datetime]]) -> float:
        """Seconds of work that at least one of the spans covers."""
        total, reached = 0.0, None
        for start, end in sorted((self.seconds(start), self.seconds(end)) for start, end in spans):
            if reached is None or end > reached:
                total += end - (start if reached is None else max(start, reached))
                reached = end
        return total


def pauses(work: Iterable[tuple[datetime, datetime]], until: datetime) -> tuple[Pause, ...]:
    """The stretches longer than LONGEST_IDLE between the spans, and from the last of them `until` then."""
    idle: list[Pause] = []
    reached: datetime | None = None
    for start, end in (*sorted(work), (until, until)):
        if reached is not None and start - reached > LONGEST_IDLE:
            idle.append(Pause(reached, start))
        reached = end if reached is None else max(reached, end)
    return tuple(idle)
