"""A run as a task sees it: each end is connected to when it is used, and left when the task ends."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, cast

import pytest

from oracle_refresh.definition import CloneDefinition, RefreshDefinition
from oracle_refresh.oracle import remedies
from oracle_refresh.oracle.errors import RefreshError, remedy_of
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


@pytest.mark.parametrize(
    "remedy",
    [
        remedies.LOAD_AGAIN,
        remedies.LOAD_FIRST,
        f"choose another algorithm, then {remedies.LOAD_AGAIN}",
        remedy_of(["ORA-01555"]),
        remedy_of(["ORA-01466"]),
    ],
)
def test_a_clone_is_told_what_a_clone_can_do(remedy: str) -> None:
    """Nothing is built or loaded there, and what is masked is not masked again."""
    told = {}
    for kind in (CloneDefinition, RefreshDefinition):
        with (
            pytest.raises(RefreshError) as caught,
            RefreshRun(kind.model_construct(), "a run", *opened_by([])),
        ):
            raise RefreshError("no", remedy=remedy)
        told[kind] = str(caught.value)
    assert remedy in told[RefreshDefinition]
    assert "take the clone anew, then start a new run" in told[CloneDefinition]
    assert not re.search("load|build|shard", told[CloneDefinition])


def test_further_sessions_are_not_those_of_the_task() -> None:
    log: list[str] = []
    with run(log) as opened, opened.open_both() as (source, target):
        assert (source, target) == ("source", "target")
        assert opened.sessions == ()
