"""One look at a run for all triggers that wait for it: what its ledger says, and what Airflow says of tasks.

A run with a thousand tables has a thousand waiting triggers. They share one session of the target and one
question to Airflow per round, so that waiting costs the database one session, however many wait.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar

import oracledb

from oracle_refresh.errors import oracle_codes, overall_disposition
from oracle_refresh.hooks.oracle import OracleRefreshHook
from oracle_refresh.ledger import fetch_details, fetch_states

log = logging.getLogger(__name__)

#: Seconds for which an unreachable target is waited for; then the waiting tasks fail, and may be retried.
PATIENCE = 600.0
#: Seconds between two questions to Airflow for the states of tasks.
STATES_EVERY = 10.0

LOAD_STEP = "load"
TASK_STEP = "task"
"""Ledger step of the tasks that work on a job; its detail names them, see `operators.transfer`."""


@dataclass(frozen=True)
class Picture:
    """Loads by job, task instances by job (`task_id` or `task_id_mapindex`), and their states in Airflow."""

    loads: Mapping[str, str] = field(default_factory=dict)
    tasks: Mapping[str, list[str]] = field(default_factory=dict)
    states: Mapping[str, str | None] = field(default_factory=dict)


class RunWatch:
    """Looks at one run; get it with `shared`."""

    _open: ClassVar[dict[tuple[int, str, str, str], RunWatch]] = {}

    def __init__(self, conn_id: str, dag_id: str, run_id: str) -> None:
        self.conn_id, self.dag_id, self.run_id = conn_id, dag_id, run_id
        self._users = 0
        self._lock = asyncio.Lock()
        self._connection: oracledb.AsyncConnection | None = None
        self._picture = Picture()
        self._looked = self._asked = float("-inf")
        self._failing_since: float | None = None

    @classmethod
    @asynccontextmanager
    async def shared(cls, conn_id: str, dag_id: str, run_id: str) -> AsyncIterator[RunWatch]:
        """The watch of this run in this event loop; the last one who leaves closes its session."""
        key = (id(asyncio.get_running_loop()), conn_id, dag_id, run_id)
        watch = cls._open.setdefault(key, cls(conn_id, dag_id, run_id))
        watch._users += 1
        try:
            yield watch
        finally:
            watch._users -= 1
            if not watch._users:
                cls._open.pop(key, None)
                await watch._close()

    async def look(self, max_age: float) -> Picture:
        """How the run stands, at most `max_age` seconds old.

        A target that cannot be reached is waited for: the picture then is the last one.

        :raises oracledb.Error: when that does not heal by waiting, or not within `PATIENCE`.
        """
        async with self._lock:
            now = time.monotonic()
            if now - self._looked >= max_age:
                self._picture = await self._read(now)
                self._looked = time.monotonic()
            return self._picture

    async def _read(self, now: float) -> Picture:
        try:
            if self._connection is None:
                self._connection = await OracleRefreshHook(oracle_conn_id=self.conn_id).open_async()
            loads = await fetch_states(self._connection, self.run_id, LOAD_STEP)
            details = await fetch_details(self._connection, self.run_id, TASK_STEP)
            self._failing_since = None
        except asyncio.CancelledError:
            await self._close()  # its answer is still on the way
            raise
        except (oracledb.Error, OSError) as error:
            await self._close()
            self._failing_since = self._failing_since or now
            lasting = (
                isinstance(error, oracledb.Error) and overall_disposition(oracle_codes(error)) == "fatal"
            )
            if lasting or now - self._failing_since > PATIENCE:
                raise
            log.warning("the ledger cannot be read now: %s", error)
            return self._picture
        tasks = {job: list(detail.get("tasks", ())) for job, detail in details.items()}
        return Picture(loads, tasks, await self._states(now))

    async def _states(self, now: float) -> Mapping[str, str | None]:
        if now - self._asked < STATES_EVERY:
            return self._picture.states
        try:
            states = await _task_states(self.dag_id, self.run_id)
        except Exception as error:  # Airflow's API is busy or restarting: the next round asks again
            log.warning("Airflow does not tell the states of the tasks now: %s", error)
            return self._picture.states
        self._asked = now
        return states

    async def _close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            try:
                await connection.close()
            except (oracledb.Error, OSError):
                log.debug("the session was gone already", exc_info=True)


async def _task_states(dag_id: str, run_id: str) -> dict[str, str | None]:
    """State by `task_id`, of mapped tasks by `task_id_mapindex`."""
    from airflow.sdk.execution_time.task_runner import RuntimeTaskInstance
    from asgiref.sync import sync_to_async

    found: dict[str, Any] = await sync_to_async(RuntimeTaskInstance.get_task_states)(
        dag_id=dag_id, run_ids=[run_id]
    )
    states: dict[str, str | None] = found.get(run_id, {})
    return states
