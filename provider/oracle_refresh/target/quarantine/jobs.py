"""Jobs of the accounts and schemas under quarantine: a locked account does not keep them from running.

ACCOUNT LOCK stops logons (SQL Language Reference 19c, ALTER USER). Jobs of DBMS_SCHEDULER run in sessions of
their owners all the same: they are disabled, and stopped where they run. Each that was enabled is on record
before, so that a release enables these and no others; what a former run has disabled and never released
counts as enabled. Jobs of DBMS_JOB are altered by their owners alone, DBAs included
(PL/SQL Packages and Types Reference 19c, DBMS_JOB Security Model): they are refused unless they are broken.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from oracle_refresh.oracle.errors import QuarantineError, oracle_codes, overall_disposition
from oracle_refresh.oracle.identifiers import ObjectName
from oracle_refresh.oracle.session import execute, execute_tolerating, rows, scalar
from oracle_refresh.run.ledger import Ledger
from oracle_refresh.target.quarantine import statements
from oracle_refresh.target.quarantine.holder import require_holder
from oracle_refresh.target.quarantine.statements import (
    JOB_STEP,
    LOCKED,
    OWNER_STEP,
    RELEASED,
    RELEASING,
    STEP,
    STOPPED_STEP,
)

if TYPE_CHECKING:
    import oracledb

log = logging.getLogger(__name__)

#: ORA-27366, 27475, 27476: the job does not run any more, or is gone: one that runs once may be dropped.
_ENDED = frozenset({"ORA-27366", "ORA-27475", "ORA-27476"})
_NOT_THERE = frozenset({"ORA-27475", "ORA-27476"})
#: Seconds for which a run that was stopped may stay listed, and between two looks.
_PATIENCE, _INTERVAL = 15.0, 0.2
BREAK_JOBS = (
    "let their owner mark them as broken (DBMS_JOB.BROKEN(job, TRUE), then COMMIT) or move them to"
    " DBMS_SCHEDULER: no other user may change them, a DBA neither"
)


class JobOutOfReachError(QuarantineError):
    """The Scheduler does not let the refresh user change a job."""


def require_no_old_jobs(connection: oracledb.Connection, owners: Sequence[str]) -> None:
    """:raises QuarantineError: naming jobs of DBMS_JOB that would go on during the quarantine."""
    old = old_jobs(connection, owners)
    if old:
        raise QuarantineError(
            f"jobs of DBMS_JOB would go on while their owners are locked: {', '.join(old[:10])}",
            object_name=old[0],
            step=STEP,
            remedy=BREAK_JOBS,
        )


def old_jobs(connection: oracledb.Connection, owners: Sequence[str]) -> list[str]:
    """Jobs of DBMS_JOB that are not broken, as `OWNER 4711`."""
    found = rows(connection, statements.OLD_JOBS, names=owners) if owners else []
    return [f"{owner} {job}" for owner, job in found]


def enabled_jobs(connection: oracledb.Connection, owners: Sequence[str]) -> list[ObjectName]:
    """Jobs of DBMS_SCHEDULER that are enabled or run."""
    if not owners:
        return []
    enabled = {ObjectName(*row) for row in rows(connection, statements.ENABLED_JOBS, names=owners)}
    return sorted(enabled | {job for job, at_work in _running(connection, owners) if at_work})


def note_owners(ledger: Ledger, owners: Iterable[str]) -> None:
    """Record whose jobs the quarantine disables."""
    for owner in owners:
        ledger.record(OWNER_STEP, owner, LOCKED, commit=False)
    ledger.connection.commit()


def stop_jobs(connection: oracledb.Connection, ledger: Ledger, owners: Sequence[str]) -> list[str]:
    """Disable the owners' jobs and stop those that run; which have been on record before. May be repeated."""
    if not owners:
        return []
    for owner, name in rows(connection, statements.ENABLED_JOBS, names=owners):
        job = ObjectName(owner, name)
        _note(ledger, job)
        _call(connection, _NOT_THERE, statements.DISABLE_JOB, job)
    _end_runs(connection, ledger, owners)
    for key, state in ledger.states(JOB_STEP).items():
        if state == RELEASING:  # a release that was cut off may have enabled it or not
            ledger.record(JOB_STEP, key, LOCKED)
    _inherit(connection, ledger, owners)
    return [key for key, state in ledger.states(JOB_STEP).items() if state == LOCKED]


