"""The gains as a page, as a chart and as text, beside the published ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oracle_refresh.labs.masking.explain import explanations
from oracle_refresh.labs.masking.model import BASELINE, Benchmark, Gain, Measurement
from oracle_refresh.labs.masking.ratios import counted, gains
from oracle_refresh.labs.masking.reference import SEED4, TITLE
from oracle_refresh.report.charts import chart, svg
from oracle_refresh.report.page_frame import json_text, render

MEASURED = "this benchmark"
#: Where an interval is cut off in the chart, in per cent: at twice the time.
WORST = -100.0
#: Events that are worth a line in the table of waits.
MOST_EVENTS = 12


def files(benchmark: Benchmark, measurements: Sequence[Measurement]) -> dict[str, str]:
    """What goes to the report's folder.

    :raises PlanError: if the baseline was not measured.
    """
    found = gains(measurements)
    document = {
        "benchmark": benchmark.to_json(),
        "gains": [one.to_json() for one in found],
        "measurements": [one.to_json() for one in measurements],
        "explanations": list(explanations(counted(measurements))),
    }
    return {
        "report.json": json_text(document),
        "report.html": page(benchmark, found, measurements),
    }


def page(benchmark: Benchmark, found: Sequence[Gain], measurements: Sequence[Measurement]) -> str:
    """One self-contained page; no scripts, nothing loaded."""
    ordered = counted(measurements)
    measured = {one.trial.id for one in measurements}
    return render(
        "oracle_refresh.labs.masking",
        "masking_benchmark.html.j2",
        benchmark=benchmark,
        workload=benchmark.workload,
        titles={one.name: one.title for one in benchmark.settings},
        gains=found,
        measurements=ordered,
        baselines=[one for one in ordered if one.trial.setting == BASELINE],
        missing=[one.id for one in benchmark.trials if one.id not in measured],
        explanations=explanations(ordered),
        waits=wait_rows(ordered),
        columns=list(dict.fromkeys(one.trial.setting for one in ordered)),
        chart=gain_chart(found) if found else "",
        study=SEED4,
        study_title=TITLE,
    )


def wait_rows(measurements: Sequence[Measurement]) -> list[tuple[str, dict[str, float]]]:
    """The events that took longest, each with its mean seconds per setting."""
    by_setting: dict[str, list[Measurement]] = {}
    for one in measurements:
        by_setting.setdefault(one.trial.setting, []).append(one)
    total: dict[str, float] = {}
    for one in measurements:
        for event, seconds in one.waits.items():
            total[event] = total.get(event, 0.0) + seconds
    events = sorted((event for event in total if total[event] > 0), key=lambda event: -total[event])
    return [
        (
            event,
            {
                name: sum(one.waits.get(event, 0.0) for one in group) / len(group)
                for name, group in by_setting.items()
            },
        )
        for event in events[:MOST_EVENTS]
    ]


def gain_chart(found: Sequence[Gain]) -> str:
    """Time saved per switch: bars with what is known of them, and the published ranges below."""
    import altair as alt

    order = [one.setting for one in found]
    bars: list[dict[str, Any]] = [
        {"switch": one.setting, "series": MEASURED, "saved": max(100 * one.saved, WORST)} for one in found
    ]
    ranges: list[dict[str, Any]] = [
        {
            "switch": one.setting,
            "series": MEASURED,
            "low": max(100 * one.low, WORST),
            "high": 100 * one.high,
        }
        for one in found
    ]
    for name in order:
        if (published := SEED4.get(name)) is not None:
            middle = (published.low + published.high) / 2
            bars.append({"switch": name, "series": TITLE, "saved": middle})
            ranges.append({"switch": name, "series": TITLE, "low": published.low, "high": published.high})
    y = alt.Y("switch:N", sort=order, title=None)
    lanes = alt.YOffset("series:N", sort=[MEASURED, TITLE])
    colour = alt.Color(
        "series:N",
        title=None,
        scale=alt.Scale(domain=[MEASURED, TITLE], range=["#4c8ed9", "#8a8f98"]),
        legend=alt.Legend(orient="top"),
    )
    x = alt.X("saved:Q", title="time saved, per cent of the baseline's")
    layers = alt.layer(
        chart(bars).mark_bar(cornerRadius=2).encode(x=x, y=y, yOffset=lanes, color=colour),
        chart(ranges)
        .mark_rule(color="#d98a2b", strokeWidth=2)
        .encode(x="low:Q", x2="high:Q", y=y, yOffset=lanes),
    )
    return svg(layers, height=max(46 * len(order), 80))


def table(found: Sequence[Gain], baselines: Sequence[float]) -> str:
    """The gains as text, for the task's log."""
    rows = [f"{'setting':14}  {'seconds':>8}  {'rows/s':>10}  {'saved':>6}  {'study':>10}"]
    rows += [f"{BASELINE:14}  {seconds:8.2f}" for seconds in baselines]
    rows += [
        f"{one.setting:14}  {one.seconds:8.2f}  {one.rows_per_second:10,.0f}  {100 * one.saved:5.0f} %"
        f"  {SEED4.get(one.setting, '')!s:>10}  {one.verdict}"
        for one in found
    ]
    return "\n".join(rows)
