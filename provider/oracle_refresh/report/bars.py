"""Horizontal bar charts as inline SVG.

Text and axes use `currentColor` and follow the light or dark scheme of the page. Bars have colours that are
legible on both.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from oracle_refresh.report import page_frame

GREY = "#8a8f98"
_WIDTH = 900
_CHARACTER = 7.4
"""Pixels of a wide character of a label."""
_MOST_CHARACTERS = 48
_MOST_TICKS = 10


class Bar(NamedTuple):
    """A bar of a chart.

    :ivar line: label of the line that the bar is on.
    :ivar series: name in the legend; an empty name is not listed there.
    :ivar start: where the bar begins; None appends it to the previous bar of its line.
    """

    line: str
    series: str
    length: float
    start: float | None = None


def bars(rows: Sequence[Bar], title: str, colours: Mapping[str, str], *, side_by_side: bool = False) -> str:
    """Return an SVG element with lines in the order of their first bars.

    :param title: label of the axis.
    :param colours: by series, in the order of the legend; other series are grey.
    :param side_by_side: draw the series of a line below each other instead of in a row.
    """
    lines = list(dict.fromkeys(bar.line for bar in rows))
    series = [name for name in colours if any(bar.series == name for bar in rows)]
    series += sorted({bar.series for bar in rows} - set(series))
    thickness = 8 if side_by_side else 14
    height = thickness * (len(series) if side_by_side else 1) + 4
    ends = dict.fromkeys(lines, 0.0)
    placed = []
    for bar in rows:
        start = 0.0 if side_by_side else ends[bar.line] if bar.start is None else bar.start
        ends[bar.line] = max(ends[bar.line], start + bar.length)
        row = series.index(bar.series) if side_by_side else 0
        placed.append((bar, start, lines.index(bar.line) * height + row * thickness + 2))
    ticks = _ticks(max(ends.values()))
    left = round(min(max(map(len, lines)), _MOST_CHARACTERS) * _CHARACTER) + 12
    across = _WIDTH - left - 24
    template = page_frame.environment(page_frame.PACKAGE).get_template("bars.svg.j2")
    return template.render(
        title=title,
        width=_WIDTH,
        left=left,
        across=across,
        scale=across / ticks[-1],
        height=height,
        thickness=thickness,
        colours={name: colours.get(name, GREY) for name in series},
        labels=[_cut(line) for line in lines],
        ticks=[(tick, _short(tick)) for tick in ticks],
        placed=placed,
    )


def _ticks(longest: float) -> list[float]:
    """Return multiples of 1, 2 or 5 times a power of ten, from 0 to at least the end of the longest bar."""
    least = (longest or 1.0) / _MOST_TICKS
    power = 10.0 ** math.floor(math.log10(least))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= least)
    return [step * number for number in range(max(math.ceil(longest / step), 1) + 1)]


def _short(number: float) -> str:
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= 10_000 and number >= size:
            return f"{number / size:g}{unit}"
    return f"{number:,g}"


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_CHARACTERS else text[: _MOST_CHARACTERS - 1] + "…"
