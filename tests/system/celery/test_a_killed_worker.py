"""A refresh on two Celery workers, one of which is killed in the middle: published, every row masked once."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
import yaml

from oracle_refresh.masking import MasterKey, load_ruleset
from support.demo import MOST_OF_APP, DemoDatabase, airflow_connection
from support.transfer import ROOT, demo

from .cluster import WORKERS, Cluster, running, until

pytestmark = pytest.mark.skipif(shutil.which("redis-server") is None, reason="redis-server is not installed")
DAG_ID = "test_data_refresh"
KEY = "5d1f2e8a" * 8
#: What a worker may be killed in the middle of.
WORK = {"shard.export", "shard.stage", "shard.load", "unit.verify_copy", "unit.mask"}
ANSWERED_SECONDS = 3.0
"""After so long the API server has noted what a process said before it was stopped, such as its success."""


@pytest.fixture
def cluster(demo_source: DemoDatabase, demo_target: DemoDatabase, tmp_path: Path) -> Iterator[Cluster]:
    connections = {
        "AIRFLOW_CONN_ORACLE_SOURCE": airflow_connection(demo_source),
        "AIRFLOW_CONN_ORACLE_TARGET": airflow_connection(demo_target),
        "AIRFLOW_CONN_REFRESH_MASKING_KEY": json.dumps({"conn_type": "generic", "password": KEY}),
        "AIRFLOW__ORACLE_REFRESH__DEFINITIONS_DIRECTORY": str(tmp_path),
        "AIRFLOW__ORACLE_REFRESH__SOURCE_POOL": "default_pool",
        "AIRFLOW__ORACLE_REFRESH__TARGET_POOL": "default_pool",
    }
    with running(DAG_ID, connections) as made:
        yield made


def definition(folder: Path) -> Path:
    """Few tables, but shards; none of the expectations, whose library takes long to load."""
    document = demo(lob_shard_min_bytes=100_000, max_shards=2, degree=2).to_json() | {
        "exclude_tables": ["DOCS.DOCUMENTS", *(f"APP.{name}" for name in MOST_OF_APP)],
        "expectations": None,
    }
    path = folder / "small.yaml"
    path.write_text(yaml.safe_dump(document))
    return path


class Watch:
    """One run, and which worker is seen to run which of its tasks."""

    def __init__(self, cluster: Cluster, run_id: str) -> None:
        self.cluster, self.run_id = cluster, run_id
        self.seen: dict[str, set[tuple[str, int]]] = {name: set() for name in WORKERS}

    def tasks(self) -> list[dict[str, Any]]:
        return self.cluster.api.task_instances(DAG_ID, self.run_id)

    def look(self) -> dict[str, set[tuple[str, int]]]:
        """The tasks that each worker runs right now, with their map indexes."""
        tasks = [task for task in self.tasks() if task["state"] == "running"]
        now: dict[str, set[tuple[str, int]]] = {}
        for name in self.seen.keys() & self.cluster.processes.keys():
            pids = {process.pid for process in self.cluster.family(name)}
            now[name] = {(task["task_id"], task["map_index"]) for task in tasks if task["pid"] in pids}
            self.seen[name] |= now[name]
        return now

    def stopped_at_work(self) -> set[tuple[str, int]]:
        """What worker one is in the middle of, once both have been seen at work; it does not go on then."""
        self.look()
        assert not self.state(), "the run has ended before"
        if not all(self.seen.values()):
            return set()
        processes = self.cluster.frozen(WORKERS[0])
        work = {task for task in self.look()[WORKERS[0]] if task[0] in WORK}
        if work:
            time.sleep(ANSWERED_SECONDS)
            work &= self.look()[WORKERS[0]]
        for process in processes if not work else ():
            with suppress(psutil.NoSuchProcess):
                process.resume()
        return work

    def state(self) -> str:
        """How the run has ended; empty while it goes on."""
        state = self.cluster.api.run_state(DAG_ID, self.run_id)
        return state if state in ("success", "failed") else ""

    def failures(self) -> Iterator[str]:
        """The failed tasks, each with the end of its log."""
        for task in self.tasks():
            if task["state"] == "failed":
                yield f"{task['task_id']} [{task['map_index']}], try {task['try_number']}:"
                yield from self.cluster.api.log_tail(DAG_ID, self.run_id, task)


def test_a_worker_is_killed_and_the_refresh_is_published(
    cluster: Cluster, demo_source: DemoDatabase, demo_target: DemoDatabase, tmp_path: Path
) -> None:
    run = Watch(cluster, cluster.api.trigger(DAG_ID, {"definition": definition(tmp_path).stem}))
    interrupted = until("worker one works on the refresh", run.stopped_at_work, 600)
    cluster.kill(WORKERS[0])
    state = until("the run has ended", run.state, 1800)
    tasks = {(task["task_id"], task["map_index"]): task for task in run.tasks()}
    assert state == "success", "\n".join(run.failures())
    assert all(tasks[key]["state"] == "success" for key in interrupted)
    assert any(tasks[key]["try_number"] > 1 for key in interrupted), "nothing was interrupted"
    report = json.loads((cluster.folder / "reports" / "latest" / "report.json").read_text())
    assert report["status"] == "published"
    assert {table["verdict"] for table in report["tables"]} == {"equal"}
    demo_target.connect("APP_READER").close()
    masked_once(demo_source, demo_target)


def masked_once(demo_source: DemoDatabase, demo_target: DemoDatabase) -> None:
    """Every employee is what the reference makes of the source's row: masked twice would be another one."""
    rules = {
        rule.column: rule
        for rule in load_ruleset(ROOT / "include" / "rulesets" / "demo.yaml").tables[("APP", "EMPLOYEES")]
    }
    query = "SELECT EMPLOYEE_ID, FIRST_NAME, LAST_NAME, EMAIL FROM APP.EMPLOYEES ORDER BY EMPLOYEE_ID"
    found = []
    for database in (demo_source, demo_target):
        with database.connect() as connection, connection.cursor() as cursor:
            found.append(cursor.execute(query).fetchall())
    master = MasterKey(KEY.encode())
    columns = ("FIRST_NAME", "LAST_NAME", "EMAIL")
    expected = [
        (
            row[0],
            *(
                rules[name].algorithm.mask(master.domain(rules[name].domain), value)
                for name, value in zip(columns, row[1:], strict=True)
            ),
        )
        for row in found[0]
    ]
    assert len(expected) > 20
    assert found[1] == expected
