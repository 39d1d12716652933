"""Addresses of what a run has left in Airflow's web server: the same for links, messages and asset events."""

from __future__ import annotations

from urllib.parse import quote

from oracle_refresh.integration.compat import conf

#: Where the application of `ui/` is mounted.
PREFIX = "/oracle-refresh"


def file_address(dag_id: str, run_id: str, name: str) -> str:
    """The address of a file of a run, below `[api] base_url` where that is set."""
    return f"{_base()}{PREFIX}/runs/{quote(dag_id, safe='')}/{quote(run_id, safe='')}/{quote(name)}"


def question_address(dag_id: str, run_id: str, task_id: str) -> str:
    """Return where a task's required action is answered, below `[api] base_url` where that is set."""
    dag, run, task = (quote(part, safe="") for part in (dag_id, run_id, task_id))
    return f"{_base()}/dags/{dag}/runs/{run}/tasks/{task}/required_actions"


def _base() -> str:
    return str(conf.get("api", "base_url", fallback="") or "").rstrip("/")
