"""What a refresh does to a target that is in use: exactly what it says, at whatever point it dies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import oracledb
import pytest

from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.oracle.session import rows
from oracle_refresh.preflight import check
from oracle_refresh.target.objects import build as builder
from oracle_refresh.target.objects import statements
from oracle_refresh.target.objects.build import build_tables
from oracle_refresh.target.objects.constraints import enable_constraints
from oracle_refresh.target.objects.dependents import build_dependents
from oracle_refresh.target.objects.grants import Grant, GrantRecord
from support.demo import FEWER_TABLES, MOST_OF_APP
from support.index_builds import build_indexes
from support.transfer import Fuse, Killed, Mortal, Run, count, demo

TESTERS = [
    'CREATE USER TESTER IDENTIFIED BY "tester"',
    "CREATE ROLE TESTERS",
    "GRANT SELECT, DELETE ON APP.CUSTOMERS TO TESTER",
    "GRANT UPDATE (EMAIL) ON APP.CUSTOMERS TO TESTERS",
    "GRANT SELECT ON APP.CUSTOMER_BALANCES TO TESTERS",
    "GRANT SELECT ON APP.ORDERS TO TESTER WITH GRANT OPTION",
    "CREATE TABLE APP.KEPT (A NUMBER CONSTRAINT KEPT_PK PRIMARY KEY, B NUMBER NOT NULL)",
    "CREATE INDEX APP.KEPT_IX ON APP.KEPT (B)",
    "INSERT INTO APP.KEPT VALUES (1, 2)",
    "CREATE VIEW APP.KEPT_VIEW AS SELECT A FROM APP.KEPT",
    "CREATE SEQUENCE APP.KEPT_SEQUENCE START WITH 42",
    "GRANT SELECT ON APP.KEPT TO TESTER",
    "CREATE VIEW TESTER.OF_ORDERS AS SELECT ORDER_ID FROM APP.ORDERS",
]
#: Everything that a refresh of APP, DOCS and TEST has to leave as it is.
OUTSIDE = [
    "SELECT OWNER, OBJECT_TYPE, OBJECT_NAME, STATUS FROM DBA_OBJECTS"
    " WHERE OBJECT_NAME LIKE 'KEPT%' OR OWNER = 'TESTER'",
    "SELECT OBJECT_NAME, OBJECT_ID FROM DBA_OBJECTS WHERE OWNER = 'APP' AND OBJECT_NAME LIKE 'KEPT%'",
    "SELECT TABLE_NAME, CONSTRAINT_NAME, STATUS, VALIDATED FROM DBA_CONSTRAINTS WHERE TABLE_NAME = 'KEPT'",
    "SELECT LAST_NUMBER FROM DBA_SEQUENCES WHERE SEQUENCE_NAME = 'KEPT_SEQUENCE'",
    "SELECT GRANTEE, TABLE_NAME, PRIVILEGE, GRANTABLE FROM DBA_TAB_PRIVS WHERE GRANTEE LIKE 'TESTER%'",
    "SELECT GRANTEE, TABLE_NAME, COLUMN_NAME, PRIVILEGE FROM DBA_COL_PRIVS WHERE GRANTEE LIKE 'TESTER%'",
    "SELECT USERNAME, ACCOUNT_STATUS, CREATED FROM DBA_USERS",
    "SELECT A, B FROM APP.KEPT",
]


def outside(system: oracledb.Connection) -> list[list[Any]]:
    with system.cursor() as cursor:
        return [sorted(cursor.execute(sql).fetchall()) for sql in OUTSIDE]


def outside_in_use(system: oracledb.Connection) -> list[list[Any]]:
    """A view of others on a table that was replaced is INVALID until somebody uses it again."""
    system.cursor().execute("SELECT COUNT(*) FROM TESTER.OF_ORDERS")
    return outside(system)


def of_payments(source: Any, target: Any, **fields: Any) -> Run:
    """A run that refreshes one table."""
    others = {"COUNTRIES", "EMPLOYEES", *MOST_OF_APP} - {"PAYMENTS"}
    excluded = [f"APP.{name}" for name in others]
    return Run.begin(source, target, schemas=["APP"], exclude_tables=excluded, **fields)


def build(run: Run, source: Any = None, target: Any = None) -> Any:
    run = run.over(source or run.source, target or run.target)
    return build_tables(run.source, run.target, run.catalogue, run.definition, run.ledger)


def finish(run: Run) -> Any:
    for table in run.catalogue.tables:
        build_indexes(run.source, run.target, table, run.definition)
    enable_constraints(run.target, run.catalogue)
    return build_dependents(run.source, run.target, run.catalogue)


def require_without_constraints(run: Run) -> None:
    """NOT NULL is taken off too, whether DBMS_METADATA left it out or not: the dictionary says so."""
    for table in run.catalogue.tables:
        of_table = {"owner": table.owner, "names": [table.name]}
        key = table.primary_key.columns if table.iot and table.primary_key else ()
        mandatory = rows(run.target, statements.MANDATORY_COLUMNS_OF, **of_table)
        assert {column for _, column, stays in mandatory if stays == "NO"} == set(key), table.key
        constraints = rows(run.target, statements.CONSTRAINTS_OF, **of_table)
        assert [kind for _, _, kind, _ in constraints] == ["P"] * table.iot, table.key


@pytest.fixture(scope="module")
def system(demo_source: Any, demo_target: Any) -> Iterator[oracledb.Connection]:
    """A target that was refreshed once and is used by testers since."""
    with demo_source.connect() as source, demo_target.connect() as target, demo_target.system() as system:
        first = Run.begin(source, target, **FEWER_TABLES)
        build(first)
        finish(first)
        with system.cursor() as cursor:
            for statement in TESTERS:
                cursor.execute(statement)
        system.commit()
        yield system


@pytest.mark.parametrize("prepare", ["replace_objects", "truncate"])
def test_what_is_not_named_stays_as_it_is(
    system: oracledb.Connection, source: Any, target: Any, prepare: str
) -> None:
    before = outside_in_use(system)
    assert all(before), "there is something of each"
    run = Run.begin(source, target, prepare=prepare, **FEWER_TABLES)
    result = build(run)
    assert (len(result.created), len(result.truncated))[prepare == "truncate"] == len(run.catalogue.tables)
    require_without_constraints(run)
    made = finish(run)
    assert outside_in_use(system) == before
    if prepare == "replace_objects":
        assert result.recorded_grants == made.own_grants == 5
    assert GrantRecord(target).read() == set()


@pytest.mark.parametrize("prepare", ["replace_objects", "truncate", "fail_if_present"])
def test_killed_at_every_tenth_call_and_repeated(
    system: oracledb.Connection, source: Any, target: Any, prepare: str
) -> None:
    before = outside_in_use(system)
    run = Run.begin(source, target, prepare=prepare, **FEWER_TABLES)
    assert run.catalogue.tables
    if prepare == "fail_if_present":
        with pytest.raises(PlanError, match="already"):
            build(run)
        assert outside_in_use(system) == before
        _drop_everything(target, run)
    deaths = 0
    for calls in range(3, 1000, 10):
        fuse = Fuse(calls)
        try:
            build(run, Mortal(source, fuse), Mortal(target, fuse))
            break
        except Killed:
            deaths += 1
            # What the dead session had open is rolled back, and the schema it was set to is gone with it.
            target.rollback()
            target.cursor().execute("ALTER SESSION SET CURRENT_SCHEMA = REFRESH_TARGET")
    assert deaths > 3
    assert {count(target, table.sql) for table in run.catalogue.tables} == {0}
    made = finish(run)
    assert made.skipped == ()
    if prepare != "fail_if_present":
        assert outside_in_use(system) == before
    assert GrantRecord(target).read() == set()


def _drop_everything(target: Any, run: Run) -> None:
    with target.cursor() as cursor:
        for view in run.catalogue.views:
            cursor.execute(f'DROP VIEW "{view.owner}"."{view.name}"')
        for table in run.catalogue.tables:
            cursor.execute(f"DROP TABLE {table.sql} CASCADE CONSTRAINTS PURGE")
        for sequence in run.catalogue.sequences:
            cursor.execute(f'DROP SEQUENCE "{sequence.owner}"."{sequence.name}"')


@pytest.mark.parametrize("prepare", ["replace_objects", "truncate"])
def test_a_try_that_stood_still_throws_no_rows_away(
    system: oracledb.Connection, source: Any, target: Any, monkeypatch: pytest.MonkeyPatch, prepare: str
) -> None:
    """It has looked at the target; its successor has built the tables since, and rows are loaded."""
    run = of_payments(source, target, prepare=prepare)
    (table,) = run.catalogue.tables
    inner = builder.read_places

    def stand_still(*given: Any) -> Any:
        monkeypatch.setattr(builder, "read_places", inner)
        build(run)
        with target.cursor() as cursor:
            cursor.execute(f"INSERT INTO {table.sql} (PAYMENT_ID) VALUES (1)")
        target.commit()
        return inner(*given)

    monkeypatch.setattr(builder, "read_places", stand_still)
    with pytest.raises(PlanError, match="another try of this task has built the table meanwhile"):
        build(run)
    assert count(target, table.sql) == 1
    with target.cursor() as cursor:
        cursor.execute(f"DELETE FROM {table.sql}")
    target.commit()
    finish(run)


def test_grants_of_a_run_that_died_are_restored_by_the_next_one(
    system: oracledb.Connection, source: Any, target: Any
) -> None:
    with system.cursor() as cursor:
        cursor.execute("GRANT DELETE ON APP.PAYMENTS TO TESTER")
    dead = of_payments(source, target)
    build(dead)
    recorded = GrantRecord(target).read()
    assert Grant("APP", "PAYMENTS", "TESTER", False, "DELETE") in recorded
    run = of_payments(source, target)
    assert build(run).recorded_grants == 0
    finish(run)
    with system.cursor() as cursor:
        cursor.execute(
            "SELECT PRIVILEGE FROM DBA_TAB_PRIVS WHERE GRANTEE = 'TESTER' AND TABLE_NAME = 'PAYMENTS'"
        )
        assert cursor.fetchall() == [("DELETE",)]
    assert GrantRecord(target).read() == set()


def test_grants_to_a_user_who_is_gone_stay_recorded_and_are_told(
    system: oracledb.Connection, source: Any, target: Any
) -> None:
    with system.cursor() as cursor:
        cursor.execute('CREATE USER LEAVER IDENTIFIED BY "leaver"')
        cursor.execute("GRANT SELECT ON APP.PAYMENTS TO LEAVER")
    run = of_payments(source, target)
    build(run)
    with system.cursor() as cursor:
        cursor.execute("DROP USER LEAVER CASCADE")
    assert finish(run).skipped == ("grant on APP.PAYMENTS: the target has no user or role LEAVER",)
    assert {grant.grantee for grant in GrantRecord(target).read()} == {"LEAVER"}
    with target.cursor() as cursor:
        cursor.execute('DELETE FROM "REFRESH$GRANT"')
    target.commit()


@pytest.mark.parametrize(("prepare", "state"), [("replace_objects", "DISABLE"), ("truncate", "ENABLE")])
def test_a_foreign_key_from_outside_is_refused_before_anything_is_changed(
    system: oracledb.Connection, source: Any, target: Any, prepare: str, state: str
) -> None:
    with system.cursor() as cursor:
        cursor.execute("GRANT REFERENCES ON APP.CUSTOMERS TO TESTER")
        cursor.execute(
            "CREATE TABLE TESTER.NOTES (ID NUMBER, CUSTOMER_ID NUMBER(12),"
            " CONSTRAINT NOTES_CUSTOMER_FK FOREIGN KEY (CUSTOMER_ID)"
            f" REFERENCES APP.CUSTOMERS (CUSTOMER_ID) {state})"
        )
        try:
            before = outside(system)
            definition = demo(prepare=prepare, **FEWER_TABLES)
            told = check(source, target, definition, "source", "target")
            # Of users whom tests before this one have let read the tables.
            findings = [each for each in told if each.code != "READS_UNMASKED_ROWS"]
            assert [(each.severity, each.code) for each in findings] == [("error", "REFERENCED_FROM_OUTSIDE")]
            assert findings[0].sql == ('ALTER TABLE "TESTER"."NOTES" DROP CONSTRAINT "NOTES_CUSTOMER_FK"',)
            with pytest.raises(PlanError, match=r"TESTER\.NOTES NOTES_CUSTOMER_FK onto APP\.CUSTOMERS"):
                build(Run.begin(source, target, prepare=prepare, **FEWER_TABLES))
            assert outside(system) == before
        finally:
            cursor.execute("DROP TABLE TESTER.NOTES PURGE")
            cursor.execute("REVOKE REFERENCES ON APP.CUSTOMERS FROM TESTER")


def test_an_object_of_another_kind_under_a_table_s_name_is_refused(
    system: oracledb.Connection, source: Any, target: Any
) -> None:
    with system.cursor() as cursor:
        cursor.execute("DROP TABLE TEST.TESTTABLE PURGE")
        cursor.execute("CREATE VIEW TEST.TESTTABLE AS SELECT 1 AS ONE FROM DUAL")
        try:
            before = outside(system)
            with pytest.raises(PlanError, match=r"TEST\.TESTTABLE is a view"):
                build(Run.begin(source, target, **FEWER_TABLES))
            assert outside(system) == before
        finally:
            cursor.execute("DROP VIEW TEST.TESTTABLE")
