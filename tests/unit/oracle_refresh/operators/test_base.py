"""What every task of the provider leaves in the run's folder for the page and the report."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from airflow.sdk import DAG

from oracle_refresh.integration import run_files
from oracle_refresh.integration.report_store import ReportStore
from oracle_refresh.operators.base import ProviderOperator


class Adds(ProviderOperator):
    def execute(self, context: Any) -> Any:
        return {"sum": 3}

    def execute_complete(self, context: Any, event: Any) -> Any:
        return event


@pytest.fixture
def reports(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ReportStore:
    monkeypatch.setenv("AIRFLOW__ORACLE_REFRESH__REPORT_DIRECTORY", str(tmp_path))
    return ReportStore.at(str(tmp_path))


def context(task: Any, number: int = 1) -> Any:
    instance = SimpleNamespace(
        **{"dag_id": "d", "run_id": "r", "task_id": task.task_id, "map_index": -1, "try_number": number},
        **{"max_tries": number - 1, "start_date": datetime.now(UTC) - timedelta(seconds=5), "task": task},
    )
    return {"ti": instance, "dag": task.dag if task.has_dag() else None, "params": {"definition": "demo"}}


def test_results_of_each_attempt_are_kept_and_the_latest_is_timed(reports: ReportStore) -> None:
    task = Adds(task_id="add")
    assert task.execute(context(task)) == {"sum": 3}
    assert task.execute_complete(context(task, 2), ["S001"]) == ["S001"]
    run_files.keep_result(context(task, 3), {"sum": 1}, failed=True)
    found = reports.read_folder("d", "r", run_files.RESULTS)
    names = [run_files.result_name("add", -1, number) for number in (1, 2, 3)]
    assert [json.loads(found[name])["returned"] for name in names] == [{"sum": 3}, ["S001"], {"sum": 1}]
    (time,) = run_files.read_times(reports, "d", "r")
    assert (time.task, time.operator, time.map_index, 5 <= time.seconds < 60) == ("add", "Adds", -1, True)
    assert list(reports.read_folder("d", "r", run_files.RESULTS, known=names[:2])) == names[2:]


def test_first_task_of_the_provider_writes_the_shape_of_the_dag(reports: ReportStore) -> None:
    with DAG("d", schedule=None):
        first, second = Adds(task_id="first"), Adds(task_id="second")
        first >> second
    second.pre_execute(context(second))
    assert reports.read("d", "r", run_files.DAG) is None
    first.pre_execute(context(first))
    shape = json.loads(reports.read("d", "r", run_files.DAG) or "")
    upstream = {"first": [], "second": ["first"]}
    assert shape == {"definition": "demo", "upstream": upstream, "mapped": []}


def test_unreachable_folder_of_reports_fails_no_task(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("AIRFLOW__ORACLE_REFRESH__REPORT_DIRECTORY", "nosuch://x")
    task = Adds(task_id="add")
    assert task.execute(context(task)) == {"sum": 3}
    assert "will lack the result of this task" in caplog.text
