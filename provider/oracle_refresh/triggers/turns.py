"""The trigger behind tasks that wait for the target: watches runs until none of them is at work."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Any

from airflow.triggers.base import BaseTrigger, TriggerEvent

from oracle_refresh.integration.dag_runs import at_work
from oracle_refresh.triggers import shared

log = logging.getLogger(__name__)

#: Seconds between two questions to Airflow; runs take minutes at least.
ASK_EVERY = 10.0


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
        waiting = list(self.runs)
        while waiting:
            try:
                if not await sync_to_async(at_work)(*waiting[0]):
                    waiting.pop(0)
                    continue
            except Exception as error:  # Airflow's API is busy or restarting: it is asked again
                log.warning("Airflow does not tell whether run %s is at work now: %s", waiting[0][1], error)
            await asyncio.sleep(ASK_EVERY)
        yield TriggerEvent({"ended": self.runs})  # type: ignore[no-untyped-call]
