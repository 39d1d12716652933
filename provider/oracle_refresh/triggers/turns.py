"""The trigger behind tasks that wait for the target: watches runs until none of them is at work."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Sequence
from typing import Any

from airflow.triggers.base import BaseTrigger, TriggerEvent

from oracle_refresh.integration.dag_runs import at_work
from oracle_refresh.triggers import shared

log = logging.getLogger(__name__)

#: Seconds between two questions to Airflow, runs take minutes at least, and between two lines of the log.
ASK_EVERY, TELL_EVERY = 10.0, 300.0


class RunsEndedTrigger(BaseTrigger):
    """Fires when none of the runs is at work any more. It keeps nothing: a restarted triggerer asks again.

    :param runs: DAG id and run id of each.
    """

    def __init__(self, runs: list[list[str]]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.runs = runs

    def serialize(self) -> tuple[str, dict[str, Any]]:
        return f"{type(self).__module__}.{type(self).__qualname__}", {"runs": self.runs}

    async def run(self) -> AsyncIterator[TriggerEvent]:
        from asgiref.sync import sync_to_async

        await asyncio.sleep(shared.FIRST_LOOK)
        waiting, answered, told = list(self.runs), time.monotonic(), time.monotonic()
        while waiting:
            try:
                if not await sync_to_async(at_work)(*waiting[0]):
                    waiting.pop(0)
                    continue
                answered = time.monotonic()
            except Exception as error:  # Airflow's API is busy or restarting: it is asked again
                if time.monotonic() - answered > shared.PATIENCE:
                    raise
                log.warning("Airflow does not tell whether run %s is at work now: %s", waiting[0][1], error)
            if time.monotonic() - told >= TELL_EVERY:
                log.info("%s", self.waiting_for(waiting))
                told = time.monotonic()
            await asyncio.sleep(ASK_EVERY)
        yield TriggerEvent({"ended": self.runs})  # type: ignore[no-untyped-call]

    @staticmethod
    def waiting_for(runs: Sequence[Sequence[str]]) -> str:
        """Who is waited for, and what can be done about it."""
        named = ", ".join(f"{run_id} of the DAG {dag_id}" for dag_id, run_id in runs)
        return (
            f"at work on the target: {named}. This run goes on when they have ended; one whose DAG is paused"
            " or gone, or that waits for an approval nobody gives, has to be marked as failed"
        )
