"""Somebody else is at work: locks, another refresh, jobs of the same name, passwords, statistics."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import oracledb
import pytest

from localoracle.session import execution
from oracle_refresh.operators.masking import MaskTable
from oracle_refresh.operators.planning import ListUnits
from oracle_refresh.operators.quarantine import ReleaseTarget
from oracle_refresh.operators.store import DropDumps
from oracle_refresh.operators.transfer import ExportShard, LoadShard, StageDump
from oracle_refresh.operators.validation import CompareInventory, ProveMasking, VerifyCopy
from oracle_refresh.oracle.errors import QuarantineError, RefreshError, StagingError
from oracle_refresh.target.objects import statements
from support.demo import airflow_connection
from support.waiting import until
from support.what_must_hold import assert_named

from .conftest import Scenario


def test_a_lock_is_held_on_a_table_that_is_built_anew(
    new_scenario: Callable[..., Scenario], scenario: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a session that works on what a refresh before it has built."""
    later = new_scenario()
    later.freeze()
    seconds = execution.DDL_LOCK_SECONDS + 1  # a shorter timeout does not shorten the stand-in's wait
    with scenario.target.system() as holding:
        holding.cursor().execute("LOCK TABLE APP.EMPLOYEES IN SHARE MODE")
        started = time.monotonic()
        with monkeypatch.context() as patched:
            shorter = statements.WAIT_FOR_LOCKS.replace("600", str(seconds))
            patched.setattr(statements, "WAIT_FOR_LOCKS", shorter)
            with pytest.raises(RefreshError) as failed:
                later.run.until_built()
        assert seconds <= time.monotonic() - started
        assert_named(failed.value, "ORA-00054", remedy="V$LOCKED_OBJECT")
        later.must.stay_locked()
        holding.rollback()
    later.run.until_built()
    later.finish()


def test_a_lock_is_held_on_a_table_that_is_masked(scenario: Scenario) -> None:
    scenario.move()
    for unit in scenario.run.execute(ListUnits):
        scenario.run.execute(VerifyCopy, unit=unit)
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
    scenario.finish()


def test_a_second_refresh_takes_the_target_over(new_scenario: Callable[..., Scenario]) -> None:
    former, later = new_scenario(), new_scenario()
    former.begin()
    first, *others = former.run.jobs
    former.move(first)
    former.run.execute(ExportShard, job=others[0])
    later.begin()
    with pytest.raises(StagingError) as gone:  # the later run has dropped what the former one exported
        former.run.execute(StageDump, job=others[0])
    assert_named(gone.value, remedy="the run's dump files were dropped")
    with pytest.raises(QuarantineError) as failed:
        former.run.execute(LoadShard, job=others[0])
    assert f"run {later.run.run_id} has taken the target over" in str(failed.value)
    assert_named(failed.value)
    later.move()
    former.run.execute(DropDumps)  # its teardown takes nothing of the other's away
    later.prove()
    for _ in range(2):
        with pytest.raises(QuarantineError, match="has taken the target over"):
            former.run.execute(ReleaseTarget)
        later.must.stay_locked()
    later.release()
    later.must.be_published(later.run.run_id)


def test_the_name_of_a_master_table_is_taken(scenario: Scenario) -> None:
    """By an ordinary table of the refresh's user, which is not to be dropped unasked."""
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
    scenario.finish()


@pytest.mark.parametrize("end", ["source", "target"])
def test_a_stopped_job_of_the_same_name_is_not_the_runs_own(scenario: Scenario, end: str) -> None:
    """It is neither started again nor taken for the run's own."""
    (job, *_) = scenario.run.jobs
    name = scenario.job_name(job)
    database = getattr(scenario, end)
    operator = {"source": ExportShard, "target": LoadShard}[end]
    if end == "target":
        for before in (ExportShard, StageDump):
            scenario.run.execute(before, job=job)
    with scenario.foreign_job(database, name):
        with pytest.raises(RefreshError) as failed:
            scenario.run.execute(operator, job=job)
        assert_named(failed.value, remedy=name)
        scenario.must.stay_locked()
        with database.connect() as connection, connection.cursor() as cursor:
            cursor.execute("SELECT STATE FROM USER_DATAPUMP_JOBS WHERE JOB_NAME = :1", [name])
            assert cursor.fetchall() in ([("STOPPED",)], [("NOT RUNNING",)])
        assert "somebody.dmp" in {path.name for each in scenario.must.ends for path in each.dump_files()}
    scenario.finish()


def test_passwords_are_changed_between_tasks(scenario: Scenario, connections: pytest.MonkeyPatch) -> None:
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
    scenario.finish()


def test_the_masking_key_is_changed_between_tasks(
    scenario: Scenario, connections: pytest.MonkeyPatch
) -> None:
    scenario.move()
    one, *others = scenario.run.execute(ListUnits)
    for unit in (one, *others):
        scenario.run.execute(VerifyCopy, unit=unit)
    scenario.run.execute(MaskTable, unit=one)
    other = json.dumps({"conn_type": "generic", "password": "fedcba9876543210" * 4})
    with pytest.MonkeyPatch.context() as rotated:
        rotated.setenv("AIRFLOW_CONN_REFRESH_MASKING_KEY", other)
        for unit in (one, *others):
            with pytest.raises(RefreshError) as failed:
                scenario.run.execute(MaskTable, unit=unit)
            assert_named(failed.value, remedy="give the connection the key back")
        scenario.must.stay_locked()
    scenario.finish()


@pytest.mark.parametrize("by_force", [False, True])
def test_statistics_are_gathered_between_load_and_mask(scenario: Scenario, by_force: bool) -> None:
    """The nightly job is refused; what is gathered by force could be restored until a DBA purges it."""
    scenario.move()
    gather = (
        "BEGIN DBMS_STATS.GATHER_TABLE_STATS('APP', 'EMPLOYEES', method_opt => 'FOR ALL COLUMNS SIZE 254'"
        f"{', force => TRUE' if by_force else ''}); END;"
    )
    with scenario.target.sys() as dba, dba.cursor() as cursor:
        if by_force:
            cursor.execute(gather)
            with pytest.raises(RefreshError, match="statistics history") as failed:
                scenario.prove()
            assert_named(failed.value, remedy="clear this task")
            scenario.must.stay_locked()
            cursor.execute("BEGIN DBMS_STATS.PURGE_STATS(SYSTIMESTAMP); END;")
            for operator in (ProveMasking, CompareInventory):
                scenario.run.execute(operator)
            scenario.release()
            scenario.must.be_published(scenario.run.run_id)
        else:
            with pytest.raises(oracledb.DatabaseError, match="ORA-20005"):
                cursor.execute(gather)
            scenario.finish()


def test_a_dag_run_is_deleted_after_its_exports(new_scenario: Callable[..., Scenario]) -> None:
    """Nobody will go on with it or clear it: the next run drops what it has left at both ends."""
    deleted, later = new_scenario(), new_scenario()
    deleted.begin()
    for job in deleted.run.jobs:
        deleted.run.execute(ExportShard, job=job)
    deleted.run.execute(StageDump, job=deleted.run.jobs[0])
    assert deleted.must.ends.source.dump_files()
    later.begin()
    later.finish()
