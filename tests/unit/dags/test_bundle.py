"""Every DAG of the bundle parses, survives serialization, and does nothing at parse time."""

from __future__ import annotations

import socket
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from airflow.dag_processing.dagbag import DagBag
from airflow.serialization.serialized_objects import DagSerialization

from oracle_refresh.bundle.building import BUNDLED
from oracle_refresh.plan import stages
from oracle_refresh.plan.stages import MASKING, REFRESH, SHARD, UNIT, Flow

FOLDER = Path(__file__).parents[3] / "dags"


@pytest.fixture(scope="module")
def bag() -> DagBag:
    return DagBag(str(FOLDER), bundle_path=FOLDER, bundle_name="refresh")


def test_no_import_errors(bag: DagBag) -> None:
    assert bag.import_errors == {}
    there = {"test_data_refresh", "demo", "datapump_calibration", "dbfs_calibration", "masking_benchmark"}
    assert there <= bag.dags.keys()


def test_no_definition_can_take_the_id_of_one_of_them(bag: DagBag) -> None:
    """A new file in `dags/` belongs on the list."""
    of_definitions = {"refreshes", "refreshes_check"}
    files = {path.stem for path in FOLDER.glob("*.py")} - of_definitions
    assert {dag_id for dag_id, dag in bag.dags.items() if Path(dag.fileloc).stem in files} == BUNDLED
    assert len(files) == len(BUNDLED)


def test_serialization_round_trip(bag: DagBag) -> None:
    for dag in bag.dags.values():
        again = DagSerialization.from_dict(DagSerialization.to_dict(dag))
        assert {task.task_id for task in again.tasks} == set(dag.task_ids)


def test_parsing_opens_no_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a DAG file connects while it is parsed")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    assert DagBag(str(FOLDER), bundle_path=FOLDER, bundle_name="refresh").import_errors == {}


def test_a_killed_task_of_a_refresh_has_four_attempts(bag: DagBag) -> None:
    """Airflow does not ask the retry policy after a kill."""
    assert {task.retries for task in bag.dags["test_data_refresh"].tasks} == {3}


def test_rows_reach_the_target_only_behind_the_lock(bag: DagBag) -> None:
    dag = bag.dags["test_data_refresh"]
    for task_id in ("build_tables", "shard.load", "unit.mask"):
        assert "lock_target" in {
            task.task_id for task in dag.get_task(task_id).get_flat_relatives(upstream=True)
        }


def test_the_target_is_released_after_every_proof(bag: DagBag) -> None:
    dag = bag.dags["test_data_refresh"]
    before = {task.task_id for task in dag.get_task("release_target").get_flat_relatives(upstream=True)}
    assert {"unit.verify_copy", "unit.verify_masked", "inventory", "expectations"} <= before


def test_scripts_run_in_quarantine_around_the_masking(bag: DagBag) -> None:
    dag = bag.dags["test_data_refresh"]

    def upstream(task_id: str) -> set[str]:
        return {task.task_id for task in dag.get_task(task_id).get_flat_relatives(upstream=True)}

    assert {"lock_target", "build_tables"} <= upstream("scripts_before")
    assert "scripts_before" in upstream("shard.load") & upstream("unit.mask")
    assert {"unit.verify_masked", "constraints"} <= upstream("scripts_after")
    assert "scripts_after" in upstream("release_target") & upstream("expectations")


def test_the_instance_is_tuned_around_load_and_masking_and_always_restored(bag: DagBag) -> None:
    dag = bag.dags["test_data_refresh"]
    restore = dag.get_task("restore_target")
    assert restore.is_teardown
    assert restore.on_failure_fail_dagrun
    for task_id in ("shard.load", "unit.mask", "unit.build_indexes", "statistics"):
        upstream = {task.task_id for task in dag.get_task(task_id).get_flat_relatives(upstream=True)}
        assert "tune_target" in upstream
        assert task_id in {task.task_id for task in restore.get_flat_relatives(upstream=True)}
    # One setup that succeeded lets a teardown run: it runs even where `tune_target` was killed for good.
    assert {"lock_target", "tune_target"} <= restore.upstream_task_ids
    assert "restore_target" in dag.get_task("release_target").get_flat_relative_ids(upstream=True)
    assert "tune_target" not in dag.get_task("build_tables").get_flat_relative_ids(upstream=True)


