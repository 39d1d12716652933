"""The job that a shard is without dump files: the import on the target reads the source over a database link.

Source: "Using the Network Import Mode" and NETWORK_LINK in Oracle Database Utilities 19c.
"""

from __future__ import annotations

from oracle_refresh.datapump.jobspec import JobSpec
from oracle_refresh.datapump.options import with_options
from oracle_refresh.definition import RefreshDefinition
from oracle_refresh.oracle.identifiers import TableName
from oracle_refresh.plan.model import ExportJob


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
