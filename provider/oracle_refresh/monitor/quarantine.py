"""Whether the target's applications are locked out, by the tasks that lock and release them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from oracle_refresh.monitor.records import Run, Try
from oracle_refresh.plan import stages
from oracle_refresh.run.failures import LOST

State = Literal["none", "not yet", "untouched", "locking", "in doubt", "locked", "open", "put back"]


@dataclass(frozen=True)
class Quarantine:
    """`none`: the DAG locks nothing. `untouched`: the run ended before it locked anything. `in doubt`: the
    lock failed, and may have locked some accounts, or the release was stopped, and may have opened some.
    `open`: released after everything was proven. `put back`: open upon the former tables, since the new ones
    were not proven. `since` is when the state began."""

    state: State
    locked: tuple[str, ...] = ()
    released: tuple[str, ...] = ()
    kept_locked: tuple[str, ...] = ()
    since: datetime | None = None


def quarantine(run: Run) -> Quarantine:
    """Return the state of the target's accounts. A started lock may have locked some of them."""
    lock = next(run.of(stages.LOCK), None)
    release = next(run.of(stages.RELEASE), None)
    if lock is None:
        return Quarantine("none")
    if not lock.begun and not any(each.key == lock.key and each.begun for each in run.former):
        return Quarantine("untouched" if run.ended else "not yet")
    # The lock's result is missing while the report directory cannot be read.
    accounts = tuple((run.results.get(lock.key) or {}).get("locked", ()))
    locked = bool(accounts) or lock.state == "success"
    if release is not None and release.state == "success" and _after(release, lock):
        left = run.results.get(release.key) or {}
        return Quarantine(
            "put back" if _put_back(run) else "open",
            accounts,
            tuple(left.get("released", ())),
            tuple(left.get("kept_locked", ())),
            release.end,
        )
    if locked and release is not None and release.state == "failed" and not _refused(run, release):
        return Quarantine("in doubt", accounts, since=release.end or release.start)
    if locked:
        return Quarantine("locked", accounts, since=lock.end or lock.start)
    return Quarantine("in doubt" if lock.state == "failed" else "locking", since=lock.end or lock.start)


def _put_back(run: Run) -> bool:
    former = next(run.of(stages.FORMER), None)
    settled = (run.results.get(former.key) if former else None) or {}
    return bool(settled.get("outcome") == "put back")


def _after(release: Try, lock: Try) -> bool:
    """Return whether the release ran after the lock. A lock that is cleared alone locks again later."""
    return lock.start is None or release.start is None or release.start >= lock.start


def _refused(run: Run, release: Try) -> bool:
    """Return whether the release refused to unlock accounts. Without an error it was stopped, and with an
    Oracle code it failed in the database: either may have unlocked some accounts.
    """
    left = next((error for error in reversed(run.errors.get(release.key, ()))
                 if error.get("try") == release.number), None)  # fmt: skip
    return left is not None and not left.get("codes") and left.get("message") != LOST
