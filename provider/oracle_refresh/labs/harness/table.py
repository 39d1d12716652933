"""Tables that stand both on a page and in a task's log: declared once. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Row = TypeVar("Row")


@dataclass(frozen=True)
class Column(Generic[Row]):
    """A heading, and what stands below it.

    :ivar value: of a row; None is an empty cell.
    :ivar form: how a value is written, as in format specifications. Where it is empty, cells are texts and
        stand left; all others stand right, texts with the form `s` too.
    """

    title: str
    value: Callable[[Row], object]
    form: str = ""

    def text(self, row: Row) -> str:
        value = self.value(row)
        return "" if value is None else value if isinstance(value, str) else format(value, self.form)


@dataclass(frozen=True)
class Line:
    """The cells of a row, whether it is the one to look at, and what is said below it."""

    cells: tuple[str, ...]
    chosen: bool = False
    note: str = ""


@dataclass(frozen=True)
class Table:
    """Headings, each with whether its cells stand right, and lines."""

    heads: tuple[tuple[str, bool], ...]
    lines: tuple[Line, ...]
    total: tuple[str, ...] = ()
    """Cells of a last line that sums up the others."""

    def text(self) -> str:
        """Columns side by side; an arrow points at the chosen line."""
        rows = [
            ([title for title, _ in self.heads], ""),
            *((line.cells, "  <-" if line.chosen else "") for line in self.lines),
            *([(self.total, "")] if self.total else []),
        ]
        widths = [max(map(len, column)) for column in zip(*(cells for cells, _ in rows), strict=True)]
        return "\n".join(
            (
                "  ".join(
                    f"{cell:>{width}}" if right else f"{cell:<{width}}"
                    for cell, width, (_, right) in zip(cells, widths, self.heads, strict=True)
                )
                + arrow
            ).rstrip()
            for cells, arrow in rows
        )


def tabulated(
    rows: Iterable[Row],
    columns: Sequence[Column[Row]],
    chosen: Callable[[Row], bool] = lambda row: False,
    note: Callable[[Row], str] = lambda row: "",
    total: Sequence[str] = (),
) -> Table:
    """The table of these rows.

    :param chosen: tells the row to look at.
    :param note: what is said below a row.
    :param total: cells of a last line that sums up the others.
    """
    return Table(
        tuple((column.title, bool(column.form)) for column in columns),
        tuple(Line(tuple(column.text(row) for column in columns), chosen(row), note(row)) for row in rows),
        tuple(total),
    )
