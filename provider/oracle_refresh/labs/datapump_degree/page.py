"""The curve as a page and as a chart, beside the published one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from oracle_refresh.experience.degree_advice import Point, Recommendation
from oracle_refresh.labs.datapump_degree.model import Measurement
from oracle_refresh.labs.datapump_degree.reference import PUBLISHED, TITLE
from oracle_refresh.labs.harness.curve import Coefficients, fit, predict
from oracle_refresh.labs.harness.page import POINTED, Page, Section, by_series, code
from oracle_refresh.labs.harness.table import Column, Table, tabulated
from oracle_refresh.report.charts import chart, svg

STEPS = 40
MEASURED = "this calibration"


def page(advice: Recommendation, measurements: Sequence[Measurement]) -> Page:
    sample = advice.sample
    size, table_size = (f"{count / 1e6:,.1f}" for count in (sample.bytes, sample.table_bytes))
    return Page(
        window=f"Data Pump calibration: {advice.degree}",
        title=f"Degree {advice.degree} is recommended",
        facts=[
            ("Why", advice.reason),
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
            Section(chart=curve_chart(advice, measurements)),
            Section("Measured", table=_points(advice)),
            Section("Every measurement", table=_measured(measurements)),
            Section(f"For comparison: {TITLE}", table=_published()),
        ],
    )


def table(advice: Recommendation) -> str:
    """The curve as text, for the task's log."""
    lines = [_points(advice).text(), f"{TITLE}:", _published().text()]
    return "\n".join([*lines, f"recommended: {advice.degree}, {advice.reason}", *advice.notes])


def _points(advice: Recommendation) -> Table:
    fastest = min(point.seconds for point in advice.points)
    columns: list[Column[Point]] = [
        Column("jobs", lambda point: point.degree, "d"),
        Column("best s", lambda point: point.seconds, ".2f"),
        Column("fitted s", lambda point: point.predicted, ".2f"),
        Column("MB/s", lambda point: advice.sample.bytes / 1e6 / point.seconds, ",.1f"),
        Column("over the best", lambda point: point.seconds / fastest, ".2f"),
    ]
    return tabulated(advice.points, columns, lambda point: point.degree == advice.degree)


def _measured(measurements: Sequence[Measurement]) -> Table:
    columns: list[Column[Measurement]] = [
        Column("jobs", lambda measured: measured.jobs, "d"),
        Column("repeat", lambda measured: measured.repeat, "d"),
        Column("s", lambda measured: measured.seconds, ".2f"),
        Column("rows", lambda measured: measured.rows, ",d"),
        Column("MB of dump files", lambda measured: measured.bytes / 1e6, ",.1f"),
    ]
    return tabulated(sorted(measurements, key=lambda measured: (measured.degree, measured.repeat)), columns)


def _published() -> Table:
    fitted, fastest = fit(PUBLISHED), min(PUBLISHED.values())
    columns: list[Column[tuple[int, float]]] = [
        Column("processes", lambda row: row[0], "d"),
        Column("s", lambda row: row[1], ".2f"),
        Column("fitted s", lambda row: predict(fitted, row[0]), ".2f"),
        Column("over the best", lambda row: row[1] / fastest, ".2f"),
    ]
    return tabulated(PUBLISHED.items(), columns)


def curve_chart(advice: Recommendation, measurements: Sequence[Measurement]) -> str:
    """Time over degree, both axes logarithmic; each series as multiples of its own best."""
    import altair as alt

    own = {point.degree: point.seconds for point in advice.points}
    lines = [*_line(MEASURED, advice.coefficients, own), *_line(TITLE, fit(PUBLISHED), PUBLISHED)]
    dots = [
        *_dots(MEASURED, ((each.degree, each.seconds) for each in measurements), min(own.values())),
        *_dots(TITLE, PUBLISHED.items(), min(PUBLISHED.values())),
    ]
    x = alt.X("degree:Q", scale=alt.Scale(type="log", base=2), title="jobs at the same time")
    scale = alt.Scale(type="log", domainMin=0.8, nice=False)
    y = alt.Y("times:Q", scale=scale, title="time, as a multiple of the best")
    colour = by_series([MEASURED, TITLE])
    layers = alt.layer(
        chart([{"degree": advice.degree}]).mark_rule(strokeDash=[4, 4], color=POINTED).encode(x=x),
        chart(lines).mark_line().encode(x=x, y=y, color=colour),
        chart(dots).mark_point(filled=True, size=50).encode(x=x, y=y, color=colour),
    )
    return svg(layers, height=320)


def _line(series: str, coefficients: Coefficients, seconds: Mapping[int, float]) -> list[dict[str, Any]]:
    low, high = min(seconds), max(seconds)
    degrees = [low * (high / low) ** (step / STEPS) for step in range(STEPS + 1)]
    return _dots(
        series, ((degree, predict(coefficients, degree)) for degree in degrees), min(seconds.values())
    )


def _dots(series: str, points: Iterable[tuple[float, float]], least: float) -> list[dict[str, Any]]:
    return [{"series": series, "degree": degree, "times": seconds / least} for degree, seconds in points]
