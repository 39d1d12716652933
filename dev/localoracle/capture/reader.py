"""The apply reader: takes messages from the queue, assembles transactions, spills the large ones.

Source: Oracle PL/SQL Packages Reference, DBMS_APPLY_ADM.SET_PARAMETER, txn_lcr_spill_threshold ("the apply
component begins to spill messages from memory to hard disk for a particular transaction when the number of
messages in memory for the transaction exceeds the specified number") and txn_age_spill_threshold (seconds
since the reader had the transaction's first message). Spilled messages have left the queue: that is why its
memory then suffices. They go in large batches into a table that the transaction has to itself, and that is
dropped when it is applied.
"""

from __future__ import annotations

import struct
import time
from dataclasses import dataclass

from localoracle.capture.channel import Channel
from localoracle.capture.coordinator import Coordinator
from localoracle.capture.definitions import ApplyDefinition, Instantiation
from localoracle.capture.messages import Change, SourceTable, Transaction
from localoracle.capture.queue import BufferedQueue
from localoracle.errors import OracleError

BATCH = 1000
"""Messages of a transaction that is being spilled, written together."""
_AGE_CHECK = 256
_COPY_BEGIN = b"PGCOPY\n\xff\r\n\0" + bytes(8)
_COPY_END = b"\xff\xff"
_COPY_ROW = struct.Struct(">HiqI")
_BIGINT_SIZE = 8


@dataclass
class ReaderCounters:
    """Times in seconds."""

    dequeued: int = 0
    spilled: int = 0
    spill_seconds: float = 0.0
    dequeue_seconds: float = 0.0
    last_scn: int = 0
    last_created: int = 0
    last_dequeue: float = 0.0


@dataclass(frozen=True)
class ApplyProcess:
    """What the reader and the servers of one apply process share."""

    definition: ApplyDefinition
    source_database: str
    queue: BufferedQueue
    coordinator: Coordinator
    tables: dict[int, SourceTable]
    """By the numbers that messages name them by."""


class Reader:
    """Works until it is cancelled. Raises OracleError (ORA-26687), psycopg.Error."""

    def __init__(self, process: ApplyProcess, channel: Channel, counters: ReaderCounters) -> None:
        definition = self._definition = process.definition
        self._source_database = process.source_database
        self._queue = process.queue
        self._coordinator = process.coordinator
        self._channel = channel
        self.process = channel.process
        self.counters = counters
        self._threshold = definition.limit("txn_lcr_spill_threshold")
        self._age = definition.limit("txn_age_spill_threshold")
        self._instantiations = {
            (instantiation.owner, instantiation.table): instantiation
            for instantiation in definition.instantiations
        }
        self.state = "IDLE"

    async def run(self) -> None:
        while True:
            if self._queue.drained:
                self.state = "IDLE"
            item = await self._queue.browse()
            self.state = "DEQUEUE MESSAGES"
            if isinstance(item, Change):
                await self._take(item)
            else:
                await self._complete(item)

    async def _take(self, change: Change) -> None:
        begun = time.perf_counter()
        transaction = change.transaction
        transaction.messages.append(change)
        counters = self.counters
        counters.dequeued += 1
        counters.last_scn, counters.last_created = transaction.scn, transaction.time
        if not transaction.seen:
            transaction.seen = time.monotonic()
        if not self._applies(change):
            await self._discard(change)
            return
        seen = change if change.in_memory else await self._queue.look_up(self._channel, change)
        if not transaction.spilled:
            transaction.keys.extend(seen.keys())
        counters.last_dequeue = time.time()
        counters.dequeue_seconds += time.perf_counter() - begun
        if self._exceeds(transaction):
            await self._spill(transaction)

    async def _discard(self, change: Change) -> None:
        """A message that is not for this apply process."""
        if not change.in_memory:
            await self._queue.take_out(self._channel, change)
        self._queue.discard(change)

    def _applies(self, change: Change) -> bool:
        """Whether the rules take the table, and its instantiated copy lacks the change. Raises ORA-26687."""
        table = change.table
        tables = self._definition.tables
        if tables and (table.owner, table.name) not in tables:
            return False
        return not self._instantiation(table).covers(change.transaction.number, change.transaction.scn)

    def _instantiation(self, table: SourceTable) -> Instantiation:
        instantiation = self._instantiations.get((table.owner, table.name))
        if instantiation is None:
            raise OracleError(
                26687,
                f'no instantiation SCN provided for "{table.owner}"."{table.name}" in source database '
                f'"{self._source_database}"',
            )
        return instantiation

    def _exceeds(self, transaction: Transaction) -> bool:
        count = len(transaction.messages)
        if transaction.spilled:
            return count >= BATCH
        if count > self._threshold:
            return True
        return count % _AGE_CHECK == 0 and time.monotonic() - transaction.seen > self._age

    async def _complete(self, transaction: Transaction) -> None:
        if transaction.spilled and transaction.messages:
            await self._spill(transaction)
        if transaction.spilled or transaction.messages:
            await self._coordinator.receive(transaction)
        else:
            self._queue.remove(transaction)
            self._coordinator.ignore(transaction)

    async def _spill(self, transaction: Transaction) -> None:
        """All messages of the transaction that are in memory or in the queue's spill table go to its own
        table."""
        self.state = "SPILLING"
        begun = time.perf_counter()
        table = spill_table(self._definition, transaction)
        if not transaction.spilled:
            usn, slot, sequence = transaction.identifier
            await self._channel.execute(
                f"SELECT localoracle.begin_spill('{table}', '{self._definition.name}', {usn}, {slot}, "
                f"{sequence}, {transaction.scn}, {transaction.time})"
            )
            transaction.keys.clear()
        rows = [_COPY_BEGIN]
        for change in transaction.messages:
            whole = change if change.in_memory else await self._queue.take_out(self._channel, change)
            data = whole.pack()
            rows.append(_COPY_ROW.pack(2, _BIGINT_SIZE, change.number, len(data)) + data)
        rows.append(_COPY_END)
        await self._channel.copy(f"COPY localoracle.{table} FROM STDIN (FORMAT binary)", rows)
        count = len(transaction.messages)
        transaction.spilled += count
        self.counters.spilled += count
        self._queue.remove(transaction)
        await self._channel.execute(f"SELECT localoracle.count_spill('{table}', {count})")
        self.counters.spill_seconds += time.perf_counter() - begun


def spill_table(definition: ApplyDefinition, transaction: Transaction) -> str:
    """The name of the table that holds the spilled messages of one transaction."""
    return f"apply_spill_{definition.number}_{transaction.number}"
