"""Kinds of indexes and their clauses.

Sources: SQL Language Reference 19c (SQL), Error Messages 19c (ERR).
"""

from __future__ import annotations

import pytest

from support.rulings import Bench, Ruling

ERR = "ERR, the message"
T = "CREATE TABLE t (a NUMBER, b NUMBER)"
CREATE = "SQL, CREATE INDEX"

INDEX_KINDS = [
    Ruling("CREATE BITMAP INDEX i ON t (a)", "", CREATE, (T,)),
    Ruling("CREATE UNIQUE BITMAP INDEX i ON t (a)", "ORA-00968", ERR, (T,)),
    Ruling(
        "CREATE BITMAP INDEX i ON r (v)",
        "ORA-25122",
        ERR,
        ("CREATE TABLE r (k NUMBER, v NUMBER) PARTITION BY RANGE (k) (PARTITION p1 VALUES LESS THAN (10))",),
    ),
    Ruling(
        "CREATE BITMAP INDEX i ON r (v) LOCAL",
        "",
        ERR,
        ("CREATE TABLE r (k NUMBER, v NUMBER) PARTITION BY RANGE (k) (PARTITION p1 VALUES LESS THAN (10))",),
    ),
    Ruling("CREATE UNIQUE INDEX i ON t (a, b) COMPRESS 2", "ORA-25194", ERR, (T,)),
    Ruling("CREATE INDEX i ON t (a, b) COMPRESS 3", "ORA-25194", ERR, (T,)),
    Ruling(
        "CREATE INDEX i ON t (a) PCTUSED 50",
        "ORA-02158",
        "SQL, CREATE INDEX, physical_attributes: no PCTUSED",
        (T,),
    ),
    Ruling("CREATE INDEX i ON t (a) PCTFREE 100", "ORA-02211", ERR, (T,)),
    Ruling("CREATE INDEX i ON t (a) INITRANS 0", "ORA-02207", ERR, (T,)),
    Ruling("CREATE INDEX i ON t (a) PARALLEL 0", "ORA-12813", ERR, (T,)),
    Ruling("CREATE INDEX i ON t (a) CACHE", "ORA-02158", CREATE, (T,)),
    Ruling("CREATE INDEX i ON t (a) ENABLE ROW MOVEMENT", "ORA-02158", CREATE, (T,)),
    Ruling("CREATE INDEX i ON t (a) SEGMENT CREATION DEFERRED", "ORA-02158", CREATE, (T,)),
    Ruling("CREATE INDEX i ON t (a) ROWDEPENDENCIES", "ORA-02158", CREATE, (T,)),
    Ruling(
        "CREATE INDEX i ON t (a) TABLESPACE users TABLESPACE users",
        "ORA-02215",
        "ERR: duplicate tablespace name clause",
        (T,),
    ),
    Ruling("CREATE INDEX i ON t (nowhere(a))", "ORA-00904", ERR, (T,)),
    Ruling("CREATE INDEX i ON t (1)", "", "SQL: an expression may be a constant beside columns", (T,)),
    Ruling("CREATE INDEX i ON t (SUM(a))", "ORA-00934", CREATE, (T,)),
    Ruling("CREATE INDEX i ON t (a) LOGGING NOLOGGING", "ORA-14102", ERR, (T,)),
    Ruling("CREATE INDEX i ON t (a) PARALLEL 2 NOPARALLEL", "ORA-12812", ERR, (T,)),
    Ruling("CREATE INDEX i ON t (a) REVERSE REVERSE", "ORA-14124", ERR, (T,)),
    Ruling("CREATE INDEX i ON t (a DESC) REVERSE", "ORA-14134", ERR, (T,)),
    Ruling("CREATE BITMAP INDEX i ON t (a) REVERSE", "ORA-14125", "SQL, CREATE INDEX, REVERSE", (T,)),
    Ruling("CREATE INDEX i ON t (a) ONLINE NOSORT", "ORA-08109", ERR, (T,)),
    Ruling("ALTER INDEX i REBUILD NOLOGGING LOGGING", "ORA-14102", ERR, (T, "CREATE INDEX i ON t (a)")),
    Ruling("ALTER INDEX i REBUILD TABLESPACE nowhere", "ORA-00959", ERR, (T, "CREATE INDEX i ON t (a)")),
    Ruling("CREATE CLUSTER c (k NUMBER)", "ORA-03001", "SQL, CREATE CLUSTER"),
    Ruling("CREATE INDEX i ON CLUSTER nowhere", "ORA-00943", ERR),
]
USING = "SQL, constraint, Restrictions on the using_index_clause"
TEMPORARY = "CREATE GLOBAL TEMPORARY TABLE g (a NUMBER)"

