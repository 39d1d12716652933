"""Brings a job to its end, whoever started it and whatever became of that one, and reads the evidence."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.datapump import files, job
from oracle_refresh.datapump.logfile import parse_log
from oracle_refresh.datapump.status import JobStatus, watch, worked_on
from oracle_refresh.datapump.verdict import JobVerdict, verdict_of
from oracle_refresh.oracle import remedies
from oracle_refresh.oracle.errors import DataPumpError, remedy_of
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.run.possession import Hold
from oracle_refresh.run.progress import Progress, silent

if TYPE_CHECKING:
    import oracledb

log = logging.getLogger(__name__)

MAX_RESTARTS = 3


@dataclass(frozen=True)
class SettledJob:
    """A job that nobody works on any more: its verdict, and the number of the log it rests on (0: no log).

    `restarted` when its processes had died and it went on from its master table: then the object that was
    being moved may need a closer look. `left`: its master table is still there.
    """

    verdict: JobVerdict
    log_number: int
    restarted: bool = False
    left: bool = False

    @property
    def never_ran(self) -> bool:
        return self.log_number == 0


@dataclass(frozen=True)
class JobTrace:
    """By what a job is found again: its name, where its logs are, and the tables that they have to name.

    :ivar hold: around whatever starts the job again or ends it.
    """

    job_name: str
    directory: str
    log_stem: str
    expected: Collection[TableName] = ()
    hold: Hold = nullcontext

    def log_file(self, number: int) -> str:
        """The log of the n-th start; of a job that never ran, the one that its first start would write."""
        return files.log_name(self.log_stem, max(number, 1))


def settle(
    connection: oracledb.Connection,
    wanted: JobTrace,
    progress: Progress = silent,
    poll_seconds: float = 1.0,
) -> SettledJob:
    """Wait for a running job, restart a dead one from its master table, then conclude by its log.

    A job that cannot be restarted is discarded, so that its name is free again; what it had done by then is
    for the caller to find out. One whose log tells its success has only its master table left, as KEEP_MASTER
    wants it, or because its last process died behind the last line: it stays as it is.

    :raises DataPumpError: where a job of the name is there that somebody else has begun. It stays as it is.
    :raises TakenOverError: where another try has taken a job over that would be started again or discarded.
    """
    job_name, restarts = wanted.job_name, 0
    stopped: JobStatus | None = watch(connection, job_name, progress, poll_seconds)
    if stopped is not None:
        number, content = files.last_log(connection, wanted.directory, wanted.log_stem)
        verdict = verdict_of(content, wanted.expected)
        if verdict.outcome == "succeeded":
            return SettledJob(verdict, number, left=True)
        if number == 0:
            _require_own(connection, wanted)
    while stopped is not None and restarts < MAX_RESTARTS:
        log.warning("job %s is %s: it is started again from its master table", job_name, stopped.state)
        restarts += 1
        try:
            with wanted.hold():
                job.restart(connection, job_name)
        except DataPumpError as error:
            log.warning("job %s cannot be restarted: %s", job_name, error)
            if not worked_on(connection, job_name):  # else somebody was faster
                break
        stopped = watch(connection, job_name, progress, poll_seconds)
    if stopped is not None:
        with wanted.hold():
            job.discard(connection, job_name)
    number, content = files.last_log(connection, wanted.directory, wanted.log_stem)
    return SettledJob(verdict_of(content, wanted.expected), number, restarted=restarts > 0)


def _require_own(connection: oracledb.Connection, wanted: JobTrace) -> None:
    """Pass only where the stopped job writes a log of this one, and came to its end before it had opened it.

    A job that cannot be attached to is past help, whosever it is; where the instance was short of something,
    that is raised instead. Of others: another Airflow may refresh from the same source, under the same names
    and as of another SCN, or a person has chosen the name. To start the job would move rows that nobody here
    has asked for, to end it would take its dump files away.
    """
    name = job.log_file(connection, wanted.job_name)
    if name is not None and not name.lower().startswith(f"{wanted.log_stem}_"):
        raise DataPumpError(
            "a stopped job of this name is there that is not this run's",
            object_name=wanted.job_name,
            step=job.STEP,
            remedy=f"find out whose {wanted.job_name} is (DBA_DATAPUMP_JOBS); when it is needed no more,"
            " attach to it and end it (DBMS_DATAPUMP.STOP_JOB), then clear this task",
        )


def dump_file_sizes(
    connection: oracledb.Connection, trace: JobTrace, number: int, patterns: Iterable[str], parallel: int
) -> dict[str, int] | None:
    """Bytes of the dump files that an export's log names, else of those that its patterns lead to; None where
    one of them is gone."""
    text = files.read_text(connection, trace.directory, trace.log_file(number))
    names = parse_log(text or "").dump_files or [
        name
        for pattern in patterns
        for name in files.existing(connection, trace.directory, pattern, parallel)
    ]
    sizes = {name: files.file_size(connection, trace.directory, name) or 0 for name in names}
    return sizes if sizes and all(sizes.values()) else None


def dump_files_missing(trace: JobTrace, step: str) -> DataPumpError:
    return DataPumpError(
        "the log reports success, but dump files are missing",
        object_name=trace.job_name,
        step=step,
        remedy=f"check DIRECTORY {trace.directory} and who removes files there",
    )


def failure(job_name: str, what: str, verdict: JobVerdict, log_file: str) -> DataPumpError:
    """The error for a job that did not do what it had to."""
    names = ", ".join(table.key for table in verdict.missing[:5])
    if verdict.completed and verdict.missing and not verdict.messages:
        # Objects that a filter selects and that are not there are no error (Utilities 19c, METADATA_FILTER).
        return DataPumpError(
            f"{what} did not complete: the job found nothing of {names}",
            object_name=job_name,
            step=what,
            remedy=f"see whether they are still there under these names, and {log_file}; where tables were"
            f" dropped or renamed since they were planned, {remedies.NEW_RUN}",
        )
    if verdict.outcome == "unknown":
        reason = "the job is gone and its log does not say how it ended"
    else:
        reason = "; ".join(verdict.messages[:5]) or f"the job ended as {verdict.outcome}"
    if verdict.missing:
        reason += f" (without rows of {names}{' and more' if len(verdict.missing) > 5 else ''})"
    # A job that lost its processes, or was stopped by somebody, gives no code of its own; 39014 is what its
    # workers' end is called.
    codes = verdict.codes or (() if verdict.messages else ("ORA-39014",))
    return DataPumpError(
        f"{what} did not complete: {reason}",
        codes=codes,
        object_name=job_name,
        step=what,
        remedy=remedy_of(codes) or f"read {log_file}",
    )
