"""Statements about tables that are not there yet."""

from __future__ import annotations

import pytest

from oracle_refresh.first_contact.absent_tables import inline_views, parseable
from oracle_refresh.masking.statements import create_map
from oracle_refresh.run.ledger import CREATE

VIEWS = inline_views(['CREATE TABLE "REFRESH$M" (ORIGINAL NUMBER(9, 2), "X" CLOB NOT NULL)'])
VIEW = '(SELECT CAST(NULL AS NUMBER(9, 2)) AS ORIGINAL, TO_CLOB(NULL) AS "X" FROM DUAL)'


def test_a_view_has_the_columns_of_the_table() -> None:
    assert VIEWS == {"REFRESH$M": VIEW}


def test_constraints_are_no_columns() -> None:
    (view,) = inline_views([CREATE]).values()
    assert view.count(" AS ") == 2 * 7
    assert "PRIMARY" not in view


def test_the_map_of_a_masking_is_read_as_well() -> None:
    views = inline_views([create_map("REFRESH$M_1", "VARCHAR2(10 CHAR)", "VARCHAR2(10 CHAR)")])
    assert "CAST(NULL AS VARCHAR2(10 CHAR)) AS MASKED" in views["REFRESH$M_1"]


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("SELECT 1 FROM DBA_TABLES", "SELECT 1 FROM DBA_TABLES"),
        ('SELECT X FROM "REFRESH$M" M', f"SELECT X FROM {VIEW} M"),
        (
            'INSERT INTO "REFRESH$M" (A, B)\nWITH A AS (SELECT 1 FROM DUAL) SELECT 1',
            "WITH A AS (SELECT 1 FROM DUAL) SELECT 1",
        ),
        ('INSERT INTO "APP"."REFRESH$M" (A)\nSELECT 1 FROM DUAL', "SELECT 1 FROM DUAL"),
        ('INSERT INTO "REFRESH$M" (A) VALUES (:1)', None),
        ('UPDATE "REFRESH$M" SET X = 1', None),
        ('DELETE FROM "REFRESH$M"', None),
        (
            'UPDATE "A"."T" SET B = (SELECT X FROM "REFRESH$M")',
            f'UPDATE "A"."T" SET B = (SELECT X FROM {VIEW})',
        ),
    ],
)
def test_what_is_parsed(text: str, parsed: str | None) -> None:
    assert parseable(text, VIEWS) == parsed
