"""Processes that outlive their starter, each in a session of its own: known again, stopped as a group."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

#: The time of a start is reckoned from that of the machine's, which moves when its clock is put right, as
#: after a pause of a virtual machine.
CLOCK_SECONDS = 60.0


@dataclass(frozen=True)
class Started:
    """A process that was started: its id, and since when it runs (seconds since 1970).

    The id alone does not do: after a restart of the machine it is another process's.
    """

    pid: int
    since: float


def start(command: Sequence[str], environment: Mapping[str, str], log: Path) -> Started:
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as output:
        process = subprocess.Popen(
            command,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    return Started(process.pid, psutil.Process(process.pid).create_time())


def run(command: Sequence[str], environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a command to its end. One that is interrupted has the time to clear away what it made."""
    with subprocess.Popen(
        command, env=dict(environment), text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        try:
            output, errors = process.communicate()
        except BaseException:
            process.terminate()
            process.communicate()
            raise
    return subprocess.CompletedProcess(command, process.returncode, output, errors)


def alive(target: Started) -> bool:
    try:
        process = psutil.Process(target.pid)
        # A child that ended but was not waited for still has an entry.
        return _is(process, target) and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def stop(
    started: Sequence[Started], *, waited_for: Sequence[Started] | None = None, patience: float = 15
) -> None:
    """Ask every process group to end, then make it.

    :param waited_for: those that get up to `patience` seconds, by default all; the others end with the last.
    """
    for target in started:
        _signal(target, signal.SIGTERM)
    end = time.monotonic() + patience
    awaited = started if waited_for is None else waited_for
    while any(alive(target) for target in awaited) and time.monotonic() < end:
        time.sleep(0.1)
    for target in started:
        _signal(target, signal.SIGKILL)


def _signal(target: Started, number: int) -> None:
    """To the group, also when only children of the process are left: they keep its id from others."""
    with contextlib.suppress(psutil.NoSuchProcess):
        if not _is(psutil.Process(target.pid), target):
            return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(target.pid, number)


def _is(process: psutil.Process, target: Started) -> bool:
    return abs(process.create_time() - target.since) < CLOCK_SECONDS
