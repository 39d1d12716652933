"""Whether the target's applications are locked out, told by the tasks that lock and release them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from oracle_refresh.watching.records import Run

State = Literal["none", "not yet", "untouched", "locking", "in doubt", "locked", "open"]


@dataclass(frozen=True)
class Quarantine:
    """`none`: the DAG locks nothing. `untouched`: the run ended before it locked anything. `in doubt`: the
    lock failed, and may have locked some accounts. `open`: released after everything was proven. `since` is
    when the state began."""

    state: State
    locked: tuple[str, ...] = ()
    released: tuple[str, ...] = ()
    kept_locked: tuple[str, ...] = ()
    since: datetime | None = None


def quarantine(run: Run) -> Quarantine:
    """A lock that was begun counts as locked: some accounts may be, and nobody has opened them."""
    lock = next(run.of_operator("LockTarget"), None)
    release = next(run.of_operator("ReleaseTarget"), None)
    if lock is None:
        return Quarantine("none")
    if not lock.begun and not any(one.key == lock.key and one.begun for one in run.former):
        return Quarantine("untouched" if run.ended else "not yet")
    locked = run.results.get(lock.key) or {}
    accounts = tuple(locked.get("locked", ()))
    if release is not None and release.state == "success":
        left = run.results.get(release.key) or {}
        return Quarantine(
            "open",
            accounts,
            tuple(left.get("released", ())),
            tuple(left.get("kept_locked", ())),
            release.end,
        )
    if locked:
        return Quarantine("locked", accounts, since=lock.end or lock.start)
    return Quarantine("in doubt" if lock.state == "failed" else "locking", since=lock.end or lock.start)
