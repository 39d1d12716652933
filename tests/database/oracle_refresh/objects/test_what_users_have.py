"""What users' schemas hold besides plain tables: each comes back as it is on the source."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from oracle_refresh.objects.build import build_tables
from oracle_refresh.objects.constraints import enable_constraints
from oracle_refresh.objects.dependents import build_dependents
from oracle_refresh.objects.grants import grant_references
from oracle_refresh.objects.indexes import build_indexes
from oracle_refresh.objects.inventory_check import check_inventory
from oracle_refresh.objects.statistics import gather_statistics
from support.transfer import Run

USERS = [
    'CREATE USER BANK IDENTIFIED BY "bank"',
    'CREATE USER TILL IDENTIFIED BY "till"',
    "GRANT UNLIMITED TABLESPACE TO BANK",
    "GRANT UNLIMITED TABLESPACE TO TILL",
]
ROW = "INSERT INTO TILL.DAYS VALUES (1, DATE '2026-02-01')"  # of a partition that it makes
SCHEMA = [
    "CREATE TABLE BANK.ACCOUNTS (ID NUMBER GENERATED ALWAYS AS IDENTITY, NAME VARCHAR2(20) NOT NULL,"
    " BRANCH NUMBER DEFAULT ON NULL 1, CONSTRAINT ACCOUNTS_PK PRIMARY KEY (ID))",
    "GRANT REFERENCES (ID) ON BANK.ACCOUNTS TO TILL",
    "GRANT UPDATE (NAME), INSERT (NAME, BRANCH), SELECT ON BANK.ACCOUNTS TO TILL",
    "GRANT UPDATE (BRANCH) ON BANK.ACCOUNTS TO TILL",
    "GRANT SELECT ON BANK.ACCOUNTS TO {target_user}",
    "CREATE TABLE TILL.RECEIPTS (ID NUMBER, ACCOUNT NUMBER, CODE VARCHAR2(20), UNIQUE (CODE),"
    " CONSTRAINT RECEIPTS_FK FOREIGN KEY (ACCOUNT) REFERENCES BANK.ACCOUNTS (ID))",
    "CREATE INDEX TILL.RECEIPTS_CODE_IX ON TILL.RECEIPTS (UPPER(CODE))",
    "CREATE GLOBAL TEMPORARY TABLE TILL.BASKET (ID NUMBER, NAME VARCHAR2(20)) ON COMMIT PRESERVE ROWS",
    "CREATE INDEX TILL.BASKET_IX ON TILL.BASKET (NAME)",
    'CREATE TABLE TILL."mixed Case" (ID NUMBER)',
    "CREATE TABLE TILL.DAYS (ID NUMBER NOT NULL, AT DATE NOT NULL, PRIMARY KEY (ID, AT))"
    " PARTITION BY RANGE (AT) INTERVAL (NUMTODSINTERVAL(1, 'DAY'))"
    " (PARTITION FIRST_DAY VALUES LESS THAN (DATE '2026-01-01'))",
    "CREATE TABLE TILL.PAGES (ID NUMBER, TEXT VARCHAR2(100))",
    "CREATE INDEX TILL.PAGES_TEXT_IX ON TILL.PAGES (TEXT) INDEXTYPE IS CTXSYS.CONTEXT",
    "CREATE FUNCTION TILL.TWICE (P NUMBER) RETURN NUMBER DETERMINISTIC IS BEGIN RETURN 2 * P; END;",
    "CREATE FUNCTION TILL.FOURFOLD (P NUMBER) RETURN NUMBER DETERMINISTIC IS BEGIN RETURN 4 * P; END;",
    "CREATE TABLE TILL.SUMS (ID NUMBER, DOUBLE NUMBER GENERATED ALWAYS AS (TILL.TWICE(ID)) VIRTUAL)",
    "CREATE INDEX TILL.SUMS_IX ON TILL.SUMS (TILL.FOURFOLD(ID))",
    "CREATE TABLE TILL.CLOSED (ID NUMBER)",
    "ALTER TABLE TILL.CLOSED READ ONLY",
    "CREATE TABLE TILL.PACKED (ID NUMBER) PCTFREE 20 NOLOGGING",
    "CREATE SEQUENCE TILL.FEW MINVALUE 1 MAXVALUE 3 NOCACHE",
    "SELECT TILL.FEW.NEXTVAL FROM DUAL CONNECT BY LEVEL <= 3",
    "CREATE SEQUENCE TILL.ROUND MINVALUE 1 MAXVALUE 3 CYCLE NOCACHE",
    ROW,
    "COMMIT",
]


@pytest.fixture(scope="module")
def run(demo_source: Any, demo_target: Any) -> Iterator[Run]:
    with demo_source.connect() as source, demo_target.connect() as target:
        with demo_source.system() as system, system.cursor() as cursor:
            cursor.execute(f"CREATE ROLE {target.username}")
            for statement in (*USERS, *SCHEMA):
                cursor.execute(statement.format(target_user=target.username))
                if cursor.description:
                    cursor.fetchall()
        with demo_target.system() as system, system.cursor() as cursor:
            for statement in USERS:
                cursor.execute(statement)
        yield Run.begin(source, target, schemas=["BANK", "TILL"], index_sessions=3, degree=6)
        with demo_source.system() as system, system.cursor() as cursor:
            cursor.execute("DROP USER TILL CASCADE")
            cursor.execute("DROP USER BANK CASCADE")
            cursor.execute(f"DROP ROLE {target.username}")


def test_the_target_ends_as_the_source_is(run: Run, demo_target: Any) -> None:
    build_tables(run.source, run.target, run.catalogue, run.definition, run.run_id, run.ledger)
    with run.target.cursor() as cursor:  # what a load would do
        cursor.execute(ROW)
        run.target.commit()
    for _ in range(2):
        for table in run.catalogue.tables:
            build_indexes(run.source, run.target, table, run.definition, connect=demo_target.connect)
        grant_references(run.source, run.target, run.catalogue)
        enable_constraints(run.target, run.catalogue)
        made = build_dependents(run.source, run.target, run.catalogue)
        gather_statistics(run.target, run.catalogue)
    assert [each for each in made.skipped if "ORA-01749" not in each] == []
    check = check_inventory(run.source, run.target, run.catalogue, run.definition)
    assert [str(each) for each in check.differences] == []
    assert "table TILL.PACKED: PCTFREE 20, NOLOGGING" in check.not_copied
