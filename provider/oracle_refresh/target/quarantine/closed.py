"""Whether the accounts of a quarantine are closed in fact and their jobs disabled, whatever is recorded.

The ledger tells what was done, not what is: somebody unlocks an account by hand, or the UNLOCK of a former
run's release, whose answer was lost with its connection, is executed after this run has locked the account.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any

from oracle_refresh.oracle.errors import QuarantineError
from oracle_refresh.oracle.session import execute, execute_tolerating, rows, translated
from oracle_refresh.oracle.session_state import client_of
from oracle_refresh.run.ledger import Ledger
from oracle_refresh.target.quarantine import statements
from oracle_refresh.target.quarantine.account_status import is_closed
from oracle_refresh.target.quarantine.holder import held_by, require_holder
from oracle_refresh.target.quarantine.jobs import found_enabled, stop_again
from oracle_refresh.target.quarantine.owners import at_work, guarded
from oracle_refresh.target.quarantine.statements import (
    HOLDER_ITEM,
    HOLDER_STEP,
    LOCKED,
    OWNER_STEP,
    RELEASED,
    RELEASING,
    STEP,
)

if TYPE_CHECKING:
    import oracledb

#: ORA-00026, 00030, 00031: the session is gone, marked for kill, or goes by itself.
_GONE = frozenset({"ORA-00026", "ORA-00030", "ORA-00031"})
_ATTEMPTS = 5
#: An account that somebody opens is closed again by then, as long as any task changes the target.
FULL_LOOK_SECONDS = 30.0


def close(connection: oracledb.Connection, name: str) -> int:
    """Lock an account and end its sessions, of which it returns the number. May be repeated.

    :raises QuarantineError: when sessions do not end.
    """
    execute(connection, statements.lock(name))
    return end_sessions(connection, name)


def still_open(connection: oracledb.Connection, names: Sequence[str]) -> list[str]:
    """Those of the accounts that may log on, or have."""
    if not names:
        return []
    statuses = dict(rows(connection, statements.ACCOUNTS, names=names))
    working = at_work(connection, names)
    return [name for name in names if name in working or not is_closed(statuses.get(name, "LOCKED"))]


def _close_owners(connection: oracledb.Connection, owners: Sequence[str]) -> list[str]:
    """Lock those of the owners who can log on, and end the sessions of all; who they were."""
    who = guarded(connection, owners)
    working = at_work(connection, list(who))
    found = [name for name, opens in who.items() if opens or name in working]
    for name in found:
        if who[name]:
            execute(connection, statements.lock(name))
        end_sessions(connection, name)
    return found


def require_closed(connection: oracledb.Connection, ledger: Ledger) -> None:
    """Pass while every account that the run has locked is so in fact and has no session, no owner of a schema
    can log on or has one, and no job of theirs is enabled.

    :raises QuarantineError: naming what was found open; it is locked and disabled again by then. Jobs of
        DBMS_JOB go on: only their owner can change them.
    """
    locked = [row.key for row in ledger.rows(STEP) if row.state == LOCKED]
    with translated(STEP, kind=QuarantineError):
        try:  # first: a job that runs has a session of its owner
            jobs, old = found_enabled(connection, ledger)
        finally:  # a job that does not end leaves no account open
            opened = still_open(connection, locked)
            for name in opened:
                close(connection, name)
            owners = [row.key for row in ledger.rows(OWNER_STEP) if row.state == LOCKED]
            others = _close_owners(connection, [name for name in owners if name not in locked])
    found = []
    if opened:
        found.append(f"accounts under quarantine were found open, and are locked again: {', '.join(opened)}")
    if others:
        found.append(f"owners of schemas were found open, and are locked again: {', '.join(others)}")
    if jobs:
        found.append(f"jobs under quarantine were found enabled, and are disabled again: {', '.join(jobs)}")
    if old:
        found.append(f"jobs of DBMS_JOB go on under quarantine: {', '.join(old)}")
    if found:
        raise QuarantineError(
            "; ".join(found),
            object_name=(*opened, *others, *jobs, *old)[0],
            step=STEP,
            remedy="find out who opened them, a person or a former release that has lost the answer to its"
            " statement, and what was read meanwhile; let the owner of jobs of DBMS_JOB break them"
            " (DBMS_JOB.BROKEN), which nobody else can; then clear the task",
        )


def close_again(connection: oracledb.Connection, ledger: Ledger) -> None:
    """Lock and disable what the run has not released for certain: a release that was cut off may have opened
    it."""
    stop_again(connection, ledger)
    kept = [row for row in ledger.rows(STEP) if row.state in (LOCKED, RELEASING)]
    for name in still_open(connection, [row.key for row in kept]):
        close(connection, name)
    for row in kept:
        if row.state == RELEASING:
            ledger.record(STEP, row.key, LOCKED, row.detail)


def end_sessions(connection: oracledb.Connection, name: str) -> int:
    """Sessions ended. No new one can appear: the account is locked already."""
    return _end(connection, name, "the account", statements.SESSIONS, {"name": name})


def end_tries(connection: oracledb.Connection, run_id: str, task_id: str | None = None) -> int:
    """End the sessions that tries of a run's tasks have left, which were killed or stand still: what they
    were about to do, when a lock is free, does not come any more. How many there were.

    :param task_id: of this task only; None: of all.
    :raises QuarantineError: if they do not end.
    """
    binds = {"client": client_of(run_id), "action": task_id and task_id[:64]}
    return _end(connection, run_id, "the run", statements.SESSIONS_OF_RUN, binds)


def _end(connection: oracledb.Connection, name: str, whose: str, query: str, binds: dict[str, Any]) -> int:
    killed = 0
    for attempt in range(_ATTEMPTS):
        sessions = rows(connection, query, **binds)
        if not sessions:
            return killed
        time.sleep(0.2 * attempt)
        for session in sessions:
            execute_tolerating(connection, _GONE, statements.kill(*session))
            killed += attempt == 0
    raise QuarantineError(
        f"sessions of {whose} did not end",
        object_name=name,
        step=STEP,
        remedy="end them by hand and repeat the step",
    )


def require_quarantine(connection: oracledb.Connection, run_id: str) -> None:
    """Pass only while this run holds the target, has released no account of it, and all that it has locked
    are locked in fact.

    :raises QuarantineError: otherwise. Accounts that were found open are locked again by then.
    """
    require_holder(connection, run_id)
    ledger = Ledger(connection, run_id)
    taken = ledger.state(HOLDER_STEP, HOLDER_ITEM) == LOCKED
    if not taken or not {RELEASING, RELEASED}.isdisjoint(ledger.states(STEP).values()):
        raise QuarantineError(
            "the target is not in the quarantine of this run",
            object_name=run_id,
            step=STEP,
            remedy="run the task between lock_target and release_target",
        )
    require_closed(connection, ledger)


def require_held(connection: oracledb.Connection, run_id: str, accounts: Collection[str]) -> None:
    """The same where the definition names accounts, or a run has ever locked the target; a DAG of one's own
    that locks nobody may go on where nobody ever did.

    :param accounts: the application accounts of the definition.
    :raises QuarantineError: as `require_quarantine`.
    """
    if accounts or held_by(connection) is not None:
        require_quarantine(connection, run_id)


def never_held(ledger: Ledger, accounts: Collection[str]) -> list[str]:
    """What stands against the release of a run that has never locked the target, a sentence.

    :param accounts: the application accounts of the definition; where it names none, nothing is to be locked.
    """
    if not accounts or ledger.state(HOLDER_STEP, HOLDER_ITEM) is not None:
        return []
    return [f"the run never held the target, whose accounts may have been open: {', '.join(accounts)}"]


class Watch:
    """`require_held` for a task that asks again and again, before each of its tables: the first time, and
    every `FULL_LOOK_SECONDS`, it looks at accounts, sessions and jobs, in between at who holds the target.

    :param accounts: the application accounts of the definition.
    :param clock: in seconds.
    """

    def __init__(
        self,
        connection: oracledb.Connection,
        run_id: str,
        accounts: Collection[str],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._connection, self._run_id, self._clock = connection, run_id, clock
        self._accounts = accounts
        self._due: float | None = None

    def require_held(self) -> None:
        """:raises QuarantineError: as `require_quarantine`."""
        now = self._clock()
        if self._due is not None and now < self._due and self._holds():
            return
        require_held(self._connection, self._run_id, self._accounts)
        self._due = now + FULL_LOOK_SECONDS

    def _holds(self) -> bool:
        holding = rows(self._connection, statements.HOLDING)
        return holding == [(self._run_id, LOCKED, 0)] or not (holding or self._accounts)
