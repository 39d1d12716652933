"""Set operators, WITH and the types that alternatives may have."""

from __future__ import annotations

import oracledb
import pytest

from support.rulings import Ruling

_SET = "SQL Language Reference, The UNION [ALL], INTERSECT, MINUS Operators"
_WITH = "SQL Language Reference, SELECT, subquery_factoring_clause; Error Messages, ORA-32034"
_CASE = "SQL Language Reference, CASE Expressions"
_ERRORS = "Error Messages"
_COALESCE = "SQL Language Reference, COALESCE"

RULINGS = [
    # Set operators
    Ruling("SELECT ID FROM PERSON UNION SELECT ID, CITY FROM ADDRESS", "ORA-01789", _SET),
    Ruling("SELECT ID FROM PERSON UNION SELECT CITY FROM ADDRESS", "ORA-01790", _SET),
    Ruling("SELECT 1 FROM DUAL UNION ALL SELECT 'x' FROM DUAL", "ORA-01790", _SET),
    Ruling("SELECT 1 FROM DUAL UNION ALL SELECT NULL FROM DUAL", "", _SET),
    Ruling("SELECT NULL FROM DUAL UNION ALL SELECT SYSDATE FROM DUAL", "", _SET),
    Ruling("SELECT BORN FROM PERSON MINUS SELECT NAME FROM PERSON", "ORA-01790", _SET),
    Ruling("SELECT BORN FROM PERSON UNION SELECT ID FROM PERSON", "ORA-01790", _SET),
    Ruling("SELECT BORN FROM PERSON UNION SELECT SEEN FROM PERSON", "", "one group: datetime"),
    Ruling("SELECT NAME FROM PERSON UNION SELECT CODE FROM PERSON", "", _SET),
    Ruling("SELECT NICK FROM PERSON UNION ALL SELECT N'x' FROM DUAL", "", _SET),
    Ruling("SELECT TO_CHAR(NICK) FROM PERSON UNION SELECT NAME FROM PERSON", "", _SET),
    Ruling("SELECT TO_NCHAR(NAME) FROM PERSON UNION SELECT NICK FROM PERSON", "", _SET),
    Ruling("SELECT PIN FROM PERSON UNION SELECT NAME FROM PERSON", "ORA-01790", _SET),
    Ruling("SELECT NOTE FROM PERSON UNION SELECT NOTE FROM ADDRESS", "ORA-00932", _SET),
    Ruling("SELECT NOTE FROM PERSON INTERSECT SELECT NOTE FROM ADDRESS", "ORA-00932", _SET),
    Ruling("SELECT PICTURE FROM PERSON MINUS SELECT PICTURE FROM PERSON", "ORA-00932", _SET),
    Ruling("SELECT NOTE FROM PERSON UNION ALL SELECT NAME FROM PERSON", "ORA-01790", _SET),
    Ruling("SELECT ID FROM PERSON ORDER BY ID UNION SELECT ID FROM ADDRESS", "ORA-00933", _SET),
    Ruling("SELECT ID FROM PERSON UNION SELECT ID FROM ADDRESS ORDER BY ID", "", _SET),
    Ruling("SELECT ID FROM PERSON UNION SELECT PERSON_ID FROM ADDRESS ORDER BY PERSON_ID", "ORA-00904", _SET),
    Ruling("SELECT ID FROM PERSON UNION SELECT PERSON_ID FROM ADDRESS ORDER BY 1", "", _SET),
    Ruling("SELECT ID FROM PERSON UNION SELECT ID FROM ADDRESS ORDER BY 2", "ORA-01785", _SET),
    Ruling(
        "SELECT UPPER(NAME) FROM PERSON UNION SELECT CITY FROM ADDRESS ORDER BY UPPER(NAME)",
        "ORA-01785",
        _SET,
    ),
    Ruling("SELECT UPPER(NAME) AS N FROM PERSON UNION SELECT CITY FROM ADDRESS ORDER BY N", "", _SET),
    Ruling("SELECT ID FROM PERSON UNION SELECT ID FROM ADDRESS ORDER BY ID + 1", "ORA-01785", _SET),
    Ruling("SELECT ID FROM PERSON UNION SELECT ID FROM ADDRESS FOR UPDATE", "ORA-01786", _SET),
    Ruling(
        "SELECT ID FROM PERSON EXCEPT SELECT ID FROM ADDRESS",
        "ORA-00933",
        "SQL Language Reference 19c has MINUS only",
    ),
    Ruling("SELECT ID FROM PERSON MINUS ALL SELECT ID FROM ADDRESS", "ORA-00928", "new in 20c"),
    Ruling("SELECT ID FROM PERSON UNION DISTINCT SELECT ID FROM ADDRESS", "ORA-00928", _SET),
    Ruling("SELECT ID FROM PERSON UNION", "ORA-00928", _ERRORS),
    Ruling("(SELECT ID FROM PERSON) UNION (SELECT ID FROM ADDRESS)", "", _SET),
    # WITH
    Ruling("WITH A AS (SELECT 1 X FROM DUAL) SELECT X FROM A", "", _WITH),
    Ruling("WITH A AS (SELECT 1 X FROM DUAL), B AS (SELECT X FROM A) SELECT X FROM B", "", _WITH),
    Ruling(
        "WITH A AS (WITH B AS (SELECT 1 X FROM DUAL) SELECT X FROM B) SELECT X FROM A", "ORA-32034", _WITH
    ),
    Ruling(
        "WITH A AS (SELECT X FROM (WITH B AS (SELECT 1 X FROM DUAL) SELECT X FROM B)) SELECT X FROM A",
        "ORA-32034",
        _WITH,
    ),
    Ruling(
        "WITH A AS (SELECT 1 X FROM DUAL) SELECT (WITH B AS (SELECT 2 Y FROM DUAL) SELECT Y FROM B) FROM A",
        "ORA-32034",
        f"{_WITH}: one clause in a statement",
    ),
    Ruling(
        "WITH A AS (SELECT 1 X FROM DUAL) SELECT X FROM (WITH B AS (SELECT X FROM A) SELECT X FROM B)",
        "ORA-32034",
        f"{_WITH}: one clause in a statement",
    ),
    Ruling(
        "SELECT 1 X FROM DUAL UNION ALL WITH A AS (SELECT 2 X FROM DUAL) SELECT X FROM A", "ORA-32034", _WITH
    ),
    Ruling(
        "SELECT 1 X FROM DUAL UNION ALL (WITH A AS (SELECT 2 X FROM DUAL) SELECT X FROM A)",
        "ORA-32034",
        _WITH,
    ),
    Ruling("WITH A AS (SELECT 1 X FROM DUAL) SELECT X FROM A UNION ALL SELECT 2 FROM A", "", _WITH),
    Ruling(
        "SELECT X FROM (WITH A AS (SELECT 1 X FROM DUAL) SELECT X FROM A)",
        "",
        f"{_WITH}: most types of subqueries",
    ),
    Ruling(
        "SELECT (WITH A AS (SELECT 1 X FROM DUAL) SELECT X FROM A) FROM DUAL",
        "",
        f"{_WITH}: most types of subqueries",
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE ID IN (WITH A AS (SELECT 1 X FROM DUAL) SELECT X FROM A)",
        "",
        f"{_WITH}: most types of subqueries",
    ),
    Ruling("WITH A(X) AS (SELECT 1, 2 FROM DUAL) SELECT X FROM A", "ORA-32038", _ERRORS),
    Ruling("WITH A(X, X) AS (SELECT 1, 2 FROM DUAL) SELECT X FROM A", "ORA-00957", _WITH),
    Ruling(
        "WITH A AS (SELECT 1 X FROM DUAL UNION ALL SELECT X + 1 FROM A WHERE X < 3) SELECT X FROM A",
        "ORA-32039",
        _ERRORS,
    ),
    Ruling(
        "WITH A(X) AS (SELECT 1 FROM DUAL UNION ALL SELECT X + 1 FROM A WHERE X < 3) SELECT X FROM A",
        "",
        _WITH,
    ),
    Ruling(
        "WITH A(X) AS (SELECT 1 FROM DUAL UNION SELECT X + 1 FROM A WHERE X < 3) SELECT X FROM A",
        "ORA-32040",
        _ERRORS,
    ),
    Ruling("WITH RECURSIVE A(X) AS (SELECT 1 FROM DUAL) SELECT X FROM A", "ORA-00905", _WITH),
    Ruling("WITH A AS (SELECT 1 X FROM DUAL)", "ORA-00928", _ERRORS),
    Ruling("WITH A AS (SELECT X FROM B), B AS (SELECT 1 X FROM DUAL) SELECT X FROM A", "ORA-00942", _WITH),
    Ruling("WITH A AS (SELECT ID FROM PERSON) DELETE FROM ADDRESS", "ORA-00928", _WITH),
    # Types of alternatives
    Ruling("SELECT CASE WHEN ID = 1 THEN PAY ELSE NAME END FROM PERSON", "ORA-00932", _CASE),
    Ruling("SELECT CASE WHEN ID = 1 THEN BORN ELSE NULL END FROM PERSON", "", _CASE),
    Ruling("SELECT CASE WHEN ID = 1 THEN NAME ELSE CODE END FROM PERSON", "", _CASE),
    Ruling("SELECT CASE NAME WHEN 'x' THEN 1 END FROM PERSON", "", _CASE),
    Ruling("SELECT CASE WHEN ID = 1 THEN NICK ELSE N'x' END FROM PERSON", "", _CASE),
    Ruling("SELECT CASE WHEN ID = 1 THEN NICK ELSE NULL END FROM PERSON", "", _CASE),
    Ruling("SELECT COALESCE(NICK, TO_NCHAR(NAME)) FROM PERSON", "", _COALESCE),
    Ruling("SELECT COALESCE(ID) FROM PERSON", "ORA-00938", _COALESCE),
    Ruling("SELECT NVL(NICK, NAME) FROM PERSON", "", "SQL Language Reference, NVL: expr2 is converted"),
    Ruling("SELECT NVL(ID, '7') FROM PERSON", "", "SQL Language Reference, NVL: expr2 is converted"),
    Ruling(
        "SELECT DECODE(ID, 1, NICK, NAME) FROM PERSON",
        "",
        "SQL Language Reference, DECODE: character set of the first result",
    ),
    Ruling("SELECT NICK || NAME FROM PERSON", "", "SQL Language Reference, Concatenation Operator"),
    Ruling("SELECT ID FROM PERSON WHERE NICK = NAME", "", "SQL Language Reference, Data Conversion"),
    Ruling("SELECT ID FROM PERSON WHERE NICK IN ('a', N'b')", "", "SQL Language Reference, Data Conversion"),
    Ruling("SELECT BORN + BORN FROM PERSON", "ORA-00975", _ERRORS),
    Ruling("SELECT BORN * 2 FROM PERSON", "ORA-00932", _ERRORS),
    Ruling("SELECT BORN - 1 FROM PERSON", "", "SQL Language Reference, Datetime/Interval Arithmetic"),
    Ruling("SELECT SUM(BORN) FROM PERSON", "ORA-00932", _ERRORS),
    Ruling("SELECT ID FROM PERSON WHERE BORN = 1", "ORA-00932", _ERRORS),
    Ruling("SELECT ID FROM PERSON WHERE PIN = 1", "ORA-00932", _ERRORS),
    Ruling("SELECT ID FROM PERSON WHERE PIN = 'FF'", "", "SQL Language Reference, Data Conversion"),
]


@pytest.mark.parametrize("ruling", RULINGS, ids=str)
def test_ruling(people: oracledb.Connection, ruling: Ruling) -> None:
    ruling.hold(people)
