"""Several sessions of one database that work through one list, each item in one of them."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, suppress
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import oracledb

T = TypeVar("T")
#: Opens a further session.
Connect = Callable[[], "AbstractContextManager[oracledb.Connection]"]


def spread(
    own: oracledb.Connection,
    items: Iterable[T],
    work: Callable[[oracledb.Connection, T], None],
    sessions: int = 1,
    connect: Connect | None = None,
) -> None:
    """Run `work(session, item)` for every item in order, in up to `sessions` sessions at a time.

    Without `connect`, or with one session, everything runs in `own`. After the first error no further item
    is begun; what runs is ended, then the error is raised. When the caller is interrupted, the statements
    that run are cancelled.
    """
    waiting = deque(items)
    count = min(sessions, len(waiting))
    if connect is None or count < 2:
        for item in waiting:
            work(own, item)
        return
    stop = threading.Event()

    def work_off(session: oracledb.Connection) -> None:
        try:
            while not stop.is_set():
                try:
                    item = waiting.popleft()
                except IndexError:
                    return
                work(session, item)
        except BaseException:
            stop.set()
            raise

    with ExitStack() as stack:
        # Opened here: only the caller's thread asks Airflow for the connection.
        opened = [stack.enter_context(connect()) for _ in range(count)]
        with ThreadPoolExecutor(count, thread_name_prefix="refresh") as pool:
            try:
                futures = [pool.submit(work_off, session) for session in opened]
                errors = [error for error in (future.exception() for future in futures) if error is not None]
            except BaseException:
                stop.set()
                for session in opened:
                    with suppress(Exception):
                        session.cancel()
                raise
    if errors:
        raise errors[0]
