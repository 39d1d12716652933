"""A task that a user ends stops its Data Pump job and removes its files. A task that Airflow loses, or that
defers, attaches to its job again."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import localoracle.client
from oracle_refresh.datapump.status import status
from oracle_refresh.hooks import oracle
from oracle_refresh.integration import endings
from oracle_refresh.integration.compat import AirflowFailException, TaskDeferred
from oracle_refresh.operators.jobs import DataPumpTask, TaskKilled
from oracle_refresh.operators.store import DropDumps
from oracle_refresh.operators.transfer import ExportShard, LoadShard, StageDump
from oracle_refresh.oracle.errors import DataPumpError, TakenOverError
from oracle_refresh.plan.model import JOB
from oracle_refresh.triggers import shared
from oracle_refresh.triggers.datapump import DataPumpJobTrigger, JobWatch
from support.demo import DemoDatabase
from support.small_run import SmallRun
from support.transfer import count
from support.waiting import PATIENCE, until, until_true

TABLE = '"TEST"."TESTTABLE"'
CLIENTS = Path(localoracle.client.__file__).parent / "bin"
NO_RULES: dict[str, Any] = {"name": "nothing", "tables": {}}
FIELDS: dict[str, Any] = {
    "schemas": ["TEST"],
    "exclude_tables": [],
    "lob_shard_min_bytes": 100_000,
    "max_shards": 2,
    "degree": 2,
}


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may take longer to open a session than Airflow waits for the end of a task."""
    monkeypatch.setattr(oracle, "CONNECT_SECONDS", PATIENCE)


