"""`python -m oracle_refresh.tuning`, as somebody uses it who has lost the scheduler."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import oracledb
import pytest
import yaml

from oracle_refresh.tuning import command
from oracle_refresh.tuning.apply import apply_changes
from oracle_refresh.tuning.instance import read_instance
from oracle_refresh.tuning.plan import plan_changes
from oracle_refresh.tuning.profile import Phase
from support.demo import DemoDatabase
from support.transfer import ROOT
from support.tuning import Silent, whole

PHASE = Phase.model_validate({"parameters": {"undo_retention": 4000, "commit_wait": "NOWAIT"}})


@pytest.fixture
def tuned(target: oracledb.Connection) -> oracledb.Connection:
    apply_changes(target, plan_changes(PHASE, read_instance(target)), "lost", "load", Silent())
    return target


def run(database: DemoDatabase, monkeypatch: pytest.MonkeyPatch, *words: str, password: str = "") -> int:
    given = password or f"{database.user.lower()}_demo"
    monkeypatch.setattr("sys.stdin", io.StringIO(given + "\n"))
    return command.main([*words, "--target", f"{database.user}@{database.dsn}"])


def test_show_and_restore_as_a_process(demo_target: DemoDatabase, target: oracledb.Connection) -> None:
    """Airflow is not loaded: it may be what is broken."""
    before = whole(target)
    apply_changes(target, plan_changes(PHASE, read_instance(target)), "lost", "load", Silent())
    said = []
    login = f"{demo_target.user}@{demo_target.dsn}"
    for word in ("show", "restore", "show"):
        done = subprocess.run(
            [sys.executable, "-X", "importtime", "-m", "oracle_refresh.tuning", word, "--target", login],
            input=f"{demo_target.user.lower()}_demo\n",
            capture_output=True,
            text=True,
            timeout=600,
        )
        assert done.returncode == 0, done.stderr[-2000:]
        assert "airflow" not in done.stderr
        said.append(done.stdout)
    assert "lost (load): parameter undo_retention: 900 -> 4000 (memory)" in said[0]
    assert "restored: parameter commit_wait" in said[1]
    assert said[2] == "nothing is to be restored\n"
    assert whole(target) == before


def test_another_run_is_left_alone(
    demo_target: DemoDatabase,
    tuned: oracledb.Connection,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(demo_target, monkeypatch, "restore", "--run-id", "another") == 0
    assert capsys.readouterr().out == "nothing is to be restored\n"
    assert run(demo_target, monkeypatch, "show", "--run-id", "lost") == 0
    assert "undo_retention" in capsys.readouterr().out
    assert run(demo_target, monkeypatch, "restore") == 0


def test_plan_changes_nothing(
    demo_target: DemoDatabase,
    target: oracledb.Connection,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    before = whole(target)
    profile = str(ROOT / "include" / "tuning" / "bulk.yaml")
    assert run(demo_target, monkeypatch, "plan", "--profile", profile) == 0
    assert "commit_wait: unset -> NOWAIT" in capsys.readouterr().out
    assert run(demo_target, monkeypatch, "plan", "--profile", profile, "--phase", "load") == 0
    assert "commit_wait" not in capsys.readouterr().out
    document = yaml.safe_load((ROOT / "include" / "refreshes" / "demo.yaml").read_text())
    document["masking"]["ruleset"] = str(ROOT / "include" / "rulesets" / "demo.yaml")
    definition = tmp_path / "d.yaml"
    definition.write_text(
        yaml.safe_dump(document | {"tuning": {"profile": profile}, "deny_list": {"databases": ["target"]}})
    )
    assert run(demo_target, monkeypatch, "plan", "--definition", str(definition)) == 1
    assert "on the deny list" in capsys.readouterr().err
    definition.write_text(yaml.safe_dump({**document, "tuning": None}))
    assert run(demo_target, monkeypatch, "plan", "--definition", str(definition)) == 0
    assert "names no tuning profile" in capsys.readouterr().out
    assert whole(target) == before


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("plan",), 2),
        (("plan", "--profile", "a", "--definition", "b"), 2),
        (("show", "--phase", "load"), 2),
        (("tidy",), 2),
    ],
)
def test_wrong_arguments(
    demo_target: DemoDatabase, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], code: int
) -> None:
    with pytest.raises(SystemExit) as caught:
        run(demo_target, monkeypatch, *words)
    assert caught.value.code == code


def test_a_wrong_password_and_a_wrong_login(
    demo_target: DemoDatabase, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(demo_target, monkeypatch, "show", password="wrong_one") == 1
    said = capsys.readouterr()
    assert "ORA-01017" in said.err
    assert "wrong_one" not in said.out + said.err
    assert command.main(["show", "--target", "nobody"]) == 2
