"""The preflight opens a session of each kind that the run will use, the triggers' in the triggerer."""

from __future__ import annotations

import json
import pydoc
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any
from unittest import mock

import oracledb
import pytest
from airflow.models.trigger import TriggerFailureReason
from airflow.sdk import DAG
from airflow.sdk.bases.operator import TRIGGER_FAIL_REPR

from oracle_refresh.hooks import oracle
from oracle_refresh.hooks.sessions import check_sessions
from oracle_refresh.integration import run_files
from oracle_refresh.integration.compat import TaskDeferralTimeout, TaskDeferred
from oracle_refresh.integration.retries import decide
from oracle_refresh.operators import planning
from oracle_refresh.operators.planning import CheckPreflight
from oracle_refresh.operators.tables import AwaitTable
from oracle_refresh.oracle.errors import PreflightError
from oracle_refresh.oracle.findings import Finding, warning
from oracle_refresh.triggers import shared
from oracle_refresh.triggers.sessions import SessionsTrigger

IN_AIRFLOW: Any = {"run_id": "r", "ti": SimpleNamespace(get_dr_count=None)}
DOUBTFUL = warning("DOUBTFUL", "a warning", "read it")
NATIVE = (
    "DPY-3001: Native Network Encryption and Data Integrity is only supported in python-oracledb thick mode"
)


def connection(monkeypatch: pytest.MonkeyPatch, conn_id: str, **extra: Any) -> None:
    fields = {"conn_type": "oracle", "host": "h", "login": "u", "password": "hunter2", "extra": extra}
    monkeypatch.setenv(f"AIRFLOW_CONN_{conn_id.upper()}", json.dumps(fields))


@pytest.fixture
def connected(monkeypatch: pytest.MonkeyPatch) -> Iterator[mock.Mock]:
    """`oracledb.connect`, with connections `near` and `far`."""
    monkeypatch.setattr(oracle.session_state, "settle", lambda session: session)
    connection(monkeypatch, "near", service_name="N")
    connection(monkeypatch, "far", service_name="F")
    with mock.patch.object(oracledb, "connect") as connect:
        yield connect


def codes(findings: list[Finding]) -> list[str]:
    return [finding.code for finding in findings]


def test_sessions_of_task_and_thread_are_open_at_the_same_time(connected: mock.Mock) -> None:
    assert check_sessions(["near", "far"]) == []
    assert connected.call_count == 4
    connected.side_effect = [mock.Mock(), oracledb.DatabaseError("ORA-99999"), mock.Mock(), mock.Mock()]
    (found,) = check_sessions(["near", "far"])
    assert (found.code, found.message) == ("NO_THREAD_SESSION", "connection near at h:1521/N: ORA-99999")


def test_session_refused_for_good_is_a_finding_and_one_refused_for_now_is_retried(
    connected: mock.Mock,
) -> None:
    connected.side_effect = oracledb.NotSupportedError(NATIVE)
    found = check_sessions(["near", "far"])
    assert codes(found) == ["NO_TASK_SESSION"] * 2
    assert "thick_mode" in found[0].remedy
    connected.side_effect = oracledb.OperationalError("DPY-6005: cannot connect")
    with pytest.raises(
        PreflightError, match="open a task session connection near at h:1521/N: DPY-6005"
    ) as caught:
        check_sessions(["near"])
    assert decide(caught.value, 1).action == "retry"


