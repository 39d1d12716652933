"""Statistics gathered between load and mask: nobody can restore what they say of the originals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import oracledb
import pytest
import yaml

from oracle_refresh.operators.masking import MaskTable
from oracle_refresh.operators.tables import BuildTables, EnableConstraints, GatherStatistics
from oracle_refresh.operators.validation import ProveMasking
from oracle_refresh.oracle.errors import MaskingError, ValidationError
from oracle_refresh.target.objects import statistics
from support.cursors import one
from support.demo import DemoDatabase
from support.small_run import SmallRun

NewRun = Callable[..., SmallRun]
HIGHEST = """\
SELECT UTL_RAW.CAST_TO_VARCHAR2(HIGH_VALUE) FROM DBA_TAB_COL_STATISTICS
WHERE OWNER = 'APP' AND TABLE_NAME = 'EMPLOYEES' AND COLUMN_NAME = 'EMAIL'"""
LOCKED = """\
SELECT COUNT(STATTYPE_LOCKED) FROM DBA_TAB_STATISTICS WHERE OWNER = 'APP' AND TABLE_NAME = 'EMPLOYEES'"""
GATHERED = "SELECT NUM_ROWS FROM DBA_TABLES WHERE OWNER = 'APP' AND TABLE_NAME = 'EMPLOYEES'"
NIGHTLY = "BEGIN DBMS_STATS.GATHER_SCHEMA_STATS('APP'); END;"
BY_FORCE = "BEGIN DBMS_STATS.GATHER_TABLE_STATS('APP', 'EMPLOYEES', force => TRUE); END;"


@pytest.fixture
def dba(demo_target: DemoDatabase) -> Iterator[oracledb.Cursor]:
    with demo_target.system() as connection, connection.cursor() as cursor:
        cursor.execute("ALTER SESSION SET TIME_ZONE = '+00:00'")
        for (table,) in cursor.execute("SELECT TABLE_NAME FROM DBA_TABLES WHERE OWNER = 'APP'").fetchall():
            cursor.callproc("DBMS_STATS.UNLOCK_TABLE_STATS", ["APP", table])
        yield cursor
        cursor.execute("BEGIN DBMS_STATS.PURGE_STATS(SYSTIMESTAMP); END;")


def mask_and_gather(run: SmallRun) -> None:
    run.verified_and_masked().all(EnableConstraints, GatherStatistics)


def moment(cursor: oracledb.Cursor) -> oracledb.Var:
    var = cursor.var(oracledb.DB_TYPE_TIMESTAMP)
    var.setvalue(0, one(cursor, "SELECT SYS_EXTRACT_UTC(SYSTIMESTAMP) FROM DUAL"))
    return var


def restored(cursor: oracledb.Cursor, when: oracledb.Var) -> Any:
    """What the dictionary says of the e-mail addresses once statistics are as they were."""
    cursor.callproc("DBMS_STATS.RESTORE_TABLE_STATS", ["APP", "EMPLOYEES", when])
    return one(cursor, HIGHEST)


def test_neither_a_nightly_job_nor_a_task_gathers_them_of_originals(
    new_run: NewRun, dba: oracledb.Cursor
) -> None:
    """A task of another DAG, or one whose masking tasks were marked as a success and are cleared later."""
    run = new_run(prepare="truncate")
    written = yaml.safe_load(run.definition.read_text())
    written["masking"]["strategies"] = {"APP.EMPLOYEES": "rewrite"}
    run.definition.write_text(yaml.safe_dump(written))
    run.until_loaded()
    original = one(dba, "SELECT MAX(EMAIL) FROM APP.EMPLOYEES")
    dba.execute(NIGHTLY)
    for _ in range(2):
        with pytest.raises(
            MaskingError, match=r"not masked, although rules name it: 1 table \(APP\.EMPLOYEES\)"
        ) as caught:
            run.execute(GatherStatistics)
        assert "clear this one" in str(caught.value.remedy)
        assert one(dba, LOCKED) == 1
    then = moment(dba)
    mask_and_gather(run)
    run.execute(ProveMasking)
    assert one(dba, LOCKED) == 0
    assert one(dba, HIGHEST) not in (None, original)
    assert restored(dba, then) != original


def test_originals_of_a_run_that_was_given_up(new_run: NewRun, dba: oracledb.Cursor) -> None:
    """TRUNCATE keeps statistics and their history, so those of the former run count."""
    new_run().until_loaded()
    dba.execute(BY_FORCE)
    run = new_run(prepare="truncate").until_loaded()
    mask_and_gather(run)
    with pytest.raises(ValidationError, match=r"APP\.EMPLOYEES: statistics were changed"):
        run.execute(ProveMasking)
    again = new_run(prepare="replace_objects").until_loaded()
    mask_and_gather(again)
    again.execute(ProveMasking)
    assert one(dba, LOCKED) == 0, "the lock of the run that was given up is no lock of the users"


def test_locks_of_the_users_stay(new_run: NewRun, dba: oracledb.Cursor) -> None:
    new_run().until_built()
    dba.execute("BEGIN DBMS_STATS.UNLOCK_TABLE_STATS('APP', 'EMPLOYEES'); END;")
    for kept in (1, 0):
        verb = "LOCK" if kept else "UNLOCK"
        dba.execute(f"BEGIN DBMS_STATS.{verb}_TABLE_STATS('APP', 'EMPLOYEES'); END;")
        run = new_run(prepare="replace_objects")
        forget_locks(dba)
        run.until_built().all(BuildTables)
        assert one(dba, LOCKED) == 1
        run.execute(MaskTable, unit="APP.EMPLOYEES")
        assert one(dba, GATHERED) is None
        run.execute(GatherStatistics)
        assert one(dba, GATHERED) is not None
        assert one(dba, LOCKED) == kept


def forget_locks(dba: oracledb.Cursor) -> None:
    """As if every run before had given its locks back."""
    dba.execute("UPDATE REFRESH_TARGET.REFRESH$LEDGER SET STATE = 'done' WHERE STEP = 'lock_statistics'")
    dba.connection.commit()


def test_a_task_killed_between_gathering_and_unlocking(
    new_run: NewRun, dba: oracledb.Cursor, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = new_run().until_built()
    run.execute(MaskTable, unit="APP.EMPLOYEES")
    calls = statistics._call

    def killed(target: Any, procedure: str, *arguments: Any, **more: Any) -> None:
        if "UNLOCK" in procedure:
            raise KeyboardInterrupt
        calls(target, procedure, *arguments, **more)

    with monkeypatch.context() as dead:
        dead.setattr(statistics, "_call", killed)
        with pytest.raises(KeyboardInterrupt):
            run.execute(GatherStatistics)
    run.execute(GatherStatistics)
    assert one(dba, LOCKED) == 0
