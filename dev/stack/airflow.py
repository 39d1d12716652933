"""Airflow's four processes and the few calls of its REST API that the stack needs."""

from __future__ import annotations

import json
import socket
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any

from localoracle.server.signals import deferred_signals
from stack import components, processes, settings

TRIES = 10
"""Of a request, a second apart, that the server answers late or with a failure of its own."""
LATE_SECONDS = 30.0
LAUNCH_LOG = settings.LOGS / "airflow-start.log"


def start() -> None:
    """Bring the metadata database up to date and start all components, unless they already run."""
    if running():
        return
    stop()
    _require_free_port()
    settings.AIRFLOW_HOME.mkdir(parents=True, exist_ok=True)
    LAUNCH_LOG.unlink(missing_ok=True)
    command = [sys.executable, "-m", components.__name__]
    # What is started is found and stopped later, also when this process is killed in between.
    with deferred_signals():
        launcher = processes.start(command, settings.airflow_environment(), LAUNCH_LOG)
        components.note({components.LAUNCHER: launcher})
    while processes.alive(launcher):
        time.sleep(0.05)
    if not _complete():
        raise SystemExit(f"Airflow did not start:\n{LAUNCH_LOG.read_text(errors='replace')[-4000:]}")


def _require_free_port() -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", settings.AIRFLOW_PORT))
        except OSError as error:
            raise SystemExit(
                f"port {settings.AIRFLOW_PORT} is taken ({error.strerror}); free it or set AIRFLOW_PORT"
            ) from None


def _complete() -> bool:
    return components.started().keys() == set(components.COMPONENTS)


def running() -> bool:
    return _complete() and all(map(processes.alive, components.started().values()))


def stop() -> None:
    """Nobody waits for the triggerer: triggers keep nothing, and it may see only after ten seconds that its
    triggers have ended."""
    stopped: dict[str, processes.Started] = {}
    # The launcher may have started another one in the meantime; it cannot when it is stopped.
    while (current := components.started()) != stopped:
        awaited = [process for name, process in current.items() if name != "triggerer"]
        processes.stop(list(current.values()), waited_for=awaited)
        stopped = current
    components.PID_FILE.unlink(missing_ok=True)


