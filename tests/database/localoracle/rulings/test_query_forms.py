"""Forms of queries: joins by name, lists, ANY and ALL, arguments of functions."""

from __future__ import annotations

import oracledb
import pytest

from support.rulings import Answer, Ruling

RULINGS = [
    Ruling("SELECT MAX() FROM DUAL", "ORA-00909", "SQL Language Reference, Aggregate Functions"),
    Ruling("SELECT SUM(1, 2) FROM DUAL", "ORA-00909", "SQL Language Reference, Aggregate Functions"),
    Ruling("SELECT MAX(1, 2) FROM DUAL", "ORA-00909", "SQL Language Reference, Aggregate Functions"),
    Ruling("SELECT COUNT() FROM DUAL", "ORA-00909", "SQL Language Reference, Aggregate Functions"),
    Ruling(
        "SELECT P.ID FROM PERSON P NATURAL JOIN COUNTRY C", "", "SQL Language Reference, SELECT, join_clause"
    ),
    Ruling(
        "SELECT NAME, CODE FROM PERSON P NATURAL JOIN COUNTRY C",
        "",
        "SQL Language Reference, SELECT, join_clause",
    ),
    Ruling(
        "SELECT ID FROM PERSON P JOIN ADDRESS A USING (ID) WHERE P.ID = 1",
        "ORA-25154",
        "SQL Language Reference, SELECT, join_clause",
    ),
    Ruling(
        "SELECT ID FROM PERSON P JOIN ADDRESS A USING (ID) ORDER BY A.ID",
        "ORA-25154",
        "SQL Language Reference, SELECT, join_clause",
    ),
    Ruling(
        "SELECT COUNT(P.ID) FROM PERSON P JOIN ADDRESS A USING (ID)",
        "ORA-25154",
        "SQL Language Reference, SELECT, join_clause",
    ),
    Ruling(
        "SELECT P.NAME FROM PERSON P JOIN ADDRESS A USING (NOSUCH)",
        "ORA-00904",
        "SQL Language Reference, SELECT, join_clause",
    ),
    Ruling(
        "SELECT P.NAME FROM PERSON P JOIN ADDRESS A",
        "ORA-00905",
        "SQL Language Reference, SELECT, join_clause",
    ),
    Ruling(
        "SELECT P.NAME FROM PERSON P CROSS JOIN ADDRESS A ON 1 = 1",
        "ORA-00933",
        "SQL Language Reference, SELECT, join_clause",
    ),
    Ruling(
        "SELECT P.NAME FROM PERSON P JOIN ADDRESS A ON P.ID = B.ID JOIN ADDRESS B ON B.ID = 1",
        "ORA-00904",
        "SQL Language Reference, SELECT, join_clause",
    ),
    Ruling(
        "SELECT P.NAME FROM PERSON P FULL JOIN ADDRESS A ON P.ID = A.ID",
        "",
        "SQL Language Reference, SELECT, join_clause",
    ),
    Ruling(
        "SELECT P.NAME FROM PERSON P LEFT OUTER JOIN ADDRESS A ON P.ID = A.ID",
        "",
        "SQL Language Reference, SELECT, join_clause",
    ),
    Ruling(
        "SELECT P.NAME FROM PERSON P, PERSON P",
        "ORA-00918",
        "SQL Language Reference, Functions; Error Messages",
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE ID = ALL (1, 2)",
        "",
        "SQL Language Reference, Conditions; Data Conversion",
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE ID > (1, 2)",
        "ORA-01797",
        "SQL Language Reference, Conditions; Data Conversion",
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE ID = ANY ()",
        "ORA-00936",
        "SQL Language Reference, Conditions; Data Conversion",
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE ID IN ()",
        "ORA-00936",
        "SQL Language Reference, Conditions; Data Conversion",
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE ID NOT IN (SELECT PERSON_ID FROM ADDRESS)",
        "",
        "SQL Language Reference, Conditions; Data Conversion",
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE ID = SOME (SELECT ID FROM ADDRESS)",
        "",
        "SQL Language Reference, Conditions; Data Conversion",
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE (ID, NAME) = (SELECT ID, CITY FROM ADDRESS)",
        "ORA-01427",
        "SQL Language Reference, Conditions; Data Conversion",
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE (ID, NAME) = (SELECT ID FROM ADDRESS)",
        "ORA-00947",
        "SQL Language Reference, Conditions; Data Conversion",
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE (ID, NAME) NOT IN ((1, 'Ada'))",
        "",
        "SQL Language Reference, Conditions; Data Conversion",
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE ID IS NOT 1",
        "ORA-00908",
        "SQL Language Reference, Conditions; Data Conversion",
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE ID IS 1",
        "ORA-00908",
        "SQL Language Reference, Conditions; Data Conversion",
    ),
    Ruling("SELECT ID IS NULL FROM PERSON", "ORA-00923", "SQL Language Reference, Functions; Error Messages"),
    Ruling("SELECT AVG(NAME) FROM PERSON", "ORA-01722", "SQL Language Reference, Aggregate Functions"),
    Ruling(
        "SELECT COUNT(DISTINCT *) FROM PERSON", "ORA-00936", "SQL Language Reference, Aggregate Functions"
    ),
    Ruling("SELECT SUM(DISTINCT PAY) FROM PERSON", "", "SQL Language Reference, Aggregate Functions"),
    Ruling(
        "SELECT NAME FROM PERSON GROUP BY NAME HAVING COUNT(*) > 0 ORDER BY COUNT(*)",
        "",
        "SQL Language Reference, Aggregate Functions",
    ),
    Ruling("CREATE TABLE RIDS (R ROWID)", "", "SQL Language Reference, ROWID Data Type"),
    Ruling(
        "SELECT ID FROM PERSON WHERE ROWID IN ('x')", "ORA-01410", "SQL Language Reference, ROWID Data Type"
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE ROWID > 'AAA'", "ORA-01410", "SQL Language Reference, ROWID Data Type"
    ),
    Ruling(
        "SELECT DBMS_ROWID.ROWID_BLOCK_NUMBER('x') FROM DUAL",
        "ORA-01410",
        "SQL Language Reference, ROWID Data Type",
    ),
    Ruling(
        "SELECT JSON_VALUE('{\"a\":1', '$.a' ERROR ON ERROR) FROM DUAL",
        "ORA-40441",
        "SQL Language Reference, JSON_VALUE",
    ),
    Ruling(
        "SELECT JSON_VALUE('{\"a\":1}', '$.b' ERROR ON ERROR) FROM DUAL",
        "ORA-40462",
        "SQL Language Reference, JSON_VALUE",
    ),
    Ruling(
        "SELECT JSON_QUERY('{\"a\":1}', '$.a') FROM DUAL", "ORA-03001", "SQL Language Reference, JSON_VALUE"
    ),
]

