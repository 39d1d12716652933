"""Measure what each test file costs, and hold the folders of tests to `tests/budget.toml`.

A worker measures CPU seconds of itself and of all processes that its tests started, PostgreSQL included.
Budgets are CPU seconds of the machine they were recorded on. A probe, run between test files while all
workers are busy, scales down the figures of slower machines. It starts a process, imports modules and builds
many small objects, as tests do. A loop over numbers ran at the same speed on a machine where the tests took
1.5 times as long. `.local/test_costs.json` has the unscaled figures of all files.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from support import session_folder

TESTS = Path(__file__).parents[1]
BUDGET = TESTS / "budget.toml"
COSTS = TESTS.parent / ".local" / "test_costs.json"
SESSION_FIXTURES = "session fixtures"
PROBE = "import ast, inspect, _pydecimal as m; [ast.parse(inspect.getsource(m)) for _ in range(5)]"
PROBE_EVERY_SECONDS = 30.0
TOLERANCE = 2.0
"""Times its budget, a folder fails the run: the probe corrects the speed of a machine only roughly."""
LISTED = 10
WAIT_SECONDS, WAIT_RATIO = 5.0, 2.0
"""A file is listed as waiting when its wall time exceeds its CPU time by these."""


@dataclass(frozen=True)
class Budget:
    """The parsed `tests/budget.toml`; times in seconds."""

    probe: float
    total: float
    folders: Mapping[str, float]
    longest: Mapping[str, float]

    @classmethod
    def read(cls, file: Path = BUDGET) -> Budget:
        return cls(**tomllib.loads(file.read_text(encoding="utf-8")))

    def folder_of(self, path: str) -> str:
        """Return the innermost folder with a budget that holds this path."""
        holding = [folder for folder in self.folders if f"{path}/".startswith(f"{folder}/")]
        return max(holding, key=len, default="")

    def complaints(self, costs: Mapping[str, Cost], scale: float) -> list[str]:
        """Return why a run of all tests breaks the budget.

        :param costs: by test file.
        :param scale: speed of this machine relative to the machine of the budget; multiplies CPU seconds.
        """
        found = []
        if (promised := sum(self.folders.values())) > self.total:
            found.append(f"[folders] promises {promised:.0f} s, more than total = {self.total:.0f}")
        for folder, spent in self.spent(costs, scale).items():
            if not folder:
                found.append(f"no folder in {BUDGET.name} holds tests of {spent:.0f} CPU s")
            elif spent > self.folders[folder] * TOLERANCE:
                found.append(f"{folder} took {spent:.0f} CPU s of {self.folders[folder]:.0f}")
        return found

    def spent(self, costs: Mapping[str, Cost], scale: float) -> Counter[str]:
        """Return the scaled CPU seconds of each folder with a budget."""
        spent = Counter(dict.fromkeys(self.folders, 0.0))
        for file, cost in costs.items():
            spent[self.folder_of(file)] += cost.cpu * scale
        return spent


@dataclass
class Cost:
    """Seconds that the tests of a file took: CPU of all processes, and wall time in their worker."""

    cpu: float = 0.0
    wall: float = 0.0

    def add(self, cpu: float, wall: float) -> None:
        self.cpu += cpu
        self.wall += wall


Process = tuple[str, int, float]
"""Start time, process id of the parent, CPU seconds with those of children that it waited for."""


@dataclass
class ProcessTree:
    """CPU seconds of this process and of all that its tests started, ended ones included.

    Daemons leave the tree of parents. They are found by the environment that they inherited. Airflow's
    daemons overwrite theirs with a title and are not counted.
    """

    worker: str
    processes: dict[int, Process] = field(default_factory=dict)
    """As last seen, by process id."""
    marked: dict[tuple[int, str], bool] = field(default_factory=dict)
    lost: float = 0.0

    def cpu(self) -> float:
        """Return the seconds so far. A short-lived process counts if its parent waits for it."""
        seen = dict(_processes())
        found: dict[int, bool] = {os.getpid(): True}
        ours = {pid: process for pid, process in seen.items() if self._is_ours(pid, seen, found)}
        for pid, (start, parent, seconds) in self.processes.items():
            if (pid not in ours or ours[pid][0] != start) and parent not in self.processes:
                self.lost += seconds  # no process of ours waited for it
        self.processes = ours
        return self.lost + sum(seconds for _, _, seconds in ours.values())

    def _is_ours(self, pid: int, seen: Mapping[int, Process], found: dict[int, bool]) -> bool:
        if pid not in seen:
            return False
        if pid not in found:
            start, parent, _ = seen[pid]
            found[pid] = self._is_marked(pid, start) or self._is_ours(parent, seen, found)
        return found[pid]

    def _is_marked(self, pid: int, start: str) -> bool:
        if (pid, start) not in self.marked:
            try:
                environment = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
            except OSError:
                environment = []
            session = f"{session_folder.VARIABLE}={session_folder.folder()}".encode()
            worker = f"PYTEST_XDIST_WORKER={self.worker}".encode()
            self.marked[pid, start] = session in environment and worker in environment
        return self.marked[pid, start]


def _processes() -> Iterator[tuple[int, Process]]:
    ticks = os.sysconf("SC_CLK_TCK")
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat") as file:
                words = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        # proc(5): fields 4 (parent), 14 to 17 (user and system time, and those of children), 22 (start).
        yield int(pid), (words[19], int(words[1]), sum(map(int, words[11:15])) / ticks)


def probe() -> float:
    """Return the CPU seconds, user and system, that the process of the probe takes now."""
    process = os.posix_spawn(sys.executable, [sys.executable, "-I", "-c", PROBE], os.environ)
    _, status, used = os.wait4(process, 0)
    assert status == 0, status
    return used.ru_utime + used.ru_stime


class Meter:
    """The costs of the files whose tests this process runs."""

    def __init__(self) -> None:
        self.tree = ProcessTree(os.environ.get("PYTEST_XDIST_WORKER", ""))
        self.costs: dict[str, Cost] = {}
        self.file = ""
        self.probes = [probe()]
        self.probed = time.monotonic()
        self.charged = self._now()

    def _now(self) -> tuple[float, float]:
        return self.tree.cpu(), time.monotonic()

    def _charge(self, name: str) -> None:
        """Add the time since the last charge to a file or fixture."""
        (cpu, wall), self.charged = self.charged, self._now()
        self.costs.setdefault(name, Cost()).add(self.charged[0] - cpu, self.charged[1] - wall)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> Generator[None, object, object]:
        file = item.nodeid.partition("::")[0]
        if file != self.file:
            self.file, self.charged = file, self._now()
        result = yield
        if nextitem is None or nextitem.path != item.path:
            self._charge(file)
            if time.monotonic() - self.probed > PROBE_EVERY_SECONDS:
                self.probes.append(probe())
                self.probed = time.monotonic()
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Generator[None, object, object]:
        if fixturedef.scope != "session":
            return (yield)
        self._charge(self.file)
        result = yield
        self._charge(f"{SESSION_FIXTURES}/{fixturedef.argname}")
        return result

    @pytest.hookimpl(optionalhook=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        told = {name: (cost.cpu, cost.wall) for name, cost in self.costs.items()}
        output = getattr(session.config, "workeroutput", None)
        if output is not None:
            output["costs"], output["probes"] = told, self.probes


class Accounts:
    """In the controller: the costs of all workers, printed at the end and held to the budget."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.costs: dict[str, Cost] = {}
        self.probes: list[float] = []

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        output = getattr(node, "workeroutput", {})
        for name, (cpu, wall) in output.get("costs", {}).items():
            self.costs.setdefault(name, Cost()).add(cpu, wall)
        self.probes += output.get("probes", [])

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if not self.costs:
            return
        COSTS.parent.mkdir(exist_ok=True)
        COSTS.write_text(json.dumps({name: vars(cost) for name, cost in self.costs.items()}, indent=1))
        if not self.config.getoption("budget") or exitstatus != pytest.ExitCode.OK:
            return
        if found := Budget.read().complaints(self.costs, self.scale()):
            told = f"over {BUDGET.name}; make a test cheaper:\n" + "\n".join(found)
            self.config.hook.pytest_collectreport(
                report=pytest.CollectReport("budget of the tests", "failed", told, [])
            )
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def scale(self) -> float:
        """Return the factor for CPU seconds, at most 1: a faster probe does not make all code faster."""
        return min(1.0, Budget.read().probe / statistics.median(self.probes))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if not self.costs:
            return
        scale, budget = self.scale(), Budget.read()
        write = terminalreporter.write_line
        terminalreporter.section("costs of the tests")
        write(f"the probe took {statistics.median(self.probes):.3f} CPU s: seconds x {scale:.2f}")
        for folder, seconds in sorted(budget.spent(self.costs, scale).items()):
            promised = budget.folders.get(folder, 0.0)
            over = "  (over budget)" if seconds > promised else ""
            write(f"{seconds:8.0f} of {promised:5.0f} CPU s  {folder}{over}")
        write("most expensive files, CPU and wall seconds:")
        for name, cost in sorted(self.costs.items(), key=lambda one: -one[1].cpu)[:LISTED]:
            write(f"{cost.cpu * scale:8.0f} {cost.wall * scale:8.0f}  {name}")
        waiting = {
            name: cost
            for name, cost in self.costs.items()
            if cost.wall > max(cost.cpu * WAIT_RATIO, cost.cpu + WAIT_SECONDS)
        }
        if waiting:
            write("files that wait most, CPU and wall seconds:")
        for name, cost in sorted(waiting.items(), key=lambda one: one[1].cpu - one[1].wall)[:LISTED]:
            write(f"{cost.cpu:8.0f} {cost.wall:8.0f}  {name}")


def pytest_addoption(parser: pytest.Parser) -> None:
    text = f"fail a run of all tests that breaks {BUDGET.name}"
    parser.addoption("--budget", action="store_true", help=text)


def pytest_configure(config: pytest.Config) -> None:
    if hasattr(config, "workerinput"):
        config.pluginmanager.register(Meter(), "meter of costs")
    elif config.getoption("numprocesses", None):
        config.pluginmanager.register(Accounts(config), "accounts of costs")
