"""Waiting for a condition, however long a busy machine takes until it holds."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

PATIENCE = 300.0
"""Seconds after which it will not hold any more: no test waits that long for what comes."""
PAUSE = 0.02

Found = TypeVar("Found")


def until(condition: Callable[[], Found], what: str = "") -> Found:
    """The first true answer. Raises AssertionError when there is none."""
    end = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < end, f"waited in vain {what}"
        time.sleep(PAUSE)
    return found


async def until_true(condition: Callable[[], Found], what: str = "") -> Found:
    """The same while the event loop goes on."""
    end = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < end, f"waited in vain {what}"
        await asyncio.sleep(PAUSE)
    return found
