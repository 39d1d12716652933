"""TIMESTAMP WITH TIME ZONE keeps its moment and its zone ("Data Types", "Datetime Functions")."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import oracledb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.stand_in import Schema, module_schema  # noqa: F401

Value = Callable[..., Any]


@pytest.fixture(scope="module")
def value(module_schema: Schema) -> Value:  # noqa: F811
    """The value of one expression; binds by position."""
    cursor = module_schema.connection.cursor()

    def run(expression: str, *binds: Any, kind: Any = None) -> Any:
        if kind is not None:
            cursor.setinputsizes(kind)
        return cursor.execute(f"select {expression} from dual", list(binds)).fetchone()[0]

    return run


LOCAL = "YYYY-MM-DD HH24:MI:SS.FF6 TZH:TZM"


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (f"to_char(timestamp '2020-01-01 12:00:00 -05:00', '{LOCAL}')", "2020-01-01 12:00:00.000000 -05:00"),
        (
            f"to_char(timestamp '2020-01-01 12:00:00.5 -05:30', '{LOCAL}')",
            "2020-01-01 12:00:00.500000 -05:30",
        ),
        (f"to_char(timestamp '2020-01-01 12:00:00+02:00', '{LOCAL}')", "2020-01-01 12:00:00.000000 +02:00"),
        ("extract(timezone_hour from timestamp '2020-01-01 00:00:00 -05:30')", -5),
        ("extract(timezone_minute from timestamp '2020-01-01 00:00:00 -05:30')", -30),
        ("extract(hour from timestamp '2020-01-01 01:00:00 +02:00')", 23),
        ("extract(timezone_region from timestamp '2020-07-01 00:00:00 Europe/Berlin')", "Europe/Berlin"),
        ("to_char(timestamp '2020-07-01 00:00:00 Europe/Berlin', 'TZH:TZM TZR')", "+02:00 Europe/Berlin"),
        ("to_char(timestamp '2020-01-01 00:00:00 Europe/Berlin', 'TZH:TZM TZR')", "+01:00 Europe/Berlin"),
        (
            "to_char(timestamp '2020-01-01 00:00:00 -05:30' at time zone '+02:00', 'HH24:MI TZR')",
            "07:30 +02:00",
        ),
        ("to_char(timestamp '2020-01-01 00:00:00 -05:30' at local, 'HH24:MI TZR')", "05:30 +00:00"),
        ("to_char(from_tz(timestamp '2020-01-01 00:00:00', '-05:00'), 'HH24:MI TZR')", "00:00 -05:00"),
        ("to_char(sys_extract_utc(timestamp '2020-01-01 00:00:00 -05:30'), 'HH24:MI')", "05:30"),
        ("to_char(cast(timestamp '2020-01-01 23:00:00 -05:30' as date), 'DD HH24:MI')", "01 23:00"),
        (
            "to_char(to_timestamp_tz('2020-01-01 8 -9:30', 'YYYY-MM-DD HH24 TZH:TZM'), 'HH24 TZH:TZM')",
            "08 -09:30",
        ),
        ("to_char(timestamp '2020-01-31 23:00:00 -05:30' + interval '1' day, 'DD TZR')", "01 -05:30"),
        ("to_char(trunc(timestamp '2020-01-31 23:00:00 -05:30'), 'DD')", "31"),
        ("tz_offset('-03:30')", "-03:30"),
        (
            "case when timestamp '2020-01-01 12:00:00 +02:00' = timestamp '2020-01-01 10:00:00 +00:00' "
            "then 'same' end",
            "same",
        ),
        (
            "timestamp '2020-01-01 12:00:00 +02:00' - timestamp '2020-01-01 12:00:00 +00:00'",
            timedelta(hours=-2),
        ),
    ],
)
def test_zone_is_kept(value: Value, expression: str, expected: Any) -> None:
    assert value(expression) == expected


@pytest.mark.parametrize(
    ("expression", "code"),
    [
        ("timestamp '2020-01-01 00:00:00 +16:00'", 1874),
        ("timestamp '2020-01-01 00:00:00 +05:60'", 1875),
        ("timestamp '2020-01-01 00:00:00 Europe/Nowhere'", 1882),
        ("timestamp '2021-03-28 02:30:00 Europe/Berlin'", 1878),
        ("extract(hour from date '2020-01-01')", 30076),
    ],
)
def test_refused(value: Value, expression: str, code: int) -> None:
    with pytest.raises(oracledb.DatabaseError) as refused:
        value(expression)
    assert refused.value.args[0].code == code


def test_session_zone(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute("alter session set time_zone = '-03:00'")
    cursor.execute(
        "select to_char(current_timestamp, 'TZR'), to_char(systimestamp, 'TZR'), to_char(cast(timestamp "
        "'2020-01-01 00:00:00' as timestamp with time zone), 'TZR'), round((sysdate - current_date) * 24), "
        "to_char(cast(timestamp '2020-01-01 00:00:00 +00:00' as timestamp with local time zone), 'HH24') "
        "from dual"
    )
    assert cursor.fetchone() == ("-03:00", "+00:00", "-03:00", 3, "21")


def test_columns_sort_and_group_by_moment(schema: Schema) -> None:
    cursor = schema.connection.cursor()
    cursor.execute("create table t (id number, at timestamp(3) with time zone)")
    cursor.execute("create index t_at on t (at)")
    cursor.execute("insert into t values (1, timestamp '2020-01-01 12:00:00.12345 +02:00')")
    cursor.execute("insert into t values (2, timestamp '2020-01-01 09:00:00 -02:00')")
    cursor.execute("insert into t values (3, timestamp '2020-01-01 10:00:00.123 +00:00')")
    assert [row[0] for row in cursor.execute("select id from t order by at, id")] == [1, 3, 2]
    assert cursor.execute("select count(distinct at) from t").fetchone() == (2,)
    assert (
        cursor.execute("select to_char(min(at), 'TZR'), to_char(max(at), 'TZR') from t").fetchone()[1]
        == "-02:00"
    )
    cursor.execute("select at from t where id = 1")
    assert cursor.description[0].scale == 3
    assert cursor.fetchone()[0] == datetime(2020, 1, 1, 12, 0, 0, 123000)
    cursor.execute("select data_type, data_scale from user_tab_columns where column_name = 'AT'")
    assert cursor.fetchone() == ("TIMESTAMP(3) WITH TIME ZONE", 3)


@pytest.mark.slow
@given(
    moment=st.datetimes(datetime(1600, 1, 1), datetime(9998, 12, 31)),
    minutes=st.integers(-15 * 60, 15 * 60),
    more=st.timedeltas(timedelta(days=-300), timedelta(days=300)),
)
def test_round_trip(value: Value, moment: datetime, minutes: int, more: timedelta) -> None:
    sign, hours, rest = "-" if minutes < 0 else "+", *divmod(abs(minutes), 60)
    zone = f"{sign}{hours:02d}:{rest:02d}"
    text = f"{moment:%Y-%m-%d %H:%M:%S.%f} {zone}".rjust(33, "0")
    assert value(f"to_char(to_timestamp_tz(:1, '{LOCAL}'), '{LOCAL}')", text) == text
    assert value(f"timestamp '{text}'") == moment
    assert value(f"sys_extract_utc(timestamp '{text}')") == moment - timedelta(minutes=minutes)
    assert (
        value(f"sys_extract_utc(timestamp '{text}' + :1)", more) == moment - timedelta(minutes=minutes) + more
    )


@pytest.fixture(scope="module")
def arr(module_schema: Schema) -> oracledb.Cursor:  # noqa: F811
    cursor = module_schema.connection.cursor()
    cursor.execute("create table arr (id number, at timestamp with time zone)")
    return cursor


@given(st.lists(st.datetimes(datetime(1600, 1, 1), datetime(9999, 12, 30)), min_size=2, max_size=5))
def test_array_binds(arr: oracledb.Cursor, moments: list[datetime]) -> None:
    arr.connection.rollback()
    arr.setinputsizes(None, oracledb.DB_TYPE_TIMESTAMP_TZ)
    arr.executemany("insert into arr values (:1, :2)", list(enumerate(moments)))
    found = [row[0] for row in arr.execute("select sys_extract_utc(at) from arr order by id")]
    assert [moment.replace(tzinfo=UTC) for moment in found] == [
        moment.replace(tzinfo=UTC) for moment in moments
    ]
