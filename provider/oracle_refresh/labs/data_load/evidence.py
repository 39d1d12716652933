"""What a load comes to: seconds by phase, bytes per second, and how they compare. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.labs.data_load.degree import batches
from oracle_refresh.labs.data_load.host import HostSeries
from oracle_refresh.labs.data_load.instances import InstanceSeries
from oracle_refresh.labs.data_load.model import (
    PHASES,
    BatchLoad,
    Chosen,
    Plan,
    Seed,
    Work,
    terabytes_per_hour,
)


@dataclass(frozen=True)
class Summary(Jsonable):
    """The load as a whole. Rates count batches that one try has loaded; resumed schemas are in the totals."""

    schemas: int
    planned: int
    rows: int
    bytes: int
    seconds: float
    """Of the batches, one after the other."""
    terabytes_per_hour: float
    phase_seconds: dict[str, float]
    """Of all sessions together, by phase."""
    over_one_session: float | None
    """Bytes per second over those of the seed, which is one session's; None where one of them is missing."""

    @property
    def complete(self) -> bool:
        return self.schemas == self.planned


def of_degree(work: Work, degree: int, loaded: Sequence[BatchLoad]) -> tuple[BatchLoad, ...]:
    """Those of the batches that there are at this degree.

    When the task that finds the degree is cleared and finds another one, it cuts other batches: those that
    are stored of the former degree have the same schemas again.
    """
    planned = dict(enumerate(map(set, batches(work.all_schemas, degree)), 1))
    return tuple(
        batch
        for batch in loaded
        if {load.schema for load in (*batch.schemas, *batch.resumed)} == planned.get(batch.number)
    )


def summarise(plan: Plan, seed: Seed | None, loaded: Sequence[BatchLoad]) -> Summary:
    """Adds up the batches that went through."""
    every = [load for batch in loaded for load in (*batch.resumed, *batch.schemas)]
    timed = sum(batch.bytes for batch in loaded)
    seconds = sum(batch.seconds for batch in loaded)
    alone = seed.bytes_per_second if seed else 0.0
    return Summary(
        schemas=len(every),
        planned=plan.work.schemas,
        rows=sum(load.rows for load in every),
        bytes=sum(load.bytes for load in every),
        seconds=seconds,
        terabytes_per_hour=terabytes_per_hour(timed, seconds),
        phase_seconds={phase: sum(batch.phase_seconds(phase) for batch in loaded) for phase in PHASES},
        over_one_session=timed / seconds / alone if seconds and alone else None,
    )


@dataclass(frozen=True)
class Loaded(Jsonable):
    """A load as it went: what of it there is when it is reported."""

    plan: Plan
    seed: Seed | None
    chosen: Chosen | None
    batches: tuple[BatchLoad, ...]
    host: dict[str, HostSeries] = field(default_factory=dict, hash=False)
    """The worker's host meanwhile, by `host.of_trial` and `host.of_batch`."""
    instances: dict[str, InstanceSeries] = field(default_factory=dict, hash=False)
    """The database's instances, by the same names."""

    @property
    def summary(self) -> Summary:
        return summarise(self.plan, self.seed, self.batches)

    def document(self) -> Mapping[str, Any]:
        return {"summary": self.summary.to_json(), **self.to_json()}
