"""Run the tests of each mutant's module: one process has imported the libraries and forks for each mutant."""

from __future__ import annotations

import hashlib
import importlib
import json
import math
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from mutants import databases
from mutants.choose import UNKNOWN, Tests, tier
from mutants.sample import Mutant

#: Libraries that tests import. None reads the environment that the tests set for Airflow.
LIBRARIES = (
    *("hypothesis", "sqlglot", "oracledb", "psycopg", "sqlalchemy.orm", "sqlalchemy.ext.asyncio"),
    *("pydantic", "fastapi", "httpx", "psutil", "xdist", "rfc3987_syntax", "jsonschema", "pendulum"),
    *("faker", "yaml", "rich", "cryptography.fernet", "structlog", "lark", "jinja2", "croniter", "cadwyn"),
)
#: A run that has made no progress for so many seconds hangs.
PATIENCE = 400.0


class Progress:
    """Plugin of pytest: keeps to the bound of a run, and writes what happens to a file."""

    def __init__(self, file: Path, costs: dict[str, float], bound: float, only: frozenset[str]) -> None:
        self.file, self.costs, self.bound, self.only = file, costs, bound, only
        self.order: list[str] = []
        self.start: Callable[[], None] = lambda: None
        self.state: dict[str, Any] = {"tests": 0, "seconds": 0.0, "by": "", "why": "", "failed": []}

    def _write(self) -> None:
        self.file.write_text(json.dumps(self.state))

    def pytest_sessionstart(self) -> None:
        from hypothesis import Phase, settings

        # To find the smallest example that fails takes longer than to find one.
        phases = [Phase.explicit, Phase.reuse, Phase.generate]
        settings.register_profile("mutants", settings.get_profile("refresh"), phases=phases)
        settings.load_profile("mutants")
        self.start()

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        files = {item: item.nodeid.partition("::")[0] for item in items}
        items.sort(key=lambda item: self.order.index(files[item]) if files[item] in self.order else 0)
        left, kept = self.bound, []
        for item in items:
            if self.only and item.nodeid not in self.only:
                continue
            cost = self.costs.get(item.nodeid, UNKNOWN[tier(files[item])])
            if cost <= left or not kept:
                left -= cost
                kept.append(item)
        # The cheapest tier first: most mutants are killed there.
        items[:] = sorted(kept, key=lambda item: list(UNKNOWN).index(tier(files[item])))
        self._write()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._write()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.state["tests"] += report.when == "call"
        self.state["seconds"] = round(self.state["seconds"] + report.duration, 2)
        self._failed(report)
        self._write()

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self._failed(report)

    def _failed(self, report: Any) -> None:
        if report.failed:
            self.state["failed"].append(report.nodeid)
            if not self.state["by"]:
                self.state |= {"by": report.nodeid or "session", "why": str(report.longrepr)[-300:]}


def preload() -> None:
    # Each run would compile all modules again.
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    for name in LIBRARIES:
        with suppress(ImportError):
            importlib.import_module(name)


@contextmanager
def changed(tree: Path, mutant: Mutant | None) -> Iterator[bool]:
    """Apply a mutant to the nearest place that has its old lines. False where there is none."""
    if mutant is None:
        yield True
        return
    path = tree / mutant.file
    source = path.read_text() if path.exists() else ""
    lines, old = source.splitlines(), mutant.old.splitlines()
    places = [at for at in range(len(lines)) if lines[at : at + len(old)] == old]
    if not places:
        yield False
        return
    at = min(places, key=lambda each: abs(each + 1 - mutant.line))
    times = path.stat()
    path.write_text("\n".join([*lines[:at], *mutant.new.splitlines(), *lines[at + len(old) :]]) + "\n")
    # Compiled files are recognised by the second of the source's change: each mutant has one of its own.
    later = times.st_mtime + 1000 + mutant.id
    os.utime(path, (later, later))
    try:
        yield True
    finally:
        path.write_text(source)
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def in_fork(tree: Path, work: Callable[[], None], progress: Path, patience: float) -> bool:
    """Run `work` with the tree's packages in a forked process. False where it hangs.

    It has the folder of a test session that exists already (tests/support/session_folder.py). Otherwise its
    end reads the environment of all processes three times, which takes longer than most tests.
    """
    progress.write_text("{}")
    folder = Path(tempfile.mkdtemp(prefix="tests-"))
    try:
        return _in_fork(tree, work, progress, patience, folder)
    finally:
        if any(folder.glob("localoracle_*")) or time.time() - progress.stat().st_mtime > patience:
            end = (
                f"import pathlib, support.session_folder as all; all.clear(pathlib.Path({str(folder)!r}), ())"
            )
            subprocess.run([sys.executable, "-c", end], cwd=tree / "tests", check=False)
        shutil.rmtree(folder, ignore_errors=True)


