"""The benchmark makes and drops a schema of its own, and touches no other."""

from __future__ import annotations

import oracledb
import pytest

from oracle_refresh.labs.masking.workload import SCHEMAS
from oracle_refresh.oracle.errors import PreflightError
from oracle_refresh.run.documents import Documents
from support.benchmark_schemas import RUN, as_system, documents, name
from support.demo import DemoDatabase

pytestmark = pytest.mark.slow

__all__ = ["documents", "name"]


def test_it_is_made_locked_without_a_password_and_dropped(
    target: oracledb.Connection, documents: Documents, name: str
) -> None:
    assert not SCHEMAS.require_own(documents, name)
    SCHEMAS.make(documents, name, "USERS")
    with target.cursor() as cursor:
        cursor.execute(
            "SELECT ACCOUNT_STATUS, AUTHENTICATION_TYPE FROM DBA_USERS WHERE USERNAME = :1", [name]
        )
        ((status, kind),) = cursor.fetchall()
    assert "LOCKED" in status
    assert kind == "NONE"
    assert SCHEMAS.require_own(documents, name)
    SCHEMAS.make(documents, name, "USERS")
    assert SCHEMAS.drop(documents, name)
    assert not SCHEMAS.drop(documents, name)


def test_a_schema_that_it_did_not_make_is_refused(
    target: oracledb.Connection, documents: Documents, demo_target: DemoDatabase, name: str
) -> None:
    as_system(demo_target, f"CREATE USER {name} NO AUTHENTICATION")
    for use in (SCHEMAS.drop, lambda *given: SCHEMAS.make(*given, "USERS")):
        with pytest.raises(PreflightError, match="not the benchmark's own: no run of this benchmark"):
            use(documents, name)


def test_a_schema_made_again_by_somebody_else_is_refused(
    target: oracledb.Connection, documents: Documents, demo_target: DemoDatabase, name: str
) -> None:
    SCHEMAS.make(documents, name, "USERS")
    SCHEMAS.drop(documents, name)
    as_system(demo_target, f"CREATE USER {name} NO AUTHENTICATION")
    with pytest.raises(PreflightError, match="no run of this benchmark"):
        SCHEMAS.require_own(documents, name)


def test_a_schema_that_somebody_made_in_its_place_is_refused(
    target: oracledb.Connection, documents: Documents, demo_target: DemoDatabase, name: str
) -> None:
    SCHEMAS.make(documents, name, "USERS")
    as_system(demo_target, f"DROP USER {name} CASCADE", f"CREATE USER {name} NO AUTHENTICATION")
    with pytest.raises(PreflightError, match="not the one that the benchmark has made"):
        SCHEMAS.drop(documents, name)


def test_a_schema_with_something_of_others_is_refused(
    target: oracledb.Connection, documents: Documents, demo_target: DemoDatabase, name: str
) -> None:
    SCHEMAS.make(documents, name, "USERS")
    as_system(demo_target, f"CREATE TABLE {name}.J1_T1 (N NUMBER)", f"CREATE TABLE {name}.PAYROLL (N NUMBER)")
    with pytest.raises(PreflightError, match="TABLE PAYROLL"):
        SCHEMAS.drop(documents, name)
    as_system(demo_target, f"DROP TABLE {name}.PAYROLL")
    assert SCHEMAS.drop(documents, name)


@pytest.mark.parametrize("theirs", ["SYS", "SYSTEM", "REFRESH_TARGET", "APP_READER"])
def test_users_of_others_are_never_the_benchmark_s(
    target: oracledb.Connection, documents: Documents, theirs: str
) -> None:
    with pytest.raises(PreflightError, match="not the benchmark's own"):
        SCHEMAS.drop(documents, theirs)


def test_a_missing_privilege_is_named(demo_target: DemoDatabase, name: str) -> None:
    as_system(
        demo_target,
        'CREATE USER POOR IDENTIFIED BY "poor_demo"',
        "GRANT CREATE SESSION, CREATE TABLE, UNLIMITED TABLESPACE, SELECT_CATALOG_ROLE TO POOR",
    )
    with demo_target.connect("POOR") as poor:
        own = Documents(poor, RUN)
        own.ensure()
        with pytest.raises(PreflightError, match=r"privilege for CREATE USER.*DATAPUMP_IMP_FULL_DATABASE"):
            SCHEMAS.make(own, name, "USERS")
