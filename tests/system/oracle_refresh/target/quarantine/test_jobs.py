"""Jobs are as before whichever answer of a lock or of a release is lost."""

from __future__ import annotations

import itertools

import pytest

from oracle_refresh.oracle.errors import RefreshError
from oracle_refresh.run.ledger import Ledger
from oracle_refresh.target.quarantine import (
    release,
    require_quarantine,
)
from support.locked_jobs import Jobs, jobs
from support.locked_target import AnswerLost, Losing, target

__all__ = ["jobs", "target"]


@pytest.mark.parametrize("takes_over", [False, True], ids=["same run", "later run"])
@pytest.mark.parametrize("cut_off", ["lock", "release"])
def test_whichever_answer_is_lost_jobs_are_as_before(jobs: Jobs, cut_off: str, takes_over: bool) -> None:
    target = jobs.target
    for number in itertools.count(1):
        first = f"{cut_off} {number}"
        then = f"{first} later" if takes_over else first
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
        assert jobs.enabled() == [], first
        release(target.connection, target.ledger(then))
        assert jobs.enabled() == ["ON", "SCHEMA"], first
        assert target.status(target.app) == "OPEN", first
        if complete:
            break
    assert number > 12
