# ruff: noqa: E501 - statements read better on one line
"""Stored functions and members of packages that SQL calls."""

from __future__ import annotations

import oracledb
import pytest

from support.rulings import Ruling

_F_BOOL = "CREATE OR REPLACE FUNCTION f_bool(b BOOLEAN) RETURN NUMBER IS BEGIN RETURN 1; END;"
_F_DML = "CREATE OR REPLACE FUNCTION f_dml(n NUMBER) RETURN NUMBER IS BEGIN INSERT INTO ADDRESS (ID) VALUES (n); RETURN n; END;"
_F_MUT = "CREATE OR REPLACE FUNCTION f_mut(n NUMBER) RETURN NUMBER IS x NUMBER; BEGIN SELECT COUNT(*) INTO x FROM PERSON; RETURN x; END;"
_F_NDF = "CREATE OR REPLACE FUNCTION f_ndf(n NUMBER) RETURN NUMBER IS x NUMBER; BEGIN SELECT ID INTO x FROM PERSON WHERE ID = n; RETURN x; END;"
_F_NONE = (
    "CREATE OR REPLACE FUNCTION f_none(n NUMBER) RETURN NUMBER IS BEGIN IF n > 99 THEN RETURN 1; END IF; END;"
)
_F_OUT = (
    "CREATE OR REPLACE FUNCTION f_out(a NUMBER, b OUT NUMBER) RETURN NUMBER IS BEGIN b := 1; RETURN 1; END;"
)
_F_RBOOL = "CREATE OR REPLACE FUNCTION f_rbool(n NUMBER) RETURN BOOLEAN IS BEGIN RETURN TRUE; END;"
_PR = "CREATE OR REPLACE PROCEDURE pr(n NUMBER) IS BEGIN NULL; END;"

RULINGS = [
    Ruling(
        "SELECT f_out(1, 2) FROM DUAL",
        "ORA-06572",
        "PL/SQL Language Reference, PL/SQL Functions that SQL Statements Can Invoke",
        (_F_OUT,),
    ),
    Ruling(
        "SELECT f_bool(1) FROM DUAL",
        "ORA-06553: PLS-306",
        "PL/SQL Language Reference, PL/SQL Functions that SQL Statements Can Invoke",
        (_F_BOOL,),
    ),
    Ruling(
        "SELECT f_bool(TRUE) FROM DUAL",
        "ORA-00904",
        "PL/SQL Language Reference, PL/SQL Functions that SQL Statements Can Invoke",
        (_F_BOOL,),
    ),
    Ruling(
        "SELECT f_rbool(1) FROM DUAL",
        "ORA-06552",
        "PL/SQL Language Reference, PL/SQL Functions that SQL Statements Can Invoke",
        (_F_RBOOL,),
    ),
    Ruling(
        "SELECT f_dml(1) FROM DUAL",
        "ORA-14551",
        "PL/SQL Language Reference, PL/SQL Functions that SQL Statements Can Invoke",
        (_F_DML,),
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE f_dml(ID) = 1",
        "ORA-14551",
        "PL/SQL Language Reference, PL/SQL Functions that SQL Statements Can Invoke",
        (_F_DML,),
    ),
    Ruling(
        "INSERT INTO PERSON (ID, PAY) VALUES (78, f_mut(1))",
        "",
        "PL/SQL Language Reference, PL/SQL Functions that SQL Statements Can Invoke",
        (_F_MUT,),
    ),
    Ruling(
        "SELECT f_mut(1) FROM PERSON",
        "",
        "PL/SQL Language Reference, PL/SQL Functions that SQL Statements Can Invoke",
        (_F_MUT,),
    ),
    Ruling(
        "SELECT f_none(1) FROM DUAL",
        "ORA-06503",
        "PL/SQL Language Reference, PL/SQL Functions that SQL Statements Can Invoke",
        (_F_NONE,),
    ),
    Ruling(
        "SELECT DBMS_LOB.LOB_READONLY FROM DUAL",
        "ORA-06553: PLS-221",
        "PL/SQL Language Reference, PL/SQL Functions that SQL Statements Can Invoke",
    ),
    Ruling(
        "SELECT DBMS_CRYPTO.HASH_SH256 FROM DUAL",
        "ORA-06553: PLS-221",
        "PL/SQL Language Reference, PL/SQL Functions that SQL Statements Can Invoke",
    ),
    Ruling(
        "SELECT pr(1) FROM DUAL",
        "ORA-00904",
        "PL/SQL Language Reference, PL/SQL Functions that SQL Statements Can Invoke",
        (_PR,),
    ),
    Ruling(
        "SELECT f_ndf FROM DUAL",
        "ORA-06553: PLS-306",
        "PL/SQL Language Reference, PL/SQL Functions that SQL Statements Can Invoke",
        (_F_NDF,),
    ),
    Ruling(
        "SELECT f_ndf(1, 2) FROM DUAL",
        "ORA-06553: PLS-306",
        "PL/SQL Language Reference, PL/SQL Functions that SQL Statements Can Invoke",
        (_F_NDF,),
    ),
    Ruling(
        "SELECT f_ndf(m => 1) FROM DUAL",
        "ORA-06553: PLS-306",
        "PL/SQL Language Reference, PL/SQL Functions that SQL Statements Can Invoke",
        (_F_NDF,),
    ),
    Ruling(
        "SELECT f_ndf('x') FROM DUAL",
        "ORA-01722",
        "PL/SQL Language Reference, PL/SQL Functions that SQL Statements Can Invoke",
        (_F_NDF,),
    ),
    Ruling(
        "SELECT f_ndf('1') FROM DUAL",
        "",
        "PL/SQL Language Reference, PL/SQL Functions that SQL Statements Can Invoke",
        (_F_NDF,),
    ),
    Ruling(
        "SELECT f_ndf(BORN) FROM PERSON",
        "ORA-06553: PLS-306",
        "PL/SQL Language Reference, PL/SQL Functions that SQL Statements Can Invoke",
        (_F_NDF,),
    ),
    Ruling("SELECT SQLCODE FROM DUAL", "ORA-00904", "SQL Language Reference, Functions; Error Messages"),
    Ruling("SELECT FALSE FROM DUAL", "ORA-00904", "SQL Language Reference, Functions; Error Messages"),
    Ruling(
        "SELECT ID FROM PERSON WHERE TRUE", "ORA-00920", "SQL Language Reference, Conditions; Data Conversion"
    ),
]


@pytest.mark.parametrize("ruling", RULINGS, ids=str)
def test_ruling(people: oracledb.Connection, ruling: Ruling) -> None:
    ruling.hold(people)
