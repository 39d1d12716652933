"""Jobs run in sessions of their owners, whether these may log on or not."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from typing import Any

import oracledb
import pytest

from support.waiting import PATIENCE

PASSWORD = "a_job_password"
_numbers = itertools.count(1)
CREATE = """\
BEGIN
  DBMS_SCHEDULER.CREATE_JOB(job_name => :name, job_type => 'PLSQL_BLOCK', job_action => :action,
    repeat_interval => :repeat, enabled => TRUE);
END;"""


class Owner:
    def __init__(self, server: Any) -> None:
        self.server, number = server, next(_numbers)
        self.name, self.other = f"J_OWNER_{number}", f"J_OTHER_{number}"
        self.system = server.connect()
        for name in (self.name, self.other):
            self.sql(self.system, f'CREATE USER {name} IDENTIFIED BY "{PASSWORD}" QUOTA UNLIMITED ON USERS')
            self.sql(self.system, f"GRANT CREATE SESSION, CREATE TABLE TO {name}")
        self.sql(self.system, f"GRANT CREATE JOB TO {self.name}")
        self.connection = server.connect(self.name, PASSWORD)
        self.sql(self.connection, "CREATE TABLE RUNS (N NUMBER)")

    def sql(self, connection: oracledb.Connection, statement: str, **binds: Any) -> list[Any]:
        with connection.cursor() as cursor:
            cursor.execute(statement, binds)
            return cursor.fetchall() if cursor.description else []

    def create(self, name: str, action: str, repeat: str | None = None) -> None:
        self.sql(self.connection, CREATE, name=name, action=action, repeat=repeat)

    def job(self, name: str) -> tuple[Any, ...] | None:
        found = self.sql(
            self.system,
            "SELECT ENABLED, STATE, RUN_COUNT, FAILURE_COUNT FROM DBA_SCHEDULER_JOBS"
            " WHERE OWNER = :owner AND JOB_NAME = :name",
            owner=self.name,
            name=name,
        )
        return found[0] if found else None

    def running(self) -> list[str]:
        return [
            name
            for (name,) in self.sql(
                self.system, "SELECT JOB_NAME FROM DBA_SCHEDULER_RUNNING_JOBS WHERE OWNER = :o", o=self.name
            )
        ]

    def runs(self) -> int:
        return int(self.sql(self.system, f"SELECT COUNT(*) FROM {self.name}.RUNS")[0][0])


def until(true: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.fixture
def owner(oracle: Any) -> Iterator[Owner]:
    owner = Owner(oracle)
    yield owner
    owner.connection.close()
    jobs = "SELECT JOB_NAME FROM DBA_SCHEDULER_JOBS WHERE OWNER = :o"
    for (name,) in owner.sql(owner.system, jobs, o=owner.name):  # who has a session is not dropped
        owner.sql(owner.system, f"BEGIN DBMS_SCHEDULER.DROP_JOB('{owner.name}.{name}', force => TRUE); END;")
    for name in (owner.name, owner.other):
        owner.sql(owner.system, f"DROP USER {name} CASCADE")
    owner.system.close()


@pytest.mark.slow
def test_a_locked_account_keeps_no_job_from_running(owner: Owner) -> None:
    owner.create("EVERY_SECOND", "INSERT INTO RUNS VALUES (1);", "FREQ=SECONDLY")
    owner.sql(owner.system, f"ALTER USER {owner.name} ACCOUNT LOCK")
    with pytest.raises(oracledb.DatabaseError, match="ORA-28000"):
        owner.server.connect(owner.name, PASSWORD)
    before = owner.runs()
    until(lambda: owner.runs() > before + 1)
    owner.sql(owner.system, f"BEGIN DBMS_SCHEDULER.DISABLE('{owner.name}.EVERY_SECOND', TRUE); END;")
    until(lambda: not owner.running())
    job, runs = owner.job("EVERY_SECOND"), owner.runs()
    assert job is not None
    assert job[:2] == ("FALSE", "DISABLED")
    owner.sql(owner.system, f"BEGIN DBMS_SCHEDULER.ENABLE('{owner.name}.EVERY_SECOND'); END;")
    until(lambda: owner.runs() > runs)


def test_what_runs_goes_on_when_it_is_disabled_and_ends_when_it_is_stopped(owner: Owner) -> None:
    owner.create("LONG", "BEGIN DBMS_SESSION.SLEEP(600); END;")
    until(lambda: owner.running() == ["LONG"])
    sessions = owner.sql(owner.system, "SELECT COUNT(*) FROM V$SESSION WHERE USERNAME = :o", o=owner.name)
    assert sessions == [(2,)], "the job's and the test's"
    with pytest.raises(oracledb.DatabaseError, match="ORA-27478"):
        owner.sql(owner.system, f"BEGIN DBMS_SCHEDULER.DISABLE('{owner.name}.LONG'); END;")
    owner.sql(owner.system, f"BEGIN DBMS_SCHEDULER.DISABLE('{owner.name}.LONG', force => TRUE); END;")
    assert owner.running() == ["LONG"]
    owner.sql(owner.system, f"BEGIN DBMS_SCHEDULER.STOP_JOB('{owner.name}.LONG', force => TRUE); END;")
    assert owner.running() == []
    assert owner.job("LONG") == ("FALSE", "STOPPED", 1, 0)
    with pytest.raises(oracledb.DatabaseError, match="ORA-27366"):
        owner.sql(owner.system, f"BEGIN DBMS_SCHEDULER.STOP_JOB('{owner.name}.LONG'); END;")


def test_one_that_runs_once_is_dropped_and_one_that_fails_is_told(owner: Owner) -> None:
    owner.create("ONCE", "BEGIN INSERT INTO RUNS VALUES (1); END;")
    until(lambda: owner.job("ONCE") is None)
    assert owner.runs() == 1
    owner.create("FAILS", "BEGIN RAISE_APPLICATION_ERROR(-20001, 'no'); END;", "FREQ=DAILY;INTERVAL=2")
    until(lambda: owner.job("FAILS") == ("TRUE", "SCHEDULED", 1, 1))


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ("DISABLE('{owner}.NONE')", "ORA-27486"),
        ("ENABLE('{owner}.NONE')", "ORA-27486"),
        ("STOP_JOB('{owner}.NONE')", "ORA-27486"),
        ("STOP_JOB('NONE', TRUE)", "ORA-27486"),
        ("DROP_JOB('NONE')", "ORA-27475"),
        ("DISABLE('SYS.NONE')", "ORA-27486"),
        ("CREATE_JOB(job_name => 'A', job_type => 'PLSQL_BLOCK', job_action => 'NULL;')", "ORA-27486"),
        ("DISABLE('a b')", "ORA-27452"),
        ("CREATE_JOB(job_name => 'A', job_type => 'EXECUTABLE', job_action => '/bin/true')", "ORA-03001"),
        ("CREATE_JOB('A', 'PLSQL_BLOCK', 'NULL;')", "PLS-00307"),
        ("RUN_JOB('A')", "ORA-03001"),
        (
            "CREATE_JOB(job_name => 'A', job_type => 'PLSQL_BLOCK', job_action => 'NULL;',"
            " end_date => SYSTIMESTAMP)",
            "ORA-03001: unimplemented feature: the END_DATE",
        ),
        ("SET_ATTRIBUTE('A', 'comments', 'x')", "ORA-03001"),
        ("ENABLE('A', 'ABSORB_ERRORS')", "ORA-03001"),
    ],
)
def test_what_is_refused(owner: Owner, call: str, code: str) -> None:
    """By one who has none of the Scheduler's privileges."""
    with owner.server.connect(owner.other, PASSWORD) as connection:
        block = f"BEGIN DBMS_SCHEDULER.{call.format(owner=owner.name)}; END;"
        with pytest.raises(oracledb.DatabaseError, match=code):
            owner.sql(connection, block)


