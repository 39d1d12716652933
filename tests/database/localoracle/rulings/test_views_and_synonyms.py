"""Views, synonyms, comments, RENAME, TRUNCATE, PURGE.

Sources: SQL Language Reference 19c (SQL), Error Messages 19c (ERR).
"""

from __future__ import annotations

import pytest

from support.rulings import Bench, Ruling

ERR = "ERR, the message"
T = "CREATE TABLE t (a NUMBER, b NUMBER)"
V = "CREATE VIEW v AS SELECT a, b FROM t"
CREATE = "SQL, CREATE INDEX"

VIEWS = [
    Ruling("INSERT INTO v VALUES (1, 1)", "ORA-42399", ERR, (T, f"{V} WITH READ ONLY")),
    Ruling("UPDATE v SET a = 1", "ORA-42399", ERR, (T, f"{V} WITH READ ONLY")),
    Ruling("DELETE FROM v", "ORA-42399", ERR, (T, f"{V} WITH READ ONLY")),
    Ruling("INSERT INTO v VALUES (-1, 1)", "ORA-01402", ERR, (T, f"{V} WHERE a > 0 WITH CHECK OPTION")),
    Ruling(
        "UPDATE v SET a = -1",
        "ORA-01402",
        ERR,
        (T, f"{V} WHERE a > 0 WITH CHECK OPTION", "INSERT INTO v VALUES (1, 1)"),
    ),
    Ruling("INSERT INTO v VALUES (-1, 1)", "", ERR, (T, f"{V} WHERE a > 0")),
    Ruling("INSERT INTO v VALUES (1)", "ORA-01732", ERR, (T, "CREATE VIEW v AS SELECT DISTINCT a FROM t")),
    Ruling("DELETE FROM v", "ORA-01732", ERR, (T, "CREATE VIEW v AS SELECT COUNT(*) c FROM t")),
    Ruling(
        "INSERT INTO v (c) VALUES (1)", "ORA-01733", ERR, (T, "CREATE VIEW v AS SELECT a + 1 c, b FROM t")
    ),
    Ruling("CREATE VIEW v (x) AS SELECT a, b FROM t", "ORA-01730", ERR, (T,)),
    Ruling("CREATE VIEW v (x, x) AS SELECT a, b FROM t", "ORA-00957", ERR, (T,)),
    Ruling("CREATE VIEW v AS SELECT a, a FROM t", "ORA-00957", ERR, (T,)),
    Ruling("CREATE VIEW v AS SELECT a + 1 FROM t", "ORA-00998", ERR, (T,)),
    Ruling("CREATE VIEW v AS SELECT x FROM nowhere", "ORA-00942", ERR),
    Ruling("CREATE FORCE VIEW v AS SELECT x FROM nowhere", "", "SQL, CREATE VIEW, FORCE"),
    Ruling(
        "CREATE VIEW v AS SELECT a FROM t WITH READ ONLY WITH CHECK OPTION",
        "ORA-00933",
        "SQL, CREATE VIEW, subquery_restriction_clause",
        (T,),
    ),
    Ruling("DROP VIEW t", "ORA-00942", ERR, (T,)),
    Ruling("DROP TABLE v", "ORA-00942", ERR, (T, V)),
    Ruling("DROP VIEW nowhere", "ORA-00942", ERR),
    Ruling("TRUNCATE TABLE v", "ORA-01702", ERR, (T, V)),
    Ruling("ALTER VIEW nowhere COMPILE", "ORA-00942", ERR),
    Ruling("ALTER VIEW v", "ORA-00922", ERR, (T, V)),
    Ruling("CREATE INDEX i ON v (a)", "ORA-01702", ERR, (T, V)),
    Ruling("COMMENT ON COLUMN v.a IS 'x'", "", "SQL, COMMENT", (T, V)),
]

SYNONYMS = [
    Ruling("SELECT * FROM x", "", "SQL, CREATE SYNONYM", (T, "CREATE SYNONYM x FOR t", "DROP TABLE t", T)),
    Ruling("INSERT INTO x VALUES (1, 1)", "", "SQL, CREATE SYNONYM", (T, "CREATE SYNONYM x FOR t")),
    Ruling("DROP SYNONYM t", "ORA-01434", ERR, (T,)),
    Ruling("DROP TABLE x", "ORA-00942", ERR, (T, "CREATE SYNONYM x FOR t")),
    Ruling("DROP PUBLIC SYNONYM nowhere_at_all", "ORA-01031", ERR),
    Ruling("CREATE PUBLIC SYNONYM ruled_x FOR t", "ORA-01031", "SQL, CREATE SYNONYM, Prerequisites", (T,)),
    Ruling("RENAME x TO y", "", "SQL, RENAME: private synonyms", (T, "CREATE SYNONYM x FOR t")),
]

COMMENTS = [
    Ruling("COMMENT ON TABLE t IS NULL", "ORA-01780", ERR, (T,)),
    Ruling("COMMENT ON COLUMN nowhere.x IS 'x'", "ORA-00942", ERR),
    Ruling(f"COMMENT ON TABLE t IS '{'x' * 4001}'", "ORA-01704", "SQL, Text Literals", (T,)),
    Ruling("RENAME s TO s2", "", "SQL, RENAME", ("CREATE SEQUENCE s",)),
    Ruling("RENAME v TO v2", "", "SQL, RENAME", (T, V)),
    Ruling("TRUNCATE TABLE nowhere", "ORA-00942", ERR),
    Ruling("TRUNCATE CLUSTER nowhere", "ORA-00943", ERR),
    Ruling("DROP TABLE s", "ORA-00942", ERR, ("CREATE SEQUENCE s",)),
    Ruling("DROP TABLE i", "ORA-00942", ERR, (T, "CREATE INDEX i ON t (a)")),
    Ruling("DROP INDEX s", "ORA-01418", ERR, ("CREATE SEQUENCE s",)),
    Ruling("DROP CLUSTER nowhere", "ORA-00943", ERR),
    Ruling("PURGE TABLE nowhere", "ORA-38307", ERR),
    Ruling("PURGE RECYCLEBIN", "", "SQL, PURGE"),
]


@pytest.mark.parametrize("ruling", [*VIEWS, *SYNONYMS, *COMMENTS], ids=str)
def test_views_and_synonyms(bench: Bench, ruling: Ruling) -> None:
    bench.hold(ruling)
