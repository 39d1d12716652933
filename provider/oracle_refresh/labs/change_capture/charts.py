"""What the trials show, as plots beside the published ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oracle_refresh.labs.change_capture.evaluation import Result
from oracle_refresh.labs.change_capture.model import TriedScenario
from oracle_refresh.labs.change_capture.ratios import REFERENCE, Ratio
from oracle_refresh.labs.change_capture.study import COSTS, MEMORY
from oracle_refresh.labs.change_capture.study import TRIALS as PUBLISHED
from oracle_refresh.labs.harness.charts import chart, svg
from oracle_refresh.labs.harness.page import OWN, POINTED, STUDY, bars_beside, by_series
from oracle_refresh.tuning.cdc.model import Memory
from oracle_refresh.tuning.cdc.queueing import Costs, predict

SERIES = OWN_TRIALS, STUDY_TRIALS = "these trials", "published (2008)"
_BAND = 0.2


def rate_chart(trials: Sequence[TriedScenario]) -> str:
    """Changes per second of each trial, and of the published scenario of the same name."""
    import altair as alt

    study = {trial.scenario.name: trial for trial in PUBLISHED}
    rows: list[dict[str, Any]] = []
    for trial in trials:
        rows.append({"scenario": trial.scenario.name, "series": OWN_TRIALS, "rate": trial.rate})
        if (same := study.get(trial.scenario.name)) is not None:
            rows.append({"scenario": trial.scenario.name, "series": STUDY_TRIALS, "rate": same.rate})
    names = list(dict.fromkeys(row["scenario"] for row in rows))
    return svg(
        chart(rows)
        .mark_point(filled=True, size=90)
        .encode(
            x=alt.X("rate:Q", title="changes per second", scale=alt.Scale(type="log", nice=False)),
            y=alt.Y("scenario:N", sort=names, title="scenario", axis=alt.Axis(grid=True)),
            color=by_series(SERIES, colours=(OWN, POINTED)),
        ),
        height=max(26 * len(names), 60),
    )


def ratio_chart(ratios: Sequence[Ratio]) -> str:
    """What each scenario of the study has for a ratio, here and there; empty where none has one here."""
    import altair as alt

    rows = _beside([ratio for ratio in ratios if ratio.study is not None and ratio.here is not None])
    if not rows:
        return ""
    names = list(dict.fromkeys(row["what"] for row in rows))
    return svg(
        chart(rows)
        .mark_point(filled=True, size=90)
        .encode(
            x=alt.X(
                "value:Q",
                title=f"changes per second over those of scenario {REFERENCE}",
                scale=alt.Scale(type="log", nice=False),
            ),
            y=alt.Y("what:N", sort=names, title="scenario", axis=alt.Axis(grid=True)),
            color=by_series(SERIES, colours=(OWN, POINTED)),
        ),
        height=max(26 * len(names), 60),
    )


def unrelated_chart(ratios: Sequence[Ratio]) -> str:
    """What the trials of a table that is not captured take over the one without rows, here and there."""
    return bars_beside(_beside(ratios), SERIES, "time over that without rows")


def _beside(ratios: Sequence[Ratio]) -> list[dict[str, Any]]:
    """Of each scenario the ratio here and the study's, as far as there are such, for a chart."""
    return [
        {"what": ratio.scenario, "series": series, "value": value}
        for ratio in ratios
        for series, value in ((OWN_TRIALS, ratio.here), (STUDY_TRIALS, ratio.study))
        if value is not None
    ]


def fit_chart(result: Result | None) -> str:
    """What the model says over what was measured, with the band of a fifth; of both, if there are both."""
    import altair as alt

    rows = _points(STUDY_TRIALS, PUBLISHED, COSTS, MEMORY)
    if result and result.model:
        rows += _points(OWN_TRIALS, result.every, result.model.costs, result.memory)
    low = min(min(row["measured"], row["modelled"]) for row in rows) * 0.7
    high = max(max(row["measured"], row["modelled"]) for row in rows) * 1.4
    band = [
        {"measured": at, "low": at * (1 - _BAND), "high": at * (1 + _BAND), "modelled": at}
        for at in (low, high)
    ]
    scale = alt.Scale(type="log", domain=[low, high], nice=False)
    x = alt.X("measured:Q", scale=scale, title="measured, seconds end to end")
    y = alt.Y("modelled:Q", scale=scale, title="model, seconds")
    layers = alt.layer(
        chart(band)
        .mark_area(opacity=0.15, color=STUDY)
        .encode(x=x, y=alt.Y("low:Q", scale=scale, title="model, seconds"), y2="high:Q"),
        chart(band).mark_line(strokeDash=[4, 4], color=STUDY).encode(x=x, y=y),
        chart(rows)
        .mark_point(filled=True, size=60)
        .encode(x=x, y=y, color=by_series(SERIES, colours=(OWN, POINTED))),
        chart([row for row in rows if row["scenario"].isdigit()])
        .mark_text(dx=9, dy=-7, align="left", color="#0a0b0c")
        .encode(x=x, y=y, text=alt.Text("scenario:N")),
    )
    return svg(layers, height=420)


def _points(
    series: str, trials: Sequence[TriedScenario], costs: Costs, memory: Memory
) -> list[dict[str, Any]]:
    return [
        {
            "series": series,
            "scenario": trial.scenario.name,
            "measured": trial.seconds,
            "modelled": predict(trial.scenario, costs, memory, cold=trial.cold).seconds,
        }
        for trial in trials
    ]
