"""The job coordinator: it runs jobs of DBMS_SCHEDULER when they are due, each in a session of its owner.

Locking the owner's account does not keep a job from running: nobody logs on (SQL Language Reference 19c,
ALTER USER: ACCOUNT LOCK disables access by a user). JOB_QUEUE_PROCESSES = 0 does (Database Reference 19c).
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from localoracle.errors import OracleError

if TYPE_CHECKING:
    from localoracle.server.database import Database
    from localoracle.session.session import Session

SERVICE = "scheduler"
_LONGEST_WAIT = 3600.0
_DUE = """\
SELECT owner, job_name, job_type, job_action,
  GREATEST(EXTRACT(EPOCH FROM next_run_date - clock_timestamp()), 0)
FROM localoracle.scheduler_jobs WHERE enabled AND sid IS NULL AND next_run_date IS NOT NULL"""
_BEGIN = """\
UPDATE localoracle.scheduler_jobs SET sid = %s, last_start_date = clock_timestamp()
WHERE owner = %s AND job_name = %s AND enabled AND sid IS NULL RETURNING 1"""
#: A repeated job is due again one period after its start, never twice for what it has missed.
_END = """\
UPDATE localoracle.scheduler_jobs SET sid = NULL, run_count = run_count + 1,
  failure_count = failure_count + %s, enabled = enabled AND period IS NOT NULL,
  state = CASE WHEN period IS NULL THEN %s WHEN enabled THEN 'SCHEDULED' ELSE 'DISABLED' END,
  next_run_date = CASE WHEN period IS NOT NULL
    THEN GREATEST(last_start_date + period * interval '1 second', clock_timestamp()) END
WHERE owner = %s AND job_name = %s"""
_DROP_ENDED = """\
DELETE FROM localoracle.scheduler_jobs
WHERE owner = %s AND job_name = %s AND period IS NULL AND auto_drop AND state <> 'STOPPED'"""


class Coordinator:
    """Of one server; jobs that were running when it ended are due again."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._timer: asyncio.TimerHandle | None = None
        self._running: dict[tuple[str, str], tuple[Session, asyncio.Task[None]]] = {}
        self._closed = False
        self._stopped: set[tuple[str, str]] = set()

    async def start(self) -> None:
        await self._database.system("UPDATE localoracle.scheduler_jobs SET sid = NULL WHERE sid IS NOT NULL")
        await self.look()

    async def close(self) -> None:
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        for owner, name in list(self._running):
            await self.stop(owner, name)

    async def look(self) -> None:
        """Run what is due, and look again when the next job will be: after every change of a job."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._closed or await self._no_processes():
            return
        waits = [_LONGEST_WAIT]
        for owner, name, kind, action, wait in await self._database.system(_DUE):
            if wait > 0:
                waits.append(float(wait))
            elif (owner, name) not in self._running:
                await self._launch(owner, name, kind, action)
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(min(waits), lambda: self._database.spawn(self.look()))

    async def stop(self, owner: str, name: str) -> bool:
        """End the session that runs a job, as KILL SESSION does; whether there was one."""
        running = self._running.get((owner, name))
        if running is None:
            return False
        session, task = running
        self._stopped.add((owner, name))
        task.cancel()
        await self._database.end_session(session)
        with suppress(asyncio.CancelledError):
            await task
        return True

    async def _no_processes(self) -> bool:
        rows = await self._database.system(
            "SELECT value FROM localoracle.parameters WHERE name = 'job_queue_processes'"
        )
        return bool(rows) and rows[0][0] == "0"

    async def _launch(self, owner: str, name: str, kind: str, action: str) -> None:
        session = await self._database.open_session(owner)
        if not await self._database.system(_BEGIN, [session.sid, owner, name]):
            await session.close()
            return
        block = f"BEGIN {action} END;" if kind == "PLSQL_BLOCK" else f"BEGIN {action}; END;"
        task = self._database.spawn(self._run(session, owner, name, block))
        self._running[owner, name] = session, task

    async def _run(self, session: Session, owner: str, name: str, block: str) -> None:
        failed = True
        try:
            await session.run(block)
            await session.transaction.commit()
            failed = False
        except (OracleError, asyncio.CancelledError):
            pass
        finally:
            del self._running[owner, name]
            stopped = (owner, name) in self._stopped
            self._stopped.discard((owner, name))
            outcome = "STOPPED" if stopped else "FAILED" if failed else "SUCCEEDED"
            await session.close()
            await self._database.system(_END, [int(failed and not stopped), outcome, owner, name])
            await self._database.system(_DROP_ENDED, [owner, name])
        await self.look()