def test_a_job_exists_once_and_goes_with_its_owner(owner: Owner) -> None:
    owner.create("ONE", "NULL;", "FREQ=DAILY")
    with pytest.raises(oracledb.DatabaseError, match="ORA-27477"):
        owner.create("ONE", "NULL;", "FREQ=DAILY")
    with pytest.raises(oracledb.DatabaseError, match="ORA-03001"):
        owner.create("TWO", "NULL;", "FREQ=WEEKLY")


def test_jobs_of_the_old_package_belong_to_their_user_alone(owner: Owner) -> None:
    with owner.connection.cursor() as cursor:
        number = cursor.var(int)
        cursor.execute("BEGIN DBMS_JOB.SUBMIT(:job, 'NULL;', SYSDATE + 1, 'SYSDATE + 1'); END;", job=number)
    job = number.getvalue()
    mine = "SELECT PRIV_USER, BROKEN, WHAT FROM DBA_JOBS WHERE JOB = :job"
    assert owner.sql(owner.system, mine, job=job) == [], "not before it is committed"
    owner.connection.commit()
    assert owner.sql(owner.system, mine, job=job) == [(owner.name, "N", "NULL;")]
    with pytest.raises(oracledb.DatabaseError, match="ORA-23421"):
        owner.sql(owner.system, "BEGIN DBMS_JOB.BROKEN(:job, TRUE); END;", job=job)
    owner.sql(owner.connection, "BEGIN DBMS_JOB.BROKEN(:job, TRUE); END;", job=job)
    owner.connection.commit()
    assert owner.sql(owner.system, mine, job=job) == [(owner.name, "Y", "NULL;")]
    owner.sql(owner.connection, "BEGIN DBMS_JOB.REMOVE(:job); END;", job=job)
    assert owner.sql(owner.connection, "SELECT COUNT(*) FROM USER_JOBS") == [(0,)]
    with pytest.raises(oracledb.DatabaseError, match="ORA-03001"):
        owner.sql(owner.connection, "BEGIN DBMS_JOB.RUN(:job); END;", job=job)


def test_a_job_that_is_disabled_is_not_run_in_silence(owner: Owner) -> None:
    """Oracle runs it (PL/SQL Packages and Types Reference 19c, RUN_JOB): not known here."""
    owner.create("DAILY", "INSERT INTO RUNS VALUES (1);", "FREQ=DAILY")
    until(lambda: owner.runs() == 1 and not owner.running())
    run = "BEGIN DBMS_SCHEDULER.RUN_JOB('DAILY', use_current_session => FALSE); END;"
    owner.sql(owner.connection, run)
    until(lambda: owner.runs() == 2 and not owner.running())
    owner.sql(owner.connection, "BEGIN DBMS_SCHEDULER.DISABLE('DAILY'); END;")
    with pytest.raises(oracledb.DatabaseError, match=r"ORA-03001.*disabled"):
        owner.sql(owner.connection, run)


def test_the_old_package_takes_the_privilege_of_the_new_one(owner: Owner) -> None:
    submit = "DECLARE j NUMBER; BEGIN DBMS_JOB.SUBMIT(j, 'NULL;', SYSDATE + 1); END;"
    with owner.server.connect(owner.other, PASSWORD) as connection:
        with pytest.raises(oracledb.DatabaseError, match="ORA-27486"):
            owner.sql(connection, submit)
        owner.sql(owner.system, f"GRANT CREATE JOB TO {owner.other}")
        owner.sql(connection, submit)
        connection.rollback()
