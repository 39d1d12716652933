"""The import's handling of one master row: metadata by its DDL, table data by COPY."""

from __future__ import annotations

import itertools
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
from psycopg import sql

from localoracle.datapump import logfile, plan
from localoracle.datapump.definition import SQL_FILE
from localoracle.datapump.errors import below, stack
from localoracle.datapump.load import load_rows
from localoracle.datapump.master import DONE, READY, SKIPPED, Row
from localoracle.datapump.metadata import Ddl, remapped
from localoracle.datapump.plan import skip_dependents
from localoracle.datapump.resumable import SpaceGate
from localoracle.datapump.selection import Connection
from localoracle.datapump.source import FileSource, NetworkSource, Source
from localoracle.datapump.workers import Worker, move_all
from localoracle.errors import OracleError
from localoracle.postgres import interval_partitions
from localoracle.postgres.errors import oracle_error
from localoracle.sql.parsing.lexer import quote_qualified

if TYPE_CHECKING:
    from localoracle.datapump.job import Job

_IN_PROGRESS = "P"
_EXISTS = {955, 2260, 2261, 2264, 2275, 1408, 4081}
"""Codes that say that an object is already there."""
_ACTIONS = {
    "APPEND": "Data will be appended to existing table but all dependent metadata will be skipped "
    "due to table_exists_action of append",
    "TRUNCATE": "Data will be loaded but all dependent metadata will be skipped due to "
    "table_exists_action of truncate",
}


async def run_import(job: Job, connection: Connection) -> None:
    """An IMPORT or SQL_FILE job from its first message to its last."""
    source = await _source(job)
    try:
        await _import(job, connection, source)
    finally:
        await source.close()


async def _source(job: Job) -> Source:
    if job.definition.remote_link is not None:
        return await NetworkSource.open(job)
    return FileSource(job, await plan.open_set(job.definition, job.password))


async def _import(job: Job, connection: Connection, source: Source) -> None:
    if source.network:
        job.starting()
    job.rows = await job.master.rows(connection) if job.restarted else []
    if not job.rows:
        job.rows = await source.master_rows(connection)
        await job.master.add(connection, job.rows)
    if source.network:
        _show_estimate(job)
    else:
        job.control_table_moved()
        job.starting()
    if not job.rows:
        job.report(stack((31655,)))
    sql_file = job.definition.file(SQL_FILE)
    importer = Importer(job, connection, source, Path(sql_file.path) if sql_file else None)
    try:
        before = [row for row in job.rows if row.kind in plan.BEFORE_DATA]
        after = [row for row in job.rows if row.kind not in plan.BEFORE_DATA and row.data is None]
        for row in before:
            if row.kind == "TRUNCATE":
                await importer.before(row)
        await _each_path(job, [row for row in before if row.kind != "TRUNCATE"], importer.before)
        if job.definition.operation == "IMPORT":
            data = [row for row in job.rows if row.data is not None and row.state == READY]
            job.processing([row.path for row in data])
            began = time.monotonic()
            await move_all(job, data, importer.load, None)
            for path in dict.fromkeys(row.path for row in data):
                done = sum(row.state == DONE for row in data if row.path == path)
                job.completed(path, done, time.monotonic() - began)
        if job.stopping is not None:
            return
        await _each_path(job, [row for row in after if row.state != SKIPPED], importer.after)
    finally:
        await importer.close()
    await job.set_state("COMPLETING")
    job.complete()


async def _each_path(job: Job, rows: list[Row], work: Callable[[Row], Awaitable[None]]) -> None:
    """Process metadata, one object type after the other."""
    for path, group in itertools.groupby(rows, key=lambda row: row.path):
        job.processing([path])
        began = time.monotonic()
        count = 0
        for row in group:
            count += row.state not in (DONE, SKIPPED)
            await work(row)
        job.completed(path.rpartition("/")[2], count, time.monotonic() - began)


