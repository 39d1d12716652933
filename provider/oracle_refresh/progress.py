"""How long steps report: done, total, unit and what, from which rate and remaining time follow."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol


class Progress(Protocol):
    """Takes reports of a long step. Implementations must be cheap: they are called per piece of work."""

    def report(self, done: float, total: float | None, unit: str, what: str) -> None:
        """`done` of `total` units of `what` are finished; `total` is None while it is not known."""


class _Silent:
    def report(self, done: float, total: float | None, unit: str, what: str) -> None:
        """Reports go nowhere."""


silent: Progress = _Silent()


@dataclass
class LogProgress:
    """Writes reports to a logger, at most one line per `seconds` and subject, and always the last one.

    The rate is the mean since the first report of the subject; the estimate follows from it.
    """

    logger: logging.Logger
    seconds: float = 5.0
    clock: Callable[[], float] = time.monotonic
    _started: dict[str, tuple[float, float]] = field(default_factory=dict, init=False)
    _written: dict[str, float] = field(default_factory=dict, init=False)

    def report(self, done: float, total: float | None, unit: str, what: str) -> None:
        now = self.clock()
        since, first = self._started.setdefault(what, (now, done))
        finished = total is not None and done >= total
        if not finished and now - self._written.get(what, float("-inf")) < self.seconds:
            return
        self._written[what] = now
        elapsed = now - since
        rate = (done - first) / elapsed if elapsed > 0 else 0.0
        self.logger.info("%s", describe(done, total, unit, what, rate))


def describe(done: float, total: float | None, unit: str, what: str, rate: float) -> str:
    """One line: `export S003: 12 of 40 MB, 3.1 MB/s, 9 s left`. `rate` is in units per second."""
    text = f"{what}: {done:,.0f}" + (f" of {total:,.0f} {unit}" if total is not None else f" {unit}")
    if rate > 0:
        text += f", {rate:,.1f} {unit}/s"
        if total is not None and done < total:
            text += f", {(total - done) / rate:,.0f} s left"
    return text
