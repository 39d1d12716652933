"""The process that captures and applies: `python -m localoracle.capture.process CONNINFO SOURCE_DATABASE`.

The server starts it and ends it with itself. A line of standard input asks it to read its definitions again
("reload", "reload force") or to bring the dynamic views up to date ("report"); a line of standard output says
when that is done, and which processes work then.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from contextlib import suppress
from typing import Any

import psycopg

from localoracle.capture import statistics
from localoracle.capture.channel import Channel
from localoracle.capture.definitions import QUERY, QueueDefinition, parse
from localoracle.capture.mining import CaptureCounters
from localoracle.capture.pipeline import APPLY, CAPTURE, ApplyCounters, Counters, Failed, Pipeline
from localoracle.capture.pool import GRANULE, StreamsPool, pool_bytes
from localoracle.capture.queue import QueueCounters
from localoracle.errors import OracleError
from localoracle.postgres.errors import oracle_error

REPORT_SECONDS = 0.5
"""How often the size of the pool is looked up and failures are noticed; queries of the views ask at once."""


class Work:
    """Every queue of the database, at work as far as its processes are enabled."""

    def __init__(self, conninfo: str, source_database: str) -> None:
        self._conninfo = conninfo
        self._source_database = source_database
        self._pool = StreamsPool(GRANULE)
        self._sga_target = 0
        self._started = f"{time.strftime('%Y-%m-%d %H:%M:%S', time.gmtime())}"
        self._definitions: dict[int, QueueDefinition] = {}
        self._pipelines: dict[int, Pipeline] = {}
        self._queues: dict[int, QueueCounters] = {}
        self._captures: dict[tuple[str, str], CaptureCounters] = {}
        self._applies: dict[tuple[str, str], ApplyCounters] = {}
        self._lock = asyncio.Lock()

    async def run(self) -> None:
        """Until standard input ends."""
        self._control = await Channel.open(self._conninfo)
        await self._report()
        reader = asyncio.StreamReader()
        loop = asyncio.get_running_loop()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        tasks = {asyncio.create_task(self._serve(reader)), asyncio.create_task(self._watch())}
        done, pending = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in pending:
            task.cancel()
        await asyncio.gather(*pending, return_exceptions=True)
        for pipeline in self._pipelines.values():
            await pipeline.stop(force=True)
        for task in done:
            task.result()

    async def _serve(self, reader: asyncio.StreamReader) -> None:
        while line := await reader.readline():
            answer = "done"  # with the processes that work now
            try:
                async with self._lock:
                    words = line.split()
                    if words[0] == b"reload":
                        await self._report()  # what starts now finds the pool as it is set now
                        await self._reload(force=words[1:] == [b"force"])
                    await self._report()
                    answer = f"done {json.dumps(self._working())}"
            except psycopg.Error as error:
                answer = f"failed {error}".replace("\n", " ")
            print(answer, flush=True)

    def _working(self) -> list[tuple[str, str, int]]:
        """Kind, name and process in PostgreSQL of whatever works with a connection of its own."""
        return [working for pipeline in self._pipelines.values() for working in pipeline.working()]

    async def _watch(self) -> None:
        """Bring the views up to date, and stop what has failed."""
        while True:
            await asyncio.sleep(REPORT_SECONDS)
            async with self._lock:
                for number, pipeline in list(self._pipelines.items()):
                    if pipeline.failure is not None:
                        await self._abort(number, pipeline.failure)
                await self._report()

    async def _reload(self, *, force: bool) -> None:
        result = await self._control.execute(QUERY)
        definitions = {queues.number: queues for queues in parse((result.get_value(0, 0) or b"[]").decode())}
        for number, pipeline in list(self._pipelines.items()):
            if definitions.get(number) != pipeline.definition:
                del self._pipelines[number]
                await pipeline.stop(force=force)
        self._definitions = definitions
        self._queues = {
            number: counters for number, counters in self._queues.items() if number in definitions
        }
        for number, definition in definitions.items():
            if definition.runs and number not in self._pipelines:
                await self._start(definition)

    async def _start(self, definition: QueueDefinition) -> None:
        assert definition.capture is not None
        assert definition.apply is not None
        capture_counters, apply_counters = self._counters(definition)
        pipeline = Pipeline(
            definition,
            self._conninfo,
            self._source_database,
            self._pool,
            Counters(
                self._queues.setdefault(definition.number, QueueCounters()),
                capture_counters or CaptureCounters(),
                apply_counters or ApplyCounters(),
            ),
        )
        self._pipelines[definition.number] = pipeline
        try:
            await pipeline.start()
        except Failed as failure:
            await self._abort(definition.number, failure)

    def _counters(self, definition: QueueDefinition) -> tuple[CaptureCounters | None, ApplyCounters | None]:
        """Those of this life of the processes."""
        capture, apply = definition.capture, definition.apply
        return (
            self._captures.setdefault((capture.name, capture.started), CaptureCounters())
            if capture
            else None,
            self._applies.setdefault((apply.name, apply.started), ApplyCounters()) if apply else None,
        )

    async def _abort(self, number: int, failure: Failed) -> None:
        """The process that failed is ABORTED with its error; the other one waits for it."""
        pipeline = self._pipelines.pop(number)
        await pipeline.stop(force=True)
        definition = pipeline.definition
        process = definition.capture if failure.kind == CAPTURE else definition.apply
        assert process is not None
        code, message = _error(failure)
        values = [failure.kind, process.name, str(code), message]
        await self._control.execute(
            "SELECT localoracle.abort_process($1::text, $2::text, $3::integer, $4::text)",
            [value.encode() for value in values],
        )
        await self._reload(force=True)

    async def _report(self) -> None:
        rows: list[statistics.Row] = []
        for number, definition in self._definitions.items():
            pipeline = self._pipelines.get(number)
            capture_counters, apply_counters = self._counters(definition)
            if definition.capture is not None and capture_counters is not None:
                client = definition.apply.name if definition.apply else None
                rows.append(statistics.capture_row(definition.capture, capture_counters, pipeline, client))
            if definition.apply is not None and apply_counters is not None:
                rows.extend(statistics.apply_rows(definition.apply, apply_counters, pipeline))
            if number in self._queues:
                rows.extend(statistics.queue_rows(definition, self._queues[number], pipeline, self._started))
        rows.extend(statistics.pool_rows(self._pool, list(self._queues.values()), self._sga_target))
        names: tuple[str, ...] = ("kind", "name", "number", "facts")
        document: list[dict[str, Any]] = [dict(zip(names, row, strict=True)) for row in rows]
        result = await self._control.execute(
            "SELECT localoracle.report_capture($1::jsonb)", (json.dumps(document).encode(),)
        )
        size, sga_target = (result.get_value(0, 0) or b"0 0").split()
        self._sga_target = int(sga_target)
        self._pool.resize(pool_bytes(int(size), self._sga_target))


def _error(failure: Failed) -> tuple[int, str]:
    """Number and text for ERROR_NUMBER and ERROR_MESSAGE. ORA-26714 stands above an error while applying."""
    cause = failure.cause
    if isinstance(cause, psycopg.Error):
        cause = oracle_error(cause)
    if not isinstance(cause, OracleError):
        return (
            26650,
            f"ORA-26650: {failure.kind} background process might not be started successfully: {cause}",
        )
    if failure.kind == APPLY and cause.code not in (3001, 26687):
        return (
            26714,
            f"ORA-26714: User Error ORA-{cause.code:05d}: {cause.text} encountered during apply process",
        )
    return cause.code, str(cause)


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        asyncio.run(Work(sys.argv[1], sys.argv[2]).run())
