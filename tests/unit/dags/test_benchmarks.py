"""The DAGs of measurements: what a task that failed halfway has left is taken back whatever happened."""

from __future__ import annotations

from pathlib import Path

import pytest
from airflow.dag_processing.dagbag import DagBag

FOLDER = Path(__file__).parents[3] / "dags"


@pytest.mark.parametrize(
    ("name", "teardown", "setups"),
    [
        ("masking_benchmark", "restore_instance", {"plan_trials", "make_tables"}),
        ("dbfs_calibration", "clean", {"plan", "prepare"}),
    ],
)
def test_the_teardown_runs_where_its_second_setup_failed(name: str, teardown: str, setups: set[str]) -> None:
    bag = DagBag(str(FOLDER / f"{name}.py"), bundle_path=FOLDER, bundle_name="refresh")
    task = bag.dags[name].get_task(teardown)
    assert task.is_teardown
    assert task.on_failure_fail_dagrun
    # One setup that succeeded lets a teardown run.
    assert {one.task_id for one in task.upstream_list if one.is_setup} == setups
