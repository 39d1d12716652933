"""Results of one type and one character set: CASE, COALESCE, NVL, DECODE, GREATEST and set operators."""

from __future__ import annotations

import oracledb
import pytest

from support.rulings import Answer, Ruling

_DD_MM_YYYY = "ALTER SESSION SET NLS_DATE_FORMAT = 'DD-MM-YYYY'"

RULINGS = [
    Ruling(
        "SELECT CASE WHEN ID = 1 THEN NAME ELSE NICK END FROM PERSON",
        "ORA-12704",
        "Error Messages, ORA-12704",
    ),
    Ruling(
        "SELECT CASE WHEN ID = 1 THEN NICK ELSE NAME END FROM PERSON",
        "ORA-12704",
        "Error Messages, ORA-12704",
    ),
    Ruling(
        "SELECT CASE WHEN ID = 1 THEN NICK ELSE 'x' END FROM PERSON", "ORA-12704", "Error Messages, ORA-12704"
    ),
    Ruling(
        "SELECT CASE WHEN ID = 1 THEN 'x' ELSE N'y' END FROM PERSON", "ORA-12704", "Error Messages, ORA-12704"
    ),
    Ruling(
        "SELECT CASE WHEN ID = 1 THEN NICK ELSE CODE END FROM PERSON",
        "ORA-12704",
        "Error Messages, ORA-12704",
    ),
    Ruling(
        "SELECT CASE WHEN ID = 1 THEN NICK ELSE TO_CHAR(ID) END FROM PERSON",
        "ORA-12704",
        "Error Messages, ORA-12704",
    ),
    Ruling(
        "SELECT CASE WHEN ID = 1 THEN NICK ELSE UPPER(NAME) END FROM PERSON",
        "ORA-12704",
        "Error Messages, ORA-12704",
    ),
    Ruling(
        "SELECT CASE WHEN ID = 1 THEN UPPER(NICK) ELSE NAME END FROM PERSON",
        "ORA-12704",
        "Error Messages, ORA-12704",
    ),
    Ruling(
        "SELECT CASE WHEN ID = 1 THEN UPPER(NICK) ELSE NICK END FROM PERSON",
        "",
        "SQL Language Reference, CASE Expressions",
    ),
    Ruling(
        "SELECT CASE WHEN ID = 1 THEN SUBSTR(NICK, 1, 2) ELSE NAME END FROM PERSON",
        "ORA-12704",
        "Error Messages, ORA-12704",
    ),
    Ruling(
        "SELECT CASE WHEN ID = 1 THEN NICK || 'x' ELSE NAME END FROM PERSON",
        "ORA-12704",
        "Error Messages, ORA-12704",
    ),
    Ruling(
        "SELECT CASE WHEN ID = 1 THEN NICK || 'x' ELSE NICK END FROM PERSON",
        "",
        "SQL Language Reference, Concatenation Operator",
    ),
    Ruling(
        "SELECT CASE WHEN ID = 1 THEN TO_NCHAR(NAME) ELSE NAME END FROM PERSON",
        "ORA-12704",
        "Error Messages, ORA-12704",
    ),
    Ruling(
        "SELECT CASE WHEN ID = 1 THEN CAST(NAME AS NVARCHAR2(40)) ELSE NAME END FROM PERSON",
        "ORA-12704",
        "Error Messages, ORA-12704",
    ),
    Ruling(
        "SELECT CASE WHEN ID = 1 THEN TRANSLATE(NAME USING NCHAR_CS) ELSE NAME END FROM PERSON",
        "ORA-12704",
        "Error Messages, ORA-12704",
    ),
    Ruling(
        "SELECT CASE WHEN ID = 1 THEN NULL WHEN ID = 2 THEN NICK ELSE NAME END FROM PERSON",
        "ORA-12704",
        "Error Messages, ORA-12704",
    ),
    Ruling("SELECT COALESCE(NICK, NAME) FROM PERSON", "ORA-12704", "Error Messages, ORA-12704"),
    Ruling("SELECT COALESCE(NAME, NICK) FROM PERSON", "ORA-12704", "Error Messages, ORA-12704"),
    Ruling("SELECT COALESCE(NICK, 'none') FROM PERSON", "ORA-12704", "Error Messages, ORA-12704"),
    Ruling("SELECT COALESCE(NICK, N'none') FROM PERSON", "", "SQL Language Reference, COALESCE"),
    Ruling("SELECT COALESCE(NULL, NICK, 'x') FROM PERSON", "ORA-12704", "Error Messages, ORA-12704"),
    Ruling("SELECT NVL(NICK, 'none') FROM PERSON", "", "SQL Language Reference, NVL"),
    Ruling("SELECT NVL2(ID, NICK, NAME) FROM PERSON", "", "SQL Language Reference, NVL2"),
    Ruling("SELECT DECODE(ID, 1, NAME, NICK) FROM PERSON", "", "SQL Language Reference, DECODE"),
    Ruling("SELECT NULLIF(NICK, NAME) FROM PERSON", "ORA-12704", "Error Messages, ORA-12704"),
    Ruling("SELECT NAME FROM PERSON UNION SELECT NICK FROM PERSON", "ORA-12704", "Error Messages, ORA-12704"),
    Ruling(
        "SELECT NAME FROM PERSON UNION ALL SELECT NICK FROM PERSON", "ORA-12704", "Error Messages, ORA-12704"
    ),
    Ruling("SELECT NICK FROM PERSON MINUS SELECT NAME FROM PERSON", "ORA-12704", "Error Messages, ORA-12704"),
    Ruling(
        "SELECT NICK FROM PERSON INTERSECT SELECT 'x' FROM DUAL", "ORA-12704", "Error Messages, ORA-12704"
    ),
    Ruling("SELECT 'x' FROM DUAL UNION ALL SELECT N'x' FROM DUAL", "ORA-12704", "Error Messages, ORA-12704"),
    Ruling(
        "SELECT NULL FROM DUAL UNION ALL SELECT NICK FROM PERSON",
        "",
        "SQL Language Reference, The UNION [ALL], INTERSECT, MINUS Operators",
    ),
    Ruling("SELECT GREATEST(NICK, NAME) FROM PERSON", "", "SQL Language Reference, GREATEST"),
    Ruling("SELECT CONCAT(NICK, NAME) FROM PERSON", "", "SQL Language Reference, Functions; Error Messages"),
    Ruling("SELECT INSTR(NICK, 'A') FROM PERSON", "", "SQL Language Reference, Functions; Error Messages"),
    Ruling(
        "SELECT REPLACE(NICK, 'A', 'B') FROM PERSON", "", "SQL Language Reference, Functions; Error Messages"
    ),
    Ruling("SELECT LPAD(NICK, 5, '*') FROM PERSON", "", "SQL Language Reference, Functions; Error Messages"),
    Ruling("SELECT ID FROM PERSON WHERE NICK LIKE 'A%'", "", "SQL Language Reference, LIKE Condition"),
    Ruling(
        "SELECT ID FROM PERSON WHERE NICK BETWEEN 'A' AND N'Z'",
        "",
        "SQL Language Reference, Conditions; Data Conversion",
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE CASE WHEN ID = 1 THEN NICK END = 'A'",
        "",
        "SQL Language Reference, CASE Expressions",
    ),
    Ruling("SELECT NVL(ID, 'x') FROM PERSON", "ORA-01722", "SQL Language Reference, NVL"),
    Ruling("SELECT NVL(BORN, 1) FROM PERSON", "ORA-00932", "SQL Language Reference, NVL"),
    Ruling("SELECT NVL(PAY, BORN) FROM PERSON", "ORA-00932", "SQL Language Reference, NVL"),
    Ruling("SELECT NVL(NAME, 1) FROM PERSON", "", "SQL Language Reference, NVL"),
    Ruling("SELECT NVL(NAME, SYSDATE) FROM PERSON", "", "SQL Language Reference, NVL"),
    Ruling("SELECT NVL2(ID, NAME, 1) FROM PERSON", "", "SQL Language Reference, NVL2"),
    Ruling("SELECT NVL2(ID, BORN, 1) FROM PERSON", "ORA-00932", "SQL Language Reference, NVL2"),
    Ruling("SELECT COALESCE(ID, NAME) FROM PERSON", "ORA-00932", "SQL Language Reference, COALESCE"),
    Ruling("SELECT COALESCE(NAME, ID) FROM PERSON", "ORA-00932", "SQL Language Reference, COALESCE"),
    Ruling("SELECT COALESCE(BORN, NAME) FROM PERSON", "ORA-00932", "SQL Language Reference, COALESCE"),
    Ruling("SELECT NULLIF(NULL, 1) FROM DUAL", "ORA-00932", "SQL Language Reference, NULLIF"),
    Ruling(
        "SELECT CASE WHEN ID = 1 THEN BORN ELSE 'x' END FROM PERSON",
        "ORA-00932",
        "SQL Language Reference, CASE Expressions",
    ),
    Ruling(
        "SELECT CASE WHEN ID = 1 THEN BORN ELSE SEEN END FROM PERSON",
        "",
        "SQL Language Reference, CASE Expressions",
    ),
    Ruling(
        "SELECT CASE WHEN ID = 1 THEN 1 ELSE '1' END FROM PERSON",
        "ORA-00932",
        "SQL Language Reference, CASE Expressions",
    ),
    Ruling(
        "SELECT CASE WHEN ID = 1 THEN NULL END FROM PERSON", "", "SQL Language Reference, CASE Expressions"
    ),
    Ruling(
        "SELECT CASE WHEN ID = 1 THEN NOTE ELSE NAME END FROM PERSON",
        "ORA-00932",
        "SQL Language Reference, CASE Expressions",
    ),
    Ruling("SELECT DECODE(ID, 1, NAME, 2) FROM PERSON", "", "SQL Language Reference, DECODE"),
    Ruling("SELECT DECODE(ID, 1, 2, NAME) FROM PERSON", "ORA-01722", "SQL Language Reference, DECODE"),
    Ruling("SELECT DECODE(ID, 1, BORN, 7) FROM PERSON", "ORA-00932", "SQL Language Reference, DECODE"),
    Ruling("SELECT DECODE(ID) FROM PERSON", "ORA-00938", "SQL Language Reference, DECODE"),
    Ruling("SELECT DECODE(ID, 1) FROM PERSON", "ORA-00938", "SQL Language Reference, DECODE"),
    Ruling("SELECT GREATEST(1, 'x') FROM DUAL", "ORA-01722", "SQL Language Reference, GREATEST"),
    Ruling("SELECT GREATEST(BORN, 1) FROM PERSON", "ORA-00932", "SQL Language Reference, GREATEST"),
    Ruling("SELECT NVL(1) FROM DUAL", "ORA-00909", "SQL Language Reference, NVL"),
    Ruling("SELECT NVL(1, 2, 3) FROM DUAL", "ORA-00909", "SQL Language Reference, NVL"),
    Ruling("SELECT NVL2(1, 2) FROM DUAL", "ORA-00909", "SQL Language Reference, NVL2"),
    Ruling("SELECT NULLIF(1) FROM DUAL", "ORA-00909", "SQL Language Reference, NULLIF"),
    Ruling(
        "SELECT NVL(NAME, '') || RPAD('x', 4000, 'x') FROM PERSON",
        "ORA-01489",
        "SQL Language Reference, Concatenation Operator",
    ),
    Ruling(
        "SELECT CASE WHEN ID = 1 THEN TEXT END FROM DIARY",
        "ORA-00997",
        "SQL Language Reference, LONG Data Type",
    ),
    Ruling("SELECT NVL(TEXT, 'x') FROM DIARY", "ORA-00997", "SQL Language Reference, LONG Data Type"),
    Ruling("SELECT DECODE(TEXT, 'x', 1) FROM DIARY", "ORA-00997", "SQL Language Reference, LONG Data Type"),
    Ruling(
        "SELECT CASE WHEN ID THEN 1 END FROM PERSON", "ORA-00920", "SQL Language Reference, CASE Expressions"
    ),
    Ruling(
        "SELECT CASE WHEN 1 = 1 THEN 1 FROM PERSON", "ORA-00905", "SQL Language Reference, CASE Expressions"
    ),
    Ruling(
        "SELECT CASE 1 WHEN 1 THEN ID = 1 END FROM PERSON",
        "ORA-00905",
        "SQL Language Reference, CASE Expressions",
    ),
    Ruling(
        "SELECT CASE WHEN ID = 1 THEN BORN ELSE '2020-01-01' END FROM PERSON",
        "ORA-00932",
        "SQL Language Reference, CASE Expressions",
    ),
    Ruling("SELECT NVL(BORN, '01-JAN-20') FROM PERSON", "", "SQL Language Reference, NVL"),
    Ruling("SELECT DECODE(BORN, '2020-01-01', 1) FROM PERSON", "", "SQL Language Reference, DECODE"),
    Ruling("SELECT LEAST(BORN, '2020-01-01') FROM PERSON", "ORA-01861", "SQL Language Reference, GREATEST"),
    Ruling(
        "UPDATE PERSON SET BORN = CASE WHEN ID = 1 THEN '2020-01-01' END",
        "ORA-01861",
        "SQL Language Reference, CASE Expressions",
    ),
    Ruling(
        "INSERT INTO PERSON (ID, NICK) SELECT 700, NAME FROM PERSON WHERE ID = 1",
        "",
        "SQL Language Reference, INSERT; Data Conversion",
    ),
    Ruling(
        "WITH q AS (SELECT NICK n FROM PERSON) SELECT n FROM q UNION ALL SELECT NAME FROM PERSON",
        "ORA-12704",
        "Error Messages, ORA-12704",
    ),
    Ruling(
        "SELECT ID, NAME FROM PERSON UNION SELECT ID, NICK FROM PERSON",
        "ORA-12704",
        "Error Messages, ORA-12704",
    ),
    Ruling(
        "(SELECT NAME FROM PERSON UNION SELECT CITY FROM ADDRESS) MINUS SELECT NICK FROM PERSON",
        "ORA-12704",
        "Error Messages, ORA-12704",
    ),
    Ruling(
        "SELECT NAME FROM PERSON UNION SELECT UPPER(CITY) FROM ADDRESS",
        "",
        "SQL Language Reference, The UNION [ALL], INTERSECT, MINUS Operators",
    ),
    Ruling(
        "INSERT INTO ADDRESS (CITY) SELECT NAME FROM PERSON UNION ALL SELECT NICK FROM PERSON",
        "ORA-12704",
        "Error Messages, ORA-12704",
    ),
    Ruling(
        "SELECT CODE FROM PERSON UNION SELECT NAME FROM PERSON",
        "",
        "SQL Language Reference, The UNION [ALL], INTERSECT, MINUS Operators",
    ),
    Ruling(
        "SELECT * FROM PERSON UNION ALL SELECT * FROM PERSON",
        "",
        "SQL Language Reference, The UNION [ALL], INTERSECT, MINUS Operators",
    ),
]

