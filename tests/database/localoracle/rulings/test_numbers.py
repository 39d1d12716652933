# ruff: noqa: E501 - statements read better on one line
"""Numbers and their conversions."""

from __future__ import annotations

import math

import oracledb
import pytest

from support.rulings import Answer, Ruling

RULINGS = [
    Ruling("SELECT MOD(1) FROM DUAL", "ORA-00909", "SQL Language Reference, Functions; Error Messages"),
    Ruling(
        "SELECT TO_BINARY_DOUBLE('x') FROM DUAL",
        "ORA-01722",
        "SQL Language Reference, TO_BINARY_DOUBLE, TO_BINARY_FLOAT",
    ),
    Ruling(
        "SELECT CAST(BINARY_DOUBLE_INFINITY AS NUMBER) FROM DUAL", "ORA-01426", "SQL Language Reference, CAST"
    ),
    Ruling("SELECT CAST(BINARY_DOUBLE_NAN AS NUMBER) FROM DUAL", "ORA-01722", "SQL Language Reference, CAST"),
    Ruling("SELECT CAST(12345 AS NUMBER(3)) FROM DUAL", "ORA-01438", "SQL Language Reference, CAST"),
    Ruling("SELECT CAST(1.55 AS NUMBER(3,1)) FROM DUAL", "", "SQL Language Reference, CAST"),
    Ruling("SELECT CAST('x' AS NUMBER) FROM DUAL", "ORA-01722", "SQL Language Reference, CAST"),
    Ruling("SELECT CAST(NULL AS NUMBER(39)) FROM DUAL", "ORA-01727", "SQL Language Reference, CAST"),
    Ruling("SELECT CAST(1 AS NUMBER(5,200)) FROM DUAL", "ORA-01728", "SQL Language Reference, CAST"),
    Ruling("SELECT EXP(1000) FROM DUAL", "ORA-01426", "SQL Language Reference, Functions; Error Messages"),
    Ruling("SELECT 1E126 FROM DUAL", "ORA-01426", "SQL Language Reference, Functions; Error Messages"),
    Ruling("SELECT 9E125 * 100 FROM DUAL", "ORA-01426", "SQL Language Reference, Functions; Error Messages"),
    Ruling("SELECT LOG(0, 2) FROM DUAL", "ORA-01428", "SQL Language Reference, Functions; Error Messages"),
    Ruling("SELECT LOG(10, 0) FROM DUAL", "ORA-01428", "SQL Language Reference, Functions; Error Messages"),
    Ruling("SELECT LN(-1) FROM DUAL", "ORA-01428", "SQL Language Reference, Functions; Error Messages"),
    Ruling("SELECT ACOS(2) FROM DUAL", "ORA-01428", "SQL Language Reference, Functions; Error Messages"),
    Ruling("SELECT ASIN(-2) FROM DUAL", "ORA-01428", "SQL Language Reference, Functions; Error Messages"),
    Ruling(
        "SELECT POWER(-8, 1/3) FROM DUAL", "ORA-01428", "SQL Language Reference, Functions; Error Messages"
    ),
    Ruling(
        "SELECT REMAINDER(5, 0) FROM DUAL", "ORA-01476", "SQL Language Reference, Functions; Error Messages"
    ),
    Ruling("SELECT TO_NUMBER('1 2') FROM DUAL", "ORA-01722", "SQL Language Reference, Format Models"),
    Ruling("SELECT TO_NUMBER('0x1F') FROM DUAL", "ORA-01722", "SQL Language Reference, Format Models"),
    Ruling("SELECT TO_NUMBER('NaN') FROM DUAL", "ORA-01722", "SQL Language Reference, Format Models"),
    Ruling("SELECT TO_NUMBER('Infinity') FROM DUAL", "ORA-01722", "SQL Language Reference, Format Models"),
    Ruling("SELECT TO_NUMBER('1_000') FROM DUAL", "ORA-01722", "SQL Language Reference, Format Models"),
    Ruling("SELECT CAST(1 AS NONSENSE) FROM DUAL", "ORA-00902", "SQL Language Reference, CAST"),
    Ruling("SELECT CAST(NAME AS CLOB) FROM PERSON", "", "SQL Language Reference, CAST"),
    Ruling("SELECT ID / 0 FROM PERSON", "ORA-01476", "SQL Language Reference, Functions; Error Messages"),
    Ruling("SELECT WIDTH_BUCKET(35, 0, 100, 0) FROM DUAL", "ORA-30494", "Error Messages, ORA-30494"),
    Ruling("SELECT CAST(123456 AS VARCHAR2(3)) FROM DUAL", "ORA-25137", "Error Messages, ORA-25137"),
    Ruling("SELECT CAST(PAY AS VARCHAR2(1)) FROM PERSON", "ORA-25137", "Error Messages, ORA-25137"),
    Ruling("SELECT CAST(1 AS FLOAT(127)) FROM DUAL", "ORA-01724", "Error Messages, ORA-01724"),
    Ruling("CREATE TABLE T (A FLOAT(0))", "ORA-01724", "Error Messages, ORA-01724"),
]

