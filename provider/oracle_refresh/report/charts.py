"""The report's charts as inline SVG: Altair specifications drawn by vl-convert, no browser and no network.

Text and axes are drawn in a placeholder colour that becomes `currentColor`, so they follow the page's light
or dark scheme; marks have colours that are legible on both.
"""

from __future__ import annotations

import re
from typing import Any

from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.report.model import Details, Report
from oracle_refresh.report.plan import PlanView
from oracle_refresh.report.spans import STEPS

_TEXT = "#0a0b0c"
_WIDTH = 640
STAGES = tuple(kind.name for kind in STEPS)
_GREY, _BLUE, _GREEN, _RED = "#8a8f98", "#4c8ed9", "#4aa564", "#d9534c"
#: By what a bar stands for; the legend has them in this order.
_COLOURS = {
    **dict(zip(STAGES, (_BLUE, "#d98a2b", _GREEN, _GREY, "#b565c9", "#b07a4a"), strict=True)),
    **{"expected": _GREY, "took": _BLUE, "masked": _GREEN, "unchanged": _RED},
    **{"published": _BLUE, "failed": _RED},
}
_MEGABYTE = 1_000_000
#: Rows of a chart. More can be neither read nor printed; the tables below have all of them.
MOST_BARS = 40

Rows = list[dict[str, Any]]


def charts(report: Report, details: Details, view: PlanView | None = None) -> dict[str, str]:
    """SVG texts by the name of the chart; a chart without data is left out."""
    planned, values = _planned(view) if view else [], "values that are not NULL"
    megabytes = "MB per second (dump file bytes)"
    drawn = {
        "timeline": _bars(_timeline(details), "from", "seconds since the first step", "item", "step"),
        "throughput": _bars(_throughput(report), "rate", megabytes, "job", "stage", step=26, beside=True),
        "planned": _bars(planned, "seconds", "seconds of the export", "job", "what", step=22, beside=True),
        "coverage": _bars(_coverage(details), "values", values, "column", "what"),
        "rules": _bars(_rules(details), "values", "values by rule (columns)", "rule", "what"),
        "former": _bars(
            _former(report), "seconds", "seconds of the whole run, this one last", "run", "status", step=22
        ),
    }
    return {name: text for name, text in drawn.items() if text is not None}


def _timeline(details: Details) -> Rows:
    first = min((span.start for span in details.spans), default=None)
    if first is None:
        return []
    took: dict[str, float] = {}
    for span in details.spans:
        took[span.item] = took.get(span.item, 0.0) + (span.end - span.start).total_seconds()
    shown = set(sorted(took, key=lambda item: -took[item])[:MOST_BARS])
    rows: Rows = [
        {
            "item": span.item,
            "step": span.step,
            "from": (span.start - first).total_seconds(),
            "to": max((span.end - first).total_seconds(), (span.start - first).total_seconds() + 0.05),
        }
        for span in details.spans
        if span.item in shown
    ]
    return sorted(rows, key=lambda row: float(row["from"]))


def _throughput(report: Report) -> Rows:
    return [
        {"job": f"{shard.job} {shard.table}", "stage": stage, "rate": shard.bytes / _MEGABYTE / seconds}
        for shard in sorted(report.shards, key=lambda shard: -shard.bytes)[:MOST_BARS]
        for stage, seconds in (
            ("export", shard.export_seconds),
            ("stage", shard.stage_seconds),
            ("load", shard.load_seconds),
        )
        if seconds > 0 and shard.bytes
    ]


def _planned(view: PlanView) -> Rows:
    return [
        {"job": f"{job.planned.id} {job.planned.about}", "what": what, "seconds": seconds}
        for job in view.jobs[:MOST_BARS]
        if job.planned.expected_seconds is not None
        for what, seconds in (("expected", job.planned.expected_seconds), ("took", job.actual))
    ]


