"""What went wrong in a run: every failed try, with the ORA codes and the remedy that it left."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from oracle_refresh.monitor.records import ENDED, Key, Run, Try
from oracle_refresh.plan.stages import FOLLOWING, PUBLISH, RELEASE
from oracle_refresh.run.failures import telling_line

FAILED = frozenset({"failed", "up_for_retry"})


@dataclass(frozen=True)
class Trouble:
    """A try that failed. `over` when the task has succeeded since, `again` when Airflow will try it again,
    `follows` when it only failed because others had failed before."""

    key: Key
    item: str | None
    number: int
    at: datetime | None
    state: str
    codes: tuple[str, ...]
    message: str | None
    remedy: str | None
    again: bool
    over: bool
    follows: bool = False

    @property
    def telling(self) -> str | None:
        return None if self.message is None else telling_line(self.message)


def troubles(run: Run) -> tuple[Trouble, ...]:
    """Failed tries: what still stands before what is mended, causes before what follows from them, and the
    first one first."""
    present = {each.key: each for each in run.tries}
    failed = [each for each in _failed(run) if each.key in present]
    causes = sorted(_moment(each) for each in failed if each.operator not in FOLLOWING or _codes(run, each))
    listed = [_trouble(run, each, present[each.key], causes) for each in failed]
    return tuple(
        sorted(
            listed, key=lambda trouble: (trouble.over, trouble.follows, _moment_of(trouble.at), trouble.key)
        )
    )


def _failed(run: Run) -> Iterator[Try]:
    """Each failed try once: one that waits for the next is kept as a former one already."""
    seen: set[tuple[Key, int]] = set()
    for each in (*run.former, *run.tries):
        if each.state in FAILED and (each.key, each.number) not in seen:
            seen.add((each.key, each.number))
            yield each


def _moment(attempt: Try) -> float:
    return _moment_of(attempt.end or attempt.start)


def _moment_of(at: datetime | None) -> float:
    return at.timestamp() if at else 0.0


def _codes(run: Run, attempt: Try) -> tuple[str, ...]:
    return tuple(_error(run, attempt).get("codes", ()))


def _trouble(run: Run, attempt: Try, present: Try, causes: list[float]) -> Trouble:
    left, codes = _error(run, attempt), _codes(run, attempt)
    return Trouble(
        attempt.key,
        run.items.get(attempt.key),
        attempt.number,
        attempt.end or attempt.start,
        attempt.state or "",
        codes,
        left.get("message"),
        left.get("remedy"),
        again=present.state not in ENDED,
        over=present.state == "success",
        follows=_follows(run, attempt, codes, causes),
    )


def _follows(run: Run, attempt: Try, codes: tuple[str, ...], causes: list[float]) -> bool:
    """A release that is refused is the cause of the report's failure, where nothing else has failed."""
    if attempt.operator not in FOLLOWING or codes:
        return False
    refused = attempt.operator == PUBLISH.operator and any(
        other.operator == RELEASE.operator and _moment(other) <= _moment(attempt) for other in _failed(run)
    )
    return refused or bool(causes and causes[0] <= _moment(attempt))


def _error(run: Run, attempt: Try) -> Mapping[str, Any]:
    """What the last failure of that try left: a try may fail twice when its task was cleared."""
    return next(
        (left for left in reversed(run.errors.get(attempt.key, ())) if left.get("try") == attempt.number), {}
    )
