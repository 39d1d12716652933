"""Whoever meets goes on when all are there, and not before; what a killed try has told misleads nobody."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor

import pytest

from oracle_refresh.labs.store.rendezvous import Arrival, meet
from oracle_refresh.oracle.errors import StagingError

NAMES = ("one", "two", "three", "four")


class Memory:
    """A board of this process, which is slow at times."""

    def __init__(self, *arrivals: Arrival) -> None:
        self.arrivals = {arrival.name: arrival for arrival in arrivals}
        self.lock = threading.Lock()

    def tell(self, arrival: Arrival) -> None:
        time.sleep(random.random() / 200)
        with self.lock:
            self.arrivals[arrival.name] = arrival

    def told(self) -> Collection[Arrival]:
        time.sleep(random.random() / 200)
        with self.lock:
            return tuple(self.arrivals.values())


def pause() -> None:
    time.sleep(0.001)


@pytest.mark.parametrize("number", [2, 3, 4])
def test_all_go_on_when_the_last_one_has_come(number: int) -> None:
    names, board, last = NAMES[:number], Memory(), threading.Event()

    def come(name: str) -> bool:
        if name == names[-1]:
            time.sleep(0.1)
            last.set()
        meet(board, name, f"token of {name}", names, patience=60, pause=pause)
        return last.is_set()

    with ThreadPoolExecutor(number) as pool:
        assert list(pool.map(come, names)) == [True] * number


def test_nobody_goes_on_with_what_a_killed_try_has_told() -> None:
    former = [Arrival(name, f"old {name}", tuple(f"old {n}" for n in NAMES if n != name)) for name in NAMES]
    board = Memory(*former)
    with pytest.raises(StagingError, match="not there within 0 s: four, three, two"):
        meet(board, "one", "new one", NAMES, patience=0.2, pause=pause)
    assert board.arrivals["one"].sees == ("old four", "old three", "old two")

    def come(name: str) -> None:
        meet(board, name, f"new {name}", NAMES, patience=60, pause=pause)

    with ThreadPoolExecutor(len(NAMES)) as pool:
        list(pool.map(come, NAMES))
    assert all(arrival.token.startswith("new") for arrival in board.arrivals.values())


def test_who_has_not_come_is_named_with_what_to_do() -> None:
    board = Memory()
    with pytest.raises(StagingError, match="three, two") as late:
        meet(board, "one", "a", NAMES[:3], patience=0.05, pause=pause)
    assert "listen to each of these queues" in str(late.value.remedy)
    assert Arrival.from_json(board.arrivals["one"].to_json()) == board.arrivals["one"]
