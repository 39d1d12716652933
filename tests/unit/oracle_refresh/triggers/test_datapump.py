"""When the trigger of a deferred job fires."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any
from unittest.mock import AsyncMock

import pytest

from oracle_refresh.datapump.status import JobStatus
from oracle_refresh.integration.retries import Decision, decide
from oracle_refresh.operators.jobs import TaskKilled
from oracle_refresh.oracle.errors import DataPumpError
from oracle_refresh.triggers import datapump as module
from oracle_refresh.triggers import shared
from oracle_refresh.triggers.datapump import DataPumpJobTrigger

Look = Mapping[str, JobStatus] | None


class Scripted:
    """Shows one picture after the other, the last one for ever; the same object is the same look."""

    def __init__(self, *looks: Look) -> None:
        self.looks = list(looks)
        self.taken = 0

    @asynccontextmanager
    async def shared(self, conn_id: str) -> AsyncIterator[Scripted]:
        assert conn_id == "source"
        yield self

    async def look(self, max_age: float) -> Look:
        self.taken += 1
        return self.looks.pop(0) if len(self.looks) > 1 else self.looks[0]


def jobs(state: str | None, **more: Any) -> dict[str, JobStatus]:
    return {} if state is None else {"J": JobStatus("J", "EXPORT", state, 1, 0, **more)}


async def fired(monkeypatch: pytest.MonkeyPatch, *looks: Look) -> tuple[Any, int]:
    script = Scripted(*looks)
    monkeypatch.setattr(module, "JobWatch", script)
    monkeypatch.setattr(shared, "FIRST_LOOK", 0.0)
    async with asyncio.timeout(60):
        event = await anext(aiter(DataPumpJobTrigger("source", "J", 0.0).run()))
    return event.payload, script.taken


async def test_a_job_that_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    busy = jobs("EXECUTING", done_mb=3.0, total_mb=9.0)
    assert await fired(monkeypatch, busy, busy, jobs(None)) == ({"job": "J", "state": None}, 3)


async def test_nothing_is_concluded_before_the_first_look(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (await fired(monkeypatch, None, None, jobs(None)))[1] == 3


async def test_not_running_is_believed_when_two_looks_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    flicker = [jobs("NOT RUNNING"), jobs("EXECUTING"), jobs("NOT RUNNING"), jobs("NOT RUNNING")]
    assert await fired(monkeypatch, *flicker) == ({"job": "J", "state": "NOT RUNNING"}, 4)


async def test_an_old_picture_is_no_second_look(monkeypatch: pytest.MonkeyPatch) -> None:
    old = jobs("NOT RUNNING")
    assert (await fired(monkeypatch, old, old, old, jobs("NOT RUNNING")))[1] == 4


@pytest.mark.parametrize("calls_on_kill", [True, False])
async def test_cancelled_trigger_ends_its_job_only_where_airflow_does_not_call_on_kill(
    calls_on_kill: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "HAS_TRIGGER_ON_KILL", calls_on_kill)
    trigger = DataPumpJobTrigger("source", "J", 0.0)
    on_kill = AsyncMock()
    monkeypatch.setattr(trigger, "on_kill", on_kill)
    waiting = asyncio.create_task(anext(aiter(trigger.run())))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert on_kill.await_count == (not calls_on_kill)


def test_a_trigger_survives_serialization() -> None:
    path, arguments = DataPumpJobTrigger("source", "J", 2.0).serialize()
    assert path == f"{module.__name__}.DataPumpJobTrigger"
    assert DataPumpJobTrigger(**arguments).serialize() == (path, arguments)


def test_a_killed_task_follows_its_own_retry_settings() -> None:
    killed = TaskKilled("the task was ended from outside")
    wrapped = DataPumpError("the task was ended from outside")
    wrapped.__cause__ = killed  # where the signal came in the middle of a call
    for error in (killed, wrapped):
        decision = decide(error, 1)
        assert decision == Decision()