def test_nothing_is_exported_before_its_teardown_is_certain(bag: DagBag) -> None:
    dag = bag.dags["test_data_refresh"]
    drop = dag.get_task("drop_dumps")
    setups = {task.task_id for task in drop.upstream_list if task.is_setup}
    assert drop.is_teardown
    assert setups
    assert setups <= dag.get_task("shard.export").get_flat_relative_ids(upstream=True)


def test_former_tables_are_settled_when_nothing_loads_and_before_anybody_is_let_in(bag: DagBag) -> None:
    dag = bag.dags["test_data_refresh"]
    former = dag.get_task("former_tables")
    assert former.is_teardown
    assert former.on_failure_fail_dagrun
    assert {"lock_target", "drop_dumps", "approve_publish"} == former.upstream_task_ids
    assert {"release_target"} == former.downstream_task_ids


def test_the_form_explains_every_field(bag: DagBag) -> None:
    assert "Accounts stay locked" in (bag.dags["test_data_refresh"].doc_md or "")
    for dag in bag.dags.values():
        assert dag.doc_md
        for name in dag.params:
            param = dag.params.get_param(name)
            assert param.description, name
            assert {"title", "section"} <= set(param.schema), name
        assert dag.dagrun_timeout is None, "a big database takes its time"


@pytest.mark.parametrize("dag_id", ["datapump_calibration", "dbfs_calibration", "masking_benchmark"])
def test_measurements_do_not_overlap(bag: DagBag, dag_id: str) -> None:
    dag = bag.dags[dag_id]
    assert dag.max_active_runs == 1
    assert dag.get_task("measure").partial_kwargs["max_active_tis_per_dagrun"] == 1  # type: ignore[attr-defined]


def test_the_instance_is_restored_after_a_masking_benchmark_whatever_happened(bag: DagBag) -> None:
    dag = bag.dags["masking_benchmark"]
    restore = dag.get_task("restore_instance")
    assert restore.is_teardown
    assert restore.on_failure_fail_dagrun
    assert restore.upstream_task_ids == {"plan_trials", "make_tables", "measure"}
    assert dag.get_task("make_tables").is_setup
    assert dag.get_task("plan_trials").is_setup, "tables half made have no setup that went through"
    assert dag.get_task("report").trigger_rule == "all_done"


def test_samples_are_dropped_whatever_happened(bag: DagBag) -> None:
    dag = bag.dags["datapump_calibration"]
    drop = dag.get_task("drop_sample")
    assert drop.is_teardown
    assert drop.on_failure_fail_dagrun
    assert drop.upstream_task_ids == {"measure"}
    assert not [task for task in dag.tasks if task.is_setup], "it runs whatever became of a setup"
    measure = dag.get_task("measure").partial_kwargs  # type: ignore[attr-defined]
    assert measure["imports"] == dag.get_task("choose_sample").imports == "{{ params.imports }}"
    assert dag.get_task("recommend").trigger_rule == "all_done"


def test_a_calibrated_store_is_cleaned_up_whatever_happened(bag: DagBag) -> None:
    dag = bag.dags["dbfs_calibration"]
    clean = dag.get_task("clean")
    assert clean.is_teardown
    assert clean.on_failure_fail_dagrun
    assert dag.get_task("prepare").is_setup
    before = {task.task_id for task in clean.get_flat_relatives(upstream=True)}
    parts = {"measure", "small_files", "flat_files", "dumps", "transports"}
    assert before == {"check_mount", "plan", "prepare"} | parts
    assert dag.get_task("recommend").trigger_rule == "all_done"


