"""The main job: wall time cold and warm, Airflow's overhead, Data Pump against plain COPY, memory.

It runs in a home of its own, on ports of its own, so nothing of a local refresh is touched.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import yaml

from benchmarks.result import FOLDER, ROOT, Result
from benchmarks.size import SMALLEST, sized
from stack import processes

if TYPE_CHECKING:
    from stack.airflow import Api

HOME = FOLDER / "refresh-home"
SCALE = float(os.environ.get("SCALE") or sized("1", "0.02"))
ENVIRONMENT = {"LOCALORACLE_HOME": str(HOME), "STACK_EXTRA_DAGS": str(Path(__file__).parent / "dags")}
#: Unless the environment names others.
PORTS = {"LOCALORACLE_PORT_SOURCE": "15311", "LOCALORACLE_PORT_TARGET": "15312", "AIRFLOW_PORT": "8180"}
TASK_PROCESS = re.compile(r"airflow worker -- (?:LocalExecutor: )?([0-9a-f-]{36})")
EMPTY_DAG, EMPTY_REFRESH = "benchmark_empty_mapped", "benchmark_empty_refresh"
TIMED = ("export", "stage", "load", "verify_copy", "mask", "verify_masked")


def run() -> Result:
    shutil.rmtree(HOME, ignore_errors=True)
    os.environ |= {**PORTS, **os.environ, **ENVIRONMENT}
    from benchmarks import datapump  # reads the environment when it is imported

    HOME.mkdir(parents=True)
    words: tuple[str, ...] = ("--definition", small_definition()) if SMALLEST else ()
    cold: dict[str, float] = {}
    try:
        if not SMALLEST:
            cold, _ = refresh(*words)
        warm, peaks = refresh(*words, "--keep")
        report = json.loads((HOME / "reports" / "latest" / "report.json").read_text())
        tasks = last_tasks()
        floor = airflow_floor(tasks)
        overhead, empty = task_overhead({"definition": words[-1] if words else "demo"})
        moved = datapump.measure()
    finally:
        subprocess.run([sys.executable, "-m", "stack", "down"], check=False)
        shutil.rmtree(HOME, ignore_errors=True)
    stages = {
        stage: sum(shard[f"{stage}_seconds"] for shard in report["shards"])
        for stage in ("export", "stage", "load")
    }
    by_task = time_by_task(tasks)
    critical = report["course"]["critical_seconds"]
    staged = sum(shard["bytes"] for shard in report["shards"])
    return Result(
        "refresh",
        ratios={
            "task_overhead_over_empty": overhead / empty,
            "wall_over_critical_path": report["seconds"] / (critical + floor),
            "proof_over_mask": (by_task["tasks_verify_copy_seconds"] + by_task["tasks_verify_masked_seconds"])
            / by_task["tasks_mask_seconds"],
            "export_over_copy": moved["export_mb_per_second"] / moved["copy_out_mb_per_second"],
            "load_over_copy": moved["load_mb_per_second"] / moved["copy_in_mb_per_second"],
        },
        figures={
            "scale": SCALE,
            **{f"cold_{name}": value for name, value in cold.items()},
            **{f"warm_{name}": value for name, value in warm.items()},
            **memory(peaks, tasks),
            **by_task,
            "warm_dag_run_seconds": report["seconds"],
            "critical_path_seconds": critical,
            "airflow_floor_seconds": floor,
            "idle_share_of_slots": report["course"]["idle"],
            "task_overhead_seconds": overhead,
            "empty_mapped_task_seconds": empty,
            **{f"sum_of_{stage}_seconds": seconds for stage, seconds in stages.items()},
            "stage_mb_per_second": staged / 1e6 / max(stages["stage"], 1e-3),
            **moved,
        },
    )


def small_definition() -> str:
    """Write the demo's definition without most tables of its largest schema; return its name.

    Each table takes some seconds however small it is.
    """
    include = ROOT / "include"
    document = yaml.safe_load((include / "refreshes" / "demo.yaml").read_text())
    ruleset, suite = include / "rulesets" / "demo.yaml", include / "expectations" / "demo.yaml"
    excluded = {name for name in yaml.safe_load(ruleset.read_text())["tables"] if name.startswith("APP.")}
    excluded -= {"APP.EMPLOYEES"}
    expected = yaml.safe_load(suite.read_text())
    expected["tables"] = {name: found for name, found in expected["tables"].items() if name not in excluded}
    document["exclude_tables"] = sorted(excluded)
    document["masking"]["ruleset"] = str(ruleset)
    document["tuning"]["profile"] = str(include / "tuning" / "demo.yaml")
    document["expectations"]["path"] = str(HOME / "suite.yaml")
    folder = HOME / "definitions"
    folder.mkdir()
    for path, content in ((HOME / "suite.yaml", expected), (folder / "small.yaml", document)):
        path.write_text(yaml.safe_dump(content))
    os.environ["STACK_DEFINITIONS"] = str(folder)
    return "small"


def refresh(*options: str) -> tuple[dict[str, float], dict[str, int]]:
    """One `python -m stack refresh`: seconds in all and to each mark it prints, peak memory by task."""
    watch = MemoryWatch()
    watch.start()
    began = time.monotonic()
    command = [sys.executable, "-m", "stack", "refresh", "--scale", str(SCALE), *options]
    done = processes.run(command, os.environ)
    seconds = time.monotonic() - began
    peaks = watch.stop()
    if done.returncode:
        raise SystemExit(f"the refresh failed:\n{done.stdout[-6000:]}\n{done.stderr[-6000:]}")
    marks = {
        "databases_ready_seconds": _mark(done.stdout, r"databases ready.*?: ([\d.]+) s"),
        "airflow_ready_seconds": _mark(done.stdout, r"Airflow ready: ([\d.]+) s"),
    }
    return {"seconds": seconds, **marks}, peaks


def _mark(output: str, pattern: str) -> float:
    match = re.search(pattern, output)
    if match is None:
        raise SystemExit(f"the refresh did not say {pattern!r}")
    return float(match[1])


def last_tasks() -> list[dict[str, Any]]:
    """The task instances of the last refresh."""
    from stack.airflow import Api
    from stack.refresh import DAG_ID

    api = Api()
    return api.task_instances(DAG_ID, api.last_run(DAG_ID))


def airflow_floor(refreshed: list[dict[str, Any]]) -> float:
    """Seconds of a run of as many tasks in the same order, none of which does anything.

    :param refreshed: the task instances of the refresh.
    """
    from stack.airflow import Api

    api = Api()
    api.wait_until_ready(EMPTY_REFRESH)
    counts = Counter(task["task_id"] for task in refreshed)
    conf = {"jobs": counts["shard.export"], "units": counts["unit.mask"]}
    run_id = api.trigger(EMPTY_REFRESH, conf)
    _until_over(api, EMPTY_REFRESH, run_id)
    empty = api.task_instances(EMPTY_REFRESH, run_id)
    begun, ended = (
        [datetime.fromisoformat(task[name]) for task in empty] for name in ("start_date", "end_date")
    )
    return (max(ended) - min(begun)).total_seconds()


def task_overhead(conf: dict[str, Any]) -> tuple[float, float]:
    """Mean seconds that a mapped task of a refresh takes beyond its own work, and those of an empty one.

    The empty ones are of another DAG that runs beside it, so both share the machine with the same work.

    :param conf: of the refresh.
    """
    from stack.airflow import Api
    from stack.refresh import DAG_ID

    api = Api()
    api.wait_until_ready(EMPTY_DAG)
    refreshed = api.trigger(DAG_ID, conf)
    while not _begun(api, DAG_ID, refreshed, "shard.export"):
        time.sleep(0.5)
    empty_run = api.trigger(EMPTY_DAG, {})
    for dag_id, run_id in ((DAG_ID, refreshed), (EMPTY_DAG, empty_run)):
        _until_over(api, dag_id, run_id)
    empty = [
        _duration(task) for task in api.task_instances(EMPTY_DAG, empty_run) if task["task_id"] == "empty"
    ]
    beyond = [
        _duration(task) - _own_seconds(api.xcom(DAG_ID, refreshed, task))
        for task in api.task_instances(DAG_ID, refreshed)
        if task["task_id"].rpartition(".")[2] in TIMED and task["state"] == "success"
    ]
    return statistics.mean(beyond), statistics.mean(empty)


def _until_over(api: Api, dag_id: str, run_id: str) -> None:
    while (state := api.run_state(dag_id, run_id)) != "success":
        if state == "failed":
            raise SystemExit(f"the run of {dag_id} failed")
        time.sleep(2)


def _begun(api: Api, dag_id: str, run_id: str, task_id: str) -> bool:
    """Whether an instance of the task has started, or the run is over."""
    ended = api.run_state(dag_id, run_id) in ("success", "failed")
    return ended or any(
        task["task_id"] == task_id and task["start_date"] for task in api.task_instances(dag_id, run_id)
    )


def _own_seconds(returned: dict[str, Any]) -> float:
    """Seconds of its own work as a task has returned them: a job's, or those of each table of its unit."""
    if "seconds" in returned:
        return float(returned["seconds"])
    return sum(float(found["seconds"]) for found in returned.values())


