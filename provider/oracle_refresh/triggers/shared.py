"""One session and one question per round for all triggers that wait for the same thing.

A run with a thousand tables or jobs has a thousand waiting triggers; waiting must cost the database one
session, however many wait. A database that cannot be reached is waited for, as a restart takes minutes; so
is one that says nothing, whose looks end by the time limit of their calls.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, ClassVar, Generic, Self, TypeVar

import oracledb

from oracle_refresh.hooks.oracle import OracleRefreshHook
from oracle_refresh.oracle.errors import oracle_codes, overall_disposition
from oracle_refresh.oracle.row_values import cleansed

log = logging.getLogger(__name__)

#: Seconds for which an unreachable database is waited for; then the waiting tasks fail, and may be retried.
PATIENCE = 600.0
#: Airflow's scheduler may not have noticed yet that a task deferred itself when its trigger fires at once; it
#: then fails the task. Seconds before a trigger may send its task back to a worker.
FIRST_LOOK = 5.0

#: What closes sessions: the event loop itself holds tasks only weakly.
_ending: set[asyncio.Task[None]] = set()

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
        self._connection: oracledb.AsyncConnection | None = None
        self._looked = float("-inf")
        self._failing_since: float | None = None

    @classmethod
    def create(cls, conn_id: str, *subject: str) -> Self:
        """A watch that nobody shares yet."""
        raise NotImplementedError

    async def read(self, connection: oracledb.AsyncConnection) -> Picture:
        """One look, in short queries that leave no transaction open."""
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
                await watch._close()

    async def look(self, max_age: float) -> Picture:
        """How things stand, at most `max_age` seconds old.

        One look serves all who wait for it, and goes on when one of them is cancelled: a call that is broken
        off waits for the database's answer to that. It ends by the time limit of the session's calls, so a
        database that says nothing holds up nobody else. One that cannot be reached is waited for: the picture
        then is the last one.

        :raises oracledb.Error: when that does not heal by waiting, or not within `PATIENCE`.
        """
        if self._looking is None and time.monotonic() - self._looked >= max_age:
            self._looking = asyncio.create_task(self._look())
            self._looking.add_done_callback(_heard)
        if self._looking is not None:
            await asyncio.shield(self._looking)
        return self.picture

    async def _look(self) -> None:
        try:
            self.picture = await self._read(time.monotonic())
            self._looked = time.monotonic()
        finally:
            self._looking = None

    async def _read(self, now: float) -> Picture:
        try:
            if self._connection is None:
                self._connection = await OracleRefreshHook(oracle_conn_id=self.conn_id).open_async()
            picture = await self.read(self._connection)
            self._failing_since = None
        except (oracledb.Error, OSError) as error:
            cleansed(error)
            await self._hang_up()
            self._failing_since = self._failing_since or now
            lasting = (
                isinstance(error, oracledb.Error) and overall_disposition(oracle_codes(error)) == "fatal"
            )
            if lasting or now - self._failing_since > PATIENCE:
                raise
            log.warning("%s cannot be read now: %s", self.conn_id, error)
            return self.picture
        return picture

    async def _close(self) -> None:
        """Nobody waits any more, for a look that is under way neither: the session is closed when it ends."""
        task = asyncio.create_task(self._end(self._looking))
        _ending.add(task)
        task.add_done_callback(_ending.discard)
        if self._looking is None:
            await asyncio.shield(task)

    async def _end(self, look: asyncio.Task[None] | None) -> None:
        if look is not None:
            await asyncio.wait([look])
        await self._hang_up()

    async def _hang_up(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            try:
                await connection.close()
            except (oracledb.Error, OSError):
                log.debug("the session was gone already", exc_info=True)


def _heard(look: asyncio.Task[None]) -> None:
    """How a look has ended concerns who waits for it, if anybody still does."""
    if not look.cancelled():
        look.exception()
