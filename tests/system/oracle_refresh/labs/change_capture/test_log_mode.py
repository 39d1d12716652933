"""Trials on a target in NOARCHIVELOG mode: restarted for them by the definition's command, and once more."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from oracle_refresh.labs.change_capture import trial
from oracle_refresh.operators.cdc_trials import PlanCapture, PrepareCapture, RemoveCapture
from oracle_refresh.oracle.errors import TuningError
from oracle_refresh.run.documents import WHOLE, Documents
from oracle_refresh.tuning import log_mode
from support.demo import DemoDatabase, airflow_connection
from support.transfer import ROOT, Killed

DEMO = ROOT / "include" / "refreshes" / "demo.yaml"


@pytest.fixture(autouse=True)
def database(demo_target: DemoDatabase, monkeypatch: pytest.MonkeyPatch) -> DemoDatabase:
    """The target, reachable for operators and for the demo's log_mode_command."""
    for name, value in demo_target.server.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("AIRFLOW_CONN_ORACLE_TARGET", airflow_connection(demo_target))
    monkeypatch.setattr(log_mode, "PAUSE", 0.05)
    monkeypatch.setattr(trial, "PROBE_ROWS", 100)
    assert mode(demo_target) == "NOARCHIVELOG"
    return demo_target


def mode(database: DemoDatabase) -> str:
    with database.connect() as connection:
        return log_mode.read(connection)


def execute(operator: Any, run: str, definition: Path = DEMO, **arguments: Any) -> Any:
    task = operator(task_id=operator.__name__.lower(), definition=str(definition), **arguments)
    return task.execute({"run_id": run, "ti": SimpleNamespace(map_index=-1)})


def prepare(run: str, definition: Path = DEMO) -> None:
    execute(PrepareCapture, run, definition, scale=0.001, scenarios=[5], single_rows=1)


def test_the_mode_is_changed_for_the_trials_and_comes_back_also_after_a_lost_run(
    database: DemoDatabase,
) -> None:
    execute(PlanCapture, "lost")
    assert mode(database) == "NOARCHIVELOG", "a plan changes nothing"
    prepare("lost")
    assert mode(database) == "ARCHIVELOG"
    execute(PlanCapture, "following")
    prepare("following")
    assert mode(database) == "ARCHIVELOG"
    for _ in range(2):  # a repeated teardown finds nothing to do
        execute(RemoveCapture, "following")
        assert mode(database) == "NOARCHIVELOG", "the mode from before the lost run"


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_task_that_is_killed_beside_the_command_can_be_repeated(
    database: DemoDatabase, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    run, really = f"killed_{moment}", log_mode.subprocess.run

    def killed(*words: Any, **options: Any) -> None:
        if moment == "after":
            really(*words, **options)
        raise Killed

    execute(PlanCapture, run)
    with monkeypatch.context() as patch:
        patch.setattr(log_mode.subprocess, "run", killed)
        with pytest.raises(Killed):
            prepare(run)
    with database.connect() as connection:
        (noted,) = Documents(connection, run).latest(log_mode.LOG_MODE, WHOLE)
        assert (noted.former, noted.open) == ("NOARCHIVELOG", True)
        # The command of the killed task would have had minutes.
        log_mode_seconds(connection, run, noted)
    prepare(run)
    assert mode(database) == "ARCHIVELOG"
    execute(RemoveCapture, run)
    assert mode(database) == "NOARCHIVELOG"


def log_mode_seconds(connection: Any, run: str, noted: log_mode.LogModeNote) -> None:
    assert noted.command is not None
    command = replace(noted.command, until=time.time() + 0.2)
    Documents(connection, run).put(log_mode.LOG_MODE, WHOLE, replace(noted, command=command))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"log_mode_command": []}, "NOARCHIVELOG mode"),
        ({"deny_list": {"databases": ["TARGET"]}}, "may not be restarted.*'TARGET'.*deny list"),
        ({"log_mode_command": ["{python}", "-c", "exit(3)", "{log_mode}"]}, "the command ended with 3"),
    ],
)
def test_a_target_that_may_not_or_cannot_be_restarted_is_left_alone(
    database: DemoDatabase, tmp_path: Path, change: dict[str, Any], complaint: str
) -> None:
    document = yaml.safe_load(DEMO.read_text()) | change
    document["masking"]["ruleset"] = str(ROOT / "include" / "rulesets" / "demo.yaml")
    document["expectations"]["path"] = str(ROOT / "include" / "expectations" / "demo.yaml")
    document["tuning"]["profile"] = str(ROOT / "include" / "tuning" / "demo.yaml")
    definition = tmp_path / "definition.yaml"
    definition.write_text(yaml.safe_dump(document))
    execute(PlanCapture, "refused", definition)
    with pytest.raises(TuningError, match=complaint):
        prepare("refused", definition)
    assert mode(database) == "NOARCHIVELOG"
    execute(RemoveCapture, "refused", definition)
    assert mode(database) == "NOARCHIVELOG"
