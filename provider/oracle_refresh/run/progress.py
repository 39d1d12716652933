"""How long steps report: done, total, unit and what; rate, percent and remaining time are computed here."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol


class Progress(Protocol):
    """Takes reports of a long step. Implementations must be cheap: they are called per piece of work."""

    def report(self, done: float, total: float | None, unit: str, what: str) -> None:
        """`done` of `total` units of `what` are finished; `total` is None while it is not known."""


class _Silent:
    def report(self, done: float, total: float | None, unit: str, what: str) -> None:
        """Reports go nowhere."""


silent: Progress = _Silent()


@dataclass(frozen=True)
class Measured:
    """One report with what follows from it and the ones before; `rate` is in units per second.

    `eta_seconds` is the remaining time at that rate, None while it is not known.
    """

    done: float
    total: float | None
    unit: str
    what: str
    rate: float

    @property
    def finished(self) -> bool:
        return self.total is not None and self.done >= self.total

    @property
    def percent(self) -> float | None:
        if self.total is None:
            return None
        return 100.0 if self.finished else round(max(self.done, 0.0) / self.total * 100, 1)

    @property
    def eta_seconds(self) -> float | None:
        if self.finished:
            return 0.0
        return None if self.total is None or self.rate <= 0 else (self.total - self.done) / self.rate

    def __str__(self) -> str:
        """One line: `export S003: 12 of 40 MB (30 %), 3.1 MB/s, 9 s left`."""
        text = f"{self.what}: {self.done:,.0f}"
        text += f" {self.unit}" if self.total is None else f" of {self.total:,.0f} {self.unit}"
        if self.percent is not None:
            text += f" ({self.percent:.0f} %)"
        if self.rate > 0:
            text += f", {self.rate:,.1f} {self.unit}/s"
        if self.eta_seconds:
            text += f", {self.eta_seconds:,.0f} s left"
        return text

    def to_json(self) -> dict[str, Any]:
        """For the task's state store; `rate` is in units per second."""
        return {
            "what": self.what,
            "done": self.done,
            "total": self.total,
            "unit": self.unit,
            "percent": self.percent,
            "rate": round(self.rate, 3),
            "eta_seconds": None if self.eta_seconds is None else round(self.eta_seconds, 1),
        }


@dataclass
class Meter:
    """Measures how fast subjects advance: the mean since the first report of each.

    A subject that falls back has begun again, and so does its measurement.
    """

    clock: Callable[[], float] = time.monotonic
    _first: dict[str, tuple[float, float]] = field(default_factory=dict, init=False)
    _last: dict[str, float] = field(default_factory=dict, init=False)

    def measure(self, done: float, total: float | None, unit: str, what: str) -> Measured:
        now = self.clock()
        if done < self._last.get(what, done):
            self._first.pop(what)
        self._last[what] = done
        since, first = self._first.setdefault(what, (now, done))
        elapsed = now - since
        return Measured(done, total, unit, what, (done - first) / elapsed if elapsed > 0 else 0.0)


@dataclass
class LogProgress:
    """Writes reports to a logger, at most one line per `seconds` and subject, and always the last one."""

    logger: logging.Logger
    seconds: float = 5.0
    clock: Callable[[], float] = time.monotonic
    _meter: Meter = field(init=False)
    _written: dict[str, float] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self._meter = Meter(self.clock)

    def report(self, done: float, total: float | None, unit: str, what: str) -> None:
        self.note(self._meter.measure(done, total, unit, what))

    def note(self, measured: Measured) -> None:
        """Write a report that is measured already."""
        now = self.clock()
        if not measured.finished and now - self._written.get(measured.what, float("-inf")) < self.seconds:
            return
        self._written[measured.what] = now
        self.logger.info("%s", measured)
