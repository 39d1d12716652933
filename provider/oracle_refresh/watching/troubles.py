"""What went wrong in a run: every failed try, with the ORA codes and the remedy that it left."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from oracle_refresh.watching.records import Key, Run, Try

FAILED = frozenset({"failed", "up_for_retry"})


@dataclass(frozen=True)
class Trouble:
    """A try that failed. `over` when the task has succeeded since, `again` when Airflow will try it again."""

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


def troubles(run: Run) -> tuple[Trouble, ...]:
    """Failed tries: what still stands before what is mended, and the first one first, as it is the cause of
    others."""
    present = {one.key: one for one in run.tries}
    found = [_trouble(run, one, present[one.key]) for one in _failed(run) if one.key in present]
    return tuple(sorted(found, key=lambda one: (one.over, one.at.timestamp() if one.at else 0.0, one.key)))


def _failed(run: Run) -> Iterator[Try]:
    yield from (one for one in run.former if one.state in FAILED)
    yield from (one for one in run.tries if one.state in FAILED)


def _trouble(run: Run, one: Try, present: Try) -> Trouble:
    left = _error(run, one)
    return Trouble(
        one.key,
        run.items.get(one.key),
        one.number,
        one.end or one.start,
        one.state or "",
        tuple(left.get("codes", ())),
        left.get("message") or one.retry_reason,
        left.get("remedy"),
        again=present.state in ("up_for_retry", "queued", "scheduled", "running", "restarting", None),
        over=present.state == "success",
    )


def _error(run: Run, one: Try) -> Mapping[str, Any]:
    """What the last failure of that try left: a try may fail twice when its task was cleared."""
    return next((left for left in reversed(run.errors.get(one.key, ())) if left.get("try") == one.number), {})
