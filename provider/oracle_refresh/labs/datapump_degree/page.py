"""The curve as a page and as a chart, beside the published one."""

from __future__ import annotations

from typing import Any

from oracle_refresh.labs.datapump_degree.curve import fit, predict
from oracle_refresh.labs.datapump_degree.model import Measurement, Recommendation
from oracle_refresh.labs.datapump_degree.reference import SEED0, TITLE
from oracle_refresh.report.charts import chart, svg
from oracle_refresh.report.page_frame import render

STEPS = 40
MEASURED, STUDY = "this calibration", TITLE


def page(found: Recommendation, measurements: tuple[Measurement, ...]) -> str:
    """One self-contained page; no scripts, nothing loaded."""
    return render(
        "oracle_refresh.labs.datapump_degree",
        "calibration.html.j2",
        found=found,
        measurements=sorted(measurements, key=lambda one: (one.degree, one.repeat)),
        curve=curve_chart(found, measurements),
        study=SEED0,
        study_title=TITLE,
        fastest=min(point.seconds for point in found.points),
        study_fastest=min(SEED0.values()),
    )


def curve_chart(found: Recommendation, measurements: tuple[Measurement, ...]) -> str:
    """Time over degree, both axes logarithmic; each series as multiples of its own best."""
    import altair as alt

    own = {point.degree: point.seconds for point in found.points}
    lines = [
        *_line(MEASURED, found.coefficients, own),
        *_line(STUDY, fit(SEED0), SEED0),
    ]
    dots = [
        *_dots(MEASURED, [(one.degree, one.seconds) for one in measurements], min(own.values())),
        *_dots(STUDY, list(SEED0.items()), min(SEED0.values())),
    ]
    knee = [{"degree": found.degree, "label": f"recommended: {found.degree}"}]
    x = alt.X("degree:Q", scale=alt.Scale(type="log", base=2), title="jobs at the same time")
    scale = alt.Scale(type="log", domainMin=0.8, nice=False)
    y = alt.Y("times:Q", scale=scale, title="time, as a multiple of the best")
    colour = alt.Color(
        "series:N",
        title=None,
        scale=alt.Scale(domain=[MEASURED, STUDY], range=["#4c8ed9", "#8a8f98"]),
        legend=alt.Legend(orient="top"),
    )
    layers = alt.layer(
        chart(knee).mark_rule(strokeDash=[4, 4], color="#d98a2b").encode(x=x),
        chart(lines).mark_line().encode(x=x, y=y, color=colour),
        chart(dots).mark_point(filled=True, size=50).encode(x=x, y=y, color=colour),
    )
    return svg(layers, height=320)


def _line(series: str, coefficients: tuple[float, float, float], seconds: dict[int, float]) -> list[Any]:
    low, high, least = min(seconds), max(seconds), min(seconds.values())
    degrees = [low * (high / low) ** (step / STEPS) for step in range(STEPS + 1)]
    a, b, c = coefficients
    return [
        {"series": series, "degree": degree, "times": (a + b / degree + c * degree) / least}
        for degree in degrees
    ]


def _dots(series: str, found: list[tuple[int, float]], least: float) -> list[Any]:
    return [{"series": series, "degree": degree, "times": seconds / least} for degree, seconds in found]


def table(found: Recommendation) -> str:
    """The curve as text, for the task's log."""
    head = f"{'degree':>6}  {'seconds':>9}  {'fitted':>9}  {'MB/s':>8}"
    rows = [
        f"{point.degree:6}  {point.seconds:9.2f}  {point.predicted:9.2f}"
        f"  {found.sample.bytes / 1e6 / point.seconds:8.1f}{'  <-' if point.degree == found.degree else ''}"
        for point in found.points
    ]
    study = fit(SEED0)
    rows += [f"{TITLE}:"] + [
        f"{degree:6}  {seconds:9.2f}  {predict(study, degree):9.2f}" for degree, seconds in SEED0.items()
    ]
    return "\n".join([head, *rows, f"recommended: {found.degree}, {found.reason}", *found.notes])
