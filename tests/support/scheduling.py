"""Decide which worker runs which tests: expensive units first, files with a costly shared fixture together.

`--dist loadfile` alone would hand the files of one folder to different workers, each of which then starts
databases and Airflow for itself. It would also start the files with the fewest tests last, and these take
longest.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadFileScheduling

from support.costs import Budget

#: Folders whose files share a fixture that is expensive to make.
SHARED = (
    "tests/system/whole_refresh/",
    "tests/system/browser/",
    "tests/system/localoracle/capture/",
    "tests/unit/oracle_refresh/monitor/page/",
)
#: Files whose parametrized tests share nothing and take long.
SPREAD = (
    "tests/system/generated_catalogues/test_statements.py",
    "tests/unit/oracle_refresh/masking/test_guarantees.py",
)
#: Order of the tests that `[longest]` in budget.toml does not list. `--last-start` leaves out the last ones.
TIERS = ("tests/database/", "tests/unit/", "tests/live/", "tests/system/")


class BySharedFolderOrFile(LoadFileScheduling):
    """Give a worker a shared folder, a file, or one test of a spread file, in the order of collection."""

    def __init__(self, config: pytest.Config, log: Any = None) -> None:
        config.option.loadscopereorder = False
        super().__init__(config, log)

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        if file in SPREAD and nodeid.endswith("]"):
            return nodeid
        return next((folder for folder in SHARED if file.startswith(folder)), file)


class LastStart:
    """Skip files of the system tier that have not begun so many seconds after the start of the session."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.end = time.monotonic() + seconds
        self.begun: set[Path] = set()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        if item.path in self.begun or item.get_closest_marker("system") is None:
            return
        if time.monotonic() > self.end:
            pytest.skip(f"not begun {self.seconds:.0f} s after the start: this machine is too slow")
        self.begun.add(item.path)


def pytest_addoption(parser: pytest.Parser) -> None:
    text = "skip the files of the system tier that have not begun so many seconds after the start"
    parser.addoption("--last-start", type=float, metavar="SECONDS", help=text)


def pytest_configure(config: pytest.Config) -> None:
    if (seconds := config.getoption("last_start")) is not None:
        config.pluginmanager.register(LastStart(seconds), "last start")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    longest = Budget.read().longest

    def order(item: pytest.Item) -> tuple[float, int]:
        seconds = [cost for path, cost in longest.items() if item.nodeid.startswith(path)]
        tier = [place for place, folder in enumerate(TIERS) if item.nodeid.startswith(folder)]
        return -max(seconds, default=0.0), tier[0] if tier else len(TIERS)

    items.sort(key=order)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> BySharedFolderOrFile:
    return BySharedFolderOrFile(config, log)
