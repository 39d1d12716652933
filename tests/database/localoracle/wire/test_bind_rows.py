"""Bind values of many executions: read in any pieces, and by column what they are one by one."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from localoracle.errors import OracleError
from localoracle.lobs.locators import Locators
from localoracle.values import DataType, OracleType
from localoracle.wire import column_codecs
from localoracle.wire.bind_rows import BindColumn, BindReader, BindRows
from localoracle.wire.buffer import NeedMore, Reader, lv
from localoracle.wire.channel import Disconnected
from localoracle.wire.codecs import decode_date, decode_number, encode_number, encode_timestamp
from localoracle.wire.cursors import Cursors
from localoracle.wire.dialect import Dialect
from localoracle.wire.messages import ROW_DATA

NUMBER, TEXT = DataType(OracleType.NUMBER, 22), DataType(OracleType.VARCHAR2, 100)
LONG_RAW = DataType(OracleType.LONG_RAW, 1 << 20)
ENDS = [b"\x00", b"\xff\x65"]
"""-Infinity and Infinity."""
numbers = st.one_of(
    st.integers(-(10**38), 10**38),
    st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**30), max_value=10**30, places=12),
    st.builds(
        lambda digits, place: Decimal(digits).scaleb(place), st.integers(0, 9999), st.integers(-120, 110)
    ),
)


@given(st.lists(st.one_of(st.none(), numbers.map(encode_number), st.sampled_from(ENDS))))
def test_numbers_by_column_are_those_one_by_one(given_values: list[bytes | None]) -> None:
    column = [data or b"" for data in given_values]
    texts = column_codecs.number_texts(column)
    assert len(texts) == len(column)
    for text, data in zip(texts, column, strict=True):
        if not data:
            assert text == ""
            continue
        one = decode_number(data)
        assert Decimal(text) == one
        # As many decimals, which PostgreSQL keeps.
        decimals = max(0, -int(Decimal(text).as_tuple().exponent))
        assert decimals == (max(0, -int(one.as_tuple().exponent)) if isinstance(one, Decimal) else 0)


@given(st.lists(st.one_of(st.none(), st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31)))))
def test_times_by_column_are_those_one_by_one(given_values: list[datetime | None]) -> None:
    column = [b"" if value is None else encode_timestamp(value) for value in given_values]
    moments = column_codecs.microseconds(column)
    again = [
        None if moment is None else datetime(2000, 1, 1) + timedelta(microseconds=moment)
        for moment in moments
    ]
    assert again == [decode_date(data) if data else None for data in column]


@pytest.mark.parametrize(
    "data",
    [
        bytes((120, 123, 2, 30, 1, 1, 1)),
        bytes((120, 123, 13, 1, 1, 1, 1)),
        bytes((120, 123, 1, 1, 25, 1, 1)),
        bytes((120, 123, 1, 1, 1, 61, 1)),
        bytes((120, 123, 1, 1, 1, 1, 0)),
        bytes((120, 123, 1, 1, 1, 1, 1)) + (10**9).to_bytes(4, "big"),
    ],
)
def test_a_time_that_is_none_is_refused_by_column_too(data: bytes) -> None:
    for convert in (decode_date, lambda value: column_codecs.microseconds([value])):
        with pytest.raises(OracleError, match="ORA-01841"):
            convert(data)


def rows_of(binds: list[DataType], rows: list[list[bytes | None]], size: int) -> BindRows:
    """What is read of the rows when it arrives in pieces of that many bytes."""
    data = b"".join(bytes((ROW_DATA,)) + b"".join(lv(value) for value in row) for row in rows)
    pieces = [data[start : start + size] for start in range(0, len(data), size)]
    reader, reading = Reader(), BindReader(binds, range(len(binds)), len(rows))
    while True:
        try:
            reading.read(reader, Locators(), Cursors(Dialect()))
        except NeedMore:
            reader.feed(pieces.pop(0))
            reader.collect()
            continue
        assert not pieces
        assert reader.position == len(reader.data)
        return reading.rows()


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 1000, 10**6])
def test_rows_may_arrive_in_any_pieces(size: int) -> None:
    binds = [LONG_RAW, TEXT, LONG_RAW]
    values: list[list[bytes | None]] = [
        [b"x" * 300, b"one", b"y" * 2000],
        [None, None, None],
        [b"short", "zwölf".encode(), None],
        [b"z" * 252, b"", b"z" * 253],
    ]
    rows = rows_of(binds, values, size)
    assert [rows.row(number) for number in range(len(rows))] == [
        [row[0], row[1].decode() if row[1] else None, row[2]] for row in values
    ]


def test_what_is_no_row_ends_the_connection() -> None:
    reader = Reader()
    reader.feed(b"\x08\x01a")
    reader.collect()
    with pytest.raises(Disconnected):
        BindReader([TEXT], [0], 1).read(reader, Locators(), Cursors(Dialect()))


@pytest.mark.parametrize("items", [[b"good", b"\xff"], [b"\xc3", b"\xa9"]], ids=["no text", "cut in two"])
def test_text_that_is_none_ends_the_connection(items: list[bytes]) -> None:
    column = BindColumn(TEXT, items)
    for read in (column.utf8, column.values):
        with pytest.raises(Disconnected):
            read(0, 2)


def test_a_bind_without_values_is_null_in_every_row() -> None:
    reading = BindReader([NUMBER, TEXT, DataType(OracleType.CLOB)], [1], 2)
    reader = Reader()
    reader.feed(b"\x07\x01a\x07\x01b")
    reader.collect()
    reading.read(reader, Locators(), Cursors(Dialect()))
    rows: Any = reading.rows()
    assert [rows.row(0), rows.row(1)] == [[None, "a", None], [None, "b", None]]
