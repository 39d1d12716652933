"""However a command or a test run ends: its processes end too, and the temporary directory is as it was."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support.home import ROOT
from support.session_folder import VARIABLE, command_line, marked
from support.stand_in import free_port
from support.waiting import until

#: Tests that need a server each worker starts, and which take some seconds.
SERVER_TESTS = [f"tests/database/localoracle/session/test_{name}.py" for name in ("secrets", "commands")]
FOREGROUND = "--foreground"
"""In the command line of a stand-in that is starting or runs."""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A temporary directory for what is started, which must be empty in the end."""
    made = Path(tempfile.mkdtemp(prefix="e"))
    yield made
    shutil.rmtree(made)


def start(folder: Path, *words: str, **environment: str) -> subprocess.Popen[str]:
    """A command with this temporary directory, in a session of its own as from a terminal of its own."""
    foreign = ("AIRFLOW", "PYTEST", "LOCALORACLE", VARIABLE)
    inherited = {name: text for name, text in os.environ.items() if not name.startswith(foreign)}
    return subprocess.Popen(
        [sys.executable, "-m", *words],
        cwd=ROOT,
        env={**inherited, **environment, "TMPDIR": str(folder)},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        # It is ignored where these tests run in the background of a shell.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def running(folder: Path) -> list[str]:
    return [words for process in marked(folder) if (words := command_line(process))]


def a_server_runs(folder: Path) -> bool:
    return any(FOREGROUND in words for words in running(folder))


def nothing_is_left(folder: Path, process: subprocess.Popen[str]) -> str:
    """When the process has ended; returns what it printed."""
    output, _ = process.communicate(timeout=300)
    until(lambda: not running(folder), f"for the end of all that it started\n{output[-3000:]}")
    until(lambda: not list(folder.iterdir()), f"for its files to be removed\n{output[-3000:]}")
    return output


def test_run(folder: Path) -> subprocess.Popen[str]:
    words = ("-q", "-p", "no:cacheprovider", "--numprocesses", "2", "--dist", "loadfile")
    return start(folder, "pytest", *words, *SERVER_TESTS)


test_run.__test__ = False  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "send",
    [lambda pid: os.killpg(pid, signal.SIGINT), lambda pid: os.kill(pid, signal.SIGKILL)],
    ids=["ctrl_c", "kill"],
)
def test_an_interrupted_test_run_leaves_nothing(folder: Path, send: Callable[[int], None]) -> None:
    process = test_run(folder)
    until(lambda: a_server_runs(folder), "for a server")
    send(process.pid)
    nothing_is_left(folder, process)
    assert process.returncode in (pytest.ExitCode.INTERRUPTED, -signal.SIGKILL)


def test_what_a_test_leaves_behind_is_an_error_of_the_run(folder: Path) -> None:
    careless = Path(__file__).with_name("careless.py")
    process = start(folder, "pytest", "-q", "-p", "no:cacheprovider", str(careless))
    output = nothing_is_left(folder, process)
    assert process.returncode == pytest.ExitCode.TESTS_FAILED, output
    assert re.search("1 passed,.* 1 error", output), output
    assert "localoracle_" in output
    assert "time.sleep(600)" in output


def stack(folder: Path, *words: str) -> subprocess.Popen[str]:
    ports = {f"LOCALORACLE_PORT_{name}": str(free_port()) for name in ("SOURCE", "TARGET")}
    home = folder / "home"
    home.mkdir()
    return start(folder, "stack", *words, LOCALORACLE_HOME=str(home), AIRFLOW_PORT=str(free_port()), **ports)


def only_the_home_is_left(folder: Path, process: subprocess.Popen[str]) -> None:
    output, _ = process.communicate(timeout=300)
    assert running(folder) == [], output[-3000:]
    # Its databases are kept, as they are after every refresh.
    assert [path.name for path in folder.iterdir()] == ["home"], output[-3000:]
    assert not list((folder / "home").glob("*/localoracle.pid"))


def test_a_command_that_is_ended_while_it_starts_stops_everything(folder: Path) -> None:
    process = stack(folder, "up", "--scale", "0.02")
    until(lambda: a_server_runs(folder), "for a server")
    os.killpg(process.pid, signal.SIGINT)
    only_the_home_is_left(folder, process)
    assert process.returncode == 128 + signal.SIGINT


def test_a_refresh_that_is_ended_in_the_middle_stops_everything(folder: Path) -> None:
    process = stack(folder, "refresh", "--scale", "0.02")
    assert process.stdout is not None
    # The console tells how many tasks are in which state, and in brackets which are at work.
    assert any("success" in line and "[" in line for line in process.stdout)
    process.terminate()
    only_the_home_is_left(folder, process)
    assert process.returncode == 128 + signal.SIGTERM
