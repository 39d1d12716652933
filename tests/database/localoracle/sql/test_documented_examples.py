"""Examples with the results that Oracle's SQL Language Reference (19c, "Functions") prints for them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import psycopg
import pytest

from localoracle.errors import OracleError
from localoracle.postgres.errors import oracle_error

EXAMPLES: list[tuple[str, Any]] = [
    # numeric functions
    ("ABS(-15)", 15),
    ("BIN_TO_NUM(1,0,1,0)", 10),
    ("BITAND(6,3)", 2),
    ("CEIL(15.7)", 16),
    ("FLOOR(15.7)", 15),
    ("MOD(11,4)", 3),
    ("MOD(-11,4)", -3),
    ("MOD(11,-4)", 3),
    ("MOD(11,0)", 11),
    ("MOD(-2.5, 1 - 1)", Decimal("-2.5")),
    ("MOD(NULL, 1 - 1)", None),
    ("MOD(11, NULL + 1)", None),
    ("POWER(3,2)", 9),
    ("ROUND(15.193,1)", Decimal("15.2")),
    ("ROUND(15.193,-1)", 20),
    ("ROUND(-0.5)", -1),
    ("SIGN(-15)", -1),
    ("TRUNC(15.79,1)", Decimal("15.7")),
    ("TRUNC(15.79,-1)", 10),
    ("WIDTH_BUCKET(5, 0, 10, 5)", 3),
    ("ROUND(SQRT(26), 8)", Decimal("5.09901951")),
    ("ROUND(LN(95), 8)", Decimal("4.55387689")),
    ("ROUND(EXP(4), 5)", Decimal("54.59815")),
    ("LOG(10,100)", 2),
    # character functions
    ("CHR(67)||CHR(65)||CHR(84)", "CAT"),
    ("CONCAT('ab', 'cd')", "abcd"),
    ("INITCAP('the soap')", "The Soap"),
    ("LOWER('MR. SCOTT MCMILLAN')", "mr. scott mcmillan"),
    ("UPPER('straße é')", "STRASSE É".replace("SS", "ß")),
    ("LPAD('Page 1',15,'*.')", "*.*.*.*.*Page 1"),
    ("RPAD('MORRISON',12,'ab')", "MORRISONabab"),
    ("LTRIM('<=====>BROWNING<=====>', '<>=')", "BROWNING<=====>"),
    ("RTRIM('<=====>BROWNING<=====>', '<>=')", "<=====>BROWNING"),
    ("REPLACE('JACK and JUE','J','BL')", "BLACK and BLUE"),
    ("REPLACE('JACK','J')", "ACK"),
    ("SUBSTR('ABCDEFG',3,4)", "CDEF"),
    ("SUBSTR('ABCDEFG',-5,4)", "CDEF"),
    ("SUBSTRB('ABCDEFG',5,4)", "EFG"),
    ("TRANSLATE('SQL*Plus User''s Guide', ' */''', '___')", "SQL_Plus_Users_Guide"),
    ("TRIM(LEADING '0' FROM '00070')", "70"),
    ("TRIM('  x ')", "x"),
    ("SOUNDEX('SMYTHE')", "S530"),
    ("REGEXP_REPLACE('512.123.4567', '(\\d{3})\\.(\\d{3})\\.(\\d{4})', '(\\1) \\2-\\3')", "(512) 123-4567"),
    (
        "REGEXP_REPLACE('500   Oracle     Parkway,    Redwood  Shores, CA', '( ){2,}', ' ')",
        "500 Oracle Parkway, Redwood Shores, CA",
    ),
    ("REGEXP_SUBSTR('500 Oracle Parkway, Redwood Shores, CA', ',[^,]+,')", ", Redwood Shores,"),
    ("REGEXP_SUBSTR('1234567890', '(123)(4(56)(78))', 1, 1, 'i', 4)", "78"),
    ("REGEXP_INSTR('500 Oracle Parkway, Redwood Shores, CA', '[^ ]+', 1, 6)", 37),
    ("REGEXP_INSTR('500 Oracle Parkway, Redwood Shores, CA', '[s|r|p][[:alpha:]]{6}', 3, 2, 1, 'i')", 28),
    ("REGEXP_COUNT('123123123123123', '(12)3', 1, 'i')", 5),
    ("REGEXP_COUNT('123123123123', '123', 3, 'i')", 3),
    ("ASCII('A')", 65),
    ("INSTR('CORPORATE FLOOR','OR', 3, 2)", 14),
    ("INSTR('CORPORATE FLOOR','OR', -3, 2)", 2),
    ("LENGTH('CANDIDE')", 7),
    ("LENGTHB('é')", 2),
    ("ASCIISTR('ABÄCDE')", "AB\\00C4CDE"),
    ("UNISTR('abc\\00e5\\00f1\\00f6')", "abcåñö"),
    ("DUMP('abc', 1016)".replace("1016", "16"), "Typ=96 Len=3: 61,62,63"),
    # datetime functions
    ("TO_CHAR(ADD_MONTHS(DATE '2020-01-31', 1), 'YYYY-MM-DD')", "2020-02-29"),
    ("TO_CHAR(ADD_MONTHS(DATE '2019-02-28', 12), 'YYYY-MM-DD')", "2020-02-29"),
    ("EXTRACT(YEAR FROM DATE '1998-03-07')", 1998),
    ("EXTRACT(MONTH FROM TIMESTAMP '2020-05-06 07:08:09.5')", 5),
    ("TO_CHAR(LAST_DAY(DATE '2009-01-29'), 'DD-MON-RR')", "31-JAN-09"),
    (
        "ROUND(MONTHS_BETWEEN(TO_DATE('02-02-1995','MM-DD-YYYY'), TO_DATE('01-01-1995','MM-DD-YYYY')), 8)",
        Decimal("1.03225806"),
    ),
    ("MONTHS_BETWEEN(DATE '2020-02-29', DATE '2019-11-30')", 3),
    ("TO_CHAR(NEXT_DAY('15-OCT-2009', 'TUESDAY'), 'DD-MON-YYYY')", "20-OCT-2009"),
    ("TO_CHAR(ROUND(TO_DATE('27-OCT-00'), 'YEAR'), 'DD-MON-RR')", "01-JAN-01"),
    ("TO_CHAR(TRUNC(TO_DATE('27-OCT-92','DD-MON-RR'), 'YEAR'), 'DD-MON-RR')", "01-JAN-92"),
    ("TO_CHAR(TRUNC(DATE '2020-05-20', 'IW'), 'YYYY-MM-DD')", "2020-05-18"),
    ("TO_CHAR(TRUNC(DATE '2020-05-20', 'D'), 'YYYY-MM-DD')", "2020-05-17"),
    ("TO_CHAR(TRUNC(DATE '2020-05-20', 'Q'), 'YYYY-MM-DD')", "2020-04-01"),
    ("TO_CHAR(TRUNC(DATE '2020-05-20', 'W'), 'YYYY-MM-DD')", "2020-05-15"),
    ("TO_CHAR(ROUND(DATE '2020-05-16', 'MM'), 'YYYY-MM-DD')", "2020-06-01"),
    (
        "TO_CHAR(TO_DATE('January 15, 1989, 11:00 A.M.', 'Month dd, YYYY, HH:MI A.M.'), 'DD-MON-RR')",
        "15-JAN-89",
    ),
    ("TO_CHAR(TO_DATE('27-OCT-98', 'DD-MON-RR'), 'YYYY')", "1998"),
    ("TO_CHAR(TO_DATE('27-OCT-17', 'DD-MON-RR'), 'YYYY')", "2017"),
    ("TO_CHAR(TO_DATE('20240102', 'YYYYMMDD'), 'FMDay, DD Month YYYY')", "Tuesday, 2 January 2024"),
    ("TO_CHAR(DATE '2024-01-02', 'fmDDth Month')", "2nd January"),
    ("TO_CHAR(DATE '2024-01-02', 'DY dy Dy')", "TUE tue Tue"),
    ("TO_CHAR(TIMESTAMP '2020-03-04 05:06:07.123456', 'HH24:MI:SS.FF3')", "05:06:07.123"),
    ("TO_CHAR(TIMESTAMP '2020-03-04 15:06:07', 'HH:MI AM')", "03:06 PM"),
    ("TO_CHAR(DATE '2024-01-02')", "02-JAN-24"),
    ("TO_CHAR(DATE '2024-01-02', 'J')", "2460312"),
    ("TO_CHAR(NUMTODSINTERVAL(100, 'MINUTE'))", "+000000000 01:40:00.000000000"),
    # conversions
    ("TO_CHAR(0.5)", ".5"),
    ("TO_CHAR(-0.5)", "-.5"),
    ("TO_CHAR(1234.50)", "1234.5"),
    ("TO_CHAR(-10000, 'L99G999D99MI')".replace("L", ""), "10,000.00-"),
    ("TO_CHAR(1234.5, '9G999D99')", " 1,234.50"),
    ("TO_CHAR(0, '90.99')", "  0.00"),
    ("TO_CHAR(0.1, 'FM90.9')", "0.1"),
    ("TO_CHAR(123456, '999')", "####"),
    ("TO_CHAR(255, 'FMXX')", "FF"),
    ("TO_CHAR(-5, '99PR')", " <5>"),
    ("TO_CHAR(12, 'FM0000')", "0012"),
    ("TO_NUMBER('1234.50')", Decimal("1234.5")),
    ("TO_NUMBER('100.00', '9G999D99')", 100),
    ("TO_NUMBER('-1,234.5', 'S9,999.9')", Decimal("-1234.5")),
    ("TO_NUMBER('FFFFFFFFFFFFFFFF', 'XXXXXXXXXXXXXXXX')", 2**64 - 1),
    ("RAWTOHEX(HEXTORAW('AB56FA2C'))", "AB56FA2C"),
    ("RAWTOHEX(HEXTORAW('ABC'))", "0ABC"),
    ("RAWTOHEX('A')", "41"),
    ("TO_NUMBER(RAWTOHEX('12'))", 3132),
    ("ASCII('A')", 65),
    ("ASCII('é')", 50089),
    ("SUBSTR('ABCDEFG', 1 + 2, 4)", "CDEF"),
    ("SUBSTR('ABCDEFG', 0 - 5, 4)", "CDEF"),
    ("SUBSTR('ABCDEFG', 2 + 0)", "BCDEFG"),
    ("SUBSTR('ABC', 0 - 4, 2)", None),
    ("SUBSTR('ABC', 0 + 0, 2)", "AB"),
    ("SUBSTR('ABC', 1.9, 1.9)", "A"),
    ("SUBSTR('ABC', -0.5, 2)", "AB"),
    ("SUBSTR('ABC', 2, 0 + 0)", None),
    ("SUBSTR('ABC', 2, 0 - 1)", None),
    ("SUBSTR('ABC', 2, NULL + 1)", None),
    ("SUBSTR('ABC', 2, 10 * 1000000000)", "BC"),
    ("SUBSTR('ABC', 3 + 1)", None),
    ("SUBSTR('ABC', 10 * 1000000000)", None),
    ("TRUNC(7 / 2)", 3),
    ("TRUNC(-7 / 2)", -3),
    ("TRUNC(7.5 / '0.5')", 15),
    ("TRUNC(CAST(7 AS BINARY_DOUBLE) / 2)", 3),
    ("TRUNC(123456789012345678901234567890 / 7)", 17636684144620811271604938270),
    ("TRUNC(NULL / 2)", None),
    ("LTRIM('ab', NULL)", None),
    ("TRANSLATE('ab', 'ab', NULL)", None),
    ("LPAD('ab', 5, NULL)", None),
    ("SUBSTR(RAWTOHEX('AZ'), 1, 2)", "41"),
    ("SUBSTR(RAWTOHEX('AZ'), 1, 3)", "415"),
    ("SUBSTR(RAWTOHEX('AZ'), 3, 2)", "5A"),
    ("SUBSTR(RAWTOHEX('AZ'), 1, 20)", "415A"),
    ("LOWER(RAWTOHEX('AZ'))", "415a"),
    ("LOWER(SUBSTR(RAWTOHEX('AZ'), 1, 4)) || 'X'", "415aX"),
    ("LOWER(SUBSTR(RAWTOHEX(SUBSTR('A', 2)), 1, 4))", None),
    ("TO_NUMBER(SUBSTR(RAWTOHEX('AZ'), 1, 4), 'XXXX')", 0x415A),
    ("TO_NUMBER(SUBSTR(RAWTOHEX(HEXTORAW('FFFFFFFFFFFFFFFF')), 1, 14), 'XXXXXXXXXXXXXX')", 2**56 - 1),
    ("TO_NUMBER(SUBSTR(RAWTOHEX(HEXTORAW('FFFFFFFFFFFFFFFF')), 1, 16), 'XXXXXXXXXXXXXXXX')", 2**64 - 1),
    ("TO_NUMBER(SUBSTR(RAWTOHEX(SUBSTR('A', 2)), 1, 4), 'XXXX')", None),
    ("SUBSTR('ab', 3, 1) || SUBSTR('ab', 4, 1)", None),
    ("SUBSTR('ab', 3, 1) || SUBSTR('ab', 2, 1)", "b"),
    ("CAST('22-OCT-1997' AS DATE) - DATE '1997-10-21'", 1),
    ("RAWTOHEX(CAST('ab' AS RAW(10)))", "AB"),
    ("TO_CHAR(SYS_EXTRACT_UTC(TIMESTAMP '2000-03-28 11:30:00.00 -08:00'), 'HH24:MI')", "19:30"),
    ("TO_CHAR(SYS_EXTRACT_UTC(TIMESTAMP '2020-01-01 10:00:00 +02:00'), 'HH24:MI')", "08:00"),
    ("CAST(1.567 AS NUMBER(3,1))", Decimal("1.6")),
    # others
    ("COALESCE(NULL, NULL, 3)", 3),
    ("DECODE(2, 1, 'Southlake', 2, 'San Francisco', 'Non domestic')", "San Francisco"),
    ("DECODE(NULL, NULL, 'null', 'other')", "null"),
    ("DECODE(5, 1, 'a')", None),
    ("GREATEST('HARRY', 'HARRIOT', 'HAROLD')", "HARRY"),
    ("LEAST(1, '3.925', '2.4')", 1),
    ("GREATEST(1, NULL)", None),
    ("NULLIF(1, 1)", None),
    ("NVL2(NULL, 1, 2)", 2),
    ("NVL('', 'x')", "x"),
    ("STANDARD_HASH('abc', 'MD5')", b"\x90\x01P\x98<\xd2O\xb0\xd6\x96?}(\xe1\x7fr"),
    ("RAWTOHEX(STANDARD_HASH('abc'))", "A9993E364706816ABA3E25717850C26C9CD0D89D"),
    ("STANDARD_HASH(NULL, 'MD5')", None),
]


@pytest.mark.parametrize(("expression", "expected"), EXAMPLES, ids=[text for text, _ in EXAMPLES])
def test_documented(db: Any, expression: str, expected: Any) -> None:
    value = db.value(expression)
    if isinstance(expected, bytes) and isinstance(value, str):
        value = bytes.fromhex(value.removeprefix("\\x"))
    assert value == expected


@pytest.mark.parametrize(
    ("expression", "code"),
    [
        ("TO_DATE('2024-13-01', 'YYYY-MM-DD')", 1843),
        ("TO_DATE('2023-02-29', 'YYYY-MM-DD')", 1839),
        ("TO_DATE('2023-02-32', 'YYYY-MM-DD')", 1847),
        ("TO_DATE('2024-01-01x', 'YYYY-MM-DD')", 1830),
        ("TO_DATE('2024', 'YYYY-MM-DD')", 1840),
        ("TO_DATE('25:00', 'HH24:MI')", 1850),
        ("TO_DATE('x', 'YYYY')", 1858),
        ("TO_CHAR(SYSDATE, 'YYYY-KK')", 1821),
        ("TRUNC(SYSDATE, 'NEVER')", 1821),
        ("TO_NUMBER('12a')", 1722),
        ("TO_NUMBER(RAWTOHEX(HEXTORAW('0B10')))", 1722),
        ("'a' + 1", 1722),
        ("TO_NUMBER('fff', 'XX')", 1722),
        ("TO_CHAR(1, 'abc')", 1481),
        ("NEXT_DAY(SYSDATE, 'NODAY')", 1846),
        ("CHARTOROWID('short')", 1410),
        ("SYS_CONTEXT('USERENV', 'NOTHING')", 2003),
        ("INSTR('a', 'a', 1, 0)", 1428),
    ],
)
def test_errors_of_functions(db: Any, expression: str, code: int) -> None:
    with pytest.raises((psycopg.Error, OracleError)) as failed:
        db.value(expression)
    error = failed.value
    assert (oracle_error(error) if isinstance(error, psycopg.Error) else error).code == code


@pytest.mark.parametrize(
    "text",
    ["1_000", "0x1F", "0b1", "0o7", "NaN", "inf", "-Infinity", "1e", "1d", ".", "- 1", "1 2", "a date"],
)
def test_what_only_postgresql_takes_for_a_number_is_none(db: Any, text: str) -> None:
    with pytest.raises(psycopg.Error) as failed:
        db.value("TO_NUMBER(:1)", text)
    assert str(oracle_error(failed.value)) == "ORA-01722: invalid number"


def test_hexadecimal_digits_as_a_decimal_number(db: Any) -> None:
    assert db.value("TO_NUMBER(RAWTOHEX('019'))") == 303139
    assert db.value("TO_NUMBER(RAWTOHEX(HEXTORAW('1E02')))") == 100
    for digits in ("0B11", "4B", "FF"):
        with pytest.raises(psycopg.Error) as failed:
            db.value(f"TO_NUMBER(RAWTOHEX(HEXTORAW('{digits}')))")
        assert str(oracle_error(failed.value)) == "ORA-01722: invalid number"


@pytest.mark.parametrize(
    ("text", "number"),
    [(" 1 ", 1), ("+1", 1), ("-.5", Decimal("-.5")), ("1.", 1), ("1e2", 100), ("5E-1", Decimal("0.5"))],
)
def test_how_numbers_may_be_written(db: Any, text: str, number: Any) -> None:
    assert db.value("TO_NUMBER(:1)", text) == number


@pytest.mark.parametrize(
    ("start", "size", "part"),
    [
        (1, 3, "abc"), (0, 3, "abc"), (2, 99, "bcde"), (2, 0, None), (2, -1, None), (6, 1, None),
        (2, 1.9, "b"), (-1, None, "e"), (-2, None, "de"), (-5, 2, "ab"), (-6, None, None), (3, None, "cde"),
    ],
)  # fmt: skip
def test_parts_of_a_text_however_place_and_size_are_given(
    db: Any, start: int, size: float | None, part: str | None
) -> None:
    literals = str(start) if size is None else f"{start}, {size}"
    assert db.value(f"SUBSTR('abcde', {literals})") == part
    columns = "START_AT" if size is None else "START_AT, SIZE_OF"
    source = f"SELECT 'abcde' AS T, {start} AS START_AT, {0 if size is None else size} AS SIZE_OF FROM DUAL"
    assert db.run(f"SELECT SUBSTR(T, {columns}) FROM ({source})") == [(part,)]
    if size is not None:
        assert db.run(f"SELECT SUBSTR(T, {start}, SIZE_OF) FROM ({source})") == [(part,)]
