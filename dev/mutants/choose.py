"""Choose the tests of a module by imports, folders and names."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

MOST_FILES = 8
#: Seconds of a test that no record has: a test file of a folder is moved as a whole, or new.
UNKNOWN = {"unit": 0.05, "database": 0.7, "system": 8.0}


def costs(records: Iterable[Path]) -> dict[str, float]:
    """Return the seconds of each test from files of pytest-reportlog."""
    seconds: dict[str, float] = defaultdict(float)
    for record in records:
        for line in record.read_text().splitlines():
            if line.endswith("}") and '"TestReport"' in line:
                report = json.loads(line)
                seconds[report["nodeid"]] += report["duration"]
    return dict(seconds)


def tier(file: str) -> str:
    return file.split("/")[1]


class Tests:
    """All test files of a checkout, and how each is related to a module."""

    def __init__(self, root: Path, costs: dict[str, float]) -> None:
        self.root, self.costs = root, costs
        paths = [path for name in UNKNOWN for path in sorted((root / "tests" / name).rglob("test_*.py"))]
        self.texts = {str(path.relative_to(root)): path.read_text() for path in paths}
        self._support = {path.stem: path.read_text() for path in (root / "tests/support").glob("*.py")}
        self._seconds: dict[str, float] = defaultdict(float)
        for test, seconds in costs.items():
            self._seconds[test.partition("::")[0]] += seconds

    def of(self, file: str, bound: float, system: bool = False) -> list[str]:
        """Return test files of a product file, the most related first, until they take `bound` seconds.

        Files of the system tier are chosen where no others are related, or all with `system`.
        """
        parts = Path(file).with_suffix("").parts[1:]
        ranks = {test: self._relation(parts, test, text) for test, text in self.texts.items()}
        cheaper = [test for test, rank in ranks.items() if rank >= 2 and tier(test) != "system"]
        chosen: list[str] = []
        seconds = 0.0
        for test in sorted(ranks, key=lambda each: -ranks[each]):
            if tier(test) == "system" and cheaper and not system:
                continue
            if seconds >= bound or len(chosen) == MOST_FILES:
                break
            chosen.append(test)
            seconds += self._seconds.get(test, 20 * UNKNOWN[tier(test)])
        return chosen

    def _relation(self, parts: tuple[str, ...], test: str, text: str) -> float:
        module, parent = ".".join(parts), ".".join(parts[:-1])
        imported = rf"{re.escape(module)}\b|from {re.escape(parent)} import [^\n]*\b{parts[-1]}\b"
        rank = 0.0
        if re.search(imported, text):
            rank += 4
        else:
            shared = (self._support.get(name, "") for name in re.findall(r"support\.(\w+)", text))
            rank += any(re.search(imported, each) for each in shared)
        folder, own = Path(test).parts[2:-1], parts[:-1]
        if folder == own:
            rank += 2
        elif folder[: len(own)] == own or (len(folder) > 1 and own[: len(folder)] == folder):
            rank += 1
        if "rulings" in folder and "sql" in own:
            rank += 1.5
        stem, last = set(_words(Path(test).stem)), set(_words(parts[-1]))
        return rank + 2 * len(stem & last) / (len(last) or 1) + 0.7 * bool(stem & set(_words(own[-1])))


def _words(text: str) -> list[str]:
    return [word.rstrip("s") for word in re.findall(r"[a-z]{3,}", text.lower()) if word != "test"]
