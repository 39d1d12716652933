"""How long texts, lists and patterns may be, and what conversions refuse."""

from __future__ import annotations

import oracledb
import pytest

from support.rulings import Ruling

_LITERALS = "SQL Language Reference, Text Literals; Error Messages, ORA-01704"
_LISTS = "SQL Language Reference, Expression Lists"
_CONCATENATION = "SQL Language Reference, Concatenation Operator; Error Messages, ORA-01489"
_REGULAR = "SQL Language Reference, REGEXP_REPLACE, REGEXP_LIKE; Error Messages"
_FORMATS = "SQL Language Reference, Format Models"
_RAW = "SQL Language Reference, RAWTOHEX, HEXTORAW"
_ERRORS = "Error Messages"

_THOUSAND = ", ".join(map(str, range(1000)))
_PAIRS = ", ".join(f"({i}, 'x')" for i in range(1100))

RULINGS = [
    Ruling(f"SELECT '{'x' * 4000}' FROM DUAL", "", _LITERALS),
    Ruling(f"SELECT '{'x' * 4001}' FROM DUAL", "ORA-01704", _LITERALS),
    Ruling(f"SELECT '{'é' * 2001}' FROM DUAL", "ORA-01704", _LITERALS),
    Ruling(f"SELECT q'[{'x' * 4001}]' FROM DUAL", "ORA-01704", _LITERALS),
    Ruling(f"SELECT N'{'x' * 4001}' FROM DUAL", "ORA-01704", _LITERALS),
    Ruling(f"INSERT INTO PERSON (ID, NOTE) VALUES (3, '{'x' * 4001}')", "ORA-01704", _LITERALS),
    Ruling(f"SELECT ID FROM PERSON WHERE ID IN ({_THOUSAND})", "", _LISTS),
    Ruling(f"SELECT ID FROM PERSON WHERE ID IN ({_THOUSAND}, 1000)", "ORA-01795", _LISTS),
    Ruling(f"SELECT ID FROM PERSON WHERE ID NOT IN ({_THOUSAND}, 1000)", "ORA-01795", _LISTS),
    Ruling(f"SELECT ID FROM PERSON WHERE ID = ANY ({_THOUSAND}, 1000)", "ORA-01795", _LISTS),
    Ruling(
        f"SELECT ID FROM PERSON WHERE (ID, NAME) IN ({_PAIRS})",
        "",
        f"{_LISTS}: sets of expressions have no limit",
    ),
    Ruling(f"SELECT {', '.join(f'1 AS C{i}' for i in range(1000))} FROM DUAL", "", _ERRORS),
    Ruling(
        f"SELECT COUNT(*) FROM (SELECT {', '.join(f'1 AS C{i}' for i in range(1001))} FROM DUAL)",
        "ORA-01792",
        _ERRORS,
    ),
    Ruling("SELECT RPAD('x', 4000, 'x') || '' FROM DUAL", "", _CONCATENATION),
    Ruling("SELECT TO_CLOB(RPAD('x', 4000, 'x')) || 'y' FROM DUAL", "", _CONCATENATION),
    Ruling(
        "SELECT LISTAGG(RPAD('x', 100, 'x')) WITHIN GROUP (ORDER BY 1) FROM DUAL CONNECT BY LEVEL <= 40",
        "",
        "SQL Language Reference, LISTAGG",
    ),
    Ruling(
        "SELECT LENGTH(RPAD('x', 5000, 'x')) FROM DUAL", "", "SQL Language Reference, RPAD: cut at the limit"
    ),
    # Regular expressions
    Ruling(f"SELECT REGEXP_SUBSTR('x', '{'x' * 512}') FROM DUAL", "", _REGULAR),
    Ruling(f"SELECT REGEXP_SUBSTR('x', '{'x' * 513}') FROM DUAL", "ORA-12733", _REGULAR),
    Ruling(f"SELECT ID FROM PERSON WHERE REGEXP_LIKE(NAME, '{'x' * 513}')", "ORA-12733", _REGULAR),
    Ruling("SELECT REGEXP_REPLACE('x', RPAD('x', 600, 'x'), 'y') FROM DUAL", "ORA-12733", _REGULAR),
    Ruling(f"SELECT REGEXP_INSTR('x', '{'é' * 257}') FROM DUAL", "ORA-12733", _REGULAR),
    Ruling("SELECT REGEXP_REPLACE('x', 'x', 'y', 1, 0, 'z') FROM DUAL", "ORA-01760", _REGULAR),
    Ruling("SELECT REGEXP_REPLACE('x', 'x', 'y', 1, 0, 'inmxc') FROM DUAL", "", _REGULAR),
    Ruling("SELECT REGEXP_SUBSTR('x', '[z-a]') FROM DUAL", "ORA-12728", _REGULAR),
    Ruling("SELECT REGEXP_SUBSTR('x', '(x') FROM DUAL", "ORA-12725", _REGULAR),
    Ruling("SELECT REGEXP_SUBSTR('x', '[x') FROM DUAL", "ORA-12726", _REGULAR),
    Ruling("SELECT REGEXP_SUBSTR('x', '(x)\\2') FROM DUAL", "ORA-12727", _REGULAR),
    Ruling("SELECT REGEXP_SUBSTR('x', 'x', 0) FROM DUAL", "ORA-01428", _REGULAR),
    # Conversions
    Ruling("SELECT TO_NUMBER('FF', 'XX') FROM DUAL", "", _FORMATS),
    Ruling("SELECT TO_NUMBER('FFF', 'XX') FROM DUAL", "ORA-01722", _FORMATS),
    Ruling("SELECT TO_NUMBER('GG', 'XX') FROM DUAL", "ORA-01722", _FORMATS),
    Ruling(f"SELECT TO_NUMBER('FF', '{'X' * 63}') FROM DUAL", "", _FORMATS),
    Ruling("SELECT TO_NUMBER('12', 'QQ') FROM DUAL", "ORA-01481", _FORMATS),
    Ruling("SELECT TO_NUMBER('1,234.5', '9,999.9') FROM DUAL", "", _FORMATS),
    Ruling("SELECT TO_NUMBER('12345', '999') FROM DUAL", "ORA-01722", _FORMATS),
    Ruling("SELECT TO_NUMBER('abc') FROM DUAL", "ORA-01722", _FORMATS),
    Ruling("SELECT TO_CHAR(1, 'QQ') FROM DUAL", "ORA-01481", _FORMATS),
    Ruling("SELECT ID FROM PERSON WHERE NAME = 1", "ORA-01722", "SQL Language Reference, Data Conversion"),
    Ruling("SELECT 'a' + 1 FROM DUAL", "ORA-01722", "SQL Language Reference, Data Conversion"),
    Ruling("SELECT 1 / 0 FROM DUAL", "ORA-01476", _ERRORS),
    Ruling("SELECT MOD(1, 0) FROM DUAL", "", "SQL Language Reference, MOD"),
    Ruling("SELECT HEXTORAW('ABC') FROM DUAL", "", f"{_RAW}: an odd number of digits is led by a zero"),
    Ruling("SELECT HEXTORAW('XY') FROM DUAL", "ORA-01465", _RAW),
    Ruling("SELECT RAWTOHEX(HEXTORAW(RPAD('A', 4000, 'A'))) FROM DUAL", "", _RAW),
    Ruling("SELECT UTL_RAW.CAST_TO_RAW('x') FROM DUAL", "", "PL/SQL Packages and Types Reference, UTL_RAW"),
    Ruling("SELECT SQRT(-1) FROM DUAL", "ORA-01428", _ERRORS),
    Ruling("SELECT LN(0) FROM DUAL", "ORA-01428", _ERRORS),
    Ruling("SELECT POWER(10, 200) FROM DUAL", "ORA-01426", _ERRORS),
    Ruling("SELECT CHR(-1) FROM DUAL", "ORA-01428", _ERRORS),
    Ruling("SELECT NAME FROM PERSON WHERE NAME LIKE 'a' ESCAPE '!!'", "ORA-01425", _ERRORS),
    Ruling("SELECT CAST('abc' AS VARCHAR2(4001)) FROM DUAL", "ORA-00910", _ERRORS),
    Ruling("SELECT CAST('abc' AS VARCHAR2) FROM DUAL", "ORA-00906", _ERRORS),
]


@pytest.mark.parametrize("ruling", RULINGS, ids=str)
def test_ruling(people: oracledb.Connection, ruling: Ruling) -> None:
    ruling.hold(people)
