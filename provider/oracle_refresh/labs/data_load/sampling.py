"""Readings of counters at regular times while something else is at work."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")
EVERY = 1.0
"""Seconds between two readings of a load that is short; of a longer one they are thinned out."""
MOST_READINGS = 240
THREAD = "data-load-sampling"


@contextmanager
def sampled(read: Callable[[], T | None], every: float = EVERY) -> Iterator[list[T]]:
    """Readings taken in a thread of their own until the block ends; the first and the last one are of its
    bounds.

    :param read: gives the counters as of now, or None where they cannot be read. Called by one thread at a
        time.
    :param every: seconds between two readings, until there are so many that they are thinned out.
    """
    readings: list[T] = []
    ended = threading.Event()

    def take() -> None:
        if (reading := read()) is not None:
            readings.append(reading)

    def watch() -> None:
        interval = every
        while not ended.wait(interval):
            take()
            if len(readings) > MOST_READINGS:
                thin_out(readings)
                interval *= 2

    thread = threading.Thread(target=watch, name=THREAD, daemon=True)
    take()
    thread.start()
    try:
        yield readings
    finally:
        ended.set()
        thread.join()
        take()


def thin_out(readings: list[T]) -> None:
    """Leave every other reading, and the last. Counters are sums: nothing that happened is lost."""
    del readings[1:-1:2]
