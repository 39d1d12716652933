"""The trials as a page with charts, beside the published ones, and as text for the log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oracle_refresh.labs.change_capture.evaluation import Result, published
from oracle_refresh.labs.change_capture.study import COSTS, MEGABYTE, MEMORY, TITLE
from oracle_refresh.labs.change_capture.study import TRIALS as PUBLISHED
from oracle_refresh.report.charts import chart, svg
from oracle_refresh.report.page_frame import environment
from oracle_refresh.tuning.cdc.model import Memory, Settings, Trial
from oracle_refresh.tuning.cdc.queueing import Costs, predict

OWN, STUDY = "these trials", "published (2008)"
_BAND = 0.2


def page(result: Result) -> str:
    """One self-contained page; no scripts, nothing loaded."""
    templates = environment("oracle_refresh.labs.change_capture")
    templates.filters |= {"settings": settings_text, "percent": lambda share: f"{100 * share:+.0f} %"}
    study_model, questions = published()
    return templates.get_template("change_capture.html.j2").render(
        result=result,
        study=list(zip(PUBLISHED, study_model.errors, strict=True)),
        study_model=study_model,
        questions=questions,
        study_title=TITLE,
        rates=rate_chart(result.trials),
        fit=fit_chart(result),
        said={
            trial.scenario.name: predict(trial.scenario, result.model.costs, result.memory).seconds
            for trial in result.trials
        }
        if result.model
        else {},
    )


def rate_chart(trials: Sequence[Trial]) -> str:
    """Changes per second of each trial, and of the published scenario of the same name."""
    import altair as alt

    study = {trial.scenario.name: trial for trial in PUBLISHED}
    rows: list[dict[str, Any]] = []
    for trial in trials:
        rows.append({"scenario": trial.scenario.name, "series": OWN, "rate": trial.rate})
        if (same := study.get(trial.scenario.name)) is not None:
            rows.append({"scenario": trial.scenario.name, "series": STUDY, "rate": same.rate})
    names = list(dict.fromkeys(row["scenario"] for row in rows))
    return svg(
        chart(rows)
        .mark_point(filled=True, size=90)
        .encode(
            x=alt.X("rate:Q", title="changes per second", scale=alt.Scale(type="log", nice=False)),
            y=alt.Y("scenario:N", sort=names, title="scenario", axis=alt.Axis(grid=True)),
            color=_colour(),
        ),
        height=max(26 * len(names), 60),
    )


def fit_chart(result: Result | None) -> str:
    """What the model says over what was measured, with the band of a fifth; of both, if there are both."""
    import altair as alt

    rows = _points(STUDY, PUBLISHED, COSTS, MEMORY, cold=True)
    if result and result.model:
        trials = (
            [*result.trials, *(step.trial for step in result.advice.steps)]
            if result.advice
            else list(result.trials)
        )
        rows += _points(OWN, trials, result.model.costs, result.memory, cold=False)
    low = min(min(row["measured"], row["said"]) for row in rows) * 0.7
    high = max(max(row["measured"], row["said"]) for row in rows) * 1.4
    band = [
        {"measured": at, "low": at * (1 - _BAND), "high": at * (1 + _BAND), "said": at} for at in (low, high)
    ]
    scale = alt.Scale(type="log", domain=[low, high], nice=False)
    x = alt.X("measured:Q", scale=scale, title="measured, seconds end to end")
    y = alt.Y("said:Q", scale=scale, title="model, seconds")
    layers = alt.layer(
        chart(band)
        .mark_area(opacity=0.15, color="#8a8f98")
        .encode(x=x, y=alt.Y("low:Q", scale=scale, title="model, seconds"), y2="high:Q"),
        chart(band).mark_line(strokeDash=[4, 4], color="#8a8f98").encode(x=x, y=y),
        chart(rows).mark_point(filled=True, size=60).encode(x=x, y=y, color=_colour()),
        chart([row for row in rows if row["scenario"].isdigit()])
        .mark_text(dx=9, dy=-7, align="left", color="#0a0b0c")
        .encode(x=x, y=y, text=alt.Text("scenario:N")),
    )
    return svg(layers, height=420)


def _points(
    series: str, trials: Sequence[Trial], costs: Costs, memory: Memory, *, cold: bool
) -> list[dict[str, Any]]:
    return [
        {
            "series": series,
            "scenario": trial.scenario.name,
            "measured": trial.seconds,
            "said": predict(trial.scenario, costs, memory, cold=cold and trial.cold).seconds,
        }
        for trial in trials
    ]


def _colour() -> Any:
    import altair as alt

    scale = alt.Scale(domain=[OWN, STUDY], range=["#4c8ed9", "#d98a2b"])
    return alt.Color("series:N", title=None, scale=scale, legend=alt.Legend(orient="top"))


def settings_text(settings: Settings) -> str:
    """The settings in one line."""
    pool = f"{settings.streams_pool_bytes / MEGABYTE:,.0f} MB" if settings.streams_pool_bytes else "automatic"
    text = f"parallelism {settings.parallelism}, threshold {settings.txn_lcr_spill_threshold:,}, pool {pool}"
    return text if settings.commit_serialization != "FULL" else f"{text}, commits in order"


def table(result: Result) -> str:
    """The trials as text, for the task's log."""
    head = f"{'scenario':<22} {'rows':>9} {'commit':>9} {'seconds':>9} {'queue':>8} {'reader':>8}  settings"
    lines = [head]
    for trial in (
        [*result.trials, *(step.trial for step in result.advice.steps)] if result.advice else result.trials
    ):
        work = trial.scenario.workload
        lines.append(
            f"{trial.scenario.name:<22} {work.rows:>9,} {work.rows_per_commit:>9,} {trial.seconds:>9.2f}"
            f" {trial.queue_spilled or 0:>8,} {trial.reader_spilled or 0:>8,}"
            f"  {settings_text(trial.scenario.settings)}"
        )
    for about, best in (
        ("large transactions", result.best_batch),
        ("a commit for each row", result.best_single),
    ):
        if best:
            lines.append(f"best for {about}: {settings_text(best.scenario.settings)}")
    if result.advice:
        lines.append(f"advisor: {len(result.advice.steps)} trials, {result.advice.reason}")
    return "\n".join([*lines, *result.notes])
