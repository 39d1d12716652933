"""The trigger behind `AwaitTable`: watches the ledger of the target until a table's jobs are loaded."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from airflow.triggers.base import BaseTrigger, TriggerEvent

from oracle_refresh.hooks.oracle import OracleRefreshHook
from oracle_refresh.ledger import DONE, FAILED, fetch_states

#: Airflow's scheduler may not have noticed yet that the task deferred itself when a trigger fires at once;
#: it then fails the task. Seconds before the first look.
FIRST_LOOK = 5.0


class JobsLoadedTrigger(BaseTrigger):
    """Fires when every job is loaded, or when one has been given up.

    :param conn_id: Airflow connection of the target.
    :param run_id: the run whose ledger rows count.
    :param jobs: ids of the jobs to wait for.
    :param poll_seconds: pause between two looks.
    """

    def __init__(self, conn_id: str, run_id: str, jobs: list[str], poll_seconds: float) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.conn_id = conn_id
        self.run_id = run_id
        self.jobs = jobs
        self.poll_seconds = poll_seconds

    def serialize(self) -> tuple[str, dict[str, Any]]:
        arguments = {
            "conn_id": self.conn_id,
            "run_id": self.run_id,
            "jobs": self.jobs,
            "poll_seconds": self.poll_seconds,
        }
        return f"{type(self).__module__}.{type(self).__qualname__}", arguments

    async def run(self) -> AsyncIterator[TriggerEvent]:
        await asyncio.sleep(FIRST_LOOK)
        connection = await OracleRefreshHook(oracle_conn_id=self.conn_id).open_async()
        try:
            while True:
                outcome = judge(
                    self.jobs,
                    await fetch_states(connection, self.run_id, "load"),
                    await fetch_states(connection, self.run_id, "given_up"),
                )
                if outcome is not None:
                    yield TriggerEvent(outcome)  # type: ignore[no-untyped-call]
                    return
                await asyncio.sleep(self.poll_seconds)
        finally:
            await connection.close()


def judge(jobs: list[str], loads: dict[str, str], given_up: dict[str, str]) -> dict[str, list[str]] | None:
    """What the ledger says of the jobs: loaded, given up, or None while there is something to wait for."""
    waiting = [job for job in jobs if loads.get(job) != DONE]
    lost = [job for job in waiting if given_up.get(job) == FAILED]
    if lost:
        return {"given_up": lost}
    return None if waiting else {"loaded": jobs}
