"""What sessions have done and waited for since the instance started, as far as PostgreSQL does not count it.

Waits that the server causes or sees itself (commits, log switches) are measured. Those inside PostgreSQL are
sampled from pg_stat_activity: their time is the number of samples times the interval between them, their
count the number of different waits seen, so short ones are missed, as with any sampling.

The counters go to a file in PostgreSQL's directory, which the functions behind V$SYSTEM_EVENT and V$SYSSTAT
read (46_statistics.sql): a table would make a transaction of each update, and so a new SCN.
"""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections import defaultdict, deque
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import psycopg

from localoracle.instance.access import share
from localoracle.instance.metrics import Counted, Intervals

if TYPE_CHECKING:
    from localoracle.server.database import Database

SAMPLE_SECONDS = 0.2
FILE = "localoracle_activity.json"
LOG_FILE_SYNC = "log file sync"
CHECKPOINT_INCOMPLETE = "log file switch (checkpoint incomplete)"

_PROCESSES = (
    "SELECT array_agg(a.pid) FILTER (WHERE a.state = 'active' AND w.event IS NOT NULL),"
    " array_agg(w.event) FILTER (WHERE a.state = 'active' AND w.event IS NOT NULL),"
    " count(*) FILTER (WHERE a.backend_xid IS NOT NULL),"
    " coalesce(max(extract(epoch FROM clock_timestamp() - a.query_start)) FILTER (WHERE a.state = 'active'),"
    " 0)::float8 FROM pg_stat_activity a LEFT JOIN localoracle.sampled_waits w USING (wait_event_type,"
    " wait_event) WHERE a.backend_type = 'client backend' AND a.pid <> pg_backend_pid()"
)
UNDO_PERIOD = timedelta(minutes=10)
UNDO_PERIODS = 576
"""Four days, as V$UNDOSTAT keeps them."""


@dataclass
class Wait:
    count: int = 0
    seconds: float = 0.0
    longest: float = 0.0
    """Seconds of the longest wait; of a sampled one, as far as it was seen."""


@dataclass
class UndoPeriod:
    """One row of V$UNDOSTAT."""

    begin: datetime
    first_transaction: int
    end: datetime | None = None
    transactions: int = 0
    longest_query: float = 0.0
    most_transactions: int = 0
    """At the same time."""
    too_old: int = 0
    """ORA-01555 raised."""

    def row(self, now: datetime) -> list[Any]:
        return [
            self.begin.timestamp(),
            (self.end or now).timestamp(),
            self.transactions,
            round(self.longest_query),
            self.most_transactions,
            self.too_old,
        ]


