"""Tables and LOBs are stored where and as what the definition says."""

from __future__ import annotations

from typing import Any

import pytest

from oracle_refresh.definition.model import LobStorage
from oracle_refresh.oracle.errors import PlanError
from oracle_refresh.target.objects.build import build_tables
from oracle_refresh.target.objects.storage import Places
from support.transfer import Run, demo

STORED = (
    "SELECT TABLE_NAME, COLUMN_NAME, SECUREFILE, TABLESPACE_NAME FROM DBA_LOBS"
    " WHERE OWNER = 'DOCS' ORDER BY 1, 2"
)


@pytest.mark.slow
def test_lobs_and_tables_go_where_the_definition_says(source: Any, target: Any) -> None:
    with source.cursor() as cursor:
        before = cursor.execute(STORED).fetchall()
    assert {row[3] for row in before} == {"USERS"}
    for kind, expected in (("securefile", "YES"), ("basicfile", "NO")):
        run = Run.begin(source, target, storage={"tablespaces": {"users": "sysaux"}, "lob_storage": kind})
        build_tables(source, target, run.catalogue, run.definition, run.ledger)
        with target.cursor() as cursor:
            after = cursor.execute(STORED).fetchall()
            assert after == [(*row[:2], expected, "SYSAUX") for row in before]
            cursor.execute("SELECT DISTINCT TABLESPACE_NAME FROM DBA_TABLES WHERE OWNER = 'DOCS'")
            assert cursor.fetchall() == [("SYSAUX",)]
    run = Run.begin(source, target, storage={"lob_storage": "no_change"})
    build_tables(source, target, run.catalogue, run.definition, run.ledger)
    with target.cursor() as cursor:
        assert [row[:3] for row in cursor.execute(STORED)] == [row[:3] for row in before]


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ('CREATE TABLE "A"."T" ("B" NUMBER(3,1))', 'CREATE TABLE "A"."T" ("B" NUMBER(3,1)) TABLESPACE "X"'),
        (
            'CREATE TABLE "A"."T" ("B" NUMBER) PARTITION BY HASH ("B") PARTITIONS 2',
            'CREATE TABLE "A"."T" ("B" NUMBER) TABLESPACE "X" PARTITION BY HASH ("B") PARTITIONS 2',
        ),
        (
            'CREATE TABLE "A"."T" ("B)" NUMBER PRIMARY KEY) ORGANIZATION INDEX NOCOMPRESS',
            'CREATE TABLE "A"."T" ("B)" NUMBER PRIMARY KEY) ORGANIZATION INDEX TABLESPACE "X" NOCOMPRESS',
        ),
        (
            'CREATE TABLE "A"."T" ("B" NUMBER) DEFAULT COLLATION "BINARY_CI" CACHE',
            'CREATE TABLE "A"."T" ("B" NUMBER) DEFAULT COLLATION "BINARY_CI" TABLESPACE "X" CACHE',
        ),
    ],
)
def test_clauses_stand_where_the_grammar_wants_them(source: Any, statement: str, expected: str) -> None:
    table = next(each for each in Run(source, source, demo(), "r").catalogue.tables if not each.lobs)
    places = Places({(table.owner, table.name): "X"}, {}, LobStorage.DEFAULT)
    assert places.apply(statement, table) == expected
    with pytest.raises(PlanError, match="says itself"):
        places.apply('CREATE TABLE "A"."T" ("B" CLOB) LOB ("B") STORE AS BASICFILE', table)
