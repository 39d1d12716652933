"""The trigger that waits for a table's jobs: its judgement, and that it survives the way to the triggerer."""

from __future__ import annotations

import pydoc
from dataclasses import replace

from oracle_refresh.triggers import ledger as module
from oracle_refresh.triggers.ledger import JobsLoadedTrigger
from oracle_refresh.triggers.watch import Picture

TASKS = {"S1": ["shard.export_0", "shard.load_0"], "S2": ["shard.export_1", "shard.load_1"]}

BEGAN = 100.0


def outcome_of(jobs: list[str], picture: Picture, asked: float = BEGAN + 1) -> dict[str, list[str]] | None:
    """The judgement of a wait that began at `BEGAN`, by states that were asked for afterwards."""
    return module.outcome_of(jobs, replace(picture, asked=asked), BEGAN)


def test_waits_while_a_job_is_missing() -> None:
    assert outcome_of(["S1", "S2"], Picture({"S1": "done", "S2": "running"})) is None


def test_fires_when_all_are_loaded() -> None:
    assert outcome_of(["S1"], Picture({"S1": "done", "S9": "running"})) == {"loaded": ["S1"]}


def test_a_table_without_jobs_is_complete_at_once() -> None:
    assert outcome_of([], Picture()) == {"loaded": []}


def test_one_lost_job_ends_the_wait() -> None:
    states = {"shard.export_0": "success", "shard.load_0": "success", "shard.load_1": "failed"}
    assert outcome_of(["S1", "S2"], Picture({"S1": "done"}, TASKS, states)) == {"lost": ["S2"]}


def test_a_task_that_never_began_because_of_another_counts_as_lost() -> None:
    states = {"shard.export_1": "success", "shard.load_1": "upstream_failed"}
    assert outcome_of(["S2"], Picture({}, TASKS, states)) == {"lost": ["S2"]}


def test_a_cleared_task_is_waited_for() -> None:
    states = {"shard.export_1": None, "shard.load_1": None}
    assert outcome_of(["S2"], Picture({"S2": "failed"}, TASKS, states)) is None


def test_states_from_before_the_wait_say_nothing() -> None:
    """Whoever clears failed tasks clears the wait with them, and others may have asked just before."""
    picture = Picture({"S1": "done"}, TASKS, {"shard.load_1": "failed"})
    assert outcome_of(["S2"], picture, asked=BEGAN - 1) is None
    assert outcome_of(["S2"], picture) == {"lost": ["S2"]}
    assert outcome_of(["S1"], picture, asked=BEGAN - 1) == {"loaded": ["S1"]}


def test_a_task_that_waits_for_its_retry_is_not_lost() -> None:
    assert outcome_of(["S2"], Picture({}, TASKS, {"shard.export_1": "up_for_retry"})) is None


def test_a_job_that_failed_and_was_loaded_later_counts_as_loaded() -> None:
    assert outcome_of(["S1"], Picture({"S1": "done"}, TASKS, {"shard.load_0": "failed"})) == {
        "loaded": ["S1"]
    }


def test_round_trip() -> None:
    path, arguments = JobsLoadedTrigger("target", "dag", "run", ["S1"], 0.5).serialize()
    again = pydoc.locate(path)(**arguments)
    assert again.serialize() == (path, arguments)
