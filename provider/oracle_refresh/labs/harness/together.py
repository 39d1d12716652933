"""Sessions that begin at one moment, as threads of one task.

As tasks of their own they would begin when Airflow comes to them, seconds apart, and what is measured are
seconds. Each opens its session, then waits for the others.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from oracle_refresh.oracle.errors import RefreshError, oracle_codes
from oracle_refresh.run.progress import Progress

if TYPE_CHECKING:
    import oracledb

T = TypeVar("T")
#: Opens a session; may be called by several threads at once.
Connect = Callable[[], "oracledb.Connection"]
#: Sessions that have not all been opened by then will not be.
START_SECONDS = 120.0
#: User requested cancel of current operation.
CANCELLED = "ORA-01013"


class Start:
    """Where all sessions wait for each other."""

    def __init__(self, sessions: int) -> None:
        self.began = 0.0
        """time.monotonic() of the common start."""
        self._barrier = threading.Barrier(sessions, action=self._begin, timeout=START_SECONDS)

    def _begin(self) -> None:
        self.began = time.monotonic()

    def wait(self) -> None:
        """:raises threading.BrokenBarrierError: if one of the others failed, or has not come in time."""
        self._barrier.wait()

    def abort(self) -> None:
        """Let nobody wait for a session that will not come."""
        self._barrier.abort()


@dataclass(frozen=True)
class Together(Generic[T]):
    """What each session returned, and when it had ended, in seconds from the common start."""

    results: tuple[T, ...]
    ends: tuple[float, ...]

    @property
    def seconds(self) -> float:
        """From the common start to the end of the last one."""
        return max(self.ends)


def together(
    sessions: int,
    work: Callable[[int, Start], T],
    *,
    step: str,
    kind: type[RefreshError],
    stop: Callable[[], None] = lambda: None,
) -> Together[T]:
    """Work in so many threads, numbered from 0, each of which calls `start.wait()` once before what counts.

    :param stop: ends the others when one has failed or the task is ended. May be called several times, from
        any of the threads.
    :raises RefreshError: of this kind, if they could not all begin; else what the first of them that
        failed by itself has raised.
    """
    start = Start(sessions)

    def run(number: int) -> tuple[T, float]:
        try:
            result = work(number, start)
        except BaseException:
            stop()
            start.abort()
            raise
        return result, time.monotonic()

    with ThreadPoolExecutor(sessions, thread_name_prefix=step.replace(" ", "-")) as pool:
        running = [pool.submit(run, number) for number in range(sessions)]
        try:
            failures = [failure for future in running if (failure := future.exception()) is not None]
        except BaseException:
            stop()
            raise
    if failures:
        cause = min(failures, key=_consequence)
        if isinstance(cause, threading.BrokenBarrierError):
            raise kind(
                f"{sessions} sessions could not be opened within {START_SECONDS:.0f} s",
                step=step,
                remedy="take fewer at the same time, or raise SESSIONS and PROCESSES of the instance",
            ) from cause
        raise cause
    results, ends = zip(*(future.result() for future in running), strict=True)
    return Together(results, tuple(end - start.began for end in ends))


def _consequence(error: BaseException) -> int:
    """0 for what failed by itself; then what was cancelled as another failed; last what waited for others."""
    if isinstance(error, threading.BrokenBarrierError):
        return 2
    return int(CANCELLED in oracle_codes(error))


class Tally:
    """Progress of sessions that work at the same time: reports how many things they have done in all."""

    def __init__(self, progress: Progress, total: int, unit: str, what: str, *, done: int = 0) -> None:
        self._progress, self._about = progress, (total, unit, what)
        self._done = done
        self._lock = threading.Lock()

    def add(self) -> None:
        with self._lock:
            self._done += 1
            self._progress.report(self._done, *self._about)
