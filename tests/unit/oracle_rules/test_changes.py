"""The rules of changes notice what a 19c refuses, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from oracle_refresh.catalog import Catalogue, Table
from support.oracle_rules.changes import complaints
from support.samples import number, people, text

ALWAYS = replace(number("NR"), identity=True, always_generated=True)
VIRTUAL = replace(text("FULL", 60), virtual=True)
T = Table("APP", "T", None, 0, 0, (*people().columns, ALWAYS, VIRTUAL), partition_columns=("BORN",))
KNOWN = Catalogue(("APP",), (T, replace(T, name="MOVING", may_change_partition=True)))
MERGE = (
    'MERGE INTO "APP"."T" G USING (SELECT ID, EMAIL FROM "APP"."T") S ON (G.ID = S.ID)'
    " WHEN MATCHED THEN UPDATE SET "
)

REFUSED = [
    ('INSERT INTO "APP"."T" ("ID", "FULL") SELECT 1, \'x\' FROM DUAL', "ORA-54013"),
    ('INSERT INTO "APP"."T" ("NR") VALUES (1)', "ORA-32795"),
    ('UPDATE "APP"."T" T SET "FULL" = \'x\'', "ORA-54017"),
    ('UPDATE "APP"."T" T SET "NR" = 1', "ORA-32796"),
    ('UPDATE "APP"."T" T SET "BORN" = NULL', "ORA-14402"),
    ('UPDATE "APP"."T" T SET "ID" = 1, "ID" = 2', "ORA-00957"),
    (f'{MERGE}G."ID" = 1', "ORA-38104"),
    (f'{MERGE}G."FULL" = S.EMAIL', "ORA-54017"),
]
TAKEN = [
    'INSERT INTO "APP"."T" ("ID", "BORN") SELECT 1, SYSDATE FROM DUAL',
    'UPDATE "APP"."T" T SET "EMAIL" = T."FULL" WHERE T."BORN" IS NOT NULL',
    'UPDATE "APP"."MOVING" T SET "BORN" = NULL',
    f'{MERGE}G."EMAIL" = CASE WHEN S.ID = 1 THEN S.EMAIL END',
    'SELECT "FULL" FROM "APP"."T"',
]


@pytest.mark.parametrize(("sql", "code"), REFUSED)
def test_what_is_refused(sql: str, code: str) -> None:
    found = complaints(sql, KNOWN)
    assert any(code in each for each in found), found


@pytest.mark.parametrize("sql", TAKEN)
def test_what_is_taken(sql: str) -> None:
    assert complaints(sql, KNOWN) == []
