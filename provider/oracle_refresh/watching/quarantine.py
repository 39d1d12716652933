"""Whether the target's applications are locked out, told by the tasks that lock and release them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from oracle_refresh.watching.records import Run

State = Literal["not yet", "locking", "locked", "open"]


@dataclass(frozen=True)
class Quarantine:
    """`open`: released after everything was proven. `since` is when the state began."""

    state: State
    locked: tuple[str, ...] = ()
    released: tuple[str, ...] = ()
    kept_locked: tuple[str, ...] = ()
    since: datetime | None = None


def quarantine(run: Run) -> Quarantine:
    """A lock that was begun counts as locked: some accounts may be, and nobody has opened them."""
    lock = next(run.of_operator("LockTarget"), None)
    release = next(run.of_operator("ReleaseTarget"), None)
    if lock is None or lock.start is None:
        return Quarantine("not yet")
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
    return Quarantine("locked" if locked else "locking", accounts, since=lock.end or lock.start)
