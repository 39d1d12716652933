"""Readings at regular times: how many, until when, and what a failing block leaves."""

from __future__ import annotations

import threading
from itertools import count

import pytest

from oracle_refresh.labs.data_load.sampling import MOST_READINGS, THREAD, sampled, thin_out


def test_readings_are_taken_until_the_block_ends() -> None:
    taken, enough = count(), threading.Event()

    def read() -> int:
        number = next(taken)
        if number > 2 * MOST_READINGS:
            enough.set()
        return number

    with sampled(read, 1e-6) as readings:
        assert enough.wait(60)
    assert len(readings) <= MOST_READINGS + 2, "they are thinned out"
    assert readings[0] == 0
    assert readings == sorted(readings)
    assert readings[-1] == next(taken) - 1, "the last one is of the end"


def test_a_short_block_has_its_bounds() -> None:
    with sampled(count().__next__, 60.0) as readings:
        pass
    assert readings == [0, 1]


def test_a_block_that_fails_ends_its_thread() -> None:
    with pytest.raises(RuntimeError), sampled(lambda: 1):
        raise RuntimeError
    assert not [thread for thread in threading.enumerate() if thread.name == THREAD]


def test_what_cannot_be_read_is_no_reading() -> None:
    with sampled(lambda: None, 1e-6) as readings:
        pass
    assert readings == []


@pytest.mark.parametrize(("number", "left"), [(0, []), (1, [0]), (2, [0, 1]), (3, [0, 2]), (6, [0, 2, 4, 5])])
def test_every_other_reading_and_the_last_one_stay(number: int, left: list[int]) -> None:
    readings = list(range(number))
    thin_out(readings)
    assert readings == left
