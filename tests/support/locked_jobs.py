"""Scheduler jobs of an application account that a quarantine disables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from oracle_refresh.run.ledger import Ledger
from oracle_refresh.target.quarantine import (
    Quarantine,
    lock,
    take,
)
from support.locked_target import Target

CREATE = """\
BEGIN
  DBMS_SCHEDULER.CREATE_JOB(job_name => :name, job_type => 'PLSQL_BLOCK', job_action => :action,
    repeat_interval => :repeat, enabled => {enabled});
END;"""


class Jobs:
    """ON and OFF of the application account, SCHEMA of an owner who is no application account."""

    def __init__(self, target: Target) -> None:
        self.target, self.owner = target, target.closed.replace("CLOSED", "OWNER")
        with target.server.connect() as system, system.cursor() as cursor:
            cursor.execute(
                f'CREATE USER {self.owner} IDENTIFIED BY "x" QUOTA UNLIMITED ON USERS ACCOUNT LOCK'
            )
            cursor.execute(f"GRANT CREATE ANY JOB, MANAGE SCHEDULER TO {target.admin}")
            cursor.execute(f"GRANT CREATE JOB, CREATE TABLE, UNLIMITED TABLESPACE TO {target.app}")
        with target.login(target.app) as connection:
            connection.cursor().execute("CREATE TABLE RUNS (N NUMBER)")
        self.create(target.app, "ON", "INSERT INTO RUNS VALUES (1);", "FREQ=SECONDLY")
        self.create(target.app, "OFF", "NULL;", "FREQ=DAILY", enabled=False)
        self.create(self.owner, "SCHEMA", "NULL;", "FREQ=DAILY")

    def create(
        self, owner: str, name: str, action: str, repeat: str | None = None, *, enabled: bool = True
    ) -> None:
        with self.target.connection.cursor() as cursor:
            binds = {"name": f"{owner}.{name}", "action": action, "repeat": repeat}
            cursor.execute(CREATE.format(enabled=str(enabled).upper()), binds)

    def enabled(self) -> list[str]:
        return [
            name
            for (name,) in self.rows(
                "SELECT JOB_NAME FROM DBA_SCHEDULER_JOBS WHERE ENABLED = 'TRUE' ORDER BY 1"
            )
        ]

    def runs(self) -> int:
        return int(self.rows(f"SELECT COUNT(*) FROM {self.target.app}.RUNS")[0][0])

    def rows(self, query: str) -> list[Any]:
        with self.target.connection.cursor() as cursor:
            return list(cursor.execute(query))

    def call(self, block: str) -> None:
        with self.target.server.connect() as system:
            system.cursor().execute(f"BEGIN DBMS_SCHEDULER.{block}; END;")

    def lock(self, run_id: str = "run", connection: Any = None) -> Quarantine:
        connection = connection or self.target.connection
        ledger = Ledger(connection, run_id)
        take(connection, ledger)
        return lock(connection, (self.target.app, self.target.closed), ledger, (self.owner,))

    def drop(self) -> None:
        """Its jobs first: nobody is dropped who has a session."""
        for owner, name in self.rows("SELECT OWNER, JOB_NAME FROM DBA_SCHEDULER_JOBS"):
            if owner in (self.owner, self.target.app):
                self.call(f"DROP_JOB('{owner}.{name}', force => TRUE)")
        with self.target.server.connect() as system:
            system.cursor().execute(f"DROP USER {self.owner} CASCADE")


@pytest.fixture
def jobs(target: Target) -> Iterator[Jobs]:
    jobs = Jobs(target)
    yield jobs
    jobs.drop()
