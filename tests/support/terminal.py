"""A program on a pseudo terminal: what it writes there."""

from __future__ import annotations

import contextlib
import os
import pty
import struct
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fcntl import ioctl
from pathlib import Path
from termios import TIOCSWINSZ

from support.waiting import PATIENCE

#: By these a program decides how it writes.
DECIDES = ("TERM", "COLUMNS", "NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE")


@dataclass(frozen=True)
class Written:
    """What came to the terminal, and what to standard output where that is a pipe."""

    terminal: str
    output: str


def environment(changes: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in DECIDES} | dict(changes)


def on_a_terminal(
    words: Sequence[str],
    folder: Path,
    changes: Mapping[str, str],
    given: str | None = None,
    *,
    output_too: bool = True,
) -> Written:
    """Run it with standard error on a terminal of 120 columns, and standard output too unless told otherwise.

    :param given: standard input; nothing can be read where it is None.
    """
    master, slave = pty.openpty()
    ioctl(slave, TIOCSWINSZ, struct.pack("HHHH", 30, 120, 0, 0))
    process = subprocess.Popen(
        words,
        cwd=folder,
        env=environment(changes),
        stdin=subprocess.PIPE,
        stdout=slave if output_too else subprocess.PIPE,
        stderr=slave,
        text=True,
    )
    os.close(slave)
    assert process.stdin is not None
    process.stdin.write(given or "")
    process.stdin.close()
    read = bytearray()
    with contextlib.suppress(OSError):  # Linux tells the end of a terminal by EIO
        while data := os.read(master, 65_536):
            read += data
    os.close(master)
    output = process.stdout.read() if process.stdout else ""
    assert process.wait(PATIENCE) == 0, read.decode() + output
    return Written(read.decode(), output)