class Api:
    """Airflow's public REST API (v2) with the token of the simple auth manager."""

    def __init__(self, url: str = settings.AIRFLOW_URL) -> None:
        self._url = url
        self._token = ""

    def wait_until_ready(self, dag_id: str, timeout: float = 600) -> None:
        """Wait until the API answers and the DAG is known, on a busy machine too."""
        end = time.monotonic() + timeout
        problem = "no answer yet"
        while time.monotonic() < end:
            if not running():
                raise SystemExit(f"an Airflow process ended; see {settings.LOGS}/airflow-*.log")
            try:
                self.request("GET", f"/api/v2/dags/{dag_id}")
                return
            except (OSError, urllib.error.HTTPError, KeyError) as error:
                problem = str(error)
                time.sleep(0.3)
        raise SystemExit(f"Airflow was not ready within {timeout:.0f} s ({problem}); see {settings.LOGS}")

    def prepare_for_tasks(self) -> None:
        """Have the server generate the versions of the Execution API, unless it did.

        The first request of a task would do so too, but later, and the server answers nobody in these
        seconds.
        """
        while running():
            try:
                self._send("GET", "/execution/health")
                return
            except OSError:
                time.sleep(0.3)

    def ensure_pools(self, slots: dict[str, int]) -> None:
        """Create the pools that bound the work on each database, unless they are there."""
        for name, size in slots.items():
            try:
                self.request(
                    "POST", "/api/v2/pools", {"name": name, "slots": size, "include_deferred": False}
                )
            except urllib.error.HTTPError as error:
                if error.code != HTTPStatus.CONFLICT:
                    raise

    def trigger(self, dag_id: str, conf: dict[str, Any], run_id: str = "") -> str:
        """Start a run; its id. It has one before, so that a request sent again starts no second run."""
        run_id = run_id or f"manual__{datetime.now(UTC).isoformat()}"
        body = {"dag_run_id": run_id, "logical_date": None, "conf": conf}
        try:
            self.request("POST", f"/api/v2/dags/{dag_id}/dagRuns", body)
        except urllib.error.HTTPError as error:
            if error.code != HTTPStatus.CONFLICT:
                raise
        return run_id

    def last_run(self, dag_id: str) -> str:
        """The id of the DAG's last run; empty before its first one."""
        page = self.request("GET", f"/api/v2/dags/{dag_id}/dagRuns?order_by=-run_after&limit=1")
        return "".join(run["dag_run_id"] for run in page["dag_runs"])

    def xcom(self, dag_id: str, run_id: str, task: dict[str, Any]) -> Any:
        """The return value of a task instance."""
        path = (
            f"/api/v2/dags/{dag_id}/dagRuns/{urllib.parse.quote(run_id)}/taskInstances/{task['task_id']}"
            f"/xcomEntries/return_value?map_index={task['map_index']}&deserialize=true"
        )
        return self.request("GET", path)["value"]

    def run_state(self, dag_id: str, run_id: str) -> str:
        return str(
            self.request("GET", f"/api/v2/dags/{dag_id}/dagRuns/{urllib.parse.quote(run_id)}")["state"]
        )

    def task_instances(self, dag_id: str, run_id: str) -> list[dict[str, Any]]:
        instances: list[dict[str, Any]] = []
        path = f"/api/v2/dags/{dag_id}/dagRuns/{urllib.parse.quote(run_id)}/taskInstances"
        while True:
            page = self.request("GET", f"{path}?limit=100&offset={len(instances)}")
            instances += page["task_instances"]
            if len(instances) >= page["total_entries"] or not page["task_instances"]:
                return instances

    def overview(self, dag_id: str, run_id: str) -> dict[str, Any] | None:
        """What the run's tab is drawn from; None where the plugin has no answer. Airflow itself answers to
        paths that it does not know with a page."""
        path = f"/oracle-refresh/api/runs/{dag_id}/{urllib.parse.quote(run_id)}"
        try:
            overview: dict[str, Any] = self.request("GET", path)
        except (OSError, ValueError):
            return None
        return overview

    def log_tail(self, dag_id: str, run_id: str, task: dict[str, Any], lines: int = 15) -> list[str]:
        """The last lines of a task's log, for the console when it failed."""
        path = (
            f"/api/v2/dags/{dag_id}/dagRuns/{urllib.parse.quote(run_id)}/taskInstances/{task['task_id']}"
            f"/logs/{max(task['try_number'], 1)}?map_index={task['map_index']}"
        )
        content = self.request("GET", path).get("content", [])
        texts = [entry if isinstance(entry, str) else _log_line(entry) for entry in content]
        return [text for text in texts if text][-lines:]

    def request(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """The answer to one request, as JSON, or None where it has none. Raises urllib.error.HTTPError, and
        TimeoutError.

        What is answered late, as on a busy machine, is asked again, and what the server fails by itself, as
        when its SQLite was locked for too long. It may have been done all the same.
        """
        for left in reversed(range(TRIES)):
            try:
                if not self._token:
                    self._token = self._send("GET", "/auth/token")["access_token"]
                return self._send(method, path, body)
            except (TimeoutError, urllib.error.HTTPError) as error:
                if not left or (isinstance(error, urllib.error.HTTPError) and error.code < 500):
                    raise
                time.sleep(1)

    def _send(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        request = urllib.request.Request(
            self._url + path,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={
                "Content-Type": "application/json",
                "Accept": "application/json",
                **({"Authorization": f"Bearer {self._token}"} if self._token else {}),
            },
        )
        try:
            with urllib.request.urlopen(request, timeout=LATE_SECONDS) as response:
                text = response.read()
                return json.loads(text) if text else None
        except urllib.error.URLError as error:
            # One message for a timeout, wherever it occurs.
            raise error.reason if isinstance(error.reason, TimeoutError) else error from None


def _log_line(entry: dict[str, Any]) -> str:
    detail = entry.get("error_detail") or []
    causes = [f"{item.get('exc_type')}: {item.get('exc_value')}" for item in detail]
    return "\n".join([str(entry.get("event", "")), *causes])
