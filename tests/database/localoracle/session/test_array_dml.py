"""Array DML stores what the same statement stores row by row, and stops where that does."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from typing import Any

import oracledb
import pytest

from support.stand_in import Schema

COLUMNS = {
    "ID": ("NUMBER(6)", oracledb.DB_TYPE_NUMBER),
    "ANY_NUMBER": ("NUMBER", oracledb.DB_TYPE_NUMBER),
    "AMOUNT": ("NUMBER(12,2)", oracledb.DB_TYPE_NUMBER),
    "DOUBLE": ("BINARY_DOUBLE", oracledb.DB_TYPE_BINARY_DOUBLE),
    "DAY": ("DATE", oracledb.DB_TYPE_DATE),
    "MOMENT": ("TIMESTAMP(6)", oracledb.DB_TYPE_TIMESTAMP),
    "ZONED": ("TIMESTAMP WITH TIME ZONE", oracledb.DB_TYPE_TIMESTAMP_TZ),
    "NAME": ("VARCHAR2(40)", oracledb.DB_TYPE_VARCHAR),
    "CODE": ("CHAR(4)", oracledb.DB_TYPE_VARCHAR),
    "NATIONAL": ("NVARCHAR2(40)", oracledb.DB_TYPE_NVARCHAR),
    "KEY": ("RAW(16)", oracledb.DB_TYPE_RAW),
    "DOCUMENT": ("CLOB", oracledb.DB_TYPE_LONG),
    "PICTURE": ("BLOB", oracledb.DB_TYPE_LONG_RAW),
    "NUMBER_OF_TEXT": ("NUMBER", oracledb.DB_TYPE_VARCHAR),
    "TEXT_OF_NUMBER": ("VARCHAR2(200)", oracledb.DB_TYPE_NUMBER),
}
NUMBERS = [
    *(0, 1, -1, 10, 99, 100, 101, 12_345, 10**18, -(10**20), 9 * 10**37),
    *(Decimal(text) for text in ("0.1", "-0.05", "12.3", "1.20", "1E-7", "123456.789", "1E+60", "-7.5E-30")),
]


@pytest.fixture
def connection(oracle: Any) -> Iterator[oracledb.Connection]:
    columns = ", ".join(f"{name} {kind}" for name, (kind, _) in COLUMNS.items())
    with oracle.connect() as connection, connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE AT_ONCE ({columns})")
        cursor.execute(f"CREATE TABLE ONE_BY_ONE ({columns})")
        yield connection
        connection.rollback()
        for table in ("AT_ONCE", "ONE_BY_ONE"):
            cursor.execute(f"DROP TABLE {table} PURGE")


def rows() -> list[tuple[Any, ...]]:
    made: list[tuple[Any, ...]] = [(0, *[None] * (len(COLUMNS) - 1))]
    for number, value in enumerate(NUMBERS, 1):
        moment = datetime(1 + number * 400, 2, 28, 23, 59, 59, number)
        made.append(
            (
                number,
                value,
                Decimal(number) / 8,
                number / 3,
                moment,
                moment,
                moment,
                f"Ünï {{'\"\\\t,}} {number}",
                f"{number}",
                f"日本 {number}",
                bytes((number, 0, 255)),
                "text " * number * 1_000,
                bytes((0, number)) * number * 1_000,
                f" {number}.50 ",
                value,
            )
        )
    return made


def insert(connection: oracledb.Connection, table: str, values: list[tuple[Any, ...]], **named: Any) -> None:
    binds = ", ".join(f":{place}" for place in range(1, len(COLUMNS) + 1))
    with connection.cursor() as cursor:
        cursor.setinputsizes(*[kind for _, kind in COLUMNS.values()])
        cursor.executemany(f"INSERT INTO {table} VALUES ({binds})", values, **named)


def stored(connection: oracledb.Connection, table: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor, PlainValues():
        short = [name for name in COLUMNS if name not in ("DOCUMENT", "PICTURE")]
        texts = ", ".join(f"TO_CHAR({name})" for name in ("ANY_NUMBER", "AMOUNT", "NUMBER_OF_TEXT"))
        cursor.execute(f"SELECT {', '.join(short)}, DOCUMENT, PICTURE, {texts} FROM {table} ORDER BY ID")
        return cursor.fetchall()


class PlainValues:
    """LOBs as values, numbers as decimals."""

    def __enter__(self) -> None:
        self._before = oracledb.defaults.fetch_lobs, oracledb.defaults.fetch_decimals
        oracledb.defaults.fetch_lobs, oracledb.defaults.fetch_decimals = False, True

    def __exit__(self, *_: object) -> None:
        oracledb.defaults.fetch_lobs, oracledb.defaults.fetch_decimals = self._before


def test_the_same_is_stored_as_row_by_row(connection: oracledb.Connection) -> None:
    insert(connection, "AT_ONCE", rows())
    for row in rows():
        insert(connection, "ONE_BY_ONE", [row])
    assert stored(connection, "AT_ONCE") == stored(connection, "ONE_BY_ONE")
    assert len(stored(connection, "AT_ONCE")) == len(NUMBERS) + 1


@pytest.mark.parametrize(
    ("column", "value", "code"),
    [
        ("AMOUNT", Decimal(10**10), 1438),
        ("NAME", "x" * 41, 12899),
        ("KEY", b"x" * 17, 12899),
        ("NUMBER_OF_TEXT", "NaN", 1722),
        ("NUMBER_OF_TEXT", "0x10", 1722),
    ],
)
def test_one_row_that_does_not_fit_ends_it_there(
    connection: oracledb.Connection, column: str, value: Any, code: int
) -> None:
    values = [list(row) for row in rows()]
    values[7][list(COLUMNS).index(column)] = value
    with pytest.raises(oracledb.DatabaseError, match=f"ORA-{code:05d}") as raised:
        insert(connection, "AT_ONCE", [tuple(row) for row in values])
    assert raised.value.args[0].offset == 7
    assert [row[0] for row in stored(connection, "AT_ONCE")] == list(range(7))
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM AT_ONCE")
        binds = ", ".join(f":{place}" for place in range(1, len(COLUMNS) + 1))
        cursor.setinputsizes(*[kind for _, kind in COLUMNS.values()])
        text = f"INSERT INTO AT_ONCE VALUES ({binds})"
        cursor.executemany(text, [tuple(row) for row in values], batcherrors=True, arraydmlrowcounts=True)
        assert [(error.offset, error.code) for error in cursor.getbatcherrors()] == [(7, code)]
        assert cursor.getarraydmlrowcounts() == [int(number != 7) for number in range(len(values))]
    assert len(stored(connection, "AT_ONCE")) == len(values) - 1


def test_values_that_do_not_fit_are_reported_first(connection: oracledb.Connection) -> None:
    with connection.cursor() as cursor:
        cursor.execute("alter table AT_ONCE add constraint AT_ONCE_KEY primary key (ID)")
        rows = [(1, "a"), (1, "b"), (2, "c"), (3, "d" * 41)]
        cursor.executemany("insert into AT_ONCE (ID, NAME) values (:1, :2)", rows, batcherrors=True)
        assert [(error.offset, error.code) for error in cursor.getbatcherrors()] == [(3, 12899), (1, 1)]


def test_rows_for_a_table_that_was_made_anew_with_other_types(schema: Schema) -> None:
    """What the rows return has another type than when the statement was run before."""
    cursor = schema.connection.cursor()
    for kind, value in (("number", 1.5), ("binary_double", 2.5)):
        cursor.execute(f"create table again (n {kind})")
        returned = cursor.var(float, arraysize=2)
        cursor.setinputsizes(float, returned)
        cursor.executemany("insert into again values (:1) returning n into :2", [[value, None]] * 2)
        assert returned.values == [[value], [value]]
        cursor.execute("drop table again purge")