ANSWERS = [
    Answer(
        "SELECT ID FROM PERSON WHERE ID BETWEEN 2 AND 1",
        [],
        "SQL Language Reference, Conditions; Data Conversion",
    ),
    Answer(
        "SELECT ID FROM PERSON WHERE '' IS NULL AND ID = 1",
        [(1,)],
        "SQL Language Reference, Conditions; Data Conversion",
    ),
    Answer(
        "SELECT ID FROM PERSON WHERE NOT EXISTS (SELECT 1 FROM DUAL)",
        [],
        "SQL Language Reference, Conditions; Data Conversion",
    ),
    Answer(
        "SELECT MAX(NAME) KEEP (DENSE_RANK FIRST ORDER BY ID) FROM PERSON",
        [("Ada",)],
        "SQL Language Reference, Aggregate Functions",
    ),
    Answer(
        "SELECT COUNT(*) FROM PERSON WHERE ROWNUM > 1", [(0,)], "SQL Language Reference, Aggregate Functions"
    ),
    Answer("SELECT ID FROM PERSON WHERE ROWNUM = 2", [], "SQL Language Reference, ROWNUM Pseudocolumn"),
    Answer(
        "SELECT ID FROM PERSON WHERE ROWNUM <= 1 ORDER BY ID DESC",
        [(1,)],
        "SQL Language Reference, ROWNUM Pseudocolumn",
    ),
    Answer("SELECT ROWNUM FROM DUAL WHERE ROWNUM = 1", [(1,)], "SQL Language Reference, ROWNUM Pseudocolumn"),
    Answer(
        "SELECT ID FROM PERSON WHERE ROWID = CHARTOROWID('AAAAAAAAAAAAAAAAAA')",
        [],
        "SQL Language Reference, ROWID Data Type",
    ),
    Answer("SELECT JSON_VALUE('{\"a\":1}', '$.a') FROM DUAL", [("1",)], "SQL Language Reference, JSON_VALUE"),
    Answer(
        "SELECT JSON_VALUE('{\"a\":[1]}', '$.a') FROM DUAL", [(None,)], "SQL Language Reference, JSON_VALUE"
    ),
]


@pytest.mark.parametrize("ruling", RULINGS, ids=str)
def test_ruling(people: oracledb.Connection, ruling: Ruling) -> None:
    ruling.hold(people)


@pytest.mark.parametrize("answer", ANSWERS, ids=str)
def test_answer(people: oracledb.Connection, answer: Answer) -> None:
    answer.hold(people)
