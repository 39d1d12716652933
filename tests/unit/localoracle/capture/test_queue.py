"""The buffered queue: its publisher spills nothing that a slow consumer would have made room for."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from localoracle.capture.messages import INSERT, Change, SourceTable, Transaction
from localoracle.capture.pool import StreamsPool
from localoracle.capture.queue import BufferedQueue, QueueCounters

TABLE = SourceTable(0, "APP", "T", ("ID",), (0,))
SIZE = 100


class Writer:
    """Stands for the connection to the spill table."""

    async def prepare(self, sql: str) -> bytes:
        return b"s"

    async def run(self, commands: Any) -> list[Any]:
        return []


@pytest.fixture
def queue() -> BufferedQueue:
    """One whose pool holds ten messages."""
    return BufferedQueue(1, StreamsPool(10 * SIZE), QueueCounters(), Writer())  # type: ignore[arg-type]


async def publish(queue: BufferedQueue, transaction: Transaction, count: int) -> None:
    """As the capture process does."""
    for number in range(count):
        change = Change(0, transaction, TABLE, INSERT, None, (b"%d" % number,), SIZE)
        if queue.may_find_memory(change):
            await queue.memory(change)
        await queue.publish(change)
    queue.close_transaction(transaction)


async def consume(queue: BufferedQueue, batch: int) -> int:
    """A consumer that is never in a hurry and takes messages out of the queue in batches; their number."""
    seen = 0
    while True:
        await asyncio.sleep(0.001)
        item = await queue.browse()
        if isinstance(item, Transaction):
            return seen
        seen += 1
        item.transaction.messages.append(item)
        if len(item.transaction.messages) == batch:
            await asyncio.sleep(0.005)
            queue.remove(item.transaction)


@pytest.mark.parametrize(("batch", "spilled"), [(7, 0), (1000, 90)], ids=["taken out", "kept"])
async def test_what_the_consumer_keeps_is_spilled(queue: BufferedQueue, batch: int, spilled: int) -> None:
    work = publish(queue, Transaction(1, 1, 1, 1), 100), consume(queue, batch)
    async with asyncio.timeout(60):
        _, seen = await asyncio.gather(*work)
    assert seen == 100
    assert queue.counters.cumulative_spilled == spilled
