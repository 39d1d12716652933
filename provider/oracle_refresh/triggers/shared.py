"""One session and one query per round for all triggers that wait for the same thing.

A run with a thousand tables or jobs has a thousand waiting triggers. They cost the database one session, in a
thread of its own, so the event loop is never blocked and thick mode works. A trigger waits for a database
that cannot be reached, as a restart takes minutes, and for one that does not answer, whose calls end by their
time limit.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any, ClassVar, Generic, Self, TypeVar

import oracledb

from oracle_refresh.hooks.oracle import OracleRefreshHook
from oracle_refresh.oracle.errors import PreflightError, oracle_codes, overall_disposition
from oracle_refresh.oracle.row_values import cleansed
from oracle_refresh.oracle.session import close, limit_all_calls

log = logging.getLogger(__name__)

#: Seconds for which an unreachable database is waited for; then the waiting tasks fail, and may be retried.
PATIENCE = 600.0
#: Airflow's scheduler may not have noticed yet that a task deferred itself when its trigger fires at once; it
#: then fails the task. Seconds before a trigger may send its task back to a worker.
FIRST_LOOK = 5.0

Picture = TypeVar("Picture")


class SharedWatch(Generic[Picture]):
    """Looks at one thing for all who wait; get it with `shared`. Subclasses say what a look sees.

    :param conn_id: Airflow connection to the database.
    :param subject: what else tells one watch from another on that connection.
    :param empty: the picture before the first look.
    """

    _open: ClassVar[dict[tuple[Any, ...], SharedWatch[Any]]] = {}

    def __init__(self, conn_id: str, *subject: str, empty: Picture) -> None:
        self.conn_id, self.subject = conn_id, subject
        self.picture = empty
        self._users = 0
        self._looking: asyncio.Task[None] | None = None
        self._connection: oracledb.Connection | None = None
        self._thread = ThreadPoolExecutor(1, f"watch {conn_id}")
        self._looked = float("-inf")
        self._failing_since: float | None = None

    @classmethod
    def create(cls, conn_id: str, *subject: str) -> Self:
        """A watch that nobody shares yet."""
        raise NotImplementedError

    def read(self, connection: oracledb.Connection) -> Picture:
        """Query the database once, in the watch's thread, and leave no transaction open."""
        raise NotImplementedError

    @classmethod
    @asynccontextmanager
    async def shared(cls, conn_id: str, *subject: str) -> AsyncIterator[Self]:
        """The watch of this subject in this event loop; the last one who leaves closes its session."""
        key = (cls, id(asyncio.get_running_loop()), conn_id, *subject)
        watch = cls._open.setdefault(key, cls.create(conn_id, *subject))
        assert isinstance(watch, cls)
        watch._users += 1
        try:
            yield watch
        finally:
            watch._users -= 1
            if not watch._users:
                cls._open.pop(key, None)
                watch._close()

    async def look(self, max_age: float) -> Picture:
        """How things stand, at most `max_age` seconds old.

        One look serves all who wait for it, and continues when one of them is cancelled. It ends by the time
        limits of the session, so a database that does not answer delays no other watch. While a database
        cannot be reached, the picture is the last one.

        :raises oracledb.Error: when that does not heal by waiting, or not within `PATIENCE`.
        :raises PreflightError: when no session was opened in time, for `PATIENCE`.
        """
        if self._looking is None and time.monotonic() - self._looked >= max_age:
            self._looking = asyncio.create_task(self._look())
            self._looking.add_done_callback(_heard)
        if self._looking is not None:
            await asyncio.shield(self._looking)
        return self.picture

    async def _look(self) -> None:
        try:
            hook = OracleRefreshHook(oracle_conn_id=self.conn_id)
            open_session = None if self._connection else await hook.aopener("watch")
            loop = asyncio.get_running_loop()
            self.picture = await loop.run_in_executor(self._thread, self._read, open_session)
            self._looked = time.monotonic()
        finally:
            self._looking = None

    def _read(self, open_session: Callable[[], oracledb.Connection] | None) -> Picture:
        began = time.monotonic()
        try:
            if self._connection is None and open_session is not None:
                self._connection = open_session()
                limit_all_calls(self._connection)
            assert self._connection is not None
            picture = self.read(self._connection)
            self._failing_since = None
        except (oracledb.Error, OSError, PreflightError) as error:  # PreflightError: no session in time
            cleansed(error)
            self._hang_up()
            self._failing_since = self._failing_since or began
            lasting = (
                isinstance(error, oracledb.Error) and overall_disposition(oracle_codes(error)) == "fatal"
            )
            if lasting or began - self._failing_since > PATIENCE:
                raise
            log.warning("%s cannot be read now: %s", self.conn_id, error)
            return self.picture
        return picture

    def _close(self) -> None:
        """Close the session when the look that is under way has ended; no trigger waits for either."""
        self._thread.submit(self._hang_up)
        self._thread.shutdown(wait=False)

    def _hang_up(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            close(connection)


def _heard(look: asyncio.Task[None]) -> None:
    """How a look has ended concerns who waits for it, if anybody still does."""
    if not look.cancelled():
        look.exception()
