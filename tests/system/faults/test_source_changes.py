"""The source forgets or changes what is being read: the run stops, the target stays locked.

Another run, which freezes anew, finishes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

import oracledb
import pytest

from oracle_refresh.operators.quarantine import ReleaseTarget
from oracle_refresh.operators.store import DropDumps
from oracle_refresh.operators.transfer import ExportShard
from oracle_refresh.oracle.errors import RefreshError
from oracle_refresh.plan.model import JOB
from support.demo import DemoDatabase
from support.what_must_hold import assert_named

from .conftest import Scenario


def job_of(scenario: Scenario, table: str) -> str:
    """The first job that exports rows of the table."""
    jobs = scenario.run.documents(lambda documents: documents.all(JOB))
    return next(job.id for job in jobs if table in [name.key for name in job.tables])


def given_up(scenario: Scenario) -> None:
    """What Airflow does of a run that has failed for good: its teardowns."""
    scenario.run.execute(DropDumps)
    scenario.must.leave_nothing_at_work()
    with pytest.raises(RefreshError, match="stays locked"):
        scenario.run.execute(ReleaseTarget)
    scenario.must.stay_locked()


#: How a table is changed after the SCN, in the order of the runs that are struck.
CHANGES = {
    "ALTER TABLE APP.CHANGING MODIFY EMAIL VARCHAR2(60)": "ORA-01466",
    "TRUNCATE TABLE APP.CHANGING": "ORA-01466",
    "DROP TABLE APP.CHANGING PURGE": "nothing of APP.CHANGING",  # Data Pump calls it no error
}


@pytest.fixture
def changing(demo_source: DemoDatabase) -> Iterator[oracledb.Cursor]:
    """A table of the source that may be changed."""
    with demo_source.connect("APP") as connection, connection.cursor() as cursor:
        cursor.execute("CREATE TABLE APP.CHANGING (ID NUMBER(6) PRIMARY KEY, EMAIL VARCHAR2(80))")
        yield cursor
        with suppress(oracledb.DatabaseError):
            cursor.execute("DROP TABLE APP.CHANGING PURGE")


def test_source_that_changes_what_is_read_fails_each_run_until_it_stays_as_it_is(
    new_scenario: Callable[..., Scenario], changing: oracledb.Cursor
) -> None:
    for statement, code in CHANGES.items():
        changing.execute("DELETE FROM APP.CHANGING")
        changing.executemany(
            "INSERT INTO APP.CHANGING VALUES (:1, :2)", [(n, f"a{n}@corp.com") for n in range(20)]
        )
        changing.connection.commit()
        scenario = new_scenario()
        scenario.freeze()
        scenario.run.until_built()
        changing.execute(statement)
        with pytest.raises(RefreshError) as failed:
            scenario.run.execute(ExportShard, job=job_of(scenario, "APP.CHANGING"))
        assert code in str(failed.value)
        assert_named(failed.value, *failed.value.codes, remedy="new run")
        scenario.must.stay_locked()
        if statement.startswith("ALTER"):
            _forget_the_scn_of_one_shard(scenario)
        given_up(scenario)

    again = new_scenario()
    again.begin()
    again.move()
    again.prove()
    _drop_the_table_that_the_source_has_no_more(again)
    again.release()
    again.must.be_published(again.run.run_id)


def _forget_the_scn_of_one_shard(scenario: Scenario) -> None:
    shards = scenario.run.documents(lambda documents: documents.all(JOB))
    *moved, last = [job.id for job in shards if [name.key for name in job.tables] == ["TEST.TESTTABLE"]]
    assert moved, "a table in shards shows that no shard of another SCN gets in"
    scenario.move(*moved)
    scenario.control(scenario.source, "expire-undo")
    for _ in range(2):  # neither does a clear bring the rows back
        with pytest.raises(RefreshError) as failed:
            scenario.run.execute(ExportShard, job=last)
        assert_named(failed.value, "ORA-01555", remedy="UNDO_RETENTION")
        assert "new run" in str(failed.value)
        scenario.must.stay_locked()


def _drop_the_table_that_the_source_has_no_more(again: Scenario) -> None:
    """The former run has built it: it holds no rows, but that is not proven."""
    with pytest.raises(RefreshError, match=r"APP\.CHANGING was built by run .* or drop it"):
        again.release()
    with again.target.system() as system:
        system.cursor().execute("DROP TABLE APP.CHANGING PURGE")
