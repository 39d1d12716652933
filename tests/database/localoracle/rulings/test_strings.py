# ruff: noqa: E501 - statements read better on one line
"""Strings: how long they may be, patterns, TRIM, large objects where strings are wanted."""

from __future__ import annotations

import oracledb
import pytest

from support.rulings import Answer, Ruling

_LANGUAGE = "SQL Language Reference"
_LONG_NOTE = "INSERT INTO PERSON (ID, NOTE) VALUES (50, RPAD(TO_CLOB('x'), 4000, 'x') || 'y')"
_PICTURE = "INSERT INTO PERSON (ID, PICTURE) VALUES (51, TO_BLOB(HEXTORAW(RPAD('A', 4000, 'A'))))"

RULINGS = [
    Ruling("SELECT UPPER() FROM DUAL", "ORA-00909", "SQL Language Reference, Functions; Error Messages"),
    Ruling(
        "SELECT UPPER('a', 'b') FROM DUAL", "ORA-00909", "SQL Language Reference, Functions; Error Messages"
    ),
    Ruling("SELECT SUBSTR('a') FROM DUAL", "ORA-00938", "SQL Language Reference, Functions; Error Messages"),
    Ruling(
        "SELECT SUBSTR('a', 1, 2, 3) FROM DUAL",
        "ORA-00939",
        "SQL Language Reference, Functions; Error Messages",
    ),
    Ruling("SELECT LENGTH() FROM DUAL", "ORA-00909", "SQL Language Reference, Functions; Error Messages"),
    Ruling("SELECT INSTR('a') FROM DUAL", "ORA-00938", "SQL Language Reference, Functions; Error Messages"),
    Ruling(
        "SELECT INSTR('a', 'b', 1, 1, 1) FROM DUAL",
        "ORA-00939",
        "SQL Language Reference, Functions; Error Messages",
    ),
    Ruling(
        "SELECT RPAD('x', 4000, 'x') || 'y' FROM DUAL",
        "ORA-01489",
        "SQL Language Reference, Concatenation Operator",
    ),
    Ruling(
        "SELECT 'y' || RPAD('x', 4000, 'x') FROM DUAL",
        "ORA-01489",
        "SQL Language Reference, Concatenation Operator",
    ),
    Ruling(
        "SELECT RPAD('x', 2000, 'x') || RPAD('x', 2000, 'x') || 'y' FROM DUAL",
        "ORA-01489",
        "SQL Language Reference, Concatenation Operator",
    ),
    Ruling(
        "SELECT RPAD('x', 2000, 'é') || RPAD('x', 2000, 'é') FROM DUAL",
        "ORA-01489",
        "SQL Language Reference, Concatenation Operator",
    ),
    Ruling(
        "SELECT LENGTH(RPAD('x', 4000, 'x') || 'y') FROM DUAL",
        "ORA-01489",
        "SQL Language Reference, Concatenation Operator",
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE NAME || RPAD('x', 4000, 'x') = 'a'",
        "ORA-01489",
        "SQL Language Reference, Concatenation Operator",
    ),
    Ruling(
        "INSERT INTO PERSON (ID, NOTE) VALUES (52, RPAD('x', 4000, 'x') || 'y')",
        "ORA-01489",
        "SQL Language Reference, Concatenation Operator",
    ),
    Ruling(
        "INSERT INTO PERSON (ID, NOTE) VALUES (52, TO_CLOB(RPAD('x', 4000, 'x')) || 'y')",
        "",
        "SQL Language Reference, Concatenation Operator",
    ),
    Ruling(
        "SELECT CONCAT(RPAD('x', 4000, 'x'), 'y') FROM DUAL",
        "ORA-01489",
        f"{_LANGUAGE}, CONCAT: as the operator",
    ),
    Ruling(
        "SELECT CONCAT(NAME, RPAD('x', 3998, 'x')) FROM PERSON WHERE ID = 1",
        "ORA-01489",
        f"{_LANGUAGE}, CONCAT",
    ),
    Ruling(
        "SELECT CONCAT(NOTE, RPAD('x', 4000, 'x')) FROM PERSON WHERE ID = 1", "", f"{_LANGUAGE}, CONCAT: CLOB"
    ),
    Ruling("SELECT CONCAT(NAME) FROM PERSON", "ORA-00909", f"{_LANGUAGE}, CONCAT"),
    Ruling(
        "SELECT REPLACE(RPAD('x', 4000, 'x'), 'x', 'yy') FROM DUAL",
        "ORA-01489",
        f"{_LANGUAGE}, REPLACE: VARCHAR2",
    ),
    Ruling("SELECT REPLACE(RPAD('x', 2000, 'x'), 'x', 'é') FROM DUAL", "", f"{_LANGUAGE}, REPLACE: VARCHAR2"),
    Ruling(
        "SELECT REPLACE(RPAD('x', 2001, 'x'), 'x', 'é') FROM DUAL",
        "ORA-01489",
        f"{_LANGUAGE}, REPLACE: VARCHAR2",
    ),
    Ruling(
        "SELECT REPLACE(NAME, 'A', RPAD('x', 4000, 'x')) FROM PERSON", "ORA-01489", f"{_LANGUAGE}, REPLACE"
    ),
    Ruling(
        "SELECT REPLACE(NOTE, 'x', 'yy') FROM PERSON WHERE ID = 50",
        "",
        f"{_LANGUAGE}, REPLACE: CLOB",
        (_LONG_NOTE,),
    ),
    Ruling(
        "SELECT REGEXP_REPLACE(RPAD('x', 4000, 'x'), 'x', 'yy') FROM DUAL",
        "ORA-01489",
        f"{_LANGUAGE}, REGEXP_REPLACE",
    ),
    Ruling(
        "SELECT REGEXP_REPLACE(NOTE, 'x', 'yy') FROM PERSON WHERE ID = 50",
        "",
        f"{_LANGUAGE}, REGEXP_REPLACE",
        (_LONG_NOTE,),
    ),
    Ruling(
        "SELECT TRANSLATE(RPAD('x', 4000, 'x'), 'x', 'é') FROM DUAL", "ORA-01489", f"{_LANGUAGE}, TRANSLATE"
    ),
    Ruling("SELECT ASCIISTR(RPAD('é', 2000, 'é')) FROM DUAL", "ORA-01489", f"{_LANGUAGE}, ASCIISTR"),
    Ruling(
        "SELECT LISTAGG(RPAD('x', 100, 'x')) WITHIN GROUP (ORDER BY 1) FROM DUAL CONNECT BY LEVEL <= 41",
        "ORA-01489",
        "SQL Language Reference, LISTAGG",
    ),
    Ruling(
        "SELECT LISTAGG(RPAD('x', 100, 'x'), ',' ON OVERFLOW ERROR) WITHIN GROUP (ORDER BY 1) FROM DUAL CONNECT BY LEVEL <= 41",
        "ORA-01489",
        "SQL Language Reference, LISTAGG",
    ),
    Ruling(
        "SELECT TO_CHAR(NOTE) FROM PERSON WHERE ID = 50",
        "ORA-22835",
        "SQL Language Reference, Format Models",
        (_LONG_NOTE,),
    ),
    Ruling(
        "SELECT CAST(NOTE AS VARCHAR2(4000)) FROM PERSON WHERE ID = 50",
        "ORA-22835",
        "SQL Language Reference, CAST",
        (_LONG_NOTE,),
    ),
    Ruling(
        "SELECT CAST(NOTE AS VARCHAR2(10)) FROM PERSON WHERE ID = 50",
        "ORA-22835",
        "SQL Language Reference, CAST",
        (_LONG_NOTE,),
    ),
    Ruling(
        "SELECT TRANSLATE(NOTE, 'x', 'y') FROM PERSON WHERE ID = 50",
        "ORA-22835",
        "SQL Language Reference, Conditions; Data Conversion",
        (_LONG_NOTE,),
    ),
    Ruling(
        "SELECT INITCAP(NOTE) FROM PERSON WHERE ID = 50",
        "ORA-22835",
        "SQL Language Reference, Conditions; Data Conversion",
        (_LONG_NOTE,),
    ),
    Ruling(
        "SELECT ASCII(NOTE) FROM PERSON WHERE ID = 50",
        "ORA-22835",
        "SQL Language Reference, Conditions; Data Conversion",
        (_LONG_NOTE,),
    ),
    Ruling(
        "SELECT UPPER(NOTE) FROM PERSON WHERE ID = 50",
        "",
        "SQL Language Reference, Conditions; Data Conversion",
        (_LONG_NOTE,),
    ),
    Ruling(
        "SELECT SUBSTR(NOTE, 1, 4001) FROM PERSON WHERE ID = 50",
        "",
        "SQL Language Reference, Conditions; Data Conversion",
        (_LONG_NOTE,),
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE TO_CHAR(NOTE) = 'x' AND ID = 50",
        "ORA-22835",
        "SQL Language Reference, Format Models",
        (_LONG_NOTE,),
    ),
    Ruling(
        "SELECT CAST(PICTURE AS RAW(2000)) FROM PERSON WHERE ID = 51",
        "",
        "SQL Language Reference, CAST",
        (_PICTURE,),
    ),
    Ruling(
        "SELECT CAST(PICTURE AS RAW(1000)) FROM PERSON WHERE ID = 51",
        "ORA-22835",
        "SQL Language Reference, CAST",
        (_PICTURE,),
    ),
    Ruling(
        "SELECT TO_NUMBER(NOTE) FROM PERSON WHERE ID = 1",
        "ORA-01722",
        "SQL Language Reference, Format Models",
    ),
    Ruling("SELECT TRIM('ab' FROM 'abc') FROM DUAL", "ORA-30001", "SQL Language Reference, TRIM"),
    Ruling("SELECT TRIM(BOTH 'xy' FROM NAME) FROM PERSON", "ORA-30001", "SQL Language Reference, TRIM"),
    Ruling("SELECT TRIM(LEADING NAME FROM NAME) FROM PERSON", "ORA-30001", "SQL Language Reference, TRIM"),
    Ruling("SELECT TRIM('a', 'b') FROM DUAL", "ORA-00907", "SQL Language Reference, TRIM"),
    Ruling(
        "SELECT ID FROM PERSON WHERE NAME LIKE 'a!b' ESCAPE '!'",
        "ORA-01424",
        "SQL Language Reference, LIKE Condition",
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE NAME LIKE 'a!' ESCAPE '!'",
        "ORA-01424",
        "SQL Language Reference, LIKE Condition",
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE NAME LIKE 'a!%' ESCAPE '!'", "", "SQL Language Reference, LIKE Condition"
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE NAME LIKE 'a!!' ESCAPE '!'", "", "SQL Language Reference, LIKE Condition"
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE NAME LIKE 'a' ESCAPE ''",
        "ORA-01425",
        "SQL Language Reference, LIKE Condition",
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE NAME LIKE 'a' ESCAPE 'ab'",
        "ORA-01425",
        "SQL Language Reference, LIKE Condition",
    ),
    Ruling("SELECT ID FROM PERSON WHERE NAME NOT LIKE 'a\\b'", "", "SQL Language Reference, LIKE Condition"),
    Ruling("SELECT ID FROM PERSON WHERE ID LIKE '1%'", "", "SQL Language Reference, LIKE Condition"),
    Ruling(
        "INSERT INTO PERSON (ID, PICTURE) VALUES (100, 'XY')",
        "ORA-01465",
        "SQL Language Reference, INSERT; Data Conversion",
    ),
    Ruling(
        "INSERT INTO PERSON (ID, PICTURE) VALUES (100, 5)",
        "ORA-00932",
        "SQL Language Reference, INSERT; Data Conversion",
    ),
    Ruling(
        "INSERT INTO PERSON (ID, NOTE) VALUES (100, 5)",
        "ORA-00932",
        "SQL Language Reference, INSERT; Data Conversion",
    ),
    Ruling(
        "INSERT INTO PERSON (ID, NOTE) VALUES (100, SYSDATE)",
        "ORA-00932",
        "SQL Language Reference, INSERT; Data Conversion",
    ),
    Ruling("UPDATE PERSON SET NAME = NOTE", "", "SQL Language Reference, UPDATE; Data Conversion"),
    Ruling(
        "SELECT REGEXP_SUBSTR('x', '[[:foo:]]') FROM DUAL",
        "ORA-12729",
        "SQL Language Reference, Oracle Regular Expression Support",
    ),
    Ruling(
        "SELECT REGEXP_SUBSTR('x', 'x{2,1}') FROM DUAL",
        "ORA-12732",
        "SQL Language Reference, Oracle Regular Expression Support",
    ),
    Ruling(
        "SELECT REGEXP_SUBSTR('x', 'x)') FROM DUAL",
        "ORA-12725",
        "SQL Language Reference, Oracle Regular Expression Support",
    ),
    Ruling(
        "SELECT REGEXP_SUBSTR('x', '[[.xy.]]') FROM DUAL",
        "ORA-12731",
        "SQL Language Reference, Oracle Regular Expression Support",
    ),
    Ruling(
        "SELECT REGEXP_INSTR('x', 'x', 1, 0) FROM DUAL",
        "ORA-01428",
        "SQL Language Reference, Oracle Regular Expression Support",
    ),
    Ruling(
        "SELECT REGEXP_COUNT('x', 'x', 0) FROM DUAL",
        "ORA-01428",
        "SQL Language Reference, Oracle Regular Expression Support",
    ),
    Ruling(
        "SELECT REGEXP_SUBSTR('x', 'x', 1, 1, 'q') FROM DUAL",
        "ORA-01760",
        "SQL Language Reference, Oracle Regular Expression Support",
    ),
    Ruling(
        "SELECT NOTE || RPAD('x', 4000, 'x') FROM PERSON WHERE ID = 1",
        "",
        "SQL Language Reference, Concatenation Operator",
    ),
    Ruling(
        "SELECT UPPER(NOTE) || RPAD('x', 4000, 'x') FROM PERSON WHERE ID = 1",
        "",
        "SQL Language Reference, Concatenation Operator",
    ),
    Ruling(
        "SELECT ID || RPAD('x', 4000, 'x') FROM PERSON WHERE ID = 1",
        "ORA-01489",
        "SQL Language Reference, Concatenation Operator",
    ),
    Ruling(
        "SELECT NAME || RPAD('x', 3997, 'x') FROM PERSON WHERE ID = 1",
        "",
        "SQL Language Reference, Concatenation Operator",
    ),
    Ruling(
        "SELECT NAME || RPAD('x', 3998, 'x') FROM PERSON WHERE ID = 1",
        "ORA-01489",
        "SQL Language Reference, Concatenation Operator",
    ),
    Ruling(
        "SELECT UPPER(NAME) || RPAD('x', 3998, 'x') FROM PERSON WHERE ID = 1",
        "ORA-01489",
        "SQL Language Reference, Concatenation Operator",
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE NAME LIKE 'A!d' || 'a' ESCAPE '!'",
        "ORA-01424",
        "SQL Language Reference, Concatenation Operator",
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE NAME LIKE NAME || '!' ESCAPE '!'",
        "ORA-01424",
        "SQL Language Reference, Concatenation Operator",
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE NAME LIKE NAME ESCAPE SUBSTR('!!', 1, 2)",
        "ORA-01425",
        "SQL Language Reference, LIKE Condition",
    ),
    Ruling(
        "SELECT ID FROM PERSON WHERE NAME LIKE 'Ad_' ESCAPE NULL",
        "ORA-01425",
        "SQL Language Reference, LIKE Condition",
    ),
    Ruling("SELECT CHR(0) FROM DUAL", "ORA-03001", "the stand-in"),
    Ruling(
        "SELECT CHR(233) FROM DUAL",
        "ORA-03001",
        "the stand-in; SQL Language Reference, CHR: the result is indeterminate",
    ),
    Ruling(
        "SELECT REGEXP_SUBSTR('abc', '(?i)ABC') FROM DUAL",
        "ORA-03001",
        "the stand-in; SQL Language Reference, Oracle Regular Expression Support",
    ),
    Ruling("SELECT REGEXP_SUBSTR('aXbXc', 'a.*?X.*') FROM DUAL", "ORA-03001", "the stand-in"),
    Ruling("SELECT REGEXP_REPLACE('abc', 'b', '\\&') FROM DUAL", "ORA-03001", "the stand-in"),
    Ruling(
        "SELECT JSON_VALUE('1', '$' ERROR ON ERROR) FROM DUAL",
        "ORA-40441",
        "JSON Developer's Guide, JSON data: RFC 4627",
    ),
    Ruling("SELECT DUMP('abc', 1016) FROM DUAL", "ORA-03001", "the stand-in"),
    Ruling("SELECT DUMP(ID) FROM PERSON", "ORA-03001", "the stand-in"),
    Ruling("SELECT VSIZE(ID) FROM PERSON", "ORA-03001", "the stand-in"),
]

