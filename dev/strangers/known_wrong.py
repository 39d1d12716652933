"""The tests known to be wrong, in one file for each suite: `known_wrong/<suite>.txt`.

They only get fewer: a test that is wrong and not listed fails the command, and so does a listed one that
is not wrong any more, so that its line goes.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "known_wrong"


@dataclass(frozen=True)
class Difference:
    """Between what is wrong and what is known to be."""

    new: tuple[str, ...]
    mended: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.new or self.mended)


def known(suite: str, folder: Path = FOLDER) -> set[str]:
    """One test a line; a line that begins with `# ` says why."""
    file = folder / f"{suite}.txt"
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return {line for line in lines if line and not line.startswith("# ")}


def difference(found: set[str], listed: set[str]) -> Difference:
    return Difference(tuple(sorted(found - listed)), tuple(sorted(listed - found)))
