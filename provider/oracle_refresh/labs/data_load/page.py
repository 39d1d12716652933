"""The load as a page, as charts and as text, beside the published one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oracle_refresh.labs.data_load.evidence import Loaded, Summary
from oracle_refresh.labs.data_load.host_page import host_sections
from oracle_refresh.labs.data_load.instances_page import instance_sections
from oracle_refresh.labs.data_load.model import PHASES, BatchLoad, Chosen, DegreeTrial, terabytes_per_hour
from oracle_refresh.labs.data_load.reference import PUBLISHED, TITLE
from oracle_refresh.labs.harness.charts import chart, svg
from oracle_refresh.labs.harness.page import OWN, POINTED, Page, Section, by_series, code
from oracle_refresh.labs.harness.table import Column, Table, tabulated
from oracle_refresh.report.bars import Bar, bars

#: Schemas that the chart of phases shows; a thousand lines tell no more.
MOST_SHOWN = 64
_COLOURS = ("#8a8f98", OWN, POINTED, "#4aa564")
_ABOUT_RATES = (
    "Seconds of a batch are those of the clock; those of its phases are added up over its sessions. A rate"
    " counts everything that a schema takes, the index and the statistics too, and the bytes of all its"
    " segments. TB are 10\N{SUPERSCRIPT ONE}\N{SUPERSCRIPT TWO} bytes."
)
_ABOUT_STUDY = (
    "The first two lines compare hardware; the last one is what concurrency brings on it. The study's seed is"
    " the load of its first schema."
)


def page(load: Loaded) -> Page:
    plan, work, chosen, summary = load.plan, load.plan.work, load.chosen, load.summary
    blocks = "sparse: one row each" if work.sparse else "filled"
    return Page(
        window=f"Data load: {plan.database}",
        title=f"Concurrent data load: {summary.terabytes_per_hour:.3f} TB/h",
        facts=[
            ("Run", code(plan.run_id)),
            ("Database", f"{plan.database}, connection {plan.conn_id}"),
            (
                "Work",
                f"{_schemas(work.schemas)} of {work.rows:,} rows, blocks {blocks}; LOBs: {work.lobs.title}"
                + ("; dropped afterwards" if plan.drop_afterwards else ""),
            ),
            ("Degree", f"{_schemas(chosen.degree)} at the same time: {chosen.reason}" if chosen else ""),
            (
                "Loaded",
                f"{summary.schemas} of {summary.planned} schemas, {summary.rows:,} rows,"
                f" {summary.bytes / 1e6:,.1f} MB of segments in {summary.seconds:.1f} s",
            ),
        ],
        notes=[]
        if summary.complete
        else ["Not everything was loaded: the logs of the failed tasks say why."],
        sections=[
            Section("Seconds by phase", table=_batches(load.batches, summary), note=_ABOUT_RATES),
            *_phases(load.batches, summary),
            *_trials(chosen),
            *instance_sections(load),
            *host_sections(load),
            Section(f"For comparison: {TITLE}", table=_compared(load), note=_ABOUT_STUDY),
        ],
    )


def table(load: Loaded) -> str:
    """The batches as text, for the task's log."""
    return _batches(load.batches, load.summary).text()


def _schemas(number: int) -> str:
    return f"{number} schema{'s' if number != 1 else ''}"


def _batches(batches: Sequence[BatchLoad], summary: Summary) -> Table:
    def of_phase(phase: str) -> Column[BatchLoad]:
        return Column(f"{phase} s", lambda batch: batch.phase_seconds(phase), ".2f")

    columns: list[Column[BatchLoad]] = [
        Column("batch", lambda batch: batch.number, "d"),
        Column("schemas", lambda batch: len(batch.schemas), "d"),
        Column("rows", lambda batch: batch.rows, ",d"),
        Column("MB", lambda batch: batch.bytes / 1e6, ",.1f"),
        Column("seconds", lambda batch: batch.seconds, ".2f"),
        *map(of_phase, PHASES),
        Column("TB/h", lambda batch: terabytes_per_hour(batch.bytes, batch.seconds), ".3f"),
    ]

    def resumed(batch: BatchLoad) -> str:
        former = "loaded by a former try of the task, which count in the totals and not in the rate"
        return f"and {len(batch.resumed)} {former}" if batch.resumed else ""

    total = [
        *("all", str(summary.schemas), f"{summary.rows:,}", f"{summary.bytes / 1e6:,.1f}"),
        *(f"{seconds:.2f}" for seconds in (summary.seconds, *summary.phase_seconds.values())),
        f"{summary.terabytes_per_hour:.3f}",
    ]
    return tabulated(batches, columns, note=resumed, total=total)


