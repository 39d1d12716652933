"""Several files at a time: what is read at once, and what becomes of them when the task is interrupted."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_refresh.datapump.dumpset import DumpFile
from oracle_refresh.transport import parallel
from oracle_refresh.transport.parallel import READ_AT_LEAST, READ_AT_ONCE, bounded_read_bytes, bring_all
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


@given(st.integers(1, 1 << 30), st.integers(1, 32))
def test_what_is_read_at_once_is_bounded_for_all_files_together(wished: int, files: int) -> None:
    found = bounded_read_bytes(wished, files)
    assert 0 < found <= wished
    assert found * files <= max(READ_AT_ONCE, files * READ_AT_LEAST)
    assert found == wished or found >= READ_AT_LEAST


def test_who_is_between_two_calls_when_it_is_cancelled_is_cancelled_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(parallel, "REPORT_SECONDS", 0.01)
    monkeypatch.setattr(parallel, "CANCEL_SECONDS", 0.01)
    transfers: list[Any] = [SimpleNamespace(source=Session(), target=Session()) for _ in range(2)]
    begun = threading.Barrier(3)
    ended: list[BaseException] = []

    def bring(transfer: Any, file: DumpFile, report: Any) -> DumpFile:
        begun.wait(PATIENCE)
        until(lambda: transfer.target.cancels)  # too early
        try:
            transfer.target.call()
        except BaseException as error:
            ended.append(error)
            raise
        return file

    def report(moved: int) -> None:
        begun.wait(PATIENCE)
        raise Interrupted

    files = [DumpFile(f"{number}.dmp", number) for number in range(5)]
    with pytest.raises(Interrupted):
        bring_all(transfers, files, bring, report)
    assert [str(error)[:9] for error in ended] == ["ORA-01013"] * 2, "each was cancelled, no other was begun"
