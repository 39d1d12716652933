"""`python -m benchmarks.load_refreshes`: many targets at the same time through the pools of one Airflow.

First one of them alone, then all. Written to `measured.json` in LOCALORACLE_HOME.
"""

from __future__ import annotations

import json
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import oracledb
import yaml

from benchmarks.consumption import Peaks, cpu_seconds, family, memory_mb
from benchmarks.result import ROOT
from benchmarks.size import sized
from localoracle.instance.config import Instance, instance
from localoracle.server.signals import exit_on_signals
from stack import airflow, components, databases, settings

TARGETS = sized(10, 2)
SCALE = sized(0.05, 0.02)
FIRST_PORT = 15340
#: Of each end, for all refreshes together.
SLOTS = 3
BY_FORM = """\
# An Airflow DAG for each target: of one DAG no two runs go on at the same time.
from oracle_refresh.bundle import refresh_by_form

refresh_by_form("{name}")
"""
DEFINITIONS = settings.LOCAL / "definitions"
NAMES = [f"target_{number}" for number in range(1, TARGETS + 1)]


def main() -> None:
    environment()
    try:
        start()
        alone = measured(["alone_1"], NAMES[:1])
        together = measured([f"together_{name}" for name in NAMES], NAMES)
    finally:
        airflow.stop()
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda name: databases.run("stop", name), ["source", *NAMES]))
    (settings.LOCAL / "measured.json").write_text(json.dumps(told(alone, together)))


def environment() -> None:
    """Ports, connections, definitions and DAGs of all targets, before anything is started."""
    for number, name in enumerate(("source", *NAMES)):
        os.environ.setdefault(f"LOCALORACLE_PORT_{name.upper()}", str(FIRST_PORT + number))
    dags = settings.LOCAL / "dags"
    for folder in (dags, DEFINITIONS):
        folder.mkdir()
    for name in NAMES:
        connection = json.loads(settings.connection("target"))
        connection |= {"port": instance(name).port}
        connection["extra"] |= {"service_name": name.upper()}
        os.environ[f"AIRFLOW_CONN_{name.upper()}"] = json.dumps(connection)
        (dags / f"{name}.py").write_text(BY_FORM.format(name=name))
        (DEFINITIONS / f"{name}.yaml").write_text(yaml.safe_dump(small(name)))
    os.environ |= {"STACK_EXTRA_DAGS": str(dags), "STACK_DEFINITIONS": str(DEFINITIONS)}


def small(name: str) -> dict[str, Any]:
    """The demo's definition for another target, of a few tables, without the library of the expectations."""
    include = ROOT / "include"
    document: dict[str, Any] = yaml.safe_load((include / "refreshes" / "demo.yaml").read_text())
    ruleset = include / "rulesets" / "demo.yaml"
    excluded = {table for table in yaml.safe_load(ruleset.read_text())["tables"] if table.startswith("APP.")}
    document |= {"name": name, "dag": False, "expectations": None}
    document["exclude_tables"] = sorted(excluded - {"APP.EMPLOYEES"})
    document["target"] = {"conn_id": name}
    document["masking"]["ruleset"] = str(ruleset)
    document["tuning"]["profile"] = str(include / "tuning" / "demo.yaml")
    return document


def start() -> None:
    done("start", "source")
    done("load-demo", "source", "--scale", str(SCALE))
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda name: (done("start", name), done("prepare-target", name)), NAMES))
    airflow.start()
    api = airflow.Api()
    for name in NAMES:
        api.wait_until_ready(name)
    api.ensure_pools(dict.fromkeys(settings.POOLS, SLOTS))
    api.prepare_for_tasks()


def done(*words: str) -> None:
    ended = databases.run(*words)
    if ended.returncode:
        raise SystemExit(f"localoracle {' '.join(words)} failed:\n{ended.stdout}{ended.stderr}")


def measured(run_ids: list[str], names: list[str]) -> dict[str, float]:
    """Seconds and CPU of these refreshes, begun at the same time; the most memory and sessions meanwhile."""
    api, source = airflow.Api(), instance("source")
    before, began = cpu(), time.monotonic()
    with closing(oracledb.connect(user="SYSTEM", password="system_demo", dsn=source.dsn)) as connection:
        peaks = Peaks(lambda: look(connection))
        peaks.start()
        runs = {
            name: api.trigger(name, {"definition": name}, run_id)
            for name, run_id in zip(names, run_ids, strict=True)
        }
        for name, run_id in runs.items():
            while (state := api.run_state(name, run_id)) != "success":
                if state == "failed":
                    raise SystemExit(f"the refresh of {name} failed: {failures(api, name, run_id)}")
                time.sleep(2)
        seconds, used = time.monotonic() - began, cpu() - before
        return {"seconds": seconds, "cpu_seconds": used, **peaks.stop()}


def failures(api: airflow.Api, dag_id: str, run_id: str) -> str:
    failed = (task for task in api.task_instances(dag_id, run_id) if task["state"] == "failed")
    return "\n".join(
        f"{task['task_id']}:\n" + "\n".join(api.log_tail(dag_id, run_id, task)) for task in failed
    )


def look(connection: oracledb.Connection) -> dict[str, float]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM V$SESSION WHERE USERNAME = 'REFRESH_SOURCE'")
        (sessions,) = cursor.fetchone() or (0,)
    return {
        "source_sessions": float(sessions),
        "airflow_memory_mb": memory_mb(family(_airflow())),
        "databases_memory_mb": memory_mb(family(_databases())),
    }


def cpu() -> float:
    return cpu_seconds(family([*_airflow(), *_databases()]))


def _airflow() -> list[int]:
    return [process.pid for process in components.started().values()]


def _databases() -> list[int]:
    ends: list[Instance] = [instance(name) for name in ("source", *NAMES)]
    return [int(end.pid_file.read_text()) for end in ends]


def told(alone: dict[str, float], together: dict[str, float]) -> dict[str, dict[str, float]]:
    figures = {f"refreshes_{name}": value for name, value in together.items()}
    return {
        "ratios": {
            "refreshes_together_over_one_by_one": together["seconds"] / (alone["seconds"] * TARGETS),
            "refreshes_cpu_each_over_alone": together["cpu_seconds"] / (alone["cpu_seconds"] * TARGETS),
            "refreshes_airflow_memory_over_alone": together["airflow_memory_mb"] / alone["airflow_memory_mb"],
        },
        "figures": {
            "refreshes": float(TARGETS),
            **figures,
            **{f"refresh_alone_{name}": value for name, value in alone.items()},
        },
    }


if __name__ == "__main__":
    exit_on_signals()
    sys.exit(main())
