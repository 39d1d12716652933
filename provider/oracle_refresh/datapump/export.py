"""Exports one planned job to dump files, once, however often it is asked for.

Nothing is written on the source but what Data Pump itself writes: the master table of the running job, the
log and the dump files. So a repeated export finds its former try by the names that derive from run, job and
content: it watches a running job, restarts a dead one, accepts a finished one whose files are all there, and
otherwise begins again over the old files.
"""

from __future__ import annotations

import hashlib
import json
import time
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from oracle_refresh.datapump import beginning, files, job, statements
from oracle_refresh.datapump.dumpset import DumpFile, DumpSet, TableRows
from oracle_refresh.datapump.jobspec import JobSpec
from oracle_refresh.datapump.options import chosen_rows, dump_pattern, with_options
from oracle_refresh.datapump.settle import (
    JobTrace,
    SettledJob,
    dump_file_sizes,
    dump_files_missing,
    failure,
    settle,
)
from oracle_refresh.definition import RefreshDefinition
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.oracle.session import rows
from oracle_refresh.plan.model import ExportJob
from oracle_refresh.run.freeze import Frozen
from oracle_refresh.run.possession import Hold
from oracle_refresh.run.progress import Progress, silent

if TYPE_CHECKING:
    import oracledb

STEP = "export"


@dataclass(frozen=True)
class Export:
    """One planned job at the source, as of the SCN of its run.

    :ivar hold: around whatever changes the job or its files, while the job is the caller's.
    """

    connection: oracledb.Connection
    planned: ExportJob
    frozen: Frozen
    definition: RefreshDefinition
    hold: Hold = nullcontext

    @property
    def trace(self) -> JobTrace:
        directory = self.definition.staging.source_directory
        stem = log_stem(self.planned, self.frozen)
        return JobTrace(self.planned.job_name, directory, stem, self.planned.tables, self.hold)


def export_spec(
    planned: ExportJob, frozen: Frozen, definition: RefreshDefinition, log_file: str = ""
) -> JobSpec:
    """The description of the Data Pump job; pure, so `explain` and the parameter file can show it."""
    spec = JobSpec(
        operation="EXPORT",
        job_name=planned.job_name,
        directory=definition.staging.source_directory,
        dump_files=(dump_pattern(planned.dump_file, definition.datapump, release(frozen)),),
        log_file=log_file or files.log_name(log_stem(planned, frozen), 1),
        tables=planned.tables,
        scn=frozen.scn,
        parallel=planned.parallel,
        **chosen_rows(planned, planned.tables),
    )
    return with_options(spec, definition.datapump_of(planned.tables))


def release(frozen: Frozen) -> tuple[int, ...]:
    """Major and minor release of the source, which decides what its Data Pump understands."""
    return tuple(int(part) for part in frozen.source.version.split(".")[:2] if part.isdigit())


def log_stem(planned: ExportJob, frozen: Frozen) -> str:
    """Names the logs of this job with this content: another SCN or other tables are another export."""
    rows = [planned.predicate, *planned.partitions]
    content = [frozen.scn, planned.tables, rows, planned.dump_file, planned.parallel]
    return f"{planned.job_name}_{hashlib.sha256(json.dumps(content).encode()).hexdigest()[:8]}".lower()


def begin_export(export: Export, start: job.Start = job.start) -> bool:
    """Make sure that the export runs or has succeeded, without waiting for a running job.

    :param start: who starts it where it has to be started.
    :returns: True while the job has to be waited for (see `all_status`), False when it is finished.
        Either way `finish_export` comes next.
    :raises DataPumpError: if the job cannot be started.
    """

    def try_once() -> bool:
        settled = _settled(export)
        if _accepted(export, settled) is not None:
            return False
        _start(export, settled, start)
        return True

    return beginning.begin(export.connection, export.planned.job_name, try_once)


