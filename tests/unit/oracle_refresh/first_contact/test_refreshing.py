"""What a run of the DAG becomes in the bundle, and which definitions are small enough for a first refresh."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from oracle_refresh.first_contact.model import Outcome
from oracle_refresh.first_contact.refreshing import LARGEST_BYTES, publication, require_small, task_checks
from oracle_refresh.first_contact.runs import TaskRun
from oracle_refresh.oracle.errors import PreflightError
from oracle_refresh.report.tries import TryNote
from support.planner_tables import definition

BEGAN = datetime(2026, 11, 24, tzinfo=UTC)


def task(name: str, state: str = "success", after: float = 0, seconds: float = 1) -> TaskRun:
    began = BEGAN + timedelta(seconds=after)
    return TaskRun(name, None, state, began, began + timedelta(seconds=seconds))


def note(name: str, **changes: Any) -> TryNote:
    values: dict[str, Any] = {
        "task": name,
        "map_index": -1,
        "item": None,
        "operator": "LoadShard",
        "number": 1,
        "began": BEGAN,
        "at": BEGAN,
        "run_began": BEGAN,
        "codes": ("ORA-31693", "ORA-01653"),
        "message": "ORA-31693: Table data object failed\nORA-01653: unable to extend table",
        "remedy": "add a data file",
    }
    return TryNote(**values | changes)


def test_instances_of_a_task_are_one_check_from_the_first_start_to_the_last_end() -> None:
    (check,) = task_checks([task("shard.load"), task("shard.load", after=4, seconds=2.5)], ())
    assert (check.name, check.outcome, check.seconds) == ("shard.load", Outcome.PASSED, 6.5)


def test_a_failed_task_says_what_its_last_try_has_left() -> None:
    failed = [task("shard.load", "failed"), task("shard.load"), task("unit.mask", "upstream_failed")]
    load, mask = task_checks(failed, [note("shard.load", codes=()), note("shard.load")])
    assert load.outcome is Outcome.FAILED
    assert load.codes == ("ORA-31693", "ORA-01653")
    assert load.problem == "ORA-01653: unable to extend table"
    assert load.remedy == "add a data file"
    assert (mask.outcome, mask.problem) == (Outcome.SKIPPED, "upstream_failed")


def test_a_task_without_a_word_sends_to_its_log() -> None:
    (check,) = task_checks([TaskRun("plan", None, "failed", None, None)], ())
    assert (check.outcome, check.seconds) == (Outcome.FAILED, 0.0)
    assert "log of the task plan" in str(check.remedy)


def test_what_the_definition_does_not_ask_for_is_no_check() -> None:
    assert list(task_checks([task("tune_target", "skipped"), task("unit", "removed")], ())) == []


def test_only_a_published_refresh_passes() -> None:
    assert publication(True, "success", 9, "run").outcome is Outcome.PASSED
    failed = publication(False, "failed", 9, "run")
    assert failed.outcome is Outcome.FAILED
    assert "locked" in str(failed.problem)


@pytest.mark.parametrize(
    ("changes", "held_bytes", "problem"),
    [
        ({"schemas": ["APP", "DOCS"]}, 1, "several schemas"),
        ({}, LARGEST_BYTES + 1, "1.1 GB"),
        ({"tuning": {"profile": "/etc/bulk.yaml"}}, 1, "tunes"),
        ({"capture": {"apply_name": "APPLY"}}, 1, "tunes change capture"),
    ],
)
def test_a_large_refresh_is_refused(changes: dict[str, Any], held_bytes: int, problem: str) -> None:
    require_small(definition(), LARGEST_BYTES)
    with pytest.raises(PreflightError, match=problem) as refused:
        require_small(definition(**changes), held_bytes)
    assert "first_contact.yaml" in str(refused.value.remedy)
