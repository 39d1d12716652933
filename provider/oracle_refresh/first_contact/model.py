"""What the ladder finds: the outcome of each check, the checks of each step, and the whole for a bug report.

Nothing here holds row data, passwords or addresses: statements stand with their binds' names, and the ends
are called as the user has called them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from oracle_refresh.jsonable import Jsonable

#: The remedy of what must not be.
REPORT = "attach the bundle to a bug report"


class Outcome(StrEnum):
    """What came out of a check. Skipped is not passed: nothing is known about it."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True)
class Check(Jsonable):
    """One thing that was tried.

    :ivar name: stable: what is checked, such as `catalog.TABLES`.
    :ivar end: source or target; None where the check is about both.
    :ivar problem: why it failed or was skipped, first line only.
    :ivar codes: Oracle's codes, outermost first, or the code of a finding of the preflight.
    :ivar statement: what the database refused; for failed checks only.
    """

    name: str
    end: str | None
    outcome: Outcome
    seconds: float = 0.0
    problem: str | None = None
    codes: tuple[str, ...] = ()
    remedy: str | None = None
    statement: str | None = None


def passed(name: str, end: str | None = None, seconds: float = 0.0) -> Check:
    return Check(name, end, Outcome.PASSED, seconds)


def failed(name: str, end: str | None, problem: str, remedy: str | None, seconds: float = 0.0) -> Check:
    return Check(name, end, Outcome.FAILED, seconds, problem, remedy=remedy)


def skipped(name: str, end: str | None, problem: str, remedy: str) -> Check:
    return Check(name, end, Outcome.SKIPPED, problem=problem, remedy=remedy)


@dataclass(frozen=True)
class Step(Jsonable):
    """One rung: its checks, and facts about the ends that a reader of the bundle needs."""

    number: int
    title: str
    checks: tuple[Check, ...]
    seconds: float
    facts: dict[str, Any] = field(default_factory=dict, hash=False)

    def of(self, outcome: Outcome) -> tuple[Check, ...]:
        return tuple(check for check in self.checks if check.outcome is outcome)

    @property
    def outcome(self) -> Outcome:
        """Failed if one check has; passed if something was checked and nothing failed."""
        if self.of(Outcome.FAILED):
            return Outcome.FAILED
        return Outcome.PASSED if self.of(Outcome.PASSED) else Outcome.SKIPPED


@dataclass(frozen=True)
class NotClimbed(Jsonable):
    """A step that was not tried, and what has to happen before."""

    number: int
    title: str
    reason: str
    remedy: str


@dataclass(frozen=True)
class Bundle(Jsonable):
    """Everything that a first contact has found.

    :ivar versions: of the provider, of Python, of python-oracledb and of Airflow.
    """

    source: str
    target: str
    definition: str
    write: bool
    started_at: str
    versions: dict[str, str] = field(hash=False)
    steps: tuple[Step, ...]
    not_climbed: tuple[NotClimbed, ...]

    @property
    def failed(self) -> bool:
        return any(step.outcome is Outcome.FAILED for step in self.steps)
