"""A temporary directory of each test session's own, and the end of all that was started with it.

All that tests start has it in its environment, its command line or its open files: so it is found, and ended,
however the session came to its end. Where that was killed, a process does it that reads from a pipe of it.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import psutil

VARIABLE = "REFRESH_TEST_SESSION"
"""Names the directory to the workers, and to sessions that tests start: those are within this one."""
#: Short, since a socket's path may not be longer than 107 bytes.
PREFIX = "tests-"
#: Of pytest, Airflow's home of each worker, and of programs that tests use. `.lockfile` is pgserver's, which
#: keeps Airflow's metadata for the tests of Celery: it lies here where the user has no runtime directory.
NOT_OURS = (
    *("pytest-of-", "airflow-", "pymp-", "pip-", "uv-", "tmp", "runtime-"),
    *(".org.chromium", "org.chromium", "playwright", ".lockfile"),
)
ORDERLY_SECONDS, QUICK_SECONDS = 30.0, 10.0
#: In command lines or titles of xdist's workers and multiprocessing's helpers: they end with their session.
WORKERS = ("pytest-xdist", "exec(eval(sys.stdin.readline()))", "multiprocessing")


class SessionFolder:
    """The directory, and the process that watches over it where the session is this process's."""

    def __init__(self) -> None:
        named = os.environ.get(VARIABLE)
        self.watcher: subprocess.Popen[bytes] | None = None
        if named and Path(named).is_dir():
            self.folder = Path(named)
            return
        self.folder = Path(tempfile.mkdtemp(prefix=PREFIX))
        os.environ |= {VARIABLE: str(self.folder), "TMPDIR": str(self.folder)}
        tempfile.tempdir = None
        command = [sys.executable, __file__, str(self.folder)]
        self.watcher = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)

    def left(self) -> list[str]:
        """What the session has left, once its processes had the time to end."""
        end = time.monotonic() + QUICK_SECONDS
        while (processes := list(self._processes())) and time.monotonic() < end:
            time.sleep(0.2)
        files = [path.name for path in self.folder.iterdir() if not path.name.startswith(NOT_OURS)]
        return [*processes, *sorted(files)]

    def _processes(self) -> Iterator[str]:
        own = {os.getpid(), self.watcher.pid if self.watcher else 0}
        for process in marked(self.folder):
            words = command_line(process)
            if process.pid not in own and words and not any(known in words for known in WORKERS):
                yield words

    def end(self) -> None:
        if self.watcher is not None:
            # Once more by the watcher: what runs at the exit of this process may write there yet.
            clear(self.folder, spared={os.getpid(), self.watcher.pid})


def marked(folder: Path) -> Iterator[psutil.Process]:
    """All processes with the folder in environment, command line or open files.

    Airflow's give themselves titles, which overwrite the first two.
    """
    mark = str(folder)
    for process in psutil.process_iter():
        try:
            texts = [*process.environ().values(), *process.cmdline()]
            if any(mark in text for text in texts) or any(mark in file.path for file in process.open_files()):
                yield process
        except (psutil.Error, OSError):
            continue


def command_line(process: psutil.Process) -> str:
    """Empty when it has ended."""
    try:
        return "" if process.status() == psutil.STATUS_ZOMBIE else " ".join(process.cmdline())
    except psutil.Error:
        return ""


def clear(folder: Path, spared: Iterable[int]) -> None:
    """End all processes of a session and remove its folder.

    PostgreSQL ends with its server. One that is killed would leave shared memory behind.
    """
    for number, seconds in (
        (signal.SIGTERM, ORDERLY_SECONDS),
        (signal.SIGINT, QUICK_SECONDS),
        (signal.SIGKILL, QUICK_SECONDS),
    ):
        told: set[int] = set()
        end = time.monotonic() + seconds
        while left := [one for one in marked(folder) if one.pid not in spared and command_line(one)]:
            for process in left:
                if process.pid not in told and not (number == signal.SIGTERM and _is_postgres(process)):
                    told.add(process.pid)
                    _tell(process, number)
            if time.monotonic() > end:
                break
            time.sleep(0.1)
    end = time.monotonic() + QUICK_SECONDS
    while folder.exists() and time.monotonic() < end:
        # Again where one that was just ending has written to it meanwhile.
        shutil.rmtree(folder, ignore_errors=True)


def _is_postgres(process: psutil.Process) -> bool:
    return "postgres" in command_line(process).partition(" ")[0]


def _tell(process: psutil.Process, number: int) -> None:
    try:
        process.send_signal(number)
    except psutil.Error:
        return


SESSION: SessionFolder | None = None


def folder() -> Path:
    """The session's, made by the first who asks."""
    global SESSION
    SESSION = SESSION or SessionFolder()
    return SESSION.folder


if __name__ == "__main__":
    for ending in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ending, signal.SIG_IGN)
    sys.stdin.buffer.read()
    clear(Path(sys.argv[1]), spared={os.getpid()})
