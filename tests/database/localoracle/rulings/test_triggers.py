# ruff: noqa: E501 - statements read better on one line
"""What triggers may be and do.

Sources: PL/SQL Language Reference 19c (LNPLS), Error Messages 19c (ERR).
"""

from __future__ import annotations

import oracledb
import pytest

from support.rulings import Answer, Compilation, Ruling
from support.stand_in import Schema

CREATE = "LNPLS, CREATE TRIGGER Statement"
MUTATING = "LNPLS, Mutating-Table Restriction"
COMPILED = "LNPLS, Trigger Compilation, Invalidation, and Recompilation"
ERR = "ERR, the message"
T = "CREATE TABLE t (a NUMBER, b VARCHAR2(10))"
V = "CREATE VIEW v AS SELECT a, b FROM t"
R = "INSERT INTO t VALUES (1, 'x')"
COUNTS = "FOR EACH ROW DECLARE n NUMBER; BEGIN SELECT COUNT(*) INTO n FROM {}; END;"
BEFORE_INSERT = f"CREATE TRIGGER g BEFORE INSERT ON t {COUNTS.format('t')}"
INVALID = "CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW BEGIN :NEW.a := twice(:NEW.a); END;"
TWICE = "CREATE FUNCTION twice (n NUMBER) RETURN NUMBER IS BEGIN RETURN 2 * n; END;"

