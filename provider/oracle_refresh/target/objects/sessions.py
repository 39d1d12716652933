"""Several sessions of the target that work through one list of statements, longest first.

DDL on different objects, and validation of different constraints, go on at the same time in Oracle, each in a
session of its own.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, TypeVar

from oracle_refresh.target.objects import statements
from oracle_refresh.target.objects.metadata import run as run_ddl

if TYPE_CHECKING:
    import oracledb

T = TypeVar("T")
#: Opens a further session of the target.
Connect = Callable[[], "AbstractContextManager[oracledb.Connection]"]


def spread(
    target: oracledb.Connection,
    items: Iterable[T],
    work: Callable[[oracledb.Connection, T], None],
    sessions: int = 1,
    connect: Connect | None = None,
) -> None:
    """Run `work(session, item)` for every item in order, in up to `sessions` sessions at a time.

    Without `connect`, or with one session, everything runs in `target`. After the first error no further item
    is begun; what runs is ended, then the error is raised. When the caller is interrupted, the statements
    that run are cancelled.
    """
    waiting = deque(items)
    count = min(sessions, len(waiting))
    if connect is None or count < 2:
        for item in waiting:
            work(target, item)
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
        for session in opened:
            run_ddl(session, statements.WAIT_FOR_LOCKS, "session")
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


@contextmanager
def parallel_ddl(session: oracledb.Connection, degree: int) -> Iterator[None]:
    """DDL of the session runs by so many processes where no clause can say it: USING INDEX takes no PARALLEL.

    Source: ALTER SESSION in SQL Language Reference 19c, "FORCE".
    """
    if degree < 2:
        yield
        return
    run_ddl(session, statements.FORCE_PARALLEL_DDL.format(degree=degree), "session")
    try:
        yield
    finally:
        run_ddl(session, statements.USUAL_PARALLEL_DDL, "session")
