"""The buffered queue between capture and apply: in memory as far as the Streams pool goes, on disk beyond.

As in Oracle (Streams Concepts, "Buffered Messages"; V$BUFFERED_QUEUES), a message stays in the queue until
its consumer has removed it, not only until it was looked at. The publisher pauses while the consumer may yet
make room (V$STREAMS_CAPTURE, PAUSED FOR FLOW CONTROL: memory is low, or consumers are slow), so that it does
not depend on who is faster what is spilled. A message for which the pool has no memory even then is written
to the queue's spill table, one row and one transaction each, found again by its number, and deleted when it
is removed.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from dataclasses import dataclass, field

from localoracle.capture.channel import Channel
from localoracle.capture.messages import Change, Transaction, unpack
from localoracle.capture.pool import Account, StreamsPool

UNBROWSED_LIMIT = 5000
"""With so many messages that the consumer has not looked at, the publisher pauses (flow control)."""
_BINARY_SECOND = (0, 1)


@dataclass
class QueueCounters:
    """Since the queue is in use. Times in seconds."""

    messages: int = 0
    spilled_messages: int = 0
    cumulative_messages: int = 0
    cumulative_spilled: int = 0
    enqueue_seconds: float = 0.0
    dequeue_seconds: float = 0.0
    last_enqueue: float = 0.0
    last_dequeue: float = 0.0
    spill: Account = field(default_factory=Account)
    unspill: Account = field(default_factory=Account)


class BufferedQueue:
    """One publisher (`publish`, `close_transaction`), one consumer (`browse` and what follows)."""

    def __init__(self, number: int, pool: StreamsPool, counters: QueueCounters, writer: Channel) -> None:
        self.pool = pool
        self.counters = counters
        self._writer = writer
        self._table = f"localoracle.queue_spill_{number}"
        self._waiting: deque[Change | Transaction] = deque()
        self._changed = asyncio.Event()
        self._room = asyncio.Event()
        self._last = 0
        self._held = 0
        self._unseen = 0
        """Messages in memory that the consumer is not done looking at."""
        self._looked_at: Change | Transaction | None = None
        self._relief = asyncio.Event()
        self._transactions: set[Transaction] = set()

    async def empty(self) -> None:
        """Before use: what a former life left is captured again."""
        await self._writer.execute(f"TRUNCATE {self._table}")
        self.counters.messages = self.counters.spilled_messages = 0

    def close(self) -> None:
        """What is left is given up."""
        self.pool.give_back(self._held)
        for transaction in self._transactions:
            self.pool.forget(transaction)
        self._held = 0
        self._transactions.clear()
        self.counters.messages = self.counters.spilled_messages = 0

    # -- the publisher's side ------------------------------------------------------------------------------

    async def publish(self, change: Change) -> None:
        """Enqueue one message."""
        begun = time.perf_counter()
        self._last += 1
        change.number = self._last
        counters = self.counters
        self._transactions.add(change.transaction)
        if self.pool.admit(change.transaction, change.size):
            self._held += change.size
            self._unseen += 1
        else:
            await self._spill(change)
        counters.messages += 1
        counters.cumulative_messages += 1
        self._waiting.append(change)
        self._changed.set()
        counters.last_enqueue = time.time()
        counters.enqueue_seconds += time.perf_counter() - begun

    def close_transaction(self, transaction: Transaction) -> None:
        """Its commit has been captured."""
        self._waiting.append(transaction)
        self._changed.set()

    @property
    def held(self) -> int:
        """Bytes of the pool that its messages take."""
        return self._held

    @property
    def share(self) -> int:
        """The same in percent of the pool."""
        return round(100 * self._held / self.pool.size)

    @property
    def unbrowsed(self) -> int:
        return len(self._waiting)

    def __len__(self) -> int:
        """Messages in memory."""
        return self.counters.messages - self.counters.spilled_messages

    @property
    def congested(self) -> bool:
        return len(self._waiting) > UNBROWSED_LIMIT

    async def room(self) -> None:
        """Until the consumer has looked at half of what waits."""
        while len(self._waiting) > UNBROWSED_LIMIT // 2:
            self._room.clear()
            await self._room.wait()

    def may_find_memory(self, change: Change) -> bool:
        """Whether the pool has none for the message, but may have when the consumer has looked at what waits.

        The consumer may be about to take it out of the queue (reader.py).
        """
        return self._unseen > 0 and not self.pool.fits(change.size)

    async def memory(self, change: Change) -> None:
        """Until there is memory for the message, or none to be expected."""
        while self.may_find_memory(change):
            self._relief.clear()
            await self._relief.wait()

    async def _spill(self, change: Change) -> None:
        begun = time.perf_counter()
        statement = await self._writer.prepare(f"INSERT INTO {self._table} VALUES ($1, $2)")
        values = (b"%d" % change.number, change.pack())
        await self._writer.run([(statement, values, _BINARY_SECOND)])
        change.in_memory = False
        change.old = change.new = None
        self.counters.spilled_messages += 1
        self.counters.cumulative_spilled += 1
        self.counters.spill.add(time.perf_counter() - begun)

    # -- the consumer's side -------------------------------------------------------------------------------

    async def browse(self) -> Change | Transaction:
        """The next message, or a transaction after its last one. It stays in the queue."""
        if isinstance(self._looked_at, Change) and self._looked_at.in_memory:
            self._unseen -= 1
            if not self._unseen:
                self._relief.set()
        self._looked_at = None
        while not self._waiting:
            self._changed.clear()
            await self._changed.wait()
        item = self._looked_at = self._waiting.popleft()
        if len(self._waiting) <= UNBROWSED_LIMIT // 2:
            self._room.set()
        return item

    @property
    def drained(self) -> bool:
        """Whether the consumer has looked at everything."""
        return not self._waiting

    async def look_up(self, channel: Channel, change: Change) -> Change:
        """A spilled message with its values; they are not kept in memory for others, there is no room."""
        return await self._read(channel, change, "SELECT payload FROM {} WHERE message = $1")

    async def take_out(self, channel: Channel, change: Change) -> Change:
        """A spilled message, deleted from the table by the channel's transaction."""
        return await self._read(channel, change, "DELETE FROM {} WHERE message = $1 RETURNING payload")

    async def _read(self, channel: Channel, change: Change, sql: str) -> Change:
        begun = time.perf_counter()
        statement = await channel.prepare(sql.format(self._table))
        result = (await channel.run([(statement, (b"%d" % change.number,), None)], binary=True))[0]
        data = result.get_value(0, 0)
        assert data is not None
        _, kind, old, new = unpack(data)
        self.counters.unspill.add(time.perf_counter() - begun)
        return Change(change.number, change.transaction, change.table, kind, old, new, change.size, False)

    def discard(self, change: Change) -> None:
        """The message looked at last is of no use to the consumer; if it was spilled it has been taken
        out."""
        change.transaction.messages.pop()
        self.counters.messages -= 1
        if change.in_memory:
            self._give_back(change)
        else:
            self.counters.spilled_messages -= 1

    def _give_back(self, change: Change) -> None:
        self.pool.give_back(change.size)
        self._held -= change.size
        self._relief.set()

    def remove(self, transaction: Transaction) -> None:
        """The transaction's messages have left the queue: they are applied, or lie in the reader's spill
        table."""
        begun = time.perf_counter()
        counters = self.counters
        for change in transaction.messages:
            if change.in_memory:
                self._give_back(change)
            else:
                counters.spilled_messages -= 1
        counters.messages -= len(transaction.messages)
        transaction.messages.clear()
        self.pool.forget(transaction)
        self._transactions.discard(transaction)
        counters.last_dequeue = time.time()
        counters.dequeue_seconds += time.perf_counter() - begun
