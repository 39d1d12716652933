"""Indexes, and the partitions of tables.

Sources: SQL Language Reference 19c (SQL), Error Messages 19c (ERR).
"""

from __future__ import annotations

import pytest

from support.rulings import Bench, Ruling

CREATE = "SQL, CREATE INDEX"
KEY = "SQL, CREATE INDEX, Restrictions on Index Columns"
PARTITIONS = "SQL, CREATE TABLE, table_partitioning_clauses"
CHANGES = "SQL, ALTER TABLE, alter_table_partitioning"
ERR = "ERR, the message"

T = (
    "CREATE TABLE t (a NUMBER, b NUMBER, c CLOB, w1 VARCHAR2(4000), "
    "w2 VARCHAR2(4000), z TIMESTAMP WITH TIME ZONE)"
)
KEYED = "CREATE TABLE p (id NUMBER CONSTRAINT p_pk PRIMARY KEY, u NUMBER CONSTRAINT p_u UNIQUE, v NUMBER)"
TEMPORARY = "CREATE GLOBAL TEMPORARY TABLE g (a NUMBER)"
INDEXED = "CREATE INDEX i1 ON g (a)"
DOMAIN = "CREATE INDEX i1 ON t (w1) INDEXTYPE IS ctxsys.context"
RANGE = (
    "CREATE TABLE r (k NUMBER, v NUMBER) PARTITION BY RANGE (k)"
    " (PARTITION p1 VALUES LESS THAN (10), PARTITION p2 VALUES LESS THAN (20))"
)
MOVING = f"{RANGE} ENABLE ROW MOVEMENT"
LIST = "CREATE TABLE l (k VARCHAR2(2), v NUMBER) PARTITION BY LIST (k) (PARTITION p1 VALUES ('a', 'b'))"
HASH = "CREATE TABLE h (k NUMBER, v NUMBER) PARTITION BY HASH (k) PARTITIONS 4"

