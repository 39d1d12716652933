"""Everything is stopped after a refresh, started again, and stopped for good."""

from __future__ import annotations

import os
import urllib.error
from pathlib import Path

import pytest

from support.home import until

from .conftest import Again, Home


def test_what_was_stopped_is_there_again(again: Again) -> None:
    assert again.before.source
    assert again.after == again.before


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs /proc")
@pytest.mark.usefixtures("again")
def test_down_leaves_no_process(home: Home) -> None:
    assert len(home.processes()) > 6
    done = home.stack("down")
    assert done.returncode == 0, done.stdout
    # A process that has given its lock back still has its interpreter to end.
    until(lambda: not home.processes(), 300)
    with pytest.raises((urllib.error.URLError, ConnectionError)):
        home.api.request("GET", "/api/v2/version")
    assert os.path.exists(home.reports / "latest" / "report.html")
