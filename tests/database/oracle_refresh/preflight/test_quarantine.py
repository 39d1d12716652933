"""Preflight names who and what could read unmasked rows in spite of the quarantine."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import oracledb
import pytest

from oracle_refresh.definition import RefreshDefinition, load_definition
from oracle_refresh.oracle.findings import Finding
from oracle_refresh.preflight.databases import Databases
from oracle_refresh.preflight.quarantine import CHECKS
from oracle_refresh.run.ledger import CREATE, Ledger
from support.waiting import PATIENCE

DEMO = load_definition(Path(__file__).parents[4] / "include" / "refreshes" / "demo.yaml")
JOB = """\
BEGIN
  DBMS_SCHEDULER.CREATE_JOB(job_name => '{name}', job_type => '{kind}', job_action => '{action}',
    repeat_interval => 'FREQ=DAILY', start_date => SYSTIMESTAMP + INTERVAL '1' DAY, enabled => TRUE);
END;"""


@pytest.fixture
def dba(demo_target: Any) -> Iterator[Any]:
    """Runs statements as SYS; what was done is undone in reverse."""
    with ExitStack() as undone, demo_target.sys() as connection:

        @contextmanager
        def both(before: str, after: str) -> Iterator[None]:
            with connection.cursor() as cursor:
                cursor.execute(before)
                try:
                    yield
                finally:
                    cursor.execute(after)

        yield lambda before, after: undone.enter_context(both(before, after))
        undone.close()


def found(
    source: oracledb.Connection, target: oracledb.Connection, **fields: Any
) -> dict[str, list[Finding]]:
    definition = RefreshDefinition.from_json({**DEMO.to_json(), **fields})
    both = Databases.of(source, target, definition)
    findings: dict[str, list[Finding]] = {}
    for check in CHECKS:
        for finding in check(both):
            findings.setdefault(finding.code, []).append(finding)
    return findings


def test_an_owner_who_can_log_on_is_an_error(
    source: oracledb.Connection, target: oracledb.Connection, dba: Any
) -> None:
    assert found(source, target) == {}
    (finding,) = found(source, target, application_accounts=["APP_READER", "DOCS", "TEST"])[
        "OWNER_CAN_LOG_ON"
    ]
    assert finding.severity == "error"
    assert finding.message.startswith("APP owns a schema")
    dba("ALTER USER APP ACCOUNT LOCK", "ALTER USER APP ACCOUNT UNLOCK")
    assert "OWNER_CAN_LOG_ON" not in found(
        source, target, application_accounts=["APP_READER", "DOCS", "TEST"]
    )


def test_an_owner_at_work_is_a_warning(
    source: oracledb.Connection, target: oracledb.Connection, dba: Any, demo_target: Any
) -> None:
    accounts = ["APP_READER", "DOCS", "TEST"]
    with demo_target.connect("APP"):
        dba("ALTER USER APP ACCOUNT LOCK", "ALTER USER APP ACCOUNT UNLOCK")
        (finding,) = found(source, target, application_accounts=accounts)["OWNER_AT_WORK"]
    assert (finding.severity, finding.message.endswith(": APP")) == ("warning", True)


def test_readers_by_privilege_role_and_public_are_named(
    source: oracledb.Connection, target: oracledb.Connection, dba: Any
) -> None:
    for name in ("READS_ALL", "READS_APP"):
        dba(f'CREATE USER {name} IDENTIFIED BY "x_1_y"', f"DROP USER {name}")
    for table in ("APP.SEEN", "DOCS.SEEN"):
        dba(f"CREATE TABLE {table} (A NUMBER)", f"DROP TABLE {table} PURGE")
    dba("CREATE ROLE APP_ROLE", "DROP ROLE APP_ROLE")
    dba("GRANT SELECT ANY TABLE TO READS_ALL", "REVOKE SELECT ANY TABLE FROM READS_ALL")
    dba("GRANT READ ON APP.SEEN TO APP_ROLE", "REVOKE READ ON APP.SEEN FROM APP_ROLE")
    dba("GRANT APP_ROLE TO READS_APP", "REVOKE APP_ROLE FROM READS_APP")
    dba("GRANT SELECT ON DOCS.SEEN TO PUBLIC", "REVOKE SELECT ON DOCS.SEEN FROM PUBLIC")
    findings = found(source, target)
    messages = [finding.message for finding in findings["READS_UNMASKED_ROWS"]]
    assert any(text.startswith("READS_ALL ") and "SELECT ANY TABLE" in text for text in messages)
    assert any("READ on objects of APP by role APP_ROLE" in text for text in messages)
    assert len(messages) == 2
    assert "SELECT on objects of DOCS" in findings["PUBLIC_READS"][0].message


def test_jobs_are_named(source: oracledb.Connection, target: oracledb.Connection, dba: Any) -> None:
    dba('CREATE USER OTHER_APP IDENTIFIED BY "x_1_y"', "DROP USER OTHER_APP CASCADE")
    block, procedure = "PLSQL_BLOCK", "STORED_PROCEDURE"
    for name, kind, action in (
        ("APP.NIGHTLY", block, "NULL;"),
        ("OTHER_APP.CALLS", procedure, "APP.TIDY"),
        ("OTHER_APP.CALLS_PACKAGE", procedure, "APP.CLEANING.TIDY"),
        ("OTHER_APP.OWN", procedure, "OTHER_APP.TIDY"),
        ("OTHER_APP.ALONE", procedure, "TIDY"),
    ):
        drop = f"BEGIN DBMS_SCHEDULER.DROP_JOB('{name}', force => TRUE); END;"
        dba(JOB.format(name=name, kind=kind, action=action), drop)
    findings = found(source, target)
    assert "APP.NIGHTLY" in findings["JOBS_ARE_DISABLED"][0].message
    assert findings["JOBS_OF_OTHERS"][0].message.endswith("go on: OTHER_APP.CALLS, OTHER_APP.CALLS_PACKAGE")
    assert "DBMS_SCHEDULER.DISABLE" in str(findings["JOBS_OF_OTHERS"][0].remedy)
    assert {each.severity for each in (*findings["JOBS_ARE_DISABLED"], *findings["JOBS_OF_OTHERS"])} == {
        "warning"
    }


def test_a_job_in_its_only_run_is_named(
    source: oracledb.Connection, target: oracledb.Connection, dba: Any
) -> None:
    once = JOB.replace("repeat_interval => 'FREQ=DAILY', start_date => SYSTIMESTAMP + INTERVAL '1' DAY, ", "")
    block = once.format(name="APP.ONCE", kind="PLSQL_BLOCK", action="DBMS_SESSION.SLEEP(600);")
    dba(block, "BEGIN DBMS_SCHEDULER.DROP_JOB('APP.ONCE', force => TRUE); END;")
    end = time.monotonic() + PATIENCE
    while "ONE_TIME_JOBS_RUN" not in (findings := found(source, target)):
        assert time.monotonic() < end
        time.sleep(0.1)
    assert "APP.ONCE" in findings["ONE_TIME_JOBS_RUN"][0].message


def test_jobs_of_the_old_package_are_an_error(
    source: oracledb.Connection, target: oracledb.Connection, demo_target: Any, dba: Any
) -> None:
    dba("GRANT CREATE JOB TO APP", "REVOKE CREATE JOB FROM APP")
    with demo_target.connect("APP") as own, own.cursor() as cursor:
        number = cursor.var(int)
        cursor.execute("BEGIN DBMS_JOB.SUBMIT(:job, 'NULL;', SYSDATE + 1, 'SYSDATE + 1'); END;", job=number)
        own.commit()
        (finding,) = found(source, target)["OLD_JOBS"]
        assert finding.severity == "error"
        assert f"APP {number.getvalue()}" in finding.message
        cursor.execute("BEGIN DBMS_JOB.REMOVE(:job); END;", job=number.getvalue())
        own.commit()


def test_a_run_of_another_refresh_user_is_an_error(
    source: oracledb.Connection, target: oracledb.Connection, demo_target: Any, dba: Any
) -> None:
    dba(
        'CREATE USER OTHER_REFRESH IDENTIFIED BY "x_1_y" QUOTA UNLIMITED ON USERS',
        "DROP USER OTHER_REFRESH CASCADE",
    )
    dba(
        "GRANT CREATE SESSION, CREATE TABLE TO OTHER_REFRESH",
        "REVOKE CREATE SESSION, CREATE TABLE FROM OTHER_REFRESH",
    )
    with oracledb.connect(user="OTHER_REFRESH", password="x_1_y", dsn=target.dsn) as other:
        other.cursor().execute(CREATE)
        Ledger(other, "theirs").record("quarantine", "APP_READER", "locked", {"status": "OPEN"})
        (finding,) = found(source, target)["OTHER_REFRESH_USER"]
        assert "run theirs of another refresh user, OTHER_REFRESH" in finding.message
        Ledger(other, "theirs").record("quarantine", "APP_READER", "released")
        assert "OTHER_REFRESH_USER" not in found(source, target)
