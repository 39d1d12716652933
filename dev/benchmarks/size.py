"""How much a benchmark measures: as much as its figures need, or the least that goes all its ways.

`make bench SIZE=smallest` is for tests: its figures say nothing.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

SIZES = ("full", "smallest")
SIZE = os.environ.get("SIZE") or "full"
if SIZE not in SIZES:
    raise SystemExit(f"no size {SIZE}; there are: {', '.join(SIZES)}")

SMALLEST = SIZE == "smallest"

Amount = TypeVar("Amount")


def sized(full: Amount, smallest: Amount) -> Amount:
    return smallest if SMALLEST else full


def amounts(name: str, full: Sequence[int], smallest: Sequence[int]) -> list[int]:
    """Those that the environment variable of that name holds, separated by commas; else as `sized` says."""
    named = os.environ.get(name)
    return [int(text) for text in named.split(",")] if named else list(sized(full, smallest))


def amount(name: str, full: int, smallest: int) -> int:
    """The same for a benchmark of one size; of several in the variable, which are another's, the last one."""
    return amounts(name, [full], [smallest])[-1]
