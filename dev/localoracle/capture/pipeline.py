"""A queue at work: its capture process, its apply process, and the bookkeeping that makes a restart exact.

What has been applied is known from two tables: applies (everything up to a place in PostgreSQL's log) and
apply_applied (single transactions beyond it, because servers commit out of order). The slot is confirmed
only up to the former. After a kill PostgreSQL sends again what is behind that, and what is known as applied
is passed over.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import psycopg

from localoracle.capture.channel import Channel, Replication
from localoracle.capture.coordinator import Coordinator, CoordinatorCounters
from localoracle.capture.definitions import ApplyDefinition, CaptureDefinition, QueueDefinition
from localoracle.capture.mining import Capture, CaptureCounters
from localoracle.capture.pool import StreamsPool
from localoracle.capture.queue import BufferedQueue, QueueCounters
from localoracle.capture.reader import ApplyProcess, Reader, ReaderCounters
from localoracle.capture.servers import Server, ServerCounters
from localoracle.errors import OracleError

CAPTURE, APPLY = "capture", "apply"
KEEP_SECONDS = 0.25
"""How often progress is written down while work goes on."""


@dataclass
class ApplyCounters:
    """Since the apply process was started."""

    reader: ReaderCounters = field(default_factory=ReaderCounters)
    coordinator: CoordinatorCounters = field(default_factory=CoordinatorCounters)
    servers: list[ServerCounters] = field(default_factory=list)


@dataclass(frozen=True)
class Counters:
    """Those of a queue and of the two processes at its ends."""

    queue: QueueCounters
    capture: CaptureCounters
    apply: ApplyCounters


class Failed(Exception):
    """A process cannot go on: which of the two, and why."""

    def __init__(self, kind: str, cause: BaseException) -> None:
        self.kind = kind
        self.cause = cause
        super().__init__(f"{kind}: {cause}")


class Pipeline:
    """From `start` to `stop`. `failure` is set when it has ended by itself."""

    def __init__(
        self,
        definition: QueueDefinition,
        conninfo: str,
        source_database: str,
        pool: StreamsPool,
        counters: Counters,
    ) -> None:
        assert definition.capture is not None
        assert definition.apply is not None
        self.definition = definition
        self._capture_definition: CaptureDefinition = definition.capture
        self._apply_definition: ApplyDefinition = definition.apply
        self._conninfo = conninfo
        self._source_database = source_database
        self._pool = pool
        self._counters = counters
        self._channels: list[Channel] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._serving: list[asyncio.Task[None]] = []
        self._written = 0
        self.failure: Failed | None = None
        self.capture: Capture | None = None
        self.reader: Reader | None = None
        self.coordinator: Coordinator | None = None
        self.servers: list[Server] = []
        self.queue: BufferedQueue | None = None
        self._name = f"localoracle apply {self._apply_definition.number}"
        self._origin = f"localoracle_{self._apply_definition.number}_"

    async def start(self) -> None:
        """Raises Failed."""
        try:
            await self._start()
        except psycopg.Error as error:
            await self.stop(force=True)
            raise Failed(CAPTURE, error) from error

    async def _start(self) -> None:
        apply = self._apply_definition
        self._control = await self._open()
        # What a killed process began may still be at work in PostgreSQL.
        await self._end_workers(self._control)
        queue = self.queue = BufferedQueue(
            self.definition.number, self._pool, self._counters.queue, await self._open(1)
        )
        await queue.empty()
        await self._control.execute(f"SELECT localoracle.drop_spills({apply.number})")
        self._low, applied = await self._load(apply)
        self._applied = applied
        self.coordinator = Coordinator(apply.parallelism, self._counters.apply.coordinator)
        process = ApplyProcess(apply, self._source_database, queue, self.coordinator, {})
        self.reader = Reader(process, await self._open(2), self._counters.apply.reader)
        counters = self._counters.apply.servers
        del counters[apply.parallelism :]
        for number in range(1, apply.parallelism + 1):
            if len(counters) < number:
                counters.append(ServerCounters())
            channel = await self._open(2 + number)
            self.servers.append(Server(number, process, channel, counters[number - 1]))
        stream = await Replication.open(
            self._conninfo, self._capture_definition.slot, self._capture_definition.publication
        )
        self.capture = Capture(
            stream, self._control, queue, self._is_applied, process.tables, self._counters.capture
        )
        self._tasks = [
            self._spawn(CAPTURE, self.capture.run()),
            self._spawn(APPLY, self.reader.run()),
            self._spawn(APPLY, self._keep()),
        ]
        self._serving = [self._spawn(APPLY, server.run()) for server in self.servers]

    def working(self) -> Iterator[tuple[str, str, int]]:
        """Kind, name and process in PostgreSQL of those that have a connection."""
        if self.capture is not None:
            yield "capture", self._capture_definition.name, self.capture.stream.process
        if self.reader is not None:
            yield "reader", self._apply_definition.name, self.reader.process
        for server in self.servers:
            yield "server", self._apply_definition.name, server.channel.process

    async def _end_workers(self, channel: Channel) -> None:
        await channel.execute(
            "SELECT localoracle.end_workers($1, $2, $3)",
            [text.encode() for text in (self._name, self._origin, self._capture_definition.slot)],
        )

    async def _open(self, origin: int | None = None) -> Channel:
        """A connection; with `origin` capture passes over what it changes."""
        channel = await Channel.open(f"{self._conninfo} application_name='{self._name}'")
        self._channels.append(channel)
        await channel.execute("SET synchronous_commit = on")
        if origin is not None:
            await channel.execute(f"SELECT localoracle.work_as_origin('{self._origin}{origin}')")
        return channel

    async def _load(self, apply: ApplyDefinition) -> tuple[int, set[int]]:
        """Up to where everything is applied, and the single transactions beyond."""
        result = await self._control.execute(f"SELECT localoracle.low_water_mark({apply.number})")
        low = int(result.get_value(0, 0) or b"0")
        result = await self._control.execute(
            f"SELECT position FROM localoracle.apply_applied WHERE apply_number = {apply.number}"
        )
        return low, {int(result.get_value(place, 0) or b"0") for place in range(result.ntuples)}

    def _is_applied(self, position: int) -> bool:
        return position <= self._low or position in self._applied

    def _spawn(self, kind: str, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        async def watched() -> None:
            try:
                await work
            except (OracleError, psycopg.Error, ValueError, KeyError) as error:
                if self.failure is None:
                    self.failure = Failed(kind, error)

        return asyncio.create_task(watched())

    async def _keep(self) -> None:
        """Write the progress down, and tell PostgreSQL what it need not keep."""
        channel = await self._open()
        assert self.capture is not None
        while True:
            await asyncio.sleep(KEEP_SECONDS)
            await self._write_progress(channel)
            received = self.capture.stream.received
            if self._at_rest() and received > self._written:
                await self.capture.stream.confirm(received)
                self._written = received

    def _at_rest(self) -> bool:
        """Whether nothing that PostgreSQL has sent is still being processed."""
        assert self.capture is not None
        assert self.queue is not None
        assert self.reader is not None
        assert self.coordinator is not None
        return (
            self.capture.between_transactions
            and self.queue.drained
            and self.reader.state == "IDLE"
            and self.coordinator.idle
        )

    async def _write_progress(self, channel: Channel) -> None:
        assert self.coordinator is not None
        assert self.capture is not None
        mark = self.coordinator.low_water_mark
        if mark is None or mark.end <= self._written:
            return
        await channel.execute(
            f"SELECT localoracle.keep_progress({self._apply_definition.number}, {mark.position}, {mark.scn}, "
            f"{mark.time})"
        )
        await self.capture.stream.confirm(mark.end)
        self._written = mark.end

    async def stop(self, *, force: bool) -> None:
        """End all processes. Without `force` servers finish the transactions that they have begun."""
        if self.coordinator is not None:
            self.coordinator.close()
        if not force and self.failure is None:
            await self._cancel(self._tasks[:2])
            await self._drain()
        await self._cancel([*self._tasks, *self._serving])
        if not force and self.failure is None and self.capture is not None:
            with suppress(psycopg.Error):
                await self._write_progress(await self._open())
        for channel in self._channels:
            channel.close()
        if self.capture is not None:
            self.capture.stream.close()
        if self.queue is not None:
            self.queue.close()
        with suppress(psycopg.Error):
            last = await Channel.open(self._conninfo)
            await self._end_workers(last)
            last.close()

    async def _drain(self) -> None:
        while not all(task.done() for task in self._serving) and self.failure is None:
            await asyncio.wait(self._serving, timeout=0.1, return_when=asyncio.FIRST_EXCEPTION)

    @staticmethod
    async def _cancel(tasks: list[asyncio.Task[None]]) -> None:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
