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
    present = {one.key: one for one in run.tries}
    failed = [one for one in _failed(run) if one.key in present]
    causes = sorted(_moment(one) for one in failed if one.operator not in FOLLOWING or _codes(run, one))
    found = [_trouble(run, one, present[one.key], causes) for one in failed]
    return tuple(
        sorted(found, key=lambda one: (one.over, one.follows, one.at.timestamp() if one.at else 0.0, one.key))
    )


def _failed(run: Run) -> Iterator[Try]:
    """Each failed try once: one that waits for the next is kept as a former one already."""
    seen: set[tuple[Key, int]] = set()
    for one in (*run.former, *run.tries):
        if one.state in FAILED and (one.key, one.number) not in seen:
            seen.add((one.key, one.number))
            yield one


def _moment(one: Try) -> float:
    at = one.end or one.start
    return at.timestamp() if at else 0.0


def _codes(run: Run, one: Try) -> tuple[str, ...]:
    return tuple(_error(run, one).get("codes", ()))


def _trouble(run: Run, one: Try, present: Try, causes: list[float]) -> Trouble:
    left, codes = _error(run, one), _codes(run, one)
    return Trouble(
        one.key,
        run.items.get(one.key),
        one.number,
        one.end or one.start,
        one.state or "",
        codes,
        left.get("message") or one.retry_reason,
        left.get("remedy"),
        again=present.state not in ENDED,
        over=present.state == "success",
        follows=_follows(run, one, codes, causes),
    )


def _follows(run: Run, one: Try, codes: tuple[str, ...], causes: list[float]) -> bool:
    """A release that is refused is the cause of the report's failure, where nothing else has failed."""
    if one.operator not in FOLLOWING or codes:
        return False
    refused = one.operator == PUBLISH.operator and any(
        other.operator == RELEASE.operator and _moment(other) <= _moment(one) for other in _failed(run)
    )
    return refused or bool(causes and causes[0] <= _moment(one))


def _error(run: Run, one: Try) -> Mapping[str, Any]:
    """What the last failure of that try left: a try may fail twice when its task was cleared."""
    return next((left for left in reversed(run.errors.get(one.key, ())) if left.get("try") == one.number), {})
