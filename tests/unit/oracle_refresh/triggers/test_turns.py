"""The trigger that waits for runs: what it asks of Airflow, and that it survives the way to the triggerer."""

from __future__ import annotations

import asyncio
import pydoc
from typing import Any

import pytest
from airflow.sdk.execution_time.task_runner import RuntimeTaskInstance

from oracle_refresh.triggers import shared
from oracle_refresh.triggers import turns as module
from oracle_refresh.triggers.turns import RunsEndedTrigger

RUNS = [["refresh_crm", "scheduled__1"], ["masking_benchmark", "manual__2"]]


async def fired(trigger: RunsEndedTrigger) -> Any:
    async for event in trigger.run():
        return event.payload
    return None


def test_it_fires_when_the_last_run_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared, "FIRST_LOOK", 0.0)
    monkeypatch.setattr(module, "ASK_EVERY", 0.0)
    answers = iter([1, RuntimeError("the API restarts"), 1, 0, 1, 0])
    asked: list[Any] = []

    def count(**arguments: Any) -> int:
        asked.append((arguments["dag_id"], *arguments["run_ids"], *arguments["states"]))
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(RuntimeTaskInstance, "get_dr_count", staticmethod(count))
    path, arguments = RunsEndedTrigger(RUNS).serialize()
    assert asyncio.run(fired(pydoc.locate(path)(**arguments))) == {"ended": RUNS}
    assert asked == [(*RUNS[0], "running")] * 4 + [(*RUNS[1], "running")] * 2
