"""What the source did while its rows were exported, how its LOBs lie, and what follows. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from oracle_refresh.catalog.lob_profile import BOUNDS, LobProfile
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.report.tuning import MOST_WAITS, Wait
from oracle_refresh.tuning.exporting import (
    STATISTICS,
    ExportReadings,
    LobProfiles,
    advise_on_exports,
    happened,
)
from oracle_refresh.tuning.findings import TuningAdvice


@dataclass(frozen=True)
class Statistic(Jsonable):
    """By how much a counter of V$SYSSTAT has grown."""

    name: str
    value: float


@dataclass(frozen=True)
class ExportingReport(Jsonable):
    """The exporting side. `seconds` is the time in which anything was exported, 0 where nothing was measured.

    :ivar jobs: how many exports were measured.
    :ivar lob_bounds: upper bounds of the histograms in `lobs`, in bytes.
    :ivar missing: why something is not there.
    """

    seconds: float = 0.0
    jobs: int = 0
    waits: tuple[Wait, ...] = ()
    statistics: tuple[Statistic, ...] = ()
    lobs: tuple[LobProfile, ...] = ()
    findings: tuple[TuningAdvice, ...] = ()
    missing: tuple[str, ...] = ()
    lob_bounds: tuple[int, ...] = BOUNDS


def exporting_report(
    readings: Iterable[ExportReadings], lobs: LobProfiles | None, jobs: Mapping[tuple[str, str], int]
) -> ExportingReport:
    """From what the tasks have left.

    :param jobs: how many jobs export a table, by owner and name.
    """
    readings, lobs = tuple(readings), lobs or LobProfiles()
    measured = [(each.before, each.after) for each in readings if each.before and each.after]
    counted = happened(measured)
    waits = sorted(counted.events.items(), key=lambda event: -event[1])[:MOST_WAITS] if counted else ()
    return ExportingReport(
        seconds=round(counted.seconds, 3) if counted else 0.0,
        jobs=len(measured),
        waits=tuple(Wait(event, round(seconds, 3)) for event, seconds in waits),
        statistics=tuple(
            Statistic(name, counted.statistics[name])
            for name in STATISTICS
            if counted and name in counted.statistics
        ),
        lobs=lobs.columns,
        findings=advise_on_exports(counted, lobs.columns, jobs),
        missing=tuple(dict.fromkeys(filter(None, (*(each.missing for each in readings), *lobs.missing)))),
    )
