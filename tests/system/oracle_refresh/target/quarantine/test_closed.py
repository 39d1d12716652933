"""Accounts are as before whichever answer of a lock or of a release is lost."""

from __future__ import annotations

import itertools

import oracledb
import pytest

from oracle_refresh.oracle.errors import RefreshError
from oracle_refresh.run.ledger import Ledger
from oracle_refresh.target.quarantine import (
    lock,
    release,
    require_quarantine,
    take,
)
from oracle_refresh.target.quarantine.closed import is_closed
from support.locked_target import AnswerLost, Losing, Target, taken, target

__all__ = ["target"]


@pytest.mark.parametrize("takes_over", [False, True], ids=["same run", "later run"])
@pytest.mark.parametrize("cut_off", ["lock", "release"])
def test_whichever_answer_is_lost_the_end_is_as_before(
    target: Target, cut_off: str, takes_over: bool
) -> None:
    """Every statement of a lock and of a release that changes something, each lost once."""
    names = (target.app, target.closed)
    for number in itertools.count(1):
        first, then = f"{cut_off} {number}", f"{cut_off} {number}" + (" later" if takes_over else "")
        session = target.login(target.app)  # to be ended
        if cut_off == "release":
            taken(target, first)
        lossy = Losing(target.login(target.admin), number)
        try:
            if cut_off == "lock":
                take(lossy, Ledger(lossy, first))
                lock(lossy, names, Ledger(lossy, first))
            else:
                release(lossy, Ledger(lossy, first))
            complete = True
        except (AnswerLost, RefreshError):
            complete = False
        lossy.end()
        if not (complete and cut_off == "release" and not takes_over):
            taken(target, then)
            require_quarantine(target.connection, then)
            assert all(is_closed(target.status(name)) for name in names)
            with pytest.raises(oracledb.DatabaseError):
                session.cursor().execute("SELECT 1 FROM DUAL")
            assert release(target.connection, target.ledger(then)).released == (target.app,), first
        assert target.status(target.app) == "OPEN", first
        assert is_closed(target.status(target.closed)), first
        if complete:
            break
    assert number > 8
