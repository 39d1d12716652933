"""What a load comes to: seconds by phase, bytes per second, and how they compare. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.labs.data_load.degree import batches
from oracle_refresh.labs.data_load.model import PHASES, BatchLoad, Plan, Seed, Work, terabytes_per_hour


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

    Another one, found when the task that finds it was cleared, cuts other batches: what was kept of the
    former ones has the same schemas again.
    """
    wanted = [set(one) for one in batches(work.all_schemas, degree)]
    return tuple(
        one
        for one in loaded
        if one.number <= len(wanted)
        and {schema.schema for schema in (*one.schemas, *one.resumed)} == wanted[one.number - 1]
    )


def summarise(plan: Plan, seed: Seed | None, loaded: Sequence[BatchLoad]) -> Summary:
    """Adds up the batches that went through."""
    every = [one for batch in loaded for one in (*batch.resumed, *batch.schemas)]
    timed = sum(batch.bytes for batch in loaded)
    seconds = sum(batch.seconds for batch in loaded)
    alone = seed.bytes / seed.seconds if seed and seed.seconds else 0.0
    return Summary(
        schemas=len(every),
        planned=plan.work.schemas,
        rows=sum(one.rows for one in every),
        bytes=sum(one.bytes for one in every),
        seconds=seconds,
        terabytes_per_hour=terabytes_per_hour(timed, seconds),
        phase_seconds={
            phase: sum(one.seconds.get(phase, 0.0) for batch in loaded for one in batch.schemas)
            for phase in PHASES
        },
        over_one_session=timed / seconds / alone if seconds and alone else None,
    )
