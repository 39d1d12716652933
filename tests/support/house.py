"""A schema with objects of every record type, refreshed without its rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from oracle_refresh.target.objects.build import build_tables
from oracle_refresh.target.objects.compile import compile_invalid
from oracle_refresh.target.objects.constraints import enable_constraints
from oracle_refresh.target.objects.dependents import build_dependents
from oracle_refresh.target.objects.inventory import InventoryCheck
from oracle_refresh.target.objects.inventory_check import check_inventory
from support.index_builds import build_indexes
from support.transfer import Run, demo

SCHEMA = [
    'CREATE USER HOUSE IDENTIFIED BY "house"',
    'CREATE USER READER IDENTIFIED BY "reader"',
    "GRANT UNLIMITED TABLESPACE TO HOUSE",
    "CREATE SEQUENCE HOUSE.NUMBERS START WITH 7 INCREMENT BY 2",
    "CREATE TABLE HOUSE.ROOMS (ID NUMBER DEFAULT HOUSE.NUMBERS.NEXTVAL NOT NULL, NAME VARCHAR2(20 BYTE),"
    " AREA NUMBER(6,2) DEFAULT 1, TWICE NUMBER GENERATED ALWAYS AS (AREA * 2) VIRTUAL, PRIMARY KEY (ID),"
    " CHECK (AREA > 0), CONSTRAINT ROOMS_NAME_UK UNIQUE (NAME))",
    "CREATE TABLE HOUSE.VISITS (ROOM_ID NUMBER REFERENCES HOUSE.ROOMS (ID), DAY DATE NOT NULL)"
    " PARTITION BY RANGE (DAY) (PARTITION OLD VALUES LESS THAN (TO_DATE('2024-01-01', 'YYYY-MM-DD')),"
    " PARTITION NEW VALUES LESS THAN (MAXVALUE))",
    "CREATE INDEX HOUSE.VISITS_IX ON HOUSE.VISITS (DAY DESC) LOCAL",
    "CREATE INDEX HOUSE.ROOMS_UPPER_IX ON HOUSE.ROOMS (UPPER(NAME))",
    "COMMENT ON TABLE HOUSE.ROOMS IS 'where one is'",
    "COMMENT ON COLUMN HOUSE.ROOMS.AREA IS 'square metres'",
    "CREATE VIEW HOUSE.BIG AS SELECT ID, NAME FROM HOUSE.ROOMS WHERE AREA > 20",
    "CREATE VIEW HOUSE.BIGGER AS SELECT ID FROM HOUSE.BIG",
    "CREATE SYNONYM HOUSE.PLACES FOR HOUSE.ROOMS",
    "CREATE FUNCTION HOUSE.HALF (A IN NUMBER) RETURN NUMBER IS BEGIN RETURN A / 2; END;",
    "CREATE PROCEDURE HOUSE.CLEAN IS BEGIN DELETE FROM HOUSE.VISITS WHERE DAY < SYSDATE - 1000; END;",
    "CREATE TRIGGER HOUSE.ROOMS_NAMED BEFORE INSERT ON HOUSE.ROOMS FOR EACH ROW"
    " BEGIN :NEW.NAME := UPPER(:NEW.NAME); END;",
    "ALTER TRIGGER HOUSE.ROOMS_NAMED DISABLE",
    "ALTER SESSION SET CURRENT_SCHEMA = HOUSE",
    "CREATE TRIGGER VISITS_CLEANED BEFORE DELETE ON VISITS BEGIN CLEAN; END;",
    "ALTER SESSION SET CURRENT_SCHEMA = SYSTEM",
    "GRANT SELECT ON HOUSE.ROOMS TO READER WITH GRANT OPTION",
    "GRANT UPDATE (AREA) ON HOUSE.ROOMS TO READER",
    "GRANT SELECT ON HOUSE.BIG TO PUBLIC",
    "GRANT EXECUTE ON HOUSE.HALF TO READER",
    "CREATE PACKAGE HOUSE.TOOLS AS FUNCTION ONE RETURN NUMBER; END;",
    "CREATE PACKAGE BODY HOUSE.TOOLS AS FUNCTION ONE RETURN NUMBER IS BEGIN RETURN 1; END; END;",
    "CREATE PACKAGE HOUSE.ROUNDS AS PROCEDURE WALK; END;",
    "CREATE PACKAGE BODY HOUSE.ROUNDS AS"
    " PROCEDURE WALK IS BEGIN UPDATE ROOMS SET AREA = AREA; CLEAN; END; END;",
    "CREATE TYPE HOUSE.LABELS AS TABLE OF VARCHAR2(20)",
    "CREATE FUNCTION HOUSE.LABELLED (L IN HOUSE.LABELS) RETURN NUMBER IS N NUMBER;"
    " BEGIN SELECT COUNT(*) INTO N FROM BIGGER; RETURN N; END;",
]


@pytest.fixture(scope="module")
def run(demo_source: Any, demo_target: Any) -> Iterator[Run]:
    """HOUSE on both ends after all steps of a refresh but the rows."""
    for database, statements in ((demo_source, SCHEMA), (demo_target, SCHEMA[:3])):
        with database.system() as system, system.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)
    with demo_source.connect() as source, demo_target.connect() as target:
        run = Run.begin(source, target, schemas=["HOUSE"])
        refresh(run)
        yield run
    with demo_source.system() as system, system.cursor() as cursor:
        cursor.execute("DROP USER HOUSE CASCADE")
        cursor.execute("DROP USER READER CASCADE")


def refresh(run: Run) -> Any:
    made = rebuild(run)
    compile_invalid(run.target, run.catalogue.schemas)
    return made


def rebuild(run: Run) -> Any:
    build_tables(run.source, run.target, run.catalogue, run.definition, run.ledger)
    for table in run.catalogue.tables:
        build_indexes(run.source, run.target, table, run.definition)
    enable_constraints(run.target, run.catalogue)
    return build_dependents(run.source, run.target, run.catalogue)


def check(run: Run, **inventory: Any) -> InventoryCheck:
    definition = demo(schemas=["HOUSE"], inventory=inventory)
    return check_inventory(run.source, run.target, run.catalogue, definition)
