"""How a Data Pump job stands, by name from the dictionary.

The dictionary needs no handle and disturbs nobody, so watching and deferred waiting use it. The state
NOT RUNNING exists only there; it can also be seen for a moment while a job starts or ends, so it is believed
only when it is seen twice. Source: DBA_DATAPUMP_JOBS in Database Reference 19c; Utilities 19c, "The Data
Pump API".
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from oracle_refresh.datapump import statements
from oracle_refresh.datapump.verdict import LIVE_STATES
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.errors import DataPumpError
from oracle_refresh.oracle.session import row, rows, short_call
from oracle_refresh.run.progress import Progress, silent

if TYPE_CHECKING:
    import oracledb

DEFINING_LIMIT = 300.0  # seconds; defining a job takes a moment: a session that takes this long hangs
CONFIRM_SECONDS = 0.5


@dataclass(frozen=True)
class JobStatus(Jsonable):
    """A job as the dictionary shows it; megabytes from V$SESSION_LONGOPS where Data Pump reports them."""

    job_name: str
    operation: str
    state: str
    degree: int
    attached_sessions: int
    done_mb: float | None = None
    total_mb: float | None = None

    @property
    def running(self) -> bool:
        """Whether the job is past its definition and goes on, whatever becomes of the session that began it.

        One that somebody is stopping does not.
        """
        return self.live and self.state not in ("DEFINING", "STOP PENDING", "STOPPING")

    @property
    def live(self) -> bool:
        """Whether processes work on the job, or somebody is defining it."""
        return self.state in LIVE_STATES


def status(connection: oracledb.Connection, job_name: str) -> JobStatus | None:
    """How the user's own job of that name stands; None when the database does not know it any more."""
    with short_call(connection):
        state = row(connection, statements.JOB_STATE, job_name=job_name)
        if state is None:
            return None
        return _status(job_name, state, row(connection, statements.JOB_PROGRESS, job_name=job_name))


def worked_on(connection: oracledb.Connection, job_name: str) -> bool:
    """Whether processes work on the user's own job of that name, or somebody is defining it."""
    job = status(connection, job_name)
    return job is not None and job.live


def all_status(connection: oracledb.Connection) -> dict[str, JobStatus]:
    """Return the status of every job of the user by name, read in two short queries for all who wait."""
    states = {str(name): tuple(state) for name, *state in rows(connection, statements.ALL_STATES)}
    progress = {str(name): (done, total) for name, done, total in rows(connection, statements.ALL_PROGRESS)}
    return {name: _status(name, state, progress.get(name)) for name, state in states.items()}


def watch(
    connection: oracledb.Connection, job_name: str, progress: Progress = silent, poll_seconds: float = 1.0
) -> JobStatus | None:
    """Wait until nobody works on the job any more; its last status, or None when it is gone.

    The first looks come in quick succession, because small jobs end at once.

    :raises DataPumpError: if the job stays in DEFINING: its session hangs and has to be ended.
    """
    began = time.monotonic()
    pause = min(0.02, poll_seconds)
    while True:
        job = status(connection, job_name)
        if job is None or is_dead(connection, job):
            return job
        if job.state == "DEFINING" and time.monotonic() - began > DEFINING_LIMIT:
            raise DataPumpError(
                f"the job is being defined by another session for over {DEFINING_LIMIT:.0f} seconds",
                object_name=job_name,
                step="data pump",
                remedy="end the session that is attached to it (DBA_DATAPUMP_SESSIONS), then try again",
            )
        if job.done_mb is not None:
            progress.report(job.done_mb, job.total_mb, "MB", job_name)
        time.sleep(pause)
        pause = min(pause * 1.5, poll_seconds)


def is_dead(connection: oracledb.Connection, job: JobStatus) -> bool:
    """Whether nobody works on the job, which is believed when it is seen twice."""
    if job.live:
        return False
    time.sleep(CONFIRM_SECONDS)
    again = status(connection, job.job_name)
    return again is not None and again.state == job.state


def _status(job_name: str, state: tuple[Any, ...], megabytes: tuple[Any, ...] | None) -> JobStatus:
    operation, name, degree, attached = state
    done, total = megabytes or (None, None)
    return JobStatus(
        job_name,
        str(operation).strip(),
        str(name).strip(),
        int(degree or 0),
        int(attached or 0),
        None if done is None else float(done),
        None if total is None else float(total),
    )
