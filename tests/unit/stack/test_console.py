"""The console on a terminal, in a pipe, and on a terminal that knows nothing but lines."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from support.terminal import environment, on_a_terminal

ROOT = Path(__file__).parents[3]
#: Follows a run of two looks, then prints a table.
SCRIPT = """
from stack.console import Column, follower, show_table

def look(eta, **states):
    export = {"name": "export", "mapped": True, "total": 4, "states": states}
    return {
        "progress": {
            "fraction": 0.5, "eta_seconds": eta, "moved_bytes": {"export": 4e6}, "tasks": 4, "done": 1,
        },
        "stages": [export],
        "throughput": {"bin_seconds": 1.0, "rates": {"export": [2e6, 2e6]}},
    }

with follower() as shown:
    shown.show(look(None, success=1, waiting=3))
    shown.show(look(75.0, success=2, running=2))
show_table([Column("table", 12, "left"), Column("rows", 6)], [["APP.[bold]X", "1,000"]])
"""


def in_a_pipe(**changes: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=ROOT, env=environment(changes), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def drawn(**changes: str) -> str:
    return on_a_terminal([sys.executable, "-c", SCRIPT], ROOT, changes).terminal


def test_a_pipe_gets_plain_lines() -> None:
    first, second, heading, row = in_a_pipe(TERM="xterm-256color").splitlines()
    assert first.split(" s  ")[1] == "1 success, 3 waiting"
    assert second.split(" s  ")[1] == "2 success, 2 running  [export x2]"
    assert heading == "  table          rows"
    assert row == "  APP.[bold]X   1,000"


def test_a_terminal_gets_bars_rates_and_a_table() -> None:
    text = drawn(TERM="xterm-256color")
    assert "\x1b[" in text
    assert "━" in text
    for told in (
        "export",
        "2/4",
        "2 at work, 2.0 MB/s, 4 MB",
        "50%, 1 min 15 s left",
        "APP.[bold]X",
        "1,000",
    ):
        assert told in text, told


def test_a_dumb_terminal_is_not_drawn_on() -> None:
    text = drawn(TERM="dumb")
    assert "\x1b" not in text
    assert "1 success, 3 waiting" in text
