# ruff: noqa: E501 - statements read better on one line
"""Indexes that are marked UNUSABLE, and what ALTER INDEX may say.

Sources: SQL Language Reference 19c (SQL), Administrator's Guide 19c, Error Messages 19c (ERR).
"""

from __future__ import annotations

import pytest

from support.rulings import Answer, Bench, Ruling

ALTER = "SQL, ALTER INDEX"
GUIDE = "Administrator's Guide, Unusable Indexes"
ERR = "ERR, the message"
TRUNCATE = "SQL, TRUNCATE TABLE"
DROPPED = "SQL, ALTER TABLE, drop_table_partition"
EMPTIED = "SQL, ALTER TABLE, truncate_partition_subpart"
T = ("CREATE TABLE t (a NUMBER, b NUMBER)", "INSERT INTO t VALUES (1, 1)")
PLAIN = (*T, "CREATE INDEX i ON t (a)", "ALTER INDEX i UNUSABLE")
UNIQUE = (*T, "CREATE UNIQUE INDEX i ON t (a)", "ALTER INDEX i UNUSABLE")
KEY = (*T, "ALTER TABLE t ADD CONSTRAINT i UNIQUE (a)", "ALTER INDEX i UNUSABLE")
NOT_UNIQUE = (
    *T,
    "CREATE INDEX i ON t (a)",
    "ALTER TABLE t ADD CONSTRAINT k UNIQUE (a) USING INDEX i",
    "ALTER INDEX i UNUSABLE",
)
INSERT = "INSERT INTO t VALUES (2, 2)"
STATUS = "SELECT index_name, status FROM user_indexes ORDER BY 1"
PARTED = (
    "CREATE TABLE r (k NUMBER, v NUMBER) PARTITION BY RANGE (k) (PARTITION p1 VALUES LESS THAN (10), PARTITION p2 VALUES LESS THAN (20))",
    "INSERT INTO r VALUES (1, 1)",
    "INSERT INTO r VALUES (11, 1)",
)
LOCAL = (*PARTED, "CREATE UNIQUE INDEX i ON r (k, v) LOCAL")
GLOBAL = (*PARTED, "ALTER TABLE r ADD CONSTRAINT i UNIQUE (k, v)")
LOCAL_KEY = (*PARTED, "ALTER TABLE r ADD CONSTRAINT i UNIQUE (k, v) USING INDEX LOCAL")
PARTS = "SELECT partition_name, status FROM user_ind_partitions ORDER BY 1"
IOT = ("CREATE TABLE o (a NUMBER CONSTRAINT i PRIMARY KEY) ORGANIZATION INDEX",)

UNUSABLE = [
    Ruling(INSERT, "", GUIDE, PLAIN),
    Ruling("UPDATE t SET a = 2", "", GUIDE, PLAIN),
    *(Ruling(INSERT, "ORA-01502", GUIDE, before) for before in (UNIQUE, KEY, NOT_UNIQUE)),
    *(Ruling("DELETE FROM t", "ORA-01502", GUIDE, before) for before in (UNIQUE, KEY, NOT_UNIQUE)),
    Ruling("UPDATE t SET a = 2", "ORA-01502", GUIDE, UNIQUE),
    Ruling("UPDATE t SET b = 2", "", "Administrator's Guide: the index is not changed", UNIQUE),
    Ruling(
        "MERGE INTO t USING dual ON (a = 9) WHEN NOT MATCHED THEN INSERT VALUES (9, 9)",
        "ORA-01502",
        GUIDE,
        UNIQUE,
    ),
    Ruling("SELECT * FROM t WHERE a = 1", "", GUIDE, UNIQUE),
    Ruling(INSERT, "ORA-01502", GUIDE, (*UNIQUE, "ALTER TABLE t DISABLE ALL TRIGGERS")),
    Ruling(INSERT, "", ALTER, (*UNIQUE, "ALTER INDEX i REBUILD")),
    Ruling(INSERT, "", ALTER, (*NOT_UNIQUE, "ALTER INDEX i REBUILD")),
    Ruling("INSERT INTO t VALUES (1, 2)", "ORA-00001", ALTER, (*UNIQUE, "ALTER INDEX i REBUILD")),
    Ruling(INSERT, "", TRUNCATE, (*UNIQUE, "TRUNCATE TABLE t")),
    Ruling(INSERT, "", GUIDE, (*UNIQUE, "DROP INDEX i")),
    Ruling(INSERT, "", "SQL, constraint, DISABLE Clause", (*KEY, "ALTER TABLE t DISABLE CONSTRAINT i")),
    Ruling(INSERT, "ORA-01502", GUIDE, (*KEY, "ALTER TABLE t DISABLE CONSTRAINT i KEEP INDEX")),
    Ruling(INSERT, "", GUIDE, (*NOT_UNIQUE, "ALTER TABLE t DISABLE CONSTRAINT k KEEP INDEX")),
    Ruling(
        "ALTER TABLE t ENABLE CONSTRAINT i",
        "ORA-14063",
        ERR,
        (*KEY, "ALTER TABLE t DISABLE CONSTRAINT i KEEP INDEX"),
    ),
    Ruling("ALTER INDEX i UNUSABLE UNUSABLE", "ORA-14145", ERR, PLAIN),
    Ruling("ALTER INDEX i UNUSABLE ONLINE", "", ALTER, PLAIN),
    Ruling("ALTER INDEX i UNUSABLE", "ORA-28651", ERR, IOT),
    Ruling("ALTER INDEX i REBUILD", "ORA-28650", ERR, IOT),
]

