"""`airflow oracle-refresh resume` clears one run in Airflow's database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from airflow.models.base import Base
from airflow.models.dag import DagModel
from airflow.models.dagrun import DagRun
from airflow.models.taskinstance import TaskInstance
from airflow.utils.db import import_all_models
from airflow.utils.session import create_session
from sqlalchemy import delete

from benchmarks.recorded_run import Instance, record, register_dag
from oracle_refresh.integration import compat
from oracle_refresh.integration.report_store import ReportStore
from support.commands import command

DAG, OTHER = "resumed_refresh", "resumed_elsewhere"
FAILED = (
    ("shard.export", 0, "success"),
    ("shard.export", 1, "success"),
    ("shard.stage", 0, "success"),
    ("shard.stage", 1, "success"),
    ("shard.load", 0, "failed"),
    ("shard.load", 1, "success"),
    ("unit.await_loaded", 0, "upstream_failed"),
    ("drop_dumps", -1, "success"),
    ("release_target", -1, "failed"),
)
Recorded = Callable[..., None]


@pytest.fixture
def recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Recorded]:
    """Write runs that have ended to Airflow's database, and remove them in the end."""
    monkeypatch.setenv("AIRFLOW__ORACLE_REFRESH__REPORT_DIRECTORY", str(tmp_path))
    import_all_models()
    with create_session() as session:
        Base.metadata.create_all(session.get_bind())
    with create_session() as session:
        for dag_id in (DAG, OTHER):
            register_dag(session, dag_id)
            session.get_one(DagModel, dag_id).is_paused = False

    def write(
        dag_id: str, run_id: str, *tasks: tuple[str, int, str], state: str = "failed", outcome: str = ""
    ) -> None:
        instances = [Instance(task, index, None, each, 0, 1) for task, index, each in tasks]
        settled = {"outcome": outcome} if outcome else None
        instances.append(Instance("former_tables", -1, None, "success", 0, 1, returned=settled))
        with create_session() as session:
            record(session, ReportStore(tmp_path), dag_id, run_id, instances, state=state, seconds=9)

    yield write
    with create_session() as session:
        for model in (TaskInstance, DagRun):
            session.execute(delete(model).where(model.dag_id.in_((DAG, OTHER))))


@pytest.mark.parametrize(("outcome", "code"), [("put back", 1), ("dropped", 0)])
def test_run_that_has_put_previous_tables_back_is_refused(
    outcome: str, code: int, recorded: Recorded, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded(DAG, "returned", ("unit.mask", 0, "failed"), outcome=outcome)
    assert command("resume", "returned") == code
    assert ("has put the previous tables back" in capsys.readouterr().err) is bool(code)


def left(dag_id: str, run_id: str) -> set[tuple[str, int]]:
    """Return the tasks of a run that are still in the state that they had ended in."""
    tasks = compat.task_instances(dag_id, run_id)
    ended = {(task.task_id, task.map_index) for task in tasks if task.state is not None}
    return ended - {("former_tables", -1)}


def test_one_run_is_cleared_and_queued(recorded: Recorded, capsys: pytest.CaptureFixture[str]) -> None:
    recorded(DAG, "broken", *FAILED)
    recorded(DAG, "another", *FAILED)
    recorded(OTHER, "elsewhere", *FAILED)
    assert command("resume", "broken") == 0
    assert capsys.readouterr().out == (
        f"{DAG} broken: cleared 6 tasks: drop_dumps, release_target, shard.export, shard.load, shard.stage,"
        " unit.await_loaded\n"
    )
    assert left(DAG, "broken") == {("shard.export", 1), ("shard.stage", 1), ("shard.load", 1)}
    assert compat.run_state(DAG, "broken") == "queued"
    for dag_id, run_id in ((DAG, "another"), (OTHER, "elsewhere")):
        assert len(left(dag_id, run_id)) == len(FAILED)
        assert compat.run_state(dag_id, run_id) == "failed"


@pytest.mark.parametrize("paused", [False, True])
def test_paused_dag_is_named(paused: bool, recorded: Recorded, capsys: pytest.CaptureFixture[str]) -> None:
    recorded(DAG, "paused", *FAILED)
    with create_session() as session:
        session.get_one(DagModel, DAG).is_paused = paused
    assert command("resume", "paused") == 0
    assert (f"airflow dags unpause {DAG}" in capsys.readouterr().out) is paused


def test_runs_of_one_id_are_told_apart_by_their_dag(
    recorded: Recorded, capsys: pytest.CaptureFixture[str]
) -> None:
    for dag_id in (DAG, OTHER):
        recorded(dag_id, "same", *FAILED)
    assert command("resume", "same") == 1
    error = capsys.readouterr().err
    assert f"the DAGs {OTHER}, {DAG} have a run of this id" in error
    assert command("resume", "same", "--dag-id", OTHER) == 0
    assert compat.run_state(DAG, "same") == "failed"
    assert compat.run_state(OTHER, "same") == "queued"


def test_nothing_is_cleared_where_nothing_has_failed(
    recorded: Recorded, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded(DAG, "published", ("shard.load", 0, "success"), state="success")
    assert command("resume", "published") == 0
    assert capsys.readouterr().out == f"{DAG} published: no task has failed, the run is success\n"


def test_run_that_was_marked_as_failed_is_refused(
    recorded: Recorded, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded(DAG, "cancelled", ("shard.load", 0, "failed"), ("shard.load", 1, "skipped"))
    assert command("resume", "cancelled") == 1
    assert "Remedy: start a new run" in capsys.readouterr().err
    assert compat.run_state(DAG, "cancelled") == "failed"


@pytest.mark.parametrize("words", [(), ("--dag-id", DAG)])
def test_unknown_run_is_refused(
    words: tuple[str, ...], recorded: Recorded, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command("resume", "nowhere", *words) == 1
    assert "airflow dags list-runs" in capsys.readouterr().err
