"""A filter that names a thousand tables is longer than a VARCHAR2."""

from __future__ import annotations

import oracledb

from oracle_refresh.datapump import job
from oracle_refresh.datapump.jobspec import JobSpec
from oracle_refresh.oracle.identifiers import TableName
from support.waiting import until


def test_a_job_of_a_thousand_tables_starts(source: oracledb.Connection) -> None:
    thousand = JobSpec(
        operation="EXPORT",
        job_name="THOUSAND",
        directory="DATA_PUMP_DIR",
        dump_files=("thousand.dmp",),
        log_file="thousand.log",
        tables=tuple(TableName("TEST", f"T{number:05}") for number in range(1000)),
    )
    job.start(source, thousand)
    left = "SELECT COUNT(*) FROM DBA_DATAPUMP_JOBS WHERE JOB_NAME = 'THOUSAND' AND STATE <> 'NOT RUNNING'"
    with source.cursor() as cursor:
        until(lambda: cursor.execute(left).fetchone() == (0,))
