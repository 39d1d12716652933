"""Whatever is killed while a Data Pump job runs: the cleared task ends with the same rows, once.

A case says which task is hit, at which moment of its job, and by what. The moment is held open until the
blow has fallen: the start by a gateway that keeps the call START_JOB back, an unload by slow LOBs, a load by
a full tablespace, the time after the end by a gateway that keeps the task from seeing it.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from airflow.sdk.exceptions import TaskDeferred

from oracle_refresh.operators.transfer import ExportShard, LoadShard
from oracle_refresh.triggers import shared
from oracle_refresh.triggers.datapump import DataPumpJobTrigger

from .conftest import END_SECONDS, LINK, PASSWORD_CONN, Scene, Task, until

LINKED = {"transport": "network_link", "database_link": LINK}
ENCRYPTED = {"encryption_conn_id": PASSWORD_CONN}
EXPORT, LOAD = ExportShard, LoadShard
ENDLESS = "5000"
"""Milliseconds per LOB of an unload that is not to reach its end before it is let."""


@dataclass(frozen=True)
class Case:
    """`operator`'s task is hit by `blow` at `moment` (starting, running, finished) of its job."""

    operator: Any
    moment: str
    blow: str
    shards: int = 1
    datapump: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        way = "link" if self.datapump is LINKED else "encrypted" if self.datapump else f"{self.shards}"
        return f"{self.operator.__name__}-{self.moment}-{self.blow}-{way}"


CASES = [
    Case(EXPORT, "starting", "SIGKILL"),
    Case(EXPORT, "starting", "cut", shards=2),
    Case(EXPORT, "running", "SIGKILL", shards=2),
    Case(EXPORT, "running", "SIGTERM"),
    Case(EXPORT, "running", "worker", shards=2),
    Case(EXPORT, "running", "source", shards=2),
    Case(EXPORT, "running", "source", datapump=ENCRYPTED),
    Case(EXPORT, "finished", "source", shards=2),
    Case(LOAD, "starting", "SIGKILL", shards=2),
    Case(LOAD, "starting", "cut"),
    Case(LOAD, "running", "SIGTERM", shards=2),
    Case(LOAD, "running", "worker", shards=2),
    Case(LOAD, "running", "target", shards=2),
    Case(LOAD, "running", "target", datapump=ENCRYPTED),
    Case(LOAD, "running", "cut"),
    Case(LOAD, "finished", "SIGKILL", shards=2),
    Case(LOAD, "finished", "target", shards=2),
    Case(LOAD, "running", "SIGKILL", datapump=LINKED),
    Case(LOAD, "running", "target", shards=2, datapump=LINKED),
    Case(LOAD, "running", "source", datapump=LINKED),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_killed_and_cleared(
    case: Case, new_scene: Callable[..., Scene], connections: pytest.MonkeyPatch
) -> None:
    scene = new_scene(case.shards, **case.datapump)
    job, *siblings = scene.jobs
    if case.operator is LOAD:
        scene.until_staged(*scene.jobs)
    sibling = None
    with held_open(scene, case), scene.started(case.operator, job, connections) as (task, gateway):
        reach(scene, case, job, gateway)
        if siblings and case.moment == "running":
            sibling = Task(scene.task(case.operator, job=siblings[0]), scene.context)
        strike(scene, case, job, task, gateway)
        free(scene, case)
    undisturbed = sibling is None or sibling.wait() == 0
    scene.execute(case.operator, job=job)
    for other in siblings if sibling is None or not undisturbed else []:
        scene.execute(case.operator, job=other)
    assert undisturbed or case.blow in ("source", "target"), "the sibling has nothing to do with it"
    if case.operator is EXPORT:
        scene.until_loaded()
    scene.check()


@pytest.mark.parametrize(
    ("operator", "blow"),
    [(EXPORT, "triggerer"), (EXPORT, "worker"), (LOAD, "triggerer"), (LOAD, "target")],
)
async def test_killed_while_deferred(
    operator: Any, blow: str, new_scene: Callable[..., Scene], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared, "FIRST_LOOK", 0.0)
    scene, case = new_scene(), Case(operator, "running", blow)
    (job,) = scene.jobs
    database, name = scene.database(operator), scene.job_name(job)
    if operator is LOAD:
        scene.until_staged(job)
    with held_open(scene, case):
        with pytest.raises(TaskDeferred) as deferred:
            scene.task(operator, job=job, deferrable=True).execute(scene.context)
        trigger = deferred.value.trigger
        waiting = asyncio.create_task(anext(aiter(trigger.run())))
        if operator is LOAD:
            await asyncio.to_thread(until, scene.suspended, "the load")
        if blow == "triggerer":
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
            await trigger.cleanup()
            trigger = DataPumpJobTrigger(**trigger.serialize()[1])
            waiting = asyncio.create_task(anext(aiter(trigger.run())))
        elif blow == "worker":
            await asyncio.to_thread(until, lambda: scene.kill_worker(database, name), "a worker at work")
        else:
            await asyncio.to_thread(scene.kill_server, database)
        free(scene, case)
        event = await asyncio.wait_for(waiting, END_SECONDS)
    assert event.payload["job"] == name
    scene.task(operator, job=job, deferrable=True).execute_complete(scene.context, event.payload)
    if operator is EXPORT:
        scene.until_loaded()
    scene.check()


@contextmanager
def held_open(scene: Scene, case: Case) -> Iterator[None]:
    """While the block runs, jobs do not come to their end before they are let."""
    database = scene.database(case.operator)
    if case.operator is EXPORT:
        scene.control(database, "delay-lobs", ENDLESS)
    elif case.moment != "starting":
        scene.control(database, "fill-tablespace", "USERS")
    try:
        yield
    finally:
        free(scene, case)


def free(scene: Scene, case: Case) -> None:
    if case.operator is EXPORT:
        scene.control(scene.source, "delay-lobs", "0")
    else:
        scene.control(scene.target, "empty-tablespace", "USERS")


def reach(scene: Scene, case: Case, job: str, gateway: Any) -> None:
    """Until the job is at the moment of the case, as the database shows it."""
    database, name = scene.database(case.operator), scene.job_name(job)
    found = scene.state(database, name)
    assert found is not None
    assert found.state == "DEFINING"
    if case.moment == "starting":
        return
    gateway.release()
    if case.operator is EXPORT:
        until(lambda: getattr(scene.state(database, name), "state", "") == "EXECUTING", "the unload")
    else:
        until(scene.suspended, "the load")
    if case.moment == "finished":
        gateway.hold()
        until(gateway.holding.is_set, "the task's next look at its job")
        free(scene, case)
        until(lambda: scene.state(database, name) is None, "the end of the job")


def strike(scene: Scene, case: Case, job: str, task: Task, gateway: Any) -> None:
    database, name = scene.database(case.operator), scene.job_name(job)
    match case.blow:
        case "SIGKILL" | "SIGTERM":
            task.kill(signal.Signals[case.blow])
        case "worker":
            until(lambda: scene.kill_worker(database, name), "a worker at work")
        case "cut":
            gateway.cut()
        case "source":
            scene.kill_server(scene.source)
        case "target":
            scene.kill_server(scene.target)
