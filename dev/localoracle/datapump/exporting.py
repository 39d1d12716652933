"""An export: unload what was selected, then number and seal the dump files."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from localoracle.datapump import container, logfile, plan
from localoracle.datapump.errors import stack
from localoracle.datapump.master import DONE, READY, Row
from localoracle.datapump.pool import FilePool, OpenFile
from localoracle.datapump.selection import Connection
from localoracle.datapump.unload import Unload, codec, export_rows
from localoracle.datapump.workers import Worker, move_all
from localoracle.errors import OracleError

if TYPE_CHECKING:
    from localoracle.datapump.job import Job


class Exporter:
    """Works for one EXPORT job; `connection` is its master process."""

    def __init__(self, job: Job, connection: Connection) -> None:
        self._job = job
        self._definition = job.definition
        self._connection = connection
        self._pool = FilePool(job.definition)

    async def run(self) -> None:
        job = self._job
        definition = self._definition
        job.starting()
        job.rows = await job.master.rows(self._connection) if job.restarted else []
        if not job.rows:
            job.rows = await plan.export_rows(self._connection, definition, job.report)
            await job.master.add(self._connection, job.rows)
        data = [row for row in job.rows if row.data is not None]
        method = definition.parameter("ESTIMATE", "BLOCKS")
        estimate_only = definition.parameter("ESTIMATE_ONLY", 0)
        if not job.restarted:
            job.emit(f"{job.prefix()}Estimate in progress using {method} method...")
            job.processing([row.path for row in data])
            for row in data if estimate_only else []:
                assert row.data is not None
                job.emit(logfile.estimated(row.data.title(), row.data.bytes))
            number, unit = logfile.size(sum(row.data.bytes for row in data if row.data))
            job.emit(f"Total estimation using {method} method: {number} {unit}")
        if not job.rows:
            job.report(stack((31655,)))
        if estimate_only or not job.rows:
            job.complete()
            return
        pool = self._pool
        written: dict[Path, int] = {}
        for row in data:
            for path, offset, length, _ in row.data.pieces if row.data and row.state == DONE else []:
                written[Path(path)] = max(written.get(Path(path), 0), offset + length)
        pool.open(written)
        job.processing([row.path for row in job.rows if row.data is None])
        await move_all(job, [row for row in data if row.state == READY], self._unload, pool.limit)
        if job.stopping is not None:
            return
        await job.set_state("COMPLETING")
        paths = await self._seal(pool)
        job.control_table_moved()
        job.emit(
            "*" * 78
            + f"\nDump file set for {definition.owner}.{definition.name} is:\n"
            + "\n".join(f"  {path}" for path in paths)
        )
        job.complete()

    async def _seal(self, pool: FilePool) -> list[Path]:
        """Number the files, append their directories and the master data."""
        job = self._job
        paths = [path for path in pool.paths() if path.exists()]
        if not paths:
            file = await pool.acquire()
            paths = [file.path]
        numbers = {str(path): number for number, path in enumerate(paths, 1)}
        by_file: dict[int, list[list[int]]] = {number: [] for number in numbers.values()}
        described = []
        for row in job.rows:
            raw: dict[str, Any] = {
                "path": row.path,
                "kind": row.kind,
                "schema": row.schema,
                "name": row.name,
                "base": row.base,
            }
            if row.data is None:
                raw["ddl"] = row.ddl
            elif row.state == DONE:
                raw["data"] = row.data.to_json()
                raw["data"]["pieces"] = [[numbers[piece[0]], *piece[1:]] for piece in row.data.pieces]
                for piece in raw["data"]["pieces"]:
                    by_file[piece[0]].append([row.order, *piece[1:]])
            else:
                continue
            described.append(raw)
        smallest = min(paths, key=lambda path: (path.stat().st_size, numbers[str(path)]))
        for path in paths:
            header = pool.header()
            header.number, header.file_count = numbers[str(path)], len(paths)
            header.database = job.pump.database.instance.service_name
            header.codec = codec(self._definition)
            directory: dict[str, Any] = {"segments": by_file[header.number]}
            if path == smallest:
                header.has_master = True
                directory["master"] = {
                    "mode": self._definition.mode,
                    "scn": self._definition.parameter("FLASHBACK_SCN"),
                    "rows": described,
                }
            header.seal, header.data_encrypted = self._definition.seal, self._definition.encrypts_data
            key = job.key if self._definition.encrypts_metadata else None
            await asyncio.to_thread(container.finish, path, header, directory, key)
        return paths

    async def _unload(self, connection: Connection, worker: Worker, row: Row) -> str:
        assert row.data is not None
        job = self._job
        began = time.monotonic()
        scn = self._definition.parameter("FLASHBACK_SCN")
        estimate = row.data.bytes
        file: OpenFile = await self._pool.acquire()
        before = file.path, file.path.stat().st_size
        try:
            snapshot = await job.pump.database.snapshots.snapshot(scn) if scn else None
            if job.pump.is_full(file.path.parent):
                raise stack((39095, container.HEADER_BYTES))
            unload = Unload(
                self._definition,
                job.pump.pipes,
                snapshot,
                job.pump.slow_lobs,
                job.key if self._definition.encrypts_data else None,
                job.pump.database.invisible_columns.seen_from(self._definition.user),
            )
            await export_rows(connection, unload, row.data, file, self._pool)
        except OracleError:
            row.data.bytes, row.data.pieces = estimate, []
            # With a size limit the rest of a failed object may lie in other files as well; it is not listed
            # anywhere and harmless there.
            if before[0].exists():
                os.truncate(before[0], before[1])
            raise
        finally:
            await self._pool.release(file)
        seconds = time.monotonic() - began
        row.state = DONE
        await job.master.mark(connection, row, seconds)
        worker.rows, worker.bytes = worker.rows + row.data.rows, worker.bytes + row.data.bytes
        return logfile.moved(
            "exported",
            row.data.title(),
            row.data.bytes,
            row.data.rows,
            metrics=job.metrics(
                seconds,
                "external_table"
                if self._definition.data_filter("SUBQUERY", row.schema, row.name)
                else "direct_path",
            ),
        )
