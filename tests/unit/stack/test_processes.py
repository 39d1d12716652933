"""Processes that are known again later, and nobody else's."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from stack import processes
from support.waiting import until

#: Starts a child that stays, says so, and waits or ends.
FAMILY = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print(child.pid, flush=True)
if sys.argv[1] == "stays":
    time.sleep(600)
"""
STUBBORN = """
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("ready", flush=True)
time.sleep(600)
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log" / "family.log"


@pytest.fixture(params=["stays", "ends"])
def family(request: pytest.FixtureRequest, log: Path) -> Iterator[tuple[processes.Started, int]]:
    """A process that was started, maybe ended, and the id of its child."""
    one = processes.start([sys.executable, "-c", FAMILY, request.param], os.environ, log)
    child = int(until(lambda: log.exists() and log.read_text().endswith("\n") and log.read_text()))
    until(lambda: processes.alive(one) == (request.param == "stays"))
    yield one, child
    processes.stop([one])


def gone(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def test_what_was_started_is_stopped_with_its_children(family: tuple[processes.Started, int]) -> None:
    one, child = family
    assert not gone(child)
    processes.stop([one])
    until(lambda: gone(child))
    assert not processes.alive(one)


@pytest.mark.parametrize("family", ["stays"], indirect=True)
def test_another_process_with_its_number_is_left_alone(family: tuple[processes.Started, int]) -> None:
    one, child = family
    former = processes.Started(one.pid, one.since - 3600)
    assert not processes.alive(former)
    processes.stop([former])
    assert processes.alive(one)
    assert not gone(child)


def test_what_does_not_end_is_made_to(log: Path) -> None:
    stubborn = (
        "import signal, time; signal.signal(15, signal.SIG_IGN); print('ready', flush=True); time.sleep(600)"
    )
    one = processes.start([sys.executable, "-c", stubborn], os.environ, log)
    until(lambda: log.exists() and "ready" in log.read_text())
    processes.stop([one], patience=0.2)
    until(lambda: not processes.alive(one))


def test_what_nobody_waits_for_is_made_to_end_with_the_last(log: Path) -> None:
    stubborn = (
        "import signal, time; signal.signal(15, signal.SIG_IGN); print('ready', flush=True); time.sleep(600)"
    )
    one = processes.start([sys.executable, "-c", stubborn], os.environ, log)
    until(lambda: log.exists() and "ready" in log.read_text())
    processes.stop([one], waited_for=[], patience=600)
    until(lambda: not processes.alive(one))
