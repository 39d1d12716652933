"""How long a large refresh takes with ever more workers: a simulation by rates, not a measurement.

Shards go from leg to leg as the refresh's do. Each leg has the rate of one worker, and a resource: what all
workers of it reach together on one node, and with how many; more than these wait. Each rate says where it
comes from; `docs/benchmarks.md` says what they leave out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from benchmarks.result import Result
from benchmarks.size import sized
from oracle_refresh.plan.simulation import Simulation, Task, simulate
from oracle_refresh.plan.stages import (
    BUILD_INDEXES,
    EXPORT,
    LOAD,
    MASK,
    STAGE,
    VERIFY_COPY,
    VERIFY_MASKED,
    Stage,
)

WORKERS = tuple(2**power for power in range(sized(10, 5)))
#: Twice as many workers pay as long as the time shrinks by this share.
PAYS = 0.05
#: The pool of all tasks, and what binds where no pool does.
ALL, CHAIN = "workers", "longest shard"


@dataclass(frozen=True)
class Resource:
    """What the workers of a leg share: `workers` of a node reach `node_mb_s`, and more bring nothing."""

    name: str
    node_mb_s: float
    workers: int


@dataclass(frozen=True)
class Processors:
    """The CPUs of the target's nodes: one for each worker."""

    name: str = "CPUs of the target's nodes"


@dataclass(frozen=True)
class Leg:
    """One stage of a shard: `fixed_seconds`, and its megabytes at `worker_mb_s` at most."""

    stage: Stage
    resource: Resource | Processors
    worker_mb_s: float
    fixed_seconds: float = 0.0


@dataclass(frozen=True)
class Part:
    """Tables that take the same way, in shards of the same size."""

    name: str
    megabytes: float
    shards: int
    legs: tuple[Leg, ...]


@dataclass(frozen=True)
class Case:
    """A database on so many nodes at each end; `cpus` are those of one node of the target."""

    name: str
    nodes: int
    cpus: int
    parts: tuple[Part, ...]

    def slots(self, resource: Resource | Processors) -> int:
        """Workers that find a place."""
        return self.nodes * (self.cpus if isinstance(resource, Processors) else resource.workers)

    def rate(self, leg: Leg, workers: int) -> float:
        """Of each worker of a leg, MB/s, when as many of `workers` as find a place work in it."""
        if isinstance(leg.resource, Processors):
            return leg.worker_mb_s
        at_work = min(workers, self.slots(leg.resource))
        return min(leg.worker_mb_s, self.nodes * leg.resource.node_mb_s / at_work)


@dataclass(frozen=True)
class Course:
    """What a case takes with so many workers, and what it cannot be faster for."""

    workers: int
    seconds: float
    binds: str


# "Optimising Data Pump Export and Import Performance" (2012). 19.40 GB unloaded by 8, 16, 32 and 64 workers:
# 169, 452, 728, 698 MB/s while they write; the whole took 42 to 44 s more each time.
JOB_SECONDS = 44.0
UNLOAD = Leg(EXPORT, Resource("export of the source's nodes", 728.0, 32), 728.0 / 32, JOB_SECONDS)
# Its table with 31,459 + 327,232 LOBs of 7,389 bytes: 1.5 hours by one worker, 11 minutes by 32.
LOB_MB = (31_459 + 327_232) * 7_389 / 1e6
UNLOAD_LOBS = Leg(
    EXPORT,
    Resource("LOB reads of the source", LOB_MB / (660.0 - JOB_SECONDS), 32),
    LOB_MB / (5_400.0 - JOB_SECONDS),
    JOB_SECONDS,
)
# Its 76 GB of dump files; its 1,734 indexes took 3,654 s, one after the other.
DUMP_MB = 76_000.0
CPUS = Processors()
INDEX = Leg(BUILD_INDEXES, CPUS, (DUMP_MB - LOB_MB) / 3_654.0)
# "DBFS use case performance on Exadata configurations" (2016), one node: blocks of 1 MB written by one user
# and by four; import dump. How many workers imported is not told: that eight did is an assumption.
BRING = Leg(STAGE, Resource("DBFS of the target's nodes", 880.0, 4), 400.0)
IMPORT = Resource("load of the target's nodes", 115.0, 8)
FILL = Leg(LOAD, IMPORT, 115.0 / 8)
# The first study again: 32 shards of the LOB table loaded one after the other in 11 minutes.
FILL_LOBS = Leg(LOAD, IMPORT, LOB_MB / 660.0)
# This project's demo on the stand-in at scale 1 (330 MB, nearly all tables masked): task seconds of one
# `make refresh` on two quiet cores, 2026-11-26.
DEMO_MB = 330.0
COMPARE = Leg(VERIFY_COPY, CPUS, DEMO_MB / 54.0)
CHANGE = Leg(MASK, CPUS, DEMO_MB / 72.0)
PROVE = Leg(VERIFY_MASKED, CPUS, DEMO_MB / 26.0)

