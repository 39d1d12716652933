"""The rules of words notice what a 19c refuses, and nothing else."""

from __future__ import annotations

import pytest

from support.oracle_rules.words import complaints

REFUSED = [
    ("SELECT :SIZE FROM DUAL", "ORA-01745"),
    ("CREATE TABLE T AS SELECT :b1 AS A FROM DUAL", "ORA-01027"),
    ("SELECT :b1, :b2 FROM DUAL", "ORA-01008: b2"),
    (f'SELECT "{"x" * 129}" FROM DUAL', "ORA-00972"),
    (f'SELECT "{"é" * 65}" FROM DUAL', "ORA-00972"),
    (f"SELECT '{'x' * 4001}' FROM DUAL", "ORA-01704"),
    ("SELECT A AS SIZE FROM T", "SIZE is reserved"),
    ("SELECT T.COMMENT FROM T", "COMMENT is reserved"),
    ('GRANT UPDATE ("A"), UPDATE ("B") ON T TO U', "ORA-01711"),
    ('ALTER TABLE T ADD PRIMARY KEY ("A") USING INDEX PARALLEL 4 ENABLE', "PARALLEL in USING INDEX"),
    ('ALTER TABLE T ADD PRIMARY KEY ("A") ENABLE USING INDEX', "ORA-00922"),
    ('SELECT 1 FROM "A"."T" AS T', "ORA-00933"),
    ("SELECT 1 FROM T JOIN U AS V ON 1 = 1", "ORA-00933"),
    ("SELECT 1 FROM T SAMPLE BLOCK (100)", "ORA-30562"),
    ('CREATE INDEX I ON T ("A") INDEXTYPE IS CTXSYS.CONTEXT PARALLEL 4 NOLOGGING', "ORA-29850"),
]
TAKEN = [
    'SELECT 1 AS N FROM "A"."T" SAMPLE BLOCK (99.9) T JOIN U AS OF SCN :b1 V ON 1 = 1',
    "SELECT :b1 AS A, \"SIZE\", T.ROWID, ':x', N'it''s :b2' FROM T /* :b3 */ -- :b4",
    "SELECT CAST(A AS DATE), CAST(B AS VARCHAR2(3)) FROM T AS OF SCN :b1",
    'ALTER TABLE T ADD CONSTRAINT C PRIMARY KEY ("A") RELY USING INDEX "I" ENABLE NOVALIDATE',
    'GRANT SELECT, UPDATE ("A", "B") ON T TO U',
    f'SELECT "{"x" * 128}" FROM DUAL',
]


@pytest.mark.parametrize(("sql", "code"), REFUSED)
def test_what_is_refused(sql: str, code: str) -> None:
    found = complaints(sql, frozenset({"b1", "size"}))
    assert any(code in each for each in found), found


@pytest.mark.parametrize("sql", TAKEN)
def test_what_is_taken(sql: str) -> None:
    assert complaints(sql, frozenset({"b1"})) == []
