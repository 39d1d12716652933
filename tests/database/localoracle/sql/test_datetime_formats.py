"""Format models, their NLS argument, dates of all years ("Format Models", "Datetime Literals")."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from typing import Any

import oracledb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.stand_in import Schema, module_schema  # noqa: F401

Value = Callable[..., Any]


@pytest.fixture(scope="module")
def value(module_schema: Schema) -> Value:  # noqa: F811
    cursor = module_schema.connection.cursor()
    return lambda text, *binds: cursor.execute(f"select {text} from dual", list(binds)).fetchone()[0]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("to_char(date '-4712-01-01', 'SYYYY-MM-DD BC')", "-4712-01-01 BC"),
        ("to_char(date '2020-02-03', 'SYYYY SCC CC')", " 2020  21 21"),
        ("to_char(to_date('44-03-15 BC', 'YYYY-MM-DD BC'), 'SYYYY')", "-0044"),
        ("to_char(date '1582-10-15', 'J')", "2299161"),
        ("to_char(date '1582-10-04', 'J')", "2299160"),
        ("to_char(date '0001-01-01', 'J DAY')", "1721424 SATURDAY "),
        ("to_char(to_date(1721424, 'J'), 'YYYY-MM-DD')", "0001-01-01"),
        ("to_char(to_date(2440588, 'J'), 'YYYY-MM-DD')", "1970-01-01"),
        ("date '2020-01-01' - date '0001-01-01'", 737426),
        ("date '1582-10-15' - date '1582-10-04'", 1),
        ("to_char(date '1582-10-04' + 1, 'YYYY-MM-DD')", "1582-10-15"),
        ("to_char(date '2020-01-01' - 737425.5, 'YYYY-MM-DD HH24')", "0001-01-01 12"),
        ("to_char(date '9999-12-30' + 1.25, 'YYYY-MM-DD HH24')", "9999-12-31 06"),
        ("to_char(date '2020-05-01', 'Day', 'NLS_DATE_LANGUAGE = German')", "Freitag   "),
        ("to_char(date '2020-03-01', 'DD. fmMonth', 'NLS_DATE_LANGUAGE=GERMAN')", "01. März"),
        ("to_char(to_date('1 MAI 2020', 'DD MON YYYY', 'NLS_DATE_LANGUAGE=GERMAN'), 'MM')", "05"),
        ("to_char(1234.5, '9G999D99', 'NLS_NUMERIC_CHARACTERS='',.''')", " 1.234,50"),
        ("to_number('1.234,5', '9G999D99', 'NLS_NUMERIC_CHARACTERS='',.''')", 1234.5),
        ("to_char(to_date('JANUARY 5 2020', 'MM DD YYYY'), 'YYYY-MM-DD')", "2020-01-05"),
        ("to_char(to_timestamp('3:4:5.120000000', 'HH24:MI:SS.FF9'), 'SS.FF3')", "05.120"),
    ],
)
def test_value(value: Value, expression: str, expected: Any) -> None:
    assert value(expression) == expected


@pytest.mark.parametrize(
    ("expression", "code"),
    [
        ("to_date('2020-13-01', 'YYYY-MM-DD')", 1843),
        ("to_date('2020-02-30', 'YYYY-MM-DD')", 1839),
        ("to_date('2020-01-32', 'YYYY-MM-DD')", 1847),
        ("to_date('0000-01-01', 'YYYY-MM-DD')", 1841),
        ("date '-4713-01-01'", 1841),
        ("to_date('2020-01-01 24', 'YYYY-MM-DD HH24')", 1850),
        ("to_date('13', 'HH')", 1849),
        ("to_date('1:60', 'HH:MI')", 1851),
        ("to_date('1:01:60', 'HH:MI:SS')", 1852),
        ("to_date('2020-01-01 x', 'YYYY-MM-DD')", 1830),
        ("to_date('2020', 'YYYY-MM-DD')", 1840),
        ("to_date('xx', 'DD')", 1858),
        ("to_date('2020 2020', 'YYYY YYYY')", 1810),
        ("to_date('1-2-2020', 'FXDD-MM-YYYY')", 1862),
        ("to_date('2020', 'YYYQ')", 1820),
        ("to_date('2020', 'ZZ')", 1821),
        ("to_date('0', 'J')", 1854),
        ("to_char(date '2020-01-01', 'FF')", 1821),
        ("to_char(date '2020-01-01', 'TZH')", 1821),
        ("to_date('2020.5', 'YYYY.FF')", 1821),
        ("to_char(date '2020-01-01', 'Day', 'NLS_LANG=GERMAN')", 12702),
        ("to_char(1, '9D9', 'NLS_NUMERIC_CHARACTERS=''..''')", 12702),
        # Refused by name rather than guessed.
        ("timestamp '9999-12-31 23:59:59.999999999'", 3001),
        ("to_timestamp('1.1234567', 'SS.FF')", 3001),
        ("date '1500-02-29'", 3001),
        ("date '9999-12-31' + 1", 1841),
        ("date '1500-02-28' + 1", 3001),
        ("date '1582-10-10'", 3001),
        ("to_char(date '-0044-03-15', 'J')", 3001),
        ("to_char(date '2020-01-01', 'YEAR')", 3001),
        ("to_char(date '2020-01-01', 'Day', 'NLS_DATE_LANGUAGE=KLINGON')", 3001),
    ],
)
def test_refused(value: Value, expression: str, code: int) -> None:
    with pytest.raises(oracledb.DatabaseError) as refused:
        value(expression)
    assert refused.value.args[0].code == code


def test_nanoseconds_of_columns(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute("create table t (a timestamp(9), b timestamp(3), c timestamp(7) with local time zone)")
    moment = datetime(2020, 1, 2, 3, 4, 5, 123456)
    cursor.setinputsizes(oracledb.DB_TYPE_TIMESTAMP, oracledb.DB_TYPE_TIMESTAMP, oracledb.DB_TYPE_TIMESTAMP)
    cursor.execute("insert into t values (:1, :2, :3)", [moment] * 3)
    cursor.execute("select a, b, c from t")
    assert [column.scale for column in cursor.description][:2] == [9, 3]
    assert cursor.fetchone() == (moment, moment.replace(microsecond=123000), moment)
    cursor.execute("select data_type from user_tab_columns order by column_id")
    assert cursor.fetchall() == [
        ("TIMESTAMP(9)",),
        ("TIMESTAMP(3)",),
        ("TIMESTAMP(7) WITH LOCAL TIME ZONE",),
    ]


MODELS = (
    "YYYY-MM-DD HH24:MI:SS",
    "DD-MON-YYYY HH:MI:SS AM",
    "J SSSSS",
    "Day, DD Month YYYY HH24MISS",
    "YYYY DDD SSSSS",
    "SYYYY/MM/DD HH24.MI.SS",
    "FMYYYY-MM-DD HH24:MI:SS",
    "DD.MM.RRRR HH24:MI:SS",
)


@given(st.datetimes(datetime(1600, 1, 1), datetime(9999, 12, 31, 23, 59, 59)), st.sampled_from(MODELS))
def test_round_trip(value: Value, moment: datetime, model: str) -> None:
    moment = moment.replace(microsecond=0)
    assert value(f"to_date(to_char(:1, '{model}'), '{model}')", moment) == moment


@given(st.dates(date(1583, 1, 1), date(9999, 12, 31)))
def test_calendar(value: Value, day: date) -> None:
    text = value("to_char(:1, 'D IYYY IW DDD')", datetime(day.year, day.month, day.day))
    year, week, weekday = day.isocalendar()
    assert text == f"{weekday % 7 + 1} {year:04d} {week:02d} {day.timetuple().tm_yday:03d}"
