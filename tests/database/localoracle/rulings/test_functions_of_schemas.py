# ruff: noqa: E501 - statements read better on one line
"""Functions of schemas and their packages in SQL, and the collection types that every database has.

Sources: SQL Language Reference 19c (SQL), PL/SQL Language Reference 19c (LNPLS), Data Cartridge Developer's Guide
19c (ADDCI), Database Reference 19c (REF), Error Messages 19c (ERR).
"""

from __future__ import annotations

import pytest

from support.rulings import Answer, Bench, Ruling

CALL = "SQL, User-Defined Functions"
LISTS = "ADDCI, Extensibility Constants, Types, and Mappings"
NAMES = "LNPLS, Name Resolution in Static SQL: columns come first"
ERR = "ERR, the message"
SPEC = "CREATE PACKAGE k IS c CONSTANT NUMBER := 5; FUNCTION f (n NUMBER DEFAULT 1) RETURN NUMBER; PROCEDURE p; END;"
BODY = "CREATE PACKAGE BODY k IS FUNCTION f (n NUMBER DEFAULT 1) RETURN NUMBER IS BEGIN RETURN n + 3; END; PROCEDURE p IS BEGIN NULL; END; END;"
PACKAGE = (SPEC, BODY)
FUNCTION = "CREATE FUNCTION f (n NUMBER DEFAULT 2) RETURN NUMBER IS BEGIN RETURN n * 10; END;"
TABLE = ("CREATE TABLE t (a NUMBER, f NUMBER)", "INSERT INTO t VALUES (1, 7)")

