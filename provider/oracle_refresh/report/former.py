"""A run beside the former ones of the same refresh. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from oracle_refresh.jsonable import Jsonable

#: Kind of the documents in the run store; their item is the name of the refresh.
KIND = "summary"
MOST = 10


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


def former_runs(summaries: Sequence[Mapping[str, Any]], run_id: str) -> tuple[FormerRun, ...]:
    """The other runs among the summaries, in their order, at most MOST."""
    names = ("run_id", "at", "status", "bytes", "rows")
    found = [one for one in summaries if one["run_id"] != run_id]
    return tuple(
        FormerRun.from_json(
            {name: one[name] for name in names} | {"seconds": one.get("worked_seconds", one["seconds"])}
        )
        for one in found[:MOST]
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
