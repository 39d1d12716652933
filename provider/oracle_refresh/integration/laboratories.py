"""What the DAGs of the laboratories share: they are started by hand and run one at a time."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from airflow.sdk import Param

from oracle_refresh.integration.retries import OracleRetryPolicy

BY_HAND: dict[str, Any] = {
    "schedule": None,
    "catchup": False,
    "max_active_runs": 1,
    "render_template_as_native_obj": False,
}


def task_defaults(pool: str) -> dict[str, Any]:
    """The arguments that all tasks of such a DAG have."""
    return {
        "definition": "{{ params.definition }}",
        "pool": pool,
        "retries": 2,
        "retry_delay": timedelta(seconds=5),
        "retry_policy": OracleRetryPolicy(),
    }


def number(default: int, most: int, title: str, description: str, section: str, least: int = 1) -> Param:
    """A whole number of the trigger form."""
    shown: dict[str, Any] = {"title": title, "description": description, "section": section}
    return Param(default, type="integer", minimum=least, maximum=most, **shown)
