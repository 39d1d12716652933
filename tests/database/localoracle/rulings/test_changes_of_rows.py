"""INSERT, UPDATE, MERGE, and DML through views.

Sources: SQL Language Reference 19c (SQL), Error Messages 19c (ERR).
"""

from __future__ import annotations

import oracledb
import pytest

from support.rulings import Bench, Ruling
from support.stand_in import Schema

ERR = "ERR, the message"
VIEW = "SQL, CREATE VIEW"
MERGE = "SQL, MERGE"

T = "CREATE TABLE t (id NUMBER, v VARCHAR2(10) NOT NULL)"
ROW = "INSERT INTO t VALUES (1, 'a')"
TWICE = "(SELECT 1 id, 'b' v FROM dual UNION ALL SELECT 1, 'c' FROM dual) s"
CHECKED = "CREATE VIEW w AS SELECT id, v FROM t WHERE id < 10 WITH CHECK OPTION"
GROUPED = "CREATE VIEW w AS SELECT id, COUNT(*) n FROM t GROUP BY id"
COMPUTED = "CREATE VIEW w AS SELECT id, UPPER(v) u FROM t"

DML = [
    Ruling("INSERT INTO t (id, id) VALUES (1, 2)", "ORA-00957", ERR, (T,)),
    Ruling("INSERT INTO t (id, v) VALUES (1)", "ORA-00947", ERR, (T,)),
    Ruling("INSERT INTO t (id) VALUES (1, 'a')", "ORA-00913", ERR, (T,)),
    Ruling("INSERT INTO t SELECT 1 FROM dual", "ORA-00947", ERR, (T,)),
    Ruling("INSERT INTO t VALUES (1)", "ORA-00947", ERR, (T,)),
    Ruling("INSERT INTO t VALUES (1, 'a', 2)", "ORA-00913", ERR, (T,)),
    Ruling("INSERT INTO t SELECT * FROM dual", "ORA-00947", ERR, (T,)),
    Ruling("INSERT INTO t SELECT * FROM t", "", "SQL, INSERT", (T,)),
    Ruling("INSERT INTO w VALUES (1)", "ORA-00947", ERR, (T, "CREATE VIEW w AS SELECT * FROM t")),
    Ruling("INSERT INTO t (id) VALUES (1)", "ORA-01400", ERR, (T,)),
    Ruling("INSERT INTO t VALUES (1, '')", "ORA-01400", "SQL: an empty string is NULL", (T,)),
    Ruling("UPDATE t SET v = NULL", "ORA-01407", ERR, (T, ROW)),
    Ruling("UPDATE t SET id = 1, id = 2", "ORA-00957", ERR, (T,)),
    Ruling("UPDATE t SET (id, v) = (SELECT 1 FROM dual)", "ORA-00947", ERR, (T,)),
    Ruling("UPDATE t SET (id, v) = (SELECT 1, 'x' FROM dual)", "", "SQL, UPDATE", (T, ROW)),
    Ruling("UPDATE t SET x = 1", "ORA-00904", ERR, (T,)),
    Ruling("INSERT INTO t VALUES (1, 'elevenchars')", "ORA-12899", ERR, (T,)),
    Ruling("INSERT INTO nowhere VALUES (1)", "ORA-00942", ERR),
    Ruling("DELETE t WHERE id = 1", "", "SQL, DELETE: FROM may be missing", (T,)),
    Ruling("UPDATE t SET id = nowhere.NEXTVAL", "ORA-02289", ERR, (T,)),
    Ruling(
        f"MERGE INTO t USING {TWICE} ON (t.id = s.id) WHEN MATCHED THEN UPDATE SET v = s.v",
        "ORA-30926",
        MERGE,
        (T, ROW),
    ),
    Ruling(
        f"MERGE INTO t USING {TWICE} ON (t.id = s.id) WHEN NOT MATCHED THEN INSERT (id, v)"
        " VALUES (s.id, s.v)",
        "",
        MERGE,
        (T,),
    ),
    Ruling(
        f"MERGE INTO t USING {TWICE} ON (t.id = s.id) WHEN MATCHED THEN UPDATE SET id = 3",
        "ORA-38104",
        MERGE,
        (T,),
    ),
    Ruling(
        "MERGE INTO t USING (SELECT 1 x FROM dual) s ON (id = s.x) WHEN MATCHED THEN UPDATE SET id = 3",
        "ORA-38104",
        "SQL, MERGE: also a column that is named without its table",
        (T,),
    ),
    Ruling(
        "MERGE INTO t USING (SELECT 1 x FROM dual) s ON (t.id = s.x) WHEN MATCHED THEN UPDATE SET v = 'z'",
        "",
        MERGE,
        (T, ROW),
    ),
    Ruling("MERGE INTO t USING dual ON (1 = 1)", "ORA-00905", ERR, (T,)),
]

