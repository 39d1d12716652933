"""Jobs outside a refresh have no ledger: name and log tell a try that stood still of its successor."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import oracledb
import pytest
from airflow.sdk.exceptions import TaskDeferred

from oracle_refresh.datapump import job, single
from oracle_refresh.datapump.status import status
from oracle_refresh.operators.datapump import DataPumpExport, DataPumpImport
from oracle_refresh.operators.transfer import STAGE, ExportShard, StageDump
from oracle_refresh.oracle.errors import DataPumpError
from support.between import meanwhile
from support.demo import DemoDatabase
from support.frozen import runs, seen_as_dead, slow_lobs
from support.small_run import SmallRun
from support.transfer import count

__all__ = ["slow_lobs"]


def own(operator: Any, run_id: str, **arguments: Any) -> Any:
    """One try of a task of one's own."""
    context = {"run_id": run_id, "ti": SimpleNamespace(dag_id="own", map_index=0), "task_state_store": None}
    return operator(task_id="own", **arguments).execute(context)


WHOLE: dict[str, Any] = {"conn_id": "oracle_source", "directory": "refresh_dumps", "tables": "APP.COUNTRIES"}


def test_an_own_import_that_another_try_has_done_meanwhile_is_not_repeated(
    new_run: Callable[..., SmallRun],
    source: oracledb.Connection,
    demo_target: DemoDatabase,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = new_run().until_built()
    for operator in (ExportShard, StageDump):
        run.execute(operator, job=run.jobs[0])
    exported = run.documents(lambda documents: documents.get(STAGE, run.jobs[0]))
    arguments = {
        "conn_id": "oracle_target",
        "directory": exported.directory,
        "tables": "APP.COUNTRIES",
        "dump_files": [file.name for file in exported.files],
        "content": "data_only",
        "table_exists_action": "append",
    }
    done: list[Any] = []
    meanwhile(
        monkeypatch,
        single,
        "_require_repeatable",
        lambda: done.append(own(DataPumpImport, run.run_id, **arguments)),
    )
    assert own(DataPumpImport, run.run_id, **arguments) == done[0]
    with demo_target.connect() as connection:
        assert count(connection, '"APP"."COUNTRIES"') == count(source, '"APP"."COUNTRIES"'), "doubled"
        assert status(connection, done[0]["job"]) is None


def test_files_of_an_own_export_that_another_try_has_made_meanwhile_stay(
    connections: pytest.MonkeyPatch, demo_source: DemoDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder: Path = demo_source.server.instance.dump_directory / "refresh"
    done: list[Any] = []
    made: list[int] = []

    def successor() -> None:
        done.append(own(DataPumpExport, "own__meanwhile", **WHOLE))
        made.extend((folder / name).stat().st_mtime_ns for name in done[0]["files"])

    meanwhile(monkeypatch, single, "_require_repeatable", successor)
    assert own(DataPumpExport, "own__meanwhile", **WHOLE) == done[0]
    assert [(folder / name).stat().st_mtime_ns for name in done[0]["files"]] == made
    assert done[0]["log_file"].endswith("_1.log")


def test_an_own_job_that_another_try_has_restarted_is_not_discarded(
    connections: pytest.MonkeyPatch,
    demo_source: DemoDatabase,
    monkeypatch: pytest.MonkeyPatch,
    slow_lobs: Callable[[], None],
) -> None:
    whole = WHOLE | {"tables": "TEST.TESTTABLE"}
    name = single.job_name("own", "own__restarted", "own", 0)
    real, restart = single._settled, job.restart

    def successor() -> None:
        with pytest.raises(TaskDeferred):
            own(DataPumpExport, "own__restarted", **whole, deferrable=True)
        assert runs(demo_source, name)

    def settled(*arguments: Any) -> Any:
        monkeypatch.setattr(single, "_settled", real)
        with seen_as_dead(monkeypatch, successor, then=slow_lobs):
            return real(*arguments)

    def too_late(connection: Any, job_name: str) -> None:
        monkeypatch.setattr(job, "restart", restart)
        raise DataPumpError("it runs already")

    monkeypatch.setattr(single, "_settled", settled)
    monkeypatch.setattr(job, "restart", too_late)
    assert own(DataPumpExport, "own__restarted", **whole)["log_file"].endswith("_1.log")
