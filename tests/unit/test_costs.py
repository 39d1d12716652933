"""What test files cost, and the budget of their folders."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from support import costs
from support.costs import Accounts, Budget, Cost, ProcessTree
from support.scheduling import SHARED, SPREAD

BUSY = "import time; end = time.process_time() + 0.4\nwhile time.process_time() < end: pass"
BUDGET = Budget(probe=0.1, total=30, folders={"tests/a": 10, "tests/a/b": 20}, longest={})


def complaints(budget: Budget = BUDGET, scale: float = 1.0, **costs: float) -> list[str]:
    files = {f"tests/{name.replace('_', '/')}.py": Cost(cpu, 0.0) for name, cpu in costs.items()}
    return budget.complaints(files, scale)


def test_budget_folder_within_the_tolerance_passes() -> None:
    assert complaints(a_x=4, a_y=16, a_b_x=40) == []


def test_budget_folder_beyond_the_tolerance_is_named_with_its_seconds() -> None:
    assert complaints(a_x=4, a_y=17, a_b_x=20) == ["tests/a took 21 CPU s of 10"]


def test_budget_scales_figures_of_a_slower_machine() -> None:
    assert complaints(scale=0.5, a_x=40) == []
    assert complaints(scale=0.5, a_x=41)


def test_budget_without_a_folder_for_a_file_fails() -> None:
    assert complaints(c_x=3) == ["no folder in budget.toml holds tests of 3 CPU s"]


def test_budget_folders_beyond_the_total_fail() -> None:
    found = complaints(Budget(0.1, 29, BUDGET.folders, {}))
    assert found == ["[folders] promises 30 s, more than total = 29"]


@pytest.mark.parametrize(
    ("cpu", "probe", "failed"),
    [
        pytest.param(20.0, 0.1, False, id="within"),
        pytest.param(21.0, 0.1, True, id="over"),
        pytest.param(21.0, 0.2, False, id="within on a slower machine"),
        pytest.param(20.0, 0.05, False, id="within on a machine with a faster probe"),
    ],
)
def test_run_over_its_budget_fails(
    cpu: float, probe: float, failed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(costs, "COSTS", tmp_path / "costs.json")
    monkeypatch.setattr(Budget, "read", lambda: BUDGET)
    reports: list[pytest.CollectReport] = []
    hook = SimpleNamespace(pytest_collectreport=lambda report: reports.append(report))
    config: Any = SimpleNamespace(getoption=lambda _: True, hook=hook)
    session: Any = SimpleNamespace(exitstatus=pytest.ExitCode.OK)
    accounts = Accounts(config)
    worker = {"costs": {"tests/a/x.py": (cpu, 1.0)}, "probes": [probe]}
    accounts.pytest_testnodedown(SimpleNamespace(workeroutput=worker))
    accounts.pytest_sessionfinish(session, pytest.ExitCode.OK)
    assert [report.failed for report in reports] == [True] * failed
    assert session.exitstatus == (pytest.ExitCode.TESTS_FAILED if failed else pytest.ExitCode.OK)


def test_budget_file_and_scheduling_name_existing_paths() -> None:
    budget, root = Budget.read(), Path(__file__).parents[2]
    named = [*budget.folders, *budget.longest, *SHARED, *SPREAD]
    assert [path for path in named if not (root / path).exists()] == ["session fixtures"]
    assert sum(budget.folders.values()) <= budget.total


def test_probe_takes_cpu_time_of_its_process() -> None:
    assert costs.probe() > 0


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs /proc")
@pytest.mark.parametrize("detached", [False, True], ids=["child", "daemon"])
def test_process_tree_counts_what_children_and_daemons_spent(
    detached: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_XDIST_WORKER", "the_tested_one")
    tree, done = ProcessTree("the_tested_one"), tmp_path / "done"
    before, script = tree.cpu(), f"{BUSY}\nopen({str(done)!r}, 'w'); time.sleep({2 if detached else 0})"
    command = [sys.executable, "-c", script]
    if detached:
        started = f"import subprocess; subprocess.Popen({command!r}, start_new_session=True)"
        command = [sys.executable, "-c", started]
    subprocess.run(command, check=True)
    while not done.exists():
        time.sleep(0.05)
    spent = tree.cpu() - before
    assert spent >= 0.4
    time.sleep(2.5 if detached else 0)
    assert tree.cpu() - before >= spent, "what an ended process spent stays counted"
