"""Kinds of indexes and their clauses.

Sources: SQL Language Reference 19c (SQL), Error Messages 19c (ERR).
"""

from __future__ import annotations

import pytest

from support.rulings import Ruling
from support.stand_in import Schema

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
    Ruling("ALTER INDEX i REBUILD TABLESPACE nowhere", "ORA-00959", ERR, (T, "CREATE INDEX i ON t (a)")),
    Ruling("CREATE CLUSTER c (k NUMBER)", "ORA-03001", "SQL, CREATE CLUSTER"),
    Ruling("CREATE INDEX i ON CLUSTER nowhere", "ORA-00943", ERR),
]


@pytest.mark.parametrize("ruling", INDEX_KINDS, ids=str)
def test_index_options(schema: Schema, ruling: Ruling) -> None:
    ruling.hold(schema.connection)
