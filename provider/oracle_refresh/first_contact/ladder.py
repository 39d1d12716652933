"""The ladder: each step only after the one below has passed, and none that writes before the user says so."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

from oracle_refresh.first_contact.judging import REPORT_REMEDY, first_line
from oracle_refresh.first_contact.model import Check, NotClimbed, Outcome, Step, failed, passed
from oracle_refresh.oracle.errors import RefreshError, oracle_codes, remedy_of
from oracle_refresh.oracle.row_values import cleansed

#: The checks of a step, and its facts.
StepResult = tuple[tuple[Check, ...], dict[str, Any]]


@dataclass(frozen=True)
class Rung:
    """One step before it is tried.

    :ivar climb: tries it: its checks and its facts.
    :ivar permission: the option of the command without which it is not tried: it changes a database, if only
        for a moment.
    :ivar effect: what it does there.
    """

    number: int
    title: str
    climb: Callable[[], StepResult]
    permission: str | None = None
    effect: str = ""


def climb(rungs: Sequence[Rung], permissions: Collection[str]) -> Iterator[Step | NotClimbed]:
    """Try the rungs in their order; each is yielded as soon as it is done.

    An error of Oracle or of the provider is a failed check of its step; every other one is a defect and is
    raised.

    :param permissions: the options that the user has given, such as `--write`.
    """
    below: Step | NotClimbed | None = None
    for rung in rungs:
        below = why_not(rung, below, permissions) or _climbed(rung)
        yield below


def why_not(rung: Rung, below: Step | NotClimbed | None, permissions: Collection[str]) -> NotClimbed | None:
    """The reason for which a rung is not tried, if there is one. Pure."""
    if rung.permission and rung.permission not in permissions:
        reason = f"{rung.effect}, and nobody has said {rung.permission}"
        return NotClimbed(rung.number, rung.title, reason, f"repeat the command with {rung.permission}")
    if isinstance(below, NotClimbed):
        reason = f"step {below.number} was not climbed"
        return NotClimbed(rung.number, rung.title, reason, below.remedy)
    if below is not None and below.outcome is not Outcome.PASSED:
        reason = f"step {below.number} has {below.outcome}"
        return NotClimbed(rung.number, rung.title, reason, f"mend what step {below.number} has found")
    return None


def failure(name: str, error: Exception, seconds: float = 0.0) -> Check:
    """The failed check of an error of Oracle or of the provider."""
    codes = oracle_codes(error)
    message = error.message if isinstance(error, RefreshError) else str(cleansed(error))
    told = error.remedy if isinstance(error, RefreshError) else None
    remedy = told or remedy_of(codes) or REPORT_REMEDY
    return Check(name, None, Outcome.FAILED, seconds, first_line(message), codes, remedy)


def tried(name: str, act: Callable[[], tuple[str, str] | None]) -> Check:
    """The check of something that is done at the target: it has failed where an error says so.

    :param act: does it; returns None, or what is wrong nevertheless and its remedy.
    """
    import oracledb

    started = monotonic()
    try:
        wrong = act()
    except (RefreshError, oracledb.Error) as error:
        return failure(name, error, monotonic() - started)
    seconds = monotonic() - started
    return failed(name, "target", *wrong, seconds) if wrong else passed(name, "target", seconds)


def _climbed(rung: Rung) -> Step:
    import oracledb

    started = monotonic()
    try:
        checks, facts = rung.climb()
    except (RefreshError, oracledb.Error) as error:
        checks, facts = (failure(rung.title, error, monotonic() - started),), {}
    return Step(rung.number, rung.title, checks, monotonic() - started, facts)