INDEXES = [
    Ruling("CREATE INDEX i2 ON t (a)", "ORA-01408", ERR, (T, "CREATE INDEX i1 ON t (a)")),
    Ruling("CREATE UNIQUE INDEX i2 ON t (a)", "ORA-01408", ERR, (T, "CREATE INDEX i1 ON t (a)")),
    Ruling("CREATE INDEX i2 ON t (a, b)", "ORA-01408", ERR, (T, "CREATE INDEX i1 ON t (a, b)")),
    Ruling("CREATE INDEX i2 ON t (UPPER(w1))", "ORA-01408", ERR, (T, "CREATE INDEX i1 ON t (UPPER(w1))")),
    Ruling("CREATE INDEX i2 ON p (id)", "ORA-01408", "ERR: a key has an index", (KEYED,)),
    Ruling("CREATE INDEX i2 ON p (u)", "ORA-01408", "ERR: a key has an index", (KEYED,)),
    Ruling("CREATE INDEX i2 ON t (b, a)", "", ERR, (T, "CREATE INDEX i1 ON t (a, b)")),
    Ruling("CREATE INDEX i2 ON t (a, b)", "", ERR, (T, "CREATE INDEX i1 ON t (a)")),
    Ruling(
        "CREATE INDEX i2 ON t (a DESC)",
        "",
        "ERR: descending is another expression",
        (T, "CREATE INDEX i1 ON t (a)"),
    ),
    Ruling("CREATE INDEX i2 ON p (id)", "", ERR, (KEYED, "ALTER TABLE p DROP PRIMARY KEY")),
    Ruling("DROP INDEX p_pk", "ORA-02429", ERR, (KEYED,)),
    Ruling("DROP INDEX p_u", "ORA-02429", ERR, (KEYED,)),
    Ruling("DROP INDEX i1", "", ERR, (T, "CREATE INDEX i1 ON t (a)")),
    Ruling("DROP INDEX nowhere", "ORA-01418", ERR),
    Ruling("DROP INDEX t", "ORA-01418", "ERR: a table is no index", (T,)),
    Ruling("ALTER INDEX nowhere REBUILD", "ORA-01418", ERR),
    Ruling("ALTER INDEX t REBUILD", "ORA-01418", "ERR: a table is no index", (T,)),
    Ruling("CREATE INDEX i1 ON t (b)", "ORA-00955", ERR, (T, "CREATE INDEX i1 ON t (a)")),
    Ruling(
        "CREATE UNIQUE INDEX i1 ON t (a)",
        "ORA-01452",
        ERR,
        (T, "INSERT INTO t (a) VALUES (1)", "INSERT INTO t (a) VALUES (1)"),
    ),
    Ruling("CREATE INDEX i1 ON t (c)", "ORA-02327", KEY, (T,)),
    Ruling("CREATE INDEX i1 ON l (x)", "ORA-02327", KEY, ("CREATE TABLE l (x LONG)",)),
    Ruling("CREATE INDEX i1 ON t (z)", "", KEY, (T,)),
    Ruling("CREATE INDEX i1 ON t (DBMS_LOB.SUBSTR(c, 100, 1))", "", KEY, (T,)),
    Ruling("CREATE INDEX i1 ON t (a, a)", "ORA-00957", ERR, (T,)),
    Ruling("CREATE INDEX i1 ON t (x)", "ORA-00904", ERR, (T,)),
    Ruling("CREATE INDEX i1 ON nowhere (x)", "ORA-00942", ERR),
    Ruling("CREATE INDEX i1 ON v (a)", "ORA-01702", ERR, (T, "CREATE VIEW v AS SELECT a FROM t")),
    Ruling("CREATE INDEX i1 t (a)", "ORA-00969", ERR, (T,)),
    Ruling("CREATE INDEX i1 ON t (a) NONSENSE", "ORA-02158", ERR, (T,)),
    Ruling("CREATE INDEX i1 ON t (w1, w2)", "ORA-01450", "ERR: 6398 bytes with blocks of 8 KB", (T,)),
    Ruling("CREATE INDEX i1 ON t (w1)", "", "ERR: 6398 bytes with blocks of 8 KB", (T,)),
    Ruling("CREATE INDEX i1 ON t (a, NVL(b, SYSDATE - SYSDATE))", "ORA-01743", ERR, (T,)),
    Ruling(
        f"CREATE INDEX i1 ON w ({', '.join(f'c{i}' for i in range(33))})",
        "ORA-01793",
        ERR,
        (f"CREATE TABLE w ({', '.join(f'c{i} NUMBER' for i in range(33))})",),
    ),
    Ruling(
        f"CREATE INDEX i1 ON w ({', '.join(f'c{i}' for i in range(32))})",
        "",
        ERR,
        (f"CREATE TABLE w ({', '.join(f'c{i} NUMBER' for i in range(33))})",),
    ),
    Ruling("CREATE UNIQUE INDEX i1 ON t (c) INDEXTYPE IS ctxsys.context", "ORA-29850", ERR, (T,)),
    Ruling("CREATE INDEX i1 ON t (w1 DESC) INDEXTYPE IS ctxsys.context", "ORA-29850", ERR, (T,)),
    Ruling("CREATE INDEX i1 ON t (w1) TABLESPACE users INDEXTYPE IS ctxsys.context", "ORA-29850", ERR, (T,)),
    Ruling("CREATE INDEX i1 ON t (w1) INDEXTYPE IS ctxsys.context NOLOGGING", "ORA-29850", ERR, (T,)),
    Ruling(
        "ALTER TABLE t ADD CONSTRAINT t_u UNIQUE (a) USING INDEX i1",
        "ORA-14196",
        "ERR: an index of other columns",
        (T, "CREATE INDEX i1 ON t (b)"),
    ),
    Ruling(
        "ALTER TABLE t ADD CONSTRAINT t_u UNIQUE (a) DEFERRABLE USING INDEX i1",
        "ORA-14196",
        "SQL, constraint, using_index_clause: a unique index is none of a deferrable key",
        (T, "CREATE UNIQUE INDEX i1 ON t (a)"),
    ),
    Ruling("ALTER TABLE t ADD CONSTRAINT t_u UNIQUE (a) USING INDEX nowhere", "ORA-01418", ERR, (T,)),
]