@pytest.mark.parametrize("other", [{}, {"thick_mode": True, "thick_mode_lib_dir": "/other"}])
def test_connections_of_different_driver_modes_are_refused_before_connecting(
    other: dict[str, Any], connected: mock.Mock, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection(monkeypatch, "near", thick_mode="true", thick_mode_lib_dir="/lib")
    connection(monkeypatch, "far", **other)
    assert codes(check_sessions(["near", "far"])) == ["MIXED_DRIVER_MODES"]
    connected.assert_not_called()


def test_defaults_of_the_process_in_an_extra_are_a_warning(
    connected: mock.Mock, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection(monkeypatch, "near", fetch_decimals=True)
    assert codes(check_sessions(["near"])) == ["FETCH_DEFAULTS_IGNORED"]


async def test_triggerer_opens_each_session_and_fires_with_failures_without_secrets(
    connected: mock.Mock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared, "FIRST_LOOK", 0.0)
    connection(monkeypatch, "far", thick_mode=True)
    missing = oracledb.DatabaseError("DPI-1047: Cannot locate a 64-bit Oracle Client library")
    path, arguments = SessionsTrigger(["near", "far", "nowhere"]).serialize()
    with mock.patch.object(oracledb, "init_oracle_client", side_effect=missing):
        event = await anext(aiter(pydoc.locate(path)(**arguments).run()))
    (far, _, found, remedy), (nowhere, *_) = event.payload["failures"]
    assert (far, nowhere, found) == ("connection far at h", "nowhere", ["DPI-1047"])
    assert "this machine" in remedy
    assert "hunter2" not in json.dumps(event.payload)
    connected.return_value.close.assert_called_once()


@pytest.fixture
def preflight(monkeypatch: pytest.MonkeyPatch) -> CheckPreflight:
    """The task of a DAG one of whose tasks waits in the triggerer; its checks find a warning."""
    with DAG("refresh"):
        task = CheckPreflight(task_id="preflight", definition="d")
        AwaitTable(task_id="await", definition="d", unit="U1")
    monkeypatch.setattr(CheckPreflight, "_check", lambda self, context: [DOUBTFUL])
    monkeypatch.setattr(CheckPreflight, "read_refresh", lambda self: None)
    monkeypatch.setattr(run_files, "keep_result", lambda context, result: None)
    monkeypatch.setattr(planning, "connections_of", lambda definition: ["near", "far"])
    return task


def test_preflight_reports_what_worker_and_triggerer_found(preflight: CheckPreflight) -> None:
    with pytest.raises(TaskDeferred) as deferred:
        preflight.execute(IN_AIRFLOW)
    assert deferred.value.trigger.conn_ids == ["near", "far"]
    assert deferred.value.timeout is not None
    kept = json.loads(json.dumps(deferred.value.kwargs))

    def resume(*failures: list[Any]) -> Any:
        event = {"failures": list(failures)}
        return preflight.resume_execution(deferred.value.method_name, {**kept, "event": event}, IN_AIRFLOW)

    assert resume() == [DOUBTFUL.to_json()]
    with pytest.raises(PreflightError, match="NO_TRIGGER_SESSION: target far at h: DPI-1047: no library"):
        resume(["target far at h", "DPI-1047: no library", ["DPI-1047"], "install it"])
    with pytest.raises(PreflightError, match="DPY-6005") as caught:
        resume(["far", "DPY-6005: cannot connect", ["DPY-6005"], None])
    assert decide(caught.value, 1).action == "retry"


def test_missing_triggerer_is_a_finding_that_may_pass(
    preflight: CheckPreflight, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = {"error": TriggerFailureReason.TRIGGER_TIMEOUT}
    with pytest.raises(PreflightError, match="NO_TRIGGERER: no triggerer opened the sessions") as caught:
        preflight.resume_execution(TRIGGER_FAIL_REPR, failed, IN_AIRFLOW)
    assert decide(caught.value, 1).action == "default"

    def ahead(self: CheckPreflight, context: Any) -> list[Finding]:
        raise TaskDeferred(trigger=SessionsTrigger([]), method_name="resume")

    monkeypatch.setattr(CheckPreflight, "_check", ahead)
    with pytest.raises(TaskDeferralTimeout):  # of the wait for the run's turn
        preflight.resume_execution(TRIGGER_FAIL_REPR, failed, IN_AIRFLOW)


def test_preflight_of_a_dag_without_waits_asks_no_triggerer(preflight: CheckPreflight) -> None:
    assert preflight.execute({**IN_AIRFLOW, "ti": SimpleNamespace()}) == [DOUBTFUL.to_json()]
    with DAG("checks_only"):
        alone = CheckPreflight(task_id="preflight", definition="d")
    assert alone.execute(IN_AIRFLOW) == [DOUBTFUL.to_json()]
