"""A run as a task sees it: each end is connected to when it is used, and left when the task ends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, cast

import pytest

from oracle_refresh.run.refresh_run import Open, RefreshRun


def opened_by(log: list[str]) -> tuple[Open, Open]:
    def opening(end: str) -> Open:
        @contextmanager
        def session() -> Iterator[str]:
            log.append(f"opens {end}")
            try:
                yield end
            finally:
                log.append(f"closes {end}")

        return cast("Any", session)

    return opening("source"), opening("target")


def run(log: list[str]) -> AbstractContextManager[RefreshRun]:
    return RefreshRun(cast("Any", None), "a run", *opened_by(log))


def test_an_end_is_connected_to_once_and_only_if_it_is_used() -> None:
    log: list[str] = []
    with run(log) as opened:
        assert (log, opened.sessions) == ([], ())
        assert opened.documents.connection == opened.ledger.connection == opened.target == "target"
        assert (opened.documents.run_id, opened.ledger.run_id) == ("a run", "a run")
        assert opened.sessions == ("target",)
        assert (opened.source, opened.source) == ("source", "source")
        assert opened.sessions == ("source", "target")
    assert log == ["opens target", "opens source", "closes source", "closes target"]


def test_what_was_opened_is_left_when_the_task_fails() -> None:
    log: list[str] = []
    with pytest.raises(KeyError), run(log) as opened:
        {}[opened.target]
    assert log == ["opens target", "closes target"]


def test_further_sessions_are_not_those_of_the_task() -> None:
    log: list[str] = []
    with run(log) as opened, opened.open_both() as (source, target):
        assert (source, target) == ("source", "target")
        assert opened.sessions == ()