def _running(connection: oracledb.Connection, owners: Sequence[str]) -> list[tuple[ObjectName, bool]]:
    """The runs that are listed, and whether each is at work: it has a session, or is detached and needs none.
    Others begin at this moment, or have been left in the list by a slave that is gone."""
    found = rows(connection, statements.RUNNING_JOBS, names=owners)
    return [(ObjectName(owner, name), bool(at_work)) for owner, name, at_work in found]


def one_time_runs(connection: oracledb.Connection, owners: Sequence[str]) -> list[ObjectName]:
    """The jobs that run once and are at it: nobody takes a run up again that was stopped."""
    running = [job for job, _ in _running(connection, owners)] if owners else []
    once = (
        {ObjectName(*row) for row in rows(connection, statements.ONE_TIME_JOBS, names=owners)}
        if running
        else ()
    )
    return [job for job in running if job in once]


def stopped_once(ledger: Ledger) -> tuple[str, ...]:
    """The jobs that run once and that this quarantine has stopped in their run."""
    return tuple(sorted(ledger.states(STOPPED_STEP)))


def _end_runs(connection: oracledb.Connection, ledger: Ledger, owners: Sequence[str]) -> None:
    """Stop what runs: in good order, then by force (PL/SQL Packages and Types Reference 19c, STOP_JOB).

    :raises QuarantineError: naming the jobs that are at work after both.
    """
    running = [job for job, _ in _running(connection, owners)]
    if not running:
        return
    for job in one_time_runs(connection, owners):  # before: nothing tells of it afterwards
        ledger.record(STOPPED_STEP, job.key, LOCKED)
    for job in running:
        _stop(connection, job)
    left = _after_a_while(connection, owners)
    for job in left:
        _stop_by_force(connection, job, "it went on")
    left = left and _after_a_while(connection, owners)
    if left:
        raise QuarantineError(
            f"jobs were stopped and run on: {', '.join(job.key for job in left)}",
            object_name=left[0].key,
            step=STEP,
            remedy="end their sessions (SESSION_ID and RUNNING_INSTANCE in DBA_SCHEDULER_RUNNING_JOBS), and"
            " detached ones by DBMS_SCHEDULER.END_DETACHED_JOB_RUN; then clear this task",
        )


def _stop(connection: oracledb.Connection, job: ObjectName) -> None:
    try:
        _call(connection, _ENDED, statements.STOP_JOB, job)
    except JobOutOfReachError:
        raise
    except Exception as error:
        codes = oracle_codes(error)
        if not codes or not connection.is_healthy():
            raise
        _stop_by_force(connection, job, ", ".join(codes))


def _stop_by_force(connection: oracledb.Connection, job: ObjectName, why: str) -> None:
    log.warning("job %s is stopped by force: it did not end in good order (%s)", job.key, why)
    _call(connection, _ENDED, statements.STOP_JOB_BY_FORCE, job)


def _after_a_while(connection: oracledb.Connection, owners: Sequence[str]) -> list[ObjectName]:
    """What is at work when all runs that were stopped have left the list, or had time to."""
    end = time.monotonic() + _PATIENCE
    while (left := _running(connection, owners)) and time.monotonic() < end:
        time.sleep(_INTERVAL)
    return [job for job, at_work in left if at_work]


def _call(connection: oracledb.Connection, codes: frozenset[str], statement: str, job: ObjectName) -> None:
    """Change a job, unless one of the codes tells that it is gone or has ended.

    ORA-27475 is raised for a job that is gone and for one on which the user has no privileges (Error Messages
    19c): DBA_SCHEDULER_JOBS tells which.

    :raises JobOutOfReachError: for the latter.
    """
    stack = execute_tolerating(connection, codes, statement, name=job.sql)
    if stack & _NOT_THERE and scalar(connection, statements.JOB, owner=job.owner, name=job.name):
        raise JobOutOfReachError(
            "the job is there, and the Scheduler does not let the refresh user change it",
            codes=stack,
            object_name=job.key,
            step=STEP,
            remedy="grant the target's refresh user CREATE ANY JOB and MANAGE SCHEDULER"
            " (include/sql/grants.sql), then clear this task",
        )


