"""What Airflow itself answers, through its execution API, to a task that asks why it has to end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from airflow.dag_processing.dagbag import DagBag

#: Each task writes what Airflow says of it, of one that its run does not have, and of no run.
DAG = """\
import dataclasses
import json
from pathlib import Path

from airflow.sdk import dag, get_current_context, task, task_group

from oracle_refresh.integration import endings


def ask():
    mine = endings.Instance.of(get_current_context()["ti"])
    no_task = dataclasses.replace(mine, map_index=7)
    no_run = dataclasses.replace(mine, run_id="deleted")
    told = {
        "key": mine.key,
        "states": endings._task_states(mine),
        "ended": endings.ended_deliberately(mine, 60.0),
        "no task": endings.ended_deliberately(no_task, 60.0),
        "states of no run": endings._task_states(no_run),
        "no run": endings.ended_deliberately(no_run, 60.0),
    }
    Path(__file__).with_name(f"{mine.key}.json").write_text(json.dumps(told))


@dag(schedule=None)
def asks():
    @task
    def alone():
        ask()

    @task_group
    def group():
        @task
        def mapped(number):
            ask()

        mapped.expand(number=[0, 1])

    alone() >> group()


asks()
"""


def test_airflow_names_a_task_by_the_key_that_is_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from airflow.utils.db import initdb

    (tmp_path / "asks.py").write_text(DAG)
    bundle = {
        "name": "asks",
        "classpath": "airflow.dag_processing.bundles.local.LocalDagBundle",
        "kwargs": {"path": str(tmp_path)},
    }
    monkeypatch.setenv("AIRFLOW__DAG_PROCESSOR__DAG_BUNDLE_CONFIG_LIST", json.dumps([bundle]))
    initdb()
    run = DagBag(str(tmp_path), bundle_path=tmp_path, bundle_name="asks").dags["asks"].test()
    assert str(run.state) == "success"
    told = [json.loads(path.read_text()) for path in sorted(tmp_path.glob("*.json"))]
    assert [one["key"] for one in told] == ["alone", "group.mapped_0", "group.mapped_1"]
    for one in told:
        assert one["states"][one["key"]] == "running"
        assert one["states of no run"] == {}
        assert (one["ended"], one["no task"], one["no run"]) == (False, False, True)
