"""Small refreshes of two databases that faults strike, whose tasks are run one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import pytest

from localoracle.server.control import send
from oracle_refresh.datapump.job import discard
from oracle_refresh.operators.base import RefreshOperator
from oracle_refresh.operators.masking import MaskTable
from oracle_refresh.operators.planning import FreezeSource, ListUnits
from oracle_refresh.operators.quarantine import ReleaseTarget
from oracle_refresh.operators.store import DropDumps
from oracle_refresh.operators.tables import BuildIndexes
from oracle_refresh.operators.transfer import ExportShard, LoadShard, StageDump
from oracle_refresh.operators.validation import VerifyCopy, VerifyMasked
from oracle_refresh.plan.model import JOB
from oracle_refresh.run.documents import WHOLE
from oracle_refresh.run.freeze import FROZEN
from support.both_ends import NIGHTLY, SUSPENDED, Ends
from support.demo import MOST_OF_APP, DemoDatabase
from support.small_run import SmallRun, new_run
from support.what_must_hold import MustHold

__all__ = ["new_run"]

#: Of the Airflow connection that the fixture `connections` makes.
KEY = "0123456789abcdef" * 4
ACCOUNTS = ("APP_READER", "APP", "TEST")
RULES: dict[str, Any] = {
    "name": "faults",
    "tables": {
        "APP.EMPLOYEES": {
            "EMAIL": {"algorithm": "email", "domain": "email"},
            "LAST_NAME": {"algorithm": "character_mapping", "domain": "name"},
            "SALARY": {"algorithm": "redaction", "number": 50000},
        },
        "TEST.TESTTABLE": {"LABEL": {"algorithm": "character_mapping", "domain": "label"}},
    },
}


@dataclass
class Scenario:
    """One refresh, and what must hold of it."""

    run: SmallRun
    must: MustHold
    source: DemoDatabase
    target: DemoDatabase

    def begin(self) -> None:
        """Until the target is locked and has its empty tables."""
        self.freeze()
        self.run.until_built()

    def freeze(self) -> None:
        """Fix the SCN, and read the source as of it: a fault may be that it changes."""
        self.run.execute(FreezeSource)
        self.must.remember(self.run.documents(lambda documents: documents.get(FROZEN, WHOLE).scn))

    def move(self, *jobs: str) -> None:
        """Export, stage and load these jobs, or all."""
        for job in jobs or self.run.jobs:
            for operator in (ExportShard, StageDump, LoadShard):
                self.run.execute(operator, job=job)

    def prove(self, *but: type[RefreshOperator]) -> None:
        """Every stage of the units, and what follows them, but the release."""
        for unit in self.run.execute(ListUnits):
            for operator in (VerifyCopy, MaskTable, BuildIndexes, VerifyMasked):
                self.run.execute(operator, unit=unit)
        self.run.until_checked()

    def release(self) -> None:
        for operator in (DropDumps, ReleaseTarget):
            self.run.execute(operator)

    def control(self, database: DemoDatabase, *words: str) -> str:
        return send(database.server.instance, *words)

    def job_name(self, job: str) -> str:
        return str(self.run.documents(lambda documents: documents.get(JOB, job)).job_name)

    def waits_for_a_lock(self) -> bool:
        """Whether a session of the refresh waits for somebody in the target."""
        query = "SELECT 1 FROM V$SESSION WHERE USERNAME = :owner AND BLOCKING_SESSION IS NOT NULL"
        return bool(self.must.ends.target.rows(query, owner=self.target.user))

    def suspended(self) -> bool:
        """Whether a statement waits for room in the target."""
        return bool(self.must.ends.target.rows(SUSPENDED))

    @contextmanager
    def new_password(self, database: DemoDatabase) -> Iterator[str]:
        """The refresh's user has another one meanwhile."""
        password = "rotated_in_the_night"
        with database.system() as system:
            change = f'ALTER USER {database.user} IDENTIFIED BY "{{}}"'
            system.cursor().execute(change.format(password))
            try:
                yield password
            finally:
                system.cursor().execute(change.format(f"{database.user.lower()}_demo"))

    @contextmanager
    def foreign_job(self, database: DemoDatabase, name: str) -> Iterator[None]:
        """A job of that name that somebody else has begun with the refresh's user, and nobody works on."""
        directory = {"source": "REFRESH_DUMPS", "target": "REFRESH_STAGE"}[database.name]
        with database.connect() as connection, connection.cursor() as cursor:
            cursor.execute("CREATE TABLE SOMEBODY (ID NUMBER)")
            handle = cursor.callfunc("DBMS_DATAPUMP.OPEN", int, ["EXPORT", "TABLE", None, name])
            cursor.callproc("DBMS_DATAPUMP.ADD_FILE", [handle, "somebody.dmp", directory])
            filtering = [handle, "NAME_EXPR", "IN ('SOMEBODY')"]
            cursor.callproc("DBMS_DATAPUMP.METADATA_FILTER", filtering)
            cursor.callproc("DBMS_DATAPUMP.SET_PARAMETER", [handle, "KEEP_MASTER", 1])
            cursor.callproc("DBMS_DATAPUMP.START_JOB", [handle])
            cursor.callproc("DBMS_DATAPUMP.WAIT_FOR_JOB", [handle, cursor.var(str)])
            try:
                yield
            finally:
                discard(connection, name)
                cursor.execute("DROP TABLE SOMEBODY PURGE")
                for end in self.must.ends:
                    for path in end.dump_files():
                        if path.name == "somebody.dmp":
                            path.unlink()


@pytest.fixture
def new_scenario(
    new_run: Callable[..., SmallRun], demo_source: DemoDatabase, demo_target: DemoDatabase
) -> Iterator[Callable[..., Scenario]]:
    """Makes refreshes of two tables of APP and of one with LOBs, which is cut into shards."""

    made: list[Scenario] = []
    with demo_target.system() as system:
        system.cursor().execute(NIGHTLY)

    def new(rules: dict[str, Any] = RULES, **fields: Any) -> Scenario:
        given = {
            "schemas": ["APP", "TEST"],
            "exclude_tables": [f"APP.{name}" for name in MOST_OF_APP],
            "application_accounts": list(ACCOUNTS),
            "lob_shard_min_bytes": 100_000,
            "max_shards": 2,
            "degree": 2,
        }
        run = new_run(rules, **(given | fields))
        before = MustHold.before(Ends.of(demo_source, demo_target), run.definition, KEY)
        if made:  # whatever the runs of a test do, the last one leaves what there was before the first
            former = made[0].must
            as_it_was = {
                name: getattr(former, name) for name in ("left", "accounts", "schedules", "instance")
            }
            before = replace(before, **as_it_was)
        made.append(Scenario(run, before, demo_source, demo_target))
        return made[-1]

    yield new
    with demo_target.system() as system:
        for account in ACCOUNTS:
            system.cursor().execute(f"ALTER USER {account} ACCOUNT UNLOCK")
        system.cursor().execute(
            "BEGIN DBMS_SCHEDULER.DROP_JOB(job_name => 'APP.NIGHTLY', force => TRUE); END;"
        )


@pytest.fixture
def scenario(new_scenario: Callable[..., Scenario]) -> Scenario:
    """A refresh whose target is locked and has its empty tables."""
    made = new_scenario()
    made.begin()
    return made
