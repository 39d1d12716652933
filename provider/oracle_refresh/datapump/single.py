"""One job that stands alone, outside any refresh: begun once and finished, however often it is asked for.

There is no ledger beside it, so only the job and its logs show what a former try did. An export may
always be repeated. An import may be repeated when it begins by emptying or replacing its tables, or when its
log shows that it moved no row; otherwise repeating it could double rows, and it is refused.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING

from oracle_refresh.datapump import beginning, job
from oracle_refresh.datapump.jobspec import JobSpec
from oracle_refresh.datapump.settle import (
    JobTrace,
    SettledJob,
    dump_file_sizes,
    dump_files_missing,
    failure,
    settle,
)
from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.errors import DataPumpError
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.run.progress import Progress, silent

if TYPE_CHECKING:
    import oracledb

TASK_LETTERS = 12


@dataclass(frozen=True)
class JobResult(Jsonable):
    """A job that succeeded. `files` are an export's dump files with their bytes, `seconds` the log's."""

    job: str
    verdict: str
    directory: str
    log_file: str
    rows: dict[str, int] = field(hash=False)
    files: dict[str, int] = field(hash=False)
    seconds: float
    scn: int | None


def job_name(dag_id: str, run_id: str, task_id: str, map_index: int) -> str:
    """The name of a task's job: `DP_<task>_<12 hexadecimal digits>`, at most 28 characters."""
    text = f"{dag_id}\0{run_id}\0{task_id}\0{map_index}"
    digest = hashlib.sha256(text.encode()).hexdigest()[:12].upper()
    return f"DP_{re.sub('[^A-Z0-9]+', '_', task_id.upper())[:TASK_LETTERS]}_{digest}"


def log_stem(spec: JobSpec) -> str:
    """Names the logs of the job. An export of other content is another export; an import never is.

    The SCN does not count: a repeated try that asked for the rows of now accepts those of its former try.
    """
    stem = spec.job_name.lower()
    if spec.operation == "IMPORT":
        return stem
    content = asdict(replace(spec, scn=None, log_file=""))
    return f"{stem}_{hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:8]}"


def begin(connection: oracledb.Connection, spec: JobSpec, start: job.Start = job.start) -> bool:
    """Make sure that the job runs or has succeeded, without waiting for a running one.

    A try that stood still since it had looked neither moves rows again nor writes over files, if another one
    has run the job meanwhile: it asks for that with the job's name taken (`beginning`). Two moments remain,
    which only a refresh closes, by its ledger (`run.possession`): with the runner `client` it asks before the
    client takes the name; and between the look at a stopped job and its end another try may have started that
    again, which is ended with it.

    :returns: True while it has to be waited for. Either way `finish` comes next.
    :raises DataPumpError: if it cannot be started, or must not be because rows could be doubled.
    """

    def try_once() -> bool:
        settled = _settled(connection, spec)
        if settled.verdict.outcome == "succeeded" and _files(connection, spec, settled) is not None:
            return False
        _require_repeatable(spec, settled)
        log_file = trace(spec).log_file(settled.log_number + 1)
        beginning.start_anew(connection, replace(spec, log_file=log_file), start, left=settled.left)
        return True

    return beginning.begin(connection, spec.job_name, try_once)


def finish(
    connection: oracledb.Connection, spec: JobSpec, progress: Progress = silent, poll_seconds: float = 1.0
) -> JobResult:
    """The result of a job that was begun; waits for it where it still runs. May be repeated.

    :raises DataPumpError: if it did not succeed, or an export's files are not there.
    """
    settled = _settled(connection, spec, progress, poll_seconds)
    log_file = trace(spec).log_file(settled.log_number)
    if settled.verdict.outcome != "succeeded":
        raise failure(spec.job_name, spec.operation.lower(), settled.verdict, log_file)
    sizes = _files(connection, spec, settled)
    if sizes is None:
        raise dump_files_missing(trace(spec), spec.operation.lower())
    rows = sum(settled.verdict.rows.values())
    progress.report(rows, rows, "rows", spec.job_name)
    return JobResult(
        job=spec.job_name,
        verdict=settled.verdict.outcome,
        directory=spec.directory,
        log_file=log_file,
        rows={table.key: rows for table, rows in sorted(settled.verdict.rows.items())},
        files=sizes,
        seconds=float(settled.verdict.seconds or 0),
        scn=spec.scn,
    )


def trace(spec: JobSpec) -> JobTrace:
    return JobTrace(spec.job_name, spec.directory, log_stem(spec), expected(spec))


def expected(spec: JobSpec) -> tuple[TableName, ...]:
    """The tables that the log has to name, by the names they have at the end."""
    if spec.content == "METADATA_ONLY":
        return ()
    owners, names = dict(spec.remap_schema), dict(spec.remap_table)
    return tuple(
        TableName(owners.get(table.owner, table.owner), names.get(table, table.name)) for table in spec.tables
    )


def _settled(
    connection: oracledb.Connection, spec: JobSpec, progress: Progress = silent, poll_seconds: float = 1.0
) -> SettledJob:
    return settle(connection, trace(spec), progress, poll_seconds)


def _files(connection: oracledb.Connection, spec: JobSpec, settled: SettledJob) -> dict[str, int] | None:
    """An export's dump files with their bytes, None when one of them is gone; an import has none."""
    if spec.operation == "IMPORT":
        return {}
    number = settled.log_number
    return dump_file_sizes(connection, trace(spec), number, spec.dump_files, spec.parallel)


def _require_repeatable(spec: JobSpec, settled: SettledJob) -> None:
    if (
        spec.operation == "EXPORT"
        or settled.never_ran
        or spec.content == "METADATA_ONLY"
        or spec.table_exists_action in ("TRUNCATE", "REPLACE")
        or (settled.verdict.outcome == "failed" and not settled.verdict.rows and not settled.restarted)
    ):
        return
    log_file = trace(spec).log_file(settled.log_number)
    raise DataPumpError(
        f"a former try may have loaded rows, and with table_exists_action {spec.table_exists_action} a"
        " repetition could double them",
        codes=(),
        object_name=spec.job_name,
        step="import",
        remedy=f"read {log_file} in {spec.directory}; empty the tables, then import them in a new DAG run,"
        " or use table_exists_action TRUNCATE or REPLACE",
    )
