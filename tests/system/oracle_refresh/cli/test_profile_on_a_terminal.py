"""The profiler's command shows how far it is on a terminal, and nothing but its proposal anywhere else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from support.terminal import environment, on_a_terminal

ROOT = Path(__file__).parents[4]
AIRFLOW = str(Path(sys.executable).with_name("airflow"))
WORDS = [AIRFLOW, "oracle-refresh", "profile", "oracle_source", "DOCS", "TEST", "--rows", "20"]

pytestmark = pytest.mark.usefixtures("connections")


def test_a_terminal_gets_a_bar_and_a_pipe_the_proposal() -> None:
    found = on_a_terminal(WORDS, ROOT, {"TERM": "xterm-256color"}, output_too=False)
    assert "2/2" in found.terminal
    assert "TEST.TESTTABLE" in found.terminal
    assert "━" in found.terminal
    assert "\x1b" not in found.output
    assert "tables:" in found.output


def test_no_bar_where_there_is_no_terminal() -> None:
    done = subprocess.run(
        WORDS,
        cwd=ROOT,
        env=environment({"TERM": "xterm-256color"}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "\x1b" not in done.stdout
