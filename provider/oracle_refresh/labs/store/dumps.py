"""LINEITEM out of the database into dump files in the store, and back into another table, by Data Pump."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from oracle_refresh.datapump import files, job
from oracle_refresh.datapump.jobspec import JobSpec
from oracle_refresh.datapump.settle import JobTrace, failure, settle
from oracle_refresh.labs.store import statements
from oracle_refresh.labs.store.loading import IMPORTED, LOADED, drop_table, table_name
from oracle_refresh.labs.store.model import Calibration, Phase
from oracle_refresh.labs.store.plan import STEP
from oracle_refresh.oracle.errors import StagingError
from oracle_refresh.oracle.identifiers import Identifier, TableName
from oracle_refresh.oracle.session import execute, scalar
from oracle_refresh.run.progress import Progress, silent

if TYPE_CHECKING:
    import oracledb

POLL_SECONDS = 0.1


def specs(plan: Calibration, owner: str) -> tuple[JobSpec, JobSpec]:
    """Export and import; pure."""
    table = TableName(owner, table_name(plan, LOADED))
    names = [f"REFRESH$CAL_{plan.mark}_{what}".upper() for what in ("EXP", "IMP")]
    return (
        JobSpec(
            operation="EXPORT",
            job_name=names[0],
            directory=plan.directory,
            dump_files=(f"cal_{plan.mark}_%U.dmp",),
            log_file=files.log_name(_stem(plan, "exp"), 1),
            tables=(table,),
            parallel=plan.flat_files,
        ),
        JobSpec(
            operation="IMPORT",
            job_name=names[1],
            directory=plan.directory,
            dump_files=(f"cal_{plan.mark}_%U.dmp",),
            log_file=files.log_name(_stem(plan, "imp"), 1),
            tables=(table,),
            parallel=plan.flat_files,
            remap_table=((table, table_name(plan, IMPORTED)),),
            # Nobody else loads into this table: direct path is what a user would have.
            disable_append_hint=False,
        ),
    )


def _stem(plan: Calibration, what: str) -> str:
    return f"cal_{plan.mark}_{what}"


def measure_dumps(
    connection: oracledb.Connection, plan: Calibration, rows: int, progress: Progress = silent
) -> tuple[Phase, Phase]:
    """Export the loaded table and import it again; what a former try has left is removed first.

    :param rows: of the table.
    :raises DataPumpError: if a job fails.
    :raises StagingError: if not all rows come back.
    """
    owner = current_user(connection)
    clean_dumps(connection, plan, owner)
    exporting, importing = specs(plan, owner)
    exported = _run(connection, exporting, _stem(plan, "exp"), progress)
    size = sum(
        files.file_size(connection, plan.directory, name) or 0
        for name in files.existing(connection, plan.directory, exporting.dump_files[0])
    )
    imported_table = table_name(plan, IMPORTED)
    drop_table(connection, imported_table)
    execute(connection, statements.CREATE_TABLE.format(table=Identifier(imported_table).sql))
    imported = _run(connection, importing, _stem(plan, "imp"), progress)
    arrived = scalar(connection, statements.ROWS.format(table=Identifier(imported_table).sql))
    if arrived != rows:
        raise StagingError(
            f"{arrived} rows were imported of {rows} that were exported",
            object_name=imported_table,
            step=STEP,
        )
    return Phase("export dump", exported, size, rows), Phase("import dump", imported, size, rows)


def clean_dumps(connection: oracledb.Connection, plan: Calibration, owner: str) -> None:
    """End the jobs that are still there, and remove dump files and logs. May be repeated."""
    jobs = specs(plan, owner)
    job.discard_all(connection, [spec.job_name for spec in jobs])
    for pattern in (jobs[0].dump_files[0], *(spec.log_file for spec in jobs)):
        # The last one first: files are found up to the first gap, so a kill must not leave one.
        for name in reversed(files.existing(connection, plan.directory, pattern, plan.flat_files)):
            files.remove(connection, plan.directory, name)


def current_user(connection: oracledb.Connection) -> str:
    return str(scalar(connection, statements.CURRENT_USER))


def _run(connection: oracledb.Connection, spec: JobSpec, stem: str, progress: Progress) -> float:
    """Seconds from the job's start to its end."""
    began = time.monotonic()
    job.start(connection, spec)
    renamed = dict(spec.remap_table)
    expected = [TableName(table.owner, renamed.get(table, table.name)) for table in spec.tables]
    trace = JobTrace(spec.job_name, spec.directory, stem, expected)
    verdict = settle(connection, trace, progress, POLL_SECONDS).verdict
    seconds = time.monotonic() - began
    if verdict.outcome != "succeeded":
        raise failure(spec.job_name, STEP, verdict, spec.log_file)
    return seconds
