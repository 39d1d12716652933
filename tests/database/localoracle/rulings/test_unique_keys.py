# ruff: noqa: E501 - statements read better on one line
"""Unique keys whose columns are partly NULL, and what becomes of the index of a key that is disabled.

Source: SQL Language Reference 19c, constraint, "Unique Constraints": to satisfy a composite unique key, no two
rows may have the same combination of values; a row that is all NULL satisfies it.
"""

from __future__ import annotations

import pytest

from support.rulings import Answer, Bench, Ruling

KEY = "SQL, constraint, Unique Constraints"
INDEX = "SQL, CREATE INDEX, UNIQUE"
T = "CREATE TABLE t (a NUMBER NOT NULL, b NUMBER, c NUMBER, CONSTRAINT t_u UNIQUE (a, b))"
LATER = ("CREATE TABLE t (a NUMBER NOT NULL, b NUMBER, c NUMBER)", "INSERT INTO t VALUES (1, NULL, 1)")
TWICE = (*LATER, "INSERT INTO t VALUES (1, NULL, 2)")
ALL_NULL = "CREATE TABLE n (a NUMBER, b NUMBER, CONSTRAINT n_u UNIQUE (a, b))"
PARTITIONED = (
    "CREATE TABLE p (a NUMBER NOT NULL, b NUMBER) PARTITION BY RANGE (a) (PARTITION p1 VALUES LESS THAN (10))",
    "CREATE UNIQUE INDEX p_u ON p (a, b) LOCAL",
)
ROW = "INSERT INTO t VALUES (1, NULL, 1)"

RULINGS = [
    Ruling(ROW, "ORA-00001", KEY, (T, ROW)),
    Ruling("INSERT INTO t VALUES (2, NULL, 1)", "", KEY, (T, ROW)),
    Ruling("INSERT INTO t VALUES (1, 1, 1)", "", KEY, (T, ROW)),
    Ruling("UPDATE t SET a = 1", "ORA-00001", KEY, (T, ROW, "INSERT INTO t VALUES (2, NULL, 1)")),
    Ruling(ROW, "ORA-00001", KEY, (*LATER, "ALTER TABLE t ADD CONSTRAINT t_u UNIQUE (a, b)")),
    Ruling("ALTER TABLE t ADD CONSTRAINT t_u UNIQUE (a, b)", "ORA-02299", KEY, TWICE),
    Ruling("CREATE UNIQUE INDEX i ON t (a, b)", "ORA-01452", INDEX, TWICE),
    Ruling(ROW, "ORA-00001", INDEX, (*LATER, "CREATE UNIQUE INDEX i ON t (a, b)")),
    Ruling(
        "ALTER TABLE t ADD CONSTRAINT t_pk PRIMARY KEY (a, b) USING INDEX i",
        "",
        "SQL, constraint, using_index_clause",
        (*LATER, "DELETE FROM t", "CREATE UNIQUE INDEX i ON t (a, b)"),
    ),
    Ruling(
        "INSERT INTO r VALUES (1, NULL)",
        "",
        "SQL, constraint, Foreign Key Constraints: a key that is partly NULL has no parent",
        (T, "CREATE TABLE r (a NUMBER, b NUMBER, FOREIGN KEY (a, b) REFERENCES t (a, b))"),
    ),
    Ruling(
        "INSERT INTO r VALUES (1, 2)",
        "ORA-02291",
        "SQL, constraint, Foreign Key Constraints",
        (T, "CREATE TABLE r (a NUMBER, b NUMBER, FOREIGN KEY (a, b) REFERENCES t (a, b))"),
    ),
    Ruling("INSERT INTO n VALUES (NULL, NULL)", "", KEY, (ALL_NULL, "INSERT INTO n VALUES (NULL, NULL)")),
    Ruling(
        "INSERT INTO n VALUES (1, NULL)",
        "ORA-00001",
        KEY,
        (ALL_NULL, "ALTER TABLE n MODIFY a NOT NULL", "INSERT INTO n VALUES (1, NULL)"),
    ),
    Ruling(
        "INSERT INTO t VALUES (NULL, NULL, 2)",
        "",
        KEY,
        (T, "ALTER TABLE t MODIFY a NULL", "INSERT INTO t VALUES (NULL, NULL, 1)"),
    ),
    Ruling(
        "INSERT INTO t VALUES (1, NULL, 2)",
        "ORA-00001",
        KEY,
        (
            *LATER,
            "ALTER TABLE t ADD CONSTRAINT t_u UNIQUE (a, b) DISABLE",
            "ALTER TABLE t ENABLE CONSTRAINT t_u",
        ),
    ),
    Ruling(
        "INSERT INTO p VALUES (1, NULL)", "ORA-00001", KEY, (*PARTITIONED, "INSERT INTO p VALUES (1, NULL)")
    ),
    Ruling(
        "INSERT INTO p VALUES (11, NULL)",
        "ORA-00001",
        KEY,
        (
            *PARTITIONED,
            "ALTER TABLE p ADD PARTITION p2 VALUES LESS THAN (20)",
            "INSERT INTO p VALUES (11, NULL)",
        ),
    ),
    Ruling(
        "INSERT INTO g VALUES (1, NULL)",
        "ORA-00001",
        KEY,
        (
            "CREATE GLOBAL TEMPORARY TABLE g (a NUMBER NOT NULL, b NUMBER, UNIQUE (a, b))",
            "INSERT INTO g VALUES (1, NULL)",
        ),
    ),
]

