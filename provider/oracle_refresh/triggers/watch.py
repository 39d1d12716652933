"""One look at a run for all triggers that wait for it: its ledger, and what Airflow says of its tasks."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import oracledb

from oracle_refresh.run.ledger import fetch_details, fetch_states
from oracle_refresh.triggers.shared import SharedWatch

log = logging.getLogger(__name__)

#: Seconds between two questions to Airflow for the states of tasks, and before the first one.
STATES_EVERY = 10.0

LOAD_STEP = "load"
TASK_STEP = "task"
"""Ledger step of the tasks that work on a job; its detail names them, see `operators.transfer`."""


@dataclass(frozen=True)
class Picture:
    """Loads by job, task instances by job (`task_id` or `task_id_mapindex`), and their states in Airflow.

    :ivar asked: reading of `time.monotonic` before Airflow was asked for the states.
    """

    loads: Mapping[str, str] = field(default_factory=dict)
    tasks: Mapping[str, list[str]] = field(default_factory=dict)
    states: Mapping[str, str | None] = field(default_factory=dict)
    asked: float = float("-inf")


class RunWatch(SharedWatch[Picture]):
    """Looks at one run; get it with `shared(conn_id, dag_id, run_id)`."""

    def __init__(self, conn_id: str, *subject: str) -> None:
        super().__init__(conn_id, *subject, empty=Picture())
        self._asked = time.monotonic()
        self._asking: asyncio.Task[dict[str, str | None]] | None = None

    @classmethod
    def create(cls, conn_id: str, *subject: str) -> Self:
        return cls(conn_id, *subject)

    async def read(self, connection: oracledb.AsyncConnection) -> Picture:
        dag_id, run_id = self.subject
        loads = await fetch_states(connection, run_id, LOAD_STEP)
        details = await fetch_details(connection, run_id, TASK_STEP)
        tasks = {job: list(detail.get("tasks", ())) for job, detail in details.items()}
        states, asked = self._states(dag_id, run_id)
        return Picture(loads, tasks, states, asked)

    def _states(self, dag_id: str, run_id: str) -> tuple[Mapping[str, str | None], float]:
        """The states of the run's tasks as Airflow told them last, and when it was asked for those.

        It answers when it can: its first answer to a triggerer takes seconds, in which loads have to be seen.
        """
        states, asked = self.picture.states, self.picture.asked
        if self._asking is not None and self._asking.done():
            try:
                states, asked = self._asking.result(), self._asked
            except Exception as error:  # Airflow's API is busy or restarting: it is asked again
                log.warning("Airflow does not tell the states of the tasks now: %s", error)
            self._asking = None
        if self._asking is None and time.monotonic() - self._asked >= STATES_EVERY:
            self._asked = time.monotonic()
            self._asking = asyncio.create_task(_task_states(dag_id, run_id))
        return states, asked

    async def _close(self) -> None:
        if self._asking is not None:
            self._asking.cancel()
            self._asking = None
        await super()._close()


async def _task_states(dag_id: str, run_id: str) -> dict[str, str | None]:
    """State by `task_id`, of mapped tasks by `task_id_mapindex`."""
    from airflow.sdk.execution_time.task_runner import RuntimeTaskInstance
    from asgiref.sync import sync_to_async

    by_run: dict[str, Any] = await sync_to_async(RuntimeTaskInstance.get_task_states)(
        dag_id=dag_id, run_ids=[run_id]
    )
    states: dict[str, str | None] = by_run.get(run_id, {})
    return states
