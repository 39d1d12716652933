"""Several files on their way at a time, each worker thread with sessions of its own."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress

from oracle_refresh.datapump.dumpset import DumpFile
from oracle_refresh.transport.transfer import OnBytes, Transfer

REPORT_SECONDS = 1.0
CANCEL_SECONDS = 1.0
#: Bytes, all files together; with the driver's copies this process holds ten times that.
READ_AT_ONCE = 8 << 20
READ_AT_LEAST = 256 << 10

Bring = Callable[[Transfer, DumpFile, OnBytes], DumpFile]


def bounded_read_bytes(wished: int, files: int) -> int:
    """Bytes of each file that are read at once: as wished, if that many files leave the memory for it."""
    return min(wished, max(READ_AT_ONCE // files, READ_AT_LEAST))


def bring_all(
    transfers: Sequence[Transfer], files: Sequence[DumpFile], bring: Bring, on_bytes: OnBytes
) -> tuple[DumpFile, ...]:
    """Bring every file, the largest first, as many at a time as there are transfers of the same dump set with
    sessions of their own; the results are in the order of `files`.

    After the first error no further file is begun; what runs is ended, then the error is raised. When the
    caller is interrupted, what runs is cancelled, again and again until it has ended: a worker between two
    calls does not notice.

    :param on_bytes: called in this thread with the bytes of all files that have arrived.
    """
    waiting = deque(sorted(range(len(files)), key=lambda number: -files[number].bytes))
    moved = [0] * len(files)
    brought: dict[int, DumpFile] = {}
    stop = threading.Event()

    def bring_file(transfer: Transfer, number: int, report: Callable[[], None]) -> None:
        def note(copied: int) -> None:
            moved[number] = copied
            report()

        brought[number] = bring(transfer, files[number], note)
        note(files[number].bytes)

    if len(transfers) == 1:
        for number in waiting:
            bring_file(transfers[0], number, lambda: on_bytes(sum(moved)))
        return tuple(brought[number] for number in range(len(files)))

    def work(transfer: Transfer) -> None:
        try:
            while not stop.is_set():
                try:
                    number = waiting.popleft()
                except IndexError:
                    return
                bring_file(transfer, number, lambda: None)
        except BaseException:
            stop.set()
            raise

    with ThreadPoolExecutor(len(transfers), thread_name_prefix="stage") as pool:
        working: set[Future[None]] = {pool.submit(work, transfer) for transfer in transfers}
        workers = tuple(working)
        try:
            while working:
                _, working = wait(working, timeout=REPORT_SECONDS)
                on_bytes(sum(moved))
        except BaseException:
            stop.set()
            while working:
                for session in (session for each in transfers for session in (each.source, each.target)):
                    with suppress(Exception):
                        session.cancel()
                _, working = wait(working, timeout=CANCEL_SECONDS)
            raise
    for worker in workers:
        worker.result()
    return tuple(brought[number] for number in range(len(files)))
