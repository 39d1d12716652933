"""`python -m benchmarks.scale_refreshes`: refreshes of ever more tables, and shards, on one Airflow.

Written to `measured.json` in LOCALORACLE_HOME: by what grows, a list of what each refresh took.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import oracledb
import psutil
import yaml

from benchmarks import many_tables
from benchmarks.consumption import Peaks, cpu_seconds, family, memory_mb
from benchmarks.own_database import PASSWORD
from benchmarks.size import amounts, sized
from localoracle.instance.config import instance
from localoracle.server.signals import exit_on_signals
from stack import airflow, components, databases, settings

#: Tables of each refresh, and shards of the one table of each of the others.
TABLES = amounts("TABLES", (10, 100, 1_000, 10_000), (5, 20))
SHARDS = amounts("SHARDS", (4, 16, 64), (2, 4))
DOCUMENTS = sized(20_000, 200)
DAG = "test_data_refresh"
ENDS = ("source", "target")
DEFINITIONS = settings.LOCAL / "definitions"


def main() -> None:
    settings.close_to_others()
    os.environ["STACK_DEFINITIONS"] = str(DEFINITIONS)
    try:
        start()
        measured = {
            "tables": [of_tables(tables) for tables in TABLES],
            "shards": [of_shards(shards) for shards in SHARDS],
        }
    finally:
        airflow.stop()
        for end in ENDS:
            databases.run("stop", end)
    (settings.LOCAL / "measured.json").write_text(json.dumps(measured))


def start() -> None:
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda end: done("start", end), ENDS))
    done("load-demo", "source", "--scale", "0.001")  # makes the users and the directory of the dump files
    done("prepare-target", "target")
    airflow.start()
    api = airflow.Api()
    api.wait_until_ready(DAG)
    api.ensure_pools(settings.POOLS)
    api.prepare_for_tasks()


def done(*words: str) -> None:
    ended = databases.run(*words)
    if ended.returncode:
        raise SystemExit(f"localoracle {' '.join(words)} failed:\n{ended.stdout}{ended.stderr}")


def of_tables(tables: int) -> dict[str, float]:
    """What a refresh of a schema of so many tables took."""
    owner = f"TABLES_{tables}"
    return refreshed(tables, owner, many_tables.shapes(owner, tables), {})


def of_shards(shards: int) -> dict[str, float]:
    """What a refresh of one table in so many shards took; it holds the same rows whatever their number."""
    owner = f"SHARDS_{shards}"
    changes = {"degree": shards, "max_shards": shards, "lob_shard_min_bytes": 1}
    return refreshed(shards, owner, [many_tables.documents(owner, DOCUMENTS)], changes)


def refreshed(
    size: int, owner: str, shapes: list[many_tables.Shape], changes: dict[str, int]
) -> dict[str, float]:
    """What a refresh of a schema of these tables took, by a definition with these changes."""
    began = time.monotonic()
    for end in ENDS:
        many_tables.create_owner(instance(end), owner)
    many_tables.fill(instance("source"), shapes)
    filled = time.monotonic() - began
    rules, path = settings.LOCAL / "rules" / f"{owner}.yaml", DEFINITIONS / f"{owner.lower()}.yaml"
    for file in (rules, path):
        file.parent.mkdir(exist_ok=True)
    rules.write_text(yaml.safe_dump(many_tables.ruleset(shapes)))
    path.write_text(yaml.safe_dump(many_tables.definition(owner, rules) | changes | {"dag": False}))
    print(f"  {owner}: {len(shapes):,} tables made in {filled:.0f} s", flush=True)
    rows_before, cpu_before = airflow_rows(), cpu()
    peaks = Peaks(memory)
    peaks.start()
    began = time.monotonic()
    api, run_id = airflow.Api(), owner.lower()
    api.trigger(DAG, {"definition": path.stem}, run_id)
    while (state := api.run_state(DAG, run_id)) != "success":
        if state == "failed":
            raise SystemExit(f"the refresh of {owner} failed:\n{failures(api, run_id)}")
        time.sleep(2)
    seconds = time.monotonic() - began
    used = {f"{name}_cpu_seconds": now - cpu_before[name] for name, now in cpu().items()}
    instances = api.task_instances(DAG, run_id)
    told = {
        "size": float(size),
        "seconds": seconds,
        "tasks": float(len(instances)),
        **used,
        **peaks.stop(),
        "airflow_rows": airflow_rows() - rows_before,
        **ledger(run_id),
        "report_mb": report_mb(),
    }
    show(told, instances)
    return told


def failures(api: airflow.Api, run_id: str) -> str:
    failed = (task for task in api.task_instances(DAG, run_id) if task["state"] == "failed")
    return "\n".join(f"{task['task_id']}:\n" + "\n".join(api.log_tail(DAG, run_id, task)) for task in failed)


def show(told: dict[str, float], instances: list[dict[str, Any]]) -> None:
    by_task: dict[str, float] = {}
    for task in instances:
        if task["duration"]:
            by_task[task["task_id"]] = by_task.get(task["task_id"], 0.0) + task["duration"]
    print("  " + ", ".join(f"{name} {value:,.1f}" for name, value in told.items()), flush=True)
    longest = sorted(by_task.items(), key=lambda each: -each[1])
    print(
        "  " + ", ".join(f"{name} {seconds:.0f} s" for name, seconds in longest if seconds >= 1), flush=True
    )


def cpu() -> dict[str, float]:
    """CPU seconds so far of each of Airflow's components, of the tasks, and of the two databases.

    Tasks are what the scheduler's executor has forked.
    """
    found = {}
    for name, process in components.started().items():
        found[name.replace("-", "_")] = cpu_seconds(family([process.pid]))
    own = psutil.Process(components.started()["scheduler"].pid).cpu_times()
    found["tasks"] = found["scheduler"] - own.user - own.system
    found["scheduler"] = own.user + own.system
    for end in ENDS:
        found[end] = cpu_seconds(family([int(instance(end).pid_file.read_text())]))
    return found


def memory() -> dict[str, float]:
    found = {
        f"{name.replace('-', '_')}_memory_mb": memory_mb(family([process.pid]))
        for name, process in components.started().items()
    }
    for end in ENDS:
        found[f"{end}_memory_mb"] = memory_mb(family([int(instance(end).pid_file.read_text())]))
    return found


def airflow_rows() -> float:
    """Rows in all tables of Airflow's metadata database."""
    with closing(
        sqlite3.connect(f"file:{settings.AIRFLOW_HOME / 'airflow.db'}?mode=ro", uri=True)
    ) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return float(sum(database.execute(f'SELECT COUNT(*) FROM "{name}"').fetchone()[0] for name in names))


def ledger(run_id: str) -> dict[str, float]:
    """Rows of a run in the target's ledger, and its documents."""
    counts = {}
    dsn = instance("target").dsn
    with (
        oracledb.connect(user="SYSTEM", password=PASSWORD, dsn=dsn) as connection,
        connection.cursor() as cursor,
    ):
        for name, table in (("ledger_rows", "REFRESH$LEDGER"), ("document_rows", "REFRESH$RUN")):
            cursor.execute(f'SELECT COUNT(*) FROM REFRESH_TARGET."{table}" WHERE RUN_ID = :1', [run_id])
            (count,) = cursor.fetchone() or (0,)
            counts[name] = float(count)
    return counts


def report_mb() -> float:
    return (settings.REPORTS / "latest" / "report.html").stat().st_size / 1e6


if __name__ == "__main__":
    exit_on_signals()
    sys.exit(main())
