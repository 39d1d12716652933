"""The redo log groups of a running instance: they fill with PostgreSQL's WAL.

A group is a number of bytes of the WAL. When all groups are needed for a crash recovery, sessions that want
to change something wait until PostgreSQL's checkpoint is done, as Oracle's do: "log file switch (checkpoint
incomplete)". PostgreSQL itself would go on.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import psycopg

from localoracle.instance import redo_groups
from localoracle.instance.activity import CHECKPOINT_INCOMPLETE
from localoracle.instance.redo_groups import Advance, Group

if TYPE_CHECKING:
    from localoracle.server.database import Database
    from localoracle.session.session import Session

BUSY_SECONDS, IDLE_SECONDS = 0.2, 1.0
"""How often the position in the WAL is looked at: while it moves, and while it does not."""
ARCHIVE_BYTES = 1 << 30
"""More than that of archived redo is not kept."""

_STATE = (
    "SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn,"
    " (SELECT redo_lsn - '0/0'::pg_lsn FROM pg_control_checkpoint())"
)
_UNARCHIVED = (
    "SELECT 1 FROM dictionary.v$log WHERE localoracle.log_mode() = 'ARCHIVELOG' AND archived = 'NO'"
    " AND status IN ('ACTIVE', 'INACTIVE') LIMIT 1"
)
_GROUPS = (
    "SELECT group_number, sequence, bytes, status, begin_position, end_position FROM localoracle.redo_logs"
    " ORDER BY group_number"
)


class RedoLogs:
    """Watches the WAL. Whoever changes the groups does it inside `changing`."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = asyncio.Lock()
        self._room = asyncio.Event()
        self._room.set()
        self._connection: psycopg.AsyncConnection[Any] | None = None
        self._watcher: asyncio.Task[None] | None = None

    async def start(self) -> None:
        async with self._lock:
            written, _ = await self._position()
            await self._execute(
                "UPDATE localoracle.redo_logs SET begin_position = %s WHERE status = 'CURRENT' AND"
                " begin_position = 0",
                [written],
            )
        self._watcher = asyncio.create_task(self._watch(), name="redo logs")

    async def close(self) -> None:
        if self._watcher is not None:
            self._watcher.cancel()
            with suppress(asyncio.CancelledError):
                await self._watcher
        self._room.set()
        if self._connection is not None:
            await self._connection.close()

    async def wait_for_room(self, session: Session) -> None:
        """Before a session changes something. Returns at once unless no group is free."""
        if self._room.is_set():
            return
        begin = time.monotonic()
        await self._room.wait()
        self._database.activity.waited(CHECKPOINT_INCOMPLETE, time.monotonic() - begin, session.sid)

    async def refresh(self) -> None:
        """Bring the groups up to date with what has been written."""
        async with self._lock:
            await self._refresh()

    async def checkpoint(self) -> None:
        """ALTER SYSTEM CHECKPOINT: what was written so far is not needed for a recovery any more."""
        async with self._lock:
            await self._execute("CHECKPOINT")
            await self._refresh()
            await self._finish_segment()

    async def switch(self) -> None:
        """ALTER SYSTEM SWITCH LOGFILE; waits for a checkpoint when no group is free."""
        async with self._lock:
            await self._refresh()
            groups = await self._groups()
            if redo_groups.next_group(groups) is None:
                await self._execute("CHECKPOINT")
                groups = (await self._advance(groups)).groups
            written, _ = await self._position()
            # Only whole segments of the WAL are archived; what fills this one up belongs to no group.
            await self._execute("SELECT pg_switch_wal() WHERE localoracle.log_mode() = 'ARCHIVELOG'")
            begin, _ = await self._position()
            await self._store(groups, redo_groups.switch(groups, written, begin))

    @asynccontextmanager
    async def changing(self) -> AsyncIterator[None]:
        """Nothing else happens to the groups in the meantime."""
        async with self._lock:
            await self._refresh()
            yield

    async def _watch(self) -> None:
        seen = 0
        while True:
            moved = False
            with suppress(psycopg.OperationalError):
                written, _ = await self._position()
                moved, seen = written != seen, written
                if moved:
                    await self.refresh()
                else:
                    async with self._lock:
                        await self._finish_segment()
            await asyncio.sleep(BUSY_SECONDS if moved else IDLE_SECONDS)

    async def _refresh(self) -> None:
        step = await self._advance(await self._groups())
        if step.stalled:
            self._room.clear()
            try:
                await self._execute("CHECKPOINT")
                await self._advance(step.groups)
            finally:
                self._room.set()

    async def _finish_segment(self) -> None:
        """Let the end of a filled group be archived: only whole segments of the WAL are.

        What fills the segment up belongs to no group.
        """
        if await self._execute(_UNARCHIVED):
            written, _ = await self._position()
            await self._execute("SELECT pg_switch_wal()")
            begin, _ = await self._position()
            await self._execute(
                "UPDATE localoracle.redo_logs SET begin_position = begin_position + %s"
                " WHERE status = 'CURRENT'",
                [begin - written],
            )

    async def _advance(self, groups: tuple[Group, ...]) -> Advance:
        step = redo_groups.advance(groups, *await self._position())
        await self._store(groups, step)
        return step

    async def _store(self, before: Sequence[Group], step: Advance) -> None:
        """Write what has changed, and the history of the groups that were filled."""
        change = self._database.snapshots.latest + 1
        for number, left in enumerate(step.filled):
            # Only the first of them was begun before.
            await self._execute(
                "INSERT INTO localoracle.log_history (sequence, first_change, first_time, next_change,"
                " begin_position, end_position) SELECT %(sequence)s, CASE WHEN %(known)s THEN first_change"
                " ELSE %(change)s END, CASE WHEN %(known)s THEN first_time ELSE localoracle.now() END,"
                " %(change)s, %(begin)s, %(end)s FROM localoracle.redo_logs WHERE group_number = %(number)s",
                asdict(left) | {"known": number == 0, "change": change},
            )
        former = {group.number: group for group in before}
        for group in step.groups:
            if former.get(group.number) == group:
                continue
            await self._execute(
                "UPDATE localoracle.redo_logs SET sequence = %(sequence)s, status = %(status)s,"
                " begin_position = %(begin)s, end_position = %(end)s,"
                " first_change = CASE WHEN sequence = %(sequence)s THEN first_change ELSE %(change)s END,"
                " first_time = CASE WHEN sequence = %(sequence)s THEN first_time ELSE localoracle.now() END"
                " WHERE group_number = %(number)s",
                asdict(group) | {"change": change},
            )
        if step.filled:
            await asyncio.to_thread(self._prune_archive)

    async def _groups(self) -> tuple[Group, ...]:
        return tuple(Group(*row) for row in await self._execute(_GROUPS))

    async def _position(self) -> tuple[int, int]:
        """(bytes written, where a recovery would begin)."""
        ((written, recovery),) = await self._execute(_STATE)
        return int(written), int(recovery)

    async def _execute(
        self, sql: str, params: Sequence[Any] | Mapping[str, Any] = ()
    ) -> list[tuple[Any, ...]]:
        if self._connection is None or self._connection.closed:
            self._connection = await psycopg.AsyncConnection.connect(
                self._database.cluster.conninfo, autocommit=True
            )
        cursor = await self._connection.execute(sql, params or None)
        return await cursor.fetchall() if cursor.description else []

    def _prune_archive(self) -> None:
        files = sorted(self._database.instance.archive_directory.glob("[0-9A-F]*"), reverse=True)
        total = 0
        for file in files:
            total += file.stat().st_size
            if total > ARCHIVE_BYTES:
                file.unlink()
