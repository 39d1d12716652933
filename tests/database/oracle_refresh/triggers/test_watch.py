"""Waiting triggers share one session, outlast a broken connection, and give up on what does not heal."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Any

import oracledb
import pytest
from airflow.triggers.base import TaskSuccessEvent

from oracle_refresh.datapump.status import JobStatus
from oracle_refresh.run.ledger import DONE, INSERT, RUNNING, Ledger, ensure_ledger
from oracle_refresh.triggers import datapump, shared
from oracle_refresh.triggers import watch as module
from oracle_refresh.triggers.datapump import DataPumpJobTrigger, JobWatch
from oracle_refresh.triggers.ledger import JobsLoadedTrigger
from support.stand_in import Schema
from support.waiting import until_true

#: Waits that one triggerer of Airflow takes by default.
THOUSAND = 1000


class Opened:
    """Stands for the hook; counts the sessions and breaks them on demand."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.sessions: list[oracledb.Connection] = []
        self.refusals: list[Exception] = []

    def hook(self, oracle_conn_id: str) -> Opened:
        assert oracle_conn_id == "target"
        return self

    async def aopener(self, action: str) -> Callable[[], oracledb.Connection]:
        return self.open_session

    def open_session(self) -> oracledb.Connection:
        if self.refusals:
            raise self.refusals.pop(0)
        self.sessions.append(self.schema.connect())
        return self.sessions[-1]

    async def looked_at(self) -> None:
        """Until somebody has seen how the run stands."""
        open_ones = module.RunWatch._open
        await until_true(lambda: any(watch._looked > float("-inf") for watch in open_ones.values()))


@pytest.fixture
def opened(schema: Schema, monkeypatch: pytest.MonkeyPatch) -> Opened:
    ensure_ledger(schema.connection)
    opened = Opened(schema)
    monkeypatch.setattr(shared, "OracleRefreshHook", opened.hook)
    monkeypatch.setattr(shared, "FIRST_LOOK", 0.0)
    monkeypatch.setattr(module, "STATES_EVERY", 0.0)
    states: dict[str, str | None] = {}
    monkeypatch.setattr(opened, "states", states, raising=False)

    async def task_states(dag_id: str, run_id: str) -> dict[str, str | None]:
        return dict(states)

    monkeypatch.setattr(module, "_task_states", task_states)
    return opened


async def outcome(*jobs: str) -> Any:
    """What the trigger fires with; the jobs, as the task returns them, where it ends the task itself."""
    async for event in JobsLoadedTrigger("target", "dag", "run", list(jobs), 0.02).run():
        if isinstance(event, TaskSuccessEvent):
            return {"loaded": (event.xcoms or {})["return_value"]}
        return event.payload


async def test_many_waiters_share_one_session(opened: Opened, schema: Schema) -> None:
    ledger = Ledger(schema.connection, "run")
    waiting = [asyncio.create_task(outcome(f"S{number}")) for number in range(20)]
    await opened.looked_at()
    for number in range(20):
        ledger.record("load", f"S{number}", DONE)
    assert await asyncio.gather(*waiting) == [{"loaded": [f"S{number}"]} for number in range(20)]
    assert len(opened.sessions) == 1
    assert not module.RunWatch._open, "the last one closes it"


async def test_a_killed_session_is_opened_again(opened: Opened, schema: Schema) -> None:
    waiting = asyncio.create_task(outcome("S1"))
    await opened.looked_at()
    opened.refusals = [oracledb.OperationalError("DPY-6005: cannot connect to database")]
    (watch,) = module.RunWatch._open.values()
    await until_true(lambda: watch._looking is None)  # between two looks
    opened.sessions[0].close()
    await until_true(lambda: not opened.refusals)
    Ledger(schema.connection, "run").record("load", "S1", DONE)
    assert await waiting == {"loaded": ["S1"]}
    assert len(opened.sessions) == 2


async def test_a_refusal_that_does_not_heal_ends_the_wait(opened: Opened) -> None:
    opened.refusals = [oracledb.DatabaseError("ORA-01017: invalid username/password")]
    with pytest.raises(oracledb.DatabaseError, match="ORA-01017"):
        await outcome("S1")


async def test_a_target_that_stays_away_ends_the_wait(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared, "PATIENCE", 0.05)
    opened.refusals = [oracledb.OperationalError("DPY-6005: cannot connect to database")] * 99
    with pytest.raises(oracledb.OperationalError):
        await outcome("S1")