def memory(peaks: dict[str, int], tasks: list[dict[str, Any]]) -> dict[str, float]:
    """Largest resident size of a task in MB; the expectations apart, because their library alone is large."""
    names = {task["id"]: task["task_id"] for task in tasks}
    library = [size for task, size in peaks.items() if names.get(task) == "expectations"]
    others = [size for task, size in peaks.items() if names.get(task) != "expectations"]
    return {
        "task_peak_memory_mb": max(others, default=0) / 1e6,
        "expectations_peak_memory_mb": max(library, default=0) / 1e6,
    }


def time_by_task(tasks: list[dict[str, Any]]) -> dict[str, float]:
    """Seconds by task id, mapped tasks summed up; waiting tasks left out."""
    seconds: dict[str, float] = {}
    for task in tasks:
        name = task["task_id"].rpartition(".")[2]
        if task["start_date"] and task["end_date"] and name != "await_loaded":
            seconds[f"tasks_{name}_seconds"] = seconds.get(f"tasks_{name}_seconds", 0.0) + _duration(task)
    return seconds


def _duration(task: dict[str, Any]) -> float:
    start, end = (datetime.fromisoformat(task[name]) for name in ("start_date", "end_date"))
    return (end - start).total_seconds()


class MemoryWatch(threading.Thread):
    """Watches the processes that run Airflow's tasks: the largest resident size per task instance id."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._end = threading.Event()
        self.peaks: dict[str, int] = {}

    def run(self) -> None:
        while not self._end.wait(0.2):
            for process in psutil.process_iter(["cmdline", "memory_info"]):
                match = TASK_PROCESS.search(" ".join(process.info["cmdline"] or ()))
                if match:
                    peak = max(self.peaks.get(match[1], 0), process.info["memory_info"].rss)
                    self.peaks[match[1]] = peak

    def stop(self) -> dict[str, int]:
        self._end.set()
        self.join()
        return self.peaks
