"""The fifth step of the ladder: the DAG refreshes the definition's one small schema, which stays so.

Needs an Airflow with a scheduler, whose configuration and connections are those of this environment.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import oracledb
import pytest

from oracle_refresh.cli.dag_runs import DagRuns
from oracle_refresh.cli.definition import DAG
from oracle_refresh.cli.progress import PrintedProgress
from oracle_refresh.first_contact.model import Outcome
from oracle_refresh.first_contact.refreshing import Asked, refresh_small_schema
from oracle_refresh.integration import settings

from .conftest import PREFIX, Pair


@pytest.mark.skipif(not os.environ.get(f"{PREFIX}LIVE_REFRESH"), reason=f"{PREFIX}LIVE_REFRESH is not set")
def test_a_small_schema_is_refreshed(pair: Pair) -> None:
    @contextmanager
    def ends() -> Iterator[tuple[oracledb.Connection, oracledb.Connection]]:
        with pair.source.connect() as source, pair.target.connect() as target:
            yield source, target

    checks, facts = refresh_small_schema(
        ends, Asked(pair.definition, settings.definition_name(pair.path)), DagRuns(DAG), PrintedProgress()
    )
    assert [check for check in checks if check.outcome is Outcome.FAILED] == []
    assert facts["run"]["state"] == "success"
