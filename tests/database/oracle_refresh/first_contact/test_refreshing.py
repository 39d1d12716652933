"""What the fifth step does before it triggers anything."""

from __future__ import annotations

import oracledb
import pytest

from oracle_refresh.errors import PreflightError
from oracle_refresh.first_contact import dag_run
from oracle_refresh.first_contact.refreshing import DAG_ID, LEFT, LEFT_RUN, refresh_small_schema
from oracle_refresh.run_store import RunStore
from support.transfer import demo


def test_what_is_left_of_a_run_that_still_goes_is_not_forgotten(
    source: oracledb.Connection, target: oracledb.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = RunStore(target)
    store.ensure()
    store.put(LEFT_RUN, LEFT, "former", {"run_id": "former"})

    def still_going(dag_id: str, run_id: str) -> None:
        assert (dag_id, run_id) == (DAG_ID, "former")
        raise PreflightError("it has not ended", step="first contact")

    monkeypatch.setattr(dag_run, "require_ended", still_going)
    with pytest.raises(PreflightError, match="has not ended"):
        refresh_small_schema(source, target, demo(schemas=["DOCS"]), "first_contact")
    assert store.results(LEFT_RUN, LEFT) == [{"run_id": "former"}]
    store.drop(LEFT_RUN, LEFT, "former")
