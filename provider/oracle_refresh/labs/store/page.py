"""The calibration as a page, as charts and as text, beside the published one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from oracle_refresh.labs.store.model import KILOBYTE, Calibration, Phase, Point, size_text
from oracle_refresh.labs.store.ratios import (
    READ,
    WRITE,
    Compared,
    Share,
    carriages,
    operations,
    shares,
    transfers,
)
from oracle_refresh.labs.store.reference import TITLE
from oracle_refresh.planning.store_advice import StoreAdvice
from oracle_refresh.report.charts import chart, svg
from oracle_refresh.report.page_frame import json_text, render

MEASURED = "this calibration"
GREY = "#8a8f98"
TEMPLATE = "store_calibration.html.j2"


def page_files(
    plan: Calibration, points: Sequence[Point], phases: Mapping[str, Phase], advice: StoreAdvice | None
) -> dict[str, str]:
    """What goes to the report's folder."""
    document = {
        "calibration": plan.to_json(),
        "points": [one.to_json() for one in points],
        "phases": [one.to_json() for one in phases.values()],
        "recommendation": advice.to_json() if advice else None,
    }
    return {
        "report.json": json_text(document),
        "report.html": page(plan, points, phases, advice),
    }


def page(
    plan: Calibration, points: Sequence[Point], phases: Mapping[str, Phase], advice: StoreAdvice | None
) -> str:
    """One self-contained page; no scripts, nothing loaded."""
    found, moved, handled = shares(points), transfers(phases), operations(phases)
    carried = carriages(phases)
    return render(
        "oracle_refresh.labs.store",
        TEMPLATE,
        plan=plan,
        advice=advice,
        size=size_text,
        matrices=_matrices(found),
        charts=[
            (
                way,
                direction,
                matrix_chart([one for one in found if (one.way, one.direction) == (way, direction)]),
            )
            for way, direction in dict.fromkeys((one.way, one.direction) for one in found)
        ],
        transfers=moved,
        transfer_chart=ratio_chart(moved, "as fast as generating flat files, times") if moved else "",
        carriages=carried,
        carriage_chart=ratio_chart(carried, "as fast as streaming, times") if carried else "",
        operations=handled,
        operation_chart=ratio_chart(handled, "as fast as unpacking, times") if handled else "",
        study_title=TITLE,
    )


def _matrices(
    found: Sequence[Share],
) -> list[tuple[str, list[int], list[tuple[int, dict[tuple[int, str], Share]]]]]:
    """Per way: its numbers of users, and per block the figures by users and direction."""
    matrices = []
    for way in dict.fromkeys(one.way for one in found):
        own = [one for one in found if one.way == way]
        users = sorted({one.users for one in own})
        rows = [
            (block, {(one.users, one.direction): one for one in own if one.block == block})
            for block in sorted({one.block for one in own})
        ]
        matrices.append((way, users, rows))
    return matrices


def matrix_chart(found: Sequence[Share]) -> str:
    """The rate over the size of a block, by users: shares of the best, the study's dashed."""
    import altair as alt

    rows: list[dict[str, Any]] = []
    for one in found:
        place = {"users": f"{one.users}", "block": one.block / KILOBYTE}
        rows.append({**place, "series": MEASURED, "share": one.share})
        if one.study is not None:
            rows.append({**place, "series": TITLE, "share": one.study})
    order = [str(users) for users in sorted({one.users for one in found})]
    drawn = chart(rows).encode(
        x=alt.X("block:Q", title="KB of a block", scale=alt.Scale(type="log", base=2)),
        y=alt.Y("share:Q", title="share of the best", scale=alt.Scale(domain=[0, 1])),
        color=alt.Color("users:N", title="users", sort=order, scale=alt.Scale(scheme="tableau10")),
    )
    dashed = alt.StrokeDash(
        "series:N",
        title=None,
        sort=[MEASURED, TITLE],
        legend=alt.Legend(
            orient="top", labelLimit=400, symbolType="stroke", symbolSize=500, symbolStrokeColor=GREY
        ),
    )
    # Points of their own: with those of the line the legend's strokes would not be drawn.
    return svg(drawn.mark_line().encode(strokeDash=dashed) + drawn.mark_point(filled=True), height=260)


def ratio_chart(found: Sequence[Compared], title: str) -> str:
    """What was done once, as multiples of the first: one's own beside the study's."""
    import altair as alt

    rows = [
        {"what": one.name, "series": series, "ratio": ratio}
        for one in found
        for series, ratio in ((MEASURED, one.ratio), (TITLE, one.study))
        if ratio is not None
    ]
    told = [name for name in (MEASURED, TITLE) if any(row["series"] == name for row in rows)]
    return svg(
        chart(rows)
        .mark_bar(cornerRadius=2)
        .encode(
            x=alt.X("ratio:Q", title=title),
            y=alt.Y("what:N", sort=[one.name for one in found], title=None),
            yOffset=alt.YOffset("series:N", sort=[MEASURED, TITLE]),
            color=alt.Color(
                "series:N",
                title=None,
                scale=alt.Scale(domain=told, range=["#4c8ed9", GREY][: len(told)]),
                legend=alt.Legend(orient="top", labelLimit=400),
            ),
        ),
        height=max(36 * len(found), 60),
    )


def table(points: Sequence[Point], phases: Mapping[str, Phase], advice: StoreAdvice | None) -> str:
    """The figures as text, for the task's log and the console."""
    lines: list[str] = []
    for way, users, rows in _matrices(shares(points)):
        head = "".join(f"{f'{count} w':>9}{f'{count} r':>9}" for count in users)
        lines += [f"{way}: MB/s by users", f"{'block':>8}{head}"]
        for block, figures in rows:
            rates = "".join(
                f"{figures[count, direction].rate:9.1f}" if (count, direction) in figures else " " * 9
                for count in users
                for direction in (WRITE, READ)
            )
            lines.append(f"{size_text(block):>8}{rates}")
    for found, unit in (
        (transfers(phases), "MB/s"),
        (operations(phases), "files/s"),
        (carriages(phases), "MB/s"),
    ):
        lines += [
            f"{one.name:20} {one.seconds:8.2f} s {one.rate:10,.1f} {unit:7}"
            f"  x {_ratio(one.ratio):>6}  study x {_ratio(one.study):>5}"
            for one in found
        ]
    if advice is not None:
        lines += [
            f"{one.way}: {one.files_at_a_time} files at a time by pieces of {size_text(one.piece_bytes)},"
            f" {one.bytes_per_second / 1e6:.1f} MB/s"
            for one in advice.ways
        ]
        if advice.transports:
            lines.append(f"the better transport: {advice.transports[0].transport}")
        lines += advice.notes
    return "\n".join(lines)


def _ratio(ratio: float | None) -> str:
    return "-" if ratio is None else f"{ratio:.2f}"