OF_TEMPORARY_TABLES = [
    Ruling("CREATE INDEX i1 ON g (a)", "", CREATE, (TEMPORARY,)),
    Ruling("CREATE INDEX i1 ON g (a) NOLOGGING", "ORA-14451", CREATE, (TEMPORARY,)),
    Ruling("CREATE INDEX i1 ON g (a) PARALLEL 2", "ORA-14451", CREATE, (TEMPORARY,)),
    Ruling("CREATE INDEX i1 ON g (a) TABLESPACE users", "ORA-14451", CREATE, (TEMPORARY,)),
    Ruling("ALTER INDEX i1 NOLOGGING", "ORA-14451", "SQL, ALTER INDEX", (TEMPORARY, INDEXED)),
    Ruling("ALTER INDEX i1 REBUILD", "ORA-14451", "SQL, ALTER INDEX", (TEMPORARY, INDEXED)),
    Ruling("ALTER INDEX i1 UNUSABLE", "ORA-14451", "SQL, ALTER INDEX", (TEMPORARY, INDEXED)),
    Ruling("ALTER INDEX i1 RENAME TO i2", "", "SQL, ALTER INDEX", (TEMPORARY, INDEXED)),
    Ruling(
        "ALTER TABLE g ADD CONSTRAINT g_fk FOREIGN KEY (a) REFERENCES p (id)",
        "ORA-14455",
        "SQL, CREATE TABLE, Restrictions on Temporary Tables",
        (TEMPORARY, KEYED),
    ),
    Ruling("ALTER INDEX i1 NOLOGGING", "ORA-29871", "SQL, ALTER INDEX", (T, DOMAIN)),
    Ruling("ALTER INDEX i1 RENAME TO i2", "", "SQL, ALTER INDEX", (T, DOMAIN)),
]

