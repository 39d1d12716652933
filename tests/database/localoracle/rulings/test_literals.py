"""Text literals beside columns are read by the session's formats."""

from __future__ import annotations

import oracledb
import pytest

from support.rulings import Answer, Ruling

_DD_MM_RR = "ALTER SESSION SET NLS_DATE_FORMAT = 'DD-MM-RR'"
_DD_MM_YYYY = "ALTER SESSION SET NLS_DATE_FORMAT = 'DD-MM-YYYY'"

RULINGS = [
    Ruling(
        "SELECT ID FROM PERSON WHERE BORN = 'x'",
        "ORA-01858",
        "SQL Language Reference, Datetime Data Types; Data Conversion",
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE BORN > '2020-01-01'",
        "ORA-01861",
        "SQL Language Reference, Datetime Data Types; Data Conversion",
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE BORN > '01-JAN-20'",
        "",
        "SQL Language Reference, Datetime Data Types; Data Conversion",
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE (ID, NAME) > ((1, 'x'))",
        "ORA-01796",
        "SQL Language Reference, Conditions; Data Conversion",
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE BORN IN ('2020-01-01')",
        "ORA-01861",
        "SQL Language Reference, Datetime Data Types; Data Conversion",
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE BORN BETWEEN '1990-01-01' AND '2020-01-01'",
        "ORA-01861",
        "SQL Language Reference, Datetime Data Types; Data Conversion",
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE SEEN > '2020-01-01 00:00:00'",
        "ORA-01",
        "SQL Language Reference, Datetime Data Types; Data Conversion",
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE BORN = 'today'",
        "ORA-01858",
        "SQL Language Reference, Datetime Data Types; Data Conversion",
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE BORN < 'infinity'",
        "ORA-01858",
        "SQL Language Reference, Datetime Data Types; Data Conversion",
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE ID = 'NaN'",
        "ORA-01722",
        "SQL Language Reference, Conditions; Data Conversion",
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE ID = '0x1'",
        "ORA-01722",
        "SQL Language Reference, Conditions; Data Conversion",
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE ID = '1_0'",
        "ORA-01722",
        "SQL Language Reference, Conditions; Data Conversion",
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE ID IN ('0x1')",
        "ORA-01722",
        "SQL Language Reference, Conditions; Data Conversion",
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE PIN = '\\x00'",
        "ORA-01465",
        "SQL Language Reference, Conditions; Data Conversion",
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE PIN = 'abc'", "", "SQL Language Reference, Conditions; Data Conversion"
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE CODE = 'a'", "", "SQL Language Reference, Conditions; Data Conversion"
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE ID = '1,5'",
        "ORA-01722",
        "SQL Language Reference, Conditions; Data Conversion",
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE (ID, NAME) IN ((1, 'Ada', 2))",
        "ORA-00913",
        "SQL Language Reference, Conditions; Data Conversion",
    ),
]

ANSWERS = [
    Answer(
        "SELECT ID FROM PERSON WHERE NAME = ''", [], "SQL Language Reference, Conditions; Data Conversion"
    ),
    Answer(
        "SELECT ID FROM PERSON WHERE BORN = '31-01-90'",
        [(1,)],
        "SQL Language Reference, Datetime Data Types; Data Conversion",
        (_DD_MM_RR,),
    ),
    Answer(
        "SELECT ID FROM PERSON WHERE BORN < '02-01-1990'",
        [],
        "SQL Language Reference, Datetime Data Types; Data Conversion",
        (_DD_MM_YYYY,),
    ),
    Answer(
        "SELECT ID FROM PERSON WHERE BORN < '02-03-1990'",
        [(1,)],
        "SQL Language Reference, Datetime Data Types; Data Conversion",
        (_DD_MM_YYYY,),
    ),
    Answer(
        "SELECT ID FROM PERSON WHERE BORN = '31-01-1990'",
        [(1,)],
        "SQL Language Reference, Datetime Data Types; Data Conversion",
        (_DD_MM_YYYY,),
    ),
    Answer(
        "SELECT ID FROM PERSON WHERE '31-01-1990' = BORN",
        [(1,)],
        "SQL Language Reference, Datetime Data Types; Data Conversion",
        (_DD_MM_YYYY,),
    ),
    Answer(
        "SELECT ID FROM PERSON WHERE BORN BETWEEN '01-01-1990' AND '02-12-1990'",
        [(1,)],
        "SQL Language Reference, Datetime Data Types; Data Conversion",
        (_DD_MM_YYYY,),
    ),
    Answer(
        "SELECT ID FROM PERSON WHERE BORN IN ('31-01-1990', '31-01-2010') ORDER BY 1",
        [(1,), (2,)],
        "SQL Language Reference, Datetime Data Types; Data Conversion",
        (_DD_MM_YYYY,),
    ),
    Answer(
        "SELECT ID FROM PERSON WHERE (ID, BORN) IN ((1, '31-01-1990'), (2, '31-01-1990'))",
        [(1,)],
        "SQL Language Reference, Datetime Data Types; Data Conversion",
        (_DD_MM_YYYY,),
    ),
    Answer(
        "SELECT ID FROM PERSON WHERE BORN > ALL ('31-01-1990', '01-02-2009')",
        [(2,)],
        "SQL Language Reference, Datetime Data Types; Data Conversion",
        (_DD_MM_YYYY,),
    ),
    Answer(
        "SELECT ID FROM PERSON WHERE NAME = 'Ada '", [], "SQL Language Reference, Conditions; Data Conversion"
    ),
    Answer(
        "SELECT ID FROM PERSON WHERE ID = '1'", [(1,)], "SQL Language Reference, Conditions; Data Conversion"
    ),
    Answer(
        "SELECT ID FROM PERSON WHERE ID = ' 1 '",
        [(1,)],
        "SQL Language Reference, Conditions; Data Conversion",
    ),
    Answer(
        "SELECT ID FROM PERSON WHERE PIN = 'ff'", [], "SQL Language Reference, Conditions; Data Conversion"
    ),
    Answer(
        "SELECT ID FROM PERSON WHERE (ID, NAME) <> ((1, 'Ada')) AND ID < 3",
        [(2,)],
        "SQL Language Reference, Conditions; Data Conversion",
    ),
]


@pytest.mark.parametrize("ruling", RULINGS, ids=str)
def test_ruling(people: oracledb.Connection, ruling: Ruling) -> None:
    ruling.hold(people)


@pytest.mark.parametrize("answer", ANSWERS, ids=str)
def test_answer(people: oracledb.Connection, answer: Answer) -> None:
    answer.hold(people)
