# ruff: noqa: E501 - statements read better on one line
"""Joins, and the outer join operator (+) ("Joins" in the SQL Language Reference)."""

from __future__ import annotations

import oracledb
import pytest

from support.rulings import Ruling

_JOINS = "SQL Language Reference, Joins, Outer Joins"
_USING = "SQL Language Reference, SELECT, join_clause; Error Messages"
_FROM = "SELECT P.ID FROM PERSON P, ADDRESS A, COUNTRY C WHERE"

RULINGS = [
    Ruling("SELECT P.ID FROM PERSON P, ADDRESS A WHERE P.ID = A.PERSON_ID(+)", "", _JOINS),
    Ruling(
        "SELECT P.ID FROM PERSON P, ADDRESS A WHERE P.ID = A.PERSON_ID (+) AND A.CITY(+) = 'Oslo'", "", _JOINS
    ),
    Ruling("SELECT P.ID FROM PERSON P, ADDRESS A WHERE P.ID(+) = A.PERSON_ID(+)", "ORA-01468", _JOINS),
    Ruling(
        "SELECT P.ID FROM PERSON P, ADDRESS A WHERE P.ID(+) = A.PERSON_ID AND P.NAME = A.CITY(+)",
        "ORA-01416",
        _JOINS,
    ),
    Ruling(
        "SELECT P.ID FROM PERSON P JOIN ADDRESS A ON P.ID = A.ID WHERE P.ID = A.PERSON_ID(+)",
        "ORA-25156",
        _JOINS,
    ),
    Ruling(
        "SELECT P.ID FROM PERSON P, ADDRESS A WHERE P.ID = A.PERSON_ID(+) OR P.ID = 1", "ORA-01719", _JOINS
    ),
    Ruling("SELECT P.ID FROM PERSON P, ADDRESS A WHERE A.PERSON_ID(+) IN (P.ID, 2)", "ORA-01719", _JOINS),
    Ruling(
        "SELECT P.ID FROM PERSON P, ADDRESS A WHERE P.ID = A.PERSON_ID(+) AND A.ID(+) = (SELECT MAX(ID) FROM PERSON)",
        "ORA-01799",
        _JOINS,
    ),
    Ruling(
        "SELECT P.ID FROM PERSON P, ADDRESS A WHERE A.PERSON_ID(+) IN (SELECT ID FROM PERSON)",
        "ORA-01799",
        _JOINS,
    ),
    Ruling(
        "SELECT P.ID FROM PERSON P LEFT JOIN ADDRESS A ON A.ID = (SELECT MAX(ID) FROM PERSON)",
        "ORA-01799",
        _JOINS,
    ),
    Ruling(
        "SELECT P.ID FROM PERSON P LEFT JOIN ADDRESS A ON A.ID = P.ID AND A.ID IN (SELECT ID FROM PERSON)",
        "ORA-01799",
        _JOINS,
    ),
    Ruling("SELECT P.ID FROM PERSON P JOIN ADDRESS A ON A.ID = (SELECT MAX(ID) FROM PERSON)", "", _JOINS),
    Ruling(f"{_FROM} A.PERSON_ID = P.ID(+) AND C.CODE = P.CODE(+)", "", f"{_JOINS}: since 12c"),
    Ruling("SELECT ID(+) FROM PERSON", "ORA-30563", "Error Messages"),
    Ruling("SELECT ID FROM PERSON ORDER BY ID(+)", "ORA-30563", "Error Messages"),
    Ruling("SELECT P.ID FROM PERSON P, ADDRESS A WHERE UPPER(A.CITY(+)) = P.NAME", "", _JOINS),
    Ruling("SELECT P.ID FROM PERSON P, ADDRESS A WHERE UPPER(A.CITY)(+) = P.NAME", "ORA-00936", _JOINS),
    Ruling("SELECT E.ID FROM PERSON E WHERE E.ID(+) = E.PAY", "ORA-01416", f"{_JOINS}: not to itself"),
    Ruling("SELECT P.ID FROM PERSON P JOIN ADDRESS A USING (P.ID)", "ORA-01748", _USING),
    Ruling("SELECT P.ID FROM PERSON P JOIN ADDRESS A USING (ID)", "ORA-25154", _USING),
    Ruling("SELECT ID FROM PERSON P JOIN ADDRESS A USING (ID)", "", _USING),
    Ruling(
        "SELECT ID FROM PERSON P, LATERAL (SELECT CITY FROM ADDRESS A WHERE A.ID = P.ID)",
        "",
        "SQL Language Reference, SELECT, LATERAL",
    ),
]


@pytest.mark.parametrize("ruling", RULINGS, ids=str)
def test_ruling(people: oracledb.Connection, ruling: Ruling) -> None:
    ruling.hold(people)
