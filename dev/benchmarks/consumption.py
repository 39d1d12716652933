"""What processes with all their children take of the machine."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress

import psutil


def family(first: Iterable[int]) -> list[psutil.Process]:
    """The processes of these ids that run, and all below them."""
    found = []
    for pid in first:
        with suppress(psutil.NoSuchProcess):
            process = psutil.Process(pid)
            found += [process, *process.children(recursive=True)]
    return found


def memory_mb(processes: Iterable[psutil.Process]) -> float:
    """What they share is divided among those who share it."""
    size = 0
    for process in processes:
        with suppress(psutil.Error):
            size += process.memory_full_info().pss
    return size / 1e6


def cpu_seconds(processes: Iterable[psutil.Process]) -> float:
    """Since their start, with those of children that have ended."""
    seconds = 0.0
    for process in processes:
        with suppress(psutil.Error):
            times = process.cpu_times()
            seconds += times.user + times.system + times.children_user + times.children_system
    return seconds


#: Of a core: the share of dozens of processes takes the kernel half a second to add up.
MOST_OF_A_CORE = 0.05


class Peaks(threading.Thread):
    """Looks again and again, as often as does not disturb what is measured; the largest of each value."""

    def __init__(self, look: Callable[[], dict[str, float]], pause: float = 2.0) -> None:
        super().__init__(daemon=True)
        self._look, self._pause = look, pause
        self._end = threading.Event()
        self._found: dict[str, float] = {}

    def run(self) -> None:
        while True:
            began = time.monotonic()
            for name, value in self._look().items():
                self._found[name] = max(value, self._found.get(name, 0.0))
            if self._end.wait(max(self._pause, (time.monotonic() - began) / MOST_OF_A_CORE)):
                return

    def stop(self) -> dict[str, float]:
        self._end.set()
        self.join()
        return self._found
