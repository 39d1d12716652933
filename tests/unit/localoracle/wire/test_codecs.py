"""Oracle's internal value formats, against the driver's own documentation of them and by round trip."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from localoracle.errors import OracleError
from localoracle.wire import codecs
from localoracle.wire.buffer import NeedMore, Reader, lv, sb, ub


@pytest.mark.parametrize(
    ("value", "encoded"),
    [
        (0, "80"),
        (1, "c102"),
        (100, "c202"),
        (-1, "3e6466"),
        (Decimal("123.45"), "c202182e"),
        (Decimal("0.001"), "bf0b"),
        (Decimal("-0.5"), "3f3366"),
        ("10.00", "c10b"),
        (99, "c164"),
    ],
)
def test_number_bytes(value: object, encoded: str) -> None:
    assert codecs.encode_number(value).hex() == encoded


@given(st.decimals(allow_nan=False, allow_infinity=False, places=10, min_value=-(10**28), max_value=10**28))
def test_number_round_trip(value: Decimal) -> None:
    assert codecs.decode_number(codecs.encode_number(value)) == value


@given(st.integers(min_value=-(10**38) + 1, max_value=10**38 - 1))
def test_integer_round_trip(value: int) -> None:
    decoded = codecs.decode_number(codecs.encode_number(value))
    assert isinstance(decoded, int)
    assert decoded == value


def test_twenty_pairs_of_digits_are_kept() -> None:
    assert codecs.decode_number(codecs.encode_number("1" * 40 + "0.9")) == int("1" * 39 + "00")
    assert codecs.decode_number(codecs.encode_number("9" * 42)) == 10**42


def test_number_overflow() -> None:
    with pytest.raises(OracleError, match="ORA-01426"):
        codecs.encode_number(Decimal(10) ** 130)


@given(st.integers(min_value=-(10**30), max_value=10**30), st.integers(min_value=-(10**30), max_value=10**30))
def test_number_bytes_sort_as_numbers(first: int, second: int) -> None:
    """Oracle compares NUMBERs bytewise."""
    left, right = codecs.encode_number(first), codecs.encode_number(second)
    assert (left < right) == (first < second)


@given(st.datetimes(min_value=datetime(1, 1, 1), max_value=datetime(9999, 12, 31)))
def test_timestamp_round_trip(value: datetime) -> None:
    assert codecs.decode_date(codecs.encode_timestamp(value)) == value
    assert codecs.decode_date(codecs.encode_date(value)) == value.replace(microsecond=0)


@given(
    st.datetimes(min_value=datetime(2, 1, 1), max_value=datetime(9998, 12, 31)),
    st.integers(min_value=-12 * 60, max_value=14 * 60),
)
def test_timestamp_with_zone_round_trip(value: datetime, minutes: int) -> None:
    zoned = value.replace(tzinfo=timezone(timedelta(minutes=minutes)))
    decoded = codecs.decode_date(codecs.encode_timestamp_tz(zoned))
    assert decoded == zoned
    assert decoded.utcoffset() == zoned.utcoffset()


@given(st.timedeltas(min_value=timedelta(days=-999_999_999), max_value=timedelta(days=999_999_999)))
def test_interval_round_trip(value: timedelta) -> None:
    assert codecs.decode_interval_ds(codecs.encode_interval_ds(value)) == value


@given(st.integers(min_value=-(10**9), max_value=10**9))
def test_interval_of_months_round_trip(months: int) -> None:
    assert codecs.decode_interval_ym(codecs.encode_interval_ym(months)) == months


@given(st.floats(allow_nan=False))
def test_double_round_trip(value: float) -> None:
    assert codecs.decode_binary_float(codecs.encode_double(value)) == value


def test_rowid_fields() -> None:
    assert codecs.rowid_fields("AAAAAAAABAAAAACAAD") == (0, 1, 2, 3)
    with pytest.raises(OracleError, match="ORA-01410"):
        codecs.rowid_fields("short")


@given(st.binary(max_size=70_000))
def test_length_prefixed_bytes(data: bytes) -> None:
    reader = Reader()
    reader.feed(lv(data))
    assert reader.collect()
    assert (reader.lv() or b"") == data
    assert reader.exhausted


@given(st.integers(min_value=-(2**31), max_value=2**63))
def test_integers(value: int) -> None:
    reader = Reader()
    reader.feed(sb(value) if value < 0 else ub(value))
    reader.collect()
    assert reader.ub() == value


@given(st.binary(min_size=300, max_size=2000), st.lists(st.integers(min_value=1, max_value=700), max_size=8))
def test_long_value_arrives_in_pieces(data: bytes, cuts: list[int]) -> None:
    """A chunked value is picked up where it was cut, whatever the cuts."""
    raw = (
        b"\xfe"
        + b"".join(ub(len(data[i : i + 256])) + data[i : i + 256] for i in range(0, len(data), 256))
        + b"\0"
    )
    reader = Reader()
    position = 0
    for cut in [*cuts, len(raw)]:
        piece = raw[position : position + cut]
        position += len(piece)
        if not piece:
            continue
        reader.feed(piece)
        reader.collect()
        try:
            assert reader.long_value() == data
        except NeedMore:
            continue
        break
    assert reader.exhausted
