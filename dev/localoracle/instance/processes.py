"""Processes: one that ends with its parent, and which process serves an instance."""

from __future__ import annotations

import ctypes
import fcntl
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from localoracle.instance.config import Instance

_PR_SET_PDEATHSIG = 1
KILLED_SECONDS = 30
"""How long a process that was killed may keep its port and its lock."""


def die_with_parent(number: signal.Signals) -> Callable[[], None] | None:
    """For a child, before exec: let the kernel send it a signal when its parent ends (Linux, prctl(2)).

    None elsewhere: there a left-over child is ended by the next start or stop.
    """
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    parent = os.getpid()

    def before_exec() -> None:
        prctl(_PR_SET_PDEATHSIG, int(number), 0, 0, 0)
        if os.getppid() != parent:  # it ended before the signal was asked for
            os._exit(1)

    return before_exec


def command_line(pid: int) -> str:
    """The command of a process; empty when there is none (or only its exit status is left)."""
    if Path("/proc/self").exists():
        try:
            return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            return ""
    done = subprocess.run(["ps", "-ww", "-o", "command=", "-p", str(pid)], capture_output=True, text=True)
    return done.stdout


class ServerLock:
    """The lock on an instance's pid file: the kernel gives it back however the server ends."""

    def __init__(self, file: BinaryIO, path: Path) -> None:
        self._file = file
        self._path = path

    @classmethod
    def take(cls, path: Path) -> ServerLock | None:
        """Lock the file and write this process's id into it; None when another server holds it."""
        path.parent.mkdir(parents=True, exist_ok=True)
        while True:
            file = path.open("a+b")
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                file.close()
                return None
            if _same_file(file, path):
                file.truncate(0)
                file.write(str(os.getpid()).encode())
                file.flush()
                return cls(file, path)
            file.close()

    def release(self) -> None:
        self._path.unlink(missing_ok=True)
        self._file.close()


def _same_file(file: BinaryIO, path: Path) -> bool:
    """Whether the file is still the one of that name: its last holder removes it."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def is_server(pid: int, instance: Instance) -> bool:
    """Whether a process is the server of that instance: the number in a pid file may be another's by now."""
    words = command_line(pid).split()
    if not any(words[i : i + 2] == ["start", instance.name] for i in range(len(words))):
        return False
    if "--home" in words[:-1]:
        return Path(words[words.index("--home") + 1]).resolve() == instance.root.parent.resolve()
    return True


def running_pid(target: Instance) -> int | None:
    """The process that serves the instance, or is about to; None when there is none."""
    try:
        pid = int(target.pid_file.read_text())
    except (FileNotFoundError, ValueError):
        return None
    return pid if is_server(pid, target) else None
