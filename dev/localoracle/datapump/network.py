"""An import over a database link: what there is at the other end, and its rows without dump files.

Names are chosen here by the job's filters; rows are read there, with the query of a SUBQUERY filter, of
one partition, as of FLASHBACK_SCN (Oracle Database Utilities, "Network Considerations").
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import oracledb
import psycopg
from psycopg import sql

from localoracle.datapump import fetching, selection, stream
from localoracle.datapump.definition import Definition
from localoracle.datapump.master import Row
from localoracle.datapump.plan import BEFORE_DATA, emptied, numbered
from localoracle.datapump.remote import Remote
from localoracle.datapump.remote_metadata import RemoteMetadata
from localoracle.datapump.selection import (
    PATHS,
    SCHEMA_ONLY,
    Connection,
    Report,
    Table,
    TableData,
)
from localoracle.instance.links import remote_errors
from localoracle.postgres.errors import oracle_error
from localoracle.tasks import in_thread


async def import_rows(
    connection: Connection, definition: Definition, remote: Remote, report: Report
) -> list[Row]:
    """The job's master rows: metadata as the other end describes it, table data, largest first."""
    existing = await in_thread(remote.schemas)
    chosen = await selection.schemas(connection, definition, existing, report)
    tables = await _tables(connection, definition, remote, chosen, report)
    available = {
        selection.path(definition, kind)
        for kind in PATHS
        if definition.mode in ("SCHEMA", "FULL") or kind not in SCHEMA_ONLY
    }
    if not definition.include_metadata:
        available = {selection.path(definition, "TABLE_DATA"), selection.path(definition, "TABLE")}
    paths = await selection.paths(connection, definition, available)
    data_path = selection.path(definition, "TABLE_DATA")
    data = [
        Row(0, data_path, "TABLE_DATA", item.schema, item.name, item.name, data=item)
        for table in (tables if data_path in paths else [])
        if definition.data_filter("INCLUDE_ROWS", table.schema, table.name) != 0
        for item in table.data
    ]
    data.sort(key=lambda row: -row.data.bytes if row.data else 0)
    if not definition.include_metadata:
        return numbered(emptied(definition, data))
    metadata = RemoteMetadata(connection, definition, remote, report)
    rows = await metadata.collect(chosen, tables, paths)
    return numbered(
        [row for row in rows if row.kind in BEFORE_DATA]
        + data
        + [row for row in rows if row.kind not in BEFORE_DATA]
    )


async def _tables(
    connection: Connection, definition: Definition, remote: Remote, chosen: list[str], report: Report
) -> list[Table]:
    """The chosen tables with their table data objects; temporary tables have none."""
    listed = await in_thread(lambda: remote.tables(chosen))
    tables = []
    for schema in chosen:
        names = [name for owner, name, _ in listed if owner == schema]
        wanted = await selection.named(
            connection, definition, names, selection.path(definition, "TABLE"), report, schema
        )
        tables += [
            Table(owner, name, 0, temporary)
            for owner, name, temporary in listed
            if owner == schema and name in wanted
        ]
    columns = await in_thread(lambda: remote.columns(chosen)) if tables else {}
    partitions = await in_thread(lambda: remote.partitions(chosen)) if tables else {}
    sizes = await in_thread(lambda: remote.sizes(chosen)) if tables else {}
    for table in tables:
        key = table.schema, table.name
        parts: list[str | None] = list(partitions.get(key, []))
        if parts:
            names = [part for part in parts if part]
            wanted = await selection.partitions(connection, definition, *key, names)
            parts = [part for part in parts if part in wanted]
        if not table.temporary:
            table.data = [
                TableData(*key, part, 0, columns.get(key, []), sizes.get((*key, part), 0))
                for part in parts or ([] if key in partitions else [None])
            ]
    return tables


def select(definition: Definition, data: TableData) -> str:
    """The query that the other end runs for a table data object. Raises as fetching.expression."""
    outputs = ", ".join(
        fetching.expression(f'KU$."{name}"', kind, data.title()) for name, kind in data.columns
    )
    part = f' PARTITION ("{data.partition}")' if data.partition else ""
    scn = definition.parameter("FLASHBACK_SCN")
    as_of = f" AS OF SCN {scn}" if scn else ""
    subquery = definition.data_filter("SUBQUERY", data.schema, data.name)
    clause = f" {subquery}" if subquery else ""
    return f'SELECT {outputs} FROM "{data.schema}"."{data.name}"{part}{as_of} KU${clause}'


class RemoteRows:
    """Fills a table with the rows of one table data object at the other end (load.RowSource)."""

    checks_types = False
    rejects_rows = False

    def __init__(self, remote: Remote, definition: Definition, data: TableData, pipes: Path) -> None:
        self._remote = remote
        self._statement = select(definition, data)
        self._kinds = [kind for _, kind in data.columns]
        self._pipes = pipes
        self._connection: oracledb.Connection | None = None

    async def copy(self, connection: Connection, target: sql.Composable, gate: stream.Gate) -> int:
        """COPY the rows into `target` within the caller's transaction; how many there were."""
        async with stream.supplying(self._pipes, self._send, gate) as transfer:
            try:
                cursor = await transfer.run(
                    connection.execute(
                        sql.SQL("COPY {} FROM {} (HEADER)").format(target, sql.Literal(str(transfer.path)))
                    )
                )
                await transfer.finished()
            except psycopg.Error as error:
                self._interrupt()
                if connection.closed:
                    raise
                raise await transfer.failure() or oracle_error(error) from error
            except BaseException:
                self._interrupt()
                raise
        return cursor.rowcount

    def _send(self, send: fetching.Send) -> None:
        connection = self._connection = self._remote.acquire()
        usable = False
        try:
            with remote_errors(self._remote.link):
                fetching.send_rows(connection, self._statement, self._kinds, send)
            usable = True
        finally:
            self._connection = None
            self._remote.release(connection, usable=usable)

    def _interrupt(self) -> None:
        """Break a call at the other end that a thread waits for."""
        connection: Any = self._connection
        if connection is not None:
            with suppress(oracledb.Error, OSError, AttributeError):
                connection.cancel()
