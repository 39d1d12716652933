"""What the DAG of a definition is made like, by what its section says."""

from __future__ import annotations

import json
from datetime import UTC, timedelta
from pathlib import Path
from typing import Any

import jinja2
import pytest
from airflow.sdk import DAG, Asset, AssetAll, AssetAny, CronTriggerTimetable
from airflow.sdk.definitions.param import process_params
from airflow.sdk.exceptions import ParamValidationError
from airflow.serialization.serialized_objects import DagSerialization
from airflow.timetables.base import TimeRestriction
from airflow.timetables.trigger import CronTriggerTimetable as AirflowsCron
from airflow.utils.types import DagRunType
from pendulum import DateTime

from oracle_refresh.bundle import building
from oracle_refresh.bundle.building import BUNDLED, BY_FORM, REFRESHING, empty_dag, fill, refresh_by_form
from oracle_refresh.bundle.scheduling import schedule
from oracle_refresh.definition import load_definition
from oracle_refresh.definition.dag_section import DagSection
from oracle_refresh.definition.form import RefreshForm, read_form
from oracle_refresh.integration.assets import refresh_asset

FOLDER = Path(__file__).parents[4] / "include" / "refreshes"
PATH = FOLDER / "demo.yaml"


def dag_of(**section: Any) -> DAG:
    """That of the demo's definition, with this section."""
    made = DagSection.model_validate(section)
    definition = load_definition(PATH).model_copy(update={"dag": made})
    dag = empty_dag(definition, made, PATH)
    fill(dag, made, REFRESHING)
    return dag


def edges(dag: DAG) -> dict[str, set[str]]:
    return {task.task_id: set(task.downstream_task_ids) for task in dag.tasks}


def form_of(dag: DAG, conf: dict[str, Any]) -> RefreshForm:
    """The form as the tasks of a run with this conf read it: as Airflow merges and renders it."""
    task: Any = dag.get_task("preflight")
    params = process_params(dag, task, conf, suppress_exception=False)
    return read_form(jinja2.Environment().from_string(task.form).render(params=params))


def test_it_refreshes_as_the_dag_with_the_form_does() -> None:
    own, by_form = dag_of(), refresh_by_form()
    assert edges(own) == edges(by_form)
    assert (own.dag_id, by_form.dag_id) == ("demo", BY_FORM)
    assert own.schedule is None
    assert own.tags == by_form.tags == {"oracle", "refresh"}
    assert {task.definition for task in own.tasks if not task.is_mapped} == {str(PATH)}  # type: ignore[attr-defined]
    assert (own.max_active_runs, own.catchup) == (1, False)


