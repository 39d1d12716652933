"""The quarantine on a stand-in with an application account of its own."""

from __future__ import annotations

import oracledb
import pytest

from oracle_refresh.oracle.errors import QuarantineError
from oracle_refresh.run.ledger import Ledger
from oracle_refresh.target.quarantine import accounts as module
from oracle_refresh.target.quarantine import lock, open_accounts, statements, take
from support.locked_target import Target, target

__all__ = ["target"]


def test_nobody_logs_in_between_lock_and_release(target: Target) -> None:
    target.login(target.app).close()
    locked = target.lock()
    assert locked.locked == (target.app, target.closed)
    for name in locked.locked:
        with pytest.raises(oracledb.DatabaseError, match="ORA-28000"):
            target.login(name)
    released = target.release()
    assert (released.locked, released.released, released.kept_locked) == (
        (target.app, target.closed),
        (target.app,),
        (target.closed,),
    )
    target.login(target.app).close()
    assert "LOCKED" in target.status(target.closed)


def test_live_sessions_end(target: Target) -> None:
    session = target.login(target.app)
    with session.cursor() as cursor:
        cursor.execute("SELECT 1 FROM DUAL")
    assert target.lock().sessions_killed == 1
    with pytest.raises(oracledb.DatabaseError), session.cursor() as cursor:
        cursor.execute("SELECT 1 FROM DUAL")


def test_both_may_be_repeated(target: Target) -> None:
    target.lock()
    assert target.lock().locked == (target.app, target.closed)
    first = target.release()
    assert target.release() == first
    assert target.status(target.app) == "OPEN"


def test_an_account_that_a_former_run_left_locked_is_opened_by_the_next_success(target: Target) -> None:
    target.lock(run_id="failed run")
    target.lock(run_id="next run")
    assert target.release("next run").released == (target.app,)
    target.login(target.app).close()
    assert "LOCKED" in target.status(target.closed)
    with target.server.connect() as system:
        system.cursor().execute(f"ALTER USER {target.app} ACCOUNT LOCK")
    target.lock(run_id="third run")
    assert target.release("third run").released == (), "released runs no longer speak for an account"


def test_a_lock_for_some_time_is_no_state_to_go_back_to(
    target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LOCKED(TIMED) opens by itself; the quarantine's lock would last."""
    target.lock()
    target.ledger("run").record(statements.STEP, target.app, statements.LOCKED, {"status": "LOCKED(TIMED)"})
    with monkeypatch.context() as patch:
        patch.setattr(module, "scalar", lambda *_, **__: "LOCKED(TIMED)")
        assert target.app in open_accounts(target.connection, target.ledger("run"))
    assert target.release().released == (target.app,)
    target.login(target.app).close()


def test_accounts_that_do_not_exist_are_refused_before_anything_changes(target: Target) -> None:
    with pytest.raises(QuarantineError, match="no such account"):
        target.lock(target.app, "NOBODY_HERE")
    assert target.status(target.app) == "OPEN"


def test_the_connected_account_is_refused(target: Target) -> None:
    with pytest.raises(QuarantineError, match="lock itself out"):
        target.lock(target.app, target.admin)
    assert target.status(target.app) == "OPEN"


def test_names_are_no_statements(target: Target) -> None:
    with pytest.raises(QuarantineError, match="no such account"):
        target.lock('X" ACCOUNT UNLOCK --')


def test_a_failure_leaves_locked_what_is_locked(target: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = module.execute

    def fails(connection: oracledb.Connection, statement: str) -> None:
        if target.closed in statement:
            raise oracledb.DatabaseError("ORA-01031: insufficient privileges")
        inner(connection, statement)

    with monkeypatch.context() as patch:
        patch.setattr(module, "execute", fails)
        with pytest.raises(QuarantineError) as caught:
            target.lock()
    assert caught.value.codes == ("ORA-01031",)
    assert "LOCKED" in target.status(target.app)
    target.lock()
    assert target.release().released == (target.app,)


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_run_that_takes_the_target_during_a_release_keeps_it_locked(
    target: Target, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    """The release of a run that was thought dead goes on while its successor locks the same accounts."""
    names = (target.app, target.closed)
    take(target.connection, target.ledger("former"))
    target.lock(run_id="former")
    inner = module.execute

    def taken(connection: oracledb.Connection, statement: str) -> None:
        inner_comes_first = moment == "after"
        if inner_comes_first:
            inner(connection, statement)
        if statement == statements.unlock(target.app):
            with target.login(target.admin) as other:
                take(other, Ledger(other, "later"))
                lock(other, names, Ledger(other, "later"))
        if not inner_comes_first:
            inner(connection, statement)

    with monkeypatch.context() as patch:
        patch.setattr(module, "execute", taken)
        with pytest.raises(QuarantineError, match="run later has taken the target over"):
            target.release("former")
    for name in names:
        with pytest.raises(oracledb.DatabaseError, match="ORA-28000"):
            target.login(name)
    assert target.release("later").released == (target.app,), "it was open before both"
    target.login(target.app).close()


def test_without_the_privilege(target: Target) -> None:
    with target.server.connect() as system:
        system.cursor().execute(f"REVOKE ALTER USER FROM {target.admin}")
    with pytest.raises(QuarantineError) as caught:
        target.lock(target.app)
    assert "ORA-01031" in caught.value.codes
