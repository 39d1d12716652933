"""The quarantine of a target: its application accounts are locked until the refresh is proven.

It fails closed. Each account's former state is recorded before the account is locked, so a release restores
only what was open before; a failed or interrupted lock leaves accounts locked. When a former run was never
released, its record counts: an account that this provider locked does not become "locked before" by being
found locked.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle_refresh.jsonable import Jsonable
from oracle_refresh.oracle.counting import counted, listed, some
from oracle_refresh.oracle.errors import QuarantineError, RefreshError, from_oracle, oracle_codes
from oracle_refresh.oracle.session import execute, rows, scalar, translated
from oracle_refresh.run.kind import Kind
from oracle_refresh.run.ledger import Ledger, ensure_ledger
from oracle_refresh.target.quarantine import statements
from oracle_refresh.target.quarantine.account_status import is_closed
from oracle_refresh.target.quarantine.closed import close, end_sessions
from oracle_refresh.target.quarantine.holder import require_holder
from oracle_refresh.target.quarantine.jobs import (
    begin_release,
    note_owners,
    require_no_old_jobs,
    start_jobs,
    stop_jobs,
    stopped_once,
)
from oracle_refresh.target.quarantine.owners import guarded, require_owners_closed
from oracle_refresh.target.quarantine.statements import (
    HOLDER_ITEM,
    HOLDER_STEP,
    LOCKED,
    RELEASED,
    RELEASING,
    STEP,
)

if TYPE_CHECKING:
    import oracledb


@dataclass(frozen=True)
class Quarantine(Jsonable):
    """What a lock or a release did. `kept_locked` were not open before the quarantine."""

    locked: tuple[str, ...]
    released: tuple[str, ...] = ()
    kept_locked: tuple[str, ...] = ()
    sessions_killed: int = 0
    jobs: tuple[str, ...] = ()
    """Jobs of DBMS_SCHEDULER (OWNER.NAME) that were disabled, or are enabled again."""
    stopped: tuple[str, ...] = ()
    """Jobs that run once and were stopped in that run: nobody takes it up again."""

    @property
    def lock_text(self) -> str:
        """What the lock did, for the log of its task."""
        return (
            f"Locked {listed(self.locked, 'account')}, disabled {listed(self.jobs, 'job')},"
            f" ended {counted(self.sessions_killed, 'session')}"
        )

    @property
    def release_text(self) -> str:
        """What the release did, for the log of its task."""
        kept = f"; left {listed(self.kept_locked, 'account')} locked, as before the refresh"
        return (
            f"Unlocked {listed(self.released, 'account')}, enabled {listed(self.jobs, 'job')}"
            f"{kept if self.kept_locked else ''}"
        )


LOCK: Kind[Quarantine] = Kind("lock", Quarantine)
RELEASE: Kind[Quarantine] = Kind("release", Quarantine)


def lock(
    connection: oracledb.Connection, accounts: Iterable[str], ledger: Ledger, schemas: Iterable[str] = ()
) -> Quarantine:
    """Lock the accounts, and disable the jobs and end the sessions of these and of the schemas' owners. A
    repeated call finishes what the former one left undone.

    ALTER USER commits what the connection has pending.

    :raises QuarantineError: before anything is changed when an account does not exist or is the connected
        one, another owner of a schema can log on, or jobs of DBMS_JOB would go on; later when an account
        could not be locked, a job not be disabled, or sessions did not end: accounts locked so far stay
        locked.
    """
    names = tuple(dict.fromkeys(accounts))
    owners = tuple(dict.fromkeys((*names, *schemas)))
    others = [name for name in owners if name not in names]
    try:
        states = require_lockable(connection, names, schemas)
        ensure_ledger(connection)
        note_owners(ledger, owners)
        for name, status in states.items():
            own = ledger.entry(STEP, name)
            if own is None or own.state == RELEASED:
                former = _inherited(connection, name, ledger.run_id) or status
                ledger.record(STEP, name, LOCKED, {"status": former})
            elif own.state == RELEASING:  # a release that was cut off may have unlocked it or not
                ledger.record(STEP, name, LOCKED, own.detail)
            execute(connection, statements.lock(name))
        stop_jobs(connection, ledger, owners)
        killed = sum(end_sessions(connection, name) for name in (*names, *guarded(connection, others)))
        jobs = stop_jobs(connection, ledger, owners)  # also what a session has made before it was ended
        still_open = [name for name, status in _states(connection, names).items() if not is_closed(status)]
    except RefreshError:
        raise
    except Exception as error:
        raise _failed(error) from error
    if still_open:
        raise QuarantineError(
            f"accounts are still open after ACCOUNT LOCK: {some(still_open)}",
            object_name=still_open[0],
            step=STEP,
        )
    stopped = stopped_once(ledger)
    return Quarantine(names, sessions_killed=killed, jobs=tuple(jobs), stopped=stopped)


def require_lockable(
    connection: oracledb.Connection, accounts: Iterable[str], schemas: Iterable[str] = ()
) -> dict[str, str]:
    """Pass where nothing stands against `lock`; the status of the accounts. It only reads: ask before the run
    takes the target.

    :raises QuarantineError: as `lock` does before it changes anything.
    """
    names = tuple(dict.fromkeys(accounts))
    others = [name for name in dict.fromkeys(schemas) if name not in names]
    with translated(STEP, kind=QuarantineError):
        states = _states(connection, names)
        require_owners_closed(connection, others)
        require_no_old_jobs(connection, (*names, *others))
    return states


def release(connection: oracledb.Connection, ledger: Ledger) -> Quarantine:
    """Unlock the accounts that this run's quarantine found open, and enable the jobs that it found enabled;
    all others stay as they are. May be repeated.

    :raises QuarantineError: when an account cannot be unlocked, or another run has taken the target since:
        the others, not yet released, stay locked; or when jobs cannot be enabled.
    """
    locked: list[str] = []
    released: list[str] = []
    kept_locked: list[str] = []
    try:
        begin_release(ledger)
        for row in ledger.rows(STEP):
            name, was_open = row.key, not is_closed(row.detail["status"])
            locked.append(name)
            (released if was_open else kept_locked).append(name)
            if row.state == RELEASED:
                continue
            require_holder(connection, ledger.run_id)
            if was_open:
                ledger.record(STEP, name, RELEASING, row.detail)
                _unlock(connection, name, ledger.run_id)
            for other, detail in _unreleased(connection, name, ledger.run_id):
                Ledger(connection, other).record(STEP, name, RELEASED, detail, commit=False)
            ledger.record(STEP, name, RELEASED, row.detail)
        jobs = start_jobs(connection, ledger)
        if ledger.state(HOLDER_STEP, HOLDER_ITEM) is not None:
            ledger.record(HOLDER_STEP, HOLDER_ITEM, RELEASED)
    except RefreshError:
        raise
    except Exception as error:
        raise _failed(error) from error
    stopped = stopped_once(ledger)
    return Quarantine(tuple(locked), tuple(released), tuple(kept_locked), jobs=tuple(jobs), stopped=stopped)


def _unlock(connection: oracledb.Connection, name: str, run_id: str) -> None:
    """Unlock an account, or leave it locked where another run has taken the target at this very moment.

    That run locks the account once it holds the target: either its lock comes after this unlock, or it is
    seen here.
    """
    execute(connection, statements.unlock(name))
    try:
        require_holder(connection, run_id)
    except QuarantineError:
        close(connection, name)
        raise


def open_accounts(connection: oracledb.Connection, ledger: Ledger) -> str:
    """How the accounts of the run's quarantine are now, in words, whatever is recorded of them: a release may
    have been killed half way, or a run was released before it was found wrong."""
    names = [row.key for row in ledger.rows(STEP)]
    statuses = {name: scalar(connection, statements.ACCOUNT, name=name) for name in names}
    unlocked = [name for name, status in statuses.items() if status is not None and not is_closed(status)]
    if unlocked:
        return f"accounts of the target are open: {some(unlocked)}"
    locked = f"the target stays locked ({counted(len(names), 'account')}: {some(names)})"
    return locked if names else "the run has locked no account of the target"


def never_released(connection: oracledb.Connection) -> set[str]:
    """The runs that hold accounts or jobs still: their ledger alone knows which were open before them."""
    return {run_id for (run_id,) in rows(connection, statements.NEVER_RELEASED)}


def _states(connection: oracledb.Connection, names: tuple[str, ...]) -> dict[str, str]:
    connected = scalar(connection, statements.CONNECTED)
    states = {}
    for name in names:
        status = scalar(connection, statements.ACCOUNT, name=name)
        if status is None:
            raise QuarantineError(
                "there is no such account on the target",
                object_name=name,
                step=STEP,
                remedy="correct application_accounts in the refresh definition",
            )
        if name == connected:
            raise QuarantineError(
                "the refresh connects with this account and would lock itself out",
                object_name=name,
                step=STEP,
                remedy="use an account of its own for the refresh",
            )
        states[name] = status
    return states


def _inherited(connection: oracledb.Connection, name: str, run_id: str) -> str | None:
    """The former status by the oldest quarantine of another run that still holds the account, or None."""
    for _, detail in _unreleased(connection, name, run_id):
        return str(detail["status"])
    return None


def _unreleased(connection: oracledb.Connection, name: str, run_id: str) -> list[tuple[str, dict[str, str]]]:
    unreleased = rows(connection, statements.UNRELEASED, name=name, run_id=run_id)
    return [(other, json.loads(detail)) for other, detail in unreleased]


def _failed(error: Exception) -> BaseException:
    return from_oracle(error, STEP, None, QuarantineError) if oracle_codes(error) else error
