"""Accounts and jobs are as before whichever answer of a lock or of a release is lost."""

from __future__ import annotations

import itertools

import oracledb
import pytest

from oracle_refresh.oracle.errors import RefreshError
from oracle_refresh.run.ledger import Ledger
from oracle_refresh.target.quarantine import (
    release,
    require_quarantine,
)
from oracle_refresh.target.quarantine.closed import is_closed
from support.locked_jobs import Jobs, jobs
from support.locked_target import AnswerLost, Losing, target

__all__ = ["jobs", "target"]


@pytest.mark.parametrize("takes_over", [False, True], ids=["same run", "later run"])
@pytest.mark.parametrize("cut_off", ["lock", "release"])
def test_accounts_and_jobs_whichever_answer_is_lost_are_as_before(
    jobs: Jobs, cut_off: str, takes_over: bool
) -> None:
    """Lose the answer to each statement that changes something.

    The same run repeats the lock or release after odd statements, a later run after even ones.
    """
    target = jobs.target
    names = (target.app, target.closed)
    for number in itertools.count(2 if takes_over else 1, 2):
        first = f"{cut_off} {number}"
        then = f"{first} later" if takes_over else first
        session = target.login(target.app)  # to be ended
        if cut_off == "release":
            jobs.lock(first)
        lossy = Losing(target.login(target.admin), number)
        try:
            if cut_off == "lock":
                jobs.lock(first, lossy)
            else:
                release(lossy, Ledger(lossy, first))
            complete = True
        except (AnswerLost, RefreshError):
            complete = False
        lossy.end()
        jobs.lock(then)
        require_quarantine(target.connection, then)
        assert all(is_closed(target.status(name)) for name in names), first
        assert jobs.enabled() == [], first
        with pytest.raises(oracledb.DatabaseError):
            session.cursor().execute("SELECT 1 FROM DUAL")
        assert release(target.connection, target.ledger(then)).released == (target.app,), first
        assert jobs.enabled() == ["ON", "SCHEMA"], first
        assert target.status(target.app) == "OPEN", first
        assert is_closed(target.status(target.closed)), first
        if complete:
            break
    assert number > 12