def _coverage(details: Details) -> Rows:
    """The columns that hold the most values which are as they were, then those with the most values."""
    checked = [
        (f"{TableName(check.owner, check.name).key}.{column.column}", column)
        for check in details.masked
        for column in check.masked
    ]
    checked.sort(key=lambda named: (-named[1].unchanged, -named[1].count))
    return [
        {"column": name, "what": what, "values": values}
        for name, column in checked[:MOST_BARS]
        for what, values in (("masked", column.count - column.unchanged), ("unchanged", column.unchanged))
    ]


def _rules(details: Details) -> Rows:
    return [
        {"rule": f"{use.kind} ({use.columns})", "what": what, "values": values}
        for use in details.rules
        for what, values in (("masked", use.values - use.unchanged), ("unchanged", use.unchanged))
    ]


def _former(report: Report) -> Rows:
    if not report.former:
        return []
    runs = [(run.run_id, run.status, run.seconds) for run in reversed(report.former)]
    runs.append((report.run_id, report.status, report.worked_seconds))
    return [
        {"run": f"{place}. {run}", "status": status, "seconds": seconds}
        for place, (run, status, seconds) in enumerate(runs, 1)
        if seconds > 0
    ]


def _bars(
    rows: Rows, across: str, title: str, down: str, colour: str, *, step: int = 18, beside: bool = False
) -> str | None:
    """Bars from left to right, as the rows come; None where there are none.

    :param across: the number that a bar is as long as; one that begins there has its end as `to`.
    :param down: what each line is about.
    :param colour: what each bar stands for.
    :param step: pixels of a line.
    :param beside: whether the bars of a line stand side by side rather than one on the other.
    """
    if not rows:
        return None
    import altair as alt

    lines = list(dict.fromkeys(row[down] for row in rows))
    present = {str(row[colour]) for row in rows}
    domain = [name for name in _COLOURS if name in present] + sorted(present - set(_COLOURS))
    scale = alt.Scale(domain=domain, range=[_COLOURS.get(name, _GREY) for name in domain])
    axis = alt.Axis(format="~s") if across == "values" else alt.Undefined
    channels: dict[str, Any] = {
        "x": alt.X(f"{across}:Q", title=title, axis=axis),
        "y": alt.Y(f"{down}:N", sort=lines, title=None),
        "color": alt.Color(f"{colour}:N", title=None, scale=scale, legend=alt.Legend(orient="top")),
    }
    if beside:
        channels["yOffset"] = alt.YOffset(f"{colour}:N", sort=domain)
    shape: dict[str, Any] = {"cornerRadius": 2}
    if "to" in rows[0]:
        channels["x2"] = "to:Q"
        shape["height"] = {"band": 0.7}
    return svg(chart(rows).mark_bar(**shape).encode(**channels), height=max(step * len(lines), 60))


def chart(rows: list[dict[str, Any]]) -> Any:
    """A chart over these rows, to be marked and encoded."""
    import altair as alt

    return alt.Chart(alt.Data(values=rows))  # type: ignore[no-untyped-call]


def svg(drawn: Any, height: int) -> str:
    """A chart as text to be put into a page."""
    import vl_convert

    specification = drawn.properties(width=_WIDTH, height=height).configure(
        background="transparent",
        font="sans-serif",
        view={"stroke": None},
        axis={
            "labelColor": _TEXT,
            "titleColor": _TEXT,
            "domainColor": _TEXT,
            "tickColor": _TEXT,
            "gridColor": _TEXT,
            "gridOpacity": 0.15,
            "labelLimit": 320,
            "titleFontWeight": "normal",
        },
        legend={"labelColor": _TEXT, "titleColor": _TEXT},
    )
    text = str(vl_convert.vegalite_to_svg(specification.to_dict()))
    text = re.sub(r"\s(width|height)=\"[\d.]+\"", "", text, count=2)
    return text.replace(_TEXT, "currentColor")
