"""Intervals of V$SYSMETRIC: what the counters of its metrics grew by in the last 15 and 60 seconds.

An interval is closed by the first look after its time, and is as long as it was: INTSIZE_CSEC says so. The
views make rates of it (46_statistics.sql).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

#: Seconds of an interval by its group: long and short duration (Database Reference, V$SYSMETRIC).
SECONDS = {2: 60.0, 3: 15.0}


@dataclass(frozen=True)
class Counted:
    """The counters at one moment, in seconds since 1970."""

    at: float
    values: Mapping[str, float]


class Intervals:
    """The one that is open and the last one that was closed, of each group."""

    def __init__(self) -> None:
        self._begun: dict[int, Counted] = {}
        self._closed: dict[int, tuple[Counted, Counted]] = {}

    def due(self, now: float) -> bool:
        """Whether the counters are wanted: an interval begins, or has lasted long enough."""
        return any(
            group not in self._begun or now - self._begun[group].at >= seconds
            for group, seconds in SECONDS.items()
        )

    def take(self, counted: Counted) -> None:
        """Begin the intervals that have not begun; close those that are over, and begin the next ones."""
        for group, seconds in SECONDS.items():
            begun = self._begun.get(group)
            if begun is not None and counted.at - begun.at < seconds:
                continue
            if begun is not None:
                self._closed[group] = begun, counted
            self._begun[group] = counted

    def rows(self) -> list[dict[str, Any]]:
        """What has been closed, as the views read it."""
        return [
            {
                "group": group,
                "begin": begun.at,
                "end": ended.at,
                "grown": {
                    name: value - begun.values[name]
                    for name, value in ended.values.items()
                    if name in begun.values
                },
            }
            for group, (begun, ended) in self._closed.items()
        ]
