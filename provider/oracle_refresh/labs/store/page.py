"""The calibration as a page, as charts and as text, beside the published one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from markupsafe import Markup

from oracle_refresh.experience.store_advice import MOUNTED, STREAM, StoreAdvice, WayAdvice
from oracle_refresh.labs.harness.charts import chart, svg
from oracle_refresh.labs.harness.page import STUDY, Page, Section, bars_beside, code
from oracle_refresh.labs.harness.table import Column, Line, Table, tabulated
from oracle_refresh.labs.store.advice import TOLERANCE
from oracle_refresh.labs.store.model import KILOBYTE, Phase, Point, size_text
from oracle_refresh.labs.store.mount_page import client_section, compared_mounts, mount_sections, way_title
from oracle_refresh.labs.store.nodes_page import node_sections
from oracle_refresh.labs.store.programs_page import program_sections
from oracle_refresh.labs.store.ratios import (
    READ,
    WRITE,
    Compared,
    Share,
    operations,
    shares,
    stagings,
    transfers,
)
from oracle_refresh.labs.store.reference import TITLE
from oracle_refresh.labs.store.study_page import study_sections

if TYPE_CHECKING:
    from oracle_refresh.labs.store.figures import Figures

MEASURED = "this calibration"


def page(figures: Figures) -> Page:
    """The calibration as a page."""
    plan, points, phases, advice = figures.plan, figures.points, figures.phases, figures.advice
    paths = plan.paths
    titles = {way: way_title(way, paths, figures.seen) for way in (*(point.way for point in points), *paths)}
    where = Markup(", ").join(code(path) for path in paths.values())
    mounted = Markup("; mounted here at {}").format(where) if paths else ""
    small = f"{plan.small_files:,} small files of {size_text(plan.small_file_bytes)}"
    of_matrix = shares(points)
    return Page(
        window=f"Calibration of the store {plan.mount}",
        title=f"What the store {plan.mount} can do",
        facts=[
            *(_recommended(advice) if advice else []),
            (
                "Store",
                Markup("{} at {} in {}, connection {}{}").format(
                    plan.store, plan.mount, plan.database, plan.conn_id, mounted
                ),
            ),
            ("Run", code(plan.run_id)),
            (
                "Beside it",
                f"{TITLE}, as ratios: another machine has other MB/s, but the same shape tells the same"
                " story",
            ),
        ],
        notes=advice.notes if advice else (),
        sections=[
            *(
                Section(f"{title[0].upper()}{title[1:]}: {direction}", chart=matrix_chart(own))
                for way, title in titles.items()  # those that were not measured have no figures
                for direction in (WRITE, READ)
                if (own := [share for share in of_matrix if (share.way, share.direction) == (way, direction)])
            ),
            *(
                Section(f"Matrix, {titles[way]}", MATRIX_ABOUT, table=matrix)
                for way, matrix in _matrices(of_matrix, advice)
            ),
            *filter(None, (compared_mounts(points, titles),)),
            *node_sections(plan, points, figures.nodes),
            *_phases(phases, advice, small),
            *program_sections(figures.operations, titles),
            *study_sections(points, phases),
            *filter(None, (client_section(points, titles),)),
            *mount_sections(figures.mounts),
        ],
    )


def _recommended(advice: StoreAdvice) -> list[tuple[str, str]]:
    return [
        *(("Streamed" if way.way == STREAM else "Mounted", _way(way)) for way in advice.ways),
        *([("Transport", _better(advice.ways[0]))] if len(advice.ways) > 1 else []),
        *([("From the source", _from_source(advice))] if advice.transports else []),
    ]


def _way(way: WayAdvice) -> str:
    files = "1 file" if way.files_at_a_time == 1 else f"{way.files_at_a_time} files"
    return Markup(
        "<strong>{} at a time, by pieces of {}</strong>: {:,.1f} MB/s written, by the fewest users and then"
        " the smallest blocks within {:.0f} % of the best; staging {}"
    ).format(
        files,
        size_text(way.piece_bytes),
        way.bytes_per_second / 1e6,
        100 * TOLERANCE,
        "follows it where its definition says nothing else" if way.trusted else "does not follow it",
    )


def _better(way: WayAdvice) -> str:
    followed = Markup(
        "; the transport <code>auto</code> takes it where the definition names"
        " <code>staging.mounted_path</code> and no database link"
    )
    return Markup("{} is the better way into this store{}").format(
        code(way.way), followed if way.way == MOUNTED else ""
    )


def _from_source(advice: StoreAdvice) -> str:
    best = advice.transports[0]
    if not all(transport.trusted for transport in advice.transports):
        consequence = "does not follow it"
    elif best.transport == "file_transfer":
        consequence = "keeps to the database link"
    else:
        consequence = "takes it instead of the database link"
    return Markup(
        "<strong>{}</strong> brings dump files from the source to the target best, {:,.1f} MB/s; the"
        " transport <code>auto</code> {}"
    ).format(code(best.transport), best.bytes_per_second / 1e6, consequence)


MATRIX_ABOUT = (
    "MB/s; in brackets the share of the best in its direction, and that of the study. An arrow marks what is"
    " recommended."
)


def _matrices(figures: Sequence[Share], advice: StoreAdvice | None) -> list[tuple[str, Table]]:
    """Of each way a line for each block, with two columns for each number of users."""
    matrices = []
    for way in dict.fromkeys(share.way for share in figures):
        own = {(share.block, share.users, share.direction): share for share in figures if share.way == way}
        chosen = advice.of(way) if advice else None
        marked = (chosen.piece_bytes, chosen.files_at_a_time, WRITE) if chosen else None
        users = sorted({users for _, users, _ in own})
        columns = [(count, direction) for count in users for direction in (WRITE, READ)]
        heads = [
            (f"{count} user{'s' if count > 1 else ''}, {direction}", True) for count, direction in columns
        ]
        lines = []
        for block in sorted({block for block, _, _ in own}):
            keys = [(block, *column) for column in columns]
            lines.append(Line((size_text(block), *(_share(own.get(key), key == marked) for key in keys))))
        matrices.append((way, Table((("block", False), *heads), tuple(lines))))
    return matrices


def _share(share: Share | None, marked: bool) -> str:
    if share is None:
        return ""
    study = "" if share.study is None else f", study {share.study:.2f}"
    return f"{share.rate:,.1f} ({share.share:.2f}{study}){' <-' if marked else ''}"


def _phases(phases: Mapping[str, Phase], advice: StoreAdvice | None, small: str = "") -> list[Section]:
    best = advice.transports[0].transport if advice and advice.transports else None
    parts = (
        ("Flat files and dumps", "", transfers(phases), "MB/s", "generating flat files"),
        (
            "From the source to the target",
            "The same dump files by each transport, as a refresh stages them.",
            stagings(phases),
            "MB/s",
            "streaming",
        ),
        (small, "", operations(phases), "files/s", "unpacking"),
    )
    return [
        Section(
            title,
            about,
            chart=ratio_chart(compared, f"as fast as {first}, times"),
            table=_compared(compared, unit, first, lambda phase: phase.name == best),
        )
        for title, about, compared, unit, first in parts
        if compared
    ]


def _compared(phases: Sequence[Compared], unit: str, first: str, chosen: Callable[[Compared], bool]) -> Table:
    columns: list[Column[Compared]] = [
        Column("what", lambda phase: phase.name),
        Column("s", lambda phase: phase.seconds, ".2f"),
        Column(unit, lambda phase: phase.rate, ",.1f"),
        Column(f"over {first}", lambda phase: phase.ratio, ".2f"),
        Column("study", lambda phase: phase.study, ".2f"),
        Column("", lambda phase: phase.note),
    ]
    return tabulated(phases, columns, chosen)


def matrix_chart(figures: Sequence[Share]) -> str:
    """The rate over the size of a block, by users: shares of the best, the study's dashed."""
    import altair as alt

    rows = [
        {"users": f"{share.users}", "block": share.block / KILOBYTE, "series": series, "share": part}
        for share in figures
        for series, part in ((MEASURED, share.share), (TITLE, share.study))
        if part is not None
    ]
    order = [str(users) for users in sorted({share.users for share in figures})]
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
            orient="top", labelLimit=400, symbolType="stroke", symbolSize=500, symbolStrokeColor=STUDY
        ),
    )
    # Points of their own: with those of the line the legend's strokes would not be drawn.
    return svg(drawn.mark_line().encode(strokeDash=dashed) + drawn.mark_point(filled=True), height=260)


def ratio_chart(phases: Sequence[Compared], title: str) -> str:
    """What was done once, as multiples of the first: one's own beside the study's."""
    rows = [
        {"what": phase.name, "series": series, "value": ratio}
        for phase in phases
        for series, ratio in ((MEASURED, phase.ratio), (TITLE, phase.study))
        if ratio is not None
    ]
    return bars_beside(rows, (MEASURED, TITLE), title)


def table(points: Sequence[Point], phases: Mapping[str, Phase], advice: StoreAdvice | None) -> str:
    """The figures as text, for the task's log and the console."""
    lines: list[str] = []
    for way, matrix in _matrices(shares(points), advice):
        lines += [f"{way}: MB/s (share of the best)", matrix.text()]
    lines += [section.table.text() for section in _phases(phases, advice) if section.table]
    if advice is not None:
        lines += [
            f"{way.way}: {way.files_at_a_time} files at a time by pieces of {size_text(way.piece_bytes)},"
            f" {way.bytes_per_second / 1e6:.1f} MB/s"
            for way in advice.ways
        ]
        if advice.transports:
            lines.append(f"the better transport: {advice.transports[0].transport}")
        lines += advice.notes
    return "\n".join(lines)
