# ruff: noqa: E501 - statements read better on one line
"""Dates, timestamps and intervals."""

from __future__ import annotations

import datetime

import oracledb
import pytest

from support.rulings import Answer, Ruling

RULINGS = [
    Ruling(
        "SELECT TO_DATE('x', 'y', 'z', 'w') FROM DUAL",
        "ORA-00939",
        "SQL Language Reference, Datetime Format Models",
    ),
    Ruling("SELECT ADD_MONTHS(SYSDATE) FROM DUAL", "ORA-00909", "SQL Language Reference, ADD_MONTHS"),
    Ruling("SELECT LAST_DAY() FROM DUAL", "ORA-00909", "SQL Language Reference, Functions; Error Messages"),
    Ruling(
        "SELECT DATE '2023-02-30' FROM DUAL",
        "ORA-01839",
        "SQL Language Reference, Datetime Data Types; Data Conversion",
    ),
    Ruling(
        "SELECT DATE '2023-13-01' FROM DUAL",
        "ORA-01843",
        "SQL Language Reference, Datetime Data Types; Data Conversion",
    ),
    Ruling(
        "SELECT DATE '2023-1-1' FROM DUAL", "", "SQL Language Reference, Datetime Data Types; Data Conversion"
    ),
    Ruling(
        "SELECT DATE '10000-01-01' FROM DUAL",
        "ORA-01",
        "SQL Language Reference, Datetime Data Types; Data Conversion",
    ),
    Ruling(
        "SELECT DATE '0000-01-01' FROM DUAL",
        "ORA-01841",
        "SQL Language Reference, Datetime Data Types; Data Conversion",
    ),
    Ruling(
        "SELECT TO_DATE('0000', 'YYYY') FROM DUAL",
        "ORA-01841",
        "SQL Language Reference, Datetime Format Models",
    ),
    Ruling(
        "SELECT TO_DATE('30-FEB-2020', 'DD-MON-YYYY') FROM DUAL",
        "ORA-01839",
        "SQL Language Reference, Datetime Format Models",
    ),
    Ruling(
        "SELECT TO_DATE('01-XXX-2020', 'DD-MON-YYYY') FROM DUAL",
        "ORA-01843",
        "SQL Language Reference, Datetime Format Models",
    ),
    Ruling(
        "SELECT TO_DATE('32-JAN-2020', 'DD-MON-YYYY') FROM DUAL",
        "ORA-01847",
        "SQL Language Reference, Datetime Format Models",
    ),
    Ruling(
        "SELECT TO_DATE('2020-01-01 24', 'YYYY-MM-DD HH24') FROM DUAL",
        "ORA-01850",
        "SQL Language Reference, Datetime Format Models",
    ),
    Ruling(
        "SELECT TO_DATE('2020-01-01 13', 'YYYY-MM-DD HH') FROM DUAL",
        "ORA-01849",
        "SQL Language Reference, Datetime Format Models",
    ),
    Ruling(
        "SELECT TO_DATE('2020-01-01 12:60', 'YYYY-MM-DD HH24:MI') FROM DUAL",
        "ORA-01851",
        "SQL Language Reference, Datetime Format Models",
    ),
    Ruling(
        "SELECT TO_DATE('2020-01-01 12:00:60', 'YYYY-MM-DD HH24:MI:SS') FROM DUAL",
        "ORA-01852",
        "SQL Language Reference, Datetime Format Models",
    ),
    Ruling(
        "SELECT TO_DATE('86400', 'SSSSS') FROM DUAL",
        "ORA-01853",
        "SQL Language Reference, Datetime Format Models",
    ),
    Ruling(
        "SELECT TO_DATE('2020-01-01x', 'YYYY-MM-DD') FROM DUAL",
        "ORA-01830",
        "SQL Language Reference, Datetime Format Models",
    ),
    Ruling(
        "SELECT TO_DATE('2020-01', 'YYYY-MM-DD') FROM DUAL",
        "ORA-01840",
        "SQL Language Reference, Datetime Format Models",
    ),
    Ruling(
        "SELECT TO_DATE('2020/01/01', 'YYYY-MM-DD') FROM DUAL",
        "",
        "SQL Language Reference, Datetime Format Models",
    ),
    Ruling(
        "SELECT TO_DATE('2020-01-01', 'FXYYYY/MM/DD') FROM DUAL",
        "ORA-01861",
        "SQL Language Reference, Datetime Format Models",
    ),
    Ruling(
        "SELECT TO_DATE('2020-1-01', 'FXYYYY-MM-DD') FROM DUAL",
        "ORA-01862",
        "SQL Language Reference, Datetime Format Models",
    ),
    Ruling(
        "SELECT TO_DATE('366-2023', 'DDD-YYYY') FROM DUAL",
        "ORA-01848",
        "SQL Language Reference, Datetime Format Models",
    ),
    Ruling(
        "SELECT TO_DATE('1', 'Q') FROM DUAL", "ORA-01820", "SQL Language Reference, Datetime Format Models"
    ),
    Ruling(
        "SELECT TO_DATE('1', 'WW') FROM DUAL", "ORA-01820", "SQL Language Reference, Datetime Format Models"
    ),
    Ruling(
        "SELECT TO_CHAR(SYSDATE, 'nonsense') FROM DUAL", "ORA-01821", "SQL Language Reference, Format Models"
    ),
    Ruling("SELECT TO_CHAR(SYSDATE, 'FF') FROM DUAL", "ORA-01821", "SQL Language Reference, Format Models"),
    Ruling("SELECT TO_CHAR(SYSDATE, 'TZH') FROM DUAL", "ORA-01821", "SQL Language Reference, Format Models"),
    Ruling(
        "SELECT TO_CHAR(SYSTIMESTAMP, 'FF10') FROM DUAL", "ORA-01821", "SQL Language Reference, Format Models"
    ),
    Ruling(
        "SELECT ADD_MONTHS(DATE '9999-12-31', 1) FROM DUAL", "ORA-01841", "SQL Language Reference, ADD_MONTHS"
    ),
    Ruling(
        "SELECT DATE '9999-12-31' + 1 FROM DUAL",
        "ORA-01841",
        "SQL Language Reference, Datetime Data Types; Data Conversion",
    ),
    Ruling(
        "SELECT DATE '2020-01-01' + 9999999 FROM DUAL",
        "ORA-01841",
        "SQL Language Reference, Datetime Data Types; Data Conversion",
    ),
    Ruling(
        "SELECT DATE '2020-01-31' + INTERVAL '1' MONTH FROM DUAL",
        "ORA-01839",
        "SQL Language Reference, Interval Literals",
    ),
    Ruling(
        "SELECT DATE '2020-02-29' + INTERVAL '1' YEAR FROM DUAL",
        "ORA-01839",
        "SQL Language Reference, Interval Literals",
    ),
    Ruling(
        "SELECT NEXT_DAY(SYSDATE, 'xyz') FROM DUAL",
        "ORA-01846",
        "SQL Language Reference, Datetime Data Types; Data Conversion",
    ),
    Ruling(
        "SELECT EXTRACT(HOUR FROM SYSDATE) FROM DUAL",
        "ORA-30076",
        "SQL Language Reference, EXTRACT (datetime)",
    ),
    Ruling(
        "SELECT EXTRACT(HOUR FROM BORN) FROM PERSON",
        "ORA-30076",
        "SQL Language Reference, EXTRACT (datetime)",
    ),
    Ruling(
        "SELECT EXTRACT(TIMEZONE_HOUR FROM SEEN) FROM PERSON",
        "ORA-30076",
        "SQL Language Reference, EXTRACT (datetime)",
    ),
    Ruling(
        "SELECT EXTRACT(YEAR FROM INTERVAL '1' DAY) FROM DUAL",
        "ORA-30076",
        "SQL Language Reference, EXTRACT (datetime)",
    ),
    Ruling(
        "SELECT EXTRACT(DAY FROM INTERVAL '1' YEAR) FROM DUAL",
        "ORA-30076",
        "SQL Language Reference, EXTRACT (datetime)",
    ),
    Ruling(
        "SELECT EXTRACT(YEAR FROM NAME) FROM PERSON",
        "ORA-30076",
        "SQL Language Reference, EXTRACT (datetime)",
    ),
    Ruling(
        "SELECT EXTRACT(YEAR FROM 2020) FROM DUAL", "ORA-30076", "SQL Language Reference, EXTRACT (datetime)"
    ),
    Ruling(
        "SELECT EXTRACT(YEAR FROM '2020-01-01') FROM DUAL",
        "ORA-30076",
        "SQL Language Reference, EXTRACT (datetime)",
    ),
    Ruling("SELECT INTERVAL '100' DAY FROM DUAL", "ORA-01873", "SQL Language Reference, Interval Literals"),
    Ruling("SELECT INTERVAL '100' DAY(3) FROM DUAL", "", "SQL Language Reference, Interval Literals"),
    Ruling("SELECT INTERVAL '1000' HOUR FROM DUAL", "ORA-01873", "SQL Language Reference, Interval Literals"),
    Ruling("SELECT INTERVAL '100' YEAR FROM DUAL", "ORA-01873", "SQL Language Reference, Interval Literals"),
    Ruling(
        "SELECT INTERVAL '1-13' YEAR TO MONTH FROM DUAL",
        "ORA-01843",
        "SQL Language Reference, Interval Literals",
    ),
    Ruling("SELECT INTERVAL 'x' DAY FROM DUAL", "ORA-01867", "SQL Language Reference, Interval Literals"),
    Ruling("SELECT INTERVAL '1' DAY(10) FROM DUAL", "ORA-30088", "SQL Language Reference, Interval Literals"),
    Ruling(
        "SELECT NUMTODSINTERVAL(1, 'x') FROM DUAL",
        "ORA-01760",
        "SQL Language Reference, Single-Row Functions",
    ),
    Ruling(
        "SELECT NUMTODSINTERVAL(1, 'MONTH') FROM DUAL",
        "ORA-01760",
        "SQL Language Reference, Single-Row Functions",
    ),
    Ruling(
        "SELECT NUMTOYMINTERVAL(1, 'DAY') FROM DUAL",
        "ORA-01760",
        "SQL Language Reference, Single-Row Functions",
    ),
    Ruling(
        "SELECT TO_DSINTERVAL('x') FROM DUAL", "ORA-01867", "SQL Language Reference, Single-Row Functions"
    ),
    Ruling(
        "SELECT TO_YMINTERVAL('1-13') FROM DUAL", "ORA-01843", "SQL Language Reference, Single-Row Functions"
    ),
    Ruling(
        "SELECT TO_YMINTERVAL('x') FROM DUAL", "ORA-01867", "SQL Language Reference, Single-Row Functions"
    ),
    Ruling(
        "SELECT NUMTODSINTERVAL(1e10, 'DAY') FROM DUAL",
        "ORA-01873",
        "SQL Language Reference, Single-Row Functions",
    ),
    Ruling(
        "SELECT SYSTIMESTAMP + SYSTIMESTAMP FROM DUAL",
        "ORA-30087",
        "SQL Language Reference, Datetime Data Types; Data Conversion",
    ),
    Ruling(
        "SELECT SYSDATE + SYSDATE FROM DUAL",
        "ORA-00975",
        "SQL Language Reference, Datetime Data Types; Data Conversion",
    ),
    Ruling(
        "SELECT SYSDATE + TIMESTAMP '2020-01-01 00:00:00' FROM DUAL",
        "ORA-30087",
        "SQL Language Reference, Datetime Data Types; Data Conversion",
    ),
    Ruling(
        "SELECT SYSDATE * 2 FROM DUAL",
        "ORA-00932",
        "SQL Language Reference, Datetime Data Types; Data Conversion",
    ),
    Ruling(
        "SELECT 1 - SYSDATE FROM DUAL",
        "ORA-00932",
        "SQL Language Reference, Datetime Data Types; Data Conversion",
    ),
    Ruling(
        "SELECT SYSTIMESTAMP AT TIME ZONE 'Nowhere/Land' FROM DUAL",
        "ORA-01882",
        "SQL Language Reference, Datetime Data Types; Data Conversion",
    ),
    Ruling(
        "SELECT TIMESTAMP '2020-01-01 00:00:00 Nowhere/Land' FROM DUAL",
        "ORA-01882",
        "SQL Language Reference, Datetime Data Types; Data Conversion",
    ),
    Ruling(
        "SELECT FROM_TZ(TIMESTAMP '2020-01-01 00:00:00', 'x') FROM DUAL",
        "ORA-01882",
        "SQL Language Reference, FROM_TZ",
    ),
    Ruling("SELECT FROM_TZ(SYSDATE, '+01:00') FROM DUAL", "ORA-00932", "SQL Language Reference, FROM_TZ"),
    Ruling(
        "SELECT TIMESTAMP '2020-03-29 02:30:00 Europe/Berlin' FROM DUAL",
        "ORA-01878",
        "SQL Language Reference, Datetime Data Types; Data Conversion",
    ),
    Ruling(
        "SELECT FROM_TZ(TIMESTAMP '2020-03-29 02:30:00', 'Europe/Berlin') FROM DUAL",
        "ORA-01878",
        "SQL Language Reference, FROM_TZ",
    ),
    Ruling(
        "SELECT TO_TIMESTAMP_TZ('2020-03-29 02:30:00 Europe/Berlin', 'YYYY-MM-DD HH24:MI:SS TZR') FROM DUAL",
        "ORA-01878",
        "SQL Language Reference, Datetime Format Models",
    ),
    Ruling("SELECT CAST(SYSDATE AS NUMBER) FROM DUAL", "ORA-00932", "SQL Language Reference, CAST"),
    Ruling("SELECT CAST(1 AS DATE) FROM DUAL", "ORA-00932", "SQL Language Reference, CAST"),
    Ruling("SELECT CAST(BORN AS RAW(10)) FROM PERSON", "ORA-00932", "SQL Language Reference, CAST"),
    Ruling(
        "SELECT ID FROM PERSON FOR UPDATE NOWAIT WAIT 5",
        "ORA-00933",
        "SQL Language Reference, SELECT, for_update_clause",
    ),
    Ruling(
        "SELECT ID FROM PERSON FOR UPDATE SKIP LOCKED",
        "",
        "SQL Language Reference, SELECT, for_update_clause",
    ),
    Ruling(
        "SELECT ID FROM CITIES FOR UPDATE", "ORA-00904", "SQL Language Reference, SELECT, for_update_clause"
    ),
    Ruling(
        "SELECT ID FROM PERSON FOR UPDATE WAIT 5", "", "SQL Language Reference, SELECT, for_update_clause"
    ),
    Ruling(
        "SELECT P.ID FROM PERSON P, ADDRESS A WHERE P.ID = A.ID FOR UPDATE",
        "",
        "SQL Language Reference, SELECT, for_update_clause",
    ),
    Ruling(
        "SELECT TO_DATE('2020-01-01') FROM DUAL",
        "ORA-01861",
        "SQL Language Reference, Datetime Format Models",
    ),
    Ruling(
        "SELECT TO_DATE('20200101') FROM DUAL", "ORA-01", "SQL Language Reference, Datetime Format Models"
    ),
    Ruling(
        "SELECT 1 FROM DUAL WHERE DATE '2020-01-01' = '2020-01-01'",
        "ORA-01861",
        "SQL Language Reference, Datetime Data Types; Data Conversion",
    ),
    Ruling(
        "SELECT MONTHS_BETWEEN(BORN, '2020-01-01') FROM PERSON",
        "ORA-01861",
        "SQL Language Reference, Datetime Data Types; Data Conversion",
    ),
    Ruling(
        "SELECT TO_DATE('01-13-2020', 'DD-MON-YYYY') FROM DUAL",
        "ORA-01843",
        "SQL Language Reference, Datetime Format Models",
    ),
    Ruling("SELECT TO_DATE('1 PM', 'HH24 PM') FROM DUAL", "ORA-01818", "Error Messages, ORA-01818"),
    Ruling("SELECT TO_DATE('2020 20', 'YYYY RR') FROM DUAL", "ORA-01812", "Error Messages, ORA-01812"),
    Ruling("SELECT TO_DATE('10 10', 'HH24 HH') FROM DUAL", "ORA-01813", "Error Messages, ORA-01813"),
    Ruling("SELECT TO_DATE('1 JAN', 'MM MON') FROM DUAL", "ORA-01816", "Error Messages, ORA-01816"),
    Ruling("SELECT TO_DATE('10:10:10', 'HH24:MM:MM') FROM DUAL", "ORA-01810", "Error Messages, ORA-01810"),
    Ruling(
        "SELECT TO_DATE('SAT 2020-01-05', 'DY YYYY-MM-DD') FROM DUAL",
        "ORA-01835",
        "Error Messages, ORA-01835",
    ),
    Ruling(
        "SELECT TO_DATE('SUN 2020-01-05', 'DY YYYY-MM-DD') FROM DUAL",
        "",
        "SQL Language Reference, Format Models",
    ),
    Ruling("SELECT TO_DATE('2020 AD', 'SYYYY AD') FROM DUAL", "ORA-01819", "Error Messages, ORA-01819"),
    Ruling("SELECT TO_DATE('2459000 100', 'J DDD') FROM DUAL", "ORA-01811", "Error Messages, ORA-01811"),
    Ruling("SELECT TO_DATE('', 'Q') FROM DUAL", "", "SQL Language Reference, Format Models"),
    Ruling("SELECT TO_DATE('2', 'Q') FROM DUAL", "ORA-01820", "Error Messages, ORA-01820"),
    Ruling("SELECT INTERVAL '1' DAY / 7 FROM DUAL", "ORA-03001", "the stand-in"),
    Ruling("SELECT NUMTODSINTERVAL(1 / 3, 'SECOND') FROM DUAL", "ORA-03001", "the stand-in"),
]

