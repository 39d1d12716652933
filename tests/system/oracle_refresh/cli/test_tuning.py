"""`airflow oracle-refresh show-tuning`, `restore` and `plan-tuning`: for somebody who has lost a run."""

from __future__ import annotations

from pathlib import Path

import oracledb
import pytest
import yaml

from oracle_refresh.tuning.apply import apply_changes
from oracle_refresh.tuning.instance import read_instance
from oracle_refresh.tuning.plan import plan_changes
from oracle_refresh.tuning.profile import Phase
from support.commands import command
from support.demo import DemoDatabase, airflow_connection
from support.transfer import ROOT
from support.tuning import Silent, whole

PHASE = Phase.model_validate({"parameters": {"undo_retention": 4000, "commit_wait": "NOWAIT"}})
PROFILE = str(ROOT / "include" / "tuning" / "bulk.yaml")
DEMO = ROOT / "include" / "refreshes" / "demo.yaml"

pytestmark = pytest.mark.usefixtures("connections")


@pytest.fixture
def tuned(target: oracledb.Connection) -> oracledb.Connection:
    apply_changes(target, plan_changes(PHASE, read_instance(target)), "lost", "load", Silent())
    return target


def run(name: str, *words: str, definition: Path = DEMO) -> int:
    return command(name, "--definition", str(definition), *words)


def test_show_and_restore(target: oracledb.Connection, capsys: pytest.CaptureFixture[str]) -> None:
    before = whole(target)
    apply_changes(target, plan_changes(PHASE, read_instance(target)), "lost", "load", Silent())
    said = []
    for name in ("show-tuning", "restore", "show-tuning"):
        assert run(name) == 0
        said.append(capsys.readouterr().out)
    assert "lost (load): parameter undo_retention: 900 -> 4000 (memory)" in said[0]
    assert "restored: parameter commit_wait" in said[1]
    assert said[2] == "nothing is to be restored\n"
    assert whole(target) == before


@pytest.mark.usefixtures("tuned")
def test_another_run_is_left_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("restore", "--run-id", "another") == 0
    assert capsys.readouterr().out == "nothing is to be restored\n"
    assert run("show-tuning", "--run-id", "lost") == 0
    assert "undo_retention" in capsys.readouterr().out
    assert run("restore") == 0


def test_plan_changes_nothing(
    target: oracledb.Connection, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    before = whole(target)
    assert run("plan-tuning", "--profile", PROFILE) == 0
    assert "commit_wait: unset -> NOWAIT" in capsys.readouterr().out
    assert run("plan-tuning", "--profile", PROFILE, "--phase", "load") == 0
    assert "commit_wait" not in capsys.readouterr().out
    document = yaml.safe_load(DEMO.read_text())
    document["masking"]["ruleset"] = str(ROOT / "include" / "rulesets" / "demo.yaml")
    definition = tmp_path / "d.yaml"
    definition.write_text(
        yaml.safe_dump(document | {"tuning": {"profile": PROFILE}, "deny_list": {"databases": ["target"]}})
    )
    for words in ((), ("--profile", PROFILE)):
        assert run("plan-tuning", *words, definition=definition) == 1
        assert "on the deny list" in capsys.readouterr().err
    definition.write_text(yaml.safe_dump({**document, "tuning": None}))
    assert run("plan-tuning", definition=definition) == 0
    assert "names no tuning profile" in capsys.readouterr().out
    assert whole(target) == before


@pytest.mark.parametrize(
    "words",
    [
        ("plan-tuning", "--phase", "tidy"),
        ("plan-tuning", "--profile"),
        ("show-tuning", "--phase", "load"),
        ("tidy",),
    ],
)
def test_wrong_arguments(words: tuple[str, ...]) -> None:
    assert run(*words) == 2


def test_a_wrong_password_and_another_role(
    demo_target: DemoDatabase, connections: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = airflow_connection(demo_target, password="wrong_one")
    connections.setenv("AIRFLOW_CONN_ORACLE_TARGET", wrong)
    assert run("show-tuning") == 1
    said = capsys.readouterr()
    assert "ORA-01017" in said.err
    assert "wrong_one" not in said.out + said.err
    connections.setenv("AIRFLOW_CONN_ORACLE_TARGET", airflow_connection(demo_target, extra={}))
    assert run("restore") == 1
    assert "needs the refresh target" in capsys.readouterr().err