LOAD = "INSERT /*+ APPEND */ INTO t SELECT 3, 3 FROM dual"
DIRECT = [
    Ruling(LOAD, "", GUIDE, PLAIN),
    Ruling(LOAD, "ORA-26026", ERR, UNIQUE),
    Ruling(
        "INSERT /*+ APPEND */ INTO r SELECT 12, 3 FROM dual",
        "ORA-26027",
        ERR,
        (*LOCAL, "ALTER INDEX i MODIFY PARTITION p1 UNUSABLE"),
    ),
]

PARTITIONS = [
    Ruling("INSERT INTO r VALUES (2, 1)", "ORA-01502", GUIDE, (*LOCAL, "ALTER INDEX i UNUSABLE")),
    Ruling(
        "INSERT INTO r VALUES (2, 1)",
        "ORA-01502",
        ALTER,
        (*LOCAL, "ALTER INDEX i MODIFY PARTITION p1 UNUSABLE"),
    ),
    Ruling("INSERT INTO r VALUES (12, 1)", "", ALTER, (*LOCAL, "ALTER INDEX i MODIFY PARTITION p1 UNUSABLE")),
    Ruling("DELETE FROM r WHERE k = 11", "", ALTER, (*LOCAL, "ALTER INDEX i MODIFY PARTITION p1 UNUSABLE")),
    Ruling("DELETE FROM r", "ORA-01502", ALTER, (*LOCAL, "ALTER INDEX i MODIFY PARTITION p1 UNUSABLE")),
    Ruling(
        "INSERT INTO r VALUES (2, 1)",
        "",
        ALTER,
        (*LOCAL, "ALTER INDEX i UNUSABLE", "ALTER INDEX i REBUILD PARTITION p1 NOLOGGING"),
    ),
    Ruling(
        "INSERT INTO r VALUES (12, 1)",
        "ORA-01502",
        ALTER,
        (*LOCAL, "ALTER INDEX i UNUSABLE", "ALTER INDEX i REBUILD PARTITION p1"),
    ),
    Ruling(
        "INSERT INTO r VALUES (2, 1)",
        "",
        EMPTIED,
        (*LOCAL, "ALTER INDEX i UNUSABLE", "ALTER TABLE r TRUNCATE PARTITION p1"),
    ),
    Ruling(
        "INSERT INTO r VALUES (12, 1)", "", TRUNCATE, (*LOCAL, "ALTER INDEX i UNUSABLE", "TRUNCATE TABLE r")
    ),
    Ruling("ALTER INDEX i REBUILD", "ORA-14086", ERR, LOCAL),
    Ruling("ALTER INDEX i REBUILD", "ORA-14086", ERR, LOCAL_KEY),
    Ruling("ALTER INDEX i REBUILD", "", ALTER, GLOBAL),
    Ruling("INSERT INTO r VALUES (12, 2)", "", EMPTIED, (*LOCAL_KEY, "ALTER TABLE r TRUNCATE PARTITION p1")),
    Ruling("ALTER INDEX i REBUILD PARTITION p9", "ORA-02149", ERR, LOCAL),
    Ruling("ALTER INDEX i MODIFY PARTITION p9 UNUSABLE", "ORA-02149", ERR, LOCAL),
    Ruling("ALTER INDEX i REBUILD PARTITION p1", "ORA-14501", ERR, PLAIN),
    Ruling(
        "INSERT INTO r VALUES (12, 2)", "ORA-01502", EMPTIED, (*GLOBAL, "ALTER TABLE r TRUNCATE PARTITION p1")
    ),
    Ruling(
        "INSERT INTO r VALUES (12, 2)",
        "ORA-01502",
        EMPTIED,
        (*GLOBAL, "ALTER TABLE r TRUNCATE PARTITION p1 INVALIDATE GLOBAL INDEXES"),
    ),
    Ruling(
        "INSERT INTO r VALUES (12, 2)",
        "",
        EMPTIED,
        (*GLOBAL, "ALTER TABLE r TRUNCATE PARTITION p1 UPDATE INDEXES"),
    ),
    Ruling(
        "INSERT INTO r VALUES (12, 2)",
        "",
        EMPTIED,
        (*GLOBAL, "DELETE FROM r WHERE k = 1", "ALTER TABLE r TRUNCATE PARTITION p1"),
    ),
    Ruling(
        "INSERT INTO r VALUES (12, 2)", "ORA-01502", DROPPED, (*GLOBAL, "ALTER TABLE r DROP PARTITION p1")
    ),
    Ruling(
        "INSERT INTO r VALUES (12, 2)",
        "",
        DROPPED,
        (*GLOBAL, "ALTER TABLE r DROP PARTITION p1 UPDATE GLOBAL INDEXES"),
    ),
    Ruling(
        "INSERT INTO r VALUES (12, 2)",
        "",
        DROPPED,
        (*GLOBAL, "ALTER TABLE r DROP PARTITION p1", "ALTER INDEX i REBUILD"),
    ),
    Ruling("INSERT INTO r VALUES (12, 2)", "", DROPPED, (*LOCAL, "ALTER TABLE r DROP PARTITION p1")),
    Ruling(
        "INSERT INTO r VALUES (12, 2)",
        "ORA-01502",
        DROPPED,
        (*LOCAL, "ALTER INDEX i UNUSABLE", "ALTER TABLE r DROP PARTITION p1"),
    ),
]

