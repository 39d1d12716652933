"""A command of the stack that is killed in the middle: what it leaves, and what the next one makes of it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from stack import __main__ as command
from stack import airflow, components, databases, processes, settings
from support.transfer import Killed


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(settings, "LOCAL", tmp_path)
    monkeypatch.setattr(settings, "AIRFLOW_HOME", tmp_path)
    monkeypatch.setattr(components, "PID_FILE", tmp_path / "processes.json")
    monkeypatch.setattr(components, "MIGRATED_FILE", tmp_path / "migrated")
    monkeypatch.setattr(airflow, "LAUNCH_LOG", tmp_path / "airflow-start.log")
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


#: The launcher's migration; what it forks notes that it was begun, and the first one is killed.
MIGRATION = """
import os, sys
from pathlib import Path
from stack import components
folder = Path(sys.argv[1])
components.MIGRATED_FILE = folder / "migrated"

class Command:
    def main():
        with (folder / "begun").open("a") as begun:
            begun.write("begun ")
        if (folder / "begun").read_text() == "begun ":
            os._exit(9)

components.import_module = lambda _: Command
components.migrate()
"""


def test_a_killed_migration_is_begun_again(home: Path) -> None:
    def migrate() -> tuple[int, str]:
        """The launcher's exit code, and all migrations that have begun so far."""
        done = subprocess.run([sys.executable, "-c", MIGRATION, str(home)], timeout=60)
        return done.returncode, (home / "begun").read_text().strip()

    assert migrate() == (1, "begun")
    assert migrate() == (0, "begun begun")
    assert migrate() == (0, "begun begun")
    components.MIGRATED_FILE.write_text("3.0.0")
    assert migrate() == (0, "begun begun begun"), "another version of Airflow has other tables"


#: Says that it runs, as the launcher does of a component before it is killed.
LAUNCHER = """
import sys
from pathlib import Path
from stack import components, processes
components.PID_FILE = Path(sys.argv[1])
while components.LAUNCHER not in components.started():
    pass
known = components.started()
ended = tuple(components.COMPONENTS)[: int(sys.argv[2])]
components.note(known | {name: processes.Started(10**9 + place, 1.0) for place, name in enumerate(ended)})
"""


@pytest.mark.parametrize("number", [0, 2])
def test_a_launcher_that_ends_before_all_run(
    home: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """What it has started is known, and stopped."""
    start, stopped = processes.start, list[str]()

    def launched(command: list[str], environment: dict[str, str], log: Path) -> processes.Started:
        words = [sys.executable, "-c", LAUNCHER, str(components.PID_FILE), str(number)]
        return start(words, environment, log)

    def stop(ended: list[processes.Started], **_: Any) -> None:
        known = components.started()
        stopped.extend(name for name, one in known.items() if one in ended)

    monkeypatch.setattr(processes, "start", launched)
    monkeypatch.setattr(processes, "stop", stop)
    with pytest.raises(SystemExit, match="did not start"):
        airflow.start()
    assert not airflow.running()
    airflow.stop()
    assert stopped == [components.LAUNCHER, *tuple(components.COMPONENTS)[:number]]
    assert components.started() == {}


def test_what_the_launcher_starts_while_it_is_stopped_is_stopped_too(monkeypatch: pytest.MonkeyPatch) -> None:
    launcher, late = processes.Started(10**9, 1.0), processes.Started(10**9 + 1, 1.0)
    components.note({components.LAUNCHER: launcher})
    stopped: list[list[processes.Started]] = []

    def stop(ended: list[processes.Started], **_: Any) -> None:
        stopped.append(ended)
        components.note({components.LAUNCHER: launcher, "api-server": late})

    monkeypatch.setattr(processes, "stop", stop)
    airflow.stop()
    assert stopped == [[launcher], [launcher, late]]
    assert components.started() == {}


@pytest.mark.parametrize("content", ["", "[12, 13]", "no list", '{"pid": 1}', '{"scheduler": {"pid": 1}}'])
def test_a_broken_list_of_processes_is_none(content: str) -> None:
    components.PID_FILE.write_text(content)
    assert components.started() == {}
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


def test_after_a_run_the_databases_stop_while_airflow_does(monkeypatch: pytest.MonkeyPatch) -> None:
    together = threading.Barrier(2, timeout=60)
    monkeypatch.setattr(airflow, "stop", together.wait)
    monkeypatch.setattr(databases, "stop", together.wait)
    command._down_after_a_run()
    assert not together.broken


def test_databases_are_stopped_although_the_end_of_airflow_is_interrupted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted() -> None:
        raise SystemExit(130)

    for down in (command._down, command._down_after_a_run):
        stopped: list[bool] = []
        monkeypatch.setattr(airflow, "stop", interrupted)
        monkeypatch.setattr(databases, "stop", lambda stopped=stopped: stopped.append(True))
        with pytest.raises(SystemExit):
            down()
        assert stopped == [True]
