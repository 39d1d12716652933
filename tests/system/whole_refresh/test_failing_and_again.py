"""A second refresh in the same home, after everything was stopped: one of its shards fails for good, and the
target stays locked; when the cause is gone, clearing publishes the same run. Then the end of everything.
"""

from __future__ import annotations

import json
import os
import urllib.error
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import oracledb
import pytest

from oracle_refresh.plan.names import dump_file, job_name
from support.home import until

from .conftest import Again, Home

DAG = "test_data_refresh"
RUN = "one_shard_fails"


@dataclass(frozen=True)
class Failed:
    """The run whose first shard cannot be written: what it left, and the obstacle."""

    job: str
    table: str
    obstacle: Path
    tasks: dict[tuple[str, str], str]
    """State by task id and item."""
    report: dict[str, Any]


@pytest.fixture(scope="module")
def failed(home: Home, again: Again) -> Failed:
    job = "S001"  # of which table depends on the rates that the first run has measured
    # Nobody can create or remove a file where a folder with something in it has that name.
    folder = home.folder / "source" / "dumps" / "refresh"
    obstacle = folder / dump_file(job_name("demo", RUN, job), 1)
    obstacle.mkdir()
    (obstacle / "something").touch()
    home.api.trigger(DAG, {"definition": str(home.definition)}, RUN)
    assert ended(home) == "failed"
    left = report(home)
    table = next(item["table"] for item in left["shards"] if item["job"] == job)
    return Failed(job, table, obstacle, states(home), left)


def ended(home: Home) -> str:
    """The state of the run when it is over."""
    return str(until(lambda: (state := home.api.run_state(DAG, RUN)) in ("success", "failed") and state))


def states(home: Home) -> dict[tuple[str, str], str]:
    tasks = home.api.task_instances(DAG, RUN)
    return {(task["task_id"], task.get("rendered_map_index") or ""): task["state"] for task in tasks}


def unit_of(failed: Failed) -> str:
    """Its table stands alone in a unit, because it is cut into shards."""
    (found,) = {item for _, item in failed.tasks if item.endswith(f": {failed.table}")}
    return found


def report(home: Home) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((home.reports / RUN / "report.json").read_text())
    return document


def test_what_was_stopped_is_there_again(again: Again) -> None:
    assert again.before.source
    assert again.after == again.before


def test_the_report_says_failed(home: Home, failed: Failed) -> None:
    assert (home.reports / "latest").resolve() == (home.reports / RUN).resolve()
    assert failed.report["status"] == "failed"
    assert set(failed.report["quarantine"]["locked"]) == {"APP_READER", "APP", "DOCS", "TEST"}
    assert failed.report["quarantine"]["released"] == []
    page = (home.reports / RUN / "report.html").read_text()
    assert f"{failed.table} was not compared with the source" in page


def test_all_other_tables_are_unaffected(failed: Failed) -> None:
    verdicts = {f"{item['owner']}.{item['name']}": item["verdict"] for item in failed.report["tables"]}
    assert verdicts.pop(failed.table) == "unverified"
    assert set(verdicts.values()) == {"equal"}
    masked = {f"{item['owner']}.{item['name']}": item["verdict"] for item in failed.report["masking"]}
    assert failed.table not in masked
    assert set(masked.values()) == {"masked"}
    missing = [item["job"] for item in failed.report["shards"] if not item["bytes"]]
    assert missing == [failed.job]


def test_only_what_needs_the_shard_failed(failed: Failed) -> None:
    broken = {key for key, state in failed.tasks.items() if state == "failed"}
    assert ("shard.export", failed.job) in broken
    assert [item for task, item in broken if task == "unit.await_loaded"] == [unit_of(failed)]
    of_units = Counter(state for (task, _), state in failed.tasks.items() if task.startswith("unit."))
    del of_units["success"]
    assert of_units == {"failed": 1, "upstream_failed": 4}, "its unit alone"
    assert {task for task, _ in broken} <= {
        *("shard.export", "unit.await_loaded", "release_target", "publish_report"),
    }  # fmt: skip
    assert failed.tasks["constraints", ""] == "upstream_failed"


@pytest.mark.usefixtures("failed")
def test_accounts_stay_locked(home: Home) -> None:
    for user in ("APP_READER", "APP", "DOCS", "TEST"):
        with pytest.raises(oracledb.DatabaseError, match="ORA-28000"):
            home.connect("target", user)


def test_clearing_publishes_when_the_cause_is_gone(home: Home, failed: Failed) -> None:
    (failed.obstacle / "something").unlink()
    failed.obstacle.rmdir()
    body = {"dry_run": False, "only_failed": True}
    home.api.request("POST", f"/api/v2/dags/{DAG}/dagRuns/{RUN}/clear", body)
    assert ended(home) == "success", states(home)
    published = report(home)
    assert published["status"] == "published"
    assert {item["verdict"] for item in published["tables"]} == {"equal"}
    assert {item["verdict"] for item in published["masking"]} == {"masked"}
    assert published["scn"] == failed.report["scn"]
    told = {(one["task"], one["item"]): one for one in published["failed_tries"]}
    assert "ORA-27040" in told["shard.export", failed.job]["telling"]
    assert all(one["mended"] for one in told.values()), told
    assert len(published["passes"]) == 2
    assert published["worked_seconds"] > published["seconds"]
    home.connect("target", "APP_READER").close()
    assert home.dump_files() == []


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs /proc")
@pytest.mark.usefixtures("again")
def test_down_leaves_no_process(home: Home) -> None:
    assert len(home.processes()) > 6
    done = home.stack("down")
    assert done.returncode == 0, done.stdout
    # A process that has given its lock back still has its interpreter to end.
    until(lambda: not home.processes(), 300)
    with pytest.raises((urllib.error.URLError, ConnectionError)):
        home.api.request("GET", "/api/v2/version")
    assert os.path.exists(home.reports / "latest" / "report.html")
