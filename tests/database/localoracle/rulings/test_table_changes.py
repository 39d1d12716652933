"""Clauses of CREATE and ALTER TABLE: columns, storage, temporary tables, LOB segments.

Sources: SQL Language Reference 19c (SQL), Error Messages 19c (ERR).
"""

from __future__ import annotations

import pytest

from support.rulings import Bench, Ruling

ALTER = "SQL, ALTER TABLE"
ERR = "ERR, the message"
T = "CREATE TABLE t (a NUMBER, b NUMBER, s VARCHAR2(10))"
ROW = "INSERT INTO t VALUES (1, 2, 'x')"

COLUMNS = [
    Ruling("ALTER TABLE t MODIFY (a NUMBER, a NUMBER)", "ORA-00957", ERR, (T,)),
    Ruling("ALTER TABLE t DROP (a, a)", "ORA-00957", ERR, (T,)),
    Ruling("ALTER TABLE t DROP COLUMN a ADD (c NUMBER)", "ORA-12987", ERR, (T,)),
    Ruling("ALTER TABLE t ADD (a1 LONG, a2 LONG)", "ORA-01754", ERR, (T,)),
    Ruling("ALTER TABLE t ADD (l2 LONG)", "ORA-01754", ERR, ("CREATE TABLE t (l LONG)",)),
    Ruling("ALTER TABLE t RENAME TO t", "ORA-00955", ERR, (T,)),
    Ruling("ALTER TABLE t RENAME COLUMN a TO a", "ORA-00957", ERR, (T,)),
    Ruling("ALTER TABLE t RENAME CONSTRAINT nowhere TO x", "ORA-23292", ERR, (T,)),
    Ruling("ALTER TABLE t MODIFY a DEFAULT b", "ORA-00984", ERR, (T,)),
    Ruling("ALTER TABLE t MODIFY a DEFAULT 'x'", "", "SQL: a default is converted when it is used", (T,)),
    Ruling("CREATE TABLE n (a NUMBER DEFAULT SUM(1))", "ORA-00934", ERR),
    Ruling("ALTER TABLE t PCTFREE 100", "ORA-02211", ERR, (T,)),
    Ruling("ALTER TABLE t INITRANS 0", "ORA-02207", ERR, (T,)),
    Ruling("CREATE TABLE n (a NUMBER) INITRANS 256", "ORA-02207", ERR),
    Ruling("CREATE TABLE n (a NUMBER) MAXTRANS 256", "ORA-02209", ERR),
    Ruling("CREATE TABLE n (a NUMBER) MAXTRANS 0", "ORA-02209", ERR),
    Ruling("CREATE TABLE n (a NUMBER) PCTUSED 100", "ORA-02211", ERR),
    Ruling("CREATE TABLE n (a NUMBER) STORAGE (NONSENSE 1)", "ORA-02143", ERR),
    Ruling("CREATE TABLE n (a NUMBER) PARALLEL 0", "ORA-12813", ERR),
    Ruling("CREATE TABLE n (a NUMBER) LOGGING NOLOGGING", "ORA-00922", ERR),
    Ruling("CREATE TABLE n (a NUMBER) READ ONLY", "", "SQL, CREATE TABLE, read_only_clause"),
    Ruling("CREATE GLOBAL TEMPORARY TABLE g (a NUMBER) READ ONLY", "ORA-14451", "SQL, CREATE TABLE"),
    Ruling("CREATE TEMPORARY TABLE g (a NUMBER)", "ORA-14459", ERR),
    Ruling("CREATE GLOBAL TEMPORARY TABLE g (a NUMBER PRIMARY KEY) ORGANIZATION INDEX", "ORA-14458", ERR),
    Ruling(
        "CREATE GLOBAL TEMPORARY TABLE g (a NUMBER) PARTITION BY HASH (a) PARTITIONS 2",
        "ORA-14451",
        "SQL, CREATE TABLE",
    ),
    Ruling("CREATE GLOBAL TEMPORARY TABLE g (a NUMBER) NOLOGGING", "ORA-14451", "SQL, CREATE TABLE"),
    Ruling("CREATE GLOBAL TEMPORARY TABLE g (a NUMBER) CACHE", "", "SQL, CREATE TABLE"),
    Ruling("CREATE GLOBAL TEMPORARY TABLE g (a NUMBER, b NUMBER AS (a + 1))", "ORA-54010", ERR),
    Ruling(
        "CREATE GLOBAL TEMPORARY TABLE g (c CLOB) LOB (c) STORE AS (TABLESPACE users)",
        "ORA-14451",
        "SQL, CREATE TABLE",
    ),
    Ruling("CREATE TABLE ORA$PTT_n (a NUMBER)", "ORA-32463", ERR),
    Ruling(
        "TRUNCATE TABLE g REUSE STORAGE", "ORA-14461", ERR, ("CREATE GLOBAL TEMPORARY TABLE g (a NUMBER)",)
    ),
]

