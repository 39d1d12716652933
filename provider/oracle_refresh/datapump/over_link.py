"""A shard's way without dump files: the import on the target reads the source over a database link.

The job's filters work at the source's end and the rows are read AS OF the SCN, so what a shard holds can be
counted there before anything is moved; exactly-once loading rests on that number as it does on an export's.
Source: "Using the Network Import Mode" and NETWORK_LINK in Oracle Database Utilities 19c.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from oracle_refresh.datapump import statements
from oracle_refresh.datapump.dumpset import DumpSet, StagedSet, TableRows
from oracle_refresh.datapump.jobspec import JobSpec, TableName
from oracle_refresh.datapump.options import with_options
from oracle_refresh.definition import RefreshDefinition
from oracle_refresh.freeze import Frozen
from oracle_refresh.oracle.errors import from_oracle
from oracle_refresh.oracle.identifiers import Identifier, qualified, table_key
from oracle_refresh.plan.model import ExportJob

if TYPE_CHECKING:
    import oracledb

STEP = "count"


def link_spec(
    planned: ExportJob,
    scn: int,
    definition: RefreshDefinition,
    log_file: str,
    tables: tuple[TableName, ...] = (),
    without_rows: tuple[TableName, ...] = (),
) -> JobSpec:
    """The network import of some (by default all) tables of a planned job; pure."""
    wanted = tables or planned.tables
    spec = JobSpec(
        operation="IMPORT",
        job_name=planned.job_name,
        directory=definition.staging.target_directory,
        dump_files=(),
        log_file=log_file,
        tables=wanted,
        scn=scn,
        subqueries=tuple((table, f"WHERE {planned.predicate}") for table in wanted if planned.predicate),
        partitions=tuple((table, planned.partitions) for table in wanted if planned.partitions),
        without_rows=without_rows,
        parallel=planned.parallel,
        remote_link=definition.datapump.database_link,
    )
    return with_options(spec, definition.datapump)


def expected_set(source: oracledb.Connection, planned: ExportJob, frozen: Frozen) -> DumpSet:
    """A dump set without files: the rows that the job has to move, counted at the source as of the SCN.

    :raises DataPumpError: if they cannot be counted, as when undo of that SCN is gone.
    """
    began = time.monotonic()
    return DumpSet(
        job_id=planned.id,
        job_name=planned.job_name,
        scn=frozen.scn,
        directory="",
        log_file="",
        files=(),
        tables=tuple(
            TableRows(*table, rows=_count(source, planned, table, frozen.scn), bytes=0)
            for table in planned.tables
        ),
        seconds=time.monotonic() - began,
    )


def nothing_to_stage(dump_set: DumpSet, definition: RefreshDefinition) -> StagedSet:
    """What stands for the staged files where there are none."""
    return StagedSet(dump_set, definition.staging.target_directory, (), 0.0)


def _count(source: oracledb.Connection, planned: ExportJob, table: TableName, scn: int) -> int:
    where = f" WHERE {planned.predicate}" if planned.predicate else ""
    parts = [f" PARTITION ({Identifier(name).sql})" for name in planned.partitions] or [""]
    rows = 0
    with source.cursor() as cursor:
        for part in parts:
            statement = statements.COUNT_AS_OF.format(table=qualified(*table), part=part, where=where)
            try:
                cursor.execute(statement, scn=scn)
            except Exception as error:
                raise from_oracle(error, step=STEP, object_name=table_key(*table)) from error
            (count,) = cursor.fetchone() or (0,)
            rows += int(count)
    return rows