def _show_estimate(job: Job) -> None:
    """What a network import says in place of the master table."""
    if job.restarted:
        return
    method = job.definition.parameter("ESTIMATE", "BLOCKS")
    data = [row for row in job.rows if row.data is not None]
    job.emit(f"{job.prefix()}Estimate in progress using {method} method...")
    job.processing([row.path for row in data])
    number, unit = logfile.size(sum(row.data.bytes for row in data if row.data))
    job.emit(f"Total estimation using {method} method: {number} {unit}")


class Importer:
    """Works for one IMPORT or SQL_FILE job; `sql_file` receives the DDL instead of the database."""

    def __init__(self, job: Job, connection: Connection, source: Source, sql_file: Path | None) -> None:
        self._job = job
        self._definition = job.definition
        self._connection = connection
        self._source = source
        self._ddl = Ddl(job.pump.database)
        self._sql = open(sql_file, "w", encoding="utf-8") if sql_file else None  # noqa: SIM115

    async def close(self) -> None:
        await self._ddl.close()
        if self._sql is not None:
            self._sql.close()

    async def before(self, row: Row) -> None:
        """A sequence, a table, or the emptying of one."""
        if row.state in (DONE, SKIPPED):
            return
        if self._sql is not None or row.kind in ("SEQUENCE", "NOT_NULL"):
            await self.after(row)
        elif row.kind == "TRUNCATE":
            await self._truncate(row)
        else:
            await self._table(row)

    async def after(self, row: Row) -> None:
        """Any object that its DDL makes. What exists already, or fails, is reported and counted."""
        if row.state in (DONE, SKIPPED):
            return
        ddl = remapped(self._definition, row)
        if self._sql is not None:
            self._sql.write(f"-- new object type path: {row.path}\n{ddl.rstrip().rstrip(';')};\n")
            return
        resumed = row.state == _IN_PROGRESS
        await self._mark(row, _IN_PROGRESS)
        try:
            await self._ddl.run(ddl, self._definition.new_schema(row.schema))
        except OracleError as error:
            if error.code in _EXISTS:
                if not resumed:
                    self._job.report(stack((31684, self._title(row))))
            else:
                self._failed(row, error, ddl)
                await self._mark(row, SKIPPED)
                return
        await self._mark(row, DONE)

    async def load(self, connection: Connection, worker: Worker, row: Row) -> str:
        """Load one table data object and record it, in one transaction."""
        while True:
            try:
                return await self._load(connection, worker, row)
            except OracleError as error:
                added = await interval_partitions.add_missing_to_load(connection, error)
                if not added and not await self._ddl.revalidated(error):
                    raise

    async def _load(self, connection: Connection, worker: Worker, row: Row) -> str:
        data = row.data
        assert data is not None
        definition = self._definition
        schema, table = definition.target_table(row.schema, row.name)
        began = time.monotonic()
        row_count, row.state = data.rows, DONE
        try:
            gate = await SpaceGate.of(connection, self._job, worker, (schema, table, data.partition))
            async with connection.transaction():
                rows = self._source.rows_of(data)
                loaded = await load_rows(connection, definition, data, (schema, table), rows, gate)
                data.rows = loaded.rows
                await self._job.master.mark(connection, row, time.monotonic() - began)
        except BaseException:
            data.rows, row.state = row_count, READY
            raise
        worker.rows, worker.bytes = worker.rows + loaded.rows, worker.bytes + data.bytes
        title = f'"{schema}"."{table}"' + (f':"{data.partition}"' if data.partition else "")
        text = logfile.moved(
            "imported",
            title,
            None if self._source.network else data.bytes,
            loaded.rows,
            rejected=loaded.rejected,
            metrics=self._job.metrics(time.monotonic() - began, self._source.method),
        )
        if loaded.unfit:
            text = "\n".join([*self._unfit(schema, table, loaded.unfit), text])
        if loaded.reason:
            refused = loaded.rejected - len(loaded.unfit)
            text += f"\n{refused} row(s) were rejected with the following error: \n{loaded.reason}"
        return text

    def _unfit(self, schema: str, table: str, rejected: Iterable[str]) -> Iterator[str]:
        """What the log says of rows whose values do not fit into their columns; the job goes on without them.

        External tables have messages of their own (Error Messages 19c, ORA-02372 and KUP-11009).
        """
        external = self._definition.load_method == "external_table"
        error, shown = ("KUP-11007", "KUP-11009") if external else ("ORA-02374", "ORA-02372")
        for each in rejected:
            cause, _, values = each.partition("\n")
            yield f'{error}: conversion error loading table "{schema}"."{table}"'
            yield cause
            yield f"{shown}: data for row: {values}"

    async def _table(self, row: Row) -> None:
        definition = self._definition
        schema, table = definition.target_table(row.schema, row.name)
        present = await (
            await self._connection.execute(
                "SELECT to_regclass(format('%%I.%%I', %s::text, %s::text)) IS NOT NULL", [schema, table]
            )
        ).fetchone()
        exists = bool(present and present[0]) and row.state != _IN_PROGRESS
        action = definition.table_exists_action
        if exists and action == "REPLACE":
            dropped = quote_qualified(schema, table)
            await self._ddl.run(f"DROP TABLE {dropped} CASCADE CONSTRAINTS PURGE", schema)
            exists = False
        if not exists:
            await self._create(row)
            return
        title = f'"{schema}"."{table}"'
        if action == "SKIP":
            self._job.report(stack((39151, title)))
        else:
            what = "exists and has been truncated" if action == "TRUNCATE" else "exists"
            self._job.emit(f"Table {title} {what}. {_ACTIONS[action]}")
        changed = skip_dependents(self._job.rows, row, data=action == "SKIP")
        async with self._connection.transaction():
            if action == "TRUNCATE":
                await self._connection.execute(sql.SQL("TRUNCATE {}").format(sql.Identifier(schema, table)))
            for other in changed:
                await self._job.master.mark(self._connection, other, 0)
            await self._mark(row, SKIPPED)

    async def _create(self, row: Row) -> None:
        resumed = row.state == _IN_PROGRESS
        await self._mark(row, _IN_PROGRESS)
        ddl = remapped(self._definition, row)
        try:
            await self._ddl.run(ddl, self._definition.new_schema(row.schema))
        except OracleError as error:
            if not (resumed and error.code in _EXISTS):
                self._failed(row, error, ddl)
                async with self._connection.transaction():
                    for other in skip_dependents(self._job.rows, row, data=True):
                        await self._job.master.mark(self._connection, other, 0)
                    await self._mark(row, SKIPPED)
                return
        await self._mark(row, DONE)

    async def _truncate(self, row: Row) -> None:
        definition = self._definition
        schema, table = definition.target_table(row.schema, row.name)
        try:
            async with self._connection.transaction():
                await self._connection.execute(sql.SQL("TRUNCATE {}").format(sql.Identifier(schema, table)))
                await self._mark(row, DONE)
        except psycopg.errors.UndefinedTable:
            await self._mark(row, DONE)  # loading it will say so
        except psycopg.Error as error:
            reason = oracle_error(error)
            if "referenced in a foreign key" in str(error):
                reason = OracleError(2266, "unique/primary keys in table referenced by enabled foreign keys")
            self._job.report(below(reason, (39120, f'"{schema}"."{table}"')))
            async with self._connection.transaction():
                base = Row(0, row.path, row.kind, row.schema, row.name, row.name)
                for other in skip_dependents(self._job.rows, base, data=True):
                    await self._job.master.mark(self._connection, other, 0)

    def _title(self, row: Row) -> str:
        kind = "CONSTRAINT" if row.kind == "NOT_NULL" else row.kind
        return f'{kind}:"{self._definition.new_schema(row.schema)}"."{row.name}"'

    def _failed(self, row: Row, error: OracleError, ddl: str) -> None:
        self._job.report(stack((39083, self._title(row), f"ORA-{error.code:05d}: {error.text}", ddl)))

    async def _mark(self, row: Row, state: str) -> None:
        row.state = state
        await self._job.master.mark(self._connection, row, 0)
