# ruff: noqa: E501 - statements read better on one line
"""Partitions: their definitions and what changes them.

Sources: SQL Language Reference 19c (SQL), Error Messages 19c (ERR).
"""

from __future__ import annotations

import pytest

from support.rulings import Bench, Ruling

ERR = "ERR, the message"
CHANGES = "SQL, ALTER TABLE, alter_table_partitioning"
T = "CREATE TABLE t (k NUMBER, v NUMBER)"
RANGE = "CREATE TABLE r (k NUMBER, v NUMBER) PARTITION BY RANGE (k) (PARTITION p1 VALUES LESS THAN (10), PARTITION p2 VALUES LESS THAN (20))"
LIST = "CREATE TABLE l (k VARCHAR2(2), v NUMBER) PARTITION BY LIST (k) (PARTITION p1 VALUES ('a', 'b'))"
DLIST = "CREATE TABLE l (k VARCHAR2(2), v NUMBER) PARTITION BY LIST (k) (PARTITION p1 VALUES ('a', 'b'), PARTITION p2 VALUES (DEFAULT))"
HASH = "CREATE TABLE h (k NUMBER, v NUMBER) PARTITION BY HASH (k) PARTITIONS 4"
LOCAL = "CREATE INDEX i ON r (v) LOCAL"
PARTS = "SQL, CREATE TABLE, table_partitioning_clauses"
REF = "CREATE TABLE c (id NUMBER, k NUMBER NOT NULL, CONSTRAINT c_fk FOREIGN KEY (k) REFERENCES p) PARTITION BY REFERENCE (c_fk)"


def n(cols, by):
    return f"CREATE TABLE n ({cols}) PARTITION BY {by}"


MAINTENANCE = [
    Ruling("ALTER TABLE l ADD PARTITION p3 VALUES ('z')", "ORA-14323", ERR, (DLIST,)),
    Ruling("ALTER TABLE l ADD PARTITION p3 VALUES (DEFAULT)", "ORA-14322", ERR, (DLIST,)),
    Ruling("ALTER TABLE l ADD PARTITION p3 VALUES LESS THAN ('z')", "ORA-14310", ERR, (LIST,)),
    Ruling("ALTER TABLE h ADD PARTITION p3 VALUES LESS THAN (3)", "ORA-14255", ERR, (HASH,)),
    Ruling("ALTER TABLE r ADD PARTITION p3 VALUES LESS THAN (NULL)", "ORA-14019", ERR, (RANGE,)),
    Ruling("ALTER TABLE r ADD PARTITION p3 VALUES LESS THAN (MAXVALUE)", "", CHANGES, (RANGE,)),
    Ruling(
        "ALTER TABLE r ADD PARTITION p4 VALUES LESS THAN (30)",
        "ORA-14074",
        CHANGES,
        (RANGE, "ALTER TABLE r ADD PARTITION p3 VALUES LESS THAN (MAXVALUE)"),
    ),
    Ruling(
        "ALTER TABLE r DROP PARTITION p1",
        "ORA-02266",
        "SQL, ALTER TABLE, drop_table_partition: enabled foreign keys",
        (
            RANGE,
            "ALTER TABLE r ADD CONSTRAINT r_pk PRIMARY KEY (k) USING INDEX LOCAL",
            "CREATE TABLE f (k NUMBER REFERENCES r)",
            "INSERT INTO r VALUES (1, 1)",
        ),
    ),
    Ruling(
        "ALTER TABLE r TRUNCATE PARTITION p1",
        "ORA-02266",
        "SQL, ALTER TABLE, truncate_partition_subpart",
        (
            RANGE,
            "ALTER TABLE r ADD CONSTRAINT r_pk PRIMARY KEY (k) USING INDEX LOCAL",
            "CREATE TABLE f (k NUMBER REFERENCES r)",
            "INSERT INTO r VALUES (1, 1)",
        ),
    ),
    Ruling("ALTER TABLE r RENAME PARTITION p1 TO p1", "ORA-14081", ERR, (RANGE,)),
    Ruling("ALTER TABLE r RENAME PARTITION p9 TO p8", "ORA-02149", ERR, (RANGE,)),
    Ruling("ALTER TABLE t RENAME PARTITION p9 TO p8", "ORA-14501", ERR, (T,)),
    Ruling(
        "ALTER TABLE r ADD PARTITION p3 VALUES LESS THAN (30) DROP PARTITION p1", "ORA-14048", ERR, (RANGE,)
    ),
    Ruling("ALTER TABLE r MODIFY k DATE", "ORA-14060", ERR, (RANGE,)),
    Ruling("ALTER TABLE r MODIFY v NUMBER(9)", "", ERR, (RANGE,)),
    Ruling("INSERT INTO r PARTITION (p1) VALUES (15, 1)", "ORA-14401", ERR, (RANGE,)),
    Ruling(
        "INSERT INTO r PARTITION (p1) VALUES (5, 1)", "", "SQL, INSERT, partition_extension_clause", (RANGE,)
    ),
    Ruling("DELETE FROM r PARTITION (p1)", "", "SQL, DELETE", (RANGE,)),
    Ruling("CREATE VIEW v AS SELECT * FROM r PARTITION (p1)", "", "SQL, CREATE VIEW", (RANGE,)),
    Ruling(
        "INSERT INTO r VALUES (5, 1)",
        "",
        "SQL: rows of a dropped range go into the next",
        (RANGE, "ALTER TABLE r DROP PARTITION p1"),
    ),
    Ruling("ALTER TABLE r ADD PARTITION p3 VALUES LESS THAN (30, 40)", "ORA-14017", ERR, (RANGE,)),
    Ruling("ALTER TABLE r ADD PARTITION p3 VALUES (30)", "ORA-14311", ERR, (RANGE,)),
    Ruling(
        "ALTER TABLE r ADD PARTITION p3 VALUES LESS THAN (30) TABLESPACE nowhere", "ORA-00959", ERR, (RANGE,)
    ),
    Ruling("INSERT INTO r VALUES (15, 1)", "ORA-14400", ERR, (RANGE, "ALTER TABLE r DROP PARTITION p2")),
    Ruling(
        "SELECT * FROM r PARTITION (p2) WHERE k = 5",
        "",
        "SQL, ALTER TABLE, drop_table_partition",
        (RANGE, LOCAL, "ALTER TABLE r DROP PARTITION p1", "INSERT INTO r VALUES (5, 1)"),
    ),
]

