"""`rerun.py [--background TARGET] TARGET...`: run make targets, and run each failed test again by itself.

A test that passes when it runs alone is listed under `FLAKY` with its first failure. More than `MOST_FLAKY`
of them fail the run, and so does a test that fails each time. Only failures of single tests are retried: a
crashed worker, an error of collection, an interrupted run, or a target without tests fails the run at once.

The target after `--background` runs at the lowest priority while the others run. Its output follows theirs.

The script needs Python only: on a new machine the targets make the environment that the tests run in.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

TRIES_ALONE = 2
MOST_FLAKY = 3
#: What the targets hand to pytest.
ARGUMENTS = "PYTEST_ARGUMENTS"
LOGS = Path(".local", "ci")
PYTHON = Path(".venv", "bin", "python")
ENDED = (0, 1)
"""Pytest's exit codes of a run that came to its end: all tests passed, or some failed."""
ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
COUNTED = ("failed", "passed", "skipped", "xfailed", "rerun")
WIDTH = 80


@dataclass
class Session:
    """What one pytest run told: its exit code, what became of each test by node id, the first failure of each
    that failed, and errors that belong to no single test."""

    exit_code: int | None = None
    outcomes: dict[str, str] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)

    @classmethod
    def read(cls, log: Path) -> Session:
        """:param log: what pytest-reportlog has written, of a killed pytest too."""
        session = cls()
        lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
        for line in lines:
            try:
                session._take(json.loads(line))
            except ValueError:
                break  # the last line of a killed one
        if session.exit_code not in ENDED:
            code = "" if session.exit_code is None else f" (exit code {session.exit_code})"
            session.broken.append(f"the tests did not come to their end{code}")
        return session

    def _take(self, report: Mapping[str, Any]) -> None:
        if report["$report_type"] == "SessionFinish":
            self.exit_code = int(report["exitstatus"])
        elif report["$report_type"] == "CollectReport":
            if report["outcome"] == "failed":
                self.broken.append(f"{report['nodeid']}\n{_failure(report)}")
        elif "nodeid" in report and "when" in report:
            self._take_test(report["nodeid"], report)

    def _take_test(self, test: str, report: Mapping[str, Any]) -> None:
        if report["outcome"] == "failed":
            self.outcomes[test] = "failed"
            self.failures.setdefault(test, _failure(report))
            if report["when"] not in ("setup", "call", "teardown"):
                self.broken.append(_failure(report))  # its worker crashed
        elif report["outcome"] == "skipped":
            self.outcomes.setdefault(test, "xfailed" if "wasxfail" in report else "skipped")
        elif report["when"] == "call":
            self.outcomes.setdefault(test, "passed")


def _failure(report: Mapping[str, Any]) -> str:
    """Where it failed and why; the whole of it stands in the output of its run."""
    told = report["longrepr"]
    crash = told.get("reprcrash") if isinstance(told, dict) else None
    if crash is None:
        return str(told.get("longrepr", told) if isinstance(told, dict) else told)
    return f"{report['when']}, {crash['path']}:{crash['lineno']}: {crash['message']}"


