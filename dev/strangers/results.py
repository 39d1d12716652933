"""What all suites gave: a table for people, JSON for programs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from strangers.known_wrong import Difference
from strangers.outcomes import Kind, Outcomes, count

_COLUMNS = ("suite", "tests", "passed", "skipped", "refused", "wrong")


def table(results: Mapping[str, Outcomes]) -> str:
    rows = [_COLUMNS, *(_row(name, outcomes) for name, outcomes in results.items())]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_COLUMNS))]
    return "\n".join(
        "  ".join(
            [
                row[0].ljust(widths[0]),
                *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)),
            ]
        )
        for row in rows
    )


def _row(name: str, outcomes: Outcomes) -> tuple[str, ...]:
    return (name, *(f"{number:,}" for number in (len(outcomes), *(count(outcomes, kind) for kind in Kind))))


def write(results: Mapping[str, Outcomes], file: Path) -> None:
    """Suites that did not run this time keep what they gave the last time."""
    before: dict[str, Any] = json.loads(file.read_text()) if file.exists() else {}
    document = before | {name: _document(outcomes) for name, outcomes in results.items()}
    file.write_text(json.dumps(document, indent=2) + "\n")


def _document(outcomes: Outcomes) -> dict[str, Any]:
    refused = Counter(outcome.reason for outcome in outcomes.values() if outcome.kind is Kind.REFUSED)
    return {
        **{kind.name.lower(): count(outcomes, kind) for kind in Kind},
        "refused_features": dict(refused.most_common()),
        "wrong_tests": {
            name: outcome.reason for name, outcome in sorted(outcomes.items()) if outcome.kind is Kind.WRONG
        },
    }


def complaint(suite: str, difference: Difference) -> str:
    """What to do about a difference, a line for each test."""
    return "\n".join(
        [
            *(f"{suite}: wrong, and not known to be: {name}" for name in difference.new),
            *(f"{suite}: not wrong any more, remove it from the list: {name}" for name in difference.mended),
        ]
    )
