"""Valid syntax that is not there is refused by name when it is used, and what is there is enforced."""

from __future__ import annotations

import pytest

from support.rulings import Ruling
from support.stand_in import Schema

TABLE = "CREATE TABLE T (A NUMBER, D DATE)"
NAMED = "the stand-in: valid on a 19c, and not there"
RULINGS = [
    Ruling("CREATE DIMENSION P LEVEL X IS (T.A)", "ORA-03001", NAMED, (TABLE,)),
    Ruling("CREATE CLUSTER P (A NUMBER)", "ORA-03001", NAMED),
    Ruling("ALTER TABLE T SHRINK SPACE", "ORA-03001", NAMED, (TABLE,)),
    Ruling("CREATE INDEX I ON T (A) INDEXTYPE IS MDSYS.SPATIAL_INDEX", "ORA-03001", NAMED, (TABLE,)),
    Ruling("CREATE UNIQUE INDEX I ON T (A) INDEXTYPE IS CTXSYS.CONTEXT", "ORA-29850", "sqlrf", (TABLE,)),
    Ruling(
        "CREATE INDEX I ON T (A) INDEXTYPE IS CTXSYS.CONTEXT PARAMETERS ('x') NOLOGGING",
        "ORA-29850",
        "sqlrf CREATE INDEX, domain_index_clause",
        ("CREATE TABLE T (A VARCHAR2(9))",),
    ),
    Ruling(
        "INSERT INTO V VALUES (1, NULL)",
        "ORA-01402",
        "errmg",
        (TABLE, "CREATE VIEW V AS SELECT * FROM T WHERE A > 3 WITH CHECK OPTION CONSTRAINT V_CK"),
    ),
    Ruling(
        "CREATE BITMAP INDEX I ON T (A)",
        "ORA-25122",
        "errmg",
        ("CREATE TABLE T (A NUMBER) PARTITION BY HASH (A) PARTITIONS 2",),
    ),
]


@pytest.mark.parametrize("ruling", RULINGS, ids=str)
def test_a_statement_is_judged_as_documented(schema: Schema, ruling: Ruling) -> None:
    ruling.hold(schema.connection)
