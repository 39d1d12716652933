"""What one worker carries in a second, as former runs measured it.

Bytes are those of the source's segments, because that is what a plan knows before anything runs. So a rate
also holds what a dump file saves: free space of blocks, indexes of LOBs, compression.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import median

from oracle_refresh.jsonable import Jsonable

#: Runs that a plan looks back on.
LOOK_BACK = 5


@dataclass(frozen=True)
class StageRate(Jsonable):
    """What a task of one stage takes: seconds whatever its work, and seconds per byte of work (`pace`)."""

    fixed: float
    per_work: float

    def seconds(self, work: int) -> float:
        return self.fixed + self.per_work * work


@dataclass(frozen=True)
class RunRates(Jsonable):
    """Of one finished run, in bytes per second and worker."""

    run_id: str
    source: str
    """DB_UNIQUE_NAME of the source: what another database's disks gave says nothing."""
    transport: str
    total_bytes: int
    export_bytes_per_second: float
    """Over all exports, whatever their scheme."""
    by_scheme: dict[str, float] = field(default_factory=dict)
    load_bytes_per_second: float | None = None
    held_bytes_per_second: float | None = None
    """All bytes over the time from the SCN to the last look at the source as of it; by all workers."""
    stages: dict[str, StageRate] = field(default_factory=dict)
    """By the stage's id; empty where a task was tried more than once, or a person was waited for."""
    gap_seconds: float = 0.0
    """From the end of what a task needs to its own beginning: Airflow's own."""


@dataclass(frozen=True)
class Rates(Jsonable):
    """Medians over some runs, or what a calibration measured."""

    runs: tuple[str, ...]
    """The ids of those runs, latest first."""
    export_bytes_per_second: float
    by_scheme: dict[str, float] = field(default_factory=dict)
    load_bytes_per_second: float | None = None
    held_bytes_per_second: float | None = None
    stages: dict[str, StageRate] = field(default_factory=dict)
    """By the stage's id; empty where no run has measured them."""
    gap_seconds: float = 0.0
    """From the end of what a task needs to its own beginning."""

    def of(self, scheme: str) -> float:
        """The rate of an export's scheme.

        One that was not seen yet is taken for the median of those that cut tables, or else of all exports:
        tables are cut because they are slow.
        """
        rate = self.by_scheme.get(scheme)
        if rate is None and scheme != "bulk":
            cut = [rate for name, rate in self.by_scheme.items() if name != "bulk"]
            rate = median(cut) if cut else None
        return rate or self.export_bytes_per_second


def combine(runs: Iterable[RunRates], source: str, transport: str) -> Rates | None:
    """The medians of the latest runs from this source by this transport; None where there is none.

    :param runs: latest first.
    """
    fitting = [run for run in runs if (run.source, run.transport) == (source, transport)][:LOOK_BACK]
    if not fitting:
        return None
    schemes = sorted({scheme for run in fitting for scheme in run.by_scheme})
    staged = [run for run in fitting if run.stages]
    return Rates(
        runs=tuple(run.run_id for run in fitting),
        export_bytes_per_second=median(run.export_bytes_per_second for run in fitting),
        by_scheme={
            scheme: median(run.by_scheme[scheme] for run in fitting if scheme in run.by_scheme)
            for scheme in schemes
        },
        load_bytes_per_second=_median([run.load_bytes_per_second for run in fitting]),
        held_bytes_per_second=_median([run.held_bytes_per_second for run in fitting]),
        stages={
            stage: _median_rate([run.stages[stage] for run in staged if stage in run.stages])
            for stage in sorted({stage for run in staged for stage in run.stages})
        },
        gap_seconds=_median([run.gap_seconds for run in staged]) or 0.0,
    )


def _median_rate(rates: Sequence[StageRate]) -> StageRate:
    return StageRate(median(rate.fixed for rate in rates), median(rate.per_work for rate in rates))


def _median(values: Sequence[float | None]) -> float | None:
    given = [value for value in values if value is not None]
    return median(given) if given else None