class Activity:
    """Counters of the instance (key None) and of each session (its sid)."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waits: defaultdict[int | None, defaultdict[str, Wait]] = defaultdict(lambda: defaultdict(Wait))
        self._counts: defaultdict[int | None, defaultdict[str, int]] = defaultdict(lambda: defaultdict(int))
        self._changed = True
        self._undo: deque[UndoPeriod] = deque(maxlen=UNDO_PERIODS)
        self._intervals = Intervals()
        self._lasting: dict[tuple[int, str], float] = {}
        self._missed: dict[tuple[int, str], float] = {}
        """Those of the sample before that the last one did not see."""
        self._connection: psycopg.AsyncConnection[Any] | None = None
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        await self._look(0.0)
        self._write()
        self._task = asyncio.create_task(self._watch(), name="activity")

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        if self._connection is not None:
            await self._connection.close()

    def waited(self, event: str, seconds: float, sid: int) -> None:
        """A session has waited once."""
        for key in (None, sid):
            wait = self._waits[key][event]
            wait.count += 1
            wait.seconds += seconds
            wait.longest = max(wait.longest, seconds)
        self._changed = True

    def count(self, statistic: str, sid: int) -> None:
        """Once more what V$STATNAME calls `statistic`."""
        self._counts[None][statistic] += 1
        self._counts[sid][statistic] += 1
        self._changed = True

    def forget(self, sid: int) -> None:
        """A session has ended; what it has done stays with the instance."""
        self._waits.pop(sid, None)
        self._counts.pop(sid, None)

    def sampled(self, seen: Iterable[tuple[int, str]], seconds: float) -> None:
        """(sid, event) of the sessions that wait now, `seconds` after the sample before.

        A wait goes on although one sample missed it: in the midst of a long one PostgreSQL's process wakes
        up, to look for a deadlock.
        """
        lasting: dict[tuple[int, str], float] = {}
        before = self._missed | self._lasting
        for sid, event in seen:
            duration = before.get((sid, event))
            lasting[sid, event] = (duration or 0.0) + seconds
            for key in (None, sid):
                wait = self._waits[key][event]
                wait.count += duration is None
                wait.seconds += seconds
                wait.longest = max(wait.longest, lasting[sid, event])
            self._changed = True
        self._missed = {wait: time for wait, time in self._lasting.items() if wait not in lasting}
        self._lasting = lasting

    def snapshot_too_old(self) -> None:
        """A query failed with ORA-01555."""
        self._undo[0].too_old += 1

    async def _watch(self) -> None:
        last = time.monotonic()
        while True:
            await asyncio.sleep(SAMPLE_SECONDS)
            now = time.monotonic()
            if self._database.sessions:
                with suppress(psycopg.OperationalError):
                    await self._look(now - last)
            if self._intervals.due(time.time()):
                with suppress(psycopg.OperationalError):
                    await self._close_intervals()
            last = now
            self.report()

    async def _query(self, sql: str) -> list[tuple[Any, ...]]:
        if self._connection is None or self._connection.closed:
            self._connection = await psycopg.AsyncConnection.connect(
                self._database.cluster.conninfo, autocommit=True
            )
        return await (await self._connection.execute(sql)).fetchall()

    async def _look(self, seconds: float) -> None:
        """One look at PostgreSQL's processes, `seconds` after the one before."""
        ((pids, events, *undo),) = await self._query(_PROCESSES)
        sids = {
            session.pg.info.backend_pid: sid
            for sid, session in self._database.sessions.items()
            if not session.pg.closed
        }
        sids |= self._database.processes.backends() | self._database.capture_sessions.backends()
        waiting = zip(pids or (), events or (), strict=True)
        self.sampled([(sids[pid], event) for pid, event in waiting if pid in sids], seconds)
        self._observe_undo(*undo)

    async def _close_intervals(self) -> None:
        ((values,),) = await self._query("SELECT localoracle.metrics_counted()")
        self._intervals.take(Counted(time.time(), values))
        self._changed = True

    def _observe_undo(self, active: int, longest: float) -> None:
        """How many transactions have changed something, seconds of the longest query.

        Those that have ended are counted by the sessions: a number of PostgreSQL's goes to each statement of
        a transaction, for its savepoint.
        """
        ends = self._counts[None]
        transaction = ends.get("user commits", 0) + ends.get("user rollbacks", 0)
        now = datetime.now(UTC)
        if not self._undo or now - self._undo[0].begin >= UNDO_PERIOD:
            if self._undo:
                self._undo[0].end = now
            self._undo.appendleft(UndoPeriod(now, transaction))
        period = self._undo[0]
        self._changed |= period.transactions != transaction - period.first_transaction
        period.transactions = transaction - period.first_transaction
        period.most_transactions = max(period.most_transactions, active)
        period.longest_query = max(period.longest_query, longest)

    def report(self) -> None:
        """Let the views show what has been counted until now."""
        if self._changed:
            self._changed = False
            self._write()

    def _write(self) -> None:
        waits = [
            [key, event, wait.count, round(wait.seconds * 1e6), round(wait.longest * 1e6)]
            for key, events in self._waits.items()
            for event, wait in events.items()
        ]
        counts = [[key, name, value] for key, names in self._counts.items() for name, value in names.items()]
        path = self._database.cluster.data / FILE
        new = path.with_suffix(".new")
        now = datetime.now(UTC)
        undo = [period.row(now) for period in self._undo]
        intervals = self._intervals.rows()
        new.write_text(json.dumps({"waits": waits, "counts": counts, "undo": undo, "intervals": intervals}))
        share(new)
        os.replace(new, path)
