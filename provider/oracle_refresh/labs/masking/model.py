"""What a masking benchmark is about, what it measures, and what it finds. No row data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.labs.harness.trial import Measurement as Timed
from oracle_refresh.labs.harness.trial import Trial
from oracle_refresh.run.kind import Kind

STEP = "masking benchmark"
#: The setting that every other is compared with, and the one that has all switches on.
BASELINE, ALL = "baseline", "all"
#: The repetition of the trial that is not counted: it fills the caches.
WARM_UP = 0


@dataclass(frozen=True)
class Workload(Jsonable):
    """Tables of one shape, in a schema of their own, masked by several jobs at the same time."""

    schema: str
    jobs: int
    tables: int
    """Of each job, masked one after the other."""
    rows: int
    """Of each table."""
    commit_rows: int
    """Rows of a table that one transaction masks, about."""

    @property
    def total_rows(self) -> int:
        return self.jobs * self.tables * self.rows

    def names(self, job: int) -> tuple[str, ...]:
        """The tables of a job; jobs are counted from 1."""
        return tuple(f"J{job}_T{number}" for number in range(1, self.tables + 1))

    @property
    def all_names(self) -> tuple[str, ...]:
        return tuple(name for job in range(1, self.jobs + 1) for name in self.names(job))

    @property
    def masking_run(self) -> str:
        """The run under which the ledger notes the masking. It is that of the schema and of no DAG run: what
        a lost run has left there is found and cleaned by the next one."""
        return f"masking benchmark {self.schema}"


@dataclass(frozen=True)
class Setting(Jsonable):
    """How the instance is set while the tables are masked. `phase` is a phase of a tuning profile.

    :ivar commit_rows: in place of the workload's.
    :ivar step: which step of a series it is; empty for a switch, and for the baseline.
    """

    name: str
    title: str
    phase: dict[str, Any] = field(hash=False)
    commit_rows: int | None = None
    series: str = ""
    step: str = ""


@dataclass(frozen=True)
class Series(Jsonable):
    """One thing in several sizes. Its steps are settings; `baseline` is what the baseline has of it."""

    name: str
    title: str
    baseline: str


@dataclass(frozen=True)
class NotMeasured(Jsonable):
    """A switch, or a step of a series, that cannot be tried here, why, and what a DBA would do."""

    setting: str
    reason: str
    runbook: tuple[str, ...] = ()


@dataclass(frozen=True)
class Benchmark(Jsonable):
    """What is measured, as it was planned."""

    run_id: str
    conn_id: str
    database: str
    """Name and release of the instance."""
    workload: Workload
    settings: tuple[Setting, ...]
    trials: tuple[Trial, ...]
    not_measured: tuple[NotMeasured, ...] = ()
    log_mode: str = ""
    """Of the instance before the benchmark, which is its mode afterwards."""
    series: tuple[Series, ...] = ()

    def setting(self, name: str) -> Setting:
        return next(setting for setting in self.settings if setting.name == name)

    def trial(self, trial_id: str) -> Trial:
        return next(trial for trial in self.trials if trial.id == trial_id)

    def own(self, measured: Iterable[Measurement]) -> tuple[Measurement, ...]:
        """The measurements of these trials; a plan that was made before may have had others in their places,
        such as one of a run that was cleared when a DBA had made another switch possible."""
        return tuple(measurement for measurement in measured if measurement.trial in self.trials)


BENCHMARK: Kind[Benchmark] = Kind("masking benchmark", Benchmark)


@dataclass(frozen=True)
class Measurement(Timed):
    """One masking of all tables under one setting. Seconds are those of the worker's clock, from the common
    start of the jobs to the end of the last one; bytes are those of the tables."""

    trial: Trial
    transactions: int
    """That changed rows."""
    log_mode: str
    job_seconds: tuple[float, ...] = ()
    waits: dict[str, float] = field(default_factory=dict, hash=False)
    """Seconds that all sessions of the instance waited meanwhile, by event."""
    statistics: dict[str, float] = field(default_factory=dict, hash=False)
    """Growth of the instance's counters meanwhile, by name."""
    findings: tuple[str, ...] = ()


MEASUREMENT: Kind[Measurement] = Kind("masking trial", Measurement)


@dataclass(frozen=True)
class Gain(Jsonable):
    """What a switch saves of the baseline's time: 0.2 means a fifth less, below 0 more."""

    setting: str
    trials: int
    seconds: float
    """Of the trial in the middle."""
    rows_per_second: float
    saved: float
    low: float
    high: float
    """Ends of the interval of 95 %."""
    verdict: str
