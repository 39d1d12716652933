"""A run beside the former ones of the same refresh. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.run.kind import Kind

MOST = 10


@dataclass(frozen=True)
class RunSummary(Jsonable):
    """The figures of a run as `summary` gives them, kept for the reports of later runs; `at` is when it was
    reported (ISO 8601)."""

    run_id: str
    at: str
    status: str
    seconds: float
    bytes: int
    rows: int
    worked_seconds: float | None = None
    refresh: str = ""
    scn: int = 0
    jobs: int = 0
    tables: int = 0
    lobs: int = 0
    masked_columns: int = 0
    masked_rows: int = 0
    expectations: int = 0
    expectations_met: int = 0


#: By the name of the refresh.
SUMMARY: Kind[RunSummary] = Kind("summary", RunSummary, learnt=True)


@dataclass(frozen=True)
class FormerRun(Jsonable):
    """`at` is when it was reported (ISO 8601), `bytes` those of all dump files, `seconds` those in
    which it was under way, however often it was cleared."""

    run_id: str
    at: str
    status: str
    seconds: float
    bytes: int
    rows: int


@dataclass(frozen=True)
class Trend:
    """This run over the median of the published former ones."""

    runs: int
    seconds: float
    bytes: float


def former_runs(summaries: Sequence[RunSummary], run_id: str) -> tuple[FormerRun, ...]:
    """The other runs among the summaries, in their order, at most MOST."""
    others = [run for run in summaries if run.run_id != run_id]
    return tuple(
        FormerRun(
            run.run_id,
            run.at,
            run.status,
            run.seconds if run.worked_seconds is None else run.worked_seconds,
            run.bytes,
            run.rows,
        )
        for run in others[:MOST]
    )


def trend(seconds: float, size: int, former: Sequence[FormerRun]) -> Trend | None:
    """None where no former run was published, or none moved anything."""
    published = [run for run in former if run.status == "published" and run.seconds > 0 and run.bytes > 0]
    if not published:
        return None
    return Trend(
        len(published),
        seconds / median(run.seconds for run in published),
        size / median(run.bytes for run in published),
    )
