"""Waiting for jobs that are loaded, and what a job tells of its task instances."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from airflow.sdk.exceptions import TaskDeferred

from oracle_refresh.operators.tables import AwaitTable
from oracle_refresh.operators.transfer import ExportShard
from oracle_refresh.run.ledger import Ledger
from oracle_refresh.triggers.watch import TASK_STEP
from support.demo import DemoDatabase
from support.small_run import SmallRun


def test_waiting_ends_at_once_when_all_is_loaded(
    new_run: Callable[..., SmallRun], demo_target: DemoDatabase
) -> None:
    """Jobs name their task instances."""
    run = new_run().until_built()
    with pytest.raises(TaskDeferred) as deferred:
        run.execute(AwaitTable, unit="APP.EMPLOYEES")
    trigger = deferred.value.trigger
    assert (trigger.run_id, trigger.jobs, trigger.conn_id) == (run.run_id, run.jobs, "oracle_target")
    assert deferred.value.method_name == "resume"
    (job,) = run.jobs
    run.execute(ExportShard, job=job)
    with demo_target.connect() as connection:
        entry = Ledger(connection, run.run_id).entry(TASK_STEP, job)
    assert entry is not None
    assert entry.detail == {"tasks": ["exportshard_3"]}
    run.until_loaded()
    assert run.execute(AwaitTable, unit="APP.EMPLOYEES") == run.jobs
