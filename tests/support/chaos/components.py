"""The processes of a home, each of which can be killed, stopped and started again by itself."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Collection
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path

import psutil

from stack import processes
from stack.processes import Started
from support.home import ROOT, Home
from support.waiting import until

#: The title of a process that runs a task, or supervises it: the id of the task instance is in it.
TASK = re.compile(r"airflow worker -- (?:LocalExecutor: )?([0-9a-f-]{36})")
SUPERVISOR = "LocalExecutor"
COMPONENT_NAMES = ("scheduler", "triggerer", "api-server", "dag-processor")


@dataclass
class Components:
    """Airflow's components and the two databases of a home that runs."""

    home: Home
    #: What was orphaned by a kill, or stood still for too long, and goes on until somebody looks for it.
    orphans: list[psutil.Process] = field(default_factory=list)

    def kill(self, name: str) -> None:
        """End a component with all that it has started, as a service manager or a machine does."""
        for process in self._family(name):
            with suppress(psutil.NoSuchProcess):
                process.kill()

    def kill_alone(self, name: str) -> None:
        """End the component's own process; its children do not learn of it."""
        first, *children = self._family(name)
        self.orphans += children
        first.kill()

    def start(self, name: str) -> None:
        """Start a component that was killed, as `airflow NAME` does; returns at once."""
        begun = processes.start(
            [sys.executable, "-m", "airflow", name],
            self.airflow_environment,
            self.home.folder / "log" / f"airflow-{name}.log",
        )
        self._note(name, begun)

    def running(self, name: str) -> bool:
        return processes.alive(self._noted()[name])

    def kill_database(self, name: str) -> None:
        """End the server's process; PostgreSQL below it ends with it."""
        process = self._database(name)
        process.kill()
        until(lambda: not process.is_running() or process.status() == psutil.STATUS_ZOMBIE, f"for {name}")

    def start_database(self, name: str) -> None:
        done = self.home.localoracle("start", name)
        assert done.returncode == 0, done.stdout

    def signal(self, name: str, number: signal.Signals) -> None:
        """To a component or a database, with its children in Airflow."""
        known = [self._database(name)] if name in ("source", "target") else self._family(name)
        for process in known:
            with suppress(psutil.NoSuchProcess):
                process.send_signal(number)

    def supervisors(self, ids: Collection[str]) -> list[psutil.Process]:
        """Those that supervise one of these task instances right now, the oldest first."""
        wanted = {_bare(each) for each in ids}
        found = [one for one in self._family("scheduler") if supervised(_title(one)) in wanted]
        return sorted(found, key=lambda one: one.pid)

    def orphan_titles(self) -> list[str]:
        return [title for title in map(_title, self.orphans) if title]

    def end_orphans(self) -> None:
        """What somebody does who finds processes of a scheduler that is no more."""
        for process in self.orphans:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        self.orphans.clear()

    @cached_property
    def airflow_environment(self) -> dict[str, str]:
        """That of the home's components; `stack` reads its settings when it is imported."""
        told = subprocess.run(
            [
                sys.executable,
                "-c",
                "import json; from stack import settings; print(json.dumps(settings.airflow_environment()))",
            ],
            cwd=ROOT,
            env=self.home.environment,
            check=True,
            capture_output=True,
            text=True,
        )
        environment: dict[str, str] = json.loads(told.stdout)
        return environment

    def _family(self, name: str) -> list[psutil.Process]:
        try:
            first = psutil.Process(self._noted()[name].pid)
            return [first, *first.children(recursive=True)]
        except psutil.NoSuchProcess:
            return []

    def _database(self, name: str) -> psutil.Process:
        return psutil.Process(int((self.home.folder / name / "localoracle.pid").read_text()))

    @property
    def _file(self) -> Path:
        return self.home.folder / "airflow" / "processes.json"

    def _noted(self) -> dict[str, Started]:
        return {name: Started(**entry) for name, entry in json.loads(self._file.read_text()).items()}

    def _note(self, name: str, begun: Started) -> None:
        """So that `stack down` finds it."""
        noted = self._noted() | {name: begun}
        written = self._file.with_suffix(".new")
        written.write_text(json.dumps({each: asdict(process) for each, process in noted.items()}))
        os.replace(written, self._file)


def resumed(home: Home, run_id: str, dag_id: str = "test_data_refresh") -> subprocess.CompletedProcess[str]:
    """Clear what has failed in a run, as the how-to says."""
    words = ("airflow", "oracle-refresh", "resume", run_id, "--dag-id", dag_id)
    return subprocess.run(
        [sys.executable, "-m", *words],
        env=Components(home).airflow_environment,
        cwd=ROOT,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=600,
    )


def supervised(title: str) -> str:
    """The id of the task instance that a process of this title supervises; empty where it supervises none."""
    found = TASK.match(title) if SUPERVISOR in title else None
    return _bare(found[1]) if found else ""


def _bare(instance_id: str) -> str:
    """As SQLite has it."""
    return instance_id.replace("-", "")


def _title(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""
