"""The published tables with one's own figures in them, and their summary as a plot. Pure.

Absolute figures belong to the authors' hardware; the ratios of the other sections are what compares.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from oracle_refresh.labs.harness.charts import chart, svg
from oracle_refresh.labs.harness.page import OWN, POINTED, STUDY, Section, by_series
from oracle_refresh.labs.harness.table import Column, tabulated
from oracle_refresh.labs.store.model import Phase, Point, size_text
from oracle_refresh.labs.store.ratios import READ, WRITE
from oracle_refresh.labs.store.reference import (
    EXADATA_FILES,
    EXADATA_PHASES,
    EXADATA_READ,
    EXADATA_WRITE,
    FOUR_FILES,
    FOUR_PHASES,
    FOUR_READ,
    FOUR_WRITE,
    STUDY_FILES,
)

ONE, FOUR = "study, one node", "study, four nodes"
_MATRIX = (
    "MB/s, as the study prints them, with one's own beside them by way; users are those of each node. The"
    " half rack with four nodes had also 7 storage cells in place of 3."
)
_OTHERS = "MB/s of flat files, external tables and dumps; files per second of the operations on small files."


@dataclass(frozen=True)
class Row:
    """A figure of the study, and one's own by way."""

    what: str
    users: int | None
    block: int | None
    one: float | None
    four: float | None
    own: Mapping[str, float] = field(hash=False)


def matrix_rows(points: Sequence[Point]) -> tuple[Row, ...]:
    """Every figure of the matrix that the study or this calibration has, in MB/s."""
    series = ((WRITE, EXADATA_WRITE, FOUR_WRITE), (READ, EXADATA_READ, FOUR_READ))
    keys = sorted({*EXADATA_WRITE, *((point.users, point.block) for point in points)})
    rows = []
    for users, block in keys:
        measured = [point for point in points if (point.users, point.block) == (users, block)]
        for direction, one, four in series:
            own = {
                point.way: (point.write_rate if direction == WRITE else point.read_rate) / 1e6
                for point in measured
            }
            rows.append(Row(direction, users, block, one.get((users, block)), four.get((users, block)), own))
    return tuple(rows)


def other_rows(phases: Mapping[str, Phase]) -> tuple[Row, ...]:
    """Flat files and dumps in MB/s, then the operations on small files in files per second; one's own are of
    this worker."""
    rows = [
        Row(name, None, None, EXADATA_PHASES[name], FOUR_PHASES[name], _own(phases, name, per_file=False))
        for name in EXADATA_PHASES
    ]
    # Four nodes had as many files each.
    rows += [
        Row(
            f"{name} small files",
            None,
            None,
            STUDY_FILES / EXADATA_FILES[name],
            4 * STUDY_FILES / FOUR_FILES[name],
            _own(phases, name, per_file=True),
        )
        for name in EXADATA_FILES
    ]
    return tuple(rows)


def _own(phases: Mapping[str, Phase], name: str, *, per_file: bool) -> dict[str, float]:
    phase = phases.get(name)
    if phase is None:
        return {}
    return {"": phase.items / phase.seconds if per_file else phase.rate / 1e6}


def study_sections(points: Sequence[Point], phases: Mapping[str, Phase]) -> Iterator[Section]:
    """The summary as a plot, and both tables; nothing where nothing was measured."""
    ways = list(dict.fromkeys(point.way for point in points))
    if not ways and not phases:
        return
    yield Section(
        "Beside the study's tables",
        chart=summary_chart(points, phases),
        caption="The best of each number of users, and what was done once; the axis is logarithmic.",
    )
    if ways:
        columns: list[Column[Row]] = [
            Column("users", lambda row: row.users, "d"),
            Column("block", lambda row: None if row.block is None else size_text(row.block), "s"),
            Column("", lambda row: row.what),
            *(_own_column(way) for way in ways),
            *_study_columns(),
        ]
        yield Section(about=_MATRIX, table=tabulated(matrix_rows(points), columns))
    if phases:
        columns = [Column("what", lambda row: row.what), _own_column("", "here"), *_study_columns()]
        yield Section(about=_OTHERS, table=tabulated(other_rows(phases), columns))


def _own_column(way: str, title: str = "") -> Column[Row]:
    return Column(title or way, lambda row: row.own.get(way), ",.1f")


def _study_columns() -> tuple[Column[Row], ...]:
    return (
        Column(ONE, lambda row: row.one, ",.1f"),
        Column(FOUR, lambda row: row.four, ",.1f"),
        Column("four over one", lambda row: row.four / row.one if row.four and row.one else None, ".2f"),
    )


def summary_chart(points: Sequence[Point], phases: Mapping[str, Phase]) -> str:
    """MB/s, one's own by way and the study's: the best of each number of users, then what was done once.

    The study sums up its two racks in such a plot.
    """
    import altair as alt

    rows: list[dict[str, object]] = []

    def mark(what: str, series: str, value: float | None) -> None:
        if value:
            rows.append({"what": what, "series": series, "value": value})

    matrix, once = matrix_rows(points), [row for row in other_rows(phases) if row.what in EXADATA_PHASES]
    ways = list(dict.fromkeys(point.way for point in points))
    for users in sorted({row.users for row in matrix if row.users is not None}):
        for direction in (WRITE, READ):
            cells = [row for row in matrix if (row.users, row.what) == (users, direction)]
            what = f"{users} user{'s' if users > 1 else ''}, {direction}"
            for way in ways:
                mark(what, way, max((row.own.get(way, 0.0) for row in cells), default=0.0))
            mark(what, ONE, max((row.one or 0.0 for row in cells), default=0.0))
            mark(what, FOUR, max((row.four or 0.0 for row in cells), default=0.0))
    for row in once:
        mark(row.what, "here", row.own.get(""))
        mark(row.what, ONE, row.one)
        mark(row.what, FOUR, row.four)
    names = [name for name in (*ways, "here", ONE, FOUR) if any(each["series"] == name for each in rows)]
    colours = {ONE: STUDY, FOUR: "#c3c7cd", "here": "#5aa874"}
    palette = (OWN, POINTED, "#a06ccf", "#c2609a")
    used = [colours.get(name) or palette[place % len(palette)] for place, name in enumerate(names)]
    order = list(dict.fromkeys(str(each["what"]) for each in rows))
    drawn = (
        chart(rows)
        .mark_point(filled=True, size=70)
        .encode(
            x=alt.X("value:Q", title="MB/s", scale=alt.Scale(type="log")),
            y=alt.Y("what:N", sort=order, title=None),
            color=by_series(names, colours=used),
        )
    )
    return svg(drawn, height=max(26 * len(order), 60))
