"""The trials as a page with charts, beside the published ones, and as text for the log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from oracle_refresh.labs.change_capture.advisor import Step
from oracle_refresh.labs.change_capture.evaluation import Result, WhatIf, published
from oracle_refresh.labs.change_capture.fit import Fit
from oracle_refresh.labs.change_capture.model import TriedScenario
from oracle_refresh.labs.change_capture.study import COSTS, MEGABYTE, MEMORY, TITLE
from oracle_refresh.labs.change_capture.study import TRIALS as PUBLISHED
from oracle_refresh.labs.harness.page import OWN, POINTED, STUDY, Page, Section, by_series, code
from oracle_refresh.labs.harness.table import Column, Table, tabulated
from oracle_refresh.report.charts import chart, svg
from oracle_refresh.tuning.cdc.model import Memory, Settings
from oracle_refresh.tuning.cdc.queueing import Costs, predict

SERIES = OWN_TRIALS, STUDY_TRIALS = "these trials", "published (2008)"
_BAND = 0.2

SCENARIO: list[Column[TriedScenario]] = [
    Column("scenario", lambda trial: trial.scenario.name),
    Column("rows", lambda trial: trial.scenario.workload.rows, ",d"),
    Column("commit every", lambda trial: trial.scenario.workload.rows_per_commit, ",d"),
    Column("settings", lambda trial: settings_text(trial.scenario.settings)),
]


def page(result: Result) -> Page:
    model, questions = published()
    fitted = _fitted("Of the published tests", model)
    if result.model:
        fitted = f"{_fitted('Fitted to these trials', result.model)} {fitted}"
    return Page(
        window="Change capture: trials",
        title=f"Change capture: {len(result.trials)} trials",
        facts=[
            ("Large transactions", _best(result.best_batch)),
            ("A commit for each row", _best(result.best_single)),
            ("A message takes", f"{result.memory.message_bytes:,.0f} bytes of the queue"),
            ("Run", code(result.run_id)),
        ],
        notes=result.notes,
        sections=[
            *_advisor(result),
            Section("Trials", chart=rate_chart(result.trials), table=_trials(result, result.trials)),
            Section(
                "The model",
                chart=fit_chart(result),
                caption=f"The band is a fifth. {fitted}",
                table=_what_if("what if", result.what_if, ".2f"),
            ),
            Section(f"For comparison: {TITLE}", table=_study(model)),
            Section(table=_what_if("what if, on that server", questions, ".0f")),
        ],
    )


def table(result: Result) -> str:
    """The trials as text, for the task's log."""
    lines = [_trials(result, result.every).text()]
    best = {"large transactions": result.best_batch, "a commit for each row": result.best_single}
    lines += [
        f"best for {about}: {settings_text(trial.scenario.settings)}"
        for about, trial in best.items()
        if trial
    ]
    if result.advice:
        lines.append(f"advisor: {len(result.advice.steps)} trials, {result.advice.reason}")
    return "\n".join([*lines, *result.notes])


def settings_text(settings: Settings) -> str:
    """The settings in one line."""
    pool = f"{settings.streams_pool_bytes / MEGABYTE:,.0f} MB" if settings.streams_pool_bytes else "automatic"
    text = f"parallelism {settings.parallelism}, threshold {settings.txn_lcr_spill_threshold:,}, pool {pool}"
    return text if settings.commit_serialization != "FULL" else f"{text}, commits in order"


def _best(trial: TriedScenario | None) -> str:
    return f"{settings_text(trial.scenario.settings)} ({trial.rate:,.0f} changes/s)" if trial else ""


def _fitted(about: str, model: Fit) -> str:
    return (
        f"{about}: {len(model.free)} costs to {model.values} values, {100 * model.worst:.0f} % off at most."
    )


def _advisor(result: Result) -> list[Section]:
    if result.advice is None:
        return []
    advice = result.advice
    columns: list[Column[tuple[int, Step]]] = [
        Column("trial", lambda row: row[0], "d"),
        Column("settings", lambda row: settings_text(row[1].trial.scenario.settings)),
        Column("s", lambda row: row[1].trial.seconds, ".2f"),
        Column("kept", lambda row: "yes" if row[1].kept else "no"),
        Column(
            "findings",
            lambda row: Markup("<br>").join(
                f"{finding.text} ({finding.source})" for finding in row[1].diagnosis.findings
            ),
        ),
    ]
    about = (
        f"{len(advice.steps)} trials; {advice.reason}. It ends at {settings_text(advice.settings)},"
        f" {advice.gain:.1f} times as fast as where it began."
    )
    return [Section("The advisor", about, table=tabulated(enumerate(advice.steps, 1), columns))]


def _trials(result: Result, trials: Sequence[TriedScenario]) -> Table:
    def modelled(trial: TriedScenario) -> float | None:
        model = result.model
        return predict(trial.scenario, model.costs, result.memory).seconds if model else None

    columns: list[Column[TriedScenario]] = [
        *SCENARIO,
        Column("s", lambda trial: trial.seconds, ".2f"),
        Column("reader done", lambda trial: trial.reader_seconds, ".2f"),
        Column("model s", modelled, ".2f"),
        Column("queue spilled", lambda trial: trial.queue_spilled or 0, ",d"),
        Column("reader spilled", lambda trial: trial.reader_spilled or 0, ",d"),
        Column("busy servers", lambda trial: trial.busy_servers, "d"),
    ]
    return tabulated(trials, columns, lambda trial: trial in (result.best_batch, result.best_single))


def _study(model: Fit) -> Table:
    errors = dict(zip(PUBLISHED, model.errors, strict=True))
    columns: list[Column[TriedScenario]] = [
        *SCENARIO,
        Column("s", lambda trial: trial.seconds, ".0f"),
        Column("model", lambda trial: f"{100 * errors[trial]:+.0f} %", "s"),
        Column(
            "queue spilled", lambda trial: "few" if trial.queue_spilled is None else trial.queue_spilled, ",d"
        ),
        Column("reader spilled", lambda trial: trial.reader_spilled, ",d"),
    ]
    return tabulated(PUBLISHED, columns)


def _what_if(title: str, answers: Sequence[WhatIf], seconds: str) -> Table:
    columns: list[Column[WhatIf]] = [
        Column(title, lambda answer: answer.scenario.name),
        Column("rows", lambda answer: answer.scenario.workload.rows, ",d"),
        Column("s", lambda answer: answer.said.seconds, seconds),
        Column("queue spilled", lambda answer: answer.said.queue_spilled, ",.0f"),
    ]
    return tabulated(answers, columns)


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