ANSWERS = [
    Answer("SELECT NULLIF(1, NULL) FROM DUAL", [(1,)], "SQL Language Reference, NULLIF"),
    Answer("SELECT DECODE(ID, 1, NULL, 7) FROM PERSON", [(None,), ("7",)], "SQL Language Reference, DECODE"),
    Answer(
        "SELECT DECODE(NULL, NULL, 'same', 'other') FROM DUAL", [("same",)], "SQL Language Reference, DECODE"
    ),
    Answer("SELECT GREATEST('a', 1) FROM DUAL", [("a",)], "SQL Language Reference, GREATEST"),
    Answer(
        "SELECT DECODE(BORN, '31-01-1990', 'a', 'b') FROM PERSON WHERE ID < 3 ORDER BY ID",
        [("a",), ("b",)],
        "SQL Language Reference, DECODE",
        (_DD_MM_YYYY,),
    ),
    Answer(
        "SELECT CASE BORN WHEN DATE '1990-01-31' THEN 'a' ELSE 'b' END FROM PERSON WHERE ID < 3 ORDER BY ID",
        [("a",), ("b",)],
        "SQL Language Reference, CASE Expressions",
    ),
    Answer(
        "SELECT TO_CHAR(NVL(NULLIF(BORN, BORN), '02-01-2000'), 'YYYY-MM-DD') FROM PERSON WHERE ID = 1",
        [("2000-01-02",)],
        "SQL Language Reference, NVL",
        (_DD_MM_YYYY,),
    ),
    Answer("SELECT NVL(NULL, 'x') FROM DUAL", [("x",)], "SQL Language Reference, NVL"),
    Answer("SELECT NVL(NICK, NAME) FROM PERSON WHERE ID = 1", [("A",)], "SQL Language Reference, NVL"),
    Answer("SELECT NVL(NAME, 1) FROM PERSON WHERE ID = 1", [("Ada",)], "SQL Language Reference, NVL"),
    Answer("SELECT NVL(CODE, 7) FROM PERSON WHERE ID = 1", [("7",)], "SQL Language Reference, NVL"),
    Answer("SELECT NVL2(ID, NAME, 1) FROM PERSON WHERE ID = 1", [("Ada",)], "SQL Language Reference, NVL2"),
    Answer("SELECT NVL2(CODE, NAME, 1) FROM PERSON WHERE ID = 1", [("1",)], "SQL Language Reference, NVL2"),
    Answer(
        "SELECT DECODE(ID, 1, NAME, 2) FROM PERSON WHERE ID < 3 ORDER BY ID",
        [("Ada",), ("2",)],
        "SQL Language Reference, DECODE",
    ),
    Answer(
        "SELECT DECODE(ID, 1, 5, CODE) FROM PERSON WHERE ID < 3 ORDER BY ID",
        [(5,), (None,)],
        "SQL Language Reference, DECODE",
    ),
    Answer(
        "SELECT GREATEST(NAME, 'B') FROM PERSON WHERE ID = 1", [("B",)], "SQL Language Reference, GREATEST"
    ),
    Answer("SELECT LEAST(PAY, '7') FROM PERSON WHERE ID = 1", [(7,)], "SQL Language Reference, GREATEST"),
    Answer(
        "SELECT ID FROM PERSON WHERE NICK = 'A'",
        [(1,)],
        "SQL Language Reference, Conditions; Data Conversion",
    ),
    Answer(
        "SELECT ID FROM PERSON WHERE NICK = 'A '", [], "SQL Language Reference, Conditions; Data Conversion"
    ),
    Answer(
        "SELECT 1 FROM DUAL UNION ALL SELECT (SELECT 2 FROM DUAL) FROM DUAL",
        [(1,), (2,)],
        "SQL Language Reference, The UNION [ALL], INTERSECT, MINUS Operators",
    ),
    Answer(
        "SELECT DECODE('a', 'a ', 1, 0) FROM DUAL",
        [(0,)],
        "SQL Language Reference, DECODE: nonpadded comparison",
    ),
    Answer(
        "SELECT DECODE(CAST('a' AS CHAR(3)), 'a', 1, 0) FROM DUAL",
        [(0,)],
        "SQL Language Reference, DECODE: nonpadded comparison",
    ),
    Answer(
        "SELECT DECODE(1, '01', 'same', 'other') FROM DUAL",
        [("other",)],
        "SQL Language Reference, DECODE: converts to the type of the first search value",
    ),
    Answer(
        "SELECT DECODE('01', 1, 'same', 'other') FROM DUAL",
        [("same",)],
        "SQL Language Reference, DECODE: converts to the type of the first search value",
    ),
    Answer(
        "SELECT DECODE(BORN, '2020-01-01', 1, 2) FROM PERSON WHERE ID = 1",
        [(2,)],
        "SQL Language Reference, DECODE: converts to the type of the first search value",
    ),
    Answer(
        "SELECT CASE 'a' WHEN 'a ' THEN 1 ELSE 0 END FROM DUAL",
        [(1,)],
        "SQL Language Reference, CASE Expressions; Data Type Comparison Rules",
    ),
    Answer(
        "SELECT NULLIF('a', 'a ') FROM DUAL",
        [(None,)],
        "SQL Language Reference, NULLIF; Data Type Comparison Rules",
    ),
    Answer(
        "SELECT NULLIF(CAST('a' AS CHAR(3)), 'a') FROM DUAL",
        [(None,)],
        "SQL Language Reference, NULLIF; Data Type Comparison Rules",
    ),
    Answer(
        "SELECT COUNT(*) FROM DUAL WHERE 'a' IN ('b', 'a ')",
        [(1,)],
        "SQL Language Reference, Data Type Comparison Rules",
    ),
    Answer(
        "SELECT COUNT(*) FROM DUAL WHERE 'a ' BETWEEN 'a' AND 'a'",
        [(1,)],
        "SQL Language Reference, Data Type Comparison Rules",
    ),
]


@pytest.mark.parametrize("ruling", RULINGS, ids=str)
def test_ruling(people: oracledb.Connection, ruling: Ruling) -> None:
    ruling.hold(people)


@pytest.mark.parametrize("answer", ANSWERS, ids=str)
def test_answer(people: oracledb.Connection, answer: Answer) -> None:
    answer.hold(people)