@pytest.fixture(autouse=True)
def airflow(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Airflow's state of every task: failed, unless a test sets another state."""
    says = SimpleNamespace(state="failed")
    monkeypatch.setattr(endings, "_task_states", lambda instance: {instance.key: says.state})
    return says


@pytest.fixture
def run(new_run: Callable[..., SmallRun]) -> SmallRun:
    """Return a run that is planned and has exported nothing."""
    return new_run(NO_RULES, **FIELDS).until_planned()


def try_of(run: SmallRun, number: int = 1) -> Any:
    """Return the context of an attempt. Airflow gives each attempt a separate id."""
    instance = SimpleNamespace(
        id=f"try-{number}", try_number=number, map_index=3, dag_id="dag", run_id=run.run_id, task_id="export"
    )
    return run.context | {"ti": instance}


def job_name(run: SmallRun, job: str) -> str:
    return str(run.documents(lambda documents: documents.get(JOB, job).job_name))


@contextmanager
def slow_lobs(database: DemoDatabase) -> Iterator[None]:
    """Keep every export of LOBs from finishing during the block."""
    database.server.command("control", "delay-lobs", "60000")
    try:
        yield
    finally:
        database.server.command("control", "delay-lobs", "0")


@contextmanager
def locked(database: DemoDatabase) -> Iterator[None]:
    """Keep every load from starting during the block."""
    with database.connect() as connection, connection.cursor() as cursor:
        cursor.execute(f"LOCK TABLE {TABLE} IN EXCLUSIVE MODE")
        yield


@contextmanager
def ended_while_running(task: DataPumpTask, database: DemoDatabase, name: str) -> Iterator[None]:
    """Send SIGTERM during `execute`, as Airflow does; its handler calls `on_kill`."""
    before = signal.signal(signal.SIGTERM, lambda *_: task.on_kill())

    def end() -> None:
        with database.connect() as connection:
            until(lambda: (found := status(connection, name)) is not None and found.running, "for the job")
        os.kill(os.getpid(), signal.SIGTERM)

    thread = threading.Thread(target=end, daemon=True)
    thread.start()
    try:
        yield
    finally:
        thread.join()
        signal.signal(signal.SIGTERM, before)


@contextmanager
def ends_killed(name: str) -> Iterator[None]:
    """Expect the task to end by the signal: with TaskKilled, with the error of the call that the signal
    interrupted, or, if that call swallowed the signal, with TakenOverError before the next change to the job.
    Airflow below 3.3 gets a fatal error as the cause of an AirflowFailException.
    """
    told = f"job {name} is stopped|given up with this try"
    with pytest.raises(
        (TaskKilled, DataPumpError, TakenOverError, AirflowFailException), match=told
    ) as caught:
        yield
    error: BaseException | None = caught.value
    while error is not None and not isinstance(error, TaskKilled | TakenOverError):
        error = error.__cause__
    assert error is not None


@pytest.mark.parametrize("runner", ["api", "client"])
def test_a_killed_export_leaves_nothing_and_may_be_repeated(
    new_run: Callable[..., SmallRun], connections: pytest.MonkeyPatch, demo_source: DemoDatabase, runner: str
) -> None:
    connections.setenv("AIRFLOW__ORACLE_REFRESH__CLIENT_DIRECTORY", str(CLIENTS))
    run = new_run(NO_RULES, **FIELDS, datapump={"runner": runner}).until_planned()
    job = run.jobs[0]
    name = job_name(run, job)
    task = run.task(ExportShard, job=job)
    with (
        slow_lobs(demo_source),
        ended_while_running(task, demo_source, name),
        ends_killed(name),
    ):
        task.execute(try_of(run))
    with demo_source.connect() as connection:
        assert status(connection, name) is None
        with connection.cursor() as cursor:
            cursor.execute("SELECT COUNT(*) FROM USER_TABLES WHERE TABLE_NAME = :1", [name])
            assert cursor.fetchone() == (0,), "the master table is gone"
    dumps = demo_source.server.instance.dump_directory / "refresh"
    assert not list(dumps.glob(f"{name}*.dmp"))
    assert run.execute(ExportShard, job=job)["tables"][0]["rows"] > 0
    assert list(dumps.glob(f"{name}*.dmp"))


def test_a_killed_load_neither_loses_nor_doubles_rows(run: SmallRun, demo_target: DemoDatabase) -> None:
    run.until_built()
    rows = 0
    for job in run.jobs:
        rows += run.execute(ExportShard, job=job)["tables"][0]["rows"]
        run.execute(StageDump, job=job)
    first, *others = run.jobs
    task = run.task(LoadShard, job=first)
    name = job_name(run, first)
    with (
        locked(demo_target),
        ended_while_running(task, demo_target, name),
        ends_killed(name),
    ):
        task.execute(try_of(run))
    with demo_target.connect() as connection:
        assert status(connection, name) is None
        for job in (*others, first):
            run.execute(LoadShard, job=job)
        assert count(connection, TABLE) == rows


@pytest.mark.parametrize("state", ["up_for_retry", "nothing"])
def test_a_task_that_airflow_has_lost_leaves_its_job_to_the_next_try(
    run: SmallRun,
    demo_source: DemoDatabase,
    airflow: SimpleNamespace,
    monkeypatch: pytest.MonkeyPatch,
    state: str,
) -> None:
    """The API server is down for minutes: the supervisor ends the task, and no query returns the reason."""
    airflow.state = state
    if state == "nothing":
        monkeypatch.setattr(endings, "ASK_SECONDS", 0.1)
        monkeypatch.setattr(endings, "_task_states", lambda instance: threading.Event().wait())
    job = run.jobs[0]
    name = job_name(run, job)
    task = run.task(ExportShard, job=job)
    with slow_lobs(demo_source):
        with (
            ended_while_running(task, demo_source, name),
            pytest.raises((TaskKilled, DataPumpError), match="the next try takes it over"),
        ):
            task.execute(try_of(run))
        assert running(demo_source, name), "hours of work are not thrown away"
    done = run.task(ExportShard, job=job).execute(try_of(run, 2))
    assert done["tables"][0]["rows"] > 0
    assert done["log_file"].endswith("_1.log"), "it was exported once"


def test_a_try_that_comes_back_does_not_stop_its_successors_job(
    run: SmallRun, demo_source: DemoDatabase
) -> None:
    """The first attempt is suspended. Airflow starts a second one, which fails permanently."""
    job = run.jobs[0]
    name = job_name(run, job)
    first, second = (run.task(ExportShard, job=job, deferrable=True) for _ in range(2))
    with slow_lobs(demo_source):
        old = deferred_by(first, run).trigger
        deferred_by(second, run, 2)
        first.on_kill()
        assert running(demo_source, name)
        old._task_instance = try_of(run)["ti"]  # type: ignore[attr-defined]
        asyncio.run(old.on_kill())  # type: ignore[attr-defined]
        assert running(demo_source, name)
        second.on_kill()
        assert not running(demo_source, name)
    assert run.execute(ExportShard, job=job)["files"]


def test_what_nobody_takes_over_is_ended_with_the_run(
    run: SmallRun, demo_source: DemoDatabase, airflow: SimpleNamespace
) -> None:
    airflow.state = "running"
    job = run.jobs[0]
    name = job_name(run, job)
    task = run.task(ExportShard, job=job, deferrable=True)
    with slow_lobs(demo_source):
        deferred_by(task, run)
        task.on_kill()
        assert running(demo_source, name)
        run.execute(DropDumps)
        assert not running(demo_source, name)
    assert not list((demo_source.server.instance.dump_directory / "refresh").glob(f"{name}*.dmp"))


def running(database: DemoDatabase, name: str) -> bool:
    with database.connect() as connection:
        found = status(connection, name)
        return found is not None and found.running


def test_a_deferred_way_from_source_to_target(
    run: SmallRun, demo_source: DemoDatabase, demo_target: DemoDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    run.until_built()
    rows = 0
    for job in run.jobs:
        with slow_lobs(demo_source):
            deferred = deferred_by(run.task(ExportShard, job=job, deferrable=True), run)
        assert deferred.trigger.serialize() == (
            "oracle_refresh.triggers.datapump.DataPumpJobTrigger",
            {
                "conn_id": "oracle_source",
                "job_name": job_name(run, job),
                "poll_seconds": 0.05,
                "owned": {
                    "conn_id": "oracle_target",
                    "run_id": run.run_id,
                    "item": f"export {job}",
                    "instance": "try-1",
                    "try_number": 1,
                    "task": "export_3",
                },
            },
        )
        finish = getattr(run.task(ExportShard, job=job, deferrable=True), deferred.method_name)
        done = finish(run.context, {"job": job_name(run, job), "state": None})
        assert finish(run.context, {"job": job_name(run, job), "state": None}) == done, "it may be repeated"
        rows += done["tables"][0]["rows"]
        run.execute(StageDump, job=job)
    for job in run.jobs:
        task = run.task(LoadShard, job=job, deferrable=True)
        with locked(demo_target):
            deferred_by(task, run)
        assert task.execute_complete(run.context, {})["rows"] > 0
        assert task.execute(run.context)["rows"] > 0, "a cleared task finds its work done"
    with demo_target.connect() as connection:
        assert count(connection, TABLE) == rows


def test_the_job_of_a_client_goes_on_without_it(
    new_run: Callable[..., SmallRun], connections: pytest.MonkeyPatch, demo_source: DemoDatabase
) -> None:
    connections.setenv("AIRFLOW__ORACLE_REFRESH__CLIENT_DIRECTORY", str(CLIENTS))
    run = new_run(NO_RULES, **FIELDS, datapump={"runner": "client"}).until_planned()
    job = run.jobs[0]
    task = run.task(ExportShard, job=job, deferrable=True)
    with slow_lobs(demo_source):
        deferred_by(task, run)
        with demo_source.connect() as connection:
            found = status(connection, job_name(run, job))
        assert found is not None
        assert found.running
    assert task.execute_complete(run.context, {})["files"]


def deferred_by(task: DataPumpTask, run: SmallRun, number: int = 1) -> TaskDeferred:
    with pytest.raises(TaskDeferred) as caught:
        task.execute(try_of(run, number))
    return caught.value


async def looked_at() -> None:
    """Wait until a trigger has polled the jobs."""
    await until_true(lambda: any(watch._looked > float("-inf") for watch in JobWatch._open.values()))


async def test_the_trigger_outlives_its_triggerer_and_stops_the_job_only_for_a_user(
    run: SmallRun, demo_source: DemoDatabase, monkeypatch: pytest.MonkeyPatch, airflow: SimpleNamespace
) -> None:
    monkeypatch.setattr(shared, "FIRST_LOOK", 0.0)
    first, second = run.jobs
    with slow_lobs(demo_source):
        triggers = [
            deferred_by(run.task(ExportShard, job=job, deferrable=True), run).trigger for job in run.jobs
        ]
        assert all(isinstance(trigger, DataPumpJobTrigger) for trigger in triggers)
        waiting = [asyncio.create_task(anext(aiter(trigger.run()))) for trigger in triggers]
        await looked_at()
        assert len(JobWatch._open) == 1, "they share a session"
        for task in waiting:  # the triggerer restarts
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        for trigger in triggers:
            await trigger.cleanup()
        assert not JobWatch._open
        with demo_source.connect() as connection:
            for job in run.jobs:
                found = status(connection, job_name(run, job))
                assert found is not None
                assert found.running
        again = DataPumpJobTrigger(**triggers[0].serialize()[1])
        event = asyncio.create_task(anext(aiter(again.run())))
        await looked_at()
        for trigger in triggers:
            trigger.task_instance = None  # a triggerer that does not know what it was for
            await trigger.on_kill()
            # The setter of Airflow 3.3 accepts its own type only.
            hidden = "_task_instance" if hasattr(trigger, "_task_instance") else "task_instance"
            setattr(trigger, hidden, try_of(run)["ti"])
        airflow.state = "running"
        await triggers[1].on_kill()  # another triggerer has brought the task back to a worker
        with demo_source.connect() as connection:
            assert status(connection, job_name(run, second)) is not None
        airflow.state = "failed"
        await triggers[1].on_kill()  # somebody marks the other task
        with demo_source.connect() as connection:
            assert status(connection, job_name(run, second)) is None
        demo_source.server.command("control", "delay-lobs", "0")
        assert (await event).payload["job"] == job_name(run, first)
    assert run.task(ExportShard, job=first).execute_complete(run.context, {})["files"]
    assert run.execute(ExportShard, job=second)["files"]


def test_tasks_defer_where_airflow_says_so_by_default(new_run: Callable[..., SmallRun]) -> None:
    run = new_run(NO_RULES, **FIELDS)
    assert not run.task(ExportShard, job="S001").deferrable
    assert run.task(LoadShard, job="S001", deferrable=True).deferrable
