"""The trigger behind `AwaitTable`: watches a run until a unit's jobs are loaded, or one of them is lost."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

from airflow.triggers.base import BaseTrigger, TaskSuccessEvent, TriggerEvent

from oracle_refresh.run.ledger import DONE
from oracle_refresh.triggers import shared
from oracle_refresh.triggers.watch import Picture, RunWatch

#: States of a task instance from which nothing comes any more unless somebody clears it.
LOST = frozenset({"failed", "upstream_failed", "skipped", "removed"})


class JobsLoadedTrigger(BaseTrigger):
    """Ends its task when every job is loaded; fires when a task that one of them needs has failed for good.

    The task returns the jobs then, as it would itself: no worker is bothered to say that a wait is over.
    It keeps nothing: a restarted triggerer looks again.

    :param conn_id: Airflow connection of the target.
    :param dag_id: DAG of the run.
    :param run_id: the run whose ledger rows count.
    :param jobs: ids of the jobs to wait for.
    :param poll_seconds: pause between two looks.
    """

    def __init__(self, conn_id: str, dag_id: str, run_id: str, jobs: list[str], poll_seconds: float) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.conn_id = conn_id
        self.dag_id = dag_id
        self.run_id = run_id
        self.jobs = jobs
        self.poll_seconds = poll_seconds

    def serialize(self) -> tuple[str, dict[str, Any]]:
        arguments = {
            "conn_id": self.conn_id,
            "dag_id": self.dag_id,
            "run_id": self.run_id,
            "jobs": self.jobs,
            "poll_seconds": self.poll_seconds,
        }
        return f"{type(self).__module__}.{type(self).__qualname__}", arguments

    async def run(self) -> AsyncIterator[TriggerEvent]:
        began = time.monotonic()
        async with RunWatch.shared(self.conn_id, self.dag_id, self.run_id) as watch:
            while True:
                outcome = outcome_of(self.jobs, await watch.look(self.poll_seconds), began)
                # A task that is ended needs no worker, so the scheduler cannot take it for a lost one.
                if outcome and ("loaded" in outcome or time.monotonic() - began >= shared.FIRST_LOOK):
                    break
                await asyncio.sleep(self.poll_seconds)
        if "lost" in outcome:
            yield TriggerEvent(outcome)  # type: ignore[no-untyped-call]
        else:
            yield TaskSuccessEvent(xcoms={"return_value": [*outcome["loaded"]]})


def outcome_of(jobs: list[str], picture: Picture, began: float) -> dict[str, list[str]] | None:
    """Whether the jobs are loaded, which of them are lost, or None while there is something to wait for.

    Airflow decides what is lost, not a record of a failure: a task that was cleared is waited for again, and
    one that was marked as failed by hand, or died without a last word, is not.

    :param began: reading of `time.monotonic` when the wait began. States from before it say nothing: others
        may have waited already when the failed tasks were cleared together with this wait.
    """
    waiting = [job for job in jobs if picture.loads.get(job) != DONE]
    if picture.asked < began:
        return None if waiting else {"loaded": jobs}
    lost = [
        job for job in waiting if any(picture.states.get(task) in LOST for task in picture.tasks.get(job, ()))
    ]
    if lost:
        return {"lost": lost}
    return None if waiting else {"loaded": jobs}
