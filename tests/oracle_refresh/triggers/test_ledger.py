"""The trigger that waits for a table's jobs: its judgement, and that it survives the way to the triggerer."""

from __future__ import annotations

from airflow.sdk.module_loading import import_string

from oracle_refresh.triggers.ledger import JobsLoadedTrigger, judge


def test_waits_while_a_job_is_missing() -> None:
    assert judge(["S1", "S2"], {"S1": "done", "S2": "running"}, {}) is None


def test_fires_when_all_are_loaded() -> None:
    assert judge(["S1"], {"S1": "done", "S9": "running"}, {}) == {"loaded": ["S1"]}


def test_a_table_without_jobs_is_complete_at_once() -> None:
    assert judge([], {}, {}) == {"loaded": []}


def test_one_lost_job_ends_the_wait() -> None:
    assert judge(["S1", "S2"], {"S1": "done"}, {"S2": "failed"}) == {"given_up": ["S2"]}


def test_a_job_that_was_given_up_and_loaded_later_counts_as_loaded() -> None:
    assert judge(["S1"], {"S1": "done"}, {"S1": "failed"}) == {"loaded": ["S1"]}


def test_a_job_taken_up_again_is_waited_for() -> None:
    assert judge(["S1"], {"S1": "failed"}, {"S1": "running"}) is None


def test_round_trip() -> None:
    path, arguments = JobsLoadedTrigger("target", "run", ["S1"], 0.5).serialize()
    again = import_string(path)(**arguments)
    assert again.serialize() == (path, arguments)
