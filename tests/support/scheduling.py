"""Which worker runs which tests: files that share dear fixtures stay together, and the long ones begin first.

`--dist loadfile` alone would hand the files of one folder to different workers, each of which then starts
databases and Airflow of its own, and would keep the files with the fewest tests, which take longest, for the
end, when the other worker has nothing left to do.
"""

from __future__ import annotations

from typing import Any

import pytest
from xdist.scheduler import LoadFileScheduling

#: Folders whose files share a fixture that is dear to make.
SHARED = (
    "tests/system/whole_refresh/",
    "tests/system/browser/",
    "tests/system/localoracle/capture/",
    "tests/unit/oracle_refresh/monitor/page/",
)
#: In this order they begin; those that are not named come last.
FIRST = (
    "tests/system/whole_refresh/",
    "tests/system/browser/",
    "tests/system/celery/",
    "tests/system/kill_and_resume/",
    "tests/system/packaging/",
    "tests/system/",
    "tests/database/",
)


class ByFolderOrFile(LoadFileScheduling):
    """Whole shared folders to one worker, other tests file by file, in the order of collection."""

    def __init__(self, config: pytest.Config, log: Any = None) -> None:
        config.option.loadscopereorder = False
        super().__init__(config, log)

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        return file.rpartition("/")[0] if file.startswith(SHARED) else file


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: _rank(item.nodeid))


def _rank(nodeid: str) -> int:
    return next((rank for rank, folder in enumerate(FIRST) if nodeid.startswith(folder)), len(FIRST))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByFolderOrFile:
    return ByFolderOrFile(config, log)
