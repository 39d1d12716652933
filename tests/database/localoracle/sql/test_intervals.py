"""INTERVAL data types and literals ("Interval Literals", "Datetime/Interval Arithmetic")."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
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


def years(number: int, months: int = 0) -> oracledb.IntervalYM:
    return oracledb.IntervalYM(number, months)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        # The literals of "Interval Literals".
        ("interval '123-2' year(3) to month", years(123, 2)),
        ("interval '123' year(3)", years(123)),
        ("interval '300' month(3)", years(25)),
        ("interval '4' year", years(4)),
        ("interval '50' month", years(4, 2)),
        ("interval '5-3' year to month + interval '20' month", years(6, 11)),
        ("interval '4 5:12:10.222' day to second(3)", timedelta(4, 5 * 3600 + 12 * 60 + 10, 222000)),
        ("interval '4 5:12' day to minute", timedelta(4, 5 * 3600 + 12 * 60)),
        ("interval '400 5' day(3) to hour", timedelta(400, 5 * 3600)),
        ("interval '400' day(3)", timedelta(400)),
        ("interval '11:12:10.2222222' hour to second(6)", timedelta(0, 11 * 3600 + 12 * 60 + 10, 222222)),
        ("interval '11:20' hour to minute", timedelta(0, 11 * 3600 + 20 * 60)),
        ("interval '10' hour", timedelta(hours=10)),
        ("interval '10:22' minute to second", timedelta(minutes=10, seconds=22)),
        ("interval '10' minute", timedelta(minutes=10)),
        ("interval '4' day", timedelta(4)),
        ("interval '25' hour", timedelta(hours=25)),
        ("interval '40' minute", timedelta(minutes=40)),
        ("interval '120' hour(3)", timedelta(hours=120)),
        ("interval '30.12345' second(2,4)", timedelta(seconds=30, microseconds=123500)),
        ("interval '-4 5:12' day to minute", -timedelta(4, 5 * 3600 + 12 * 60)),
        # Functions.
        ("to_yminterval('5-10')", years(5, 10)),
        ("to_yminterval('-5-10')", years(-5, -10)),
        ("to_yminterval('P1Y2M')", years(1, 2)),
        ("to_dsinterval('100 00:00:00')", timedelta(100)),
        ("to_dsinterval('-1 02:03:04.5')", -timedelta(1, 2 * 3600 + 3 * 60 + 4, 500000)),
        ("to_dsinterval('P100DT05H')", timedelta(100, 5 * 3600)),
        ("numtoyminterval(1.5, 'year')", years(1, 6)),
        ("numtodsinterval(100, 'day')", timedelta(100)),
        ("extract(month from interval '-5-3' year to month)", -3),
        ("extract(second from interval '10:22.5' minute to second)", 22.5),
        ("interval '5' day * 2.5", timedelta(days=12.5)),
        ("interval '5' day / 2", timedelta(days=2.5)),
        ("- interval '5' day", timedelta(-5)),
        ("date '2020-01-28' + interval '1-1' year to month - date '2021-01-28'", 31),
        ("timestamp '2020-03-01 00:00:00' - timestamp '2020-02-28 12:00:00'", timedelta(1.5)),
        ("to_char(interval '5-3' year to month)", "+05-03"),
        ("to_char(interval '4 5:12:10.222' day to second)", "+04 05:12:10.222000"),
    ],
)
def test_value(value: Value, expression: str, expected: Any) -> None:
    assert value(expression) == expected


@pytest.mark.parametrize(
    ("expression", "code"),
    [
        ("interval '400' day", 1873),
        ("interval '123-2' year to month", 1873),
        ("interval '300' month", 1873),
        ("interval '1-12' year to month", 1843),
        ("interval '1 24:00' day to minute", 1850),
        ("interval '1:60' hour to minute", 1851),
        ("interval '1:60' minute to second", 1852),
        ("interval 'x' day", 1867),
        ("interval '1 2 3' day to hour", 1867),
        ("interval '1' day(10)", 30088),
        ("interval '1-1' month to year", 30089),
        ("interval '1' week", 30089),
        ("interval '0.1234567' second(2, 9)", 3001),
        ("to_yminterval('5')", 1867),
        ("to_yminterval('5-12')", 1843),
        ("to_dsinterval('1 25:00:00')", 1850),
        ("to_dsinterval('1 2')", 1867),
        ("numtodsinterval(1, 'week')", 1760),
        ("numtodsinterval(1000000000, 'day')", 1873),
        ("numtodsinterval(999999999, 'day')", 3001),
        ("date '2020-01-31' + interval '1' month", 1839),
        ("date '9999-12-31' + interval '1' day", 1841),
        ("extract(hour from interval '1-1' year to month)", 30076),
        ("cast(interval '100' day(3) as interval day(2) to second)", 1873),
    ],
)
def test_refused(value: Value, expression: str, code: int) -> None:
    with pytest.raises(oracledb.DatabaseError) as refused:
        value(expression)
    assert refused.value.args[0].code == code


def test_columns(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute("create table t (id number, y interval year(3) to month, d interval day(4) to second(3))")
    cursor.executemany("insert into t values (:1, :2, :3)", [
        (1, years(999, 11), timedelta(9999, 1, 1600)), (2, years(-1, -1), timedelta(-1)), (3, None, None),
    ])  # fmt: skip
    rows = cursor.execute("select y, d from t order by y nulls last").fetchall()
    assert rows == [(years(-1, -1), timedelta(-1)), (years(999, 11), timedelta(9999, 1, 2000)), (None, None)]
    assert [column.type_code for column in cursor.description] == [
        oracledb.DB_TYPE_INTERVAL_YM,
        oracledb.DB_TYPE_INTERVAL_DS,
    ]
    assert cursor.execute("select max(y), min(d) from t").fetchone() == (years(999, 11), timedelta(-1))
    for wrong in ("y = interval '1000' year(4)", "d = interval '10000' day(5)"):
        with pytest.raises(oracledb.DatabaseError, match="ORA-01873"):
            cursor.execute(f"update t set {wrong} where id = 1")
    cursor.execute("update t set d = '5 01:00:00' where id = 1")
    assert cursor.execute("select d from t where id = 1").fetchone() == (timedelta(5, 3600),)
    cursor.execute("select data_type, data_precision, data_scale from user_tab_columns order by column_id")
    assert cursor.fetchall()[1:] == [
        ("INTERVAL YEAR(3) TO MONTH", 3, 0),
        ("INTERVAL DAY(4) TO SECOND(3)", 4, 3),
    ]


spans = st.timedeltas(timedelta(days=-9999), timedelta(days=9999))


@given(spans, spans, st.datetimes(datetime(1700, 1, 1), datetime(9900, 1, 1)))
def test_arithmetic(value: Value, one: timedelta, two: timedelta, moment: datetime) -> None:
    assert value(":1 + :2", one, two) == one + two
    assert value("to_dsinterval(to_char(:1))", one) == one
    if moment.year < 9900 and (moment + one).year > 1600:
        expression = "to_timestamp(:1, 'YYYY-MM-DD HH24:MI:SS.FF') + :2"
        assert value(expression, f"{moment:%Y-%m-%d %H:%M:%S.%f}", one) == moment + one


@given(st.integers(-11999, 11999), st.dates(date(1600, 1, 1), date(8999, 12, 28)))
def test_months(value: Value, months: int, day: date) -> None:
    span = years(int(months / 12), months - int(months / 12) * 12)
    assert value("to_yminterval(to_char(:1))", span) == span
    wanted = day.replace(day=min(day.day, 28))
    month = wanted.year * 12 + wanted.month - 1 + months
    if 1600 * 12 <= month < 9999 * 12:
        found = value(f"date '{wanted}' + :1", span)
        assert found == datetime(month // 12, month % 12 + 1, wanted.day)