VIEWS = [
    Ruling("INSERT INTO w VALUES (11, 'a')", "ORA-01402", VIEW, (T, CHECKED)),
    Ruling("UPDATE w SET id = 11", "ORA-01402", VIEW, (T, ROW, CHECKED)),
    Ruling("INSERT INTO w VALUES (9, 'a')", "", VIEW, (T, CHECKED)),
    Ruling(
        "INSERT INTO w2 VALUES (9, 'a')",
        "",
        VIEW,
        (T, CHECKED, "CREATE VIEW w2 AS SELECT id, v FROM w WHERE id < 5"),
    ),
    Ruling(
        "INSERT INTO w2 VALUES (11, 'a')",
        "ORA-01402",
        VIEW,
        (T, CHECKED, "CREATE VIEW w2 AS SELECT id, v FROM w WHERE id < 5"),
    ),
    Ruling("INSERT INTO w VALUES (1, 1)", "ORA-01732", VIEW, (T, GROUPED)),
    Ruling("DELETE FROM w", "ORA-01732", VIEW, (T, GROUPED)),
    Ruling("UPDATE w SET u = 'x'", "ORA-01733", VIEW, (T, COMPUTED)),
    Ruling("INSERT INTO w (id, u) VALUES (1, 'x')", "ORA-01733", VIEW, (T, COMPUTED)),
    Ruling("UPDATE w SET id = 2", "", VIEW, (T, COMPUTED)),
    Ruling("CREATE VIEW n AS SELECT id + 1 FROM t", "ORA-00998", ERR, (T,)),
    Ruling("CREATE VIEW n AS SELECT id + 1 AS x FROM t", "", ERR, (T,)),
    Ruling("CREATE VIEW n (x) AS SELECT id + 1 FROM t", "", ERR, (T,)),
    Ruling("CREATE VIEW n (x) AS SELECT id, v FROM t", "ORA-01730", ERR, (T,)),
    Ruling("CREATE VIEW n (x, y, z) AS SELECT id, v FROM t", "ORA-01730", ERR, (T,)),
    Ruling("CREATE VIEW n (x, x) AS SELECT id, v FROM t", "ORA-00957", ERR, (T,)),
    Ruling("CREATE VIEW n AS SELECT id, id FROM t", "ORA-00957", ERR, (T,)),
    Ruling("CREATE VIEW n AS SELECT * FROM nowhere", "ORA-00942", ERR),
    Ruling("CREATE VIEW t AS SELECT 1 x FROM dual", "ORA-00955", ERR, (T,)),
    Ruling("CREATE OR REPLACE VIEW t AS SELECT 1 x FROM dual", "ORA-00955", ERR, (T,)),
    Ruling("DROP VIEW t", "ORA-00942", ERR, (T,)),
    Ruling("DROP TABLE w", "ORA-00942", ERR, (T, COMPUTED)),
    Ruling("TRUNCATE TABLE w", "ORA-01702", ERR, (T, COMPUTED)),
    Ruling("CREATE TABLE n AS SELECT COUNT(*) FROM t", "ORA-00998", ERR, (T,)),
    Ruling("CREATE TABLE n AS SELECT COUNT(*) c FROM t", "", ERR, (T,)),
    Ruling("CREATE TABLE n (x, y) AS SELECT COUNT(*), MAX(id) FROM t", "", ERR, (T,)),
    Ruling("CREATE TABLE n AS SELECT NULL c FROM dual", "ORA-01723", ERR),
    Ruling("CREATE TABLE n AS SELECT '' c FROM dual", "ORA-01723", ERR),
    Ruling("CREATE TABLE n AS SELECT CAST(NULL AS NUMBER) c FROM dual", "", ERR),
    Ruling("CREATE TABLE n (x) AS SELECT id, v FROM t", "ORA-01730", ERR, (T,)),
    Ruling("CREATE TABLE n (x NUMBER) AS SELECT id FROM t", "ORA-01773", ERR, (T,)),
]


@pytest.mark.parametrize("ruling", [*DML, *VIEWS], ids=str)
def test_changes_of_rows(bench: Bench, ruling: Ruling) -> None:
    bench.hold(ruling)


@pytest.mark.parametrize(
    ("statement", "commits"),
    [
        ("CREATE TABLE t (id NUMBER)", True),
        ("DROP TABLE nowhere", True),
        ("ALTER TABLE t ADD (id NUMBER)", True),
        ("GRANT SELECT ON t TO nobody_of_that_name", True),
        ("CREATE TABLE", False),
        ("SELECT * FROM nowhere", False),
    ],
)
def test_ddl_that_fails_has_committed_before(schema: Schema, statement: str, commits: bool) -> None:
    """Concepts 19c, Transactions: a commit stands before each DDL statement that parses."""
    cursor = schema.connection.cursor()
    cursor.execute("CREATE TABLE t (id NUMBER)")
    cursor.execute("INSERT INTO t VALUES (1)")
    with pytest.raises(oracledb.DatabaseError):
        cursor.execute(statement)
    schema.connection.rollback()
    cursor.execute("SELECT COUNT(*) FROM t")
    assert cursor.fetchone() == (1 if commits else 0,)
