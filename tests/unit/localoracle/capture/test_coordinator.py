"""Which transaction may be applied when."""

from __future__ import annotations

import asyncio
import random

from hypothesis import given, settings
from hypothesis import strategies as st

from localoracle.capture.coordinator import (
    BUFFERED_PER_SERVER,
    Assignment,
    Coordinator,
    CoordinatorCounters,
)
from localoracle.capture.messages import Transaction


def transaction(number: int, *keys: int, spilled: int = 0) -> Transaction:
    made = Transaction(number, number * 10, number, number)
    made.end = number * 10 + 5
    made.keys = list(keys)
    made.spilled = spilled
    return made


async def _server(
    coordinator: Coordinator, began: list[int], ended: list[int], chance: random.Random
) -> None:
    while (assignment := await coordinator.next()) is not None:
        await coordinator.wait_for_dependencies(assignment)
        began.append(assignment.transaction.number)
        for _ in range(chance.randrange(4)):
            await asyncio.sleep(0)
        ended.append(assignment.transaction.number)
        coordinator.applied(assignment)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.lists(st.integers(0, 4), max_size=3), st.booleans()), min_size=1, max_size=25),
    st.integers(1, 4),
    st.integers(),
)
def test_transactions_of_one_row_are_applied_in_their_order(
    work: list[tuple[list[int], bool]], servers: int, seed: int
) -> None:
    began: list[int] = []
    ended: list[int] = []
    coordinator = Coordinator(servers, CoordinatorCounters())

    async def scenario() -> None:
        chance = random.Random(seed)
        tasks = [asyncio.create_task(_server(coordinator, began, ended, chance)) for _ in range(servers)]
        for number, (keys, alone) in enumerate(work):
            await coordinator.receive(transaction(number, *([] if alone else keys), spilled=int(alone)))
            await asyncio.sleep(0)
        while not coordinator.idle:  # noqa: ASYNC110 - the servers work on this loop
            await asyncio.sleep(0)
        coordinator.close()
        await asyncio.gather(*tasks)

    asyncio.run(scenario())
    assert sorted(ended) == list(range(len(work)))
    finished = {number: place for place, number in enumerate(ended)}
    started = {number: place for place, number in enumerate(began)}
    for later, (keys, alone) in enumerate(work):
        for earlier, (former, former_alone) in enumerate(work[:later]):
            if alone or former_alone or set(keys) & set(former):
                assert finished[earlier] < finished[later]
                assert started[earlier] < started[later]
    mark = coordinator.low_water_mark
    assert mark is not None
    assert mark.number == len(work) - 1


def test_the_low_water_mark_waits_for_the_first_open_transaction() -> None:
    async def scenario() -> None:
        coordinator = Coordinator(4, CoordinatorCounters())
        taken: list[Assignment] = []
        for number in (1, 2, 3):
            await coordinator.receive(transaction(number, number))
            assignment = await coordinator.next()
            assert assignment is not None
            taken.append(assignment)
        coordinator.applied(taken[1])
        coordinator.applied(taken[2])
        assert coordinator.low_water_mark is None
        coordinator.applied(taken[0])
        assert coordinator.low_water_mark is taken[2].transaction

    asyncio.run(scenario())


def test_commits_in_full_order_wait_for_their_turn() -> None:
    async def scenario() -> None:
        coordinator = Coordinator(2, CoordinatorCounters())
        for number in (1, 2):
            await coordinator.receive(transaction(number, number))
        first, second = await coordinator.next(), await coordinator.next()
        assert first is not None
        assert second is not None
        waiting = asyncio.create_task(coordinator.wait_for_turn(second))
        await asyncio.sleep(0)
        assert not waiting.done()
        coordinator.applied(first)
        await waiting
        assert coordinator.counters.waits_for_commits == 1

    asyncio.run(scenario())


def test_the_reader_pauses_while_too_many_wait() -> None:
    async def scenario() -> None:
        coordinator = Coordinator(1, CoordinatorCounters())
        for number in range(BUFFERED_PER_SERVER - 1):
            await coordinator.receive(transaction(number))
        last = asyncio.create_task(coordinator.receive(transaction(BUFFERED_PER_SERVER)))
        await asyncio.sleep(0)
        assert not last.done()
        assert await coordinator.next() is not None
        await last

    asyncio.run(scenario())
