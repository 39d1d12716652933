"""Brings a job to its end, whoever started it and whatever became of that one, and reads the evidence."""

from __future__ import annotations

import logging
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.datapump import files, job
from oracle_refresh.datapump.logfile import DataPumpLog, parse_log
from oracle_refresh.datapump.status import JobStatus, watch
from oracle_refresh.datapump.verdict import JobVerdict, judge
from oracle_refresh.oracle.errors import DataPumpError, remedy_of
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.run.progress import Progress, silent

if TYPE_CHECKING:
    import oracledb

log = logging.getLogger(__name__)

MAX_RESTARTS = 3


@dataclass(frozen=True)
class Evidence:
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
    """By what a job is found again: its name, where its logs are, and the tables that they have to name."""

    job_name: str
    directory: str
    log_stem: str
    expected: Collection[TableName] = ()


def settle(
    connection: oracledb.Connection,
    wanted: JobTrace,
    progress: Progress = silent,
    poll_seconds: float = 1.0,
) -> Evidence:
    """Wait for a running job, restart a dead one from its master table, then judge it.

    A job that cannot be restarted is discarded, so that its name is free again; what it had done by then is
    for the caller to find out. One whose log tells its success has only its master table left, as KEEP_MASTER
    wants it, or because its last process died behind the last line: it stays as it is.
    """
    job_name, restarts = wanted.job_name, 0
    found: JobStatus | None = watch(connection, job_name, progress, poll_seconds)
    if found is not None:
        number, content = files.last_log(connection, wanted.directory, wanted.log_stem)
        verdict = judge(content, None, wanted.expected)
        if verdict.outcome == "succeeded":
            return Evidence(verdict, number, left=True)
    while found is not None and restarts < MAX_RESTARTS:
        log.warning("job %s is %s: it is started again from its master table", job_name, found.state)
        restarts += 1
        try:
            job.restart(connection, job_name)
        except DataPumpError as error:
            log.warning("job %s cannot be restarted: %s", job_name, error)
            break
        found = watch(connection, job_name, progress, poll_seconds)
    if found is not None:
        job.discard(connection, job_name)
    number, content = files.last_log(connection, wanted.directory, wanted.log_stem)
    return Evidence(judge(content, None, wanted.expected), number, restarted=restarts > 0)


def evidence(
    connection: oracledb.Connection,
    directory: str,
    stem: str,
    number: int,
    expected: Collection[TableName],
) -> Evidence:
    """The verdict by one log file; a log that is not there proves that its start never came to run."""
    text = files.read_text(connection, directory, files.log_name(stem, number))
    content: DataPumpLog | None = None if text is None else parse_log(text)
    return Evidence(judge(content, None, expected), 0 if text is None else number)


def failure(job_name: str, what: str, found: JobVerdict, log_file: str) -> DataPumpError:
    """The error for a job that did not do what it had to."""
    if found.outcome == "unknown":
        reason = "the job is gone and its log does not say how it ended"
    else:
        reason = "; ".join(found.messages[:5]) or f"the job ended as {found.outcome}"
    if found.missing:
        names = ", ".join(table.key for table in found.missing[:5])
        reason += f" (without rows of {names}{' and more' if len(found.missing) > 5 else ''})"
    # A job that lost its processes, or was stopped by somebody, gives no code of its own; 39014 is what its
    # workers' end is called.
    codes = found.codes or (() if found.messages else ("ORA-39014",))
    return DataPumpError(
        f"{what} did not complete: {reason}",
        codes=codes,
        object_name=job_name,
        step=what,
        remedy=remedy_of(codes) or f"read {log_file}",
    )
