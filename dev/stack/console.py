"""Where the stack prints to: bars and tables on a terminal, plain lines anywhere else.

Plain output has no control characters and is not redrawn, so it can be kept in a log.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Literal, Protocol

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table

from stack.progress import line, picture


def drawn(console: Console) -> bool:
    """Whether the console can be drawn on: a terminal that understands more than lines."""
    return console.is_terminal and not console.is_dumb_terminal


class Follower(Protocol):
    """Shows a run as it goes; a context in which nobody else prints."""

    def __enter__(self) -> Follower: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def show(self, overview: Mapping[str, Any]) -> None:
        """:param overview: the document that the run's tab is drawn from."""


def follower(console: Console | None = None) -> Follower:
    shown = console or Console()
    return Drawn(shown) if drawn(shown) else Plain(shown)


class Plain:
    """A line whenever something has changed."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._started, self._last = time.monotonic(), ""

    def __enter__(self) -> Plain:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is held open."""

    def show(self, overview: Mapping[str, Any]) -> None:
        stages = line(overview["stages"])
        if stages != self._last:
            print(
                f"  {time.monotonic() - self._started:6.1f} s  {stages}", file=self._console.file, flush=True
            )
            self._last = stages


class Drawn:
    """A bar for the whole run and one for each mapped task, redrawn in place."""

    def __init__(self, console: Console) -> None:
        self._progress = Progress(
            TextColumn("  {task.description:14}"),
            BarColumn(30),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[about]}"),
            console=console,
            # More would only take time from the databases that work beside it.
            refresh_per_second=2,
        )
        self._whole = self._progress.add_task("tasks", total=None, about="")
        self._bars: dict[str, TaskID] = {}

    def __enter__(self) -> Drawn:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def show(self, overview: Mapping[str, Any]) -> None:
        drawn, tasks = picture(overview), overview["progress"]
        for bar in drawn.bars:
            if bar.name not in self._bars:
                self._bars[bar.name] = self._progress.add_task(bar.name, total=bar.total, about="")
            self._progress.update(
                self._bars[bar.name], completed=bar.done, total=bar.total, about=escape(bar.about)
            )
            if bar.done == bar.total:
                self._progress.stop_task(self._bars[bar.name])
        left = "" if not drawn.eta_seconds else f", {_duration(drawn.eta_seconds)} left"
        about = f"{drawn.fraction:.0%}{left}  {escape(', '.join(drawn.working))}".rstrip()
        self._progress.update(self._whole, completed=tasks["done"], total=tasks["tasks"] or None, about=about)


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


@dataclass(frozen=True)
class Column:
    """A column of a table: its heading, and its least width in characters where there is no terminal."""

    heading: str
    width: int
    align: Literal["left", "right"] = "right"

    def plain(self, cell: str) -> str:
        return f"{cell:{self.width}}" if self.align == "left" else f"{cell:>{self.width}}"


def show_table(
    columns: Sequence[Column], rows: Sequence[Sequence[str]], console: Console | None = None
) -> None:
    """A table of finished text."""
    shown = console or Console()
    if drawn(shown):
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for column in columns:
            table.add_column(column.heading, justify=column.align, no_wrap=column.align == "right")
        for row in rows:
            table.add_row(*map(escape, row))
        shown.print(table)
        return
    for cells in ([column.heading for column in columns], *rows):
        plain = " ".join(column.plain(cell) for column, cell in zip(columns, cells, strict=True))
        print(f"  {plain.rstrip()}", file=shown.file)
