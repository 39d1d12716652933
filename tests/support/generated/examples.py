"""Which generated examples a run tries: the same ones for the same sources, others for others."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[3]
#: What decides the statements and their verdicts.
SOURCES = ("provider", "tests/support/generated", "tests/support/oracle_rules")


@cache
def seed_of_sources() -> int:
    """Return a number that changes with the sources. It needs neither Git nor a commit."""
    found = hashlib.sha256()
    for path in sorted(path for folder in SOURCES for path in (ROOT / folder).rglob("*.py")):
        found.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes())
    return int.from_bytes(found.digest()[:4])