ANSWERS = [
    Answer(
        "SELECT ADD_MONTHS(DATE '2020-01-31', 1) FROM DUAL",
        [(datetime.datetime(2020, 2, 29, 0, 0),)],
        "SQL Language Reference, ADD_MONTHS",
    ),
    Answer(
        "SELECT MONTHS_BETWEEN(DATE '2020-03-31', DATE '2020-02-29') FROM DUAL",
        [(1,)],
        "SQL Language Reference, Datetime Data Types; Data Conversion",
    ),
    Answer(
        "SELECT TO_CHAR(TO_DATE('20JAN2020', 'DD-MON-YYYY'), 'YYYY-MM-DD') FROM DUAL",
        [("2020-01-20",)],
        "SQL Language Reference, Datetime Format Models",
    ),
    Answer(
        "SELECT TO_CHAR(DATE '2020-08-05', 'rm RM') FROM DUAL",
        [("viii VIII",)],
        "SQL Language Reference, Format Models, Case of Dates",
    ),
    Answer(
        "SELECT TO_CHAR(DATE '2020-01-05', 'D') FROM DUAL",
        [("7",)],
        "SQL Language Reference, Format Models; Database Globalization Support Guide, NLS_TERRITORY",
        ("ALTER SESSION SET NLS_TERRITORY = GERMANY",),
    ),
    Answer(
        "SELECT TRUNC(DATE '2020-01-05', 'D'), ROUND(DATE '2020-01-05', 'DAY') FROM DUAL",
        [(datetime.datetime(2019, 12, 30), datetime.datetime(2020, 1, 6))],
        "SQL Language Reference, ROUND and TRUNC Date Functions; Database Globalization Support Guide, NLS_TERRITORY",
        ("ALTER SESSION SET NLS_TERRITORY = GERMANY",),
    ),
    Answer(
        "SELECT TO_CHAR(INTERVAL '400' DAY(3)), TO_CHAR(INTERVAL '4 5:12:10.222' DAY TO SECOND(3)), TO_CHAR(INTERVAL '123-2' YEAR(3) TO MONTH) FROM DUAL",
        [("+400 00:00:00", "+04 05:12:10.222", "+123-02")],
        "SQL Language Reference, Literals, Interval Literals",
    ),
    Answer(
        "SELECT TO_CHAR(TIMESTAMP '2020-01-02 00:00:00' - TIMESTAMP '2020-01-01 00:00:00') FROM DUAL",
        [("+000000001 00:00:00.000000000",)],
        "SQL Language Reference, Interval Data Types; Datetime/Interval Arithmetic",
    ),
    Answer(
        "SELECT TO_CHAR(SEEN - SEEN), TO_CHAR((BORN + INTERVAL '1' DAY) - TIMESTAMP '1990-01-31 00:00:00') FROM PERSON WHERE ID = 1",
        [(None, "+000000001 00:00:00.000000000")],
        "SQL Language Reference, Interval Data Types; Datetime/Interval Arithmetic",
    ),
    Answer(
        "SELECT TO_CHAR(NUMTODSINTERVAL(100, 'DAY')), TO_CHAR(NUMTOYMINTERVAL(-14, 'MONTH')), NUMTODSINTERVAL(1.5, 'HOUR') || '' FROM DUAL",
        [("+000000100 00:00:00.000000000", "-000000001-02", "+000000000 01:30:00.000000000")],
        "SQL Language Reference, NUMTODSINTERVAL; NUMTOYMINTERVAL",
    ),
    Answer(
        "SELECT TO_CHAR(INTERVAL '20' DAY - INTERVAL '240' HOUR(3)), TO_CHAR(INTERVAL '1' DAY * 1.5) FROM DUAL",
        [("+000000010 00:00:00.000000000", "+000000001 12:00:00.000000000")],
        "SQL Language Reference, Interval Expressions",
    ),
    Answer(
        "SELECT TO_CHAR(CAST(INTERVAL '1' DAY AS INTERVAL DAY(4) TO SECOND(2))) FROM DUAL",
        [("+0001 00:00:00.00",)],
        "SQL Language Reference, Interval Data Types",
    ),
]


@pytest.mark.parametrize("ruling", RULINGS, ids=str)
def test_ruling(people: oracledb.Connection, ruling: Ruling) -> None:
    ruling.hold(people)


@pytest.mark.parametrize("answer", ANSWERS, ids=str)
def test_answer(people: oracledb.Connection, answer: Answer) -> None:
    answer.hold(people)
