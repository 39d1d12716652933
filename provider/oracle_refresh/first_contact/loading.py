"""Staged shards loaded into one table of the throwaway schema at the same time, and what they wait for.

A load that wants the table for itself waits for every other one. Ten rows are loaded too fast to be seen
waiting for each other; so the table is held as a load of further rows would hold it, until the jobs have
ended or one of them waits for that. Sources: Utilities 19c, "Using Direct Path to Move Data" and
DATA_OPTIONS; Database Reference 19c, V$LOCK.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from oracle_refresh.datapump import files, single
from oracle_refresh.datapump.job import Start
from oracle_refresh.datapump.jobspec import JobSpec
from oracle_refresh.datapump.load import load_spec
from oracle_refresh.datapump.logfile import parse_log
from oracle_refresh.datapump.status import status
from oracle_refresh.first_contact.statements import LOCK_AS_A_LOAD, TM_WAITS
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.oracle.session import execute, scalar

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.datapump.dumpset import StagedSet
    from oracle_refresh.definition import RefreshDefinition
    from oracle_refresh.plan.model import ExportJob

#: Opens a further session of the target's user.
Connect = Callable[[], AbstractContextManager["oracledb.Connection"]]
LONGEST_HOLD, PAUSE = 60.0, 0.2  # seconds


@dataclass(frozen=True)
class Loaded:
    """:ivar methods: how they were loaded, according to the logs.
    :ivar waited: whether one of them wanted the table for itself; None where they took so long that the
        table was given back before anything was known."""

    methods: tuple[str, ...]
    waited: bool | None


def remapped(planned: ExportJob, staged: StagedSet, definition: RefreshDefinition, schema: str) -> JobSpec:
    """The import that a refresh would start, but into the table of the same name in another schema. Pure."""
    ((owner, _),) = planned.tables
    return replace(load_spec(planned, staged, definition), remap_schema=((owner, schema),))


def load_together(
    target: oracledb.Connection,
    connect: Connect,
    specs: Sequence[JobSpec],
    table: TableName,
    start: Start,
) -> Loaded:
    """Start all imports into the table, then wait for their end.

    :raises DataPumpError: if one of them fails.
    """
    with connect() as holding:
        # First: a job that has ended by then would not have been seen waiting.
        execute(holding, LOCK_AS_A_LOAD.format(table=table.sql))
        for spec in specs:
            single.begin(target, spec, start)
        waited = _waited(holding, [spec.job_name for spec in specs], table)
        holding.rollback()
    results = [single.finish(target, spec) for spec in specs]
    methods = [
        method for result in results for method in methods_in(target, result.directory, result.log_file)
    ]
    return Loaded(tuple(dict.fromkeys(methods)), waited)


def methods_in(connection: oracledb.Connection, directory: str, log_file: str) -> tuple[str, ...]:
    """How a job has moved rows, each method once, according to its log with METRICS."""
    text = files.read_text(connection, directory, log_file) or ""
    return tuple(dict.fromkeys(line.method for line in parse_log(text).rows if line.method))


def _waited(holding: oracledb.Connection, jobs: Sequence[str], table: TableName) -> bool | None:
    """Whether one of the jobs waits for the table that the session holds, until they have ended; None: not
    known."""
    began = time.monotonic()
    while any((job := status(holding, name)) is not None and job.running for name in jobs):
        if scalar(holding, TM_WAITS, owner=table.owner, name=table.name):
            return True
        if time.monotonic() - began > LONGEST_HOLD:
            return None
        time.sleep(PAUSE)
    return False
