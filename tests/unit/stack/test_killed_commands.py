"""A command of the stack that is killed in the middle: what it leaves, and what the next one makes of it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from stack import airflow, databases, processes, settings
from support.transfer import Killed


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(settings, "LOCAL", tmp_path)
    monkeypatch.setattr(settings, "AIRFLOW_HOME", tmp_path)
    monkeypatch.setattr(airflow, "PID_FILE", tmp_path / "processes.json")
    monkeypatch.setattr(airflow, "MIGRATED_FILE", tmp_path / "migrated")
    monkeypatch.setattr(airflow, "_require_free_port", lambda: None)
    return tmp_path


def killed(*_: Any, **__: Any) -> Any:
    raise Killed


def test_a_secret_is_whole_or_not_there(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("fdopen", "link"):
        with monkeypatch.context() as patch:
            patch.setattr(os, name, killed)
            with pytest.raises(Killed):
                settings.secret("key")
        assert not (home / "secrets" / "key").exists()
    made = settings.secret("key")
    assert len(made) == 64
    assert settings.secret("key") == made
    assert (home / "secrets" / "key").stat().st_mode & 0o777 == 0o600


def test_who_makes_a_secret_first_is_heard_by_all(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link = os.link

    def later(written: str, path: Path) -> None:
        path.write_text("the first one")
        link(written, path)

    monkeypatch.setattr(os, "link", later)
    assert settings.secret("key") == "the first one"


@pytest.fixture
def migrations(home: Path, monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each migration that was begun came to its end; the first one is killed."""
    begun: list[bool] = []

    def run(words: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        (home / "airflow.db").touch()
        begun.append(bool(begun))
        if not begun[-1]:
            raise Killed
        return subprocess.CompletedProcess(words, 0, "", "")

    monkeypatch.setattr(airflow.subprocess, "run", run)
    return begun


def test_a_killed_migration_is_begun_again(
    migrations: list[bool], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(airflow, "COMPONENTS", ())
    monkeypatch.setattr(airflow, "running", lambda: False)
    with pytest.raises(Killed):
        airflow.start()
    for _ in range(3):
        airflow.start()
    assert migrations == [False, True]
    airflow.MIGRATED_FILE.write_text("3.0.0")
    airflow.start()
    assert migrations == [False, True, True], "another version of Airflow has other tables"


def test_what_was_started_before_the_kill_is_found_and_stopped(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "migrated").write_text(airflow.metadata.version("apache-airflow-core"))
    begun: list[processes.Started] = []
    stopped: list[processes.Started] = []

    def start(*_: Any) -> processes.Started:
        if len(begun) == 2:
            raise Killed
        begun.append(processes.Started(10**9 + len(begun), 1.0))
        return begun[-1]

    monkeypatch.setattr(processes, "start", start)
    monkeypatch.setattr(processes, "stop", lambda ended, **_: stopped.extend(ended))
    with pytest.raises(Killed):
        airflow.start()
    assert airflow.started() == begun
    assert not airflow.running()
    airflow.stop()
    assert stopped == begun
    assert airflow.started() == []


@pytest.mark.parametrize("content", ["", "[12, 13]", "no list", '{"pid": 1}'])
def test_a_broken_list_of_processes_is_none(home: Path, content: str) -> None:
    airflow.PID_FILE.write_text(content)
    assert airflow.started() == []
    assert not airflow.running()


def test_one_database_that_does_not_stop_keeps_no_other_one_running(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def run(word: str, name: str) -> subprocess.CompletedProcess[str]:
        asked.append(name)
        return subprocess.CompletedProcess((word, name), int(name == "source"), "", "it hangs")

    monkeypatch.setattr(databases, "run", run)
    with pytest.raises(SystemExit, match="source: it hangs"):
        databases.stop()
    assert asked == ["source", "target"]
