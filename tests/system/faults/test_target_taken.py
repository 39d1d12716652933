"""Somebody else is at work: locks, another refresh, jobs of the same name, passwords, statistics."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import oracledb
import pytest

from localoracle.session import execution
from oracle_refresh.operators.base import RefreshOperator
from oracle_refresh.operators.masking import MaskTable
from oracle_refresh.operators.planning import ListUnits
from oracle_refresh.operators.quarantine import ReleaseTarget
from oracle_refresh.operators.store import DropDumps
from oracle_refresh.operators.transfer import ExportShard, LoadShard, StageDump
from oracle_refresh.operators.validation import CompareInventory, ProveMasking, VerifyCopy
from oracle_refresh.oracle.errors import QuarantineError, RefreshError, StagingError
from oracle_refresh.target.objects import statements
from support.demo import DemoDatabase, airflow_connection
from support.waiting import until
from support.what_must_hold import assert_named

from .conftest import Scenario


def test_refresh_beside_others_at_work_is_published(
    new_scenario: Callable[..., Scenario], connections: pytest.MonkeyPatch
) -> None:
    """Take the target over from an earlier run while other sessions, jobs and users interfere."""
    former, later = new_scenario(), new_scenario()
    former.begin()
    _export_and_abandon(former)
    later.freeze()
    _lock_a_table_that_is_built_anew(later)
    _continue_the_former(former, later)
    _take_the_name_of_a_master_table(later)
    _stop_a_job_of_the_same_name(later, later.source, ExportShard)
    _change_passwords(later)
    _stop_a_job_of_the_same_name(later, later.target, LoadShard)
    later.move()
    former.run.execute(DropDumps)  # the teardown of the former run removes nothing of the later one
    _gather_statistics(later)
    for unit in later.run.execute(ListUnits):
        later.run.execute(VerifyCopy, unit=unit)
    _lock_a_table_that_is_masked(later)
    _change_the_masking_key(later)
    with pytest.raises(RefreshError, match="statistics history") as failed:
        later.prove()
    assert_named(failed.value, remedy="clear this task")
    later.must.stay_locked()
    with later.target.sys() as dba:
        dba.cursor().execute("BEGIN DBMS_STATS.PURGE_STATS(SYSTIMESTAMP); END;")
    for operator in (ProveMasking, CompareInventory):
        later.run.execute(operator)
    for _ in range(2):
        with pytest.raises(QuarantineError, match="has taken the target over"):
            former.run.execute(ReleaseTarget)
        later.must.stay_locked()
    later.release()
    later.must.be_published(later.run.run_id)


def _export_and_abandon(former: Scenario) -> None:
    """Leave dump files at source and target, as a DAG run that is deleted after its exports does."""
    first, *others = former.run.jobs
    former.move(first)
    for job in others:
        former.run.execute(ExportShard, job=job)
    former.run.execute(StageDump, job=others[-1])
    assert all(_dump_files(former))


def _dump_files(scenario: Scenario) -> list[set[str]]:
    """Return the names of a run's dump files at the source and at the target."""
    jobs = tuple(map(scenario.job_name, scenario.run.jobs))
    return [
        {path.name for path in end.dump_files() if path.name.startswith(jobs)} for end in scenario.must.ends
    ]


def _lock_a_table_that_is_built_anew(later: Scenario) -> None:
    seconds = execution.DDL_LOCK_SECONDS + 1  # a shorter timeout does not shorten the stand-in's wait
    with later.target.system() as holding:
        holding.cursor().execute("LOCK TABLE APP.EMPLOYEES IN SHARE MODE")
        started = time.monotonic()
        with pytest.MonkeyPatch.context() as patched:
            shorter = statements.WAIT_FOR_LOCKS.replace("600", str(seconds))
            patched.setattr(statements, "WAIT_FOR_LOCKS", shorter)
            with pytest.raises(RefreshError) as failed:
                later.run.until_built()
        assert seconds <= time.monotonic() - started
        assert_named(failed.value, "ORA-00054", remedy="V$LOCKED_OBJECT")
        later.must.stay_locked()
        holding.rollback()
    later.run.until_built()


def _continue_the_former(former: Scenario, later: Scenario) -> None:
    """Refuse tasks of the former run, whose dump files the later run has dropped."""
    assert _dump_files(former) == [set(), set()]
    job = former.run.jobs[1]
    with pytest.raises(StagingError) as gone:
        former.run.execute(StageDump, job=job)
    assert_named(gone.value, remedy="the run's dump files were dropped")
    with pytest.raises(QuarantineError) as failed:
        former.run.execute(LoadShard, job=job)
    assert f"run {later.run.run_id} has taken the target over" in str(failed.value)
    assert_named(failed.value)


