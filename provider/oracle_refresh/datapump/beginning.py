"""Begins a job unless it runs or has ended, whatever a former try has left, and whoever else may be at it.

A job's name is taken while the job exists (ORA-31634), and every start has a log of its own. So with the name
taken, and no log there of the start that is about to be made, nobody has started the job since it was looked
at, and nobody else can.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING

from oracle_refresh.datapump import files
from oracle_refresh.datapump.job import STEP, Start, discard
from oracle_refresh.datapump.jobspec import JobSpec
from oracle_refresh.datapump.status import status
from oracle_refresh.oracle.errors import DataPumpError
from oracle_refresh.run.possession import Hold

if TYPE_CHECKING:
    import oracledb

ATTEMPTS = 4
TAKEN = frozenset({"ORA-31634"})  # a job of that name is there: a killed session may still be defining it


class OvertakenError(DataPumpError):
    """Another try has started the job since it was looked at: it has to be looked at again."""


def begin(connection: oracledb.Connection, job_name: str, try_once: Callable[[], bool]) -> bool:
    """Make sure that a job runs or has ended, whatever a former try has left of it.

    :param try_once: looks at what is there; starts the job and returns True, or False when nothing is left to
        do. Called again when another session holds the job's name.
    :returns: True while the job has to be waited for.
    :raises DataPumpError: if it cannot be started.
    """
    for attempt in range(1, ATTEMPTS + 1):
        present = status(connection, job_name)
        if present is not None and present.running:
            return True
        try:
            return try_once()
        except DataPumpError as error:
            overtaken = isinstance(error, OvertakenError) or TAKEN & set(error.codes)
            if attempt == ATTEMPTS or not overtaken:
                raise
            time.sleep(attempt)  # the session of a killed try was still at it, or another try is
    raise AssertionError("the last attempt returns or raises")


def start_anew(
    connection: oracledb.Connection, spec: JobSpec, start: Start, *, left: bool, hold: Hold = nullcontext
) -> None:
    """Start a job whose name a former try may still hold by its master table; that one is given up.

    :param left: whether there is such a table, as `settle` has seen it: to look again is to ask
        USER_DATAPUMP_JOBS once more for every job of a refresh.
    :param hold: around what ends the former job.
    :raises DataPumpError: as `start` does; OvertakenError where another try has started the job meanwhile.
    """
    if left:
        with hold():
            discard(connection, spec.job_name)
    start(connection, spec, confirm=partial(_require_new_log, connection, spec))


def _require_new_log(connection: oracledb.Connection, spec: JobSpec) -> None:
    if files.file_size(connection, spec.directory, spec.log_file) is not None:
        raise OvertakenError(
            f"another try has started it meanwhile: {spec.log_file} is there",
            object_name=spec.job_name,
            step=STEP,
            remedy="clear the task, which finds out what became of it",
        )