def _phases(batches: Sequence[BatchLoad], summary: Summary) -> list[Section]:
    if not any(batch.schemas for batch in batches):
        return []
    caption = "Batch by batch: the load rises and falls with the phases."
    if summary.schemas > MOST_SHOWN:
        caption += f" The first {MOST_SHOWN} schemas."
    return [Section(chart=phase_chart(batches), caption=caption)]


def _trials(chosen: Chosen | None) -> list[Section]:
    if not chosen or not chosen.trials:
        return []
    columns: list[Column[DegreeTrial]] = [
        Column("schemas at the same time", lambda trial: trial.degree, "d"),
        Column("rows", lambda trial: trial.rows, ",d"),
        Column("MB", lambda trial: trial.bytes / 1e6, ",.1f"),
        Column("seconds", lambda trial: trial.seconds, ".2f"),
        Column("MB/s", lambda trial: trial.bytes_per_second / 1e6, ",.1f"),
        Column("TB/h", lambda trial: terabytes_per_hour(trial.bytes, trial.seconds), ".3f"),
    ]
    tried = tabulated(chosen.trials, columns, lambda trial: trial.degree == chosen.degree)
    curve = trial_chart(chosen) if len(chosen.trials) > 1 else ""
    return [Section("How many at the same time", chart=curve, table=tried)]


def _compared(load: Loaded) -> Table:
    summary, seed = load.summary, load.seed
    rows: list[tuple[str, float, float]] = [
        ("TB/h of the concurrent part", summary.terabytes_per_hour, PUBLISHED.terabytes_per_hour)
    ]
    if seed:
        own = terabytes_per_hour(seed.bytes, seed.seconds)
        rows.append(("TB/h of the seed table, one session", own, PUBLISHED.seed_terabytes_per_hour))
    if summary.over_one_session is not None:
        about = "concurrent part over the seed table, bytes per second"
        rows.append((about, summary.over_one_session, PUBLISHED.over_one_session))
    columns: list[Column[tuple[str, float, float]]] = [
        Column("", lambda row: row[0]),
        Column("this load", lambda row: row[1], ".3f"),
        Column("the study", lambda row: row[2], ".2f"),
        Column("this over the study", lambda row: row[1] / row[2], ".3f"),
    ]
    return tabulated(rows, columns)


def trial_chart(chosen: Chosen) -> str:
    """Bytes per second by the number of sessions, and the degree that was chosen."""
    import altair as alt

    rows: list[dict[str, Any]] = [
        {
            "sessions": trial.degree,
            "rate": trial.bytes_per_second / 1e6,
            "chosen": "chosen" if trial.degree == chosen.degree else "tried",
        }
        for trial in chosen.trials
    ]
    x = alt.X(
        "sessions:Q",
        scale=alt.Scale(type="log", base=2),
        axis=alt.Axis(values=[row["sessions"] for row in rows]),
        title="schemas at the same time",
    )
    y = alt.Y("rate:Q", title="MB per second", scale=alt.Scale(zero=True))
    colour = by_series(["chosen", "tried"], "chosen", (POINTED, OWN))
    return svg(
        alt.layer(
            chart(rows).mark_line(color=OWN).encode(x=x, y=y),
            chart(rows).mark_point(filled=True, size=90).encode(x=x, y=y, color=colour),
        ),
        height=220,
    )


def phase_chart(batches: Sequence[BatchLoad]) -> str:
    """When each schema was in which phase; batches one after the other, as they were loaded."""
    rows: list[Bar] = []
    offset = 0.0
    for batch in batches:
        for load in batch.schemas:
            begun = offset + load.began
            for phase in PHASES:
                taken = load.seconds.get(phase, 0.0)
                rows.append(Bar(load.schema, phase, taken, begun))
                begun += taken
        offset += batch.seconds
    shown = list(dict.fromkeys(bar.line for bar in rows))[:MOST_SHOWN]
    return bars(
        [bar for bar in rows if bar.line in shown],
        "seconds of loading",
        dict(zip(PHASES, _COLOURS, strict=True)),
    )
