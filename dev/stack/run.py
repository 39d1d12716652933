"""One DAG run from the console: trigger it, show how far it is, say what failed."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from typing import Any

from stack import settings
from stack.airflow import Api
from stack.console import follower

FINISHED = {"success", "failed"}
#: The run's document is asked for in so much of the time: its answers take from the run on a small machine.
SHARE = 0.1
#: Seconds between two questions: one late answer must not silence the console.
SHORTEST_PAUSE, LONGEST_PAUSE = 1.0, 10.0


@dataclass(frozen=True)
class Run:
    """A run that has ended, as the summary of its DAG gets it."""

    api: Api
    dag_id: str
    run_id: str
    state: str


def run(api: Api, dag_id: str, conf: dict[str, Any]) -> Run:
    """Trigger one run of the DAG and follow it to its end."""
    run_id = api.trigger(dag_id, conf)
    api.prepare_for_tasks()  # while the scheduler gets to the run
    print(f"run {run_id}: {settings.AIRFLOW_URL}/dags/{dag_id}/runs/{run_id}", flush=True)
    with follower() as shown:
        while True:
            asked = time.monotonic()
            overview = api.overview(dag_id, run_id)
            if overview is not None:
                shown.show(overview)
            # The document knows it too, and to Airflow's API it is a dear question.
            state = overview["run"]["state"] if overview else api.run_state(dag_id, run_id)
            if state in FINISHED:
                return Run(api, dag_id, run_id, state)
            pause = (time.monotonic() - asked) / SHARE
            time.sleep(min(max(pause, SHORTEST_PAUSE), LONGEST_PAUSE))


def failures(ended: Run) -> None:
    """Print the last log lines of each task that failed."""
    for task in ended.api.task_instances(ended.dag_id, ended.run_id):
        if task["state"] == "failed":
            label = task.get("rendered_map_index") or task["map_index"]
            print(f"\n{task['task_id']} [{label}] failed, try {task['try_number']}:", file=sys.stderr)
            for line in ended.api.log_tail(ended.dag_id, ended.run_id, task):
                print(f"    {line}", file=sys.stderr)
