"""One DAG run from the console: trigger it, show how far it is, say what failed."""

from __future__ import annotations

import sys
import time
from collections import Counter
from dataclasses import dataclass
from typing import Any

from stack import settings
from stack.airflow import Api

FINISHED = {"success", "failed"}
STATE_ORDER = (
    "success",
    "running",
    "deferred",
    "queued",
    "scheduled",
    "up_for_retry",
    "failed",
    "upstream_failed",
    "skipped",
)


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
    started, last = time.monotonic(), ""
    while True:
        state = api.run_state(dag_id, run_id)
        line = _progress(api.task_instances(dag_id, run_id))
        if line != last:
            print(f"  {time.monotonic() - started:6.1f} s  {line}", flush=True)
            last = line
        if state in FINISHED:
            return Run(api, dag_id, run_id, state)
        time.sleep(2)


def _progress(tasks: list[dict[str, Any]]) -> str:
    states = Counter(str(task["state"] or "waiting") for task in tasks)
    known = [f"{states.pop(state)} {state}" for state in STATE_ORDER if state in states]
    busy = Counter(task["task_id"].rpartition(".")[2] for task in tasks if task["state"] == "running")
    now = ", ".join(f"{name} x{count}" if count > 1 else name for name, count in busy.most_common(4))
    return ", ".join(known + [f"{count} {state}" for state, count in states.items()]) + (
        f"  [{now}]" if now else ""
    )


def failures(ended: Run) -> None:
    """Print the last log lines of each task that failed."""
    for task in ended.api.task_instances(ended.dag_id, ended.run_id):
        if task["state"] == "failed":
            label = task.get("rendered_map_index") or task["map_index"]
            print(f"\n{task['task_id']} [{label}] failed, try {task['try_number']}:", file=sys.stderr)
            for line in ended.api.log_tail(ended.dag_id, ended.run_id, task):
                print(f"    {line}", file=sys.stderr)
