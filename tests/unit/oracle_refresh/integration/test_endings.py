"""A task that Airflow lost sight of is told apart from one that somebody has ended."""

from __future__ import annotations

import threading
from types import SimpleNamespace

import pytest

from oracle_refresh.integration import endings
from oracle_refresh.integration.endings import Instance, deliberate, ended_deliberately

MAPPED = Instance("dag", "run", "shard.export", 3)


@pytest.mark.parametrize(
    ("state", "ended"),
    [
        ("failed", True),
        ("success", True),
        ("skipped", True),
        ("restarting", True),
        ("removed", True),
        ("running", False),  # heartbeats were lost, the worker is shut down, or a successor is at work
        ("up_for_retry", False),
        ("scheduled", False),
        ("queued", False),
        ("deferred", False),
        (None, False),
    ],
)
def test_what_a_state_says(state: str | None, ended: bool) -> None:
    assert deliberate(MAPPED, {"shard.export_3": state, "shard.export": "running"}) is ended


@pytest.mark.parametrize(
    ("runs", "ended"),
    [
        (0, True),
        (1, False),  # it is there, and its tasks were not told
    ],
)
def test_a_run_that_was_deleted_wants_nothing_any_more(
    monkeypatch: pytest.MonkeyPatch, runs: int, ended: bool
) -> None:
    monkeypatch.setattr(endings, "_task_states", lambda instance: {})
    monkeypatch.setattr(endings, "_runs", lambda instance: runs)
    assert ended_deliberately(MAPPED) is ended


def test_a_task_that_its_run_does_not_name_is_not_known_to_have_been_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Hours of work hang on how Airflow writes the key of a mapped task."""
    told = {"shard.export": "failed", "shard.export_4": "failed", "shard.export[3]": "failed"}
    monkeypatch.setattr(endings, "_task_states", lambda instance: told)
    assert not ended_deliberately(MAPPED)


def test_an_instance_as_airflow_names_it() -> None:
    names = {"dag_id": "dag", "run_id": "run", "task_id": "export"}
    assert Instance.of(SimpleNamespace(**names)) == Instance("dag", "run", "export")
    assert Instance.of(SimpleNamespace(**names, map_index=0)) == Instance("dag", "run", "export", 0)
    assert Instance.of(SimpleNamespace(map_index=3)) is None
    assert Instance.of(None) is None


def test_airflow_is_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endings, "_task_states", lambda instance: {instance.key: "failed"})
    assert ended_deliberately(MAPPED)
    monkeypatch.setattr(endings, "_task_states", lambda instance: {instance.key: "running"})
    assert not ended_deliberately(MAPPED)


def test_nobody_has_ended_what_airflow_says_nothing_of(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not ended_deliberately(None)

    def away(instance: Instance) -> dict[str, str | None]:
        raise ConnectionError("the API server is away")

    monkeypatch.setattr(endings, "_task_states", away)
    assert not ended_deliberately(MAPPED)


def test_an_answer_that_does_not_come_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The task itself may be in the middle of a request whose answer has to come first."""
    answered = threading.Event()

    def silent(instance: Instance) -> dict[str, str | None]:
        answered.wait()
        return {instance.key: "failed"}

    monkeypatch.setattr(endings, "_task_states", silent)
    try:
        assert not ended_deliberately(MAPPED, 0.01)
    finally:
        answered.set()
