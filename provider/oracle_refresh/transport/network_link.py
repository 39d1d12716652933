"""Rows over a database link, without dump files: the import on the target reads the source.

The job's filters work at the source's end and the rows are read AS OF the SCN, so what a shard holds can be
counted there before anything is moved; exactly-once loading rests on that number as it does on an export's.
Source: "Using the Network Import Mode" and NETWORK_LINK in Oracle Database Utilities 19c.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from typing import TYPE_CHECKING

from oracle_refresh.datapump import statements
from oracle_refresh.datapump.dumpset import DumpSet, TableRows
from oracle_refresh.definition.transports import Transport
from oracle_refresh.oracle.identifiers import Identifier, TableName
from oracle_refresh.oracle.session import scalar, translated
from oracle_refresh.transport.base import Obstacle, RowTransport

if TYPE_CHECKING:
    import oracledb

    from oracle_refresh.definition import RefreshDefinition
    from oracle_refresh.plan.model import ExportJob
    from oracle_refresh.run.freeze import Frozen

STEP = "count"


class NetworkLink(RowTransport):
    """Data Pump's own way between two databases."""

    name = Transport.NETWORK_LINK
    dump_files = False
    excludes_others = Obstacle(
        "the definition moves rows over a database link, without dump files",
        "climb with datapump.transport: dump_files, if it is wanted",
    )

    def obstacle(self, definition: RefreshDefinition, granted: Collection[str]) -> Obstacle:
        return Obstacle(
            "the definition moves rows in dump files",
            "climb with datapump.transport: network_link and datapump.database_link, if it is wanted",
        )


TRANSPORT = NetworkLink()


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


def _count(source: oracledb.Connection, planned: ExportJob, table: TableName, scn: int) -> int:
    where = f" WHERE {planned.predicate}" if planned.predicate else ""
    parts = [f" PARTITION ({Identifier(name).sql})" for name in planned.partitions] or [""]
    counts = [statements.COUNT_AS_OF.format(table=table.sql, part=part, where=where) for part in parts]
    with translated(STEP, table.key):
        return sum(int(scalar(source, count, scn=scn)) for count in counts)
