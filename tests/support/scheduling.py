"""Decide which worker runs which tests: expensive units first, files with a costly shared fixture together.

`--dist loadfile` alone would hand the files of one folder to different workers, each of which then starts
databases and Airflow for itself. It would also start the files with the fewest tests last, and these take
longest.
"""

from __future__ import annotations

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
#: Order of the tests that `[longest]` in budget.toml does not list.
TIERS = ("tests/system/", "tests/database/", "tests/unit/")


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
