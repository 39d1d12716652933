# ruff: noqa: E501 - statements read better on one line
"""What PL/SQL forbids of blocks and units whatever the names in them mean.

Sources: PL/SQL Language Reference 19c (LNPLS), SQL Language Reference 19c (SQL), Error Messages 19c (ERR).
"""

from __future__ import annotations

import pytest

from support.rulings import Bench, Compilation, Ruling
from support.stand_in import Schema

ERR = "ERR, the message"
FORMAL = "LNPLS, Formal Parameter Declaration"
ACTUAL = "LNPLS, Positional, Named, and Mixed Notation for Actual Parameters"
BLOCK = "LNPLS, Block"
T = "CREATE TABLE t (a NUMBER, b VARCHAR2(10))"
R = "INSERT INTO t VALUES (1, 'x')"
P = "CREATE PROCEDURE p (a NUMBER, b NUMBER DEFAULT 1) IS BEGIN NULL; END;"

BLOCKS = [
    Ruling("BEGIN EXIT; END;", "PLS-00376", "LNPLS, EXIT Statement"),
    Ruling("BEGIN CONTINUE WHEN 1 = 1; END;", "PLS-00376", "LNPLS, CONTINUE Statement"),
    Ruling("BEGIN LOOP EXIT nosuch; END LOOP; END;", "PLS-00441", ERR),
    Ruling("<<l>> BEGIN LOOP EXIT l; END LOOP; END;", "PLS-00373", ERR),
    Ruling("BEGIN <<l>> LOOP LOOP EXIT l; END LOOP; END LOOP l; END;", "", "LNPLS, EXIT Statement"),
    Ruling("BEGIN <<l>> LOOP EXIT; END LOOP other; END;", "PLS-00113", ERR),
    Ruling(
        "BEGIN NULL; EXCEPTION WHEN OTHERS THEN NULL; WHEN NO_DATA_FOUND THEN NULL; END;",
        "PLS-00370",
        "LNPLS, Exception Handler",
    ),
    Ruling(
        "BEGIN NULL; EXCEPTION WHEN NO_DATA_FOUND THEN NULL; WHEN NO_DATA_FOUND THEN NULL; END;",
        "PLS-00483",
        ERR,
    ),
    Ruling("BEGIN RAISE; END;", "PLS-00367", "LNPLS, RAISE Statement"),
    Ruling(
        "DECLARE PROCEDURE q IS BEGIN RAISE; END; BEGIN NULL; EXCEPTION WHEN OTHERS THEN q; END;",
        "PLS-00367",
        ERR,
    ),
    Ruling("DECLARE n NUMBER NOT NULL; BEGIN NULL; END;", "PLS-00218", "LNPLS, NOT NULL Constraint"),
    Ruling(
        "DECLARE n SIMPLE_INTEGER; BEGIN NULL; END;",
        "PLS-00218",
        "LNPLS, SIMPLE_INTEGER Subtype of PLS_INTEGER",
    ),
    Ruling("DECLARE n CONSTANT NUMBER; BEGIN NULL; END;", "PLS-00322", "LNPLS, Constant Declaration"),
    Ruling(
        "DECLARE e EXCEPTION; PRAGMA EXCEPTION_INIT(e, 1400); BEGIN NULL; END;",
        "PLS-00701",
        "LNPLS, EXCEPTION_INIT Pragma",
    ),
    Ruling(
        "DECLARE e EXCEPTION; PRAGMA EXCEPTION_INIT(e, -1403); BEGIN NULL; END;",
        "PLS-00701",
        "LNPLS, EXCEPTION_INIT Pragma",
    ),
    Ruling(
        "DECLARE TYPE n IS TABLE OF NUMBER INDEX BY NUMBER; BEGIN NULL; END;",
        "PLS-00315",
        "LNPLS, Collection Variable Declaration",
    ),
    Ruling(
        "DECLARE TYPE n IS TABLE OF NUMBER INDEX BY DATE; BEGIN NULL; END;",
        "PLS-00315",
        "LNPLS, Collection Variable Declaration",
    ),
    Ruling("BEGIN RETURN 1; END;", "PLS-00372", "LNPLS, RETURN Statement"),
    Ruling("DECLARE PROCEDURE q IS BEGIN NULL; END; n NUMBER; BEGIN NULL; END;", "PLS-00103", BLOCK),
    Ruling(
        "DECLARE PROCEDURE q IS BEGIN NULL; END; CURSOR c IS SELECT 1 x FROM dual; BEGIN NULL; END;",
        "",
        BLOCK,
    ),
    Ruling(
        "DECLARE PROCEDURE a IS BEGIN b; END; PROCEDURE b IS BEGIN NULL; END; BEGIN a; END;",
        "PLS-00313",
        "LNPLS, Forward Declaration",
    ),
    Ruling(
        "DECLARE PROCEDURE b; PROCEDURE a IS BEGIN b; END; PROCEDURE b IS BEGIN NULL; END; BEGIN a; END;",
        "",
        "LNPLS, Forward Declaration",
    ),
    Ruling(
        "DECLARE TYPE n IS TABLE OF NUMBER; x n := n(1); BEGIN FORALL i IN 1 .. 1 DBMS_OUTPUT.PUT_LINE(i); END;",
        "PLS-00103",
        "LNPLS, FORALL Statement",
    ),
    Ruling("BEGIN p(a => 1, 2); END;", "PLS-00312", ACTUAL, (P,)),
    Ruling("BEGIN p(a => 1, a => 2); END;", "PLS-00703", ERR, (P,)),
    Ruling("BEGIN p(1, b => 2); END;", "", ACTUAL, (P,)),
    Ruling("DECLARE PROCEDURE q (a VARCHAR2(10)) IS BEGIN NULL; END; BEGIN NULL; END;", "PLS-00103", FORMAL),
    Ruling("CALL p", "ORA-06576", "SQL, CALL", ("CREATE PROCEDURE p IS BEGIN NULL; END;",)),
    Ruling("CALL p()", "", "SQL, CALL", ("CREATE PROCEDURE p IS BEGIN NULL; END;",)),
    Ruling("CALL nosuch()", "ORA-06576", ERR),
]
CURSORS = [
    Ruling(
        "DECLARE CURSOR c IS SELECT a FROM t; n NUMBER; m NUMBER; BEGIN OPEN c; FETCH c INTO n, m; END;",
        "PLS-00394",
        "LNPLS, FETCH Statement",
        (T,),
    ),
    Ruling(
        "DECLARE CURSOR c IS SELECT a FROM t; BEGIN FOR r IN c LOOP UPDATE t SET a = 2 WHERE CURRENT OF c; END LOOP; END;",
        "PLS-00404",
        "LNPLS, UPDATE Statement Extensions",
        (T,),
    ),
    Ruling(
        "DECLARE n NUMBER; BEGIN SELECT a, b INTO n FROM t; END;",
        "ORA-00913",
        "LNPLS, SELECT INTO Statement",
        (T,),
    ),
    Ruling(
        "DECLARE n NUMBER; m NUMBER; BEGIN SELECT a INTO n, m FROM t; END;",
        "ORA-00947",
        "LNPLS, SELECT INTO Statement",
        (T,),
    ),
    Ruling("BEGIN INSERT INTO t (b) VALUES (SQLERRM); END;", "PLS-00231", "LNPLS, SQLERRM Function", (T,)),
    Ruling(
        "BEGIN INSERT INTO l (SQLERRM) VALUES ('x'); UPDATE l SET a = SQLERRM; END;",
        "",
        "LNPLS, PL/SQL Name Resolution: columns come first",
        ("CREATE TABLE l (a VARCHAR2(9), SQLERRM VARCHAR2(9))",),
    ),
]
DYNAMIC = [
    Ruling(
        "DECLARE n NUMBER; BEGIN EXECUTE IMMEDIATE 'SELECT :a FROM dual' INTO n; END;",
        "ORA-01008",
        "LNPLS, EXECUTE IMMEDIATE Statement",
    ),
    Ruling(
        "DECLARE n NUMBER; BEGIN EXECUTE IMMEDIATE 'SELECT 1 FROM dual' INTO n USING 5; END;",
        "ORA-01006",
        "LNPLS, EXECUTE IMMEDIATE Statement",
    ),
    Ruling(
        "DECLARE n NUMBER; BEGIN EXECUTE IMMEDIATE 'BEGIN :a := :b + :b; END;' USING OUT n, 4; END;",
        "",
        "LNPLS, Repeated Placeholder Names in Dynamic SQL Statements",
    ),
    Ruling(
        "DECLARE n NUMBER; BEGIN EXECUTE IMMEDIATE 'SELECT :b + :b FROM dual' INTO n USING 4; END;",
        "ORA-01008",
        "LNPLS, Repeated Placeholder Names in Dynamic SQL Statements",
    ),
    Ruling(
        "BEGIN EXECUTE IMMEDIATE 'INSERT INTO t VALUES (:a, :b)' USING 1, NULL; END;",
        "PLS-00457",
        "LNPLS, EXECUTE IMMEDIATE Statement: not the literal NULL",
        (T,),
    ),
]
COLLECTIONS = [
    Ruling(
        "DECLARE TYPE n IS VARRAY(2) OF NUMBER; x n := n(1, 2); BEGIN x.DELETE(1); END;",
        "PLS-00306",
        "LNPLS, DELETE Collection Method: not single elements of varrays",
    ),
    Ruling(
        "DECLARE TYPE n IS VARRAY(2) OF NUMBER; x n := n(1, 2); BEGIN x.DELETE; END;",
        "",
        "LNPLS, DELETE Collection Method",
    ),
    Ruling(
        "DECLARE TYPE n IS TABLE OF NUMBER; x n := n(1, 2); BEGIN x.DELETE(1, 2, 3); END;",
        "PLS-00306",
        "LNPLS, DELETE Collection Method",
    ),
    Ruling(
        "DECLARE TYPE n IS TABLE OF NUMBER; x n := n(1, 2); BEGIN x.TRIM(1, 2); END;",
        "PLS-00306",
        "LNPLS, TRIM Collection Method",
    ),
    Ruling(
        "DECLARE TYPE n IS TABLE OF NUMBER; x n := n(1, 2); BEGIN IF x.EXISTS THEN NULL; END IF; END;",
        "PLS-00306",
        "LNPLS, EXISTS Collection Method",
    ),
]
UNKNOWN = [
    Ruling(
        "DECLARE TYPE n IS TABLE OF NUMBER; x n := n(1) MULTISET UNION n(2); BEGIN NULL; END;",
        "ORA-03001",
        "valid in Oracle, not there",
    ),
    Ruling(
        "DECLARE TYPE n IS TABLE OF NUMBER; x n := n(1); BEGIN IF 1 MEMBER OF x THEN NULL; END IF; END;",
        "ORA-03001",
        "valid in Oracle, not there",
    ),
    Ruling(
        "DECLARE TYPE n IS TABLE OF NUMBER INDEX BY PLS_INTEGER; x n; BEGIN x := n(1 => 5, 2 => 6); END;",
        "ORA-03001",
        "valid in Oracle, not there",
    ),
    Ruling(
        "BEGIN $IF DBMS_DB_VERSION.VERSION >= 12 $THEN NULL; $END END;",
        "ORA-03001",
        "valid in Oracle, not there",
    ),
    Ruling("BEGIN DBMS_OUTPUT.PUT_LINE($$PLSQL_LINE); END;", "ORA-03001", "valid in Oracle, not there"),
]
UNITS = [
    Compilation("CREATE PROCEDURE p IS BEGIN RETURN 1; END;", "PLS-00372", "LNPLS, RETURN Statement"),
    Compilation(
        "CREATE FUNCTION f RETURN NUMBER IS BEGIN RETURN; END;", "PLS-00503", "LNPLS, RETURN Statement"
    ),
    Compilation("CREATE PROCEDURE p (a OUT NUMBER DEFAULT 1) IS BEGIN a := 1; END;", "PLS-00230", FORMAL),
    Compilation("CREATE PROCEDURE p (a VARCHAR2(10)) IS BEGIN NULL; END;", "PLS-00103", FORMAL),
    Compilation(
        "CREATE FUNCTION f RETURN VARCHAR2(10) IS BEGIN RETURN 'a'; END;",
        "PLS-00103",
        "LNPLS, Function Declaration and Definition",
    ),
    Compilation("CREATE PROCEDURE p IS BEGIN NULL; END q;", "PLS-00113", ERR),
    Compilation("CREATE PACKAGE k IS PROCEDURE p; END q;", "PLS-00113", ERR),
    Compilation("CREATE PACKAGE k IS c CONSTANT NUMBER; END;", "PLS-00322", "LNPLS, Constant Declaration"),
    Compilation(
        "CREATE PACKAGE BODY k IS FUNCTION f RETURN NUMBER IS BEGIN RETURN; END; END;",
        "PLS-00503",
        "LNPLS, RETURN Statement",
        ("CREATE PACKAGE k IS FUNCTION f RETURN NUMBER; END;",),
    ),
]


@pytest.mark.parametrize("ruling", BLOCKS + CURSORS + DYNAMIC + COLLECTIONS + UNKNOWN, ids=str)
def test_blocks_are_taken_or_refused_as_documented(bench: Bench, ruling: Ruling) -> None:
    bench.hold(ruling)


@pytest.mark.parametrize("compilation", UNITS, ids=str)
def test_units_are_kept_with_their_errors(bench: Bench, compilation: Compilation) -> None:
    bench.hold(compilation)


def test_error_messages_of_numbers_that_are_none(schema: Schema) -> None:
    with schema.connection.cursor() as cursor:
        messages = [cursor.var(str) for _ in range(4)]
        cursor.execute(
            "BEGIN :1 := SQLERRM(0); :2 := SQLERRM(100); :3 := SQLERRM(7); :4 := SQLERRM(-6511); END;",
            messages,
        )
        assert [message.getvalue() for message in messages] == [
            "ORA-0000: normal, successful completion",
            "ORA-01403: no data found",
            "-7: non-ORACLE exception",
            "ORA-06511: PL/SQL: cursor already open",
        ]
