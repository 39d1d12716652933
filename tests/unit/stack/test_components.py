"""Forking Airflow's components: what they share, and what becomes of one whose launcher is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from stack import components, processes
from support.waiting import until

#: The launcher with a command that only says what it is, instead of Airflow's.
LAUNCH = """
import os, sys, time
from pathlib import Path
from stack import components, processes, settings
components.PID_FILE = Path(sys.argv[1]) / "processes.json"
components.MIGRATED_FILE = Path(sys.argv[1]) / "migrated"
settings.LOGS = Path(sys.argv[1])

class Command:
    def main():
        print(sys.argv[1], os.getsid(0) == os.getpid(), flush=True)
        time.sleep(60)
    def write_default_airflow_configuration_if_needed():
        pass

components.import_module = lambda name: Command
components.migrate = lambda: None
stopped = sys.argv[2]
if stopped:
    note = components.note
    def killed(known):
        note(known)
        if stopped in known:
            print("killed", flush=True)
            time.sleep(60)
    components.note = killed
components.launch()
"""


def launch(folder: Path, stopped: str = "") -> subprocess.Popen[str]:
    words = [sys.executable, "-c", LAUNCH, str(folder), stopped]
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True, start_new_session=True)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(components, "PID_FILE", tmp_path / "processes.json")
    return tmp_path


def test_each_component_has_its_session_and_its_log(folder: Path) -> None:
    launcher = launch(folder)
    assert launcher.wait(60) == 0
    known = components.started()
    try:
        assert tuple(known) == tuple(components.COMPONENTS), "and no launcher"
        for name in known:
            log = folder / f"airflow-{name}.log"
            until(lambda log=log: log.exists() and log.read_text())
            assert log.read_text() == f"{name} True\n"
    finally:
        for one in known.values():
            os.kill(one.pid, signal.SIGKILL)


@pytest.mark.parametrize("whole_group", [True, False])
def test_a_component_that_is_killed_with_its_launcher_has_not_begun(folder: Path, whole_group: bool) -> None:
    """It is noted already, but has not been told so: it waits in the launcher's group."""
    launcher = launch(folder, "dag-processor")
    assert launcher.stdout is not None
    assert launcher.stdout.readline() == "killed\n"
    known = components.started()
    try:
        assert tuple(known) == tuple(components.COMPONENTS)[:2]
        (os.killpg if whole_group else os.kill)(launcher.pid, signal.SIGKILL)
        launcher.wait(60)
        until(lambda: not processes.alive(known["dag-processor"]))
        assert not (folder / "airflow-dag-processor.log").exists()
    finally:
        os.kill(known["api-server"].pid, signal.SIGKILL)
