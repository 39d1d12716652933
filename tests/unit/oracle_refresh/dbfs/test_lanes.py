"""Several files at a time: what becomes of them when the task is interrupted."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import pytest

from oracle_refresh.datapump.dumpset import DumpFile
from oracle_refresh.dbfs import lanes as module
from oracle_refresh.dbfs.lanes import bring_all
from support.waiting import PATIENCE, until


class Interrupted(BaseException):
    """As Airflow raises it in the task's thread when its time is over."""


class Session:
    """Its calls may be cancelled while they run; a cancel at another moment has no effect, as on Oracle."""

    def __init__(self) -> None:
        self.calling, self.cancelled, self.cancels = False, threading.Event(), 0

    def cancel(self) -> None:
        self.cancels += 1
        if self.calling:
            self.cancelled.set()

    def call(self) -> None:
        self.calling = True
        if not self.cancelled.wait(PATIENCE):
            raise TimeoutError
        raise RuntimeError("ORA-01013: user requested cancel of current operation")


def test_who_is_between_two_calls_when_it_is_cancelled_is_cancelled_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "REPORT_SECONDS", 0.01)
    monkeypatch.setattr(module, "CANCEL_SECONDS", 0.01)
    carriages: list[Any] = [SimpleNamespace(source=Session(), target=Session()) for _ in range(2)]
    begun = threading.Barrier(3)
    ended: list[BaseException] = []

    def bring(lane: Any, file: DumpFile, report: Any) -> DumpFile:
        begun.wait(PATIENCE)
        until(lambda: lane.target.cancels)  # too early
        try:
            lane.target.call()
        except BaseException as error:
            ended.append(error)
            raise
        return file

    def report(moved: int) -> None:
        begun.wait(PATIENCE)
        raise Interrupted

    files = [DumpFile(f"{number}.dmp", number) for number in range(5)]
    with pytest.raises(Interrupted):
        bring_all(carriages, files, bring, report)
    assert [str(error)[:9] for error in ended] == ["ORA-01013"] * 2, "each was cancelled, no other was begun"