ENABLE = "SQL, constraint, ENABLE Clause"
DISABLE = "SQL, constraint, DISABLE Clause"
DROPPED = "SQL, constraint, Primary Key Constraints"
ERR = "ERR, the message"
FATE = "Administrator's Guide, Disabling and Enabling Constraints"
PLAIN = "CREATE TABLE t (a NUMBER, b NUMBER)"
OWN = (PLAIN, "ALTER TABLE t ADD CONSTRAINT t_u UNIQUE (a)")
UNIQUE = (
    PLAIN,
    "CREATE UNIQUE INDEX i ON t (a)",
    "ALTER TABLE t ADD CONSTRAINT t_u UNIQUE (a) USING INDEX i",
)
DEFERRABLE = (PLAIN, "ALTER TABLE t ADD CONSTRAINT t_u UNIQUE (a) DEFERRABLE")
NOT_UNIQUE = (PLAIN, "CREATE INDEX i ON t (a)", "ALTER TABLE t ADD CONSTRAINT t_u UNIQUE (a) USING INDEX i")
OFF = "ALTER TABLE t DISABLE CONSTRAINT t_u"
ON = "ALTER TABLE t ENABLE CONSTRAINT t_u"
GONE = "ALTER TABLE t DROP CONSTRAINT t_u"
USED = "Development Guide, Using Indexes to Enforce Constraints"
INDEXES = "SELECT INDEX_NAME, UNIQUENESS FROM USER_INDEXES WHERE TABLE_NAME = 'T' ORDER BY INDEX_NAME"
SAME_NAME = (PLAIN, "CREATE INDEX t_u ON t (a) INITRANS 7 PCTFREE 5", f"{OWN[1]} USING INDEX t_u")
ROWS_TWICE = ("INSERT INTO t VALUES (1, 1)", "INSERT INTO t VALUES (1, 2)")