@dataclass
class Run:
    """All targets together.

    :param make: runs a target, with a file that pytest writes its log to; returns its exit code.
    :param alone: runs one test by its node id, with such a file.
    """

    make: Callable[[str, Path], int]
    alone: Callable[[str, Path], None]
    folder: Path = LOGS
    outcomes: dict[str, str] = field(default_factory=dict)
    flaky: dict[str, str] = field(default_factory=dict)
    tries: int = 0

    def target(self, name: str) -> bool:
        """Whether its tests passed, maybe when they were run alone."""
        log = self._log(name)
        code = self.make(name, log)
        if code == 0 and not log.exists():
            return True
        session = Session.read(log)
        self.outcomes |= session.outcomes
        if code == 0 and not session.broken:
            return True
        if session.broken or not session.failures:
            _show("FAILED AT ONCE", [f"make {name} ended with {code}", *session.broken])
            return False
        if len(self.flaky) + len(session.failures) > MOST_FLAKY:
            # Whatever they do alone, the run fails: with failed tests, or with too many flaky ones.
            told = f"no test is run again: more than {MOST_FLAKY} flaky ones fail the run too"
            _show("FAILED", [*session.failures, told])
            return False
        # Each of them, also after one that failed again: who mends them wants to know which are flaky.
        alone = [self._passes_alone(test, first) for test, first in session.failures.items()]
        return all(alone)

    def _passes_alone(self, test: str, first: str) -> bool:
        for _ in range(TRIES_ALONE):
            self.tries += 1
            print(f"\nrun again alone: {test}", flush=True)
            log = self._log("alone")
            self.alone(test, log)
            session = Session.read(log)
            # One that is skipped now has not passed.
            if session.exit_code == 0 and session.outcomes == {test: "passed"}:
                self.flaky[test] = first
                self.outcomes[test] = "passed"
                return True
        _show("FAILED EACH TIME", [f"{test}\n{first}"])
        return False

    def _log(self, name: str) -> Path:
        self.folder.mkdir(parents=True, exist_ok=True)
        log = self.folder / f"{name}.jsonl"
        log.unlink(missing_ok=True)
        return log

    def summary(self, seconds: float) -> str:
        """The line that pytest ends with, of all tests of the run."""
        counts = Counter(self.outcomes.values())
        counts["rerun"] = self.tries
        named = [f"{counts[name]} {name}" for name in COUNTED if counts[name]]
        told = ", ".join(named) or "no tests ran"
        return f" {told} in {seconds:.2f}s ".center(WIDTH, "=")


def _show(title: str, texts: Sequence[str]) -> None:
    print(f" {title} ".center(WIDTH, "="))
    for text in texts:
        first, *more = text.splitlines() or [""]
        print("\n    ".join([first, *more]))
    sys.stdout.flush()


def _make(target: str, log: Path) -> int:
    # A worker that crashed is not replaced: its tests are not to be run as though nothing had happened.
    arguments = f"--report-log={log} --max-worker-restart=0"
    return _wait_for(["make", target], {**os.environ, ARGUMENTS: arguments})


def _start_background(target: str) -> subprocess.Popen[str]:
    """Start a target that takes the CPU time that the tests leave."""
    LOGS.mkdir(parents=True, exist_ok=True)
    with (LOGS / f"{target}.log").open("w") as log:
        command = ["nice", "-n", "19", "make", target]
        return subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, text=True)


def _passed_background(process: subprocess.Popen[str], target: str) -> bool:
    code = process.wait()
    print(f" make {target} ".center(WIDTH, "="))
    print((LOGS / f"{target}.log").read_text(errors="replace"), flush=True)
    if code != 0:
        _show("FAILED", [f"make {target} ended with {code}"])
    return code == 0


def _alone(test: str, log: Path) -> None:
    _wait_for([str(PYTHON), "-m", "pytest", f"--report-log={log}", test], os.environ)


def _wait_for(command: Sequence[str], environment: Mapping[str, str]) -> int:
    """Its exit code. One that is interrupted has the time to clear away what it made."""
    process = subprocess.Popen(command, env=environment)
    try:
        return process.wait()
    except BaseException:
        process.terminate()
        process.wait()
        raise


def _end(number: int, _: FrameType | None) -> NoReturn:
    for ending in ENDINGS:
        signal.signal(ending, signal.SIG_IGN)
    print(f"ended by {signal.Signals(number).name}", file=sys.stderr)
    raise SystemExit(128 + number)


def main(words: Sequence[str]) -> int:
    """Run the targets one after the other, up to the first that fails, and return the exit code."""
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--background", metavar="TARGET")
    parser.add_argument("targets", nargs="+", metavar="TARGET")
    options = parser.parse_args(words)
    for number in ENDINGS:
        signal.signal(number, _end)
    run, began = Run(_make, _alone), time.monotonic()
    background = _start_background(options.background) if options.background else None
    try:
        passed = all(run.target(name) for name in options.targets)
        if background is not None:
            passed = _passed_background(background, options.background) and passed
    finally:
        if background is not None and background.poll() is None:
            background.terminate()
            background.wait()
        if run.flaky:
            _show("FLAKY", [f"{test}\n{first}" for test, first in run.flaky.items()])
        print(run.summary(time.monotonic() - began), flush=True)
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