def test_each_queue_of_the_configuration_is_a_node_of_the_form(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AIRFLOW__ORACLE_REFRESH__CALIBRATION_QUEUES", "east, west,,east")
    file = FOLDER / "dbfs_calibration.py"
    parsed = DagBag(str(file), bundle_path=FOLDER, bundle_name="refresh")
    assert parsed.import_errors == {}
    dag = parsed.dags["dbfs_calibration"]
    nodes = [dag.get_task(f"measure_on_node_{number}") for number in (1, 2)]
    assert [task.queue for task in nodes] == ["east", "west"]
    assert [task.node for task in nodes] == ["east", "west"]  # type: ignore[attr-defined]
    for task in nodes:
        assert task.upstream_task_ids == {"measure"}
        assert task.downstream_task_ids == {"small_files"}, "at the same time, and with nothing else"
        assert task.pool == dag.get_task("plan").pool
    assert dag.params.get_param("nodes").schema["items"] == {"enum": ["east", "west"]}
    assert dag.get_task("small_files").trigger_rule == "none_failed"


def test_without_queues_there_are_no_nodes(bag: DagBag) -> None:
    dag = bag.dags["dbfs_calibration"]
    assert [task_id for task_id in dag.task_ids if "node" in task_id] == []
    assert "nodes" not in dag.params


def test_no_task_waits_for_one_of_lower_priority(bag: DagBag) -> None:
    """A task that waits for a slot would hold up what is more urgent than itself."""
    for name, made in bag.dags.items():
        dag = DagSerialization.from_dict(DagSerialization.to_dict(made))
        weights = {task.task_id: weight(task) for task in dag.tasks}
        edges = [(task.task_id, later) for task in dag.tasks for later in task.downstream_task_ids]
        assert edges, name
        assert [edge for edge in edges if weights[edge[0]] < weights[edge[1]]] == [], name


def test_every_file_but_the_check_makes_dags(bag: DagBag) -> None:
    made = {Path(dag.fileloc).stem for dag in bag.dags.values()}
    assert made == {path.stem for path in FOLDER.glob("*.py")} - {"refreshes_check"}


def weight(task: Any) -> int:
    """The priority that Airflow gives an instance of the task."""
    return task.weight_rule.get_weight(SimpleNamespace(task=task, map_index=-1))


FLOWS = pytest.mark.parametrize(
    ("dag_id", "flow"), [("test_data_refresh", REFRESH), ("mask_database", MASKING)]
)


@FLOWS
def test_a_dag_has_the_stages_that_are_declared(bag: DagBag, dag_id: str, flow: Flow) -> None:
    dag = bag.dags[dag_id]
    tasks: dict[str, Any] = {task.task_id: task for task in dag.tasks}
    assert set(tasks) == {stage.id for stage in flow.stages}
    for stage in flow.stages:
        task = tasks[stage.id]
        assert getattr(task, "operator_class", type(task)).__name__ == stage.operator, stage.id
        assert (task.is_setup, task.is_teardown) == (stage.role == "setup", stage.role == "teardown"), (
            stage.id
        )
    place = {stage.id: number for number, stage in enumerate(flow.stages)}
    late = {
        (above, name)
        for name in tasks
        for above in tasks[name].upstream_task_ids
        if place[above] > place[name]
    }
    assert late == set(), "a stage stands behind what waits for it"


@FLOWS
def test_its_tasks_wait_for_what_the_stages_are_said_to_need(bag: DagBag, dag_id: str, flow: Flow) -> None:
    """Besides, a mapped task waits for the list that it is mapped over, as an edge above says already."""
    lists = {SHARD: stages.PLAN.id, UNIT: stages.UNITS.id}
    for stage in flow.stages:
        declared = {need.id for need in flow.needs[stage]}
        mapped = {lists[stage.group]} if stage.group else set()
        found = bag.dags[dag_id].get_task(stage.id).upstream_task_ids
        assert declared <= found <= declared | mapped, stage.id