_PADDING = "reported of every release: LPAD and RPAD leave 4,000 bytes"

ANSWERS = [
    Answer("SELECT LENGTH(RPAD('x', 5000, 'y')) FROM DUAL", [(4000,)], _PADDING),
    Answer("SELECT LENGTH(LPAD(NAME, 5000, 'y')) FROM PERSON WHERE ID = 1", [(4000,)], _PADDING),
    Answer("SELECT LENGTHB(RPAD('x', ID * 4000, 'é')) FROM PERSON WHERE ID = 1", [(3999,)], _PADDING),
    Answer(
        "SELECT LENGTH(LPAD(NOTE, 5000, 'y')) FROM PERSON WHERE ID = 1",
        [(5000,)],
        "SQL Language Reference, LPAD",
    ),
    Answer(
        "SELECT CONCAT(NAME, NULL), CONCAT(NULL, NULL) FROM PERSON WHERE ID = 1",
        [("Ada", None)],
        "SQL, CONCAT",
    ),
    Answer(
        "SELECT LENGTH(RPAD(TO_CLOB('x'), 9999, 'x')) FROM DUAL",
        [(9999,)],
        "SQL Language Reference, Functions; Error Messages",
    ),
    Answer("SELECT CAST('äöü' AS VARCHAR2(3)) FROM DUAL", [("ä",)], "SQL Language Reference, CAST"),
    Answer("SELECT CAST('€uro' AS VARCHAR2(2 BYTE)) FROM DUAL", [(None,)], "SQL Language Reference, CAST"),
    Answer("SELECT CAST('x€uro' AS VARCHAR2(6)) FROM DUAL", [("x€ur",)], "SQL Language Reference, CAST"),
    Answer("SELECT CAST('äöü' AS VARCHAR2(3 CHAR)) FROM DUAL", [("äöü",)], "SQL Language Reference, CAST"),
    Answer("SELECT TRIM('' FROM 'abc') FROM DUAL", [(None,)], "SQL Language Reference, TRIM"),
    Answer("SELECT TRIM(NULL FROM 'abc') FROM DUAL", [(None,)], "SQL Language Reference, TRIM"),
    Answer("SELECT TRIM(0 FROM 0009872348900) FROM DUAL", [("98723489",)], "SQL Language Reference, TRIM"),
    Answer("SELECT TRIM(TRAILING 'x' FROM 'axx') FROM DUAL", [("a",)], "SQL Language Reference, TRIM"),
    Answer("SELECT LTRIM('abc', 'ab') FROM DUAL", [("c",)], "SQL Language Reference, TRIM"),
    Answer("SELECT LTRIM('abc', '') FROM DUAL", [(None,)], "SQL Language Reference, TRIM"),
    Answer(
        "SELECT COUNT(*) FROM DUAL WHERE 'a\\b' LIKE 'a\\b'", [(1,)], "SQL Language Reference, LIKE Condition"
    ),
    Answer(
        "SELECT COUNT(*) FROM DUAL WHERE 'a%' LIKE 'a\\%'", [(0,)], "SQL Language Reference, LIKE Condition"
    ),
    Answer("SELECT COUNT(*) FROM DUAL WHERE 'x' LIKE NULL", [(0,)], "SQL Language Reference, LIKE Condition"),
    Answer("SELECT COUNT(*) FROM DUAL WHERE 'x' LIKE ''", [(0,)], "SQL Language Reference, LIKE Condition"),
    Answer("SELECT '5' || 6 FROM DUAL", [("56",)], "SQL Language Reference, Concatenation Operator"),
    Answer("SELECT 1 || NULL FROM DUAL", [("1",)], "SQL Language Reference, Concatenation Operator"),
    Answer("SELECT NULL || NULL FROM DUAL", [(None,)], "SQL Language Reference, Concatenation Operator"),
    Answer("SELECT TO_CHAR(0) || '' FROM DUAL", [("0",)], "SQL Language Reference, Concatenation Operator"),
    Answer(
        "SELECT REGEXP_SUBSTR('x', '') FROM DUAL",
        [(None,)],
        "SQL Language Reference, Oracle Regular Expression Support",
    ),
    Answer(
        "SELECT REGEXP_REPLACE('abc', '(a)(b)', '\\2\\1') FROM DUAL",
        [("bac",)],
        "SQL Language Reference, Oracle Regular Expression Support",
    ),
    Answer(
        "SELECT REGEXP_REPLACE('abc', 'b', '\\1') FROM DUAL",
        [("ac",)],
        "SQL Language Reference, Oracle Regular Expression Support",
    ),
    Answer(
        "SELECT LISTAGG(NAME, ',') WITHIN GROUP (ORDER BY ID) FROM PERSON",
        [("Ada,Bob",)],
        "SQL Language Reference, LISTAGG",
    ),
    Answer("SELECT ID FROM PERSON WHERE NOTE IS JSON", [], "SQL Language Reference, JSON_VALUE"),
    Answer(
        "SELECT ID FROM PERSON WHERE NAME || NULL = 'Ada'",
        [(1,)],
        "SQL Language Reference, Concatenation Operator",
    ),
    Answer("SELECT TRIM(CODE FROM NAME) FROM PERSON WHERE ID = 1", [(None,)], "SQL Language Reference, TRIM"),
    Answer(
        "SELECT TRIM(SUBSTR(NAME, 1, 1) FROM NAME) FROM PERSON WHERE ID = 1",
        [("da",)],
        "SQL Language Reference, TRIM",
    ),
    Answer(
        "SELECT CHR(50089), CHR(196 * 256 + 132) FROM DUAL",
        [("é", "Ą")],
        "SQL Language Reference, CHR: n must resolve to one entire code point",
    ),
    Answer(
        "SELECT INSTRB('éaéa', 'a', 4, 1), INSTRB('CORPORATE FLOOR', 'OR', 5, 2) FROM DUAL",
        [(6, 14)],
        "SQL Language Reference, INSTR",
    ),
    Answer(
        "SELECT REGEXP_SUBSTR('a\\d5', '[\\d]+') FROM DUAL",
        [("\\d",)],
        "SQL Language Reference, Oracle Regular Expression Support: a backslash in a bracket expression",
    ),
    Answer(
        "SELECT REGEXP_SUBSTR('anb', 'a\\nb'), REGEXP_SUBSTR('a' || CHR(10) || 'b', 'a\\nb') FROM DUAL",
        [("anb", None)],
        "SQL Language Reference, Oracle Regular Expression Support",
    ),
    Answer(
        "SELECT REGEXP_SUBSTR('foo bar', '\\mbar'), REGEXP_SUBSTR('aa2b', '(a)\\12') FROM DUAL",
        [(None, "aa2")],
        "SQL Language Reference, Oracle Regular Expression Support",
    ),
    Answer(
        "SELECT REGEXP_SUBSTR('a,b,c', '(.*?)(,|$)', 1, 2, NULL, 1), REGEXP_REPLACE('abc', '(b)', '<\\1\\\\>') FROM DUAL",
        [("b", "a<b\\>c")],
        "SQL Language Reference, Oracle Regular Expression Support",
    ),
    Answer(
        "SELECT JSON_VALUE('{a:1, ''b'':''x\"y'', \"c\":[+1,007,3.,TRUE,Null,],}', '$.b'), JSON_VALUE('{a:1, ''b'':''x\"y'', \"c\":[+1,007,3.,TRUE,Null,],}', '$.c[1]'), JSON_VALUE('{a:1, ''b'':''x\"y'', \"c\":[+1,007,3.,TRUE,Null,],}', '$.c[3]') FROM DUAL",
        [('x"y', "7", "true")],
        "JSON Developer's Guide, About Strict and Lax JSON Syntax",
    ),
    Answer(
        "SELECT COUNT(*) FROM DUAL WHERE '{a:1, ''b'':''x\"y'', \"c\":[+1,007,3.,TRUE,Null,],}' IS JSON AND '[]' IS JSON",
        [(1,)],
        "JSON Developer's Guide, About Strict and Lax JSON Syntax",
    ),
    Answer(
        "SELECT COUNT(*) FROM DUAL WHERE '{part number:1}' IS JSON OR '[,]' IS JSON OR '[abc]' IS JSON OR '1' IS JSON OR '\"a\"' IS JSON",
        [(0,)],
        "JSON Developer's Guide, About Strict and Lax JSON Syntax",
    ),
    Answer(
        "SELECT DUMP('abc'), DUMP(NAME, 16) FROM PERSON WHERE ID = 1",
        [("Typ=96 Len=3: 97,98,99", "Typ=1 Len=3: 41,64,61")],
        "SQL Language Reference, DUMP",
    ),
]


@pytest.mark.parametrize("ruling", RULINGS, ids=str)
def test_ruling(people: oracledb.Connection, ruling: Ruling) -> None:
    ruling.hold(people)


@pytest.mark.parametrize("answer", ANSWERS, ids=str)
def test_answer(people: oracledb.Connection, answer: Answer) -> None:
    answer.hold(people)
