"""`airflow oracle-refresh resume`."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from typing import Any

from oracle_refresh.cli.command import command
from oracle_refresh.integration import compat, settings
from oracle_refresh.integration.run_files import result_name
from oracle_refresh.oracle.counting import counted
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.plan import stages
from oracle_refresh.plan.resuming import TaskState, to_clear, was_cancelled

STEP = "resume"


@command
def resume(options: argparse.Namespace) -> int:
    """Clear what has failed in one run, and nothing else."""
    run_id = options.run_id
    dag_id = _dag_of(run_id, options.dag_id)
    instances = compat.task_instances(dag_id, run_id)
    tasks = [
        TaskState(task.task_id, task.map_index, task.operator or "", task.state and str(task.state))
        for task in instances
    ]
    again = to_clear(tasks)
    problem = ""
    if was_cancelled(tasks):
        problem = "the run was marked as failed or rejected: its skipped tasks do not run again"
    elif any(map(_has_put_back, instances)):
        problem = "the run has put the previous tables back: nothing of it is left to continue with"
    if again and problem:
        name = f"{dag_id} {run_id}"
        raise PlanError(problem, object_name=name, step=STEP, remedy="start a new run")
    if not again:
        print(f"{dag_id} {run_id}: no task has failed, the run is {compat.run_state(dag_id, run_id)}")
        return 0
    compat.clear(dag_id, run_id, {(task.task_id, task.map_index) for task in again})
    counts = Counter(task.task_id for task in again)
    names = ", ".join(name if count == 1 else f"{name} ({count})" for name, count in sorted(counts.items()))
    print(f"{dag_id} {run_id}: cleared {counted(len(again), 'task')}: {names}")
    if compat.is_paused(dag_id):
        print(f"{dag_id} is paused, so nothing runs yet: airflow dags unpause {dag_id}")
    return 0


def _has_put_back(task: Any) -> bool:
    """Return whether a task instance has put previous tables back, by its result in the run's folder."""
    if task.operator != stages.FORMER.operator or task.state != "success":
        return False
    name = result_name(task.task_id, task.map_index, task.try_number)
    content = settings.report_directory().read(task.dag_id, task.run_id, name)
    returned = json.loads(content)["returned"] if content else None
    return returned is not None and returned["outcome"] == "put back"


def _dag_of(run_id: str, named: str | None) -> str:
    """Return the DAG of a run.

    :raises PlanError: if there is no such run, or several DAGs have one of this id.
    """
    found = [dag_id for dag_id in compat.dags_of_run(run_id) if named in (None, dag_id)]
    if len(found) == 1:
        return found[0]
    if found:
        problem, remedy = f"the DAGs {', '.join(found)} have a run of this id", "name one as --dag-id"
    else:
        problem = f"{named or 'no DAG'} has {'no' if named else 'a'} run of this id"
        remedy = f"list the runs: airflow dags list-runs {named or 'DAG_ID'}"
    raise PlanError(problem, object_name=run_id, step=STEP, remedy=remedy)