ANSWERS = [
    Answer("SELECT k.f FROM dual", [(4,)], CALL, PACKAGE),
    Answer("SELECT k.f + k.f(2) x FROM dual WHERE k.f = 4", [(9,)], CALL, PACKAGE),
    Answer("SELECT k.f FROM t k", [(7,)], NAMES, (*PACKAGE, *TABLE)),
    Answer("SELECT (SELECT k.f FROM dual) x FROM t k", [(7,)], NAMES, (*PACKAGE, *TABLE)),
    Answer("SELECT f FROM dual", [(20,)], CALL, (FUNCTION,)),
    Answer("SELECT f FROM t", [(7,)], NAMES, (FUNCTION, *TABLE)),
    Answer("SELECT f FROM dual ORDER BY f", [(20,)], CALL, (FUNCTION,)),
    Answer("SELECT x FROM w", [(5,)], CALL, (*PACKAGE, "CREATE VIEW w AS SELECT k.f(2) x FROM dual")),
    Answer("SELECT x FROM w", [(4,)], CALL, (*PACKAGE, "CREATE VIEW w AS SELECT k.f x FROM dual")),
    Answer("SELECT x FROM w", [(20,)], CALL, (FUNCTION, "CREATE VIEW w AS SELECT f x FROM dual")),
    Answer(
        "SELECT x FROM w",
        [(104,)],
        CALL,
        (
            *PACKAGE,
            "CREATE VIEW w AS SELECT k.f(2) x FROM dual",
            BODY.replace("CREATE", "CREATE OR REPLACE").replace("n + 3", "n + 102"),
        ),
    ),
    Answer(
        "SELECT object_name, deterministic FROM user_procedures ORDER BY 1",
        [("F", "NO"), ("G", "YES")],
        "REF, ALL_PROCEDURES",
        (FUNCTION, "CREATE FUNCTION g RETURN NUMBER DETERMINISTIC IS BEGIN RETURN 1; END;"),
    ),
    Answer("SELECT COLUMN_VALUE FROM TABLE(SYS.ODCINUMBERLIST(3, 4))", [(3,), (4,)], LISTS),
    Answer(
        "SELECT t.COLUMN_VALUE x FROM TABLE(SYS.ODCIVARCHAR2LIST('a', 'b')) t ORDER BY 1 DESC",
        [("b",), ("a",)],
        LISTS,
    ),
    Answer("SELECT COUNT(*) FROM TABLE(SYS.ODCINUMBERLIST())", [(0,)], LISTS),
    Answer(
        "SELECT a FROM t WHERE a IN (SELECT COLUMN_VALUE FROM TABLE(SYS.ODCINUMBERLIST(1)))",
        [(1,)],
        LISTS,
        TABLE,
    ),
    Answer("SELECT COUNT(*) FROM TABLE(SYS.ODCIDATELIST(SYSDATE, NULL))", [(2,)], LISTS),
    Answer(
        "SELECT type_name, coll_type, upper_bound, elem_type_name, length FROM all_coll_types WHERE owner = 'SYS' AND type_name LIKE 'ODCI%LIST' ORDER BY 1",
        [
            ("ODCIDATELIST", "VARYING ARRAY", 32767, "DATE", None),
            ("ODCINUMBERLIST", "VARYING ARRAY", 32767, "NUMBER", None),
            ("ODCIRAWLIST", "VARYING ARRAY", 32767, "RAW", 2000),
            ("ODCIVARCHAR2LIST", "VARYING ARRAY", 32767, "VARCHAR2", 4000),
        ],
        LISTS,
    ),
]
RULINGS = [
    Ruling(
        "SELECT COLUMN_VALUE FROM TABLE(ODCINUMBERLIST(3, 4))",
        "ORA-00904",
        "no public synonym is made for it (ADDCI names SYS)",
    ),
    Ruling(
        "DECLARE x ODCINUMBERLIST; BEGIN NULL; END;",
        "PLS-00201",
        "no public synonym is made for it (ADDCI names SYS)",
    ),
    Ruling(
        "SELECT f(x => 3) FROM dual",
        "",
        CALL,
        ("CREATE FUNCTION f (n NUMBER DEFAULT 2, x NUMBER) RETURN NUMBER IS BEGIN RETURN n * x; END;",),
    ),
    Ruling(
        "SELECT f(3) FROM dual",
        "PLS-306",
        CALL,
        ("CREATE FUNCTION f (n NUMBER DEFAULT 2, x NUMBER) RETURN NUMBER IS BEGIN RETURN n * x; END;",),
    ),
    Ruling(
        "BEGIN k.p(1); END;",
        "PLS-00307",
        "LNPLS, Overloaded Subprograms",
        (
            "CREATE PACKAGE k IS PROCEDURE p (a NUMBER); PROCEDURE p (b NUMBER); END;",
            "CREATE PACKAGE BODY k IS PROCEDURE p (a NUMBER) IS BEGIN NULL; END; PROCEDURE p (b NUMBER) IS BEGIN NULL; END; END;",
        ),
    ),
    Ruling(
        "BEGIN k.p(b => 1); END;",
        "",
        "LNPLS, Overloaded Subprograms",
        (
            "CREATE PACKAGE k IS PROCEDURE p (a NUMBER); PROCEDURE p (b NUMBER); END;",
            "CREATE PACKAGE BODY k IS PROCEDURE p (a NUMBER) IS BEGIN NULL; END; PROCEDURE p (b NUMBER) IS BEGIN NULL; END; END;",
        ),
    ),
    Ruling(
        "CREATE INDEX i ON t (g(a))",
        "ORA-30553",
        "SQL, CREATE INDEX",
        (*TABLE, "CREATE FUNCTION g (n NUMBER) RETURN NUMBER IS BEGIN RETURN n; END;"),
    ),
    Ruling(
        "CREATE INDEX i ON t (g(a))",
        "",
        "SQL, CREATE INDEX",
        (*TABLE, "CREATE FUNCTION g (n NUMBER) RETURN NUMBER DETERMINISTIC IS BEGIN RETURN n; END;"),
    ),
    Ruling(
        "BEGIN k.q; END;",
        "",
        "LNPLS, ALTER PACKAGE Statement: compiled again when used",
        (
            "CREATE PACKAGE k IS PROCEDURE q; END;",
            "CREATE PACKAGE BODY k IS PROCEDURE q IS BEGIN late; END; END;",
            "CREATE PROCEDURE late IS BEGIN NULL; END;",
        ),
    ),
    Ruling(
        "BEGIN k.q; END;",
        "ORA-04063",
        ERR,
        (
            "CREATE PACKAGE k IS PROCEDURE q; END;",
            "CREATE PACKAGE BODY k IS PROCEDURE q IS BEGIN late; END; END;",
        ),
    ),
    Ruling(
        "DECLARE x k.r; BEGIN NULL; END;",
        "",
        "LNPLS, ALTER PACKAGE Statement: compiled again when used",
        ("CREATE PACKAGE k IS TYPE r IS TABLE OF late%ROWTYPE; END;", "CREATE TABLE late (a NUMBER)"),
    ),
    Ruling("SELECT k.c FROM dual", "PLS-221", ERR, PACKAGE),
    Ruling("SELECT k.p FROM dual", "ORA-00904", ERR, PACKAGE),
    Ruling("SELECT k.nosuch FROM dual", "ORA-00904", ERR, PACKAGE),
    Ruling("SELECT k.nosuch(1) FROM dual", "ORA-00904", ERR, PACKAGE),
    Ruling(
        "SELECT f FROM dual",
        "PLS-306",
        ERR,
        ("CREATE FUNCTION f (n NUMBER) RETURN NUMBER IS BEGIN RETURN n; END;",),
    ),
    Ruling(
        "SELECT f FROM dual",
        "ORA-06503",
        "LNPLS, RETURN Statement",
        ("CREATE FUNCTION f RETURN NUMBER IS BEGIN NULL; END;",),
    ),
    Ruling(
        "SELECT f FROM dual",
        "ORA-06575",
        ERR,
        ("CREATE FUNCTION f RETURN NUMBER IS BEGIN RETURN nosuch(1); END;",),
    ),
    Ruling(
        "SELECT f(1) FROM dual",
        "ORA-06575",
        ERR,
        ("CREATE FUNCTION f (n NUMBER) RETURN NUMBER IS BEGIN RETURN nosuch(1); END;",),
    ),
    Ruling(
        "SELECT f FROM dual",
        "ORA-14551",
        "LNPLS, PL/SQL Functions that SQL Statements Can Invoke",
        (
            "CREATE TABLE t (a NUMBER)",
            "CREATE FUNCTION f RETURN NUMBER IS BEGIN INSERT INTO t VALUES (1); RETURN 1; END;",
        ),
    ),
    Ruling("SELECT COLUMN_VALUE FROM TABLE(SYS.ODCINUMBERLIST('x'))", "ORA-01722", "SQL, Data Conversion"),
    Ruling("SELECT COLUMN_VALUE FROM TABLE(SYS.ODCINOSUCHLIST('x'))", "ORA-00904", ERR),
    Ruling(
        "DECLARE x SYS.ODCIVARCHAR2LIST := SYS.ODCIVARCHAR2LIST('a', 'b'); n NUMBER; BEGIN SELECT COUNT(*) INTO n FROM TABLE(x); IF n <> 2 THEN RAISE PROGRAM_ERROR; END IF; END;",
        "",
        LISTS,
    ),
    Ruling(
        "DECLARE n NUMBER; BEGIN SELECT k.f INTO n FROM dual; IF n <> 4 THEN RAISE PROGRAM_ERROR; END IF; END;",
        "",
        CALL,
        PACKAGE,
    ),
    Ruling(
        "CREATE OR REPLACE TYPE SYS.ODCINUMBERLIST AS TABLE OF NUMBER",
        "ORA-01031",
        "LNPLS, CREATE TYPE Statement",
    ),
    Ruling("DROP TYPE SYS.ODCINUMBERLIST", "ORA-01031", "LNPLS, DROP TYPE Statement"),
]


@pytest.mark.parametrize("answer", ANSWERS, ids=str)
def test_functions_and_lists_give_their_values(bench: Bench, answer: Answer) -> None:
    bench.hold(answer)


@pytest.mark.parametrize("ruling", RULINGS, ids=str)
def test_calls_are_taken_or_refused_as_documented(bench: Bench, ruling: Ruling) -> None:
    bench.hold(ruling)
