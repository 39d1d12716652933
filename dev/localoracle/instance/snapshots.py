"""System change numbers: each one handed out stands for a PostgreSQL snapshot that is kept.

A flashback query needs the database as it was at an SCN (Oracle Development Guide, "Using Oracle
Flashback Technology"). PostgreSQL keeps old row versions as long as a transaction may still see
them, so every SCN is held by one idle REPEATABLE READ transaction that has exported its snapshot,
until `undo_retention` seconds have passed since it was last the current one. It outlives the
server (undo.py).
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import psycopg

from localoracle.errors import OracleError
from localoracle.instance.undo import VISIBLE, Undo
from localoracle.tasks import undisturbed

if TYPE_CHECKING:
    from localoracle.server.database import Database

DEFAULT_UNDO_RETENTION = 900
MAXIMUM_KEPT = 48
"""Each kept snapshot costs one PostgreSQL connection; beyond that the least useful one is dropped."""
MAXIMUM_UNUSED = MAXIMUM_KEPT // 2
"""So many of them stay although no query has read as of them yet."""

# The first SCN of a server process: milliseconds since 2020, so that numbers grow over restarts
# without being stored (the process would have to hand out a thousand per second to catch up).
_EPOCH = 1_577_836_800
_SWEEP_SECONDS = 15.0
_TRIES = 5
"""So often an SCN is taken anew that could not be had again after a restart, while nobody is at work."""


@dataclass(slots=True)
class _Snapshot:
    scn: int
    visible: str
    """The text of undo.VISIBLE."""
    name: str
    connection: psycopg.AsyncConnection[Any]
    current_until: float
    """Monotonic time at which this was last known to be the current state."""
    last_used: float = 0.0
    """Monotonic time of the last query as of it; 0 when there was none."""


class Snapshots:
    """Hands out SCNs and the PostgreSQL snapshots behind them. One per server process."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._undo = Undo(database.cluster)
        self._kept: dict[int, _Snapshot] = {}
        self._lock = asyncio.Lock()
        # Also where the clock was set back since.
        self._last = max(0, int((time.time() - _EPOCH) * 1000) - 1, *self._undo.ages())
        self._probe: psycopg.AsyncConnection[Any] | None = None
        self._sweeper: asyncio.Task[None] | None = None

    @property
    def latest(self) -> int:
        """The number that was handed out last."""
        return self._last

    async def start(self) -> None:
        """Give up what an earlier server has kept and cannot be had again: it would be kept for good."""
        async with self._lock:
            await self._undo.clear_away(await self._asker())

    async def take(self) -> int:
        """The current SCN; the state it stands for stays readable for `undo_retention` seconds.

        While nothing is committed the same number is returned.
        """
        return await undisturbed(self._take())

    async def snapshot(self, scn: int) -> str:
        """The name for SET TRANSACTION SNAPSHOT of the state at `scn`.

        Raises ORA-01555 when the state is no longer kept, ORA-08181 for a number never handed out.
        """
        return await undisturbed(self._snapshot(scn))

    async def _take(self) -> int:
        async with self._lock:
            visible = await self._visible_now()
            newest = self._kept.get(self._last)
            if newest is not None and newest.visible == visible and not newest.connection.closed:
                newest.current_until = time.monotonic()
                return newest.scn
            await self._make_room()
            return await self._keep()

    async def _snapshot(self, scn: int) -> str:
        async with self._lock:
            if scn < 1 or scn > self._last:
                raise OracleError(8181, "specified number is not a valid system change number")
            snapshot = self._kept.get(scn) or await self._restored(scn)
            now = time.monotonic()
            if snapshot is not None and await self._visible_now() == snapshot.visible:
                snapshot.current_until = now
            if snapshot is not None and now - snapshot.current_until > await self._retention():
                await self._release(snapshot)
                snapshot = None
            if snapshot is None or snapshot.connection.closed:
                self._database.activity.snapshot_too_old()
                raise _too_old()
            snapshot.last_used = now
            return snapshot.name

    def visible(self, scn: int) -> str | None:
        """What is visible at an SCN, as the text of undo.VISIBLE; None when its state is not kept."""
        snapshot = self._kept.get(scn)
        return snapshot.visible if snapshot is not None else None

    @asynccontextmanager
    async def without_prepared(self) -> AsyncIterator[None]:
        """For what has to wait until every transaction has ended: none is prepared in the meantime.

        The SCNs so far stay readable, but not beyond the life of the server.
        """
        async with self._lock:
            for scn in {*self._undo.ages(), *self._kept}:
                await self._forget(scn)
            yield

    async def expire(self) -> int:
        """Give up every kept snapshot, as if all undo had been overwritten. Returns how many there were."""
        async with self._lock:
            count = len(self._kept)
            for snapshot in list(self._kept.values()):
                await self._release(snapshot)
            for scn in self._undo.ages():
                await self._forget(scn)
            return count

    async def close(self) -> None:
        """The server is stopping; what is kept can be had again."""
        if self._sweeper is not None:
            self._sweeper.cancel()
            with suppress(asyncio.CancelledError):
                await self._sweeper
        async with self._lock:
            for snapshot in self._kept.values():
                with suppress(psycopg.Error):
                    await snapshot.connection.close()
            self._kept.clear()
            if self._probe is not None:
                await self._probe.close()

    async def _connect(self) -> psycopg.AsyncConnection[Any]:
        return await psycopg.AsyncConnection.connect(self._database.cluster.conninfo, autocommit=True)

    async def _asker(self) -> psycopg.AsyncConnection[Any]:
        """The connection kept for questions."""
        if self._probe is None or self._probe.closed:
            self._probe = await self._connect()
        return self._probe

    async def _query(self, sql: str) -> Any:
        """The one value of a query."""
        row = await (await (await self._asker()).execute(sql)).fetchone()
        return row[0] if row else None

    async def _visible_now(self) -> str:
        return str(await self._query(VISIBLE))

    async def _retention(self) -> float:
        value = await self._query("SELECT value FROM localoracle.parameters WHERE name = 'undo_retention'")
        return float(value) if value else float(DEFAULT_UNDO_RETENTION)

    async def _keep(self) -> int:
        """A new SCN, one that outlives the server if that can be had.

        A short transaction beside it, such as autovacuum's, is over the next time.
        """
        for _ in range(_TRIES - 1):
            scn, lasting = await self._keep_once()
            if lasting or await self._undo.others_at_work(await self._asker()):
                return scn
            await self._release(self._kept[scn])
        scn, _ = await self._keep_once()
        return scn

    async def _keep_once(self) -> tuple[int, bool]:
        """A new SCN, and whether it outlives the server."""
        connection = await self._connect()
        self._last += 1
        try:
            prepared = await self._undo.prepare(connection, self._last)
            await connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            snapshot = await self._add(connection, self._last, time.monotonic())
            lasting = await self._undo.save(connection, snapshot.scn, prepared, snapshot.name)
        except BaseException:
            self._kept.pop(self._last, None)
            await connection.close()
            await self._forget(self._last)
            raise
        return snapshot.scn, lasting

    async def _add(
        self, connection: psycopg.AsyncConnection[Any], scn: int, current_until: float
    ) -> _Snapshot:
        """Keep the snapshot of the connection's transaction."""
        row = await (await connection.execute(f"SELECT ({VISIBLE}), pg_export_snapshot()")).fetchone()
        assert row is not None
        snapshot = self._kept[scn] = _Snapshot(scn, row[0], row[1], connection, current_until)
        if self._sweeper is None or self._sweeper.done():
            self._sweeper = asyncio.create_task(self._sweep(), name="undo retention")
        return snapshot

    async def _restored(self, scn: int) -> _Snapshot | None:
        """An SCN of an earlier server process, unless it is too old."""
        age = self._undo.ages().get(scn)
        if age is None:
            return None
        await self._make_room()
        helper, connection = await self._connect(), await self._connect()
        try:
            if await self._undo.restore(helper, connection, scn):
                return await self._add(connection, scn, time.monotonic() - age)
        finally:
            await helper.close()
        await connection.close()
        await self._forget(scn)
        return None

    async def _make_room(self) -> None:
        """Give up what is beyond the bound.

        An SCN merely looked at is rarely needed again, unless it was taken a moment ago: the oldest of those
        go first while they are many, then those that no query has read for longest.
        """
        left = {scn: age for scn, age in self._undo.ages().items() if scn not in self._kept}
        retention = await self._retention() if left else 0.0
        for scn in sorted(left):
            if left[scn] > retention or len(self._kept) + len(left) > MAXIMUM_KEPT:
                await self._forget(scn)
                del left[scn]
        while len(self._kept) >= MAXIMUM_KEPT:
            unused = [scn for scn, snapshot in self._kept.items() if not snapshot.last_used]
            if len(unused) < MAXIMUM_UNUSED:
                await self._release(
                    min(self._kept.values(), key=lambda snapshot: snapshot.last_used or math.inf)
                )
            else:
                await self._release(self._kept[min(unused)])

    async def _release(self, snapshot: _Snapshot) -> None:
        self._kept.pop(snapshot.scn, None)
        with suppress(psycopg.Error):
            await snapshot.connection.close()
        await self._forget(snapshot.scn)

    async def _forget(self, scn: int) -> None:
        await self._undo.forget(await self._asker(), scn)

    async def _sweep(self) -> None:
        """Old row versions are kept from vacuum by old snapshots: let go of the expired ones."""
        while True:
            await asyncio.sleep(_SWEEP_SECONDS)
            async with self._lock:
                now, retention = time.monotonic(), await self._retention()
                visible = await self._visible_now()
                for snapshot in list(self._kept.values()):
                    if snapshot.visible == visible:
                        snapshot.current_until = now
                    if snapshot.connection.closed or now - snapshot.current_until > retention:
                        await self._release(snapshot)


def _too_old() -> OracleError:
    return OracleError(1555, 'snapshot too old: rollback segment number 1 with name "_SYSSMU1$" too small')
