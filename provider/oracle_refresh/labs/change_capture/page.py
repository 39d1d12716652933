"""The trials as a page with charts, beside the published ones, and as text for the log."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from oracle_refresh.labs.change_capture.advisor import Step
from oracle_refresh.labs.change_capture.charts import fit_chart, rate_chart, ratio_chart, unrelated_chart
from oracle_refresh.labs.change_capture.evaluation import Result, WhatIf, published
from oracle_refresh.labs.change_capture.fit import Fit
from oracle_refresh.labs.change_capture.model import TriedScenario
from oracle_refresh.labs.change_capture.ratios import NOTHING, REFERENCE, of_rates
from oracle_refresh.labs.change_capture.study import MEGABYTE, TITLE
from oracle_refresh.labs.change_capture.study import TRIALS as PUBLISHED
from oracle_refresh.labs.harness.page import Page, Section, code
from oracle_refresh.labs.harness.table import Column, Table, tabulated
from oracle_refresh.tuning.cdc.model import Settings
from oracle_refresh.tuning.cdc.queueing import predict

ABOUT_RATIOS = (
    f"A ratio is that of changes per second to scenario {REFERENCE}'s, here and in the study. Where trials"
    " are scaled down, what each of them takes whatever its size weighs more than it did there."
)
ABOUT_UNRELATED = (
    "Rows go into a table that is not captured, then one row into the one that is: the time is that until"
    f" this row has arrived. A ratio is that to the time of {NOTHING!r}; in the study each took 10 s."
)

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
        title=f"Change capture: {len(result.trials) + len(result.unrelated)} trials",
        facts=[
            ("Large transactions", _best(result.best_batch)),
            ("A commit for each row", _best(result.best_single)),
            ("A message takes", f"{result.memory.message_bytes:,.0f} bytes of the queue"),
            ("Run", code(result.run_id)),
        ],
        notes=result.notes,
        sections=[
            *_advisor(result),
            *_planned(result),
            *_unrelated(result),
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
    lines = [_trials(result, result.every).text()] if result.every else []
    lines += [section.table.text() for section in _unrelated(result) if section.table]
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


def _planned(result: Result) -> list[Section]:
    if not result.trials:
        return []
    return [
        Section("Trials", chart=rate_chart(result.trials), table=_trials(result, result.trials)),
        Section("Beside the study", ABOUT_RATIOS, chart=ratio_chart(result.ratios)),
    ]


def _unrelated(result: Result) -> list[Section]:
    """Trials that are about a table outside of the capture."""
    if not result.unrelated:
        return []
    ratios = dict(zip(result.unrelated, result.unrelated_ratios, strict=True))
    columns: list[Column[TriedScenario]] = [
        Column("test", lambda trial: trial.scenario.name),
        Column("rows", lambda trial: trial.scenario.workload.unrelated_rows, ",d"),
        Column("commit every", _unrelated_rows_per_commit, ",d"),
        Column("s", lambda trial: trial.seconds, ".2f"),
        Column("ratio", lambda trial: ratios[trial].here, ".3f"),
        Column("study's ratio", lambda trial: ratios[trial].study, ".3f"),
    ]
    return [
        Section(
            "A table that is not captured",
            ABOUT_UNRELATED,
            chart=unrelated_chart(result.unrelated_ratios),
            table=tabulated(result.unrelated, columns),
        )
    ]


def _unrelated_rows_per_commit(trial: TriedScenario) -> int | None:
    work = trial.scenario.workload
    return (work.unrelated_rows_per_commit or work.unrelated_rows) if work.unrelated_rows else None


def _trials(result: Result, trials: Sequence[TriedScenario]) -> Table:
    def modelled(trial: TriedScenario) -> float | None:
        model = result.model
        return predict(trial.scenario, model.costs, result.memory).seconds if model else None

    ratios = dict(zip(result.every, result.ratios, strict=True))
    columns: list[Column[TriedScenario]] = [
        *SCENARIO,
        Column("s", lambda trial: trial.seconds, ".2f"),
        Column("ratio", lambda trial: ratios[trial].here, ".3f"),
        Column("study's ratio", lambda trial: ratios[trial].study, ".3f"),
        Column("reader done", lambda trial: trial.reader_seconds, ".2f"),
        Column("model s", modelled, ".2f"),
        Column("queue spilled", lambda trial: trial.queue_spilled or 0, ",d"),
        Column("reader spilled", lambda trial: trial.reader_spilled or 0, ",d"),
        Column("busy servers", lambda trial: trial.busy_servers, "d"),
    ]
    return tabulated(trials, columns, lambda trial: trial in (result.best_batch, result.best_single))


def _study(model: Fit) -> Table:
    errors = dict(zip(PUBLISHED, model.errors, strict=True))
    ratios = dict(zip(PUBLISHED, of_rates(PUBLISHED), strict=True))
    columns: list[Column[TriedScenario]] = [
        *SCENARIO,
        Column("s", lambda trial: trial.seconds, ".0f"),
        Column("ratio", lambda trial: ratios[trial].here, ".3f"),
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
