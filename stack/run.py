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
#: The list of tasks is asked for in so much of the time: its answers take from the run on a small machine.
SHARE = 0.1
#: Seconds after which it is asked for all the same: one late answer must not silence the console.
LONGEST_PAUSE = 10.0


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
    print(f"run {run_id}: {settings.AIRFLOW_URL}/dags/{dag_id}/runs/{run_id}", flush=True)
    with follower(lambda: api.overview(dag_id, run_id)) as shown:
        due = 0.0
        while True:
            state = api.run_state(dag_id, run_id)
            asked = time.monotonic()
            if asked >= due or state in FINISHED:
                shown.show(api.task_instances(dag_id, run_id))
                answered = time.monotonic()
                due = answered + min((answered - asked) / SHARE, LONGEST_PAUSE)
            if state in FINISHED:
                return Run(api, dag_id, run_id, state)
            time.sleep(1)


def failures(ended: Run) -> None:
    """Print the last log lines of each task that failed."""
    for task in ended.api.task_instances(ended.dag_id, ended.run_id):
        if task["state"] == "failed":
            label = task.get("rendered_map_index") or task["map_index"]
            print(f"\n{task['task_id']} [{label}] failed, try {task['try_number']}:", file=sys.stderr)
            for line in ended.api.log_tail(ended.dag_id, ended.run_id, task):
                print(f"    {line}", file=sys.stderr)
