"""What PL/SQL converts without being told, and what is of the wrong type."""

from __future__ import annotations

import oracledb
import pytest

from support.rulings import Ruling

_MATRIX = "SQL Language Reference, Data Conversion, Implicit Type Conversion Matrix"
_LOBS = (
    "SecureFiles and Large Objects Developer's Guide, Some Implicit Conversions Are Not Supported for LOB "
    "Data Types"
)
_NEVER = "DECLARE {} BEGIN IF 1 = 0 THEN {} END IF; END;"

RULINGS = [
    Ruling(_NEVER.format("V VARCHAR2(9); B BLOB;", "V := B;"), "PLS-00382", _LOBS),
    Ruling("DECLARE V VARCHAR2(9); B BLOB; BEGIN V := B; END;", "PLS-00382", _LOBS),
    Ruling("DECLARE B BLOB; V VARCHAR2(9) := B; BEGIN NULL; END;", "PLS-00382", _LOBS),
    Ruling("DECLARE R RAW(9); C CLOB; BEGIN R := C; END;", "PLS-00382", _LOBS),
    Ruling("DECLARE C CLOB; BEGIN C := 1; END;", "PLS-00382", _LOBS),
    Ruling("DECLARE C CLOB; BEGIN C := SYSDATE; END;", "PLS-00382", _LOBS),
    Ruling("DECLARE N NUMBER; C CLOB; BEGIN N := C; END;", "PLS-00382", _LOBS),
    Ruling("DECLARE C CLOB; B BLOB; BEGIN C := B; END;", "PLS-00382", _LOBS),
    Ruling("DECLARE R RAW(9); B BLOB; BEGIN R := B; B := R; END;", "", _LOBS),
    Ruling("DECLARE V VARCHAR2(9); C CLOB; BEGIN V := C; C := V; END;", "", _LOBS),
    Ruling(_NEVER.format("N NUMBER; D DATE;", "N := D;"), "PLS-00382", _MATRIX),
    Ruling(_NEVER.format("N NUMBER; D DATE;", "D := N;"), "PLS-00382", _MATRIX),
    Ruling(_NEVER.format("N NUMBER; R RAW(4);", "N := R;"), "PLS-00382", _MATRIX),
    Ruling(_NEVER.format("I INTERVAL DAY TO SECOND; D DATE;", "I := D;"), "PLS-00382", _MATRIX),
    Ruling("DECLARE I INTERVAL DAY TO SECOND; BEGIN I := SYSDATE; END;", "PLS-00382", _MATRIX),
    Ruling(_NEVER.format("B BOOLEAN; V VARCHAR2(9);", "V := B;"), "PLS-00382", _MATRIX),
    Ruling(_NEVER.format("B BOOLEAN; V VARCHAR2(9);", "B := V;"), "PLS-00382", _MATRIX),
    Ruling(_NEVER.format("N NUMBER; V VARCHAR2(9);", "V := N; N := V;"), "", _MATRIX),
    Ruling(_NEVER.format("D DATE; V VARCHAR2(9);", "V := D; D := V;"), "", _MATRIX),
    Ruling(_NEVER.format("R RAW(9); V VARCHAR2(9);", "V := R; R := V;"), "", _MATRIX),
    Ruling(_NEVER.format("D DATE; T TIMESTAMP;", "T := D; D := T;"), "", _MATRIX),
    Ruling(_NEVER.format("P PERSON%ROWTYPE; V VARCHAR2(9);", "V := P.PICTURE;"), "PLS-00382", _LOBS),
    Ruling(_NEVER.format("P PERSON%ROWTYPE; V VARCHAR2(9);", "V := P.NOTE;"), "", _LOBS),
]


@pytest.mark.parametrize("ruling", RULINGS, ids=str)
def test_what_is_converted(ruling: Ruling, people: oracledb.Connection) -> None:
    ruling.hold(people)


def test_binds_are_of_their_types(people: oracledb.Connection) -> None:
    with people.cursor() as cursor:
        blob, text = cursor.var(oracledb.DB_TYPE_BLOB), cursor.var(str)
        cursor.execute("BEGIN DBMS_LOB.CREATETEMPORARY(:content, TRUE); END;", content=blob)
        with pytest.raises(oracledb.DatabaseError, match="PLS-00382"):
            cursor.execute("BEGIN :written := :content; END;", content=blob, written=text)
        with pytest.raises(oracledb.DatabaseError, match="PLS-00382"):
            cursor.execute("DECLARE V VARCHAR2(9); BEGIN V := :content; END;", content=blob)
        with pytest.raises(oracledb.DatabaseError, match="PLS-00306"):
            cursor.execute("BEGIN DBMS_OUTPUT.PUT_LINE(:content); END;", content=blob)
        with pytest.raises(oracledb.DatabaseError, match="PLS-00306"):
            cursor.execute("DECLARE B BLOB; BEGIN DBMS_OUTPUT.PUT_LINE(B); END;")
        with pytest.raises(oracledb.DatabaseError, match="PLS-00382"):
            cursor.execute("BEGIN :written := 1 = 1; END;", written=text)
