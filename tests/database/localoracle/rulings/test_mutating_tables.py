# ruff: noqa: E501 - statements read better on one line
"""Functions and row triggers that look at the table which is being changed.

Source: PL/SQL Language Reference 19c, "PL/SQL Functions that SQL Statements Can Invoke", "Mutating-Table
Restriction" (PLS).
"""

from __future__ import annotations

import oracledb
import pytest

from support.rulings import Bench, Ruling
from support.stand_in import Schema

PLS = "PLS, PL/SQL Functions that SQL Statements Can Invoke"
TRIGGERS = "PLS, Mutating-Table Restriction"
BEFORE = (
    "CREATE TABLE m (a NUMBER, b NUMBER)",
    "CREATE TABLE other (a NUMBER)",
    "INSERT INTO m VALUES (1, 1)",
    "INSERT INTO other VALUES (1)",
    "CREATE VIEW seen AS SELECT a FROM m",
    "CREATE FUNCTION counted RETURN NUMBER IS n NUMBER; BEGIN SELECT COUNT(*) INTO n FROM m; RETURN n; END;",
    "CREATE FUNCTION viewed RETURN NUMBER IS n NUMBER; BEGIN SELECT COUNT(*) INTO n FROM seen; RETURN n; END;",
    "CREATE FUNCTION twice RETURN NUMBER IS n NUMBER; BEGIN SELECT counted() * 2 INTO n FROM dual; RETURN n; END;",
    "CREATE FUNCTION spared(x NUMBER) RETURN NUMBER IS n NUMBER; "
    "BEGIN IF x > 5 THEN SELECT COUNT(*) INTO n FROM m; END IF; RETURN n; END;",
)
READING = (
    "CREATE TRIGGER mt AFTER {} ON m FOR EACH ROW DECLARE n NUMBER; BEGIN SELECT COUNT(*) INTO n FROM m; END;"
)


def _of(*statements: str) -> tuple[str, ...]:
    return (*BEFORE, *statements)


RULINGS = [
    Ruling("UPDATE m SET b = counted()", "ORA-04091", PLS, BEFORE),
    Ruling("UPDATE m SET b = (SELECT counted() FROM dual)", "ORA-04091", PLS, BEFORE),
    Ruling("UPDATE m SET b = 1 WHERE a = counted()", "ORA-04091", PLS, BEFORE),
    Ruling("DELETE FROM m WHERE a = counted()", "ORA-04091", PLS, BEFORE),
    Ruling("INSERT INTO m SELECT counted(), 1 FROM dual", "ORA-04091", PLS, BEFORE),
    Ruling(
        "MERGE INTO m USING other ON (m.a = other.a) WHEN MATCHED THEN UPDATE SET b = counted()",
        "ORA-04091",
        PLS,
        BEFORE,
    ),
    Ruling("UPDATE m SET b = viewed()", "ORA-04091", PLS, BEFORE),
    Ruling("UPDATE m SET b = twice()", "ORA-04091", PLS, BEFORE),
    Ruling("UPDATE seen SET a = counted()", "ORA-04091", PLS, BEFORE),
    Ruling("BEGIN UPDATE m SET b = counted(); END;", "ORA-04091", PLS, BEFORE),
    Ruling("INSERT INTO m VALUES (counted(), 1)", "", f"{PLS}: one row in VALUES", BEFORE),
    Ruling("UPDATE m SET b = counted() WHERE 1 = 0", "", PLS, BEFORE),
    Ruling("UPDATE m SET b = spared(a)", "", f"{PLS}: nothing is looked at", BEFORE),
    Ruling("UPDATE m SET b = spared(9)", "ORA-04091", PLS, BEFORE),
    Ruling("UPDATE other SET a = counted()", "", PLS, BEFORE),
    Ruling("SELECT counted() FROM m", "", PLS, BEFORE),
    Ruling("SELECT counted() FROM m", "", PLS, _of("UPDATE other SET a = counted()")),
    Ruling("UPDATE m SET b = 2", "ORA-04091", TRIGGERS, _of(READING.format("UPDATE"))),
    Ruling("DELETE FROM m", "ORA-04091", TRIGGERS, _of(READING.format("DELETE"))),
    Ruling("UPDATE m SET b = 2 WHERE 1 = 0", "", TRIGGERS, _of(READING.format("UPDATE"))),
    Ruling("UPDATE m SET b = 2", "", TRIGGERS, _of(READING.format("UPDATE").replace("FOR EACH ROW ", ""))),
    Ruling(
        "UPDATE m SET b = 2", "", TRIGGERS, _of(READING.format("UPDATE").replace("FROM m;", "FROM other;"))
    ),
]


@pytest.mark.parametrize("ruling", RULINGS, ids=str)
def test_mutating_tables(bench: Bench, ruling: Ruling) -> None:
    bench.hold(ruling)


def test_arrays_of_binds(schema: Schema) -> None:
    with schema.connection.cursor() as cursor:
        for statement in BEFORE:
            cursor.execute(statement)
        with pytest.raises(oracledb.DatabaseError, match=r"ORA-04091: table \w+\.M is mutating"):
            cursor.executemany("UPDATE m SET b = counted() WHERE a = :1", [(7,), (1,)])
        cursor.executemany("UPDATE other SET a = counted() WHERE a = :1", [(1,), (2,)])
        assert cursor.execute("SELECT counted() FROM dual").fetchone() == (1,)
