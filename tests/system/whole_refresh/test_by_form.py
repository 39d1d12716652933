"""What the trigger form and the DAG of a definition decide, by real runs: dry runs, approvals; what starts on
published refreshes."""

from __future__ import annotations

import json
import urllib.error
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

import pytest

from support.home import until

from .conftest import OWN_DAG, First, Home

DAG, AFTER, CHECKS = "test_data_refresh", "example_after_refresh", "checks_only"


@pytest.fixture(autouse=True)
def _after_the_first(first: First) -> None:
    assert first.exit_code == 0, first.output[-4000:]


@pytest.fixture
def untouched(home: Home) -> Callable[[], None]:
    """Says whether the target's application and both ends' files are what they were."""
    before = _state(home)

    def check() -> None:
        assert _state(home) == before

    return check


def _state(home: Home) -> list[Any]:
    objects = (
        "SELECT OWNER, OBJECT_NAME, OBJECT_ID, CREATED FROM DBA_OBJECTS"
        " WHERE OWNER IN ('APP', 'DOCS', 'TEST') ORDER BY OBJECT_ID"
    )
    accounts = "SELECT USERNAME, ACCOUNT_STATUS FROM DBA_USERS ORDER BY USERNAME"
    return [home.query("target", objects), home.query("target", accounts), sorted(home.dump_files())]


def ended(home: Home, run_id: str) -> dict[str, str]:
    """The states of the tasks when the run of the definition's DAG is over, and is a success."""
    state = until(lambda: (s := home.api.run_state(OWN_DAG, run_id)) in ("success", "failed") and s)
    states = {task["task_id"]: task["state"] for task in home.api.task_instances(OWN_DAG, run_id)}
    assert state == "success", states
    return states


def _scheduler_came_by(home: Home) -> datetime:
    told = home.api.request("GET", "/api/v2/monitor/health")["scheduler"]["latest_scheduler_heartbeat"]
    return datetime.fromisoformat(told)


def _heard_of(home: Home, run_id: str, task_id: str) -> bool:
    """Whether the scheduler knows that a process of the task has ended."""
    log = (home.folder / "log" / "airflow-scheduler.log").read_text(errors="replace")
    words = "Received executor event", f"task_id='{task_id}'", f"run_id='{run_id}'"
    return any(all(word in line for word in words) for line in log.splitlines())


def test_a_dry_run_ends_with_the_plan(home: Home, untouched: Callable[[], None]) -> None:
    """Nobody is asked: it ends before there is anything to approve."""
    run_id = home.api.trigger(OWN_DAG, {"dry_run": True, "degree": 3})
    states = ended(home, run_id)
    done = {"preflight", "profile", "freeze", "plan", "explain"}
    assert {task for task, state in states.items() if state == "success"} == done
    assert {state for task, state in states.items() if task not in done} == {"skipped"}
    untouched()
    written = home.reports / run_id
    assert "3 workers at the same time" in (written / "plan.txt").read_text()
    assert json.loads((written / "plan.json").read_text())["degree"] == 3
    assert not (written / "report.json").exists()


def test_a_rejected_run_touches_nothing(home: Home, untouched: Callable[[], None]) -> None:
    """Its form says nothing: the definition demands that somebody is asked. While it waits for the answer, a
    run of another DAG waits for its end."""
    run_id = home.api.trigger(OWN_DAG, {})
    instance = f"/api/v2/dags/{OWN_DAG}/dagRuns/{quote(run_id)}/taskInstances/approve_target"
    until(lambda: home.api.request("GET", instance)["state"] == "awaiting_input")
    checks = home.api.trigger(CHECKS, {"definition": home.definition.stem})
    until(lambda: {task["state"] for task in home.api.task_instances(CHECKS, checks)} == {"deferred"})
    # An answer before the scheduler has heard that the task's process has ended fails its try: it has heard,
    # and has come by since.
    until(lambda: _heard_of(home, run_id, "approve_target"))
    heard = datetime.now(UTC)
    until(lambda: _scheduler_came_by(home) > heard)
    answer = f"{instance}/-1/hitlDetails"
    asked = home.api.request("GET", answer)
    assert "**Reason:** Regular refresh by the definition demo" in asked["body"]
    assert asked["subject"] == "May the refresh demo replace the tables of its target?"
    home.api.request("PATCH", answer, {"chosen_options": ["Reject"], "params_input": {"comment": "not now"}})
    states = ended(home, run_id)
    assert states["approve_target"] == "success"
    assert {states[task] for task in ("lock_target", "shard.export", "publish_report")} == {"skipped"}
    untouched()
    ((document,),) = home.query(
        "target",
        "SELECT DOCUMENT FROM REFRESH$RUN WHERE RUN_ID = :run_id AND KIND = 'approval' AND ITEM = 'target'",
        run_id=run_id,
    )
    kept = json.loads(document)
    assert (kept["decision"], kept["comment"], kept["by"]) == ("rejected", "not now", "Anonymous")
    until(lambda: home.api.run_state(CHECKS, checks) == "success")


@pytest.mark.parametrize(
    ("dag_id", "fields", "complaint"),
    [
        (DAG, {"degree": 0}, "degree"),
        (DAG, {"definition": "../small"}, "definition"),
        (DAG, {"exclude_tables": ["LOGS"]}, "exclude_tables"),
        (DAG, {"prepare": "burn"}, "prepare"),
        (OWN_DAG, {"definition": "another"}, "definition"),
        (OWN_DAG, {"degree": 0}, "degree"),
    ],
)
def test_a_wrong_form_is_not_taken(home: Home, dag_id: str, fields: dict[str, Any], complaint: str) -> None:
    with pytest.raises(urllib.error.HTTPError) as refused:
        home.api.trigger(dag_id, fields)
    assert refused.value.code == 400
    assert complaint in refused.value.read().decode()


def test_another_dag_starts_on_the_published_refresh(home: Home) -> None:
    report = json.loads((home.reports / "latest" / "report.json").read_text())
    until(lambda: home.api.last_run(AFTER))
    run_id = home.api.last_run(AFTER)
    until(lambda: home.api.run_state(AFTER, run_id) == "success")
    (told,) = home.api.xcom(AFTER, run_id, {"task_id": "tell", "map_index": -1})
    assert {name: told[name] for name in ("refresh", "run_id", "scn", "status")} == {
        name: report[name] for name in ("refresh", "run_id", "scn", "status")
    }
    assert told["target"] == f"oracle://{home.dsn('target')}"
    assert told["rows"] == sum(table["rows_target"] for table in report["tables"])
