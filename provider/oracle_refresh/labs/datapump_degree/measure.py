"""Unloads the sample by n Data Pump jobs of one worker each, or by one job of n, and takes the time.

Nothing is left on the source: dump files and logs are removed, and what a killed try has left is ended and
removed before the next one. The names derive from run, degree and repeat only.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.datapump import files, job
from oracle_refresh.datapump.dumpset import DumpFile
from oracle_refresh.datapump.jobspec import JobSpec
from oracle_refresh.datapump.options import encrypted
from oracle_refresh.datapump.settle import JobTrace, failure, settle
from oracle_refresh.definition import DataPump
from oracle_refresh.experience.degree_advice import Sample
from oracle_refresh.labs.datapump_degree.model import Measurement
from oracle_refresh.labs.datapump_degree.plan import STEP, Trial
from oracle_refresh.labs.datapump_degree.sample import Part, parts
from oracle_refresh.labs.harness.together import Connect
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.plan.names import job_name
from oracle_refresh.run.progress import Progress, silent

if TYPE_CHECKING:
    import oracledb

#: Sessions that start jobs at the same time; one after the other, many would not begin together.
STARTERS = 16
#: Pause between two looks, as a share of the time that has passed: the error of what is measured.
PRECISION = 0.01
SHORTEST_PAUSE, LONGEST_PAUSE = 0.05, 1.0


@dataclass(frozen=True)
class Place:
    """Where the jobs of a calibration write, what their names derive from, and whether they encrypt."""

    refresh: str
    run_id: str
    directory: str
    options: DataPump


def specs(sample: Sample, trial: Trial, place: Place) -> tuple[JobSpec, ...]:
    """The jobs of one measurement; pure."""
    if trial.shape == "workers":
        (whole,) = parts(sample, 1)
        name = job_name(place.refresh, place.run_id, f"P{trial.degree}_{trial.repeat}")
        return (_spec(sample, whole, name, place, trial.degree),)
    stem = f"C{trial.degree}_{trial.repeat}"
    return tuple(
        _spec(sample, part, job_name(place.refresh, place.run_id, f"{stem}_{number:03d}"), place)
        for number, part in enumerate(parts(sample, trial.degree), 1)
    )


def _spec(sample: Sample, part: Part, name: str, place: Place, workers: int | None = None) -> JobSpec:
    """:param workers: of the only job; None where it is one of several, which have one each."""
    table = TableName(sample.owner, sample.name)
    # Every worker writes a file of its own (Utilities 19c, expdp, PARALLEL); `%U` serves all releases.
    counter = "" if workers is None else "_%U"
    spec = JobSpec(
        operation="EXPORT",
        job_name=name,
        directory=place.directory,
        dump_files=(f"{name.lower()}{counter}.dmp",),
        log_file=files.log_name(name.lower(), 1),
        tables=(table,),
        scn=sample.scn,
        parallel=workers or 1,
        subqueries=((table, f"WHERE {part.predicate}"),),
    )
    return encrypted(spec, place.options)


def measure(
    connect: Connect,
    connection: oracledb.Connection,
    sample: Sample,
    trial: Trial,
    place: Place,
    progress: Progress = silent,
    start: job.Start = job.start,
) -> Measurement:
    """Unload the sample once by as many jobs, or workers, at the same time as the trial says.

    :param connect: opens a further session of the same user; may be called by several threads at once.
    :param connection: watches the jobs and cleans up.
    :param start: starts one, with the password of its dump files if they are encrypted; as `connect`.
    :raises DataPumpError: if a job fails; nothing of it is left but its log.
    """
    with unloaded(connect, connection, sample, trial, place, progress, start) as found:
        return found.measurement(trial)


@contextmanager
def unloaded(
    connect: Connect,
    connection: oracledb.Connection,
    sample: Sample,
    trial: Trial,
    place: Place,
    progress: Progress = silent,
    start: job.Start = job.start,
) -> Iterator[Unloaded]:
    """As `measure`, with the dump files there until the block ends."""
    jobs = specs(sample, trial, place)
    clean(connection, jobs)
    try:
        yield unload(connect, connection, jobs, progress, start)
    except BaseException:
        clean(connection, jobs, logs=False)
        raise
    clean(connection, jobs)


@dataclass(frozen=True)
class Unloaded:
    """What jobs have left in the DIRECTORY, and how long they took together."""

    seconds: float
    rows: int
    files: tuple[DumpFile, ...]
    jobs: int

    def measurement(self, trial: Trial) -> Measurement:
        """As what a trial took."""
        return Measurement(
            seconds=self.seconds,
            rows=self.rows,
            bytes=sum(file.bytes for file in self.files),
            degree=trial.degree,
            repeat=trial.repeat,
            jobs=self.jobs,
            shape=trial.shape,
        )


def unload(
    connect: Connect,
    connection: oracledb.Connection,
    jobs: Sequence[JobSpec],
    progress: Progress = silent,
    start: job.Start = job.start,
) -> Unloaded:
    """Export by the jobs at the same time; nothing of them may be there. Their dump files stay.

    Parameters as for `measure`.

    :raises DataPumpError: if a job fails.
    """
    seconds, rows = run_together(connect, connection, jobs, progress, start)
    dumped = [
        DumpFile(name, files.file_size(connection, spec.directory, name) or 0)
        for spec in jobs
        for name in _dump_files(connection, spec)
    ]
    return Unloaded(seconds, rows, tuple(dumped), len(jobs))


def run_together(
    connect: Connect,
    connection: oracledb.Connection,
    jobs: Sequence[JobSpec],
    progress: Progress = silent,
    start: job.Start = job.start,
) -> tuple[float, int]:
    """Run exports or imports at the same time: seconds from the first start to the last end, and rows.

    Parameters as for `measure`.

    :raises DataPumpError: if a job fails.
    """
    began = time.monotonic()
    _start(connect, jobs, start)
    seconds = _wait(connection, jobs, began, progress)
    rows = 0
    for spec in jobs:
        owners = dict(spec.remap_schema)
        tables = [TableName(owners.get(owner, owner), name) for owner, name in spec.tables]
        trace = JobTrace(spec.job_name, spec.directory, spec.log_file.removesuffix("_1.log"), tables)
        verdict = settle(connection, trace).verdict
        if verdict.outcome != "succeeded":
            raise failure(spec.job_name, STEP, verdict, spec.log_file)
        rows += sum(verdict.rows.values())
    return seconds, rows


def _dump_files(connection: oracledb.Connection, spec: JobSpec) -> list[str]:
    (pattern,) = spec.dump_files
    return files.existing(connection, spec.directory, pattern, spec.parallel)


def clean(connection: oracledb.Connection, jobs: Sequence[JobSpec], *, logs: bool = True) -> None:
    """End the jobs that are still there, and remove their files."""
    job.discard_all(connection, [spec.job_name for spec in jobs])
    for spec in jobs:
        for pattern in (*spec.dump_files, *((spec.log_file,) if logs else ())):
            files.remove_existing(connection, spec.directory, pattern, spec.parallel)


def _start(connect: Connect, jobs: Sequence[JobSpec], start: job.Start) -> None:
    def start_some(some: Iterable[JobSpec]) -> None:
        with connect() as connection:
            for spec in some:
                start(connection, spec)

    with ThreadPoolExecutor(STARTERS, thread_name_prefix="calibration") as pool:
        for started in [pool.submit(start_some, jobs[number::STARTERS]) for number in range(STARTERS)]:
            started.result()


def _wait(
    connection: oracledb.Connection, jobs: Sequence[JobSpec], began: float, progress: Progress
) -> float:
    """Seconds from `began` until no worker is attached to the jobs any more."""
    names = {spec.job_name for spec in jobs}
    idle: float | None = None
    while True:
        states = job.own_jobs(connection)
        elapsed = time.monotonic() - began
        live = {name for name, (_, working) in states.items() if working} & names
        progress.report(len(names) - len(live), len(names), "jobs", f"{len(names)} at the same time")
        if not names & states.keys():
            return elapsed if idle is None else idle
        # A job without workers may be ending, or dead: then `settle` takes it up.
        if live:
            idle = None
        elif idle is None:
            idle = elapsed
        elif elapsed - idle > LONGEST_PAUSE:
            return idle
        time.sleep(min(max(PRECISION * elapsed, SHORTEST_PAUSE), LONGEST_PAUSE))


def check_same_rows(measurements: Iterable[Measurement], sample: Sample) -> None:
    """Every measurement must have moved the same rows.

    :raises PlanError: naming the degrees that did not.
    """
    degrees: dict[int, set[int]] = {}
    for measured in measurements:
        degrees.setdefault(measured.rows, set()).add(measured.degree)
    if len(degrees) > 1:
        counts = "; ".join(f"{rows:,} rows at {sorted(at)}" for rows, at in sorted(degrees.items()))
        raise PlanError(
            f"the measurements did not move the same rows of SCN {sample.scn}: {counts}",
            object_name=f"{sample.owner}.{sample.name}",
            step=STEP,
            remedy="run the calibration again while nobody changes the table's definition",
        )
