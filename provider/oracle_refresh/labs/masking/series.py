"""What the steps of a series have shown, as sections of the page: one thing in several sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from oracle_refresh.labs.harness.charts import chart, svg
from oracle_refresh.labs.harness.page import OWN, POINTED, STUDY, Section
from oracle_refresh.labs.harness.table import Column, tabulated
from oracle_refresh.labs.masking.model import Benchmark, Gain, Series
from oracle_refresh.labs.masking.reference import PUBLISHED, TITLE, Published

_ABOUT = (
    "Blue: time saved, per cent of the baseline's, which is the first point; orange: the interval of 95 %;"
    " grey: what the study tells."
)


@dataclass(frozen=True)
class Stepped:
    """A step, and what it saves; None is the baseline, which saves nothing of itself."""

    step: str
    gain: Gain | None

    @property
    def study(self) -> Published | None:
        return None if self.gain is None else PUBLISHED.get(self.gain.setting)


def sections(benchmark: Benchmark, gained: Sequence[Gain]) -> list[Section]:
    """One for each series of which a step was measured."""
    by_setting = {gain.setting: gain for gain in gained}
    found = []
    for series in benchmark.series:
        steps = [
            Stepped(setting.step, by_setting[setting.name])
            for setting in benchmark.settings
            if setting.series == series.name and setting.name in by_setting
        ]
        if steps:
            found.append(_section(series, [Stepped(series.baseline, None), *steps]))
    return found


def _section(series: Series, steps: Sequence[Stepped]) -> Section:
    columns: list[Column[Stepped]] = [
        Column("step", lambda row: row.step),
        Column("trials", lambda row: row.gain.trials if row.gain else None, "d"),
        Column("s", lambda row: row.gain.seconds if row.gain else None, ".2f"),
        Column("time saved", lambda row: f"{100 * row.gain.saved:.0f} %" if row.gain else "baseline", "s"),
        Column("study", lambda row: str(row.study or "")),
        Column("what it says", lambda row: row.gain.verdict if row.gain else ""),
    ]
    return Section(
        f"Series: {series.title}",
        chart=series_chart(steps),
        caption=_ABOUT,
        table=tabulated(steps, columns),
    )


def series_chart(steps: Sequence[Stepped]) -> str:
    """Time saved over the steps, beside the study's figures."""
    import altair as alt

    order = [each.step for each in steps]
    x = alt.X("step:N", sort=order, title=None, axis=alt.Axis(labelAngle=0))
    y = alt.Y("saved:Q", title="time saved, per cent")
    own: list[dict[str, Any]] = [
        {"step": each.step, "saved": 100 * each.gain.saved if each.gain else 0.0} for each in steps
    ]
    ranges = [
        {"step": each.step, "low": max(100 * each.gain.low, -100.0), "high": 100 * each.gain.high}
        for each in steps
        if each.gain
    ]
    told = [
        {"step": each.step, "saved": (each.study.low + each.study.high) / 2, "series": TITLE}
        for each in steps
        if each.study
    ]
    drawn = chart(own).mark_line(point=True, color=OWN).encode(x=x, y=y)
    drawn += chart(ranges).mark_rule(color=POINTED, strokeWidth=2).encode(x=x, y=alt.Y("low:Q"), y2="high:Q")
    if told:
        drawn += chart(told).mark_point(color=STUDY, filled=True, size=80).encode(x=x, y=y)
    return svg(drawn, height=240)