def _take_the_name_of_a_master_table(scenario: Scenario) -> None:
    """Keep an ordinary table that has the name of a job's master table."""
    (job, *_) = scenario.run.jobs
    name = scenario.job_name(job)
    with scenario.source.connect() as connection, connection.cursor() as cursor:
        cursor.execute(f'CREATE TABLE "{name}" (PRECIOUS NUMBER)')
        with pytest.raises(RefreshError) as failed:
            scenario.run.execute(ExportShard, job=job)
        assert_named(failed.value, "ORA-31633", "ORA-00955", remedy="name of the master table")
        scenario.must.stay_locked()
        cursor.execute(f'SELECT COUNT(PRECIOUS) FROM "{name}"')
        cursor.execute(f'DROP TABLE "{name}" PURGE')


def _stop_a_job_of_the_same_name(
    scenario: Scenario, database: DemoDatabase, operator: type[RefreshOperator]
) -> None:
    """Neither restart nor end a stopped job of the same name that another user started."""
    (job, *_) = scenario.run.jobs
    name = scenario.job_name(job)
    with scenario.foreign_job(database, name):
        with pytest.raises(RefreshError) as failed:
            scenario.run.execute(operator, job=job)
        assert_named(failed.value, remedy=name)
        scenario.must.stay_locked()
        with database.connect() as connection, connection.cursor() as cursor:
            cursor.execute("SELECT STATE FROM USER_DATAPUMP_JOBS WHERE JOB_NAME = :1", [name])
            assert cursor.fetchall() in ([("STOPPED",)], [("NOT RUNNING",)])
        assert "somebody.dmp" in {path.name for each in scenario.must.ends for path in each.dump_files()}


def _change_passwords(scenario: Scenario) -> None:
    """Leave the first job staged."""
    first, *_ = scenario.run.jobs
    scenario.run.execute(ExportShard, job=first)
    for database, task in ((scenario.source, ExportShard), (scenario.target, StageDump)):
        with scenario.new_password(database) as password:
            with pytest.raises(RefreshError) as failed:
                scenario.run.execute(task, job=first)
            assert_named(failed.value, "ORA-01017", remedy="password")
            scenario.must.stay_locked()
            variable = f"AIRFLOW_CONN_ORACLE_{database.name.upper()}"
            with pytest.MonkeyPatch.context() as rotated:
                rotated.setenv(variable, airflow_connection(database, password=password))
                scenario.run.execute(StageDump, job=first)


def _gather_statistics(scenario: Scenario) -> None:
    """The nightly job is refused; statistics gathered by force could be restored until a DBA purges them."""
    gather = (
        "BEGIN DBMS_STATS.GATHER_TABLE_STATS('APP', 'EMPLOYEES', method_opt => 'FOR ALL COLUMNS SIZE 254'{});"
        " END;"
    )
    with scenario.target.sys() as dba, dba.cursor() as cursor:
        with pytest.raises(oracledb.DatabaseError, match="ORA-20005"):
            cursor.execute(gather.format(""))
        cursor.execute(gather.format(", force => TRUE"))


def _lock_a_table_that_is_masked(scenario: Scenario) -> None:
    with scenario.target.system() as holding, ThreadPoolExecutor(1) as pool:
        holding.cursor().execute("LOCK TABLE APP.EMPLOYEES IN SHARE MODE")
        masking = pool.submit(scenario.run.execute, MaskTable, unit="APP.EMPLOYEES")
        until(lambda: masking.done() or scenario.waits_for_a_lock(), "for the masking to wait")
        waited = not masking.done()
        scenario.must.stay_locked()
        holding.rollback()
        if error := masking.exception():
            assert_named(error, "ORA-00054", remedy="V$LOCKED_OBJECT")
        else:
            assert waited, "it has masked a table that somebody had locked"


def _change_the_masking_key(scenario: Scenario) -> None:
    """Refuse another masking key once a unit was masked."""
    one, *others = scenario.run.execute(ListUnits)
    scenario.run.execute(MaskTable, unit=one)
    other = json.dumps({"conn_type": "generic", "password": "fedcba9876543210" * 4})
    with pytest.MonkeyPatch.context() as rotated:
        rotated.setenv("AIRFLOW_CONN_REFRESH_MASKING_KEY", other)
        for unit in (one, *others):
            with pytest.raises(RefreshError) as failed:
                scenario.run.execute(MaskTable, unit=unit)
            assert_named(failed.value, remedy="give the connection the key back")
        scenario.must.stay_locked()
