"""Two refresh users of one target: each has a ledger of its own, and they refuse each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from oracle_refresh.oracle.errors import QuarantineError
from oracle_refresh.run.ledger import ensure_ledger
from oracle_refresh.target.quarantine import built, held_by_others, lock, release, require_quarantine, take
from oracle_refresh.target.quarantine import holder as module
from oracle_refresh.target.quarantine.statements import HOLDER_ITEM, HOLDER_STEP, LOCKED
from support.locked_target import Target, target

__all__ = ["target"]


@pytest.fixture
def other(oracle: Any) -> Iterator[Target]:
    other = Target(oracle)
    yield other
    other.drop()


def test_a_run_of_another_refresh_user_keeps_the_target(target: Target, other: Target) -> None:
    take(target.connection, target.ledger("first"))
    with pytest.raises(QuarantineError, match=f"run first of another refresh user, {target.admin}") as caught:
        take(other.connection, other.ledger("second"))
    assert caught.value.remedy is not None
    names = (target.app,)
    lock(target.connection, names, target.ledger("first"))
    assert held_by_others(other.connection) == [(target.admin, "first")]
    with pytest.raises(QuarantineError, match="another refresh user"):
        take(other.connection, other.ledger("second"))
    require_quarantine(target.connection, "first")
    take(target.connection, target.ledger("first"))
    release(target.connection, target.ledger("first"))
    take(other.connection, other.ledger("second"))
    with pytest.raises(QuarantineError, match="run second of another refresh user"):
        take(target.connection, target.ledger("third"))


def test_a_run_that_locks_nobody_lets_the_target_go_as_well(target: Target, other: Target) -> None:
    take(target.connection, target.ledger("nobody locked"))
    lock(target.connection, (), target.ledger("nobody locked"))
    with pytest.raises(QuarantineError, match="another refresh user"):
        take(other.connection, other.ledger("second"))
    release(target.connection, target.ledger("nobody locked"))
    take(other.connection, other.ledger("second"))


def test_users_who_take_it_at_the_same_moment_see_each_other(
    target: Target, other: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner, looks = module.require_no_others, list[int]()
    second = other.ledger("second")
    ensure_ledger(other.connection)

    def look(connection: Any) -> None:
        looks.append(1)
        if len(looks) == 2:  # the first one has looked, and noted that it holds the target
            second.record(HOLDER_STEP, HOLDER_ITEM, LOCKED)
        inner(connection)

    with monkeypatch.context() as patch:
        patch.setattr(module, "require_no_others", look)
        with pytest.raises(QuarantineError, match=f"run second of another refresh user, {other.admin}"):
            take(target.connection, target.ledger("first"))
    assert held_by_others(other.connection) == [], "who was refused keeps nobody out"
    take(other.connection, second)


def test_tables_of_runs_that_took_the_target_later_are_not_this_runs(target: Target) -> None:
    for run_id in ("former", "own", "later"):
        take(target.connection, target.ledger(run_id))
        target.ledger(run_id).record("build_table", f"APP.{run_id.upper()}", "done")
    assert built(target.connection, "own") == [("former", "APP.FORMER"), ("own", "APP.OWN")]
