"""Both ends of a table read at the same time, each in pieces by several sessions."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from oracle_refresh.validation import statements

if TYPE_CHECKING:
    import oracledb

T = TypeVar("T")
Open = Callable[[], "oracledb.Connection"]
#: The sessions that one worker reads with: one, or one of each end.
Sessions = tuple["oracledb.Connection", ...]


@dataclass
class FurtherSessions:
    """Sessions that a task compares with beside its own two: opened when a table first needs them, by who
    closes them as well. Without `open_source` and `open_target` there are none.

    :ivar degree: sessions of each end that read a table at the same time.
    """

    open_source: Open | None = None
    open_target: Open | None = None
    degree: int = 1
    _sources: list[oracledb.Connection] = field(default_factory=list, init=False)
    _targets: list[oracledb.Connection] = field(default_factory=list, init=False)
    _senders: list[oracledb.Connection] = field(default_factory=list, init=False)

    def sources(self, own: oracledb.Connection, count: int) -> list[oracledb.Connection]:
        """So many sessions of the source, the task's own among them."""
        return [own, *self._some(self._sources, self.open_source, count - 1)]

    def targets(self, count: int) -> list[oracledb.Connection]:
        """So many further ones of the target. Its own is left to the caller, for notes: what two threads ask
        of one session at the same time, with limits of their own, can end both (ORA-01013)."""
        return self._some(self._targets, self.open_target, count)

    def senders(self, count: int) -> list[oracledb.Connection]:
        """So many further ones of the target, that write what others read."""
        return self._some(self._senders, self.open_target, count)

    def _some(
        self, opened: list[oracledb.Connection], opener: Open | None, count: int
    ) -> list[oracledb.Connection]:
        while opener is not None and len(opened) < count:
            opened.append(opener())
        return opened[:count]


@dataclass(frozen=True)
class Reading(Generic[T]):
    """Pieces of one end, and the sessions that take one after the other.

    :ivar read: reads the piece of a number, in a thread of its own.
    :ivar done: is told what was read, in the thread that called `read_all`.
    """

    numbers: Sequence[int]
    sessions: Sequence[Sessions]
    read: Callable[[int, Sessions], T]
    done: Callable[[int, T], None]


def read_all(*readings: Reading[Any]) -> None:
    """Read everything. The first error, and an interruption of the caller, ends what others still read."""
    results: SimpleQueue[tuple[Callable[[int, Any], None], int, Any] | BaseException | None] = SimpleQueue()
    stop = threading.Event()
    workers = [
        (reading, waiting, sessions)
        for reading in readings
        for waiting in [deque(reading.numbers)]
        for sessions in reading.sessions[: len(waiting)]
    ]
    busy = set(range(len(workers)))

    def work(worker: int) -> None:
        reading, waiting, sessions = workers[worker]
        try:
            for session in sessions:
                statements.prepare(session)
            while not stop.is_set() and waiting:
                try:
                    number = waiting.popleft()
                except IndexError:
                    return
                results.put((reading.done, number, reading.read(number, sessions)))
        except BaseException as error:
            stop.set()
            results.put(error)
        finally:
            busy.discard(worker)
            results.put(None)

    cancelled: list[oracledb.Connection] = []
    try:
        with ThreadPoolExecutor(max(1, len(workers)), thread_name_prefix="compare") as pool:
            try:
                for worker in range(len(workers)):
                    pool.submit(work, worker)
                _take(results, len(workers))
            except BaseException:
                stop.set()
                for worker in tuple(busy):
                    for session in workers[worker][2]:
                        with suppress(Exception):
                            session.cancel()
                            cancelled.append(session)
                raise
    finally:
        for session in cancelled:  # one that was done by then would meet the cancellation in its next call
            with suppress(Exception):
                session.ping()


def _take(results: SimpleQueue[Any], workers: int) -> None:
    """Hand on what so many workers read, until all have ended."""
    while workers:
        result = results.get()
        if result is None:
            workers -= 1
        elif isinstance(result, BaseException):
            raise result
        else:
            done, number, value = result
            done(number, value)
