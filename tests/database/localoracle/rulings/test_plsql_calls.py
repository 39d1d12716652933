"""How procedures and functions are called, from PL/SQL and from SQL, and the form of a block."""

from __future__ import annotations

import oracledb
import pytest

from support.rulings import Ruling

_CALLS = "Error Messages, PLS codes"
_SQL = "PL/SQL Language Reference, PL/SQL Functions that SQL Statements Can Invoke"
_BLOCK = "PL/SQL Language Reference, Block"

_FUNCTION = "CREATE OR REPLACE FUNCTION TWICE(N IN NUMBER) RETURN NUMBER IS BEGIN RETURN N * 2; END;"
_TAKES_BOOLEAN = (
    "CREATE OR REPLACE FUNCTION AS_NUMBER(B IN BOOLEAN) RETURN NUMBER IS "
    "BEGIN IF B THEN RETURN 1; END IF; RETURN 0; END;"
)
_PROCEDURE = "CREATE OR REPLACE PROCEDURE NOTHING(N IN NUMBER) IS BEGIN NULL; END;"

RULINGS = [
    Ruling("BEGIN DBMS_LOB.GETLENGTH(NULL); END;", "PLS-00221", _CALLS),
    Ruling("BEGIN TWICE(1); END;", "PLS-00221", _CALLS, (_FUNCTION,)),
    Ruling("DECLARE N NUMBER; BEGIN N := TWICE(1); END;", "", _CALLS, (_FUNCTION,)),
    Ruling("DECLARE N NUMBER; BEGIN N := NOTHING(1); END;", "PLS-00222", _CALLS, (_PROCEDURE,)),
    Ruling("DECLARE N NUMBER; BEGIN N := DBMS_OUTPUT.PUT_LINE('x'); END;", "PLS-00222", _CALLS),
    Ruling("BEGIN NOTHING(1); END;", "", _CALLS, (_PROCEDURE,)),
    Ruling("BEGIN NOTHING; END;", "PLS-00306", _CALLS, (_PROCEDURE,)),
    Ruling("BEGIN NOTHING(1, 2); END;", "PLS-00306", _CALLS, (_PROCEDURE,)),
    Ruling("BEGIN NOTHING(M => 1); END;", "PLS-00306", _CALLS, (_PROCEDURE,)),
    Ruling("BEGIN NOTHING(N => 1); END;", "", _CALLS, (_PROCEDURE,)),
    Ruling("BEGIN DBMS_OUTPUT.PUT_LINE(NOSUCH => 'x'); END;", "PLS-00306", _CALLS),
    Ruling("BEGIN DBMS_OUTPUT.NOSUCH('x'); END;", "PLS-00302", _CALLS),
    Ruling("BEGIN NOSUCH.CALL('x'); END;", "PLS-00201", _CALLS),
    Ruling("BEGIN NOSUCH; END;", "PLS-00201", _CALLS),
    Ruling("DECLARE N NUMBER; BEGIN N := TRUE; END;", "PLS-00382", _CALLS),
    Ruling("BEGIN IF 1 THEN NULL; END IF; END;", "PLS-00382", _CALLS),
    Ruling("DECLARE B BOOLEAN; BEGIN B := 1; END;", "PLS-00382", _CALLS),
    Ruling("DECLARE C CONSTANT NUMBER := 1; BEGIN C := 2; END;", "PLS-00363", _CALLS),
    # From SQL
    Ruling("SELECT AS_NUMBER(ID = 1) FROM PERSON", "ORA-00907", _SQL, (_TAKES_BOOLEAN,)),
    Ruling(
        "SELECT DBMS_LOB.NOSUCH(NOTE) FROM PERSON", 'ORA-00904: "DBMS_LOB"."NOSUCH": invalid identifier', _SQL
    ),
    Ruling("SELECT DBMS_LOB.GETLENGTH(NOTE) FROM PERSON", "", _SQL),
    Ruling("SELECT DBMS_LOB.GETLENGTH(LOB_LOC => NOTE) FROM PERSON", "", _SQL),
    Ruling("SELECT SQLERRM FROM DUAL", "ORA-00904", _SQL),
    # Blocks
    Ruling("BEGIN NULL; END", "PLS-00103", _BLOCK),
    Ruling("BEGIN NULL END;", "PLS-00103", _BLOCK),
    Ruling("BEGIN END;", "PLS-00103", _BLOCK),
    Ruling("BEGIN NULL; END;", "", _BLOCK),
    Ruling("BEGIN NULL; END;;", "PLS-00103", _BLOCK),
    Ruling("BEGIN NULL; END; SELECT", "PLS-00103", _BLOCK),
    Ruling("DECLARE BEGIN NULL; END;", "", _BLOCK),
    Ruling("BEGIN SELECT 1 FROM DUAL; END;", "PLS-00428", _BLOCK),
    Ruling("DECLARE N NUMBER; BEGIN SELECT NOSUCH INTO N FROM PERSON; END;", "ORA-00904", _BLOCK),
    Ruling("DECLARE N NUMBER; BEGIN SELECT ID INTO N FROM PERSON; END;", "ORA-01422", _BLOCK),
    Ruling("DECLARE N NUMBER; BEGIN SELECT ID INTO N FROM PERSON WHERE ID = 99; END;", "ORA-01403", _BLOCK),
    Ruling("CALL NOTHING(1)", "", "SQL Language Reference, CALL", (_PROCEDURE,)),
]


@pytest.mark.parametrize("ruling", RULINGS, ids=str)
def test_ruling(people: oracledb.Connection, ruling: Ruling) -> None:
    ruling.hold(people)