def test_the_dag_with_the_form_has_a_schedule_like_any_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """A definition's DAG of the same target may have the same cron: their runs differ by the DAG's id."""
    monkeypatch.setenv("AIRFLOW__ORACLE_REFRESH__SCHEDULE", "0 2 * * *")
    ids = ids_of_runs(refresh_by_form())
    assert ids[DagRunType.SCHEDULED] == f"scheduled__2026-01-31T02:00:00.123456+00:00__{BY_FORM}"


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("0 25 * * *", "no cron expression"),
        ("0 2 * * * 0", "has 6 fields"),
        ("0 2 31 2 *", "never comes"),
        ("R R * * *", "draw a time"),
        ("@nightly", "no such preset"),
    ],
)
def test_a_schedule_that_no_definition_may_have_is_refused(
    written: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AIRFLOW__ORACLE_REFRESH__SCHEDULE", written)
    with pytest.raises(ValueError, match=rf"\[oracle_refresh\] schedule: .*{told}"):
        refresh_by_form()


def test_what_the_section_says_is_the_dags() -> None:
    dag = dag_of(
        id="nightly",
        description="The demo by night",
        schedule="0 2 * * 1-5",
        timezone="Europe/Berlin",
        owner="crm team",
        tags=["crm"],
        pools={"target": "crm_target"},
        notify_conn_id="chat",
        deadline_minutes=90,
    )
    assert (dag.dag_id, dag.description, dag.owner) == ("nightly", "The demo by night", "crm team")
    assert dag.schedule == AirflowsCron("0 2 * * 1-5", timezone="Europe/Berlin")
    assert dag.tags == {"oracle", "refresh", "crm"}
    assert dag.get_task("lock_target").pool == "crm_target"
    assert dag.get_task("freeze").pool == "default_pool"
    for told in (dag.on_success_callback, dag.on_failure_callback):
        assert [notifier.conn_id for notifier in told] == ["chat"]  # type: ignore[union-attr]
    (late,) = dag.deadline
    assert late.interval == timedelta(minutes=90)
    assert late.callback.kwargs["conn_id"] == "chat"


def test_it_survives_serialization() -> None:
    dag = dag_of(
        schedule="@daily", timezone="UTC", approvals=["target"], notify_conn_id="c", deadline_minutes=1
    )
    again = DagSerialization.from_dict(DagSerialization.to_dict(dag))
    assert {task.task_id for task in again.tasks} == set(dag.task_ids)
    assert again.params["reason"] == "Regular refresh by the definition demo"


def timetable_in_the_scheduler(dag: DAG) -> Any:
    return DagSerialization.from_dict(json.loads(json.dumps(DagSerialization.to_dict(dag)))).timetable


def ids_of_runs(dag: DAG) -> dict[DagRunType, str]:
    """Ids that Airflow gives runs of the DAG at one time, by what started them."""
    timetable, now = timetable_in_the_scheduler(dag), DateTime(2026, 1, 31, 2, 0, 0, 123456, tzinfo=UTC)
    return {
        kind: timetable.generate_run_id(run_type=kind, run_after=now, data_interval=None, partition_key=None)
        for kind in DagRunType
    }


@pytest.mark.parametrize("when", [{}, {"timezone": "Europe/Berlin"}])
@pytest.mark.parametrize("cron", ["0 2 * * *", "@daily"])
def test_runs_of_two_dags_with_one_cron_have_ids_of_their_own(cron: str, when: dict[str, Any]) -> None:
    """All that a run leaves in the target is named after its id, and both may have one target."""
    crm, billing = (ids_of_runs(dag_of(id=name, schedule=cron, **when)) for name in ("crm", "billing"))
    assert crm[DagRunType.SCHEDULED] == "scheduled__2026-01-31T02:00:00.123456+00:00__crm"
    assert not set(crm.values()) & set(billing.values())
    for kind, run_id in crm.items():
        assert DagRunType.from_run_id(run_id) is kind


def test_ids_of_runs_are_no_longer_than_airflow_has_room_for() -> None:
    ids = ids_of_runs(dag_of(id="x" * 190, schedule="0 2 * * *"))
    assert max(len(run_id) for run_id in ids.values()) <= 250


@pytest.mark.parametrize(("timezone", "hour"), [(None, 2), ("Asia/Tokyo", 17)])
def test_it_runs_when_airflows_cron_would(timezone: str | None, hour: int) -> None:
    section = {"schedule": "0 2 * * *"} | ({"timezone": timezone} if timezone else {})
    own = timetable_in_the_scheduler(dag_of(**section))
    never = TimeRestriction(earliest=None, latest=None, catchup=False)
    runs = [
        timetable.next_dagrun_info(last_automated_data_interval=None, restriction=never)
        for timetable in (own, AirflowsCron("0 2 * * *", timezone=timezone or "UTC"))
    ]
    assert runs[0] == runs[1]
    assert (runs[0].run_after.hour, runs[0].run_after.minute) == (hour, 0)
    assert own.summary == "0 2 * * *"


@pytest.mark.parametrize("preset", ["@once", "@continuous"])
def test_a_preset_without_a_cron_is_airflows(preset: str) -> None:
    assert schedule(DagSection(schedule=preset), "crm") == preset


@pytest.mark.parametrize("make", [dag_of, refresh_by_form])
def test_no_task_holds_a_copy_of_the_form(make: Any) -> None:
    """Airflow would serialize it with each of them: nine tenths of what a parse takes."""
    dag = make()
    serialized = DagSerialization.to_dict(dag)["dag"]
    assert {name for name, _ in serialized["params"]} == set(RefreshForm.model_fields)
    kept = {task["__var"]["task_id"]: task["__var"].get("params", []) for task in serialized["tasks"]}
    assert {field for params in kept.values() for field, _ in params} == {"comment"}


def test_a_scheduled_run_has_a_whole_form() -> None:
    form = form_of(dag_of(), {})
    assert form.changes == {}
    assert form.reason == "Regular refresh by the definition demo"
    assert (form.dry_run, form.approve_target, form.approve_publish) == (False, False, False)
    assert form_of(dag_of(reason="Tests of the week"), {}).reason == "Tests of the week"


def test_demanded_approvals_that_airflow_lacks_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "HAS_APPROVALS", False)
    with pytest.raises(ValueError, match=r"dag\.approvals needs Airflow 3\.1 or later"):
        dag_of(approvals=["publish"])


