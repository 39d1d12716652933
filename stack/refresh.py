"""One refresh from the console: trigger the DAG, show how far it is, print what came out."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
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


def run(api: Api, conf: dict[str, Any]) -> tuple[str, str]:
    """Trigger one run and follow it to its end. Returns its run id and its state."""
    run_id = api.trigger(settings.DAG_ID, conf)
    print(f"run {run_id}: {settings.AIRFLOW_URL}/dags/{settings.DAG_ID}/runs/{run_id}", flush=True)
    started, last = time.monotonic(), ""
    while True:
        state = api.run_state(settings.DAG_ID, run_id)
        line = _progress(api.task_instances(settings.DAG_ID, run_id))
        if line != last:
            print(f"  {time.monotonic() - started:6.1f} s  {line}", flush=True)
            last = line
        if state in FINISHED:
            return run_id, state
        time.sleep(2)


def _progress(tasks: list[dict[str, Any]]) -> str:
    states = Counter(str(task["state"] or "waiting") for task in tasks)
    known = [f"{states.pop(state)} {state}" for state in STATE_ORDER if state in states]
    busy = Counter(task["task_id"].rpartition(".")[2] for task in tasks if task["state"] == "running")
    now = ", ".join(f"{name} x{count}" if count > 1 else name for name, count in busy.most_common(4))
    return ", ".join(known + [f"{count} {state}" for state, count in states.items()]) + (
        f"  [{now}]" if now else ""
    )


def failures(api: Api, run_id: str) -> None:
    for task in api.task_instances(settings.DAG_ID, run_id):
        if task["state"] == "failed":
            label = task.get("rendered_map_index") or task["map_index"]
            print(f"\n{task['task_id']} [{label}] failed, try {task['try_number']}:", file=sys.stderr)
            for line in api.log_tail(settings.DAG_ID, run_id, task):
                print(f"    {line}", file=sys.stderr)


def summary() -> dict[str, Any]:
    """Print the report of the last run as a table, and say where the whole one lies."""
    path = settings.REPORTS / "latest" / "report.json"
    report: dict[str, Any] = json.loads(path.read_text())
    print(f"\n{report['refresh']}: {report['status']} at SCN {report['scn']} in {report['seconds']:.0f} s")
    print(f"\n  {'job':34} {'scheme':20} {'rows':>9} {'MB':>8} {'export s':>9} {'stage s':>8} {'load s':>7}")
    for shard in report["shards"]:
        print(
            f"  {shard['table'][:34]:34} {shard['scheme'][:20]:20}"
            f" {shard['rows']:>9,} {shard['bytes'] / 1e6:>8.1f}"
            f" {shard['export_seconds']:>9.1f} {shard['stage_seconds']:>8.1f} {shard['load_seconds']:>7.1f}"
        )
    print(f"\n  {'table':34} {'rows source':>12} {'rows target':>12} {'LOBs':>8} verdict")
    for table in report["tables"]:
        lobs = sum(lob["count"] for lob in table["lobs"])
        name = f"{table['owner']}.{table['name']}"
        print(
            f"  {name:34} {table['rows_source']:>12,} {table['rows_target']:>12,}"
            f" {lobs:>8,} {table['verdict']}"
        )
    masked = [item for item in report["masking"] if item["columns"]]
    columns = sum(len(item["columns"]) for item in masked)
    expectations = report["expectations"]
    print(f"\n  masked {columns} columns of {len(masked)} tables;", end=" ")
    print(f"expectations {expectations['successful']} of {expectations['evaluated']} met")
    print(f"  report: {path.with_name('report.html')}")
    return report
