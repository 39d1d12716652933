"""Progress of a command: a line for each report, with the time since the command began to wait."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass
class PrintedProgress:
    """Writes every report; for steps that report seldom."""

    clock: Callable[[], float] = time.monotonic
    _began: float | None = field(default=None, init=False)

    def report(self, done: float, total: float | None, unit: str, what: str) -> None:
        now = self.clock()
        self._began = now if self._began is None else self._began
        minutes, seconds = divmod(int(now - self._began), 60)
        of = "" if total is None else f" of {total:,.0f}"
        print(f"   {minutes:3d}:{seconds:02d}  {what}: {done:,.0f}{of} {unit}", flush=True)
