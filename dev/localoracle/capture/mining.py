"""The capture process: turns PostgreSQL's stream of committed transactions into messages of the queue."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from localoracle.capture import pgoutput
from localoracle.capture.channel import Channel, Replication
from localoracle.capture.messages import (
    DELETE,
    INSERT,
    UPDATE,
    Change,
    SourceTable,
    Transaction,
    footprint,
    message_number,
)
from localoracle.capture.queue import BufferedQueue

SLICE = 64
"""Messages that are captured before the other processes have their turn."""
_KEY = """\
SELECT a.attname FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
WHERE i.indrelid = $1::oid AND i.indisprimary"""


@dataclass
class CaptureCounters:
    """Times in seconds."""

    captured: int = 0
    enqueued: int = 0
    redo_bytes: int = 0
    capture_seconds: float = 0.0
    enqueue_seconds: float = 0.0
    wait_seconds: float = 0.0
    pause_seconds: float = 0.0
    last_capture: float = 0.0
    last_scn: int = 0
    last_created: int = 0


class Capture:
    """Works until it is cancelled. Raises psycopg.Error, pgoutput.ProtocolError."""

    def __init__(
        self,
        stream: Replication,
        channel: Channel,
        queue: BufferedQueue,
        applied: Callable[[int], bool],
        tables: dict[int, SourceTable],
        counters: CaptureCounters,
    ) -> None:
        self.stream = stream
        self._channel = channel
        self._queue = queue
        self._applied = applied
        self._tables = tables
        self._current: dict[int, SourceTable] = {}
        self._transaction: Transaction | None = None
        self._skipping = False
        self.counters = counters
        self.state = "INITIALIZING"
        self.changed_state = time.time()

    @property
    def between_transactions(self) -> bool:
        """Whether everything that has come so far has been enqueued."""
        return self._transaction is None and self.state == "WAITING FOR REDO"

    async def run(self) -> None:
        taken = 0
        while True:
            data = self.stream.take()
            self.counters.redo_bytes = self.stream.bytes
            if data is None:
                self._enter("WAITING FOR REDO")
                begun = time.perf_counter()
                await self.stream.wait()
                self.counters.wait_seconds += time.perf_counter() - begun
                continue
            self._enter("CAPTURING CHANGES")
            await self._take(data)
            taken += 1
            if taken % SLICE == 0:
                await asyncio.sleep(0)
            if self._queue.congested:
                await self._pause(self._queue.room())

    def _enter(self, state: str) -> None:
        if state != self.state:
            self.state, self.changed_state = state, time.time()

    async def _pause(self, relief: Awaitable[None]) -> None:
        self._enter("PAUSED FOR FLOW CONTROL")
        begun = time.perf_counter()
        await relief
        self.counters.pause_seconds += time.perf_counter() - begun
        self._enter("CAPTURING CHANGES")

    async def _take(self, data: bytes) -> None:
        begun = time.perf_counter()
        message = pgoutput.decode(data)
        match message:
            case pgoutput.Begin():
                scn = message_number(message.time)
                self._transaction = Transaction(message.transaction, message.end, scn, message.time)
                self._skipping = self._applied(message.end)
            case pgoutput.Relation():
                self._current[message.number] = await self._table(message)
            case pgoutput.Insert():
                await self._enqueue(INSERT, message.relation, None, message.new, begun)
            case pgoutput.Update():
                await self._enqueue(UPDATE, message.relation, message.old, message.new, begun)
            case pgoutput.Delete():
                await self._enqueue(DELETE, message.relation, message.old, None, begun)
            case pgoutput.Commit():
                transaction, self._transaction = self._transaction, None
                assert transaction is not None
                transaction.end = message.end
                if not self._skipping:
                    self._queue.close_transaction(transaction)

    async def _enqueue(
        self, kind: str, relation: int, old: pgoutput.Row | None, new: pgoutput.Row | None, begun: float
    ) -> None:
        transaction, counters = self._transaction, self.counters
        assert transaction is not None
        counters.captured += 1
        counters.last_capture = time.time()
        counters.last_scn, counters.last_created = transaction.scn, transaction.time
        decoded = time.perf_counter()
        counters.capture_seconds += decoded - begun
        if not self._skipping:
            change = Change(0, transaction, self._current[relation], kind, old, new, footprint(old, new))
            if self._queue.may_find_memory(change):
                await self._pause(self._queue.memory(change))
                decoded = time.perf_counter()
            await self._queue.publish(change)
            counters.enqueued += 1
            counters.enqueue_seconds += time.perf_counter() - decoded

    async def _table(self, message: pgoutput.Relation) -> SourceTable:
        """The table as its next changes have it; each form of it has a number of its own."""
        result = await self._channel.execute(_KEY, (b"%d" % message.number,))
        names = {(result.get_value(place, 0) or b"").decode() for place in range(result.ntuples)}
        columns = message.columns
        key = tuple(place for place, name in enumerate(columns) if name in names) or tuple(
            range(len(columns))
        )
        table = SourceTable(len(self._tables), message.schema, message.name, columns, key)
        self._tables[table.number] = table
        return table
