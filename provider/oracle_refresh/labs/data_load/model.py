"""What a data load is about, what it measures, and what it finds. No row data."""

from __future__ import annotations

from dataclasses import dataclass, field

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.labs.data_load.profiles import PROFILES, LobProfile
from oracle_refresh.labs.harness.trial import Measurement
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.oracle.identifiers import Identifier
from oracle_refresh.run.kind import Kind

#: What each schema goes through, in this order.
CREATE, LOAD, INDEX, STATISTICS = PHASES = ("create", "load", "index", "statistics")
TERABYTE = 1e12
STEP = "data load"
#: CUSTID holds as many.
MOST_ROWS = 10**10 - 1


@dataclass(frozen=True)
class Work(Jsonable):
    """Schemas of one shape. `degree` 0 means that it is found by trial.

    :raises PlanError: if the numbers make no load, or there is no such profile.
    :raises InvalidIdentifier: if no schema can have such a name.
    """

    prefix: str
    tablespace: str
    schemas: int
    rows: int
    """Of each schema, which SLOB calls SCALE."""
    degree: int
    """Schemas that are loaded at the same time, which SLOB calls LOAD_PARALLEL_DEGREE."""
    profile: str
    sparse: bool
    """One row in a block, as SLOB; else blocks are filled."""
    trial_rows: int
    most_degree: int

    def __post_init__(self) -> None:
        if self.schemas < 1 or not 1 <= self.rows <= MOST_ROWS or self.degree < 0:
            raise PlanError(
                f"{self.schemas} schemas of {self.rows} rows, {self.degree} at the same time: no load",
                step=STEP,
                remedy="load one schema and one row at least; a degree of 0 is found by trial",
            )
        if self.profile not in PROFILES:
            raise PlanError(
                f"no profile {self.profile!r} of LOBs",
                step=STEP,
                remedy=f"possible are {', '.join(PROFILES)}",
            )
        for longest in (self.all_schemas[-1], self.trial_schemas[-1]):
            Identifier(longest)

    @property
    def lobs(self) -> LobProfile:
        return PROFILES[self.profile]

    @property
    def seed_schema(self) -> str:
        """Holds what all others are copied from."""
        return f"{self.prefix}SEED"

    @property
    def all_schemas(self) -> tuple[str, ...]:
        """Loaded schemas are counted from 1."""
        return tuple(f"{self.prefix}{number}" for number in range(1, self.schemas + 1))

    @property
    def trial_schemas(self) -> tuple[str, ...]:
        return tuple(f"{self.prefix}TRIAL_{number}" for number in range(1, self.most_degree + 1))


@dataclass(frozen=True)
class Plan(Jsonable):
    """A load as it was planned."""

    run_id: str
    conn_id: str
    database: str
    """Name and release of the instance."""
    work: Work
    drop_afterwards: bool


PLAN: Kind[Plan] = Kind("data load", Plan)


@dataclass(frozen=True)
class SchemaLoad(Jsonable):
    """One loaded schema. Seconds are those of the worker's clock."""

    schema: str
    rows: int
    bytes: int
    """Of its segments: table, LOBs, index."""
    began: float
    """Seconds from the common start of its batch."""
    seconds: dict[str, float] = field(hash=False)
    """By phase."""


@dataclass(frozen=True)
class BatchLoad(Jsonable):
    """Schemas that were loaded at the same time."""

    number: int
    seconds: float
    """From the common start to the end of the last schema."""
    schemas: tuple[SchemaLoad, ...]
    resumed: tuple[SchemaLoad, ...] = ()
    """Loaded by a former try of the task, in seconds that are not among those above."""

    @property
    def bytes(self) -> int:
        return sum(load.bytes for load in self.schemas)

    @property
    def rows(self) -> int:
        return sum(load.rows for load in self.schemas)

    def phase_seconds(self, phase: str) -> float:
        """Of all its sessions together."""
        return sum(load.seconds.get(phase, 0.0) for load in self.schemas)


BATCH: Kind[BatchLoad] = Kind("data load batch", BatchLoad)


@dataclass(frozen=True)
class Seed(Measurement):
    """The table that all others are copied from, made by one session."""


SEED: Kind[Seed] = Kind("data load seed", Seed)


@dataclass(frozen=True)
class DegreeTrial(Measurement):
    """A batch of small schemas, loaded to find the best degree."""

    degree: int


TRIAL: Kind[DegreeTrial] = Kind("load trial", DegreeTrial)


@dataclass(frozen=True)
class Chosen(Jsonable):
    """The degree that the schemas are loaded with, and why."""

    degree: int
    reason: str
    trials: tuple[DegreeTrial, ...] = ()


DEGREE: Kind[Chosen] = Kind("data load degree", Chosen)


def terabytes_per_hour(number_of_bytes: float, seconds: float) -> float:
    """The unit of SLOB's loader; terabytes of 10^12 bytes."""
    return number_of_bytes / TERABYTE / (seconds / 3600) if seconds else 0.0
