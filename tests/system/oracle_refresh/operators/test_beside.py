"""A refresh beside: what fails leaves the last good data where it was, open; what is proven replaces it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import oracledb
import pytest

from oracle_refresh.operators.quarantine import LockTarget, ReleaseTarget, SettleFormer
from oracle_refresh.operators.store import DropDumps
from oracle_refresh.operators.tables import BuildTables
from oracle_refresh.operators.transfer import LoadShard
from oracle_refresh.oracle.errors import PlanError, QuarantineError
from oracle_refresh.run.documents import WHOLE
from oracle_refresh.run.ledger import DONE, Ledger
from oracle_refresh.target.former.settle import SETTLED
from oracle_refresh.target.scripts.split import STEP as SCRIPTS
from support.demo import DemoDatabase, set_connections
from support.small_run import SmallRun, rows_of, runs_in

NewRun = Callable[..., SmallRun]
TABLES = ("COUNTRIES", "EMPLOYEES")


def asides(target: DemoDatabase) -> list[str]:
    with target.connect() as connection, connection.cursor() as cursor:
        cursor.execute("SELECT OBJECT_NAME FROM DBA_OBJECTS WHERE OBJECT_NAME LIKE 'REFRESH$A!_%' ESCAPE '!'")
        return [name for (name,) in cursor.fetchall()]


def may_log_on(target: DemoDatabase) -> bool:
    try:
        target.connect("APP_READER").close()
    except oracledb.DatabaseError:
        return False
    return True


def ended(run: SmallRun) -> SmallRun:
    """Run the teardowns."""
    return run.all(DropDumps, SettleFormer, ReleaseTarget)


@pytest.fixture(scope="module")
def filled(
    tmp_path_factory: pytest.TempPathFactory, demo_source: DemoDatabase, demo_target: DemoDatabase
) -> DemoDatabase:
    """Return a target with rows and open accounts whose ledger knows no run."""
    with pytest.MonkeyPatch.context() as environment:
        set_connections(environment, demo_source, demo_target)
        with runs_in(demo_target, tmp_path_factory.mktemp("filled")) as new:
            new().until_loaded()
    return demo_target


@pytest.fixture
def good(filled: DemoDatabase) -> dict[str, list[Any]]:
    """Return the rows of the target, with one that neither the source nor a masked copy has."""
    with filled.connect() as connection, connection.cursor() as cursor:
        cursor.execute("UPDATE APP.EMPLOYEES SET LAST_NAME = 'Good' WHERE ROWNUM = 1")
        connection.commit()
    return rows_of(filled, TABLES)


def test_what_is_not_proven_is_put_back_and_opened(
    new_run: NewRun, demo_target: DemoDatabase, good: dict[str, list[Any]]
) -> None:
    run = new_run(prepare="beside").until_loaded()
    assert asides(demo_target)
    assert not may_log_on(demo_target)
    assert rows_of(demo_target, TABLES) != good, "unmasked"
    for operator in (DropDumps, SettleFormer):
        run.execute(operator)
        assert not may_log_on(demo_target)
    for operator in (ReleaseTarget, SettleFormer, ReleaseTarget):  # cleared by somebody
        run.execute(operator)
    assert may_log_on(demo_target)
    assert rows_of(demo_target, TABLES) == good
    assert asides(demo_target) == []
    settled = run.documents(lambda documents: documents.get(SETTLED, WHOLE))
    assert (settled.outcome, settled.differences) == ("put back", ())
    with pytest.raises(PlanError, match="has put the former tables back"):
        run.execute(LockTarget)
    for operator, arguments in ((BuildTables, {}), (LoadShard, {"job": run.jobs[0]})):
        with pytest.raises(QuarantineError, match="not in the quarantine of this run"):
            run.execute(operator, **arguments)
    assert rows_of(demo_target, TABLES) == good


def test_what_is_proven_replaces_it(
    new_run: NewRun, demo_target: DemoDatabase, good: dict[str, list[Any]]
) -> None:
    run = ended(new_run(prepare="beside").until_proven())
    rows = rows_of(demo_target, TABLES)
    assert rows["COUNTRIES"] == good["COUNTRIES"]
    assert rows["EMPLOYEES"] != good["EMPLOYEES"]
    assert asides(demo_target) == []
    assert may_log_on(demo_target)
    assert run.documents(lambda documents: documents.get(SETTLED, WHOLE)).outcome == "dropped"


def test_a_run_that_failed_before_it_touched_anything_opens_the_target_again(
    new_run: NewRun, demo_target: DemoDatabase, good: dict[str, list[Any]]
) -> None:
    run = new_run(prepare="beside").until_planned().all(LockTarget)
    assert not may_log_on(demo_target)
    ended(run)
    assert may_log_on(demo_target)
    assert rows_of(demo_target, TABLES) == good


def test_what_was_released_is_opened_again_whatever_another_run_has_begun(
    new_run: NewRun, demo_target: DemoDatabase, good: dict[str, list[Any]]
) -> None:
    """It held the target and has built nothing."""
    new_run().until_planned().all(LockTarget)
    ended(new_run(prepare="beside").until_built())
    assert rows_of(demo_target, TABLES) == good
    assert may_log_on(demo_target)


def test_the_next_run_puts_back_what_nobody_has_settled(
    new_run: NewRun,
    demo_target: DemoDatabase,
    good: dict[str, list[Any]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    dead = new_run(prepare="beside").until_built()  # Airflow is lost
    script = ("after 1 accounts.sql #1", DONE)
    dead.documents(lambda documents: Ledger(documents.connection, dead.run_id).record(SCRIPTS, *script))
    run = new_run(prepare="beside").until_built()
    assert "put back; not as it was before: masking.after: accounts.sql" in capsys.readouterr().out
    ended(run)
    assert rows_of(demo_target, TABLES) == good
    assert asides(demo_target) == []
    assert may_log_on(demo_target), "the dead run's own former tables were released ones"


def test_what_an_unreleased_run_has_left_is_put_back_and_stays_locked(
    new_run: NewRun, demo_source: DemoDatabase, demo_target: DemoDatabase
) -> None:
    new_run().until_loaded()  # unmasked, and dead from here on
    left = rows_of(demo_target, TABLES)
    assert left == rows_of(demo_source, TABLES), "unmasked"
    run = new_run(prepare="beside").until_built()
    for operator in (DropDumps, SettleFormer):
        run.execute(operator)
    assert rows_of(demo_target, TABLES) == left
    with pytest.raises(QuarantineError, match="was never released"):
        run.execute(ReleaseTarget)
    assert not may_log_on(demo_target)


def test_a_run_that_locked_nobody_leaves_what_is_not_opened_either(
    new_run: NewRun, demo_source: DemoDatabase, demo_target: DemoDatabase
) -> None:
    """Its definition named no accounts yet; the owner's was locked by a DBA."""
    with demo_target.connect() as connection, connection.cursor() as cursor:
        cursor.execute("ALTER USER APP ACCOUNT LOCK")
    try:
        new_run(application_accounts=[]).until_loaded()
    finally:
        with demo_target.connect() as connection, connection.cursor() as cursor:
            cursor.execute("ALTER USER APP ACCOUNT UNLOCK")
    left = rows_of(demo_target, TABLES)
    assert left == rows_of(demo_source, TABLES), "unmasked"
    run = new_run(prepare="beside").until_built()
    for operator in (DropDumps, SettleFormer):
        run.execute(operator)
    assert rows_of(demo_target, TABLES) == left
    with pytest.raises(QuarantineError, match=r"worked on 2 of them \(APP.COUNTRIES, APP.EMPLOYEES\)"):
        run.execute(ReleaseTarget)
    assert not may_log_on(demo_target)