ANSWERS = [
    Answer("SELECT 1d/0 FROM DUAL", [(math.inf,)], "SQL Language Reference, Floating-Point Numbers"),
    Answer("SELECT -1d/0 FROM DUAL", [(-math.inf,)], "SQL Language Reference, Floating-Point Numbers"),
    Answer("SELECT 1/0d FROM DUAL", [(math.inf,)], "SQL Language Reference, Floating-Point Numbers"),
    Answer(
        "SELECT TO_BINARY_DOUBLE('1.5') FROM DUAL",
        [(1.5,)],
        "SQL Language Reference, TO_BINARY_DOUBLE, TO_BINARY_FLOAT",
    ),
    Answer(
        "SELECT TO_BINARY_FLOAT(2) FROM DUAL",
        [(2.0,)],
        "SQL Language Reference, TO_BINARY_DOUBLE, TO_BINARY_FLOAT",
    ),
    Answer(
        "SELECT TO_BINARY_DOUBLE('INF') FROM DUAL",
        [(math.inf,)],
        "SQL Language Reference, TO_BINARY_DOUBLE, TO_BINARY_FLOAT",
    ),
    Answer("SELECT CAST('1.5' AS BINARY_DOUBLE) FROM DUAL", [(1.5,)], "SQL Language Reference, CAST"),
    Answer("SELECT CAST(1d AS NUMBER) FROM DUAL", [(1,)], "SQL Language Reference, CAST"),
    Answer(
        "SELECT REMAINDER(5.5, 2) FROM DUAL", [(-0.5,)], "SQL Language Reference, Functions; Error Messages"
    ),
    Answer("SELECT ROUND(2.5d) FROM DUAL", [(2.0,)], "SQL Language Reference, Floating-Point Numbers"),
    Answer("SELECT BITAND(-1, 7) FROM DUAL", [(7,)], "SQL Language Reference, Functions; Error Messages"),
    Answer("SELECT CHR(65.9) FROM DUAL", [("A",)], "SQL Language Reference, Functions; Error Messages"),
    Answer(
        "SELECT TO_NUMBER('1.234,5', '9G999D9', 'NLS_NUMERIC_CHARACTERS='',.''') FROM DUAL",
        [(1234.5,)],
        "SQL Language Reference, Format Models",
    ),
    Answer("SELECT TO_NUMBER('-$5.00', '$9.99') FROM DUAL", [(-5,)], "SQL Language Reference, Format Models"),
    Answer("SELECT TO_NUMBER('') FROM DUAL", [(None,)], "SQL Language Reference, Format Models"),
    Answer("SELECT TO_NUMBER(' 12 ') FROM DUAL", [(12,)], "SQL Language Reference, Format Models"),
    Answer("SELECT TO_NUMBER('1e3') FROM DUAL", [(1000,)], "SQL Language Reference, Format Models"),
    Answer("SELECT '5' + '6' FROM DUAL", [(11,)], "SQL Language Reference, Functions; Error Messages"),
    Answer("SELECT NULL + 1 FROM DUAL", [(None,)], "SQL Language Reference, Functions; Error Messages"),
    Answer("SELECT TO_CHAR(0.5) FROM DUAL", [(".5",)], "SQL Language Reference, Format Models"),
    Answer("SELECT TO_CHAR(-0.5) FROM DUAL", [("-.5",)], "SQL Language Reference, Format Models"),
    Answer("SELECT TO_CHAR(12345, '999') FROM DUAL", [("####",)], "SQL Language Reference, Format Models"),
    Answer("SELECT 7/2 FROM DUAL", [(3.5,)], "SQL Language Reference, Functions; Error Messages"),
    Answer(
        "SELECT TO_CHAR(1/3) FROM DUAL",
        [(".3333333333333333333333333333333333333333",)],
        "SQL Language Reference, Format Models",
    ),
    Answer("SELECT CAST('abcdef' AS VARCHAR2(3)) FROM DUAL", [("abc",)], "SQL Language Reference, CAST"),
    Answer("SELECT CAST('abcdef' AS CHAR(3)) FROM DUAL", [("abc",)], "SQL Language Reference, CAST"),
    Answer(
        "SELECT CAST(BINARY_DOUBLE_INFINITY AS BINARY_FLOAT) FROM DUAL",
        [(math.inf,)],
        "SQL Language Reference, CAST",
    ),
    Answer(
        "SELECT TO_BINARY_DOUBLE(NULL) FROM DUAL",
        [(None,)],
        "SQL Language Reference, TO_BINARY_DOUBLE, TO_BINARY_FLOAT",
    ),
    Answer(
        "SELECT TO_BINARY_DOUBLE('1,234.5', '9,999.9') FROM DUAL",
        [(1234.5,)],
        "SQL Language Reference, TO_BINARY_DOUBLE, TO_BINARY_FLOAT",
    ),
    Answer("SELECT 6d / 4 FROM DUAL", [(1.5,)], "SQL Language Reference, Floating-Point Numbers"),
    Answer(
        "SELECT TO_CHAR(AVG(N)) FROM (SELECT LEVEL * LEVEL N FROM DUAL CONNECT BY LEVEL <= 6)",
        [("15.16666666666666666666666666666666666667",)],
        "SQL Language Reference, NUMBER Data Type; AVG",
    ),
    Answer(
        "SELECT TO_CHAR(AVG(N) OVER ()) FROM (SELECT LEVEL * LEVEL N FROM DUAL CONNECT BY LEVEL <= 3) WHERE ROWNUM = 1",
        [("4.66666666666666666666666666666666666667",)],
        "SQL Language Reference, NUMBER Data Type; AVG",
    ),
    Answer(
        "SELECT TO_CHAR(VARIANCE(N)), TO_CHAR(VAR_POP(N)), TO_CHAR(STDDEV(N)) FROM (SELECT LEVEL * LEVEL N FROM DUAL CONNECT BY LEVEL <= 3)",
        [
            (
                "16.33333333333333333333333333333333333333",
                "10.88888888888888888888888888888888888889",
                "4.04145188432738035156404146351370218953",
            )
        ],
        "SQL Language Reference, NUMBER Data Type; VARIANCE, VAR_POP, STDDEV",
    ),
    Answer(
        "SELECT STDDEV(1), STDDEV_SAMP(1), VAR_POP(1), VAR_SAMP(1), VARIANCE(DISTINCT N) FROM (SELECT -1 N FROM DUAL UNION ALL SELECT 1 FROM DUAL)",
        [(0, 0, 0, 0, 2)],
        "SQL Language Reference, VARIANCE",
    ),
    Answer(
        "SELECT STDDEV(ID), STDDEV_SAMP(ID), VARIANCE(ID), VAR_SAMP(ID), VAR_POP(ID) FROM PERSON WHERE ID = 1",
        [(0, None, 0, None, 0)],
        "SQL Language Reference, STDDEV; STDDEV_SAMP",
    ),
    Answer(
        "SELECT SIGN(0d), SIGN(-0.5f), SIGN(BINARY_DOUBLE_NAN), SIGN(0) FROM DUAL",
        [(1, -1, 1, 0)],
        "SQL Language Reference, SIGN",
    ),
    Answer(
        "SELECT CAST(1.23 AS FLOAT(5)), CAST(7.89 AS FLOAT(5)), CAST(12.79 AS FLOAT(5)), CAST(123.45 AS FLOAT(5)) FROM DUAL",
        [(1.2, 7.9, 13, 120)],
        "SQL Language Reference, FLOAT Data Type, the example",
    ),
    Answer(
        "SELECT CAST(NAME AS VARCHAR2(2)) FROM PERSON WHERE ID = 1", [("Ad",)], "SQL Language Reference, CAST"
    ),
    Answer(
        "SELECT TO_CHAR(1 + 1E-39), TO_CHAR((1E60 + 1) - 1E60), TO_CHAR(1 / 3 * 3) FROM DUAL",
        [("1", "0", ".9999999999999999999999999999999999999999")],
        "SQL Language Reference, NUMBER Data Type: 20 digits of base 100",
    ),
    Answer(
        "SELECT COUNT(*) FROM DUAL WHERE 1 / 3 + 1 / 3 + 1 / 3 = 1 OR 1 + 1E-39 <> 1",
        [(0,)],
        "SQL Language Reference, NUMBER Data Type: 20 digits of base 100",
    ),
    Answer("SELECT 1E3+5, 1E3-5E2 FROM DUAL", [(1005, 500)], "SQL Language Reference, Numeric Literals"),
]


@pytest.mark.parametrize("ruling", RULINGS, ids=str)
def test_ruling(people: oracledb.Connection, ruling: Ruling) -> None:
    ruling.hold(people)


@pytest.mark.parametrize("answer", ANSWERS, ids=str)
def test_answer(people: oracledb.Connection, answer: Answer) -> None:
    answer.hold(people)