RULINGS = [
    Ruling(
        "CREATE TRIGGER g INSTEAD OF INSERT ON t FOR EACH ROW BEGIN NULL; END;", "ORA-25002", CREATE, (T,)
    ),
    Ruling("CREATE TRIGGER g BEFORE INSERT ON v FOR EACH ROW BEGIN NULL; END;", "ORA-25001", CREATE, (T, V)),
    Ruling(
        "CREATE TRIGGER g INSTEAD OF INSERT ON v FOR EACH ROW WHEN (NEW.a > 1) BEGIN NULL; END;",
        "ORA-25004",
        CREATE,
        (T, V),
    ),
    Ruling(
        "CREATE TRIGGER g BEFORE INSERT ON t WHEN (NEW.a > 1) BEGIN NULL; END;", "ORA-04077", CREATE, (T,)
    ),
    Ruling(
        "CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW WHEN (:NEW.a > 1) BEGIN NULL; END;",
        "ORA-25000",
        CREATE,
        (T,),
    ),
    Ruling(
        "CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW WHEN (NEW.a IN (SELECT 1 FROM dual)) BEGIN NULL; END;",
        "ORA-02251",
        CREATE,
        (T,),
    ),
    Ruling(
        "CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW WHEN (NEW.zz > 1) BEGIN NULL; END;",
        "ORA-00904",
        ERR,
        (T,),
    ),
    Ruling(
        "CREATE TRIGGER g BEFORE INSERT ON t REFERENCING NEW AS n OLD AS o FOR EACH ROW WHEN (n.a = 1) BEGIN :n.b := 'y'; END;",
        "",
        CREATE,
        (T,),
    ),
    Ruling("INSERT INTO t SELECT 1, 'a' FROM dual", "ORA-04091", MUTATING, (T, BEFORE_INSERT)),
    Ruling("INSERT INTO t VALUES (1, 'a')", "", MUTATING, (T, BEFORE_INSERT)),
    Ruling(
        "INSERT INTO t VALUES (1, 'a')",
        "",
        MUTATING,
        (T, "CREATE TABLE u AS SELECT * FROM t", "INSERT INTO t SELECT * FROM u", BEFORE_INSERT),
    ),
    Ruling(
        "INSERT INTO t VALUES (1, 'a')",
        "ORA-04091",
        MUTATING,
        (T, f"CREATE TRIGGER g AFTER INSERT ON t {COUNTS.format('t')}"),
    ),
    Ruling(
        "UPDATE t SET a = 3",
        "ORA-04091",
        MUTATING,
        (T, R, f"CREATE TRIGGER g BEFORE UPDATE ON t {COUNTS.format('t')}"),
    ),
    Ruling(
        "UPDATE t SET a = 3",
        "ORA-04091",
        MUTATING,
        (T, V, R, f"CREATE TRIGGER g AFTER UPDATE ON t {COUNTS.format('v')}"),
    ),
    Ruling(
        "DELETE FROM t",
        "ORA-04091",
        MUTATING,
        (T, R, "CREATE TRIGGER g AFTER DELETE ON t FOR EACH ROW BEGIN UPDATE t SET a = 1; END;"),
    ),
    Ruling(
        "UPDATE t SET a = 3",
        "",
        MUTATING,
        (
            T,
            R,
            "CREATE TRIGGER g AFTER UPDATE ON t DECLARE n NUMBER; BEGIN SELECT COUNT(*) INTO n FROM t; END;",
        ),
    ),
    Ruling(
        "UPDATE t SET a = 3",
        "",
        MUTATING,
        (
            T,
            R,
            "CREATE TABLE u (n NUMBER)",
            "CREATE TRIGGER g AFTER UPDATE ON t FOR EACH ROW BEGIN INSERT INTO u VALUES (:NEW.a); END;",
        ),
    ),
    Ruling(
        "INSERT INTO t VALUES (1, 'a')",
        "ORA-04092",
        "LNPLS, Trigger Restrictions",
        (T, "CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW BEGIN COMMIT; END;"),
    ),
    Ruling("INSERT INTO t VALUES (1, 'a')", "ORA-04098", COMPILED, (T, INVALID)),
    Ruling("INSERT INTO t VALUES (1, 'a')", "", COMPILED, (T, INVALID, "ALTER TRIGGER g DISABLE")),
]
COMPILATIONS = [
    Compilation(
        "CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW BEGIN :NEW.zz := 1; END;",
        "PLS-00049",
        COMPILED,
        (T,),
    ),
    Compilation(
        "CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW BEGIN :NEW.a = 1; END;", "PLS-00103", COMPILED, (T,)
    ),
    Compilation(
        "CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW BEGIN EXIT; END;", "PLS-00376", COMPILED, (T,)
    ),
    Compilation(INVALID, "PLS-00201", COMPILED, (T,)),
]
STATUS = "SELECT status FROM user_objects WHERE object_name = 'G'"
ANSWERS = [
    Answer(STATUS, [("INVALID",)], COMPILED, (T, INVALID)),
    Answer(
        "SELECT name, type, attribute FROM user_errors", [("G", "TRIGGER", "ERROR")], COMPILED, (T, INVALID)
    ),
    Answer("SELECT name FROM user_errors", [], COMPILED, (T, INVALID, "DROP TRIGGER g")),
    Answer(
        STATUS,
        [("VALID",)],
        COMPILED,
        (T, INVALID, INVALID.replace("CREATE", "CREATE OR REPLACE").replace("twice", "ABS")),
    ),
    Answer("SELECT a FROM t", [(6,)], COMPILED, (T, INVALID, TWICE, "INSERT INTO t VALUES (3, 'a')")),
    Answer(
        STATUS, [("VALID",)], "LNPLS, ALTER TRIGGER Statement", (T, INVALID, TWICE, "ALTER TRIGGER g COMPILE")
    ),
    Answer(
        "SELECT status FROM user_triggers",
        [("DISABLED",)],
        "LNPLS, ALTER TRIGGER Statement",
        (T, INVALID, "ALTER TRIGGER g DISABLE", "ALTER TRIGGER g COMPILE"),
    ),
]


@pytest.mark.parametrize("ruling", RULINGS, ids=str)
def test_triggers_are_taken_or_refused_as_documented(schema: Schema, ruling: Ruling) -> None:
    ruling.hold(schema.connection)


@pytest.mark.parametrize("compilation", COMPILATIONS, ids=str)
def test_triggers_are_kept_with_their_errors(schema: Schema, compilation: Compilation) -> None:
    compilation.hold(schema.connection)


@pytest.mark.parametrize("answer", ANSWERS, ids=str)
def test_invalid_triggers_are_told(schema: Schema, answer: Answer) -> None:
    answer.hold(schema.connection)


def test_a_mutating_table_is_told_with_the_triggers_line(schema: Schema) -> None:
    with schema.connection.cursor() as cursor:
        for statement in (T, R, f"CREATE TRIGGER g AFTER UPDATE ON t {COUNTS.format('t')}"):
            cursor.execute(statement)
        with pytest.raises(oracledb.DatabaseError) as refused:
            cursor.execute("UPDATE t SET a = 2")
    assert f"table {schema.name}.T is mutating, trigger/function may not see it" in str(refused.value)
    assert f'at "{schema.name}.G", line 1' in str(refused.value)
    assert f"ORA-04088: error during execution of trigger '{schema.name}.G'" in str(refused.value)
