"""The accounts are looked at, whatever is recorded: what is open is locked again and told."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import oracledb
import pytest

from oracle_refresh.oracle.errors import QuarantineError
from oracle_refresh.run.ledger import Ledger
from oracle_refresh.target.quarantine import (
    Watch,
    close_again,
    lock,
    never_held,
    open_accounts,
    release,
    require_held,
    require_quarantine,
    statements,
    take,
)
from oracle_refresh.target.quarantine.closed import is_closed
from support.locked_target import PASSWORD, CursorThrough, Losing, Target, taken, target

__all__ = ["target"]


def unlock(target: Target, name: str) -> None:
    with target.server.connect() as system:
        system.cursor().execute(f"ALTER USER {name} ACCOUNT UNLOCK")


def taken_with(target: Target, owner: str) -> int:
    ledger = target.ledger("run")
    take(target.connection, ledger)
    return lock(
        target.connection, (target.app,), ledger, (owner, target.admin, "SYS", "NOBODY")
    ).sessions_killed


@pytest.fixture
def owner(target: Target) -> Iterator[str]:
    """Of a schema, no application account, and locked by somebody else."""
    name = target.app.replace("APP", "OWNER")
    with target.server.connect() as system:
        system.cursor().execute(f'CREATE USER {name} IDENTIFIED BY "{PASSWORD}" ACCOUNT LOCK')
        system.cursor().execute(f"GRANT CREATE SESSION TO {name}")
        yield name
        system.cursor().execute(f"DROP USER {name} CASCADE")


class Counting:
    """A connection that counts the statements executed by it."""

    def __init__(self, connection: oracledb.Connection) -> None:
        self._connection, self.statements = connection, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def cursor(self) -> Any:
        return CursorThrough(self._connection.cursor(), self._count)

    def _count(self, statement: str, call: Callable[[], Any], *_: Any) -> Any:
        self.statements += 1
        return call()


def test_an_account_that_somebody_unlocked_is_locked_again_and_named(target: Target) -> None:
    taken(target)
    require_quarantine(target.connection, "run")
    unlock(target, target.app)
    session = target.login(target.app)
    with pytest.raises(QuarantineError, match=f"found open, and are locked again: {target.app}") as caught:
        require_quarantine(target.connection, "run")
    assert caught.value.object_name == target.app
    with pytest.raises(oracledb.DatabaseError, match="ORA-28000"):
        target.login(target.app)
    with pytest.raises(oracledb.DatabaseError):
        session.cursor().execute("SELECT 1 FROM DUAL")
    require_quarantine(target.connection, "run")
    assert target.release().released == (target.app,)


def test_a_session_that_outlives_the_lock_is_found_and_ended(target: Target) -> None:
    taken(target)
    unlock(target, target.app)
    session = target.login(target.app)
    with target.server.connect() as system:
        system.cursor().execute(f"ALTER USER {target.app} ACCOUNT LOCK")
    session.cursor().execute("SELECT 1 FROM DUAL")
    with pytest.raises(QuarantineError, match="found open"):
        require_quarantine(target.connection, "run")
    with pytest.raises(oracledb.DatabaseError):
        session.cursor().execute("SELECT 1 FROM DUAL")


def test_an_owner_of_a_schema_who_is_unlocked_meanwhile_is_found(target: Target, owner: str) -> None:
    taken_with(target, owner)
    require_quarantine(target.connection, "run")
    unlock(target, owner)
    session = target.login(owner)
    with pytest.raises(QuarantineError, match=f"owners of schemas were found open.*: {owner}") as caught:
        require_quarantine(target.connection, "run")
    assert caught.value.object_name == owner
    assert target.status(owner) == "LOCKED"
    with pytest.raises(oracledb.DatabaseError):
        session.cursor().execute("SELECT 1 FROM DUAL")
    require_quarantine(target.connection, "run")
    assert target.release().released == (target.app,)
    assert target.status(owner) == "LOCKED", "it was before"


def test_an_owner_who_can_log_on_keeps_the_quarantine_from_beginning(target: Target, owner: str) -> None:
    unlock(target, owner)
    with pytest.raises(QuarantineError, match=f"can log on, .*: {owner}") as caught:
        taken_with(target, owner)
    assert "application_accounts" in str(caught.value.remedy)
    assert target.status(target.app) == "OPEN", "nothing is changed"


def test_an_owner_without_a_password_is_closed_until_it_is_given_one(target: Target, owner: str) -> None:
    with target.server.connect() as system:
        system.cursor().execute(f"ALTER USER {owner} NO AUTHENTICATION ACCOUNT UNLOCK")
    taken_with(target, owner)
    require_quarantine(target.connection, "run")
    assert target.status(owner) == "OPEN", "there was nothing to lock"
    with target.server.connect() as system:
        system.cursor().execute(f'ALTER USER {owner} IDENTIFIED BY "{PASSWORD}"')
    with pytest.raises(QuarantineError, match=f"owners of schemas were found open.*: {owner}"):
        require_quarantine(target.connection, "run")
    assert is_closed(target.status(owner))
    assert target.release().released == (target.app,)


def test_sessions_of_an_owner_that_outlive_its_lock_are_ended(target: Target, owner: str) -> None:
    unlock(target, owner)
    session = target.login(owner)
    session.cursor().execute("SELECT 1 FROM DUAL")
    with target.server.connect() as system:
        system.cursor().execute(f"ALTER USER {owner} ACCOUNT LOCK")
    assert taken_with(target, owner) == 1
    with pytest.raises(oracledb.DatabaseError):
        session.cursor().execute("SELECT 1 FROM DUAL")


def test_an_unlock_that_comes_behind_the_lock_of_a_later_run_is_found(target: Target) -> None:
    """The connection of a release breaks; its UNLOCK is executed when another run has locked the account."""
    taken(target, "former")

    def take_over() -> None:
        taken(target, "later")

    lossy = Losing(target.login(target.admin), statements.unlock(target.app), take_over)
    with pytest.raises(QuarantineError, match="DPY-4011"):
        release(lossy, Ledger(lossy, "former"))
    assert target.status(target.app) == "OPEN", "the ledger says it is locked"
    with pytest.raises(QuarantineError, match=f"found open, and are locked again: {target.app}"):
        require_held(target.connection, "later", (target.app,))
    assert "LOCKED" in target.status(target.app)
    require_held(target.connection, "later", (target.app,))
    assert target.release("later").released == (target.app,)
    assert "LOCKED" in target.status(target.closed)


def test_a_release_that_was_cut_off_and_is_refused_now_locks_again(target: Target) -> None:
    taken(target)
    lossy = Losing(target.login(target.admin), statements.unlock(target.app))
    with pytest.raises(QuarantineError, match="DPY-4011"):
        release(lossy, Ledger(lossy, "run"))
    assert target.status(target.app) == "OPEN"
    with pytest.raises(QuarantineError, match="not in the quarantine of this run"):
        require_quarantine(target.connection, "run")
    close_again(target.connection, target.ledger("run"))
    assert open_accounts(target.connection, target.ledger("run")) == (
        f"the target stays locked (2 accounts: {target.app}, {target.closed})"
    )
    require_quarantine(target.connection, "run")
    assert target.release().released == (target.app,)


def test_accounts_that_a_definition_names_have_to_be_locked(target: Target) -> None:
    """Nobody has ever locked the target: the task that does was marked as a success by hand."""
    connection, ledger = target.connection_with_ledger(), target.ledger("run")
    for ask in (
        lambda: require_held(connection, "run", (target.app,)),
        Watch(connection, "run", (target.app,)).require_held,
    ):
        with pytest.raises(QuarantineError, match="not in the quarantine of this run") as caught:
            ask()
        assert "lock_target" in str(caught.value.remedy)
    assert target.app in never_held(ledger, (target.app,))[0]
    assert never_held(ledger, ()) == []
    taken(target)
    assert never_held(ledger, (target.app,)) == []
    target.release()
    assert never_held(ledger, (target.app,)) == [], "a release may be repeated"
    assert never_held(target.ledger("another"), (target.app,))


def test_tasks_of_a_run_that_is_released_change_nothing(target: Target) -> None:
    require_held(target.connection_with_ledger(), "run", ())  # nobody has ever locked it
    taken(target)
    require_held(target.connection, "run", (target.app,))
    target.release()
    with pytest.raises(QuarantineError, match="not in the quarantine of this run"):
        require_held(target.connection, "run", (target.app,))
    taken(target)
    require_held(target.connection, "run", (target.app,))


def test_a_task_of_many_tables_asks_who_holds_the_target_by_one_query(target: Target) -> None:
    taken(target)
    counting, seconds = Counting(target.connection), itertools.count()
    watch = Watch(counting, "run", (target.app,), lambda: float(next(seconds)))  # type: ignore[arg-type]
    watch.require_held()
    whole, counting.statements = counting.statements, 0
    for _ in range(20):
        watch.require_held()
    assert (whole > 10, counting.statements) == (True, 20)


def test_a_task_of_many_tables_looks_at_the_accounts_every_30_seconds(target: Target) -> None:
    taken(target)
    now = 0.0
    watch = Watch(target.connection, "run", (target.app,), lambda: now)
    watch.require_held()
    unlock(target, target.app)
    now = 29.0
    watch.require_held()
    now = 30.0
    with pytest.raises(QuarantineError, match=f"found open, and are locked again: {target.app}"):
        watch.require_held()
    watch.require_held()


@pytest.mark.parametrize("meanwhile", ["taken over", "released", "account released", "first lock"])
def test_a_task_of_many_tables_stops_at_the_next_table(target: Target, meanwhile: str) -> None:
    """Whatever becomes of the target: the quick look sees it, at any time."""
    if meanwhile == "first lock":
        target.connection_with_ledger()
    else:
        taken(target)
    accounts = () if meanwhile == "first lock" else (target.app,)
    watch = Watch(target.connection, "run", accounts, lambda: 0.0)
    watch.require_held()
    watch.require_held()
    if meanwhile in ("taken over", "first lock"):
        taken(target, "later")
    elif meanwhile == "released":
        target.release()
    else:
        target.ledger("run").record(statements.STEP, target.app, statements.RELEASING, {"status": "OPEN"})
    with pytest.raises(QuarantineError, match=r"run later has taken|not in the quarantine of this run"):
        watch.require_held()


def test_a_lock_for_some_time_is_none() -> None:
    assert not any(map(is_closed, ("OPEN", "EXPIRED", "EXPIRED(GRACE)", "LOCKED(TIMED)")))
    assert not is_closed("EXPIRED & LOCKED(TIMED)")
    assert all(map(is_closed, ("LOCKED", "EXPIRED & LOCKED", "EXPIRED(GRACE) & LOCKED")))