async def test_a_task_that_airflow_calls_failed_ends_the_wait(opened: Opened, schema: Schema) -> None:
    detail = {"tasks": ["shard.export_3", "shard.load_3"]}
    Ledger(schema.connection, "run").record("task", "S4", RUNNING, detail)
    waiting = asyncio.create_task(outcome("S4"))
    await opened.looked_at()
    assert not waiting.done()
    opened.states["shard.load_3"] = "failed"  # type: ignore[attr-defined]
    assert await waiting == {"lost": ["S4"]}


async def test_loads_are_seen_while_airflow_takes_its_time(
    opened: Opened, schema: Schema, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = asyncio.Event()

    async def never(dag_id: str, run_id: str) -> dict[str, str | None]:
        asked.set()
        await asyncio.Event().wait()
        raise AssertionError

    monkeypatch.setattr(module, "_task_states", never)
    waiting = asyncio.create_task(outcome("S1"))
    await asked.wait()
    Ledger(schema.connection, "run").record("load", "S1", DONE)
    assert await waiting == {"loaded": ["S1"]}


async def test_who_comes_later_is_not_told_what_was_before(
    opened: Opened, schema: Schema, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A failed task is cleared with all that wait for it, while the wait for another table goes on."""
    ledger = Ledger(schema.connection, "run")
    ledger.record("task", "S4", RUNNING, {"tasks": ["shard.load_3"]})
    opened.states["shard.load_3"] = "failed"  # type: ignore[attr-defined]
    other = asyncio.create_task(outcome("S1"))
    await opened.looked_at()
    monkeypatch.setattr(module, "STATES_EVERY", 3600.0)
    opened.states.clear()  # type: ignore[attr-defined]
    later = asyncio.create_task(outcome("S4"))
    (watch,) = module.RunWatch._open.values()
    await until_true(lambda: later.done() or watch._users == 2)
    looks = {watch._looked}
    # The lock is given in turns: it has had its own.
    await until_true(lambda: looks.add(watch._looked) or later.done() or len(looks) > 4)
    assert not later.done()
    for job in ("S1", "S4"):
        ledger.record("load", job, DONE)
    assert await later == {"loaded": ["S4"]}
    assert await other == {"loaded": ["S1"]}


async def test_one_waiter_may_be_cancelled(opened: Opened, schema: Schema) -> None:
    first, second = asyncio.create_task(outcome("S1")), asyncio.create_task(outcome("S1"))
    await opened.looked_at()
    first.cancel()
    Ledger(schema.connection, "run").record("load", "S1", DONE)
    assert await second == {"loaded": ["S1"]}


async def test_a_thousand_waits_cost_a_session_and_one_look_at_a_time(
    opened: Opened, schema: Schema, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of each kind: so many loads and jobs are waited for in one triggerer."""
    looks = Counter[str]()
    looking = Counter[str]()

    def counted(watch: type[shared.SharedWatch[Any]]) -> None:
        read = watch.read

        def one_at_a_time(self: Any, connection: oracledb.Connection) -> Any:
            looks[watch.__name__] += 1
            looking[watch.__name__] += 1
            assert looking[watch.__name__] == 1
            try:
                return read(self, connection)
            finally:
                looking[watch.__name__] -= 1

        monkeypatch.setattr(watch, "read", one_at_a_time)

    counted(module.RunWatch)
    counted(JobWatch)
    going_on = asyncio.Event()

    def jobs(connection: oracledb.Connection) -> dict[str, JobStatus]:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM DUAL")
        state = "NOT RUNNING" if going_on.is_set() else "EXECUTING"
        return {f"J{number}": JobStatus(f"J{number}", "EXPORT", state, 1, 0) for number in range(THOUSAND)}

    monkeypatch.setattr(datapump, "all_status", jobs)

    async def job_ended(number: int) -> Any:
        async for event in DataPumpJobTrigger("target", f"J{number}", 0.02).run():
            return event.payload

    waits = [asyncio.create_task(outcome(f"S{number}")) for number in range(THOUSAND)]
    waits += [asyncio.create_task(job_ended(number)) for number in range(THOUSAND)]
    await until_true(lambda: min(looks["RunWatch"], looks["JobWatch"]) >= 3)
    assert not any(wait.done() for wait in waits)
    assert len(opened.sessions) == 2
    loaded = {"run_id": "run", "step": "load", "state": DONE, "detail": "{}"}
    with schema.connection.cursor() as cursor:
        cursor.executemany(INSERT, [loaded | {"item": f"S{number}"} for number in range(THOUSAND)])
    schema.connection.commit()
    going_on.set()
    await asyncio.gather(*waits)
    assert len(opened.sessions) == 2
    assert not shared.SharedWatch._open