#: By published rates alone; and with masking and proof, at the stand-in's.
MOVED = (UNLOAD, BRING, FILL, INDEX)
WHOLE = (UNLOAD, BRING, FILL, COMPARE, CHANGE, INDEX, PROVE)
LOBS_MOVED = (UNLOAD_LOBS, BRING, FILL_LOBS)
LOBS_WHOLE = (*LOBS_MOVED, COMPARE)
CASES = tuple(
    case
    for name, legs, lob_legs in (("moved", MOVED, LOBS_MOVED), ("masked", WHOLE, LOBS_WHOLE))
    for case in (
        Case(
            f"300_gb_one_node_{name}",
            nodes=1,
            cpus=2,
            parts=(
                Part("LOB table", LOB_MB, 32, lob_legs),
                Part("all others", DUMP_MB - LOB_MB, sized(96, 12), legs),
            ),
        ),
        Case(
            f"20_tb_eight_nodes_{name}",
            nodes=8,
            cpus=12,
            parts=(Part("all tables", 20e6, sized(512, 64), legs),),
        ),
    )
)


@dataclass(frozen=True)
class CapacityResult(Result):
    """With the courses by case."""

    courses: dict[str, tuple[Course, ...]] = field(default_factory=dict)

    def show(self) -> None:
        for name, courses in self.courses.items():
            print(f"  {name}\n  {'workers':>9} {'hours':>9}  binds")
            for course in courses:
                print(f"  {course.workers:9,} {course.seconds / 3600:9.2f}  {course.binds}")
        super().show()

    def plot(self) -> str:
        import altair as alt
        import vl_convert

        rows = [
            {"case": name.replace("_", " "), "workers": course.workers, "hours": course.seconds / 3600}
            for name, courses in self.courses.items()
            for course in courses
        ]
        log = alt.Scale(type="log")
        chart = (
            alt.Chart(alt.Data(values=rows))  # type: ignore[no-untyped-call]
            .mark_line(point=True)
            .encode(
                x=alt.X("workers:Q", scale=log),
                y=alt.Y("hours:Q", scale=log),
                color=alt.Color("case:N", sort=None, title=None),
            )
            .properties(width=520, height=320)
        )
        return str(vl_convert.vegalite_to_svg(chart.to_json()))


def run() -> Result:
    courses = {case.name: tuple(course(case, workers) for workers in WORKERS) for case in CASES}
    pays = {name: workers_that_pay(found) for name, found in courses.items()}
    return CapacityResult(
        "capacity",
        ratios={
            f"{name}_speed_up": found[0].seconds / _with(found, pays[name]).seconds
            for name, found in courses.items()
        },
        figures={f"{name}_workers_that_pay": float(pays[name]) for name in courses}
        | {
            f"{name}_hours_with_them": _with(found, pays[name]).seconds / 3600
            for name, found in courses.items()
        },
        courses=courses,
    )


def course(case: Case, workers: int) -> Course:
    """A case with so many workers."""
    slots = {leg.resource.name: case.slots(leg.resource) for part in case.parts for leg in part.legs}
    simulated = simulate(list(_tasks(case, workers)), {**slots, ALL: workers})
    return Course(workers, simulated.wall, binding(simulated))


def binding(simulated: Simulation) -> str:
    """What the wall time cannot fall below, where everything else had no limit."""
    bounds = {pool: simulated.busy(pool) / slots for pool, slots in simulated.slots.items()}
    bounds[CHAIN] = simulated.critical_seconds
    return max(bounds, key=lambda name: bounds[name])


def workers_that_pay(courses: Sequence[Course]) -> int:
    """The number of workers with which twice as many bring less than `PAYS`; the most, where none is.

    :param courses: each with twice the workers of the one before.
    """
    for fewer, more in pairwise(courses):
        if more.seconds > fewer.seconds * (1 - PAYS):
            return fewer.workers
    return courses[-1].workers


def _with(courses: Sequence[Course], workers: int) -> Course:
    return next(each for each in courses if each.workers == workers)


def _tasks(case: Case, workers: int) -> Iterator[Task]:
    for part in case.parts:
        for shard in range(part.shards):
            before: tuple[str, ...] = ()
            for leg in part.legs:
                id = f"{leg.stage.id} of {part.name} {shard}"
                yield Task(
                    id,
                    leg.fixed_seconds + part.megabytes / part.shards / case.rate(leg, workers),
                    needs=before,
                    pools=(ALL, leg.resource.name),
                    priority=leg.stage.priority,
                    map_index=shard,
                )
                before = (id,)
