"""What the fifth step does before it triggers anything."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import oracledb
import pytest

from oracle_refresh.first_contact.refreshing import LEFT, LEFT_RUN, Asked, LeftRun, refresh_small_schema
from oracle_refresh.first_contact.runs import TaskRun
from oracle_refresh.oracle.errors import PreflightError
from oracle_refresh.run.documents import Documents
from support.transfer import demo


class StillGoing:
    """A DAG whose runs never end."""

    dag_id = "refresh"

    def trigger(self, run_id: str, conf: dict[str, Any]) -> None:
        pytest.fail("nothing is to be triggered")

    def require_ended(self, run_id: str) -> None:
        raise PreflightError(f"{run_id} has not ended", step="first contact")

    def await_end(self, run_id: str, longest: float, look: Callable[[tuple[TaskRun, ...]], None]) -> str:
        look(self.tasks(run_id))
        return "running"

    def tasks(self, run_id: str) -> tuple[TaskRun, ...]:
        return ()


def test_what_is_left_of_a_run_that_still_goes_is_not_forgotten(
    source: oracledb.Connection, target: oracledb.Connection
) -> None:
    documents = Documents(target, LEFT_RUN)
    documents.ensure()
    documents.put(LEFT, "former", LeftRun("former"))
    with pytest.raises(PreflightError, match="former has not ended"):
        refresh_small_schema(
            lambda: nullcontext((source, target)),
            Asked(demo(schemas=["DOCS"]), "first_contact"),
            StillGoing(),
        )
    assert documents.all(LEFT) == [LeftRun("former")]
    documents.drop(LEFT, "former")


class NeverEnding(StillGoing):
    """Triggers, and waits in vain; notes how many sessions are open meanwhile."""

    def __init__(self) -> None:
        self.sessions = 0
        self.open_while_waiting: int | None = None

    def trigger(self, run_id: str, conf: dict[str, Any]) -> None:
        self.run_id = run_id

    def require_ended(self, run_id: str) -> None:
        pytest.fail("nothing is left of a former climb")

    def tasks(self, run_id: str) -> tuple[TaskRun, ...]:
        return (
            TaskRun("plan", None, "success", None, None),
            TaskRun("shard.load", None, "running", None, None),
        )

    def await_end(self, run_id: str, longest: float, look: Callable[[tuple[TaskRun, ...]], None]) -> str:
        self.open_while_waiting = self.sessions
        return super().await_end(run_id, longest, look)


def test_a_run_that_does_not_end_is_left_to_airflow_and_not_forgotten(
    source: oracledb.Connection, target: oracledb.Connection
) -> None:
    runs = NeverEnding()

    @contextmanager
    def ends() -> Iterator[tuple[oracledb.Connection, oracledb.Connection]]:
        runs.sessions += 1
        yield source, target
        runs.sessions -= 1

    told: list[str] = []

    class Told:
        def report(self, done: float, total: float | None, unit: str, what: str) -> None:
            told.append(f"{what}: {done:.0f} of {total} {unit}")

    checks, facts = refresh_small_schema(ends, Asked(demo(schemas=["DOCS"]), "first_contact"), runs, Told())
    assert runs.open_while_waiting == 0
    assert told == ["plan: 1 of 2 tasks"]
    assert [(check.name, str(check.outcome)) for check in checks] == [
        ("plan", "passed"),
        ("shard.load", "skipped"),
        ("published", "failed"),
    ]
    assert "goes on" in str(checks[-1].problem)
    assert "Airflow" in str(checks[-1].remedy)
    documents = Documents(target, LEFT_RUN)
    assert documents.all(LEFT) == [LeftRun(runs.run_id)], "the next climb waits for its end"
    documents.drop(LEFT, runs.run_id)
    assert facts["run"]["state"] == "running"
