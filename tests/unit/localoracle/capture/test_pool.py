"""The Streams pool: its size, its bound, and its advice about other sizes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from localoracle.capture.messages import Transaction, footprint
from localoracle.capture.pool import GRANULE, STEPS, StreamsPool, pool_bytes

transactions = st.lists(st.lists(st.integers(1, 400), min_size=1, max_size=30), min_size=1, max_size=5)


@pytest.mark.parametrize(
    ("parameter", "sga", "expected"),
    [
        (1, 0, GRANULE),
        (GRANULE, 0, GRANULE),
        (GRANULE + 1, 0, 2 * GRANULE),
        (0, 256 << 20, GRANULE),
        (0, 3 << 30, 48 << 20),
        (0, 0, GRANULE),
    ],
)
def test_size(parameter: int, sga: int, expected: int) -> None:
    assert pool_bytes(parameter, sga) == expected


@given(transactions, st.integers(100, 5000))
def test_it_holds_no_more_than_its_size_and_advises_what_it_did(sizes: list[list[int]], total: int) -> None:
    pool = StreamsPool(total)
    spilled = 0
    for number, messages in enumerate(sizes):
        transaction = Transaction(number, number, number, number)
        admitted = [size for size in messages if pool.admit(transaction, size)]
        spilled += len(messages) - len(admitted)
        assert pool.used <= total
        for size in admitted:
            pool.give_back(size)
        pool.forget(transaction)
    assert pool.used == 0
    advice = pool.advice()
    assert [round(row.factor * 10) for row in advice] == list(range(1, STEPS + 1))
    assert advice[9].spilled == spilled


@given(transactions)
def test_messages_of_one_size_spill_no_more_in_a_larger_pool(sizes: list[list[int]]) -> None:
    pool = StreamsPool(500)
    for number, messages in enumerate(sizes):
        transaction = Transaction(number, number, number, number)
        for _ in messages:
            pool.admit(transaction, 37)
    spilled = [row.spilled for row in pool.advice()]
    assert spilled == sorted(spilled, reverse=True)


def test_the_advice_begins_anew_with_another_size() -> None:
    pool = StreamsPool(100)
    pool.admit(Transaction(1, 1, 1, 1), 1000)
    assert pool.advice()[9].spilled == 1
    pool.resize(2000)
    assert [(row.size, row.spilled) for row in pool.advice()[9:10]] == [(2000, 0)]


def test_a_message_with_more_or_longer_values_takes_more() -> None:
    small = footprint(None, (b"1",))
    assert footprint(None, (b"1", b"1")) > small
    assert footprint(None, (b"1" * 100,)) == small + 99
    assert footprint((b"1",), (b"1",)) > small
