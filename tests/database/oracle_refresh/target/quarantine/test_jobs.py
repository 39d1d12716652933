"""Jobs of locked accounts: disabled and stopped, enabled again by the release, and looked at in between."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import oracledb
import pytest

from oracle_refresh.oracle.errors import QuarantineError
from oracle_refresh.run.ledger import Ledger
from oracle_refresh.target.quarantine import (
    close_again,
    never_released,
    release,
    require_quarantine,
    statements,
    unproven,
)
from oracle_refresh.target.quarantine import jobs as module
from support.locked_jobs import Jobs, jobs
from support.locked_target import Losing, Refusing, target
from support.waiting import PATIENCE

__all__ = ["jobs", "target"]

RUNNING = "SELECT JOB_NAME FROM DBA_SCHEDULER_RUNNING_JOBS WHERE JOB_NAME = 'LONG'"


def until(true: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_jobs_that_were_enabled_are_so_again_and_no_others(jobs: Jobs) -> None:
    until(jobs.runs)
    assert jobs.enabled() == ["ON", "SCHEMA"]
    locked = jobs.lock()
    assert set(locked.jobs) == {f"{jobs.target.app}.ON", f"{jobs.owner}.SCHEMA"}
    assert jobs.enabled() == []
    before = jobs.runs()
    require_quarantine(jobs.target.connection, "run")
    assert jobs.lock().jobs == locked.jobs, "a repeated lock finds the same"
    assert jobs.runs() == before
    released = jobs.target.release()
    assert (released.jobs, jobs.enabled()) == (locked.jobs, ["ON", "SCHEMA"])
    until(lambda: jobs.runs() > before)
    assert jobs.target.release() == released


def test_a_run_of_a_job_ends(jobs: Jobs) -> None:
    jobs.create(jobs.target.app, "LONG", "DBMS_SESSION.SLEEP(600);")
    until(lambda: jobs.rows(RUNNING))
    assert jobs.lock().stopped == (f"{jobs.target.app}.LONG",)
    assert jobs.rows(RUNNING) == []
    assert jobs.rows(f"SELECT 1 FROM V$SESSION WHERE USERNAME = '{jobs.target.app}'") == []


@pytest.mark.slow
@pytest.mark.parametrize("code", ["ORA-27365", "ORA-27366"], ids=["refused", "goes on"])
def test_what_does_not_end_in_good_order_is_stopped_by_force(
    jobs: Jobs, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    """ORA-27365: the job has been notified to stop, but failed to do so immediately (Error Messages 19c)."""
    monkeypatch.setattr(module, "_PATIENCE", 0.3)
    jobs.create(jobs.target.app, "LONG", "DBMS_SESSION.SLEEP(600);")
    until(lambda: jobs.rows(RUNNING))
    locked = jobs.lock(connection=Refusing(jobs.target.connection, {statements.STOP_JOB: code}))
    assert jobs.rows(RUNNING) == []
    assert locked.stopped == (f"{jobs.target.app}.LONG",)
    jobs.target.connection.cursor().execute("SELECT 1 FROM DUAL")
    assert jobs.lock().stopped == locked.stopped, "a repeated lock tells it as well"
    assert jobs.target.release().stopped == locked.stopped


def test_a_repeated_job_that_is_stopped_runs_again_by_itself(jobs: Jobs) -> None:
    jobs.create(jobs.target.app, "LONG", "DBMS_SESSION.SLEEP(600);", "FREQ=DAILY")
    until(lambda: jobs.rows(RUNNING))
    assert jobs.lock().stopped == ()
    assert jobs.rows(RUNNING) == []


@pytest.mark.slow
def test_a_listed_run_without_a_session_holds_up_nobody(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    """A slave that ended in some other way may leave the row of its run behind."""
    inner = module.rows

    def rows(connection: Any, statement: str, **binds: Any) -> list[Any]:
        stale = [(jobs.owner, "LEFT_BEHIND", 0)] if statement == statements.RUNNING_JOBS else []
        return inner(connection, statement, **binds) + stale

    monkeypatch.setattr(module, "rows", rows)
    monkeypatch.setattr(module, "_PATIENCE", 0.3)
    jobs.lock()
    require_quarantine(jobs.target.connection, "run")


@pytest.mark.slow
def test_a_run_that_does_not_end_keeps_the_quarantine_from_beginning(
    jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_PATIENCE", 0.3)
    jobs.create(jobs.target.app, "LONG", "DBMS_SESSION.SLEEP(600);")
    until(lambda: jobs.rows(RUNNING))
    stops = (statements.STOP_JOB, statements.STOP_JOB_BY_FORCE)
    deaf = Refusing(jobs.target.connection, dict.fromkeys(stops, "ORA-27366"))
    with pytest.raises(QuarantineError, match=f"stopped and run on: {jobs.target.app}.LONG") as caught:
        jobs.lock(connection=deaf)
    assert "SESSION_ID" in str(caught.value.remedy)
    jobs.lock()


@pytest.mark.slow
def test_a_run_may_take_a_while_to_end(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs.create(jobs.target.app, "SHORT", "DBMS_SESSION.SLEEP(2);")
    until(lambda: jobs.rows(RUNNING.replace("LONG", "SHORT")))
    jobs.lock(connection=Refusing(jobs.target.connection, {statements.STOP_JOB: "ORA-27366"}))
    assert jobs.rows(RUNNING.replace("LONG", "SHORT")) == []


def test_a_job_that_is_enabled_meanwhile_is_found_and_disabled(jobs: Jobs) -> None:
    jobs.lock()
    jobs.call(f"ENABLE('{jobs.target.app}.ON')")
    with pytest.raises(QuarantineError, match=f"found enabled, and are disabled again: {jobs.target.app}.ON"):
        require_quarantine(jobs.target.connection, "run")
    assert jobs.enabled() == []
    jobs.create(jobs.owner, "NEW", "NULL;", "FREQ=DAILY")
    with pytest.raises(QuarantineError, match=f"{jobs.owner}.NEW"):
        require_quarantine(jobs.target.connection, "run")
    require_quarantine(jobs.target.connection, "run")
    jobs.target.release()
    assert jobs.enabled() == ["NEW", "ON", "SCHEMA"]


def test_what_a_run_left_disabled_is_enabled_by_the_next_success(jobs: Jobs) -> None:
    jobs.lock("failed run")
    jobs.lock("next run")
    jobs.target.release("next run")
    assert jobs.enabled() == ["ON", "SCHEMA"]
    jobs.call(f"DISABLE('{jobs.owner}.SCHEMA')")
    jobs.lock("third run")
    jobs.target.release("third run")
    assert jobs.enabled() == ["ON"], "released runs no longer speak for a job"


@pytest.mark.slow
def test_a_run_that_could_not_enable_a_job_holds_it_still(jobs: Jobs) -> None:
    jobs.lock()
    connection = jobs.target.connection
    jobs.target.ledger("run").record("build_table", f"{jobs.owner}.T", "done")
    with jobs.target.server.connect() as system:
        system.cursor().execute(f"CREATE TABLE {jobs.owner}.T (N NUMBER)")
        system.cursor().execute(f"REVOKE CREATE ANY JOB FROM {jobs.target.admin}")
    with pytest.raises(QuarantineError, match="jobs could not be enabled"):
        jobs.target.release()
    assert jobs.target.status(jobs.target.app) == "OPEN"
    assert never_released(connection) == {"run"}, "its ledger alone tells which jobs were enabled"
    with jobs.target.server.connect() as system:
        system.cursor().execute(f"GRANT CREATE ANY JOB TO {jobs.target.admin}")
        assert system.cursor().execute(statements.held(jobs.target.admin)).fetchall() == [("run",)]
    jobs.lock("next run")
    assert len(unproven(connection, "next run", ())) == 1, "its jobs would read what is not proven"
    jobs.target.release("next run")
    assert never_released(connection) == set()


def test_a_job_that_is_gone_holds_nothing_up(jobs: Jobs) -> None:
    jobs.lock()
    jobs.call(f"DROP_JOB('{jobs.owner}.SCHEMA')")
    jobs.target.release()
    assert jobs.enabled() == ["ON"]


@pytest.mark.parametrize("code", ["ORA-27475", "ORA-27476"])
@pytest.mark.parametrize("statement", [statements.DISABLE_JOB, statements.STOP_JOB])
def test_a_job_out_of_reach_is_not_taken_for_one_that_is_gone(jobs: Jobs, statement: str, code: str) -> None:
    """ORA-27475: the job does not exist, or privileges are missing (Error Messages 19c)."""
    jobs.create(jobs.target.app, "LONG", "DBMS_SESSION.SLEEP(600);")
    until(lambda: jobs.rows(RUNNING))
    blind = Refusing(jobs.target.connection, {statement: code})
    with pytest.raises(QuarantineError, match="does not let the refresh user change it") as caught:
        jobs.lock(connection=blind)
    assert code in caught.value.codes
    assert "CREATE ANY JOB and MANAGE SCHEDULER" in str(caught.value.remedy)
    assert jobs.target.status(jobs.target.app) == "LOCKED"


def test_a_release_enables_what_it_can_and_names_the_job_out_of_reach(jobs: Jobs) -> None:
    locked = jobs.lock()
    first = min(locked.jobs)
    blind = Refusing(jobs.target.connection, {statements.ENABLE_JOB: "ORA-27475"}, first.partition(".")[2])
    with pytest.raises(QuarantineError, match=f"jobs could not be enabled: {first}") as caught:
        release(blind, Ledger(blind, "run"))
    assert "CREATE ANY JOB" in str(caught.value.remedy)
    assert len(jobs.enabled()) == 1, "the other is enabled"


def test_jobs_of_the_old_package_are_refused_before_anything_is_changed(jobs: Jobs) -> None:
    with jobs.target.login(jobs.target.app) as own, own.cursor() as cursor:
        number = cursor.var(int)
        cursor.execute("BEGIN DBMS_JOB.SUBMIT(:job, 'NULL;', SYSDATE + 1, 'SYSDATE + 1'); END;", job=number)
        own.commit()
        job = f"{jobs.target.app} {number.getvalue()}"
        with pytest.raises(QuarantineError, match=f"jobs of DBMS_JOB would go on .*: {job}") as caught:
            jobs.lock()
        assert "DBMS_JOB.BROKEN" in str(caught.value.remedy)
        assert jobs.target.status(jobs.target.app) == "OPEN"
        assert jobs.enabled() == ["ON", "SCHEMA"]
        cursor.execute("BEGIN DBMS_JOB.BROKEN(:job, TRUE); END;", job=number.getvalue())
        own.commit()
    jobs.lock()
    with jobs.target.server.connect() as system:
        system.cursor().execute(f"ALTER USER {jobs.target.app} ACCOUNT UNLOCK")
    with jobs.target.login(jobs.target.app) as own:
        own.cursor().execute("BEGIN DBMS_JOB.BROKEN(:job, FALSE); END;", job=number.getvalue())
        own.commit()
        with jobs.target.server.connect() as system:
            system.cursor().execute(f"ALTER USER {jobs.target.app} ACCOUNT LOCK")
    with pytest.raises(QuarantineError) as found:
        require_quarantine(jobs.target.connection, "run")
    assert f"jobs of DBMS_JOB go on under quarantine: {job}" in str(found.value)
    assert "disabled again" not in str(found.value), "nothing was"


def test_a_release_that_was_cut_off_and_is_refused_now_disables_again(jobs: Jobs) -> None:
    jobs.lock()
    lossy = Losing(jobs.target.login(jobs.target.admin), statements.ENABLE_JOB)
    with pytest.raises(QuarantineError, match="DPY-4011"):
        release(lossy, Ledger(lossy, "run"))
    assert len(jobs.enabled()) == 1
    close_again(jobs.target.connection, jobs.target.ledger("run"))
    assert jobs.enabled() == []


def test_without_the_privilege_nobody_is_released(jobs: Jobs) -> None:
    with jobs.target.server.connect() as system:
        system.cursor().execute(f"REVOKE CREATE ANY JOB FROM {jobs.target.admin}")
    with pytest.raises(QuarantineError) as caught:
        jobs.lock()
    assert "ORA-27486" in caught.value.codes
    with pytest.raises(oracledb.DatabaseError, match="ORA-28000"):
        jobs.target.login(jobs.target.app)
