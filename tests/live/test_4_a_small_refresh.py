"""The fifth step of the ladder: the DAG refreshes the definition's one small schema, which stays so.

Needs an Airflow with a scheduler, whose configuration and connections are those of this environment.
"""

from __future__ import annotations

import os

import oracledb
import pytest

from oracle_refresh.cli.dag_runs import DagRuns
from oracle_refresh.cli.definition import DAG
from oracle_refresh.first_contact.model import Outcome
from oracle_refresh.first_contact.refreshing import refresh_small_schema

from .conftest import PREFIX, Pair


@pytest.mark.skipif(not os.environ.get(f"{PREFIX}LIVE_REFRESH"), reason=f"{PREFIX}LIVE_REFRESH is not set")
def test_a_small_schema_is_refreshed(
    pair: Pair, source: oracledb.Connection, target: oracledb.Connection
) -> None:
    checks, facts = refresh_small_schema(
        source, target, pair.definition, str(pair.path.resolve()), DagRuns(DAG)
    )
    assert [check for check in checks if check.outcome is Outcome.FAILED] == []
    assert facts["run"]["state"] == "success"
