"""What a test session has made is gone when it has ended; what tests leave behind is an error of the session.

Signals that would end it at once interrupt it instead, as Ctrl-C does.
"""

from __future__ import annotations

import signal
import threading
from types import FrameType

import pytest

from support import session_folder


def _interrupt(number: int, _: FrameType | None) -> None:
    for one in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(one, signal.SIG_IGN)
    raise KeyboardInterrupt(signal.Signals(number).name)


def pytest_configure() -> None:
    # Workers may run in another thread, where no signals can be had.
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, _interrupt)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    ended = exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
    if session_folder.SESSION is None or session_folder.SESSION.watcher is None or not ended:
        return
    if left := session_folder.SESSION.left():
        told = "left behind by the session:\n" + "\n".join(left)
        report = pytest.CollectReport("left behind", "failed", told, [])
        session.config.hook.pytest_collectreport(report=report)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(trylast=True)
def pytest_unconfigure() -> None:
    if session_folder.SESSION is not None:
        session_folder.SESSION.end()
