"""The report's charts as inline SVG: Altair specifications drawn by vl-convert, no browser and no network.

Text and axes are drawn in a placeholder colour that becomes `currentColor`, so they follow the page's light
or dark scheme; marks have colours that are legible on both.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from oracle_refresh.report.model import Details, Report
from oracle_refresh.report.plan import PlanView
from oracle_refresh.report.spans import STEPS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from oracle_refresh.validation.model import MaskedCheck, TableCheck

_TEXT = "#0a0b0c"
_WIDTH = 640
STAGES = tuple(kind.name for kind in STEPS)
_COLOURS = ("#4c8ed9", "#d98a2b", "#4aa564", "#8a8f98", "#b565c9", "#b07a4a")
_MEGABYTE = 1_000_000
#: Rows of a chart. More can be neither read nor printed; the tables below have all of them.
MOST_BARS = 40


def charts(report: Report, details: Details, view: PlanView | None = None) -> dict[str, str]:
    """SVG texts by the name of the chart; a chart without data is left out."""
    drawn = {
        "timeline": _timeline(details),
        "throughput": _throughput(report),
        "planned": _planned(view) if view else None,
        "coverage": _coverage(details),
        "rules": _rules(details),
        "former": _former(report),
    }
    return {name: text for name, text in drawn.items() if text is not None}


def _timeline(details: Details) -> str | None:
    if not details.spans:
        return None
    first = min(span.start for span in details.spans)
    took: dict[str, float] = {}
    for span in details.spans:
        took[span.item] = took.get(span.item, 0.0) + (span.end - span.start).total_seconds()
    shown = set(sorted(took, key=lambda item: -took[item])[:MOST_BARS])
    rows: list[dict[str, Any]] = [
        {
            "item": span.item,
            "step": span.step,
            "from": (span.start - first).total_seconds(),
            "to": max((span.end - first).total_seconds(), (span.start - first).total_seconds() + 0.05),
        }
        for span in details.spans
        if span.item in shown
    ]
    order = list(dict.fromkeys(row["item"] for row in sorted(rows, key=lambda row: row["from"])))
    import altair as alt

    bars = chart(rows).mark_bar(cornerRadius=2, height={"band": 0.7})
    return svg(
        bars.encode(
            x=alt.X("from:Q", title="seconds since the first step"),
            x2="to:Q",
            y=alt.Y("item:N", sort=order, title=None),
            color=_colour("step", [row["step"] for row in rows]),
        ),
        height=max(18 * len(order), 60),
    )


def _throughput(report: Report) -> str | None:
    rows: list[dict[str, Any]] = [
        {"job": f"{shard.job} {shard.table}", "stage": stage, "rate": shard.bytes / _MEGABYTE / seconds}
        for shard in sorted(report.shards, key=lambda shard: -shard.bytes)[:MOST_BARS]
        for stage, seconds in (
            ("export", shard.export_seconds),
            ("stage", shard.stage_seconds),
            ("load", shard.load_seconds),
        )
        if seconds > 0 and shard.bytes
    ]
    if not rows:
        return None
    import altair as alt

    jobs = list(dict.fromkeys(row["job"] for row in rows))
    return svg(
        chart(rows)
        .mark_bar(cornerRadius=2)
        .encode(
            x=alt.X("rate:Q", title="MB per second (dump file bytes)"),
            y=alt.Y("job:N", sort=jobs, title=None),
            yOffset=alt.YOffset("stage:N", sort=list(STAGES)),
            color=_colour("stage", [str(row["stage"]) for row in rows]),
        ),
        height=max(26 * len(jobs), 60),
    )


def _planned(view: PlanView) -> str | None:
    rows: list[dict[str, Any]] = [
        {"job": f"{job.job} {job.what}", "what": what, "seconds": seconds}
        for job in view.jobs[:MOST_BARS]
        if job.expected is not None
        for what, seconds in (("expected", job.expected), ("took", job.actual))
    ]
    if not rows:
        return None
    import altair as alt

    jobs = list(dict.fromkeys(row["job"] for row in rows))
    colours = alt.Scale(domain=["expected", "took"], range=["#8a8f98", "#4c8ed9"])
    return svg(
        chart(rows)
        .mark_bar(cornerRadius=2)
        .encode(
            x=alt.X("seconds:Q", title="seconds of the export"),
            y=alt.Y("job:N", sort=jobs, title=None),
            yOffset=alt.YOffset("what:N", sort=["expected", "took"]),
            color=alt.Color("what:N", title=None, scale=colours, legend=alt.Legend(orient="top")),
        ),
        height=max(22 * len(jobs), 60),
    )


def _coverage(details: Details) -> str | None:
    rows: list[dict[str, Any]] = [
        {"column": f"{check.owner}.{check.name}.{column.column}", "what": what, "values": values}
        for check, column in _columns(details)
        for what, values in (
            ("masked", column.count - column.unchanged),
            ("unchanged", column.unchanged),
        )
    ]
    if not rows:
        return None
    import altair as alt

    names = list(dict.fromkeys(row["column"] for row in rows))
    return svg(
        chart(rows)
        .mark_bar(cornerRadius=2)
        .encode(
            x=alt.X("values:Q", title="values that are not NULL", axis=alt.Axis(format="~s")),
            y=alt.Y("column:N", sort=names, title=None),
            color=alt.Color(
                "what:N",
                title=None,
                scale=alt.Scale(domain=["masked", "unchanged"], range=["#4aa564", "#d9534c"]),
                legend=alt.Legend(orient="top"),
            ),
        ),
        height=max(18 * len(names), 60),
    )


def _columns(details: Details) -> list[tuple[TableCheck, MaskedCheck]]:
    """The columns that hold the most values which are as they were, then those with the most values."""
    found = [(check, column) for check in details.masked for column in check.masked]
    return sorted(found, key=lambda one: (-one[1].unchanged, -one[1].count))[:MOST_BARS]


def _rules(details: Details) -> str | None:
    rows: list[dict[str, Any]] = [
        {"rule": f"{use.kind} ({use.columns})", "what": what, "values": values}
        for use in details.rules
        for what, values in (("masked", use.values - use.unchanged), ("unchanged", use.unchanged))
    ]
    if not rows:
        return None
    import altair as alt

    names = list(dict.fromkeys(row["rule"] for row in rows))
    scale = alt.Scale(domain=["masked", "unchanged"], range=["#4aa564", "#d9534c"])
    return svg(
        chart(rows)
        .mark_bar(cornerRadius=2)
        .encode(
            x=alt.X("values:Q", title="values by rule (columns)", axis=alt.Axis(format="~s")),
            y=alt.Y("rule:N", sort=names, title=None),
            color=alt.Color("what:N", title=None, scale=scale, legend=alt.Legend(orient="top")),
        ),
        height=max(18 * len(names), 60),
    )


def _former(report: Report) -> str | None:
    if not report.former:
        return None
    runs = [(run.run_id, run.status, run.seconds) for run in reversed(report.former)]
    runs.append((report.run_id, report.status, report.worked_seconds))
    rows: list[dict[str, Any]] = [
        {"run": f"{place}. {run}", "status": status, "seconds": seconds}
        for place, (run, status, seconds) in enumerate(runs, 1)
        if seconds > 0
    ]
    import altair as alt

    scale = alt.Scale(domain=["published", "failed"], range=["#4c8ed9", "#d9534c"])
    return svg(
        chart(rows)
        .mark_bar(cornerRadius=2)
        .encode(
            x=alt.X("seconds:Q", title="seconds of the whole run, this one last"),
            y=alt.Y("run:N", sort=[row["run"] for row in rows], title=None),
            color=alt.Color("status:N", title=None, scale=scale, legend=alt.Legend(orient="top")),
        ),
        height=max(22 * len(rows), 60),
    )


def chart(rows: list[dict[str, Any]]) -> Any:
    """A chart over these rows, to be marked and encoded."""
    import altair as alt

    return alt.Chart(alt.Data(values=rows))  # type: ignore[no-untyped-call]


def _colour(field: str, present: Iterable[str]) -> Any:
    import altair as alt

    seen = set(present)
    stages = [stage for stage in STAGES if stage in seen] + sorted(seen - set(STAGES))
    known = dict(zip(STAGES, _COLOURS, strict=True))
    scale = alt.Scale(domain=stages, range=[known.get(stage, "#8a8f98") for stage in stages])
    return alt.Color(f"{field}:N", title=None, scale=scale, legend=alt.Legend(orient="top"))


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
