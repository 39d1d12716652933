"""The DAG of trials: one trial at a time, and everything is removed whatever happened."""

from __future__ import annotations

from pathlib import Path

import pytest
from airflow.dag_processing.dagbag import DagBag
from airflow.sdk.exceptions import ParamValidationError

FOLDER = Path(__file__).parents[3] / "dags"


@pytest.fixture(scope="module")
def dag() -> object:
    return DagBag(str(FOLDER / "cdc_tuning.py"), bundle_path=FOLDER, bundle_name="refresh").dags["cdc_tuning"]


def test_one_trial_at_a_time_and_a_teardown_for_all(dag: object) -> None:
    tasks = {task.task_id: task for task in dag.tasks}  # type: ignore[attr-defined]
    assert tasks["trial"].is_mapped
    assert tasks["trial"].max_active_tis_per_dagrun == 1
    remove = tasks["remove"]
    assert remove.is_teardown
    assert remove.on_failure_fail_dagrun, "what is left of a capture, or a pool, is no success"
    before = {task.task_id for task in remove.get_flat_relatives(upstream=True)}
    assert before == {"plan", "prepare", "trial", "advise"}
    # Only the last tasks decide on the run: where there is no recommendation, it is no success.
    assert not tasks["recommend"].downstream_task_ids
    # One setup that succeeded lets a teardown run: `prepare` may fail when it has made all but the list.
    assert {task.task_id for task in remove.upstream_list if task.is_setup} == {"plan", "prepare"}
    assert all(tasks[name].trigger_rule == "all_done" for name in ("advise", "recommend"))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("prefix", "lower case"),
        ("prefix", "A" * 21),
        ("scale", 0),
        ("scale", 101),
        ("scenarios", [0]),
        ("unrelated", [0]),
        ("start", 8),
        ("single_rows", 0),
        ("limit_minutes", 0),
    ],
)
def test_wrong_parameters_are_refused_before_anything_runs(dag: object, name: str, value: object) -> None:
    params = dag.params  # type: ignore[attr-defined]
    params.validate()
    with pytest.raises(ParamValidationError):
        params.get_param(name).resolve(value)
