"""The load as a page, as charts and as text, beside the published one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oracle_refresh.labs.data_load.evidence import Summary, summarise
from oracle_refresh.labs.data_load.model import PHASES, BatchLoad, Chosen, Plan, Seed, terabytes_per_hour
from oracle_refresh.labs.data_load.reference import SEED3, TITLE
from oracle_refresh.report.charts import chart, svg
from oracle_refresh.report.page_frame import json_text, render

#: Schemas that the chart of phases shows; a thousand lines tell no more.
MOST_LANES = 64
_COLOURS = ("#8a8f98", "#4c8ed9", "#d98a2b", "#4aa564")


def files(
    plan: Plan, seed: Seed | None, chosen: Chosen | None, batches: Sequence[BatchLoad]
) -> dict[str, str]:
    """What goes to the report's folder."""
    summary = summarise(plan, seed, batches)
    document = {
        "plan": plan.to_json(),
        "summary": summary.to_json(),
        "seed": seed.to_json() if seed else None,
        "chosen": chosen.to_json() if chosen else None,
        "batches": [one.to_json() for one in batches],
    }
    return {
        "report.json": json_text(document),
        "report.html": page(plan, summary, seed, chosen, batches),
    }


def page(
    plan: Plan,
    summary: Summary,
    seed: Seed | None,
    chosen: Chosen | None,
    batches: Sequence[BatchLoad],
) -> str:
    """One self-contained page; no scripts, nothing loaded."""
    trials = chosen.trials if chosen else ()
    return render(
        "oracle_refresh.labs.data_load",
        "data_load.html.j2",
        plan=plan,
        work=plan.work,
        summary=summary,
        seed=seed,
        chosen=chosen,
        batches=batches,
        phases=PHASES,
        hourly=terabytes_per_hour,
        curve=trial_chart(chosen) if chosen and len(trials) > 1 else "",
        lanes=phase_chart(batches) if any(one.schemas for one in batches) else "",
        most_lanes=MOST_LANES,
        study=SEED3,
        study_title=TITLE,
    )


def trial_chart(chosen: Chosen) -> str:
    """Bytes per second by the number of sessions, and the degree that was chosen."""
    import altair as alt

    rows: list[dict[str, Any]] = [
        {
            "sessions": one.degree,
            "rate": one.bytes_per_second / 1e6,
            "chosen": "chosen" if one.degree == chosen.degree else "tried",
        }
        for one in chosen.trials
    ]
    degrees = [one.degree for one in chosen.trials]
    x = alt.X(
        "sessions:Q",
        scale=alt.Scale(type="log", base=2),
        axis=alt.Axis(values=degrees),
        title="schemas at the same time",
    )
    y = alt.Y("rate:Q", title="MB per second", scale=alt.Scale(zero=True))
    colour = alt.Color(
        "chosen:N",
        title=None,
        scale=alt.Scale(domain=["chosen", "tried"], range=["#d98a2b", "#4c8ed9"]),
        legend=alt.Legend(orient="top"),
    )
    return svg(
        alt.layer(
            chart(rows).mark_line(color="#4c8ed9").encode(x=x, y=y),
            chart(rows).mark_point(filled=True, size=90).encode(x=x, y=y, color=colour),
        ),
        height=220,
    )


def phase_chart(batches: Sequence[BatchLoad]) -> str:
    """When each schema was in which phase; batches one after the other, as they were loaded."""
    import altair as alt

    rows: list[dict[str, Any]] = []
    offset = 0.0
    for batch in batches:
        for one in batch.schemas:
            begun = offset + one.began
            for phase in PHASES:
                taken = one.seconds.get(phase, 0.0)
                rows.append({"schema": one.schema, "phase": phase, "from": begun, "to": begun + taken})
                begun += taken
        offset += batch.seconds
    order = list(dict.fromkeys(row["schema"] for row in rows))[:MOST_LANES]
    shown = [row for row in rows if row["schema"] in set(order)]
    bars = (
        chart(shown)
        .mark_bar(height={"band": 0.75})
        .encode(
            x=alt.X("from:Q", title="seconds of loading"),
            x2="to:Q",
            y=alt.Y("schema:N", sort=order, title=None),
            color=alt.Color(
                "phase:N",
                title=None,
                scale=alt.Scale(domain=list(PHASES), range=list(_COLOURS)),
                legend=alt.Legend(orient="top"),
            ),
        )
    )
    return svg(bars, height=max(16 * len(order), 60))


def table(summary: Summary, batches: Sequence[BatchLoad]) -> str:
    """The batches as text, for the task's log."""
    head = "".join(f"  {phase + ' s':>12}" for phase in PHASES)
    lines = [f"{'batch':>5}  {'schemas':>7}  {'MB':>9}  {'seconds':>8}{head}  {'TB/h':>7}"]
    for one in batches:
        spent = "".join(
            f"  {sum(schema.seconds.get(phase, 0.0) for schema in one.schemas):12.2f}" for phase in PHASES
        )
        lines.append(
            f"{one.number:5}  {len(one.schemas):7}  {one.bytes / 1e6:9,.1f}  {one.seconds:8.2f}{spent}"
            f"  {terabytes_per_hour(one.bytes, one.seconds):7.3f}"
        )
    lines.append(
        f"{summary.schemas} schemas, {summary.rows:,} rows, {summary.bytes / 1e6:,.1f} MB"
        f" in {summary.seconds:.1f} s: {summary.terabytes_per_hour:.3f} TB/h"
    )
    return "\n".join(lines)
