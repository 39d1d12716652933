"""The profiler's command shows how far it is on a terminal, and nothing but its proposal anywhere else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from support.demo import DemoDatabase
from support.terminal import environment, on_a_terminal

ROOT = Path(__file__).parents[4]
PASSWORD = "refresh_source_demo\n"


def words(database: DemoDatabase) -> list[str]:
    logon = ["--dsn", database.dsn, "--user", database.user]
    return [sys.executable, "-m", "oracle_refresh.profiler", "DOCS", "TEST", "--rows", "20", *logon]


def test_a_terminal_gets_a_bar_and_a_pipe_the_proposal(demo_source: DemoDatabase) -> None:
    found = on_a_terminal(
        words(demo_source), ROOT, {"TERM": "xterm-256color"}, given=PASSWORD, output_too=False
    )
    assert "2/2" in found.terminal
    assert "TEST.TESTTABLE" in found.terminal
    assert "━" in found.terminal
    assert "\x1b" not in found.output
    assert "tables:" in found.output


def test_no_bar_where_there_is_no_terminal(demo_source: DemoDatabase) -> None:
    done = subprocess.run(
        words(demo_source),
        cwd=ROOT,
        env=environment({"TERM": "xterm-256color"}),
        input=PASSWORD,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "\x1b" not in done.stdout