USED_INDEXES = [
    Ruling(
        "ALTER TABLE t ADD CONSTRAINT k UNIQUE (a) DEFERRABLE USING INDEX (CREATE UNIQUE INDEX i ON t (a))",
        "ORA-14196",
        USING,
        (T,),
    ),
    Ruling(
        "ALTER TABLE t ADD CONSTRAINT k UNIQUE (a) USING INDEX (CREATE INDEX i ON t (b))",
        "ORA-14196",
        USING,
        (T,),
    ),
    Ruling(
        "CREATE TABLE o (a NUMBER, CONSTRAINT k PRIMARY KEY (a) USING INDEX (CREATE INDEX i ON o (a)))"
        " ORGANIZATION INDEX",
        "ORA-14196",
        USING,
    ),
    Ruling("ALTER TABLE t ADD PRIMARY KEY (a) USING INDEX PARALLEL 4", "ORA-02158", USING, (T,)),
    Ruling("ALTER TABLE t ADD PRIMARY KEY (a) USING INDEX NOPARALLEL", "ORA-02158", USING, (T,)),
    Ruling("ALTER TABLE t ADD UNIQUE (a) USING INDEX NOLOGGING PARALLEL", "ORA-02158", USING, (T,)),
    Ruling("CREATE TABLE n (a NUMBER PRIMARY KEY USING INDEX PARALLEL 2)", "ORA-02158", USING),
    Ruling("ALTER TABLE t ADD PRIMARY KEY (a) USING INDEX NOLOGGING ENABLE VALIDATE", "", USING, (T,)),
    Ruling(
        "ALTER TABLE t ADD CONSTRAINT k PRIMARY KEY (a) USING INDEX (CREATE INDEX i ON t (a) PARALLEL 2)",
        "",
        "SQL, constraint, create_index_statement",
        (T,),
    ),
    Ruling("ALTER TABLE g ADD PRIMARY KEY (a) USING INDEX NOLOGGING", "ORA-14451", CREATE, (TEMPORARY,)),
    Ruling("ALTER TABLE g ADD PRIMARY KEY (a)", "", CREATE, (TEMPORARY,)),
    Ruling(
        "CREATE GLOBAL TEMPORARY TABLE n (a NUMBER PRIMARY KEY USING INDEX NOLOGGING)", "ORA-14451", CREATE
    ),
]
COLLATION = "SQL, CREATE TABLE, DEFAULT COLLATION"
COLLATIONS = [
    Ruling("CREATE TABLE n (a NUMBER) DEFAULT COLLATION USING_NLS_COMP", "ORA-43929", COLLATION),
    Ruling("CREATE TABLE n (a VARCHAR2(9) COLLATE BINARY_CI)", "ORA-43929", COLLATION),
    Ruling("CREATE TABLE n (a NUMBER) TABLESPACE users DEFAULT COLLATION BINARY", "ORA-00922", COLLATION),
]


@pytest.mark.parametrize("ruling", [*USED_INDEXES, *COLLATIONS], ids=str)
def test_what_a_key_says_of_its_index_and_a_table_of_its_collation(bench: Bench, ruling: Ruling) -> None:
    bench.hold(ruling)


@pytest.mark.parametrize("ruling", INDEX_KINDS, ids=str)
def test_index_options(bench: Bench, ruling: Ruling) -> None:
    bench.hold(ruling)
