"""How much a benchmark measures: as much as its figures need, or the least that goes all its ways.

`make bench SIZE=smallest` is for tests: its figures say nothing.
"""

from __future__ import annotations

import os
from typing import TypeVar

SIZES = ("full", "smallest")
SIZE = os.environ.get("SIZE") or "full"
if SIZE not in SIZES:
    raise SystemExit(f"no size {SIZE}; there are: {', '.join(SIZES)}")

SMALLEST = SIZE == "smallest"

Amount = TypeVar("Amount")


def sized(full: Amount, smallest: Amount) -> Amount:
    return smallest if SMALLEST else full