def _in_fork(tree: Path, work: Callable[[], None], progress: Path, patience: float, folder: Path) -> bool:
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.setpgid(0, 0)
            os.chdir(tree)
            paths = [str(tree / "provider"), str(tree / "dev")]
            sys.path[:0] = paths
            os.environ |= {"PYTHONPATH": os.pathsep.join(paths), "TMPDIR": str(folder)}
            os.environ["REFRESH_TEST_SESSION"] = tempfile.tempdir = str(folder)
            log = os.open(progress.with_suffix(".log"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(log, 1)
            os.dup2(log, 2)
            work()
            code = 0
        finally:
            os._exit(code)
    while os.waitpid(child, os.WNOHANG)[0] == 0:
        if time.time() - progress.stat().st_mtime > patience:
            os.killpg(child, signal.SIGTERM)
            time.sleep(20)
            with suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return False
        time.sleep(0.05)
    return True


class Runner:
    """Runs mutants in one tree that nothing else uses."""

    def __init__(self, tree: Path, tests: Tests, bound: float, system: bool = False) -> None:
        self.tree, self.tests, self.bound, self.system = tree, tests, bound, system
        self.progress = tree.with_name(f"{tree.name}.json")
        self.log = tree.with_name(f"{tree.name}-results.jsonl")
        name = hashlib.sha256(str(tree).encode()).hexdigest()[:8]
        # PostgreSQL's user cannot enter each folder that a checkout may be in.
        self.templates = databases.Templates(Path(tempfile.gettempdir()) / f"mutants-{name}")

    def run(
        self, mutant: Mutant | None, files: list[str], only: frozenset[str] = frozenset()
    ) -> dict[str, Any]:
        """Run tests of the files up to the first that fails, or only some tests of an unchanged tree."""
        plugin = Progress(self.progress, self.tests.costs, self.bound if mutant else math.inf, only)
        plugin.order, plugin.start = files, lambda: self.templates.use(mutant)
        first = ["-x"] if mutant else []
        arguments = ["-q", "--no-header", "--tb=short", "-p", "no:cacheprovider", *first, *files]

        def work() -> None:
            plugin.state["code"] = int(pytest.main(arguments, plugins=[plugin]))
            self.progress.write_text(json.dumps(plugin.state))

        ended = in_fork(self.tree, work, self.progress, PATIENCE)
        state: dict[str, Any] = json.loads(self.progress.read_text() or "{}")
        return state | {"ended": ended}

    def outcome(self, mutant: Mutant) -> dict[str, Any]:
        words = self.tests.of(mutant.file, self.bound, self.system)
        start = time.time()
        with changed(self.tree, mutant) as applied:
            if not applied:
                return {"id": mutant.id, "outcome": "gone"}
            state = self.run(mutant, words)
        if not state["ended"]:
            state["by"] = "timeout"
        passed = state.get("code") in (int(pytest.ExitCode.OK), int(pytest.ExitCode.NO_TESTS_COLLECTED))
        outcome = "survived" if passed else "killed"
        seconds = round(time.time() - start, 1)
        kept = {key: state.get(key, "") for key in ("by", "why", "tests", "seconds")}
        return {"id": mutant.id, "outcome": outcome, **kept, "files": words, "wall": seconds}

    def close(self) -> None:
        """Remove tree and databases, but not the results."""
        command = ["git", "worktree", "remove", "--force", str(self.tree)]
        subprocess.run(command, cwd=Path(__file__).parent, check=True)
        shutil.rmtree(self.templates.place, ignore_errors=True)

    def results(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log.read_text().splitlines()] if self.log.exists() else []


def make_tree(root: Path, place: Path, commit: str) -> None:
    """Check the commit out, or restore what an interrupted run has changed."""
    if not place.exists():
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", place, commit], cwd=root, check=True)
    subprocess.run(["git", "checkout", "--quiet", "--force", commit, "--", "."], cwd=place, check=True)


def run_share(runner: Runner, mutants: list[Mutant]) -> None:
    """Run mutants one after the other; results of an interrupted run are kept."""
    preload()
    if not runner.templates.made.exists():
        in_fork(runner.tree, runner.templates.make, runner.progress, 3600)
    known = {each["id"] for each in runner.results()}
    # In an order without meaning: an unfinished run is a sample too.
    for mutant in sorted(mutants, key=lambda each: hashlib.sha256(each.new.encode()).hexdigest()):
        if mutant.id not in known:
            outcome = runner.outcome(mutant)
            with runner.log.open("a") as file:
                file.write(json.dumps(outcome) + "\n")


def wrongly_killed(runner: Runner, results: list[dict[str, Any]]) -> set[int]:
    """Return mutants whose test fails without the mutant too."""
    tests = frozenset(each["by"] for each in results if "::" in each.get("by", ""))
    files = sorted({test.partition("::")[0] for test in tests})
    failed = set(runner.run(None, files, tests)["failed"]) if files else set()
    return {each["id"] for each in results if each.get("by") in failed}
