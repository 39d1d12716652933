"""One look at a run for all triggers that wait for it: its ledger, and what Airflow says of its tasks."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import oracledb

from oracle_refresh.run.ledger import Ledger
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
        self._answered: tuple[Mapping[str, str | None], float] = ({}, float("-inf"))
        self._asking: asyncio.Task[dict[str, str | None]] | None = None

    @classmethod
    def create(cls, conn_id: str, *subject: str) -> Self:
        return cls(conn_id, *subject)

    async def _look(self) -> None:
        self._ask()
        await super()._look()

    def read(self, connection: oracledb.Connection) -> Picture:
        states, asked = self._answered
        ledger = Ledger(connection, self.subject[1])
        loads = ledger.states(LOAD_STEP)
        tasks = {job: list(detail.get("tasks", ())) for job, detail in ledger.details(TASK_STEP).items()}
        return Picture(loads, tasks, states, asked)

    def _ask(self) -> None:
        """Take the states of the run's tasks that Airflow has answered with, and ask again when it is time.

        A look does not wait for the answer: the first one to a triggerer takes seconds, in which loads have
        to be seen.
        """
        if self._asking is not None and self._asking.done():
            try:
                self._answered = self._asking.result(), self._asked
            except Exception as error:  # Airflow's API is busy or restarting: it is asked again
                log.warning("Airflow did not return the states of the tasks: %s", error)
            self._asking = None
        if self._asking is None and time.monotonic() - self._asked >= STATES_EVERY:
            self._asked = time.monotonic()
            self._asking = asyncio.create_task(_task_states(*self.subject))

    def _close(self) -> None:
        if self._asking is not None:
            self._asking.cancel()
            self._asking = None
        super()._close()


async def _task_states(dag_id: str, run_id: str) -> dict[str, str | None]:
    """State by `task_id`, of mapped tasks by `task_id_mapindex`."""
    from airflow.sdk.execution_time.task_runner import RuntimeTaskInstance
    from asgiref.sync import sync_to_async

    by_run: dict[str, Any] = await sync_to_async(RuntimeTaskInstance.get_task_states)(
        dag_id=dag_id, run_ids=[run_id]
    )
    states: dict[str, str | None] = by_run.get(run_id, {})
    return states
