"""How far a command is: a line for each report, or a bar where there is a terminal."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from oracle_refresh.profiler.profile import Report


@dataclass
class PrintedProgress:
    """Writes every report with the time since the first one; for steps that report seldom."""

    clock: Callable[[], float] = time.monotonic
    _began: float | None = field(default=None, init=False)

    def report(self, done: float, total: float | None, unit: str, what: str) -> None:
        now = self.clock()
        self._began = now if self._began is None else self._began
        minutes, seconds = divmod(int(now - self._began), 60)
        of = "" if total is None else f" of {total:,.0f}"
        print(f"   {minutes:3d}:{seconds:02d}  {what}: {done:,.0f}{of} {unit}", flush=True)


@contextmanager
def progress_bar() -> Iterator[Report | None]:
    """Tables done and the time left as a bar on standard error, where that is a terminal; else nothing."""
    console = Console(stderr=True)
    if not console.is_terminal or console.is_dumb_terminal:
        yield None
        return
    columns = (BarColumn(30), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(
        *columns, TextColumn("{task.description}", markup=False), console=console, transient=True
    ) as bar:
        tables = bar.add_task("", total=None)
        yield lambda done, total, table: bar.update(tables, completed=done, total=total, description=table)