SWITCHED = [
    Ruling("DROP INDEX t_u", "ORA-01418", DISABLE, (*OWN, OFF)),
    Ruling("DROP INDEX i", "ORA-01418", FATE, (*UNIQUE, f"{OFF} DROP INDEX")),
    Ruling("DROP INDEX i", "", FATE, (*UNIQUE, f"{OFF} KEEP INDEX")),
    Ruling("DROP INDEX i", "", ENABLE, (*NOT_UNIQUE, OFF)),
    Ruling("DROP INDEX i", "", USED, (*UNIQUE, OFF)),
    Ruling("CREATE UNIQUE INDEX i ON t (a)", "ORA-01408", ENABLE, (*DEFERRABLE, OFF)),
    Ruling("INSERT INTO t VALUES (1, 2)", "", ENABLE, (*DEFERRABLE, OFF, ROWS_TWICE[0])),
    Ruling("INSERT INTO t VALUES (1, 2)", "ORA-00001", ENABLE, (*DEFERRABLE, OFF, ROWS_TWICE[0], ON)),
    Ruling("DROP INDEX t_u", "ORA-02429", ERR, (*DEFERRABLE, OFF, ON)),
    Ruling(
        DEFERRABLE[1],
        "ORA-01408",
        "ERR: a unique index is none of its",
        (PLAIN, "CREATE UNIQUE INDEX i ON t (a)"),
    ),
    Ruling(
        OWN[1], "ORA-01408", "ERR: a bitmap index is none of a key", (PLAIN, "CREATE BITMAP INDEX i ON t (a)")
    ),
    Ruling(
        f"{OWN[1]} USING INDEX i", "ORA-14196", "ERR: likewise", (PLAIN, "CREATE BITMAP INDEX i ON t (a)")
    ),
    Ruling(
        "ALTER TABLE t ADD CONSTRAINT t_ab UNIQUE (a, b) USING INDEX i",
        "ORA-14196",
        USED,
        (PLAIN, "CREATE INDEX i ON t (a, b)", f"{OWN[1]} USING INDEX i"),
    ),
    Ruling(OWN[1], "ORA-14063", ERR, (PLAIN, "CREATE INDEX i ON t (a)", "ALTER INDEX i UNUSABLE")),
    Ruling(
        f"{OWN[1]} USING INDEX i",
        "ORA-14063",
        ERR,
        (PLAIN, "CREATE INDEX i ON t (a)", "ALTER INDEX i UNUSABLE"),
    ),
    Ruling(ON, "ORA-14063", ERR, (*DEFERRABLE, OFF, "ALTER INDEX t_u UNUSABLE")),
    Ruling(ON, "", ERR, (*DEFERRABLE, OFF, "ALTER INDEX t_u UNUSABLE", "ALTER INDEX t_u REBUILD")),
    Ruling(
        f"{OWN[1]} USING INDEX t_u",
        "ORA-03001",
        "no source: the stand-in lacks it",
        (PLAIN, "CREATE INDEX t_u ON t (a, b)"),
    ),
    Ruling(ON, "ORA-02299", ENABLE, (*OWN, OFF, *ROWS_TWICE)),
    Ruling("INSERT INTO t VALUES (1, 2)", "ORA-00001", ENABLE, (*OWN, OFF, ROWS_TWICE[0], ON)),
    Ruling(
        "ALTER TABLE t ENABLE PRIMARY KEY",
        "ORA-02437",
        ENABLE,
        (PLAIN, "INSERT INTO t VALUES (NULL, 1)", "ALTER TABLE t ADD PRIMARY KEY (a) DISABLE"),
    ),
    Ruling(f"{ON} USING INDEX nowhere", "ORA-01418", ENABLE, (*OWN, OFF)),
    Ruling(f"{ON} USING INDEX i", "ORA-14196", ENABLE, (*OWN, OFF, "CREATE INDEX i ON t (b)")),
    Ruling(
        "DROP INDEX i", "ORA-02429", ENABLE, (*OWN, OFF, "CREATE INDEX i ON t (a)", f"{ON} USING INDEX i")
    ),
    Ruling("DROP INDEX i", "ORA-02429", ENABLE, (*OWN, OFF, "CREATE UNIQUE INDEX i ON t (a)", ON)),
    Ruling(
        "INSERT INTO t VALUES (1, 2)",
        "ORA-00001",
        ENABLE,
        (*NOT_UNIQUE, OFF, ROWS_TWICE[0], ON),
    ),
]
KEPT = [
    Answer(INDEXES, [], DISABLE, (*OWN, OFF)),
    Answer(INDEXES, [("T_U", "UNIQUE")], FATE, (*OWN, f"{OFF} KEEP INDEX")),
    Answer(INDEXES, [("I", "UNIQUE")], FATE, (*UNIQUE, f"{OFF} KEEP INDEX", ON)),
    Answer(INDEXES, [("I", "NONUNIQUE")], ENABLE, (*NOT_UNIQUE, OFF, ON)),
    Answer(INDEXES, [("T_U", "UNIQUE")], ENABLE, (*OWN, OFF, ON)),
    Answer(INDEXES, [("I", "UNIQUE")], USED, (*UNIQUE, OFF)),
    Answer(INDEXES, [("T_U", "NONUNIQUE")], ENABLE, (*DEFERRABLE, OFF)),
    Answer(INDEXES, [("T_U", "NONUNIQUE")], ENABLE, (*DEFERRABLE, OFF, ON)),
    Answer(
        INDEXES, [("T_U", "NONUNIQUE")], ENABLE, (*DEFERRABLE, "ALTER TABLE t MODIFY CONSTRAINT t_u DISABLE")
    ),
    Answer(
        INDEXES,
        [("T_PK", "NONUNIQUE")],
        ENABLE,
        (
            PLAIN,
            "ALTER TABLE t ADD CONSTRAINT t_pk PRIMARY KEY (a) INITIALLY DEFERRED",
            "ALTER TABLE t DISABLE PRIMARY KEY",
        ),
    ),
    Answer(INDEXES, [], FATE, (*DEFERRABLE, f"{OFF} DROP INDEX")),
    Answer(INDEXES, [("T_U", "NONUNIQUE")], FATE, (*DEFERRABLE, f"{OFF} KEEP INDEX")),
    Answer(INDEXES, [], DROPPED, (*DEFERRABLE, GONE)),
    Answer(INDEXES, [("T_U", "NONUNIQUE")], FATE, (*DEFERRABLE, f"{GONE} KEEP INDEX")),
    Answer(INDEXES, [], DROPPED, (*OWN, GONE)),
    Answer(INDEXES, [("T_U", "UNIQUE")], FATE, (*OWN, f"{GONE} KEEP INDEX")),
    Answer(INDEXES, [("I", "UNIQUE")], DROPPED, (*UNIQUE, GONE)),
    Answer(INDEXES, [], FATE, (*UNIQUE, f"{GONE} DROP INDEX")),
    Answer(INDEXES, [("I", "NONUNIQUE")], DROPPED, (*NOT_UNIQUE, GONE)),
    Answer(INDEXES, [], FATE, (*NOT_UNIQUE, f"{GONE} DROP INDEX")),
    Answer(INDEXES, [], FATE, (*NOT_UNIQUE, f"{OFF} DROP INDEX")),
    Answer(INDEXES, [("T_U", "NONUNIQUE")], USED, SAME_NAME),
    Answer(INDEXES, [("T_U", "NONUNIQUE")], ENABLE, (*SAME_NAME, OFF)),
    Answer(INDEXES, [("T_U", "NONUNIQUE")], DROPPED, (*SAME_NAME, GONE)),
    Answer(
        "SELECT ini_trans, pct_free FROM USER_INDEXES WHERE TABLE_NAME = 'T'",
        [(7, 5)],
        ENABLE,
        (*SAME_NAME, OFF),
    ),
    Answer(INDEXES, [("I", "NONUNIQUE")], USED, (PLAIN, "CREATE INDEX i ON t (a, b)", OWN[1])),
    Answer(
        INDEXES,
        [("I", "NONUNIQUE")],
        "Development Guide: the order of columns need not match",
        (PLAIN, "CREATE INDEX i ON t (b, a)", "ALTER TABLE t ADD CONSTRAINT t_u UNIQUE (a, b)"),
    ),
    Answer(
        INDEXES,
        [("I", "UNIQUE"), ("T_U", "UNIQUE")],
        "Development Guide: a unique index is the key's own in full",
        (PLAIN, "CREATE UNIQUE INDEX i ON t (a, b)", OWN[1]),
    ),
]


@pytest.mark.parametrize("answer", KEPT, ids=str)
def test_what_becomes_of_the_index(bench: Bench, answer: Answer) -> None:
    bench.hold(answer)


@pytest.mark.parametrize("ruling", [*RULINGS, *SWITCHED], ids=str)
def test_unique_keys(bench: Bench, ruling: Ruling) -> None:
    bench.hold(ruling)
