# ruff: noqa: E501 - statements read better on one line
"""Tables in read-only mode.

Sources: SQL Language Reference 19c (SQL), Error Messages 19c (ERR).
"""

from __future__ import annotations

import pytest

from support.rulings import Bench, Ruling

ALTER = "SQL, ALTER TABLE"
ERR = "ERR, the message"
T = "CREATE TABLE t (a NUMBER, b NUMBER, s VARCHAR2(10))"
ROW = "INSERT INTO t VALUES (1, 2, 'x')"
RO = "ALTER TABLE t READ ONLY"
R = "CREATE TABLE r (k NUMBER) PARTITION BY RANGE (k) (PARTITION p1 VALUES LESS THAN (10), PARTITION p2 VALUES LESS THAN (20))"
READ_ONLY = "SQL, ALTER TABLE, READ ONLY | READ WRITE"
GUIDE = "Administrator's Guide, Placing a Table in Read-Only Mode"

READ_ONLY_TABLES = [
    Ruling(RO, "", READ_ONLY, (T,)),
    Ruling("INSERT INTO t VALUES (1, 2, 'x')", "ORA-12081", READ_ONLY, (T, RO)),
    Ruling("UPDATE t SET a = 2", "ORA-12081", READ_ONLY, (T, ROW, RO)),
    Ruling("UPDATE t SET a = 2 WHERE 1 = 0", "ORA-12081", READ_ONLY, (T, ROW, RO)),
    Ruling("DELETE FROM t", "ORA-12081", READ_ONLY, (T, ROW, RO)),
    Ruling(
        "MERGE INTO t USING dual ON (t.a = 9) WHEN NOT MATCHED THEN INSERT (a) VALUES (1)",
        "ORA-12081",
        READ_ONLY,
        (T, RO),
    ),
    Ruling("SELECT * FROM t FOR UPDATE", "ORA-12081", READ_ONLY, (T, ROW, RO)),
    Ruling("SELECT * FROM t", "", READ_ONLY, (T, ROW, RO)),
    Ruling("TRUNCATE TABLE t", "ORA-12081", GUIDE, (T, RO)),
    Ruling("ALTER TABLE t ADD (c NUMBER)", "", GUIDE, (T, RO)),
    Ruling("ALTER TABLE t MODIFY s VARCHAR2(20)", "", GUIDE, (T, RO)),
    Ruling("ALTER TABLE t DROP COLUMN b", "ORA-12081", GUIDE, (T, RO)),
    Ruling("ALTER TABLE t RENAME COLUMN b TO c", "ORA-12081", GUIDE, (T, RO)),
    Ruling("CREATE INDEX i ON t (a)", "", GUIDE, (T, RO)),
    Ruling("ALTER INDEX i REBUILD", "", GUIDE, (T, "CREATE INDEX i ON t (a)", RO)),
    Ruling("DROP INDEX i", "", GUIDE, (T, "CREATE INDEX i ON t (a)", RO)),
    Ruling("ALTER TABLE t ADD CONSTRAINT t_c CHECK (a > 0)", "", GUIDE, (T, RO)),
    Ruling("COMMENT ON TABLE t IS 'x'", "", GUIDE, (T, RO)),
    Ruling("RENAME t TO u", "", GUIDE, (T, RO)),
    Ruling("DROP TABLE t", "", GUIDE, (T, RO)),
    Ruling("INSERT INTO t VALUES (1, 2, 'x')", "", READ_ONLY, (T, RO, "ALTER TABLE t READ WRITE")),
    Ruling("ALTER TABLE t READ WRITE", "", READ_ONLY, (T, RO)),
    Ruling("ALTER TABLE t READ ONLY", "ORA-14139", ERR, (T, RO)),
    Ruling("ALTER TABLE t READ WRITE", "ORA-14140", ERR, (T,)),
    Ruling("ALTER TABLE r DROP PARTITION p1", "ORA-12081", GUIDE, (R, "ALTER TABLE r READ ONLY")),
    Ruling("ALTER TABLE r TRUNCATE PARTITION p1", "ORA-12081", GUIDE, (R, "ALTER TABLE r READ ONLY")),
    Ruling("INSERT INTO r VALUES (1)", "ORA-12081", READ_ONLY, (R, "ALTER TABLE r READ ONLY")),
    Ruling("INSERT INTO r PARTITION (p1) VALUES (1)", "ORA-12081", READ_ONLY, (R, "ALTER TABLE r READ ONLY")),
    Ruling("DELETE FROM r PARTITION (p1)", "ORA-12081", READ_ONLY, (R, "ALTER TABLE r READ ONLY")),
    Ruling(
        "INSERT INTO r VALUES (1)", "", READ_ONLY, (R, "ALTER TABLE r READ ONLY", "ALTER TABLE r READ WRITE")
    ),
    Ruling(
        "DELETE FROM k",
        "ORA-12081",
        "SQL, constraint, ON DELETE: rows of a read-only table stay",
        (
            "CREATE TABLE k (a NUMBER PRIMARY KEY)",
            "CREATE TABLE c (a NUMBER REFERENCES k ON DELETE CASCADE)",
            "INSERT INTO k VALUES (1)",
            "INSERT INTO c VALUES (1)",
            "ALTER TABLE c READ ONLY",
        ),
    ),
    Ruling(
        "INSERT INTO n VALUES (1)",
        "ORA-12081",
        "SQL, CREATE TABLE, read_only_clause",
        ("CREATE TABLE n (a NUMBER) READ ONLY",),
    ),
    Ruling("ALTER TABLE t DISABLE ALL TRIGGERS", "", GUIDE, (T, RO)),
    Ruling(
        "INSERT INTO t VALUES (1, 2, 'x')",
        "ORA-12081",
        READ_ONLY,
        (T, RO, "ALTER TABLE t DISABLE ALL TRIGGERS"),
    ),
    Ruling("ALTER TABLE t READ NONSENSE", "ORA-01735", ERR, (T,)),
    Ruling("INSERT INTO v VALUES (1)", "ORA-12081", READ_ONLY, (T, "CREATE VIEW v AS SELECT a FROM t", RO)),
    Ruling("LOCK TABLE t IN EXCLUSIVE MODE", "", GUIDE, (T, RO)),
]


@pytest.mark.parametrize("ruling", READ_ONLY_TABLES, ids=str)
def test_read_only_tables(bench: Bench, ruling: Ruling) -> None:
    bench.hold(ruling)