DEFINITIONS = [
    Ruling(n("k NUMBER", "RANGE (k) (PARTITION p1 VALUES (1))"), "ORA-14007", ERR),
    Ruling(n("k NUMBER", "LIST (k) (PARTITION p1 VALUES LESS THAN (1))"), "ORA-14310", ERR),
    Ruling(
        n("k NUMBER", "LIST (k) (PARTITION p1 VALUES (DEFAULT), PARTITION p2 VALUES (1))"), "ORA-14318", ERR
    ),
    Ruling(n("k NUMBER", "LIST (k) (PARTITION p1 VALUES (1, DEFAULT))"), "ORA-14319", ERR),
    Ruling(n("k NUMBER", "LIST (k) (PARTITION p1 VALUES (NULL))"), "", PARTS),
    Ruling(n("k NUMBER", "RANGE (k) (PARTITION p1 VALUES LESS THAN (1, 2))"), "ORA-14017", ERR),
    Ruling(n("a NUMBER, b NUMBER", "RANGE (a, b) (PARTITION p1 VALUES LESS THAN (1))"), "ORA-14018", ERR),
    Ruling(n("k NUMBER", "RANGE (k) (PARTITION p1 VALUES LESS THAN (NULL))"), "ORA-14019", ERR),
    Ruling(n("k NUMBER, v NUMBER", "RANGE (k) (PARTITION p1 VALUES LESS THAN (v))"), "ORA-14019", ERR),
    Ruling(n("k NUMBER", "RANGE (k) ()"), "ORA-14004", ERR),
    Ruling(n("k NUMBER", "NONSENSE (k)"), "ORA-14151", ERR),
    Ruling(
        n(
            "k TIMESTAMP WITH TIME ZONE",
            "RANGE (k) (PARTITION p1 VALUES LESS THAN (TIMESTAMP '2020-01-01 00:00:00 +00:00'))",
        ),
        "ORA-03001",
        "ERR: expression of TIMESTAMP WITH TIME ZONE",
    ),
    Ruling(n("k NUMBER, l LONG", "HASH (k) PARTITIONS 2"), "ORA-14085", ERR),
    Ruling(n("k ROWID", "HASH (k) PARTITIONS 2"), "ORA-14110", ERR),
    Ruling(n("k NUMBER", "HASH (k, k) PARTITIONS 2"), "ORA-00957", ERR),
    Ruling(n("k NUMBER", "SYSTEM PARTITIONS 2"), "ORA-03001", PARTS),
    Ruling(
        n(
            "k NUMBER",
            "RANGE (k) SUBPARTITION BY HASH (k) SUBPARTITIONS 2 (PARTITION p1 VALUES LESS THAN (1))",
        ),
        "ORA-03001",
        PARTS,
    ),
    Ruling(n("k NUMBER", "LIST (k) AUTOMATIC (PARTITION p1 VALUES (1))"), "ORA-03001", PARTS),
    Ruling(
        REF,
        "ORA-03001",
        PARTS,
        (
            "CREATE TABLE p (k NUMBER, CONSTRAINT p_pk PRIMARY KEY (k) USING INDEX LOCAL) PARTITION BY RANGE (k) (PARTITION p1 VALUES LESS THAN (10))",
        ),
    ),
    Ruling("CREATE INDEX i ON r (v) LOCAL (PARTITION q1)", "ORA-14024", ERR, (RANGE,)),
    Ruling(
        "CREATE INDEX i ON r (v) LOCAL (PARTITION q1, PARTITION q2)",
        "",
        "SQL, CREATE INDEX, on_range_partitioned_table",
        (RANGE,),
    ),
    Ruling("CREATE INDEX i ON r (v) LOCAL (PARTITION q1, PARTITION q1)", "ORA-14013", ERR, (RANGE,)),
    Ruling(
        "CREATE INDEX i ON r (v) GLOBAL PARTITION BY HASH (v) PARTITIONS 2",
        "ORA-03001",
        "SQL, CREATE INDEX, global_partitioned_index",
        (RANGE,),
    ),
]


@pytest.mark.parametrize("ruling", [*MAINTENANCE, *DEFINITIONS], ids=str)
def test_partitions(bench: Bench, ruling: Ruling) -> None:
    bench.hold(ruling)