def _note(ledger: Ledger, job: ObjectName) -> None:
    if ledger.state(JOB_STEP, job.key) != LOCKED:
        ledger.record(JOB_STEP, job.key, LOCKED)


def _inherit(connection: oracledb.Connection, ledger: Ledger, owners: Sequence[str]) -> None:
    """What other runs have disabled and never released is this run's to enable."""
    for (key,) in rows(connection, statements.UNRELEASED_JOBS, run_id=ledger.run_id):
        if ObjectName.parse(key).owner in owners:
            _note(ledger, ObjectName.parse(key))


def found_enabled(connection: oracledb.Connection, ledger: Ledger) -> tuple[list[str], list[str]]:
    """Jobs that are enabled or run although the quarantine has disabled them, or that are new; they are
    disabled again by then. And jobs of DBMS_JOB, which go on: nobody but their owner can stop them."""
    owners = [row.key for row in ledger.rows(OWNER_STEP) if row.state == LOCKED]
    found = [job.key for job in enabled_jobs(connection, owners)]
    if found:
        stop_jobs(connection, ledger, owners)
    return found, old_jobs(connection, owners)


def start_jobs(connection: oracledb.Connection, ledger: Ledger) -> list[str]:
    """Enable what the quarantine found enabled; may be repeated. A job that is gone is no error.

    :raises QuarantineError: naming the jobs that could not be enabled, when all others are, or another run
        has taken the target since.
    """
    enabled, failed = list[str](), dict[str, Exception]()
    for row in ledger.rows(JOB_STEP):
        enabled.append(row.key)
        if row.state == RELEASED:
            continue
        require_holder(connection, ledger.run_id)
        ledger.record(JOB_STEP, row.key, RELEASING)
        try:
            _enable(connection, ObjectName.parse(row.key), ledger.run_id)
        except JobOutOfReachError as error:
            failed[row.key] = error
            continue
        except QuarantineError:
            raise
        except Exception as error:
            codes = oracle_codes(error)
            if not codes or overall_disposition(codes) == "retry":  # the session is lost
                raise
            failed[row.key] = error
            continue
        for (other,) in rows(connection, statements.HOLDING_JOB, item=row.key, run_id=ledger.run_id):
            Ledger(connection, other).record(JOB_STEP, row.key, RELEASED, commit=False)
        ledger.record(JOB_STEP, row.key, RELEASED)
    if failed:
        key, first = next(iter(failed.items()))
        raise QuarantineError(
            f"jobs could not be enabled: {', '.join(failed)}",
            codes=oracle_codes(first),
            object_name=key,
            step=STEP,
            remedy=(isinstance(first, JobOutOfReachError) and first.remedy)
            or "remove the cause (DBMS_SCHEDULER.ENABLE says it), or drop the jobs; then clear this task",
        ) from first
    return enabled


def _enable(connection: oracledb.Connection, job: ObjectName, run_id: str) -> None:
    """Enable it, or leave it disabled where another run has taken the target over at this very moment."""
    _call(connection, _NOT_THERE, statements.ENABLE_JOB, job)
    try:
        require_holder(connection, run_id)
    except QuarantineError:
        execute(connection, statements.DISABLE_JOB, name=job.sql)
        raise


def begin_release(ledger: Ledger) -> None:
    """From now on enabled jobs are no disturbance: they may be the release's."""
    for row in ledger.rows(OWNER_STEP):
        ledger.record(OWNER_STEP, row.key, RELEASING, commit=False)
    ledger.connection.commit()


def stop_again(connection: oracledb.Connection, ledger: Ledger) -> None:
    """Disable what a release that was cut off may have enabled."""
    if not any(row.state in (LOCKED, RELEASING) for row in (*ledger.rows(STEP), *ledger.rows(JOB_STEP))):
        return
    owners = [row.key for row in ledger.rows(OWNER_STEP)]
    note_owners(ledger, owners)
    stop_jobs(connection, ledger, owners)
