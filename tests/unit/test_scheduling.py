"""Files that a slow test run skips."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support.scheduling import LastStart


class Item:
    """A collected test with the attributes that `LastStart` reads."""

    def __init__(self, name: str, tier: str = "system") -> None:
        self.path, self.tier = Path(name), tier

    def get_closest_marker(self, name: str) -> object:
        return name if name == self.tier else None


def begins(limit: LastStart, item: Any) -> bool:
    try:
        limit.pytest_runtest_setup(item)
    except pytest.skip.Exception:
        return False
    return True


def test_files_of_the_system_tier_do_not_begin_after_the_last_start() -> None:
    limit = LastStart(1000)
    assert begins(limit, Item("begun"))
    limit.end = 0.0
    assert not begins(limit, Item("late"))
    assert begins(limit, Item("begun")), "a file that has begun comes to its end"
    assert begins(limit, Item("late", "database"))
