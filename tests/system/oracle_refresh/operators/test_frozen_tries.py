"""An attempt that stands still while its successor works, and then continues, moves and undoes nothing."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import oracledb
import pytest
from airflow.sdk.exceptions import TaskDeferred

from oracle_refresh.datapump import export, job, load
from oracle_refresh.datapump.status import status
from oracle_refresh.integration import endings
from oracle_refresh.operators import transfer
from oracle_refresh.operators.jobs import TaskKilled
from oracle_refresh.operators.store import DropDumps
from oracle_refresh.operators.transfer import ExportShard, StageDump
from oracle_refresh.oracle.errors import DataPumpError, TakenOverError
from oracle_refresh.plan.model import JOB
from oracle_refresh.run.ledger import DONE, FAILED, RUNNING, Ledger
from oracle_refresh.run.possession import Possession
from oracle_refresh.tuning.exporting import SOURCE_COUNTERS, ExportReadings
from support.between import meanwhile
from support.demo import DemoDatabase
from support.frozen import TAKEN_OVER, claim, runs, seen_as_dead, slow_lobs
from support.frozen_tries import EMPLOYEES, loads, name_of, staged, try_of
from support.small_run import SmallRun
from support.transfer import count

__all__ = ["slow_lobs", "staged"]

LOBS: dict[str, Any] = {"schemas": ["TEST"], "exclude_tables": [], "lob_shard_min_bytes": 10**9}


@contextmanager
def state_of_load(run: SmallRun, demo_target: DemoDatabase) -> Iterator[Ledger]:
    with demo_target.connect() as connection:
        yield Ledger(connection, run.run_id)


def exports(run: SmallRun, number: int) -> Any:
    return run.task(ExportShard, job=run.jobs[0]).execute(try_of(run, number))


def test_of_two_tries_that_hash_at_the_same_time_the_later_one_imports(
    staged: SmallRun,
    source: oracledb.Connection,
    demo_target: DemoDatabase,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The former one's supervisor is gone, and nobody has told it: it is ready first."""
    hashes, go = threading.Event(), threading.Event()
    real, refused = transfer.verify_staged, list[BaseException]()

    def former() -> None:
        try:
            loads(staged, 1)
        except TakenOverError as error:
            refused.append(error)

    thread = threading.Thread(target=former)

    def verify_staged(*arguments: Any) -> None:
        if threading.current_thread() is thread:
            hashes.set()
            go.wait(120)
        else:
            go.set()
            thread.join(120)
        real(*arguments)

    monkeypatch.setattr(transfer, "verify_staged", verify_staged)
    thread.start()
    assert hashes.wait(120)
    assert loads(staged, 2)["rows"] > 0
    assert refused
    with demo_target.connect() as connection:
        assert count(connection, EMPLOYEES) == count(source, EMPLOYEES)


