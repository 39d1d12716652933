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
from support.transfer import Fuse, Killed, Mortal, Run, count

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


@pytest.mark.parametrize("prepare", ["replace_objects", "truncate", "fail_if_present"])
def test_build_killed_and_repeated_changes_only_the_named_tables(
    system: oracledb.Connection, source: Any, target: Any, prepare: str
) -> None:
    before = outside_in_use(system)
    assert all(before), "there is something of each"
    run = Run.begin(source, target, prepare=prepare, **FEWER_TABLES)
    if prepare == "fail_if_present":
        with pytest.raises(PlanError, match="already"):
            build(run)
        assert outside_in_use(system) == before
        _drop_everything(target, run)
    calls, deaths = 3, 0
    while True:
        fuse = Fuse(calls)
        try:
            build(run, Mortal(source, fuse), Mortal(target, fuse))
            break
        except Killed:
            deaths, calls = deaths + 1, int(calls * 1.9)
            # What the dead session had open is rolled back, and the schema it was set to is gone with it.
            target.rollback()
            target.cursor().execute("ALTER SESSION SET CURRENT_SCHEMA = REFRESH_TARGET")
    assert deaths > 3
    require_without_constraints(run)
    assert {count(target, table.sql) for table in run.catalogue.tables} == {0}
    made = finish(run)
    assert made.skipped == ()
    if prepare == "replace_objects":
        assert made.own_grants == 5
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


def test_grants_of_a_dead_run_are_restored_unless_their_grantee_is_gone(
    system: oracledb.Connection, source: Any, target: Any
) -> None:
    with system.cursor() as cursor:
        cursor.execute('CREATE USER LEAVER IDENTIFIED BY "leaver"')
        cursor.execute("GRANT SELECT ON APP.PAYMENTS TO LEAVER")
        cursor.execute("GRANT DELETE ON APP.PAYMENTS TO TESTER")
    dead = of_payments(source, target)
    assert build(dead).recorded_grants
    recorded = GrantRecord(target).read()
    assert Grant("APP", "PAYMENTS", "TESTER", False, "DELETE") in recorded
    run = of_payments(source, target)
    assert build(run).recorded_grants == 0
    with system.cursor() as cursor:
        cursor.execute("DROP USER LEAVER CASCADE")
    assert finish(run).skipped == ("grant on APP.PAYMENTS: the target has no user or role LEAVER",)
    with system.cursor() as cursor:
        cursor.execute(
            "SELECT PRIVILEGE FROM DBA_TAB_PRIVS WHERE GRANTEE = 'TESTER' AND TABLE_NAME = 'PAYMENTS'"
        )
        assert cursor.fetchall() == [("DELETE",)]
    assert {grant.grantee for grant in GrantRecord(target).read()} == {"LEAVER"}
    with target.cursor() as cursor:
        cursor.execute('DELETE FROM "REFRESH$GRANT"')
    target.commit()


def test_a_foreign_key_from_outside_is_refused_before_anything_is_changed(
    system: oracledb.Connection, source: Any, target: Any
) -> None:
    with system.cursor() as cursor:
        cursor.execute("GRANT REFERENCES ON APP.PAYMENTS TO TESTER")
        cursor.execute(
            "CREATE TABLE TESTER.NOTES (ID NUMBER, PAYMENT_ID NUMBER(14),"
            " CONSTRAINT NOTES_PAYMENT_FK FOREIGN KEY (PAYMENT_ID)"
            " REFERENCES APP.PAYMENTS (PAYMENT_ID) DISABLE)"
        )
        try:
            run = of_payments(source, target)
            told = check(source, target, run.definition, "source", "target")
            errors = [each for each in told if each.severity == "error"]
            assert [each.code for each in errors] == ["REFERENCED_FROM_OUTSIDE"]
            assert errors[0].sql == ('ALTER TABLE "TESTER"."NOTES" DROP CONSTRAINT "NOTES_PAYMENT_FK"',)
            for prepare, state in (("replace_objects", "DISABLE"), ("truncate", "ENABLE")):
                cursor.execute(f"ALTER TABLE TESTER.NOTES {state} CONSTRAINT NOTES_PAYMENT_FK")
                before = outside(system)
                with pytest.raises(PlanError, match=r"TESTER\.NOTES NOTES_PAYMENT_FK onto APP\.PAYMENTS"):
                    build(of_payments(source, target, prepare=prepare))
                assert outside(system) == before
        finally:
            cursor.execute("DROP TABLE TESTER.NOTES PURGE")
            cursor.execute("REVOKE REFERENCES ON APP.PAYMENTS FROM TESTER")


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
