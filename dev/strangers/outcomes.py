"""What became of each test of a suite, out of the report that its runner writes."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

_REFUSED = re.compile(r"ORA-03001: unimplemented feature(?:: (?P<feature>[^\n]*))?")
_TAP_LINE = re.compile(r"(?P<bad>not )?ok\b\s*\d*\s*(?:- )?(?P<name>.*?)(?:\s+# (?P<directive>.*))?$")


class Kind(IntEnum):
    """Ordered: of a test that is reported twice, as when its teardown fails too, the worst counts."""

    PASSED = 0
    SKIPPED = 1
    REFUSED = 2
    """The stand-in named what it lacks (ORA-03001)."""
    WRONG = 3


@dataclass(frozen=True, order=True)
class Outcome:
    kind: Kind
    reason: str = ""


Outcomes = dict[str, Outcome]


def of_failure(text: str) -> Outcome:
    """:param text: whatever the runner tells of a failed test: message, traceback."""
    if refused := _REFUSED.search(text):
        return Outcome(Kind.REFUSED, refused["feature"] or "")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return Outcome(Kind.WRONG, lines[0][:300] if lines else "")


def read_junit(report: Path) -> Outcomes:
    """A JUnit report, as pytest writes it: each test by `class::name`."""
    found: list[tuple[str, Outcome]] = []
    for case in ElementTree.parse(report).iter("testcase"):
        name = f"{case.get('classname', '')}::{case.get('name', '')}"
        failures = [*case.iter("failure"), *case.iter("error")]
        if failures:
            found += [(name, of_failure(_failure_text(failure))) for failure in failures]
        elif (skipped := case.find("skipped")) is not None:
            found.append((name, Outcome(Kind.SKIPPED, skipped.get("message", ""))))
        else:
            found.append((name, Outcome(Kind.PASSED)))
    return _worst(found)


def _failure_text(failure: ElementTree.Element) -> str:
    return f"{failure.get('message', '')}\n{failure.text or ''}"


def read_tap(report: str) -> Outcomes:
    """Lines of the Test Anything Protocol; lines with `#` below one that failed tell why."""
    found: list[tuple[str, Outcome]] = []
    for line in report.splitlines():
        if line.startswith("#") and found:
            name, outcome = found[-1]
            if outcome.kind is Kind.WRONG:
                found[-1] = (name, of_failure(f"{outcome.reason}\n{line.lstrip('# ')}"))
        elif match := _TAP_LINE.match(line):
            found.append((match["name"], _tap_outcome(bool(match["bad"]), match["directive"] or "")))
    return _worst(found)


def _tap_outcome(bad: bool, directive: str) -> Outcome:
    if directive.upper().startswith("SKIP"):
        return Outcome(Kind.SKIPPED, directive[4:].strip())
    return of_failure(directive) if bad else Outcome(Kind.PASSED)


def _worst(found: Iterable[tuple[str, Outcome]]) -> Outcomes:
    worst: Outcomes = {}
    for name, outcome in found:
        worst[name] = max(worst.get(name, outcome), outcome)
    return worst


def count(outcomes: Outcomes, kind: Kind) -> int:
    return sum(outcome.kind is kind for outcome in outcomes.values())


def wrong(outcomes: Outcomes) -> set[str]:
    return {name for name, outcome in outcomes.items() if outcome.kind is Kind.WRONG}
