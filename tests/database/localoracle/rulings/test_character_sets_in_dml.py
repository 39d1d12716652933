"""Values of VARCHAR2 and NVARCHAR2 are no alternatives of each other in DML either."""

from __future__ import annotations

import oracledb
import pytest

from support.rulings import Ruling

_CASE = "SQL Language Reference, CASE Expressions; Error Messages, ORA-12704"
_SET = "SQL Language Reference, The UNION [ALL], INTERSECT, MINUS Operators; Error Messages, ORA-12704"
_CONVERTED = "SQL Language Reference, Data Conversion: INSERT and UPDATE convert to the type of the column"
_MIXED = "CASE WHEN ID = 1 THEN NICK ELSE NAME END"

RULINGS = [
    Ruling(f"UPDATE PERSON SET NICK = {_MIXED}", "ORA-12704", _CASE),
    Ruling("UPDATE PERSON SET NICK = CASE WHEN ID = 1 THEN 'x' ELSE NICK END", "ORA-12704", _CASE),
    Ruling("UPDATE PERSON SET NICK = CASE WHEN ID = 1 THEN N'x' ELSE NICK END", "", _CASE),
    Ruling("UPDATE PERSON SET NICK = COALESCE(NICK, NAME)", "ORA-12704", _CASE),
    Ruling("UPDATE PERSON SET NICK = NVL(NICK, NAME)", "", _CONVERTED),
    Ruling("UPDATE PERSON SET NICK = DECODE(ID, 1, NICK, NAME)", "", _CONVERTED),
    Ruling("UPDATE PERSON SET NICK = NAME", "", _CONVERTED),
    Ruling("UPDATE PERSON SET NICK = (SELECT NAME FROM PERSON WHERE ID = 1)", "", _CONVERTED),
    Ruling(f"UPDATE PERSON SET (NICK, PAY) = (SELECT {_MIXED}, 1 FROM DUAL)", "ORA-12704", _CASE),
    Ruling(f"UPDATE PERSON SET PAY = 1 WHERE {_MIXED} = 'x'", "ORA-12704", _CASE),
    Ruling(f"DELETE FROM PERSON WHERE {_MIXED} = 'x'", "ORA-12704", _CASE),
    Ruling(f"INSERT INTO PERSON (ID, NICK) SELECT 700 + ID, {_MIXED} FROM PERSON", "ORA-12704", _CASE),
    Ruling("INSERT INTO PERSON (ID, NICK) SELECT 700 + ID, NAME FROM PERSON", "", _CONVERTED),
    Ruling(
        "INSERT INTO PERSON (ID, NICK) VALUES (700, CASE WHEN 1 = 1 THEN N'x' ELSE 'y' END)",
        "ORA-12704",
        _CASE,
    ),
    Ruling(
        "MERGE INTO PERSON P USING (SELECT ID I, NAME N FROM PERSON) Q ON (P.ID = Q.I)"
        " WHEN MATCHED THEN UPDATE SET P.NICK = CASE WHEN P.ID = 1 THEN P.NICK ELSE Q.N END",
        "ORA-12704",
        _CASE,
    ),
    Ruling(
        "MERGE INTO PERSON P USING (SELECT ID I, NAME N FROM PERSON) Q ON (P.ID = Q.I)"
        " WHEN MATCHED THEN UPDATE SET P.NICK = Q.N",
        "",
        _CONVERTED,
    ),
    Ruling(
        "MERGE INTO PERSON P USING (SELECT ID I, NAME N FROM PERSON) Q ON (P.ID = Q.I + 900)"
        " WHEN NOT MATCHED THEN INSERT (ID, NICK) VALUES (Q.I + 900, COALESCE(N'x', Q.N))",
        "ORA-12704",
        _CASE,
    ),
    Ruling(
        "DELETE FROM PERSON WHERE NICK IN (SELECT NICK FROM PERSON INTERSECT SELECT N'x' FROM DUAL)",
        "",
        _SET,
    ),
    Ruling(f"CREATE TABLE MIXED AS SELECT {_MIXED} M FROM PERSON", "ORA-12704", _CASE),
]


@pytest.mark.parametrize("ruling", RULINGS, ids=str)
def test_character_sets_do_not_meet(ruling: Ruling, people: oracledb.Connection) -> None:
    ruling.hold(people)
    people.rollback()
