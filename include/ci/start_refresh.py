#!/usr/bin/env python3
"""Start a refresh through Airflow's REST API, and wait until it is published.

    start_refresh.py DAG_ID ['{"reason": "..."}'] [--minutes 240]

Needs Python 3.9 and no packages. The environment holds AIRFLOW_URL, and AIRFLOW_TOKEN or AIRFLOW_USER and
AIRFLOW_PASSWORD. Exit codes: 0 published, 1 not published, 2 Airflow refused the request or is not reachable,
3 still running after `--minutes`.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import uuid
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import HTTPRedirectHandler, Request, build_opener

PUBLISHED, NOT_PUBLISHED, REFUSED, LATE = range(4)
POLL_SECONDS = 10.0


class _NoRedirect(HTTPRedirectHandler):
    """Refuse redirects: urllib would send the token to whatever host they name."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Airflow:
    """The REST API of one Airflow."""

    def __init__(self) -> None:
        self.url, self._token = os.environ["AIRFLOW_URL"].rstrip("/"), os.environ.get("AIRFLOW_TOKEN")
        self._opener = build_opener(_NoRedirect)
        if not self._token:
            user = {"username": os.environ["AIRFLOW_USER"], "password": os.environ["AIRFLOW_PASSWORD"]}
            self._token = self.ask("/auth/token", user)["access_token"]

    def ask(self, path: str, body: dict[str, Any] | None = None) -> Any:
        """GET, or POST with a body. Return the JSON of the answer."""
        request = Request(f"{self.url}{path}", None if body is None else json.dumps(body).encode())
        request.add_header("Content-Type", "application/json")
        if self._token:
            request.add_header("Authorization", f"Bearer {self._token}")
        with self._opener.open(request, timeout=30) as answer:
            return json.load(answer)

    def poll(self, path: str) -> Any:
        """GET. Return None where the API is away for a moment, as while it restarts."""
        try:
            return self.ask(path)
        except HTTPError as error:
            if error.code < 500:
                raise
        except OSError:
            pass
        return None


def refresh(airflow: Airflow, dag_id: str, conf: dict[str, Any], minutes: float) -> int:
    """Return the exit code of a new run."""
    run_id, end = f"ci__{uuid.uuid4()}", time.monotonic() + minutes * 60
    path = f"{quote(dag_id, safe='')}/dagRuns/{quote(run_id, safe='')}"
    airflow.ask(
        f"/api/v2/dags/{quote(dag_id, safe='')}/dagRuns",
        {"dag_run_id": run_id, "logical_date": None, "conf": conf},
    )
    print(f"Started {airflow.url}/dags/{path.replace('/dagRuns/', '/runs/')}", flush=True)
    while (run := airflow.poll(f"/api/v2/dags/{path}")) is None or run["state"] not in ("success", "failed"):
        if time.monotonic() > end:
            print(f"Still running after {minutes:g} minutes; the run continues", file=sys.stderr)
            return LATE
        time.sleep(POLL_SECONDS)
    files = f"/oracle-refresh/runs/{path.replace('/dagRuns/', '/')}"
    try:
        status = airflow.ask(f"{files}/report.json")["status"]
        print(f"Report: {airflow.url}{files}/report.html")
    except HTTPError as error:
        if error.code != 404:
            raise
        status = "without report"
    published = run["state"] == "success" and status == "published"
    print(f"Run {run['state']}, refresh {status}", file=sys.stdout if published else sys.stderr)
    return PUBLISHED if published else NOT_PUBLISHED


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Start a refresh and wait until it is published.")
    parser.add_argument("dag_id")
    parser.add_argument("conf", nargs="?", type=json.loads, default={}, help="fields of the form, as JSON")
    parser.add_argument("--minutes", type=float, default=240, help="how long to wait (default: 240)")
    given = parser.parse_args(arguments)
    try:
        return refresh(Airflow(), given.dag_id, given.conf, given.minutes)
    except HTTPError as error:
        print(f"Airflow answered {error.code}: {error.read().decode(errors='replace')}", file=sys.stderr)
    except OSError as error:
        print(f"Airflow is not reachable: {error}", file=sys.stderr)
    except KeyError as error:
        print(f"Set the environment variable {error}", file=sys.stderr)
    return REFUSED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
