"""The benchmark makes and drops a schema of its own, and touches no other."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import oracledb
import pytest

from oracle_refresh.labs.masking import measure, workload
from oracle_refresh.labs.masking.model import Workload
from oracle_refresh.labs.masking.workload import SCHEMAS
from oracle_refresh.masking import MasterKey
from oracle_refresh.oracle.errors import PreflightError
from oracle_refresh.run.documents import Documents
from support.demo import DemoDatabase
from support.transfer import Fuse, Killed, Mortal

KEY = MasterKey(b"0123456789abcdef" * 4)
RUN = "benchmark__1"


@pytest.fixture
def documents(target: oracledb.Connection, demo_target: DemoDatabase) -> Documents:
    found = Documents(target, RUN)
    found.ensure()
    return found


@pytest.fixture
def name(demo_target: DemoDatabase) -> Iterator[str]:
    name = f"BENCH_{uuid4().hex[:8].upper()}"
    yield name
    with demo_target.system() as system, system.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM DBA_USERS WHERE USERNAME = :1", [name])
        if cursor.fetchone() == (1,):
            cursor.execute(f"DROP USER {name} CASCADE")


def as_system(database: DemoDatabase, *statements: str) -> None:
    with database.system() as system, system.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


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


def test_a_killed_making_is_repeated(target: oracledb.Connection, documents: Documents, name: str) -> None:
    for calls in range(30):
        fuse = Fuse(calls)
        mortal = Mortal(target, fuse)
        try:
            SCHEMAS.make(Documents(mortal, RUN), name, "USERS")  # type: ignore[arg-type]
        except Killed:
            target.rollback()
            continue
        break
    else:
        pytest.fail("it never came to an end")
    assert calls > 5, "nothing was killed"
    assert SCHEMAS.drop(documents, name)


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


def test_every_row_of_nine_columns_is_masked_and_nothing_stays(
    target: oracledb.Connection, documents: Documents, demo_target: DemoDatabase, name: str
) -> None:
    work = Workload(name, jobs=2, tables=2, rows=1200, commit_rows=300)
    SCHEMAS.make(documents, name, "USERS")
    workload.fill_originals(target, work)
    run = work.masking_run
    columns = ", ".join(workload.COLUMNS)
    for _ in range(2):
        tables = workload.reset(target, work)
        assert sorted(tables) == sorted(work.all_names)
        taken = measure.mask_all(demo_target.connect, work, tables, KEY)
        assert taken.rows == work.total_rows == 4800
        assert taken.transactions == 16
        assert taken.seconds == max(taken.job_seconds) > 0
    with target.cursor() as cursor:
        for table in work.all_names:
            cursor.execute(f'SELECT ID, {columns} FROM "{name}"."{table}" ORDER BY ID')
            masked = cursor.fetchall()
            cursor.execute(f'SELECT ID, {columns} FROM "{name}"."{workload.ORIGINAL}" ORDER BY ID')
            originals = cursor.fetchall()
            assert len(masked) == len(originals) == work.rows
            for one, other in zip(masked, originals, strict=True):
                assert one[0] == other[0]
                assert not any(new == old for new, old in zip(one[1:], other[1:], strict=True))
    measure.clean(target, work, tables.values())
    assert left(target, run) == ([], 0)
    assert SCHEMAS.drop(documents, name)


def test_a_failing_job_ends_the_others_and_is_told(
    target: oracledb.Connection, documents: Documents, demo_target: DemoDatabase, name: str
) -> None:
    work = Workload(name, jobs=3, tables=1, rows=500, commit_rows=100)
    SCHEMAS.make(documents, name, "USERS")
    workload.fill_originals(target, work)
    run = work.masking_run
    tables = workload.reset(target, work)
    fuse = Fuse(40)

    def connect() -> oracledb.Connection:
        return Mortal(demo_target.connect(), fuse)  # type: ignore[return-value]

    with pytest.raises(Killed):
        measure.mask_all(connect, work, tables, KEY)
    tables = workload.reset(target, work)
    assert measure.mask_all(demo_target.connect, work, tables, KEY).rows == 1500
    measure.clean(target, work, tables.values())
    assert left(target, run) == ([], 0)
    SCHEMAS.drop(documents, name)


def left(target: oracledb.Connection, run: str) -> tuple[list[str], int]:
    """Control tables, and rows of the ledger."""
    with target.cursor() as cursor:
        cursor.execute("SELECT TABLE_NAME FROM USER_TABLES WHERE TABLE_NAME LIKE 'REFRESH$_!_%' ESCAPE '!'")
        tables = [str(table) for (table,) in cursor]
        cursor.execute('SELECT COUNT(*) FROM "REFRESH$LEDGER" WHERE RUN_ID = :1', [run])
        ((rows,),) = cursor.fetchall()
    return tables, int(rows)
