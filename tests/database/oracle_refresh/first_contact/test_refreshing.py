"""What the fifth step does before it triggers anything."""

from __future__ import annotations

from typing import Any

import oracledb
import pytest

from oracle_refresh.errors import PreflightError
from oracle_refresh.first_contact.refreshing import LEFT, LEFT_RUN, refresh_small_schema
from oracle_refresh.first_contact.runs import TaskRun
from oracle_refresh.run_store import RunStore
from support.transfer import demo


class StillGoing:
    """A DAG whose runs never end."""

    dag_id = "refresh"

    def trigger(self, run_id: str, conf: dict[str, Any]) -> None:
        pytest.fail("nothing is to be triggered")

    def require_ended(self, run_id: str) -> None:
        raise PreflightError(f"{run_id} has not ended", step="first contact")

    def await_end(self, run_id: str) -> str:
        return "running"

    def tasks(self, run_id: str) -> tuple[TaskRun, ...]:
        return ()


def test_what_is_left_of_a_run_that_still_goes_is_not_forgotten(
    source: oracledb.Connection, target: oracledb.Connection
) -> None:
    store = RunStore(target)
    store.ensure()
    store.put(LEFT_RUN, LEFT, "former", {"run_id": "former"})
    with pytest.raises(PreflightError, match="former has not ended"):
        refresh_small_schema(source, target, demo(schemas=["DOCS"]), "first_contact", StillGoing())
    assert store.results(LEFT_RUN, LEFT) == [{"run_id": "former"}]
    store.drop(LEFT_RUN, LEFT, "former")
