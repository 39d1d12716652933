"""Attempts at exporting and loading one job of a small run."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from oracle_refresh.operators.transfer import ExportShard, LoadShard, StageDump
from oracle_refresh.plan.model import JOB
from support.small_run import SmallRun

EMPLOYEES = '"APP"."EMPLOYEES"'


def try_of(run: SmallRun, number: int) -> Any:
    """The context of a try: Airflow gives each an id of its own, a later one to a later try."""
    instance = SimpleNamespace(
        id=f"0199{number:04}", try_number=number, map_index=3, dag_id="dag", run_id=run.run_id, task_id="move"
    )
    return run.context | {"ti": instance}


@pytest.fixture
def staged(new_run: Callable[..., SmallRun]) -> SmallRun:
    """A run whose only job is exported and staged."""
    run = new_run().until_built()
    for operator in (ExportShard, StageDump):
        run.execute(operator, job=run.jobs[0])
    return run


def loads(run: SmallRun, number: int) -> Any:
    return run.task(LoadShard, job=run.jobs[0]).execute(try_of(run, number))


def name_of(run: SmallRun) -> str:
    return str(run.documents(lambda documents: documents.get(JOB, run.jobs[0]).job_name))
