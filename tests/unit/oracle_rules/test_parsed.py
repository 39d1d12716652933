"""A tree is the statement's, whether or not another statement of its shape was parsed before."""

from __future__ import annotations

import pytest
import sqlglot

from support.oracle_rules.parsed import parsed

STATEMENTS = (
    'SELECT T."A", T."B" AS "C" FROM "APP"."T" T WHERE T."A" = \'it\'\'s "A"\' AND T."B" = :1 -- "B"',
    'SELECT T."B", T."A" AS "A" FROM "APP"."U" T WHERE T."B" = \'it\'\'s "A"\' AND T."A" = :1 -- "B"',
    'INSERT INTO "APP"."T" ("A", "B") SELECT "B", COUNT(*) FROM "T" GROUP BY "B"',
    'INSERT INTO "X"."Y" ("Ä ö", "it\'s") SELECT "it\'s", COUNT(*) FROM "Y" GROUP BY "it\'s"',
    'MERGE INTO "APP"."T" T USING "M" M ON (M."R" = T.ROWID) WHEN MATCHED THEN UPDATE SET T."A" = M."A"',
    'UPDATE "APP"."T" T SET T."A" = "P"."F"(T."A"), T."B" = (SELECT M."A" FROM "M" M)',
    'SELECT q\'["A"]\' FROM "T"',
)


@pytest.mark.parametrize("sql", STATEMENTS)
def test_tree_after_others_of_its_shape_is_that_of_its_own_text(sql: str) -> None:
    for other in (*STATEMENTS, sql):
        tree = parsed(other)
    assert tree == sqlglot.parse_one(sql.replace(":1", ":p1"), dialect="oracle")
    assert parsed(sql).sql("oracle") == tree.sql("oracle")
