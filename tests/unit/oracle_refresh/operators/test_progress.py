"""What of an operator's progress reaches the task's state store, and what happens where it cannot."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from oracle_refresh.operators import base
from oracle_refresh.operators.base import TaskProgress
from oracle_refresh.run.progress import LogProgress


def test_progress_is_noted_from_the_second_second_on(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(base.time, "monotonic", lambda: now[0])

    class Noted(dict[str, Any]):
        set = dict.__setitem__

    def noted(*seconds_and_done: tuple[float, float]) -> list[float]:
        store, seen = Noted(), list[float]()
        progress = TaskProgress(LogProgress(logging.getLogger("test")), store)
        for seconds, done in seconds_and_done:
            now[0] += seconds
            progress.report(done, 4, "MB", "S001")
            seen += [store.pop("progress")["percent"]] if store else []
        return seen

    assert noted((0.5, 2), (0.5, 4)) == [], "over before anybody could look"
    assert noted((1, 1), (1, 2), (1, 3), (1, 4)) == [50.0, 100.0]
    assert noted((3, 1), (0.5, 2), (0.5, 4)) == [25.0, 100.0], "an end is noted where the way was"


def test_progress_that_cannot_be_shown_fails_nothing(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base, "NOTED_EVERY", 0.0)

    class Broken:
        def set(self, *_: Any) -> None:
            raise RuntimeError("the API server is restarting")

    TaskProgress(LogProgress(logging.getLogger("test")), Broken()).report(1, 2, "MB", "S001")
    assert "could not be shown" in caplog.text
