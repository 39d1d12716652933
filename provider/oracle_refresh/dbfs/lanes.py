"""Several files on their way at a time, each lane with sessions of its own."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress

from oracle_refresh.datapump.dumpset import DumpFile
from oracle_refresh.dbfs.carriage import Carriage, Report

REPORT_SECONDS = 1.0
CANCEL_SECONDS = 1.0
READ_AT_ONCE = (
    8 << 20
)  # bytes, all lanes together; with the driver's copies this process holds ten times that
READ_AT_LEAST = 256 << 10

Bring = Callable[[Carriage, DumpFile, Report], DumpFile]


def read_bytes(wished: int, lanes: int) -> int:
    """Bytes that each lane reads at once: as wished, if that many lanes leave the memory for it."""
    return min(wished, max(READ_AT_ONCE // lanes, READ_AT_LEAST))


def bring_all(
    lanes: Sequence[Carriage], files: Sequence[DumpFile], bring: Bring, report: Report
) -> tuple[DumpFile, ...]:
    """Bring every file by one of the lanes, the largest first; the results are in the order of `files`.

    After the first error no further file is begun; what runs is ended, then the error is raised. When the
    caller is interrupted, what runs is cancelled, again and again until it has ended: a lane that is between
    two calls does not notice.

    :param report: called in this thread with the bytes of all files that have arrived.
    """
    waiting = deque(sorted(range(len(files)), key=lambda number: -files[number].bytes))
    moved = [0] * len(files)
    found: dict[int, DumpFile] = {}
    stop = threading.Event()

    def bring_one(lane: Carriage, number: int, told: Callable[[], None]) -> None:
        def note(copied: int) -> None:
            moved[number] = copied
            told()

        found[number] = bring(lane, files[number], note)
        note(files[number].bytes)

    if len(lanes) == 1:
        for number in waiting:
            bring_one(lanes[0], number, lambda: report(sum(moved)))
        return tuple(found[number] for number in range(len(files)))

    def work_off(lane: Carriage) -> None:
        try:
            while not stop.is_set():
                try:
                    number = waiting.popleft()
                except IndexError:
                    return
                bring_one(lane, number, lambda: None)
        except BaseException:
            stop.set()
            raise

    with ThreadPoolExecutor(len(lanes), thread_name_prefix="stage") as pool:
        working: set[Future[None]] = {pool.submit(work_off, lane) for lane in lanes}
        all_of_them = tuple(working)
        try:
            while working:
                _, working = wait(working, timeout=REPORT_SECONDS)
                report(sum(moved))
        except BaseException:
            stop.set()
            while working:
                for session in (session for lane in lanes for session in (lane.source, lane.target)):
                    with suppress(Exception):
                        session.cancel()
                _, working = wait(working, timeout=CANCEL_SECONDS)
            raise
    for done in all_of_them:
        done.result()
    return tuple(found[number] for number in range(len(files)))
