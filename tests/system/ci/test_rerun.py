"""What `.ci/rerun.py` makes of failed tests: real runs of small suites."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from support.home import ROOT
from support.waiting import until

RERUN = ROOT / ".ci" / "rerun.py"
MAKEFILE = """\
unexport PYTEST_ARGUMENTS
test:
\t@.venv/bin/python -m pytest $(PYTEST_ARGUMENTS) {options} test_first.py
test-all:
\t@.venv/bin/python -m pytest $(PYTEST_ARGUMENTS) test_second.py
lint:
\t@echo looked through
wrong:
\t@echo a complaint; false
broken:
\t@false
"""
#: `tried(name)` counts the tries of a test over all processes.
BEGIN = """
import os, pathlib, signal, time
import pytest

def tried(name):
    with open(name, "a") as file:
        file.write("x")
    return len(pathlib.Path(name).read_text())
"""
STEADY = """
def test_steady():
    tried("steady")

@pytest.mark.skip
def test_skipped():
    pass

@pytest.mark.xfail
def test_expected():
    assert False
"""


@dataclass
class Suite:
    """A folder with the sample's tests and a Makefile as the project's."""

    folder: Path

    def write(self, first: str, second: str = STEADY, options: str = "") -> None:
        (self.folder / ".venv").symlink_to(sys.prefix)
        plugins = "-p xdist.plugin -p pytest_reportlog.plugin"
        (self.folder / "pytest.ini").write_text(f"[pytest]\naddopts = {plugins}\n")
        (self.folder / "Makefile").write_text(MAKEFILE.format(options=options))
        (self.folder / "test_first.py").write_text(BEGIN + first)
        (self.folder / "test_second.py").write_text(BEGIN + second)

    def start(self, *targets: str) -> subprocess.Popen[str]:
        environment = {name: text for name, text in os.environ.items() if not name.startswith("PYTEST")}
        # Those that the samples need are named: all of them take a second to load.
        environment |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(ROOT / "tests")}
        return subprocess.Popen(
            [sys.executable, str(RERUN), *targets],
            cwd=self.folder,
            env=environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    def run(self, *targets: str) -> tuple[int, str]:
        process = self.start(*targets)
        output, _ = process.communicate()
        return process.returncode, output

    def tries(self, name: str) -> int:
        return len((self.folder / name).read_text())


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    return Suite(tmp_path)


def last_line(output: str) -> str:
    return re.sub(r" in [\d.]+s", "", output.splitlines()[-1]).strip("= ")


def told(output: str, title: str) -> str:
    """What stands below a heading, up to the next one or to the summary."""
    _, _, rest = output.partition(f" {title} =")
    return re.split(r"^=+ ", rest.partition("\n")[2], flags=re.MULTILINE)[0]


def flaky(name: str, times: int = 1) -> str:
    return f"\ndef test_{name}():\n    assert tried({name!r}) > {times}, 'by chance'\n"


def test_all_targets_run_when_everything_passes(suite: Suite) -> None:
    suite.write(STEADY)
    code, output = suite.run("test", "test-all", "lint")
    assert code == 0
    assert last_line(output) == "2 passed, 2 skipped, 2 xfailed"
    assert "looked through" in output
    assert "FLAKY" not in output


@pytest.mark.parametrize(("target", "code"), [("lint", 0), ("wrong", 1)])
def test_background_target_decides_and_is_printed_after_them(suite: Suite, target: str, code: int) -> None:
    suite.write(STEADY)
    ended, output = suite.run("--background", target, "test", "test-all")
    assert ended == code
    assert last_line(output) == "2 passed, 2 skipped, 2 xfailed"
    shown = {"lint": "looked through", "wrong": "a complaint"}[target]
    assert output.index("1 passed") < output.index(f" make {target} ") < output.index(shown)


def test_background_target_of_failed_tests_is_printed_too(suite: Suite) -> None:
    suite.write("def test_wrong():\n    assert False\n")
    code, output = suite.run("--background", "lint", "test")
    assert code == 1
    assert "looked through" in output


@pytest.mark.parametrize("times", [1, 2])
def test_one_that_passes_alone_is_told_as_flaky_and_the_run_goes_on(suite: Suite, times: int) -> None:
    suite.write(STEADY + flaky("shaky", times))
    code, output = suite.run("test", "test-all", "lint")
    assert code == 0
    assert last_line(output) == f"3 passed, 2 skipped, 2 xfailed, {times} rerun"
    shown = told(output, "FLAKY")
    assert "test_first.py::test_shaky" in shown
    assert "by chance" in shown
    assert suite.tries("shaky") == times + 1
    assert suite.tries("steady") == 2, "only the failed test is run again"
    assert output.index("looked through") < output.index(" FLAKY ")


def test_one_that_fails_each_time_fails_the_run(suite: Suite) -> None:
    suite.write(flaky("shaky") + flaky("wrong", 99))
    code, output = suite.run("test", "test-all")
    assert code == 1
    assert "test_first.py::test_wrong" in told(output, "FAILED EACH TIME")
    assert "test_first.py::test_shaky" in told(output, "FLAKY")
    assert (suite.tries("wrong"), suite.tries("shaky")) == (3, 2)
    assert not (suite.folder / "steady").exists(), "the next target is not run"
    assert last_line(output) == "1 failed, 1 passed, 3 rerun"


def test_more_than_three_flaky_ones_of_all_targets_fail_the_run(suite: Suite) -> None:
    suite.write(flaky("one") + flaky("two"), flaky("three") + flaky("four"))
    code, output = suite.run("test", "test-all")
    assert code == 1
    assert {"test_first.py::test_one", "test_first.py::test_two"} < set(told(output, "FLAKY").split())
    assert {"test_second.py::test_three", "test_second.py::test_four"} < set(told(output, "FAILED").split())
    assert suite.tries("three") == 1, "it cannot help any more"


def test_three_flaky_ones_do_not(suite: Suite) -> None:
    suite.write(flaky("one") + flaky("two"), flaky("three"))
    code, output = suite.run("test", "test-all")
    assert code == 0
    assert last_line(output) == "3 passed, 3 rerun"


def test_parametrized_tests_and_those_of_classes_are_found_again(suite: Suite) -> None:
    suite.write(
        "class TestGroup:\n"
        "    @pytest.mark.parametrize('name', ['a b/c::d', 'ü[x]'])\n"
        "    def test_it(self, name):\n"
        "        assert tried(str(len(name))) > 1\n"
    )
    code, output = suite.run("test")
    assert code == 0
    assert last_line(output) == "2 passed, 2 rerun"
    assert "test_first.py::TestGroup::test_it[a b/c::d]" in told(output, "FLAKY")


@pytest.mark.parametrize("moment", ["setup", "teardown"])
def test_errors_of_fixtures_count_as_failures(suite: Suite, moment: str) -> None:
    before, after = ("assert tried('it') > 1, 'no room'", "pass")[:: 1 if moment == "setup" else -1]
    fixture = f"@pytest.fixture\ndef thing():\n    {before}\n    yield\n    {after}\n"
    suite.write(f"{fixture}\ndef test_with_it(thing):\n    pass\n")
    code, output = suite.run("test")
    assert code == 0
    assert last_line(output) == "1 passed, 1 rerun"
    assert moment in told(output, "FLAKY")
    assert "no room" in told(output, "FLAKY")


def test_one_that_is_skipped_when_it_runs_alone_has_not_passed(suite: Suite) -> None:
    suite.write("def test_it():\n    if tried('it') > 1: pytest.skip('not today')\n    assert False\n")
    code, output = suite.run("test")
    assert code == 1
    assert "test_first.py::test_it" in told(output, "FAILED EACH TIME")


def test_a_crashed_worker_fails_the_run_at_once(suite: Suite) -> None:
    crash = "def test_crash():\n    if tried('crash') == 1: os.kill(os.getpid(), signal.SIGKILL)\n"
    suite.write(crash + flaky("shaky"), options="--numprocesses 1")
    code, output = suite.run("test", "test-all")
    assert code == 1
    assert "crashed while running 'test_first.py::test_crash'" in told(output, "FAILED AT ONCE")
    assert suite.tries("crash") == 1
    assert "steady" not in os.listdir(suite.folder)


def test_a_worker_that_crashes_after_its_last_test_does_too(suite: Suite) -> None:
    suite.write(STEADY, options="--numprocesses 1 -p support.crashed_workers")
    (suite.folder / "conftest.py").write_text(
        "import os, signal\ndef pytest_sessionfinish(session):\n"
        "    if hasattr(session.config, 'workerinput'): os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    code, output = suite.run("test", "test-all")
    assert code == 1
    assert "worker gw0 crashed" in told(output, "FAILED AT ONCE")
    assert last_line(output) == "1 passed, 1 skipped, 1 xfailed"


def test_a_pytest_that_is_killed_fails_the_run_at_once(suite: Suite) -> None:
    suite.write(flaky("shaky") + "def test_kill():\n    os.kill(os.getpid(), signal.SIGKILL)\n")
    code, output = suite.run("test")
    assert code == 1
    assert "did not come to their end" in told(output, "FAILED AT ONCE")
    assert suite.tries("shaky") == 1


def test_an_interrupted_run_fails_at_once(suite: Suite) -> None:
    suite.write(flaky("shaky") + "def test_interrupt():\n    raise KeyboardInterrupt\n")
    code, output = suite.run("test", "test-all")
    assert code == 1
    assert "did not come to their end (exit code 2)" in told(output, "FAILED AT ONCE")
    assert suite.tries("shaky") == 1


@pytest.mark.parametrize("options", ["", "--numprocesses 1", "--continue-on-collection-errors"])
def test_what_cannot_be_collected_fails_the_run_at_once(suite: Suite, options: str) -> None:
    suite.write(flaky("shaky"), options=f"{options} test_broken.py")
    (suite.folder / "test_broken.py").write_text("import nothing_of_that_name\n")
    code, output = suite.run("test")
    assert code == 1
    shown = told(output, "FAILED AT ONCE")
    assert "test_broken.py" in shown
    assert "nothing_of_that_name" in shown


def test_a_target_that_fails_without_a_failed_test_fails_the_run(suite: Suite) -> None:
    suite.write(STEADY)
    code, output = suite.run("test", "broken", "test-all")
    assert code == 1
    assert "broken" in told(output, "FAILED AT ONCE")
    assert suite.tries("steady") == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_and_what_it_started(suite: Suite, number: signal.Signals) -> None:
    note = "pathlib.Path('pid').write_text(f'{os.getpid()}.')"
    suite.write(f"def test_long():\n    {note}\n    time.sleep(600)\n")
    process, noted = suite.start("test", "test-all"), suite.folder / "pid"
    pid = until(lambda: noted.exists() and noted.read_text().endswith(".") and noted.read_text()[:-1])
    process.send_signal(number)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert not Path(f"/proc/{pid}").exists()
    assert "no tests ran" in last_line(output)
