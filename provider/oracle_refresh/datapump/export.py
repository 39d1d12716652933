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
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from oracle_refresh.datapump import files, job, statements
from oracle_refresh.datapump.dumpset import DumpFile, DumpSet, TableRows
from oracle_refresh.datapump.jobspec import JobSpec
from oracle_refresh.datapump.logfile import parse_log
from oracle_refresh.datapump.options import dump_pattern, with_options
from oracle_refresh.datapump.settle import Evidence, JobTrace, failure, settle
from oracle_refresh.definition import RefreshDefinition
from oracle_refresh.oracle.errors import DataPumpError
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.plan.model import ExportJob
from oracle_refresh.run.freeze import Frozen
from oracle_refresh.run.progress import Progress, silent

if TYPE_CHECKING:
    import oracledb

STEP = "export"


@dataclass(frozen=True)
class Export:
    """One planned job at the source, as of the SCN of its run."""

    connection: oracledb.Connection
    planned: ExportJob
    frozen: Frozen
    definition: RefreshDefinition


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
        subqueries=tuple(
            (table, f"WHERE {planned.predicate}") for table in planned.tables if planned.predicate
        ),
        parallel=planned.parallel,
        partitions=tuple((table, planned.partitions) for table in planned.tables if planned.partitions),
    )
    return with_options(spec, definition.datapump)


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
        found = _settled(export)
        if _accepted(export, found) is not None:
            return False
        _start(export, found, start)
        return True

    return job.begin(export.connection, export.planned.job_name, try_once)


def finish_export(export: Export, progress: Progress = silent, poll_seconds: float = 1.0) -> DumpSet:
    """The dump set of a job that was begun; waits for it where it still runs.

    :raises DataPumpError: if it failed, lost a table, or a dump file is not there.
    """
    found = _settled(export, progress, poll_seconds)
    dump_set = _accepted(export, found)
    if dump_set is None:
        log_file = files.log_name(log_stem(export.planned, export.frozen), max(found.log_number, 1))
        if found.verdict.outcome == "succeeded":
            raise DataPumpError(
                "the log reports success, but dump files are missing",
                object_name=export.planned.job_name,
                step=STEP,
                remedy=f"check DIRECTORY {export.definition.staging.source_directory} and who removes files"
                " there",
            )
        raise failure(export.planned.job_name, STEP, found.verdict, log_file)
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
        found = _settled(export, progress, poll_seconds)
        if found.never_ran:  # what ran was an export of other content under this name
            begin_export(export, start)
    dump_set = finish_export(export, progress, poll_seconds)
    progress.report(dump_set.rows, dump_set.rows, "rows", f"{run_id} {STEP} {export.planned.id}")
    # The log counts whole seconds; who has waited for the job knows it better.
    return replace(dump_set, seconds=time.monotonic() - began) if started else dump_set


def drop_dump_files(
    connection: oracledb.Connection, planned: ExportJob, definition: RefreshDefinition
) -> list[str]:
    """Remove a job's dump files from the source's DIRECTORY (its logs stay); the names that were removed.

    The last one goes first: files are found up to the first gap, so a kill must not leave one.
    """
    directory = definition.staging.source_directory
    pattern = dump_pattern(planned.dump_file, definition.datapump)
    found = files.existing(connection, directory, pattern, planned.parallel)
    return [name for name in reversed(found) if files.remove(connection, directory, name)]


def _settled(export: Export, progress: Progress = silent, poll_seconds: float = 1.0) -> Evidence:
    directory, stem = export.definition.staging.source_directory, log_stem(export.planned, export.frozen)
    trace = JobTrace(export.planned.job_name, directory, stem, export.planned.tables)
    return settle(export.connection, trace, progress, poll_seconds)


def _start(export: Export, found: Evidence, start: job.Start) -> None:
    """Start anew: a wildcard of the former try may have named more files than this one will."""
    drop_dump_files(export.connection, export.planned, export.definition)
    spec = export_spec(
        export.planned,
        export.frozen,
        export.definition,
        files.log_name(log_stem(export.planned, export.frozen), found.log_number + 1),
    )
    caught = caught_besides(export.connection, spec)
    if caught:
        spec = replace(spec, without_rows=caught)
    job.start_anew(export.connection, spec, start, left=found.left)


def caught_besides(connection: oracledb.Connection, spec: JobSpec) -> tuple[TableName, ...]:
    """The other tables that pass in SCHEMA mode, where owners and names are filtered separately."""
    if spec.mode == "TABLE":
        return ()
    names = {name for _, name in spec.tables}
    with connection.cursor() as cursor:
        caught: set[TableName] = set()
        for owner in spec.owners:
            cursor.execute(statements.TABLES_OF_OWNER, owner=owner)
            caught |= {TableName(owner, str(name)) for (name,) in cursor if name in names}
    return tuple(sorted(caught - set(spec.tables)))


def _accepted(export: Export, found: Evidence) -> DumpSet | None:
    """The dump set that the evidence proves, or None."""
    if found.verdict.outcome != "succeeded":
        return None
    directory = export.definition.staging.source_directory
    log_file = files.log_name(log_stem(export.planned, export.frozen), found.log_number)
    text = files.read_text(export.connection, directory, log_file)
    named = parse_log(text or "").dump_files or tuple(
        files.existing(
            export.connection,
            directory,
            dump_pattern(export.planned.dump_file, export.definition.datapump),
            export.planned.parallel,
        )
    )
    sizes = {name: files.file_size(export.connection, directory, name) for name in named}
    if not sizes or not all(sizes.values()):
        return None
    rows = found.verdict.rows
    return DumpSet(
        job_id=export.planned.id,
        job_name=export.planned.job_name,
        scn=export.frozen.scn,
        directory=directory,
        log_file=log_file,
        files=tuple(DumpFile(name, size) for name, size in sizes.items() if size),
        tables=tuple(
            TableRows(*table, rows[table], found.verdict.bytes[table]) for table in export.planned.tables
        ),
        seconds=float(found.verdict.seconds or 0),
    )
