"""The console on a terminal, in a pipe, and on a terminal that knows nothing but lines."""

from __future__ import annotations

import contextlib
import os
import pty
import struct
import subprocess
import sys
from fcntl import ioctl
from pathlib import Path
from termios import TIOCSWINSZ

ROOT = Path(__file__).parents[2]
#: Follows a run of two looks, the page's document being there from the second one on, then prints a table.
SCRIPT = """
from stack.console import Column, follower, show_table

documents = iter([None, {
    "progress": {"fraction": 0.5, "eta_seconds": 75.0, "moved_bytes": {"export": 4e6}},
    "stages": [{"name": "export", "mapped": True, "total": 4, "states": {"success": 2, "running": 2}}],
    "throughput": {"bin_seconds": 1.0, "rates": {"export": [2e6, 2e6]}},
}])
states = [["success", None, None], ["success", "running", None]]
with follower(lambda: next(documents)) as shown:
    for look in states:
        shown.show([{"task_id": "shard.export", "state": state} for state in look])
show_table([Column("table", 12, "left"), Column("rows", 6)], [["APP.[bold]X", "1,000"]])
"""


def in_a_pipe(**environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=ROOT, env=_clean(environment), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def on_a_terminal(**environment: str) -> str:
    master, slave = pty.openpty()
    ioctl(slave, TIOCSWINSZ, struct.pack("HHHH", 30, 120, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT], cwd=ROOT, env=_clean(environment), stdout=slave, stderr=slave
    )
    os.close(slave)
    read = bytearray()
    with contextlib.suppress(OSError):  # Linux tells the end of a terminal by EIO
        while data := os.read(master, 65_536):
            read += data
    os.close(master)
    assert process.wait(30) == 0, read.decode()
    return read.decode()


def _clean(changes: dict[str, str]) -> dict[str, str]:
    decides = ("TERM", "COLUMNS", "NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE")
    return {name: value for name, value in os.environ.items() if name not in decides} | changes


def test_a_pipe_gets_plain_lines() -> None:
    first, second, heading, row = in_a_pipe(TERM="xterm-256color").splitlines()
    assert first.split(" s  ")[1] == "1 success, 2 waiting"
    assert second.split(" s  ")[1] == "1 success, 1 running, 1 waiting  [export]"
    assert heading == "  table          rows"
    assert row == "  APP.[bold]X   1,000"


def test_a_terminal_gets_bars_rates_and_a_table() -> None:
    text = on_a_terminal(TERM="xterm-256color")
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
    text = on_a_terminal(TERM="dumb")
    assert "\x1b" not in text
    assert "1 success, 2 waiting" in text
