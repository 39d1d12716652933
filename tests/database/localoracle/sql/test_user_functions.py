"""Stored functions that statements call."""

from __future__ import annotations

import pytest

from support.rulings import Ruling
from support.stand_in import Schema

TWICE = (
    "CREATE FUNCTION TWICE (P NUMBER, Q VARCHAR2 DEFAULT 'x') RETURN NUMBER IS"
    " BEGIN IF P > 100 THEN RETURN NULL; END IF; RETURN P * 2 + LENGTH(Q); END;"
)
TABLE = "CREATE TABLE T (A NUMBER, B VARCHAR2(10))"
SOURCE = "sqlrf User-Defined Functions"
RULINGS = [
    Ruling("SELECT NOT_THERE(1) FROM DUAL", "ORA-00904", "errmg"),
    Ruling("SELECT TWICE(*) FROM DUAL", "ORA-00907", "errmg", (TWICE,)),
    Ruling("SELECT TWICE(A) FROM T WHERE TWICE(A) > 3 ORDER BY TWICE(A)", "", SOURCE, (TABLE, TWICE)),
    Ruling("UPDATE T SET A = TWICE(A)", "", SOURCE, (TABLE, TWICE)),
    Ruling(
        "SELECT WRITES FROM DUAL",
        "",
        SOURCE,
        ("CREATE FUNCTION WRITES RETURN NUMBER IS BEGIN RETURN 1; END;",),
    ),
    Ruling(
        "SELECT ASKED() FROM DUAL",
        "ORA-03001",
        "valid; what SQL calls has its owner's rights in the stand-in",
        ("CREATE FUNCTION ASKED RETURN NUMBER AUTHID CURRENT_USER IS BEGIN RETURN 1; END;",),
    ),
    Ruling(
        "SELECT DEFINED() FROM DUAL",
        "",
        SOURCE,
        ("CREATE FUNCTION DEFINED RETURN NUMBER AUTHID DEFINER IS BEGIN RETURN 1; END;",),
    ),
    Ruling(
        "SELECT WRITES() FROM DUAL",
        "ORA-14551",
        "Error Messages",
        (TABLE, "CREATE FUNCTION WRITES RETURN NUMBER IS BEGIN DELETE FROM T; RETURN 1; END;"),
    ),
]


@pytest.mark.parametrize("ruling", RULINGS, ids=str)
def test_a_statement_is_judged_as_documented(schema: Schema, ruling: Ruling) -> None:
    ruling.hold(schema.connection)


def test_arguments_stand_by_position_or_name(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute(TWICE)
    cursor.execute(
        "SELECT TWICE(3), TWICE(3, 'abc'), TWICE(Q => '', P => 4), TWICE('4'), TWICE(101) FROM DUAL"
    )
    assert cursor.fetchall() == [(7, 9, None, 9, None)]
    cursor.execute(f"SELECT {schema.name}.TWICE(:1) FROM DUAL", [5])
    assert cursor.fetchall() == [(11,)]


def test_a_boolean_is_tested_for_null(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute(
        "CREATE FUNCTION SAID (P BOOLEAN) RETURN VARCHAR2 IS BEGIN IF P IS NULL THEN RETURN '-'; END IF;"
        " RETURN CASE WHEN P IS NOT NULL AND P THEN 'T' ELSE 'F' END; END;"
    )
    cursor.execute(
        "CREATE FUNCTION TOLD RETURN VARCHAR2 IS A BOOLEAN := TRUE; B BOOLEAN := FALSE; C BOOLEAN;"
        " BEGIN RETURN SAID(A) || SAID(B) || SAID(C); END;"
    )
    told = cursor.var(str)
    cursor.execute("BEGIN :1 := TOLD; END;", [told])
    assert told.getvalue() == "TF-"


def test_a_function_reads_tables_of_its_owner(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    for statement in (
        TABLE,
        "INSERT INTO T VALUES (1, 'x')",
        "CREATE FUNCTION HIGHEST RETURN NUMBER IS N NUMBER;"
        " BEGIN SELECT MAX(A) INTO N FROM T; RETURN N; END;",
    ):
        cursor.execute(statement)
    schema.connection.commit()
    with schema.server.connect() as system:
        other = system.cursor()
        other.execute(f"SELECT {schema.name}.HIGHEST() FROM DUAL")
        assert other.fetchall() == [(1,)]


def test_others_need_execute(schema: Schema) -> None:
    with schema.server.connect() as system:
        grants = system.cursor()
        grants.execute('CREATE USER GUEST_OF_F IDENTIFIED BY "a_test_password"')
        grants.execute("GRANT CREATE SESSION TO GUEST_OF_F")
        try:
            with schema.server.connect("GUEST_OF_F", "a_test_password") as guest:
                own, cursor = schema.connection.cursor(), guest.cursor()
                own.execute(TWICE)
                query = f"SELECT {schema.name}.TWICE(1) FROM DUAL"
                with pytest.raises(Exception, match="ORA-00904"):
                    cursor.execute(query)
                own.execute("GRANT EXECUTE ON TWICE TO GUEST_OF_F")
                own.execute(TWICE.replace("CREATE", "CREATE OR REPLACE"))
                cursor.execute(query)
                assert cursor.fetchall() == [(3,)]
                own.execute("REVOKE EXECUTE ON TWICE FROM GUEST_OF_F")
                with pytest.raises(Exception, match="ORA-00904"):
                    cursor.execute(query)
        finally:
            grants.execute("DROP USER GUEST_OF_F CASCADE")


def test_views_outlive_a_function_that_is_replaced(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    for statement in (
        TABLE,
        "INSERT INTO T VALUES (1, 'x')",
        TWICE,
        "CREATE VIEW V AS SELECT TWICE(A) R FROM T",
    ):
        cursor.execute(statement)
    cursor.execute("CREATE OR REPLACE FUNCTION TWICE (P NUMBER) RETURN NUMBER IS BEGIN RETURN P * 20; END;")
    cursor.execute("SELECT R FROM V")
    assert cursor.fetchall() == [(20,)]
    cursor.execute("DROP FUNCTION TWICE")
    cursor.execute("SELECT STATUS FROM USER_OBJECTS WHERE OBJECT_NAME = 'V'")
    assert cursor.fetchall() == [("INVALID",)]


def test_names_are_the_owners_whoever_creates_the_unit(schema: Schema) -> None:
    schema.connection.cursor().execute(TABLE)
    with schema.server.connect() as system:
        cursor = system.cursor()
        name = schema.name
        cursor.execute(
            f"CREATE PROCEDURE {name}.KEEP (P T.A%TYPE) IS BEGIN INSERT INTO T (A) VALUES (P); END;"
        )
        cursor.execute(f"CREATE TABLE {name}.S (A NUMBER)")
        cursor.execute(
            f"CREATE TRIGGER {name}.S_T AFTER INSERT ON {name}.S FOR EACH ROW BEGIN KEEP(:NEW.A); END;"
        )
        cursor.execute(f"CREATE VIEW {name}.V AS SELECT A FROM T")
        cursor.execute(f"INSERT INTO {name}.S VALUES (7)")
        cursor.execute(f"SELECT A FROM {name}.V")
        assert cursor.fetchall() == [(7,)]