def test_approvals_that_are_demanded_are_asked_for_whatever_the_form_says() -> None:
    dag = dag_of(approvals=["publish"])
    for conf in ({}, {"approve_publish": False}):
        form = form_of(dag, conf)
        assert (form.approve_target, form.approve_publish) == (False, True)
    assert "approve_publish" not in dag.params
    assert form_of(dag, {"approve_target": True}).approve_target
    both = form_of(dag_of(approvals=["target", "publish"]), {})
    assert (both.approve_target, both.approve_publish) == (True, True)


def test_a_dry_run_ends_before_anybody_is_asked() -> None:
    form = form_of(dag_of(approvals=["target", "publish"]), {"dry_run": True})
    assert (form.dry_run, form.approve_target, form.approve_publish) == (True, False, False)


def test_its_form_takes_no_other_definition() -> None:
    dag = dag_of()
    assert form_of(dag, {"definition": "demo"}).definition == "demo"
    with pytest.raises(ParamValidationError, match="'demo' was expected"):
        form_of(dag, {"definition": "crm"})


def test_the_forms_of_two_dags_are_their_own() -> None:
    first, second = dag_of(reason="first"), dag_of(reason="second")
    assert (first.params["reason"], second.params["reason"]) == ("first", "second")
    assert refresh_by_form().params["reason"] is None


@pytest.mark.parametrize("own_id", sorted(BUNDLED))
def test_a_definition_cannot_take_the_place_of_another_dag_of_the_provider(own_id: str) -> None:
    with pytest.raises(ValueError, match=rf"dag\.id: {own_id} is another DAG of this provider's"):
        dag_of(id=own_id)


def test_a_deadline_needs_somebody_to_be_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match=r"dag\.deadline_minutes: nobody would be told"):
        dag_of(deadline_minutes=5)
    monkeypatch.setenv("AIRFLOW__ORACLE_REFRESH__NOTIFY_CONN_ID", "chat")
    assert dag_of(deadline_minutes=5).deadline


def test_assets_start_it() -> None:
    every = schedule(DagSection(assets=("oracle-refresh://crm", "orders", "s3://bucket/orders")), "own")
    assert every == AssetAll(
        refresh_asset("crm"), Asset.ref(name="orders"), Asset.ref(uri="s3://bucket/orders")
    )
    any_of_them = schedule(DagSection(assets=("oracle-refresh://crm", "orders"), assets_needed="any"), "own")
    assert any_of_them == AssetAny(refresh_asset("crm"), Asset.ref(name="orders"))
    DagSerialization.to_dict(dag_of(assets=["oracle-refresh://crm", "orders", "s3://bucket/orders"]))
    with pytest.raises(ValueError, match="an asset of a refresh is"):
        schedule(DagSection(assets=("oracle-refresh://crm/tables",)), "own")


def test_a_timetable_starts_it() -> None:
    own = {
        "path": "airflow.sdk.CronTriggerTimetable",
        "arguments": {"expression": "0 3 * * *", "timezone": "UTC"},
    }
    assert dag_of(timetable=own).schedule == CronTriggerTimetable("0 3 * * *", timezone="UTC")


@pytest.mark.parametrize(
    ("path", "arguments", "complaint"),
    [
        ("nowhere.Nights", {}, "ModuleNotFoundError: No module named 'nowhere'"),
        ("airflow.sdk.Nights", {}, "ImportError|AttributeError"),
        ("airflow.sdk.CronTriggerTimetable", {}, "TypeError"),
        ("airflow.sdk.CronTriggerTimetable", {"expression": "61 * * * *", "timezone": "UTC"}, "61"),
        ("json.JSONDecoder", {}, "Error"),
    ],
)
def test_a_timetable_that_airflow_does_not_take_is_named(
    path: str, arguments: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(ValueError, match=rf"dag\.timetable: {path}: .*({complaint})"):
        dag_of(timetable={"path": path, "arguments": arguments})


def test_the_form_that_tasks_get_is_json() -> None:
    dag = dag_of(reason='Say "when"\nand why', approvals=["target"])
    assert form_of(dag, {}).reason == 'Say "when"\nand why'
    assert json.loads(json.dumps(dag.params.dump()))["definition"] == "demo"
