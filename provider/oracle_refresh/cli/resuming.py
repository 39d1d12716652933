"""`airflow oracle-refresh resume`."""

from __future__ import annotations

import argparse
from collections import Counter

from oracle_refresh.cli.command import command
from oracle_refresh.integration import compat
from oracle_refresh.oracle.counting import counted
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.plan.resuming import TaskState, to_clear, was_cancelled

STEP = "resume"


@command
def resume(options: argparse.Namespace) -> int:
    """Clear what has failed in one run, and nothing else."""
    run_id = options.run_id
    dag_id = _dag_of(run_id, options.dag_id)
    tasks = [
        TaskState(task.task_id, task.map_index, task.operator or "", task.state and str(task.state))
        for task in compat.task_instances(dag_id, run_id)
    ]
    again = to_clear(tasks)
    if was_cancelled(tasks) and again:
        raise PlanError(
            "the run was marked as failed or rejected: its skipped tasks do not run again",
            object_name=f"{dag_id} {run_id}",
            step=STEP,
            remedy="start a new run",
        )
    if not again:
        print(f"{dag_id} {run_id}: no task has failed, the run is {compat.run_state(dag_id, run_id)}")
        return 0
    compat.clear(dag_id, run_id, {(task.task_id, task.map_index) for task in again})
    counts = Counter(task.task_id for task in again)
    names = ", ".join(name if count == 1 else f"{name} ({count})" for name, count in sorted(counts.items()))
    print(f"{dag_id} {run_id}: cleared {counted(len(again), 'task')}: {names}")
    return 0


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
