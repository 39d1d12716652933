"""The DAG of the concurrent load: one batch at a time, and scratch schemas go whatever happened."""

from __future__ import annotations

from pathlib import Path

import pytest
from airflow.dag_processing.dagbag import DagBag
from airflow.sdk.exceptions import ParamValidationError

from oracle_refresh.labs.data_load.profiles import PROFILES

FOLDER = Path(__file__).parents[3] / "dags"


@pytest.fixture(scope="module")
def bag() -> DagBag:
    return DagBag(str(FOLDER / "slob_data_load.py"), bundle_path=FOLDER, bundle_name="refresh")


def test_one_batch_at_a_time_behind_the_seed(bag: DagBag) -> None:
    dag = bag.dags["slob_data_load"]
    assert dag.max_active_runs == 1
    batch = dag.get_task("load_batch")
    assert batch.partial_kwargs["max_active_tis_per_dagrun"] == 1  # type: ignore[attr-defined]
    assert {"plan_load", "make_seed", "find_degree"} <= batch.get_flat_relative_ids(upstream=True)


def test_scratch_schemas_are_dropped_whatever_happened(bag: DagBag) -> None:
    dag = bag.dags["slob_data_load"]
    drop = dag.get_task("drop_scratch")
    assert drop.is_teardown
    assert drop.on_failure_fail_dagrun
    assert drop.upstream_task_ids == {"plan_load", "make_seed", "load_batch"}
    # One setup that succeeded lets a teardown run: nothing is dropped before names were checked, and what
    # there is of a seed that found no room is.
    assert {task.task_id for task in drop.upstream_list if task.is_setup} == {"plan_load", "make_seed"}
    assert dag.get_task("report").trigger_rule == "all_done"


def test_the_form_offers_every_profile(bag: DagBag) -> None:
    params = bag.dags["slob_data_load"].params
    assert params.get_param("profile").schema["enum"] == list(PROFILES)


@pytest.mark.parametrize(
    ("name", "value"), [("schemas", 0), ("rows", 0), ("degree", -1), ("profile", "photos"), ("blocks", "")]
)
def test_wrong_values_are_refused_by_the_form(bag: DagBag, name: str, value: object) -> None:
    params = bag.dags["slob_data_load"].params
    params.validate()
    with pytest.raises(ParamValidationError):
        params.get_param(name).resolve(value)