LOBS = [
    Ruling("CREATE TABLE n (c CLOB) LOB (c) STORE AS BASICFILE (COMPRESS)", "ORA-43856", ERR),
    Ruling("CREATE TABLE n (c CLOB) LOB (c) STORE AS BASICFILE (DEDUPLICATE)", "ORA-43856", ERR),
    Ruling(
        "CREATE TABLE n (c CLOB) LOB (c) STORE AS SECUREFILE (COMPRESS HIGH DEDUPLICATE)",
        "",
        "SQL, CREATE TABLE, LOB_compression_clause",
    ),
    Ruling("CREATE TABLE n (c CLOB) LOB (c) STORE AS (CHUNK 8192 CHUNK 8192)", "ORA-22850", ERR),
    Ruling("CREATE TABLE n (c CLOB) LOB (c) STORE AS (NONSENSE)", "ORA-22853", ERR),
    Ruling("CREATE TABLE n (c CLOB) LOB (x) STORE AS (CHUNK 8192)", "ORA-00904", ERR),
    Ruling(
        "CREATE TABLE n (c CLOB) LOB (c) STORE AS t (CHUNK 8192)",
        "ORA-00955",
        "SQL, CREATE TABLE, LOB_segname",
        (T,),
    ),
    Ruling(
        "CREATE TABLE m (c CLOB) LOB (c) STORE AS seg",
        "ORA-00955",
        "SQL, CREATE TABLE, LOB_segname",
        ("CREATE TABLE n (c CLOB) LOB (c) STORE AS seg",),
    ),
    Ruling("CREATE TABLE m (c CLOB) LOB (c) STORE AS (TABLESPACE nowhere)", "ORA-00959", ERR),
]


IN_PARTS = "CREATE TABLE q (a NUMBER) PARTITION BY RANGE (a) (PARTITION low VALUES LESS THAN (10))"
MOVE = "SQL, ALTER TABLE, move_table_clause"
MOVES = [
    Ruling("ALTER TABLE t MOVE", "", MOVE, (T, ROW)),
    Ruling("ALTER TABLE q MOVE PARTITION low", "", MOVE, (IN_PARTS,)),
    Ruling("ALTER TABLE q MOVE", "ORA-14511", ERR, (IN_PARTS,)),
    Ruling("ALTER TABLE q MOVE PARTITION high", "ORA-02149", ERR, (IN_PARTS,)),
    Ruling("ALTER TABLE t MOVE PARTITION low", "ORA-14501", ERR, (T,)),
    Ruling("ALTER TABLE n MOVE", "ORA-00997", ERR, ("CREATE TABLE n (a NUMBER, l LONG)",)),
    Ruling(
        "ALTER TABLE g MOVE",
        "ORA-14451",
        "SQL, ALTER TABLE, Restrictions on Altering Temporary Tables",
        ("CREATE GLOBAL TEMPORARY TABLE g (a NUMBER)",),
    ),
    Ruling("ALTER TABLE t MOVE", "ORA-03001", "the stand-in's own", (T, "CREATE INDEX i ON t (a)")),
    Ruling("ALTER TABLE t MOVE ONLINE", "ORA-03001", "the stand-in's own", (T,)),
]


@pytest.mark.parametrize("ruling", [*COLUMNS, *LOBS, *MOVES], ids=str)
def test_table_changes(bench: Bench, ruling: Ruling) -> None:
    bench.hold(ruling)
