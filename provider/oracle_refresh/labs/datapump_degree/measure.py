"""Unloads the sample by n Data Pump jobs of one worker each, and takes the time.

Nothing is left on the source: dump files and logs are removed, and what a killed try has left is ended and
removed before the next one. The names derive from run, degree and repeat only.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.datapump import files, job
from oracle_refresh.datapump.dumpset import DumpFile
from oracle_refresh.datapump.jobspec import JobSpec
from oracle_refresh.datapump.settle import JobTrace, failure, settle
from oracle_refresh.labs.datapump_degree.model import Measurement, Sample
from oracle_refresh.labs.datapump_degree.sample import Part, parts
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.plan.names import job_name
from oracle_refresh.run.progress import Progress, silent

if TYPE_CHECKING:
    import oracledb

STEP = "calibration"
#: Sessions that start jobs at the same time; one after the other, many would not begin together.
STARTERS = 16
#: Pause between two looks, as a share of the time that has passed: the error of what is measured.
PRECISION = 0.01
SHORTEST_PAUSE, LONGEST_PAUSE = 0.05, 1.0

Connect = Callable[[], "oracledb.Connection"]


@dataclass(frozen=True)
class Place:
    """Where the jobs of a calibration write, and what their names derive from."""

    refresh: str
    run_id: str
    directory: str


def specs(sample: Sample, degree: int, repeat: int, place: Place) -> tuple[JobSpec, ...]:
    """The jobs of one measurement; pure."""
    return tuple(
        _spec(sample, part, job_name(place.refresh, place.run_id, f"C{degree}_{repeat}_{number:03d}"), place)
        for number, part in enumerate(parts(sample, degree), 1)
    )


def _spec(sample: Sample, part: Part, name: str, place: Place) -> JobSpec:
    table = (sample.owner, sample.name)
    return JobSpec(
        operation="EXPORT",
        job_name=name,
        directory=place.directory,
        dump_files=(f"{name.lower()}.dmp",),
        log_file=files.log_name(name.lower(), 1),
        tables=(table,),
        scn=sample.scn,
        subqueries=((table, f"WHERE {part.predicate}"),),
    )


def measure(
    connect: Connect,
    connection: oracledb.Connection,
    sample: Sample,
    degree: int,
    repeat: int,
    place: Place,
    progress: Progress = silent,
) -> Measurement:
    """Unload the sample once by `degree` jobs at the same time.

    :param connect: opens a further session of the same user; may be called by several threads at once.
    :param connection: watches the jobs and cleans up.
    :raises DataPumpError: if a job fails; nothing of it is left but its log.
    """
    wanted = specs(sample, degree, repeat, place)
    clean(connection, wanted)
    try:
        found = unload(connect, connection, wanted, progress)
    except BaseException:
        clean(connection, wanted, logs=False)
        raise
    clean(connection, wanted)
    return Measurement(
        degree, repeat, found.seconds, found.rows, sum(file.bytes for file in found.files), len(wanted)
    )


@dataclass(frozen=True)
class Unloaded:
    """What jobs have left in the DIRECTORY, and how long they took together."""

    seconds: float
    rows: int
    files: tuple[DumpFile, ...]


def unload(
    connect: Connect, connection: oracledb.Connection, wanted: Sequence[JobSpec], progress: Progress = silent
) -> Unloaded:
    """Run the jobs at the same time; nothing of them may be there. Their dump files stay.

    :raises DataPumpError: if a job fails.
    """
    began = time.monotonic()
    _start(connect, wanted)
    seconds = _wait(connection, wanted, began, progress)
    rows, dumped = 0, []
    for spec in wanted:
        found = settle(
            connection, JobTrace(spec.job_name, spec.directory, spec.job_name.lower(), spec.tables)
        )
        if found.verdict.outcome != "succeeded":
            raise failure(spec.job_name, STEP, found.verdict, spec.log_file)
        rows += sum(found.verdict.rows.values())
        for name in spec.dump_files:
            dumped.append(DumpFile(name, files.file_size(connection, spec.directory, name) or 0))
    return Unloaded(seconds, rows, tuple(dumped))


def clean(connection: oracledb.Connection, wanted: Sequence[JobSpec], *, logs: bool = True) -> None:
    """End the jobs that are still there, and remove their files."""
    job.discard_all(connection, [spec.job_name for spec in wanted])
    for spec in wanted:
        for name in (*spec.dump_files, *((spec.log_file,) if logs else ())):
            if files.file_size(connection, spec.directory, name) is not None:
                files.remove(connection, spec.directory, name)


def _start(connect: Connect, wanted: Sequence[JobSpec]) -> None:
    def start(mine: Iterable[JobSpec]) -> None:
        with connect() as connection:
            for spec in mine:
                job.start(connection, spec)

    with ThreadPoolExecutor(STARTERS, thread_name_prefix="calibration") as pool:
        for done in [pool.submit(start, wanted[number::STARTERS]) for number in range(STARTERS)]:
            done.result()


def _wait(
    connection: oracledb.Connection, wanted: Sequence[JobSpec], began: float, progress: Progress
) -> float:
    """Seconds from `began` until nobody works on the jobs any more."""
    names = {spec.job_name for spec in wanted}
    idle: float | None = None
    while True:
        states = job.own_jobs(connection)
        now = time.monotonic() - began
        live = {name for name, (_, working) in states.items() if working} & names
        progress.report(len(names) - len(live), len(names), "jobs", f"{len(names)} at the same time")
        if not names & states.keys():
            return now if idle is None else idle
        # A job that nobody works on may be on its way out, or dead: then `settle` takes it up.
        if live:
            idle = None
        elif idle is None:
            idle = now
        elif now - idle > LONGEST_PAUSE:
            return idle
        time.sleep(min(max(PRECISION * now, SHORTEST_PAUSE), LONGEST_PAUSE))


def check_same_rows(measurements: Iterable[Measurement], sample: Sample) -> None:
    """Every measurement must have unloaded the same rows.

    :raises PlanError: naming the degrees that did not.
    """
    rows: dict[int, list[int]] = {}
    for one in measurements:
        rows.setdefault(one.rows, []).append(one.degree)
    if len(rows) > 1:
        told = "; ".join(f"{count:,} rows at {sorted(set(found))}" for count, found in sorted(rows.items()))
        raise PlanError(
            f"the measurements did not unload the same rows of SCN {sample.scn}: {told}",
            object_name=f"{sample.owner}.{sample.name}",
            step=STEP,
            remedy="run the calibration again while nobody changes the table's definition",
        )
