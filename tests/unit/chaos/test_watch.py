"""When a task has started, and which process supervises it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from support.chaos.components import supervised
from support.chaos.plan import Moment
from support.chaos.watch import Metadata, Watch

ID = "01a215ed-ec17-732e-86ca-7dd092b74059"


def watch(folder: Path, *tries: tuple[str | None, int, str | None]) -> Watch:
    """Of one task by state, number of its try and start date."""
    with closing(sqlite3.connect(folder / "airflow.db")) as database:
        columns = "dag_id, run_id, task_id, map_index, state, try_number, start_date, id"
        database.execute("DROP TABLE IF EXISTS task_instance")
        database.execute(f"CREATE TABLE task_instance ({columns})")
        for number, (state, attempt, start) in enumerate(tries):
            row = ("dag", "run", "unit.mask", number, state, attempt, start, ID.replace("-", ""))
            database.execute("INSERT INTO task_instance VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        database.commit()
    return Watch(Metadata(folder / "airflow.db", "dag", "run"), folder / "statements.jsonl")


@pytest.mark.parametrize("state", ["running", "deferred", "success", "failed", "up_for_retry"])
def test_a_task_has_started_when_its_try_runs(tmp_path: Path, state: str) -> None:
    seen = watch(tmp_path, (state, 1, "2026-01-01"))
    seen.look()
    assert seen.reached(Moment("task unit.mask", 1))
    assert not seen.reached(Moment("task unit.mask", 2))


@pytest.mark.parametrize("state", [None, "scheduled", "queued"])
def test_the_start_of_a_former_try_is_none_of_the_next(tmp_path: Path, state: str | None) -> None:
    """Airflow keeps the date in the row until the new try runs."""
    seen = watch(tmp_path, (state, 2, "2026-01-01"))
    seen.look()
    assert not seen.reached(Moment("task unit.mask", 1))


@pytest.mark.parametrize(
    ("title", "instance"),
    [
        (f"airflow worker -- LocalExecutor: {ID}", ID.replace("-", "")),
        (f"airflow worker -- {ID}", ""),  # it runs the task
        ("airflow worker -- LocalExecutor: <idle>", ""),
        ("airflow scheduler", ""),
    ],
)
def test_a_supervisor_is_known_by_its_task(title: str, instance: str) -> None:
    assert supervised(title) == instance
