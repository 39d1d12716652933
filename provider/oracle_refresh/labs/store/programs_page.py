"""What tar, ls and rm did through the mounts, as the page shows it: beside one worker and the study. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from oracle_refresh.labs.harness.charts import chart, svg
from oracle_refresh.labs.harness.page import Section
from oracle_refresh.labs.harness.table import Column, tabulated
from oracle_refresh.labs.store.programs import EXTRACT, Operation, Operations
from oracle_refresh.labs.store.reference import EXADATA_FILES, STUDY_FILES

_ABOUT = (
    "The same files in all by each number of workers, each of which has a directory of its own. The study has"
    f" seconds for {STUDY_FILES:,} files in 3 GB by one worker; ls of a pattern took it less than one."
)


@dataclass(frozen=True)
class Compared:
    """An operation through a mount; how many times as fast as one worker it is (None: there was none), and as
    unpacking is, here and in the study."""

    way: str
    operation: Operation
    over_one: float | None
    over_extract: float
    study: float | None


def compared(operations: Mapping[str, Operations]) -> tuple[Compared, ...]:
    """Every operation by way, in the order in which they were done."""
    found = []
    for way, done in operations.items():
        by = {(each.name, each.workers): each for each in done.operations}
        for each in done.operations:
            one = by.get((each.name, 1))
            published = EXADATA_FILES.get(each.name)
            found.append(
                Compared(
                    way,
                    each,
                    one.seconds / each.seconds if one else None,
                    each.rate / by[EXTRACT, each.workers].rate,
                    EXADATA_FILES[EXTRACT] / published if published else None,
                )
            )
    return tuple(found)


def program_sections(operations: Mapping[str, Operations], titles: Mapping[str, str]) -> Iterator[Section]:
    """Of each mount a plot and a table.

    :param titles: of the ways.
    """
    columns: list[Column[Compared]] = [
        Column("what", lambda line: line.operation.name),
        Column("workers", lambda line: line.operation.workers, "d"),
        Column("files", lambda line: line.operation.files, ",d"),
        Column("s", lambda line: line.operation.seconds, ".2f"),
        Column("files/s", lambda line: line.operation.rate, ",.1f"),
        Column("MB/s", lambda line: line.operation.bytes / line.operation.seconds / 1e6 or None, ",.1f"),
        Column("over one worker", lambda line: line.over_one, ".2f"),
        Column("over unpacking", lambda line: line.over_extract, ".2f"),
        Column("study", lambda line: line.study, ".2f"),
        Column("system %", _system, ".1f"),
    ]
    lines = compared(operations)
    for way in operations:
        own = [line for line in lines if line.way == way]
        yield Section(
            f"tar, ls and rm: {titles[way]}",
            _ABOUT,
            chart=workers_chart(own) if len({line.operation.workers for line in own}) > 1 else "",
            table=tabulated(own, columns),
        )


def _system(line: Compared) -> float | None:
    return 100 * line.operation.cpu.system if line.operation.cpu else None


def workers_chart(lines: list[Compared]) -> str:
    """Files per second over the number of workers, a line for each operation."""
    import altair as alt

    rows = [
        {"workers": line.operation.workers, "what": line.operation.name, "rate": line.operation.rate}
        for line in lines
    ]
    order = list(dict.fromkeys(line.operation.name for line in lines))
    drawn = chart(rows).encode(
        x=alt.X("workers:O", title="workers"),
        y=alt.Y("rate:Q", title="files per second", scale=alt.Scale(type="log")),
        color=alt.Color("what:N", title=None, sort=order, scale=alt.Scale(scheme="tableau10")),
    )
    return svg(drawn.mark_line(point=True), height=220)
