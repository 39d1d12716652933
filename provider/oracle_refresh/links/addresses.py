"""Addresses of what a run has left in Airflow's web server: the same for links, messages and asset events."""

from __future__ import annotations

from urllib.parse import quote

from oracle_refresh.integration.compat import conf

#: Where the application of `ui/` is mounted.
PREFIX = "/oracle-refresh"


def file_address(dag_id: str, run_id: str, name: str) -> str:
    """The address of a file of a run, below `[api] base_url` where that is set."""
    base = str(conf.get("api", "base_url", fallback="") or "").rstrip("/")
    return f"{base}{PREFIX}/runs/{quote(dag_id, safe='')}/{quote(run_id, safe='')}/{quote(name)}"
