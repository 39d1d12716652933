"""Runs of several DAGs over one target come one after the other."""

from __future__ import annotations

import json
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from airflow.sdk.exceptions import TaskDeferred
from airflow.sdk.execution_time.task_runner import RuntimeTaskInstance

from oracle_refresh.operators.planning import CheckPreflight, FreezeSource
from oracle_refresh.operators.quarantine import LockTarget
from oracle_refresh.run.documents import WHOLE
from oracle_refresh.run.freeze import FROZEN
from oracle_refresh.run.owner import OWNER, Owner
from oracle_refresh.target.quarantine import Quarantine, ahead_of
from oracle_refresh.target.quarantine.accounts import RELEASE
from support.small_run import SmallRun

New = Callable[..., SmallRun]
RELEASED = Quarantine(())
#: As Airflow calls the DAG of a task that has none.
DAG = "adhoc_airflow"


@pytest.fixture
def running(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Ids of the runs that Airflow has at work."""
    running = set[str]()

    def count(**asked: Any) -> int:
        assert asked["states"] == ["running"]
        return len(running.intersection(asked["run_ids"]))

    monkeypatch.setattr(RuntimeTaskInstance, "get_dr_count", staticmethod(count))
    return running


@pytest.fixture
def new(new_run: New) -> New:
    """A run of a target that no former one has left a claim in."""

    def forget(documents: Any) -> None:
        documents.ensure()
        documents.connection.cursor().execute("DELETE FROM REFRESH$RUN WHERE KIND = 'owner'")
        documents.connection.commit()

    new_run().documents(forget)
    return new_run


def in_airflow(run: SmallRun) -> dict[str, Any]:
    asked = {"get_dr_count": RuntimeTaskInstance.get_dr_count}
    return {**run.context, "ti": SimpleNamespace(**vars(run.context["ti"]), **asked)}


def execute(run: SmallRun, operator: Any, **arguments: Any) -> Any:
    task = run.task(operator, **arguments)
    return task.execute(in_airflow(run))


def waits_for(run: SmallRun, operator: Any) -> list[list[str]]:
    with pytest.raises(TaskDeferred) as deferred:
        execute(run, operator)
    assert deferred.value.method_name == "resume"
    runs: list[list[str]] = deferred.value.trigger.runs
    return runs


def claim(run: SmallRun) -> None:
    run.documents(lambda documents: documents.keep(OWNER, WHOLE, Owner(DAG)))


def is_frozen(run: SmallRun) -> bool:
    return run.documents(lambda documents: documents.find(FROZEN, WHOLE)) is not None


def test_a_run_waits_for_one_that_came_before(new: New, running: set[str]) -> None:
    first, second = new(), new()
    claim(first)
    running.add(first.run_id)
    assert waits_for(second, CheckPreflight) == [[DAG, first.run_id]]
    assert second.documents(lambda documents: documents.find(OWNER, WHOLE)) is None, "it only reads"
    assert waits_for(second, FreezeSource) == [[DAG, first.run_id]]
    assert not is_frozen(second), "an SCN would grow old"
    running.clear()
    task = second.task(FreezeSource)
    assert task.resume(in_airflow(second), {"ended": []})["scn"] > 0


def test_the_first_one_does_not_wait_for_those_that_wait_for_it(new: New, running: set[str]) -> None:
    first, second, third = runs = new(), new(), new()
    running.update(each.run_id for each in runs)
    for each in runs:
        claim(each)
    assert waits_for(third, FreezeSource) == [[DAG, each.run_id] for each in (first, second)]
    assert waits_for(second, FreezeSource) == [[DAG, first.run_id]]
    execute(first, FreezeSource)
    assert is_frozen(first)


def test_nobody_waits_for_a_run_that_is_over(new: New, running: set[str]) -> None:
    """Not for one that Airflow does not have or that has failed, nor for one that has released the target."""
    dead, released, late = new(), new(), new()
    for each in (dead, released):
        claim(each)
    execute(late, FreezeSource)
    released.documents(lambda documents: documents.put(RELEASE, WHOLE, RELEASED))
    running.update((dead.run_id, released.run_id))
    assert late.documents(ahead_of) == [], "who claimed after those that came before had ended"
    execute(new(), FreezeSource)


def test_a_released_run_that_is_cleared_comes_last(new: New, running: set[str]) -> None:
    released, late = new(), new()
    claim(released)
    released.documents(lambda documents: documents.put(RELEASE, WHOLE, RELEASED))
    claim(late)
    running.update((released.run_id, late.run_id))
    assert waits_for(released, FreezeSource) == [[DAG, late.run_id]]
    execute(late, FreezeSource)
    assert is_frozen(late)


@pytest.mark.slow
def test_a_cleared_run_waits_for_those_that_have_passed_it(new: New, running: set[str]) -> None:
    """It had failed before it locked the target, and another one came."""
    cleared, passing, latest = new(), new(), new()
    execute(cleared, FreezeSource)
    execute(passing, FreezeSource)
    running.update((cleared.run_id, passing.run_id, latest.run_id))
    assert waits_for(cleared, LockTarget) == [[DAG, passing.run_id]]
    execute(passing, LockTarget)
    assert waits_for(cleared, LockTarget) == [[DAG, passing.run_id]], "which holds it"
    assert {run_id for _, run_id in waits_for(latest, FreezeSource)} == {cleared.run_id, passing.run_id}
    running.remove(passing.run_id)
    execute(cleared, LockTarget)
    passing.documents(lambda documents: documents.put(RELEASE, WHOLE, RELEASED))
    assert waits_for(latest, CheckPreflight) == [[DAG, cleared.run_id]], (
        "whose claim is older than the released one"
    )


def test_claims_keep_their_order_where_the_clock_is_set_back(new: New, running: set[str]) -> None:
    first, second = new(), new()
    claim(first)
    ahead = "UPDATE REFRESH$RUN SET SAVED_AT = SAVED_AT + INTERVAL '1' HOUR WHERE KIND = 'owner'"
    first.documents(
        lambda documents: documents.connection.cursor().execute(ahead) or documents.connection.commit()
    )
    running.update((first.run_id, second.run_id))
    assert waits_for(second, FreezeSource) == [[DAG, first.run_id]]
    assert first.documents(ahead_of) == []


def test_a_table_of_an_older_version_has_no_claims(new: New, running: set[str]) -> None:
    run = new()
    drop = "ALTER TABLE REFRESH$RUN DROP COLUMN SAVED_AT"
    run.documents(lambda documents: documents.connection.cursor().execute(drop))
    assert run.documents(ahead_of) == []
    run.documents(lambda documents: documents.ensure())


def test_who_changes_nothing_does_not_wait(new: New, running: set[str]) -> None:
    first, dry = new(), new()
    claim(first)
    running.add(first.run_id)
    execute(dry, FreezeSource, form=json.dumps({"definition": "small", "dry_run": True}))
    assert is_frozen(dry)
