"""The environment in which operators find the demo databases."""

from __future__ import annotations

import json

import pytest

from support.demo import DemoDatabase, airflow_connection


@pytest.fixture
def connections(
    demo_source: DemoDatabase, demo_target: DemoDatabase, monkeypatch: pytest.MonkeyPatch
) -> pytest.MonkeyPatch:
    """The three Airflow connections of the demo definition."""
    monkeypatch.setenv("AIRFLOW_CONN_ORACLE_SOURCE", airflow_connection(demo_source))
    monkeypatch.setenv("AIRFLOW_CONN_ORACLE_TARGET", airflow_connection(demo_target))
    key = {"conn_type": "generic", "password": "0123456789abcdef" * 4}
    monkeypatch.setenv("AIRFLOW_CONN_REFRESH_MASKING_KEY", json.dumps(key))
    monkeypatch.setenv("AIRFLOW__ORACLE_REFRESH__POLL_SECONDS", "0.05")
    return monkeypatch