PARTITIONED = [
    Ruling("CREATE INDEX i1 ON r (v) LOCAL UNUSABLE", "ORA-03001", CREATE, (RANGE,)),
    Ruling("CREATE INDEX i1 ON t (a) LOCAL", "ORA-14016", ERR, (T,)),
    Ruling("CREATE INDEX i1 ON r (v) LOCAL", "", CREATE, (RANGE,)),
    Ruling("CREATE UNIQUE INDEX i1 ON r (v) LOCAL", "ORA-14039", CREATE, (RANGE,)),
    Ruling("CREATE UNIQUE INDEX i1 ON r (v, k) LOCAL", "", CREATE, (RANGE,)),
    Ruling(
        "ALTER TABLE r ADD CONSTRAINT r_pk PRIMARY KEY (v) USING INDEX LOCAL", "ORA-14039", CREATE, (RANGE,)
    ),
    Ruling("ALTER TABLE r ADD CONSTRAINT r_pk PRIMARY KEY (k) USING INDEX LOCAL", "", CREATE, (RANGE,)),
    Ruling(
        "ALTER INDEX i1 REBUILD", "ORA-14086", "SQL, ALTER INDEX", (RANGE, "CREATE INDEX i1 ON r (v) LOCAL")
    ),
    Ruling("ALTER INDEX i1 REBUILD", "", "SQL, ALTER INDEX", (T, "CREATE INDEX i1 ON t (a)")),
    Ruling("INSERT INTO r VALUES (20, 1)", "ORA-14400", ERR, (RANGE,)),
    Ruling("INSERT INTO r VALUES (NULL, 1)", "ORA-14400", "SQL: NULL sorts above all values", (RANGE,)),
    Ruling("INSERT INTO r VALUES (19.9, 1)", "", ERR, (RANGE,)),
    Ruling("INSERT INTO l VALUES ('c', 1)", "ORA-14400", ERR, (LIST,)),
    Ruling("UPDATE r SET k = 15", "ORA-14402", ERR, (RANGE, "INSERT INTO r VALUES (1, 1)")),
    Ruling("UPDATE r SET k = 5", "", ERR, (RANGE, "INSERT INTO r VALUES (1, 1)")),
    Ruling("UPDATE r SET k = 15", "", "SQL, row_movement_clause", (MOVING, "INSERT INTO r VALUES (1, 1)")),
    Ruling(
        "UPDATE r SET k = 15",
        "",
        "SQL, row_movement_clause",
        (RANGE, "INSERT INTO r VALUES (1, 1)", "ALTER TABLE r ENABLE ROW MOVEMENT"),
    ),
    Ruling(
        "UPDATE r SET k = 15",
        "ORA-14402",
        "SQL, row_movement_clause",
        (MOVING, "INSERT INTO r VALUES (1, 1)", "ALTER TABLE r DISABLE ROW MOVEMENT"),
    ),
    Ruling("UPDATE r SET k = 99", "ORA-14400", ERR, (MOVING, "INSERT INTO r VALUES (1, 1)")),
    Ruling(
        "UPDATE r SET k = 25",
        "ORA-14402",
        ERR,
        (RANGE, "ALTER TABLE r ADD PARTITION p3 VALUES LESS THAN (30)", "INSERT INTO r VALUES (1, 1)"),
    ),
    Ruling(
        "MERGE INTO r USING (SELECT 1 x FROM dual) s ON (r.v = s.x) WHEN MATCHED THEN UPDATE SET k = 15",
        "ORA-14402",
        ERR,
        (RANGE, "INSERT INTO r VALUES (1, 1)"),
    ),
    Ruling(
        "UPDATE h SET k = k + 1",
        "ORA-14402",
        ERR,
        (HASH, "INSERT INTO h SELECT LEVEL, 1 FROM dual CONNECT BY LEVEL < 20"),
    ),
    Ruling(
        "CREATE TABLE n (k NUMBER) PARTITION BY RANGE (k)"
        " (PARTITION p1 VALUES LESS THAN (20), PARTITION p2 VALUES LESS THAN (10))",
        "ORA-14037",
        PARTITIONS,
    ),
    Ruling(
        "CREATE TABLE n (k NUMBER) PARTITION BY RANGE (k)"
        " (PARTITION p1 VALUES LESS THAN (10), PARTITION p2 VALUES LESS THAN (10))",
        "ORA-14037",
        PARTITIONS,
    ),
    Ruling(
        "CREATE TABLE n (k NUMBER) PARTITION BY RANGE (k)"
        " (PARTITION p1 VALUES LESS THAN (MAXVALUE), PARTITION p2 VALUES LESS THAN (10))",
        "ORA-14037",
        PARTITIONS,
    ),
    Ruling(
        "CREATE TABLE n (k NUMBER) PARTITION BY RANGE (k)"
        " (PARTITION p1 VALUES LESS THAN (10), PARTITION p1 VALUES LESS THAN (20))",
        "ORA-14013",
        ERR,
    ),
    Ruling(
        "CREATE TABLE n (k NUMBER) PARTITION BY LIST (k)"
        " (PARTITION p1 VALUES (1), PARTITION p2 VALUES (2, 1))",
        "ORA-14312",
        ERR,
    ),
    Ruling("CREATE TABLE n (k CLOB) PARTITION BY LIST (k) (PARTITION p1 VALUES ('a'))", "ORA-14135", ERR),
    Ruling("CREATE TABLE n (k NUMBER) PARTITION BY HASH (x) PARTITIONS 2", "ORA-00904", ERR),
    Ruling("ALTER TABLE r ADD PARTITION p3 VALUES LESS THAN (20)", "ORA-14074", CHANGES, (RANGE,)),
    Ruling("ALTER TABLE r ADD PARTITION p3 VALUES LESS THAN (15)", "ORA-14074", CHANGES, (RANGE,)),
    Ruling("ALTER TABLE r ADD PARTITION p3 VALUES LESS THAN (30)", "", CHANGES, (RANGE,)),
    Ruling("ALTER TABLE r ADD PARTITION p2 VALUES LESS THAN (30)", "ORA-14013", CHANGES, (RANGE,)),
    Ruling("ALTER TABLE l ADD PARTITION p2 VALUES ('b')", "ORA-14312", CHANGES, (LIST,)),
    Ruling("ALTER TABLE l ADD PARTITION p2 VALUES ('c')", "", CHANGES, (LIST,)),
    Ruling("ALTER TABLE t ADD PARTITION p2 VALUES LESS THAN (3)", "ORA-14501", ERR, (T,)),
    Ruling("ALTER TABLE r DROP PARTITION p9", "ORA-02149", ERR, (RANGE,)),
    Ruling("ALTER TABLE r TRUNCATE PARTITION p9", "ORA-02149", ERR, (RANGE,)),
    Ruling("ALTER TABLE t TRUNCATE PARTITION p1", "ORA-14501", ERR, (T,)),
    Ruling("SELECT * FROM r PARTITION (p9)", "ORA-02149", ERR, (RANGE,)),
    Ruling("SELECT * FROM t PARTITION (p1)", "ORA-14501", ERR, (T,)),
    Ruling("SELECT * FROM r PARTITION (p1)", "", ERR, (RANGE,)),
    Ruling("ALTER TABLE l DROP PARTITION p1", "ORA-14083", ERR, (LIST,)),
    Ruling("ALTER TABLE r DROP PARTITION p1", "", CHANGES, (RANGE,)),
    Ruling("ALTER TABLE r RENAME PARTITION p1 TO p2", "ORA-14012", ERR, (RANGE,)),
    Ruling("ALTER TABLE r MODIFY k NUMBER(9)", "ORA-14060", ERR, (RANGE,)),
    Ruling("ALTER TABLE r DROP COLUMN k", "ORA-12984", ERR, (RANGE,)),
]


@pytest.mark.parametrize("ruling", [*INDEXES, *OF_TEMPORARY_TABLES, *PARTITIONED], ids=str)
def test_indexes_and_partitions(bench: Bench, ruling: Ruling) -> None:
    bench.hold(ruling)
