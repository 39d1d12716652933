"""Bind variables: their names, their number, their length, and where they may stand."""

from __future__ import annotations

from typing import Any

import oracledb
import pytest

from support.stand_in import Server

_REFUSED = [
    # Names: reserved words of SQL (Error Messages, ORA-01745)
    ("SELECT :SIZE FROM DUAL", [1], "ORA-01745"),
    ("SELECT :mode FROM DUAL", [1], "ORA-01745"),
    ("SELECT :LEVEL FROM DUAL", [1], "ORA-01745"),
    ("SELECT :DATE FROM DUAL", [1], "ORA-01745"),
    ("SELECT :FILE FROM DUAL", [1], "ORA-01745"),
    ("SELECT :START FROM DUAL", [1], "ORA-01745"),
    ("SELECT :UID FROM DUAL", [1], "ORA-01745"),
    ("SELECT :COMMENT FROM DUAL", [1], "ORA-01745"),
    ("DELETE FROM ADDRESS WHERE ID = :NUMBER", [1], "ORA-01745"),
    # Where they may not stand (ORA-01027)
    ("CREATE TABLE BOUND AS SELECT :A AS X FROM DUAL", [], "ORA-01027"),
    ("CREATE VIEW BOUND AS SELECT NAME FROM PERSON WHERE ID = :A", [], "ORA-01027"),
    ("ALTER TABLE PERSON ADD (X NUMBER DEFAULT :A)", [], "ORA-01027"),
    ("SELECT NAME FROM :T", [1], "ORA-00903"),
    ("SELECT P.:C FROM PERSON P", [1], "ORA-01747"),
    ("SELECT NAME FROM PERSON WHERE :A", [1], "ORA-00920"),
]


@pytest.mark.parametrize(("statement", "values", "code"), _REFUSED)
def test_refused(people: oracledb.Connection, statement: str, values: list[Any], code: str) -> None:
    with pytest.raises(oracledb.DatabaseError, match=code):
        people.cursor().execute(statement, values)


_TAKEN = [
    ("SELECT :X FROM DUAL", [1]),
    ("SELECT :1, :2 FROM DUAL", [1, 2]),
    ('SELECT :"size" FROM DUAL', [1]),
    ("SELECT :NAME, :VALUE, :COUNT, :KEY FROM DUAL", [1, 2, 3, 4]),
    ("SELECT NAME FROM PERSON WHERE ID IN (:A, :B) AND NAME LIKE :C", [1, 2, "a%"]),
    ("SELECT NAME FROM PERSON ORDER BY ID FETCH FIRST :N ROWS ONLY", [1]),
    ("BEGIN NULL; END;", []),
]


@pytest.mark.parametrize(("statement", "values"), _TAKEN)
def test_taken(people: oracledb.Connection, statement: str, values: list[Any]) -> None:
    people.cursor().execute(statement, values)


def test_a_value_is_missing(people: oracledb.Connection) -> None:
    """The driver refuses most of this itself (DPY-4008, DPY-4009), what it lets through is ORA-01008."""
    cursor = people.cursor()
    with pytest.raises(oracledb.DatabaseError, match=r"ORA-01008|DPY-4010"):
        cursor.execute("SELECT :A FROM DUAL")
    with pytest.raises(oracledb.DatabaseError, match=r"ORA-01008|DPY-4009|DPY-4010"):
        cursor.execute("SELECT :A, :B FROM DUAL", [1])
    with pytest.raises(oracledb.DatabaseError, match=r"ORA-01036|DPY-4008"):
        cursor.execute("SELECT :A FROM DUAL", {"A": 1, "B": 2})


LONG_TEXT = "x" * 5000


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE PERSON SET NOTE = :A WHERE ID = 1",
        "INSERT INTO ADDRESS (ID, NOTE) VALUES (9, :A)",
        "UPDATE DIARY SET TEXT = :A WHERE ID = 1",
    ],
)
def test_a_value_beyond_4000_bytes_straight_into_a_lob_or_long(
    people: oracledb.Connection, statement: str
) -> None:
    people.cursor().execute(statement, A=LONG_TEXT)


def test_a_long_value_and_a_longer_one(oracle: Server, people: oracledb.Connection) -> None:
    """PL/SQL variables hold 32,767 bytes, whatever SQL says."""
    length = people.cursor().var(int)
    people.cursor().execute("BEGIN :L := LENGTH(:A); END;", L=length, A=LONG_TEXT)
    assert length.getvalue() == 5000
