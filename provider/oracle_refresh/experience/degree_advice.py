"""What a calibration of Data Pump recommends for two connections; plans take its degree. No row data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.run.kind import Kind

#: How n workers are had: `jobs` are n jobs of one worker each, `workers` one job with PARALLEL=n.
Shape = Literal["jobs", "workers"]
Direction = Literal["export", "import"]


@dataclass(frozen=True)
class Extents(Jsonable):
    """Blocks of the sample in a row, first to last rowid, with what they weigh."""

    first: str
    blocks: int
    weight: float


@dataclass(frozen=True)
class Sample(Jsonable):
    """The rows that every degree unloads: the same ones, as of one SCN.

    `extents` name the blocks; where they are empty, it is every `every`-th block of the whole table.
    """

    owner: str
    name: str
    scn: int
    bytes: int
    """What of the table's segments (LOBs included) the sample is, about."""
    table_bytes: int
    reason: str
    """Why it is this table."""
    extents: tuple[Extents, ...] = ()
    every: int = 1
    bigfile: bool = False


@dataclass(frozen=True)
class Point(Jsonable):
    """One degree of the curve: the best of its measurements, and what the model says."""

    degree: int
    seconds: float
    predicted: float


@dataclass(frozen=True)
class DegreeCurve(Jsonable):
    """What one shape took in one direction, by degree, and the knee of that."""

    shape: Shape
    direction: Direction
    degree: int
    reason: str
    points: tuple[Point, ...]
    coefficients: tuple[float, float, float]
    """a, b, c of a + b/n + c*n seconds, of the sample."""

    @property
    def seconds(self) -> dict[int, float]:
        """The best time of each degree."""
        return {point.degree: point.seconds for point in self.points}


@dataclass(frozen=True)
class Recommendation(Jsonable):
    """How many jobs of one worker plans run at the same time, how many workers one job has, and why."""

    run_id: str
    source_conn_id: str
    target_conn_id: str
    degree: int
    reason: str
    points: tuple[Point, ...]
    coefficients: tuple[float, float, float]
    """a, b, c of a + b/n + c*n seconds, of the sample."""
    bytes_per_second: float
    """What one worker carried of the sample's segments at the recommended degree."""
    sample: Sample
    notes: tuple[str, ...] = ()
    """What was odd: degrees without a measurement, degrees that the sample could not fill."""
    trusted: bool = True
    """Whether plans take the degree; not after measurements that were too short to tell."""
    workers: int | None = None
    """The most workers that plans give one job; None where PARALLEL was not measured, or brought nothing."""
    curves: tuple[DegreeCurve, ...] = ()
    """All that was measured. `points` and `coefficients` are those that the degree follows from: of jobs of
    one worker, in the slower direction of each degree."""


#: By `pair`.
RECOMMENDATION: Kind[Recommendation] = Kind("recommendation", Recommendation, learnt=True)


def pair(source_conn_id: str, target_conn_id: str) -> str:
    """The key under which a recommendation for two connections is kept."""
    return f"{source_conn_id} > {target_conn_id}"
