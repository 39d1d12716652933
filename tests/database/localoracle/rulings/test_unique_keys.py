# ruff: noqa: E501 - statements read better on one line
"""Unique keys whose columns are partly NULL.

Source: SQL Language Reference 19c, constraint, "Unique Constraints": to satisfy a composite unique key, no two
rows may have the same combination of values; a row that is all NULL satisfies it.
"""

from __future__ import annotations

import pytest

from support.rulings import Ruling
from support.stand_in import Schema

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


@pytest.mark.parametrize("ruling", RULINGS, ids=str)
def test_unique_keys(schema: Schema, ruling: Ruling) -> None:
    ruling.hold(schema.connection)
