"""The curves as a page and as charts, beside the published ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from oracle_refresh.experience.degree_advice import DegreeCurve, Direction, Point, Recommendation, Shape
from oracle_refresh.labs.datapump_degree.model import Measurement
from oracle_refresh.labs.datapump_degree.reference import FIGURES, PUBLISHED, TITLE
from oracle_refresh.labs.harness.charts import chart, svg
from oracle_refresh.labs.harness.curve import Coefficients, fit, predict
from oracle_refresh.labs.harness.page import OWN, POINTED, STUDY, Page, Section, by_series, code
from oracle_refresh.labs.harness.table import Column, Table, tabulated

STEPS = 40
SHAPES: dict[Shape, str] = {"jobs": "n jobs of one worker", "workers": "one job with PARALLEL=n"}
DIRECTIONS: dict[Direction, str] = {"export": "Export", "import": "Import"}
#: Of `SHAPES`, then of the published series.
COLOURS = (OWN, "#4aa564", STUDY)


def page(advice: Recommendation, measurements: Sequence[Measurement]) -> Page:
    sample = advice.sample
    size, table_size = (f"{count / 1e6:,.1f}" for count in (sample.bytes, sample.table_bytes))
    return Page(
        window=f"Data Pump calibration: {advice.degree}",
        title=f"Degree {advice.degree} is recommended",
        facts=[
            ("Why", advice.reason),
            ("Workers of one job", f"{advice.workers} at most" if advice.workers else ""),
            ("Connections", f"{advice.source_conn_id} to {advice.target_conn_id}"),
            (
                "Sample",
                f"{size} of {table_size} MB of {sample.owner}.{sample.name} ({sample.reason}),"
                f" as of SCN {sample.scn}",
            ),
            ("Run", code(advice.run_id)),
        ],
        notes=advice.notes,
        sections=[
            *_directions(advice, measurements),
            Section("Every measurement", table=_measured(measurements)),
            Section(f"For comparison: {TITLE}", table=_published()),
            Section("For comparison: both shapes there", table=_figures()),
        ],
    )


def table(advice: Recommendation) -> str:
    """The curves as text, for the task's log."""
    lines = []
    for curve in advice.curves:
        lines += [f"{_title(curve)}:", _points(advice, curve).text()]
    lines += [f"{TITLE}:", _published().text()]
    return "\n".join([*lines, f"recommended: {advice.degree}, {advice.reason}", *advice.notes])


def _directions(advice: Recommendation, measurements: Sequence[Measurement]) -> Iterable[Section]:
    """For each direction a chart of all shapes, and a table of each."""
    for direction, title in DIRECTIONS.items():
        curves = [curve for curve in advice.curves if curve.direction == direction]
        if curves:
            yield Section(title, chart=curve_chart(advice, curves, measurements))
        for curve in curves:
            yield Section(_title(curve), note=curve.reason, table=_points(advice, curve))


def _title(curve: DegreeCurve) -> str:
    return f"{DIRECTIONS[curve.direction]} by {SHAPES[curve.shape]}"


def _points(advice: Recommendation, curve: DegreeCurve) -> Table:
    fastest = min(point.seconds for point in curve.points)
    columns: list[Column[Point]] = [
        Column("n", lambda point: point.degree, "d"),
        Column("best s", lambda point: point.seconds, ".2f"),
        Column("fitted s", lambda point: point.predicted, ".2f"),
        Column("MB/s", lambda point: advice.sample.bytes / 1e6 / point.seconds, ",.1f"),
        Column("over the best", lambda point: point.seconds / fastest, ".2f"),
    ]
    return tabulated(curve.points, columns, lambda point: point.degree == curve.degree)


def _measured(measurements: Sequence[Measurement]) -> Table:
    columns: list[Column[Measurement]] = [
        Column("direction", lambda measured: measured.direction),
        Column("shape", lambda measured: SHAPES[measured.shape]),
        Column("n", lambda measured: measured.degree, "d"),
        Column("jobs", lambda measured: measured.jobs, "d"),
        Column("repeat", lambda measured: measured.repeat, "d"),
        Column("s", lambda measured: measured.seconds, ".2f"),
        Column("rows", lambda measured: measured.rows, ",d"),
        Column("MB of dump files", lambda measured: measured.bytes / 1e6, ",.1f"),
    ]
    order = sorted(measurements, key=lambda each: (each.direction, each.shape, each.degree, each.repeat))
    return tabulated(order, columns)


def _published() -> Table:
    fitted, fastest = fit(PUBLISHED), min(PUBLISHED.values())
    columns: list[Column[tuple[int, float]]] = [
        Column("processes", lambda row: row[0], "d"),
        Column("s", lambda row: row[1], ".2f"),
        Column("fitted s", lambda row: predict(fitted, row[0]), ".2f"),
        Column("over the best", lambda row: row[1] / fastest, ".2f"),
    ]
    return tabulated(PUBLISHED.items(), columns)


def _figures() -> Table:
    columns: list[Column[tuple[str, str, str]]] = [
        Column("what", lambda row: row[0]),
        Column("before", lambda row: row[1]),
        Column("after", lambda row: row[2]),
    ]
    return tabulated(FIGURES, columns)


def curve_chart(
    advice: Recommendation, curves: Sequence[DegreeCurve], measurements: Sequence[Measurement]
) -> str:
    """Time over degree of one direction, both axes logarithmic, as multiples of the best of its curves; the
    published series as multiples of its own best. The rule is at the recommended degree.
    """
    import altair as alt

    least = min(min(curve.seconds.values()) for curve in curves)
    published = min(PUBLISHED.values())
    lines = _line(TITLE, fit(PUBLISHED), PUBLISHED, published)
    dots = _dots(TITLE, PUBLISHED.items(), published)
    for curve in curves:
        series = SHAPES[curve.shape]
        taken = [
            (each.degree, each.seconds)
            for each in measurements
            if (each.shape, each.direction) == (curve.shape, curve.direction)
        ]
        lines += _line(series, curve.coefficients, curve.seconds, least)
        dots += _dots(series, taken, least)
    x = alt.X("degree:Q", scale=alt.Scale(type="log", base=2), title="n")
    scale = alt.Scale(type="log", domainMin=0.8, nice=False)
    y = alt.Y("times:Q", scale=scale, title="time, as a multiple of the best")
    colour = by_series([*SHAPES.values(), TITLE], colours=COLOURS)
    layers = alt.layer(
        chart([{"degree": advice.degree}]).mark_rule(strokeDash=[4, 4], color=POINTED).encode(x=x),
        chart(lines).mark_line().encode(x=x, y=y, color=colour),
        chart(dots).mark_point(filled=True, size=50).encode(x=x, y=y, color=colour),
    )
    return svg(layers, height=320)


def _line(
    series: str, coefficients: Coefficients, seconds: Mapping[int, float], least: float
) -> list[dict[str, Any]]:
    low, high = min(seconds), max(seconds)
    degrees = [low * (high / low) ** (step / STEPS) for step in range(STEPS + 1)]
    return _dots(series, ((degree, predict(coefficients, degree)) for degree in degrees), least)


def _dots(series: str, points: Iterable[tuple[float, float]], least: float) -> list[dict[str, Any]]:
    return [{"series": series, "degree": degree, "times": seconds / least} for degree, seconds in points]