OPTIONS = [
    *(
        Ruling(f"ALTER INDEX i {option}", "", ALTER, PLAIN)
        for option in (
            "INITRANS 4",
            "NOLOGGING",
            "PARALLEL 2",
            "VISIBLE",
            "COALESCE",
            "STORAGE (BUFFER_POOL KEEP)",
        )
    ),
    *(
        Ruling(f"ALTER INDEX i {option}", "ORA-02243", ERR, PLAIN)
        for option in (
            "PCTFREE 20",
            "TABLESPACE users",
            "COMPRESS",
            "REVERSE",
            "ONLINE",
            "NOSORT",
            "SORT",
            "GLOBAL",
            "LOCAL",
        )
    ),
    *(
        Ruling(f"ALTER INDEX i REBUILD {option}", "", ALTER, PLAIN)
        for option in ("PCTFREE 20", "TABLESPACE users", "ONLINE", "REVERSE", "NOREVERSE")
    ),
    *(
        Ruling(f"ALTER INDEX i REBUILD {option}", "ORA-02243", ERR, PLAIN)
        for option in ("NOSORT", "VISIBLE", "GLOBAL", "LOCAL")
    ),
    Ruling(
        "ALTER INDEX k REBUILD ONLINE",
        "ORA-08108",
        "SQL, ALTER INDEX, Restrictions on Rebuilding Indexes",
        (*T, "ALTER TABLE t ADD CONSTRAINT k UNIQUE (a) DEFERRABLE"),
    ),
    Ruling("ALTER INDEX k REBUILD", "", ALTER, (*T, "ALTER TABLE t ADD CONSTRAINT k UNIQUE (a) DEFERRABLE")),
    Ruling("ALTER INDEX i UNUSABLE NOLOGGING", "ORA-02243", ERR, PLAIN),
    Ruling("CREATE INDEX j ON t (b) NOREVERSE", "ORA-02158", ERR, T),
    Ruling("ALTER INDEX i INVISIBLE", "ORA-03001", "no source: the stand-in lacks it", PLAIN),
]

STATES = [
    Answer(STATUS, [("I", "UNUSABLE")], GUIDE, UNIQUE),
    Answer(STATUS, [("I", "UNUSABLE")], GUIDE, (*KEY, "ALTER TABLE t DISABLE CONSTRAINT i KEEP INDEX")),
    Answer(STATUS, [("I", "VALID")], TRUNCATE, (*PLAIN, "TRUNCATE TABLE t")),
    Answer(STATUS, [("I", "N/A")], GUIDE, (*LOCAL, "ALTER INDEX i UNUSABLE")),
    Answer(PARTS, [("P1", "USABLE"), ("P2", "USABLE")], GUIDE, LOCAL_KEY),
    Answer(STATUS, [("I", "UNUSABLE")], DROPPED, (*GLOBAL, "ALTER TABLE r DROP PARTITION p1")),
    Answer(
        STATUS,
        [("I", "VALID")],
        DROPPED,
        (*GLOBAL, "ALTER TABLE r DROP PARTITION p1", "ALTER INDEX i REBUILD"),
    ),
    Answer(PARTS, [("P1", "UNUSABLE"), ("P2", "UNUSABLE")], GUIDE, (*LOCAL, "ALTER INDEX i UNUSABLE")),
    Answer(
        PARTS,
        [("P1", "UNUSABLE"), ("P2", "USABLE")],
        GUIDE,
        (*LOCAL, "ALTER INDEX i UNUSABLE", "ALTER INDEX i REBUILD PARTITION p2"),
    ),
]


@pytest.mark.parametrize("ruling", [*UNUSABLE, *DIRECT, *PARTITIONS, *OPTIONS], ids=str)
def test_unusable_indexes(bench: Bench, ruling: Ruling) -> None:
    bench.hold(ruling)


@pytest.mark.parametrize("answer", STATES, ids=str)
def test_what_the_dictionary_says_of_them(bench: Bench, answer: Answer) -> None:
    bench.hold(answer)