def finish_export(export: Export, progress: Progress = silent, poll_seconds: float = 1.0) -> DumpSet:
    """The dump set of a job that was begun; waits for it where it still runs.

    :raises DataPumpError: if it failed, lost a table, or a dump file is not there.
    """
    settled = _settled(export, progress, poll_seconds)
    dump_set = _accepted(export, settled)
    if dump_set is None:
        if settled.verdict.outcome == "succeeded":
            raise dump_files_missing(export.trace, STEP)
        log_file = export.trace.log_file(settled.log_number)
        raise failure(export.planned.job_name, STEP, settled.verdict, log_file)
    progress.report(dump_set.bytes, dump_set.bytes, "bytes", export.planned.job_name)
    return dump_set


def run_export(
    export: Export,
    run_id: str,
    progress: Progress = silent,
    poll_seconds: float = 1.0,
    start: job.Start = job.start,
) -> DumpSet:
    """Export one planned job and wait for its end.

    Repeating it after a kill at any point gives the same dump set; only an unfinished try costs time again.

    :param run_id: only for messages; the job's name already derives from it.
    :raises DataPumpError: see `finish_export`.
    """
    began = time.monotonic()
    started = begin_export(export, start)
    if started:
        settled = _settled(export, progress, poll_seconds)
        if settled.never_ran:  # what ran was an export of other content under this name
            begin_export(export, start)
    dump_set = finish_export(export, progress, poll_seconds)
    progress.report(dump_set.rows, dump_set.rows, "rows", f"{run_id} {STEP} {export.planned.id}")
    # The log counts whole seconds; who has waited for the job knows it better.
    return replace(dump_set, seconds=time.monotonic() - began) if started else dump_set


def drop_dump_files(
    connection: oracledb.Connection, planned: ExportJob, definition: RefreshDefinition
) -> list[str]:
    """Remove a job's dump files from the source's DIRECTORY (its logs stay); the names that were removed."""
    directory = definition.staging.source_directory
    pattern = dump_pattern(planned.dump_file, definition.datapump)
    return files.remove_existing(connection, directory, pattern, planned.parallel)


def _settled(export: Export, progress: Progress = silent, poll_seconds: float = 1.0) -> SettledJob:
    return settle(export.connection, export.trace, progress, poll_seconds)


def _start(export: Export, settled: SettledJob, start: job.Start) -> None:
    """Start anew: a wildcard of the former try may have named more files than this one will."""
    log_file = export.trace.log_file(settled.log_number + 1)
    spec = export_spec(export.planned, export.frozen, export.definition, log_file)
    spec = replace(spec, without_rows=also_matched(export.connection, spec))
    with export.hold():
        drop_dump_files(export.connection, export.planned, export.definition)
    beginning.start_anew(export.connection, spec, start, left=settled.left, hold=export.hold)


def also_matched(connection: oracledb.Connection, spec: JobSpec) -> tuple[TableName, ...]:
    """The other tables that pass in SCHEMA mode, where owners and names are filtered separately."""
    if spec.mode == "TABLE":
        return ()
    names = {name for _, name in spec.tables}
    caught = {
        TableName(owner, name)
        for owner in spec.owners
        for (name,) in rows(connection, statements.TABLES_OF_OWNER, owner=owner)
        if name in names
    }
    return tuple(sorted(caught - set(spec.tables)))


def _accepted(export: Export, settled: SettledJob) -> DumpSet | None:
    """The dump set that the job's log and its files prove, or None."""
    planned, trace, verdict = export.planned, export.trace, settled.verdict
    if verdict.outcome != "succeeded":
        return None
    pattern = dump_pattern(planned.dump_file, export.definition.datapump)
    sizes = dump_file_sizes(export.connection, trace, settled.log_number, [pattern], planned.parallel)
    if sizes is None:
        return None
    return DumpSet(
        job_id=planned.id,
        job_name=planned.job_name,
        scn=export.frozen.scn,
        directory=trace.directory,
        log_file=trace.log_file(settled.log_number),
        files=tuple(DumpFile(name, size) for name, size in sizes.items()),
        tables=tuple(
            TableRows(*table, verdict.rows[table], verdict.bytes[table]) for table in planned.tables
        ),
        seconds=float(verdict.seconds or 0),
    )