def test_no_table_of_the_successor_is_emptied(
    staged: SmallRun,
    source: oracledb.Connection,
    demo_target: DemoDatabase,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = load._count

    def half(*arguments: Any) -> int:
        monkeypatch.setattr(load, "_count", real)
        loads(staged, 2)
        return 1

    with state_of_load(staged, demo_target) as ledger:
        ledger.record("load", staged.jobs[0], RUNNING)  # a former try has begun, so rows are counted
    monkeypatch.setattr(load, "_count", half)
    with pytest.raises(TakenOverError):
        loads(staged, 1)
    with demo_target.connect() as connection:
        assert count(connection, EMPLOYEES) == count(source, EMPLOYEES)


def test_a_verdict_does_not_replace_the_successors(
    staged: SmallRun, demo_target: DemoDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = load._require_all

    def fails(*_: Any) -> Any:
        monkeypatch.setattr(load, "_require_all", real)
        loads(staged, 2)
        raise DataPumpError("what the try has seen", codes=["ORA-01555"])

    monkeypatch.setattr(load, "_require_all", fails)
    with pytest.raises(TakenOverError):
        loads(staged, 1)
    with state_of_load(staged, demo_target) as ledger:
        assert ledger.state("load", staged.jobs[0]) == DONE


def test_a_failure_is_not_taken_back(
    staged: SmallRun, demo_target: DemoDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails() -> None:
        with state_of_load(staged, demo_target) as ledger:
            claim(staged.run_id, 2, f"load {staged.jobs[0]}").take(ledger)
            ledger.record("load", staged.jobs[0], FAILED)

    meanwhile(monkeypatch, transfer, "log_kept", fails)
    with pytest.raises(TakenOverError):
        loads(staged, 1)
    with state_of_load(staged, demo_target) as ledger:
        assert ledger.state("load", staged.jobs[0]) == FAILED


def test_nothing_is_exported_over_the_successors_files(
    new_run: Callable[..., SmallRun], demo_source: DemoDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = new_run().until_built()
    exported: list[Any] = []
    meanwhile(monkeypatch, export, "also_matched", lambda: exported.append(exports(run, 2)))
    with pytest.raises(TakenOverError, match=TAKEN_OVER):
        exports(run, 1)
    folder = demo_source.server.instance.dump_directory / "refresh"
    (made,) = exported
    for file in made["files"]:
        assert (folder / file["name"]).stat().st_size == file["bytes"]
    assert made["log_file"].endswith("_1.log")
    assert not (folder / made["log_file"].replace("_1.log", "_2.log")).exists(), "it was exported once"
    run.execute(StageDump, job=run.jobs[0])


def test_nothing_is_exported_after_the_runs_dump_files_were_dropped(
    new_run: Callable[..., SmallRun], demo_source: DemoDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody has marked it as failed: it has no successor."""
    run = new_run().until_planned()
    meanwhile(monkeypatch, export, "also_matched", lambda: run.execute(DropDumps))
    with pytest.raises(TakenOverError, match=r"given up with this try.*clear the task"):
        exports(run, 1)
    folder, names = demo_source.server.instance.dump_directory / "refresh", f"{name_of(run)}*.dmp"
    assert not list(folder.glob(names))
    made = {file["name"] for file in exports(run, 2)["files"]}
    assert {path.name for path in folder.glob(names)} == made != set(), "a cleared task begins anew"


def test_what_it_has_exported_does_not_replace_what_its_successor_has(
    new_run: Callable[..., SmallRun], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The files were dropped in between, so the successor has made new ones."""
    run = new_run().until_planned()
    exported: list[Any] = []

    def again() -> None:
        with run.refresh_run() as opened:
            planned = opened.documents.get(JOB, run.jobs[0])
            export.drop_dump_files(opened.source, planned, opened.definition)
        exported.append(exports(run, 2))
        read.append(run.documents(lambda documents: documents.get(SOURCE_COUNTERS, run.jobs[0])))

    read: list[ExportReadings] = []
    real = transfer.run_export

    def then_again(*arguments: Any, **keywords: Any) -> Any:
        made = real(*arguments, **keywords)
        if not exported:
            exported.append(None)
            again()
        return made

    monkeypatch.setattr(transfer, "run_export", then_again)
    with pytest.raises(TakenOverError):
        exports(run, 1)
    _, made = exported
    assert run.documents(lambda documents: documents.get(transfer.EXPORT, run.jobs[0])).to_json() == made
    assert run.documents(lambda documents: documents.all(SOURCE_COUNTERS)) == read


def test_a_job_that_the_successor_has_restarted_goes_on(
    new_run: Callable[..., SmallRun],
    demo_source: DemoDatabase,
    monkeypatch: pytest.MonkeyPatch,
    slow_lobs: Callable[[], None],
) -> None:
    run = new_run({"name": "nothing", "tables": {}}, **LOBS).until_planned()

    def successor() -> None:
        with pytest.raises(TaskDeferred):
            run.task(ExportShard, job=run.jobs[0], deferrable=True).execute(try_of(run, 2))
        assert runs(demo_source, name_of(run))

    real = export._settled

    def settled(*arguments: Any) -> Any:
        monkeypatch.setattr(export, "_settled", real)
        with seen_as_dead(monkeypatch, successor):
            return real(*arguments)

    monkeypatch.setattr(export, "_settled", settled)
    with pytest.raises(TakenOverError):
        exports(run, 1)
    assert runs(demo_source, name_of(run))
    slow_lobs()
    assert exports(run, 3)["log_file"].endswith("_1.log"), "it was exported once"


def test_the_end_of_a_try_that_is_starting_its_job_does_not_wait_for_itself(
    new_run: Callable[..., SmallRun], demo_source: DemoDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A signal comes while it holds the job."""
    run = new_run().until_planned()
    monkeypatch.setattr(endings, "_task_states", lambda instance: {instance.key: "failed"})
    task, real = run.task(ExportShard, job=run.jobs[0]), job.start

    def start(*arguments: Any, **keywords: Any) -> None:
        real(*arguments, **keywords)
        before = time.monotonic()
        try:
            task.on_kill()
        finally:
            assert time.monotonic() - before < 60

    monkeypatch.setattr(job, "start", start)
    with pytest.raises(TaskKilled, match=f"{name_of(run)} is stopped"):
        task.execute(try_of(run, 1))
    with demo_source.connect() as connection:
        assert status(connection, name_of(run)) is None


def test_a_job_whose_lock_was_lost_is_not_started(
    new_run: Callable[..., SmallRun], demo_source: DemoDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database has ended the session of a host that stood still, and a successor came."""
    run = new_run().until_planned()
    real = job.calls

    def stands_still(spec: Any) -> Any:
        raise AssertionError("its files are named")

    def successor(ledger: Ledger) -> None:
        monkeypatch.setattr(job, "calls", stands_still)
        ledger.connection.rollback()
        with run.refresh_run() as opened:
            claim(run.run_id, 2, f"export {run.jobs[0]}").take(opened.ledger)

    require = Possession._require

    def lost(self: Possession, ledger: Ledger) -> None:
        require(self, ledger)
        asked.append(1)
        if len(asked) == before_start:
            successor(ledger)

    asked: list[int] = []
    before_start = 3  # the counters are kept, and the dump files of a former try removed, under it first
    monkeypatch.setattr(Possession, "_require", lost)
    with pytest.raises(TakenOverError):
        exports(run, 1)
    with demo_source.connect() as connection:
        assert status(connection, name_of(run)) is None
    monkeypatch.setattr(job, "calls", real)
    assert exports(run, 3)["log_file"].endswith("_1.log")
