"""TIMESTAMP WITH TIME ZONE as the database stores it (14_time_zones.sql), and as a Python value."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from localoracle.errors import OracleError, not_supported

_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_MINUTE = timedelta(minutes=1)
_OFFSET_BYTES = 10


def stored(value: datetime) -> bytes:
    """The moment in UTC, then the minutes of the offset."""
    offset = value.utcoffset()
    if offset is None:
        raise OracleError(932, "inconsistent datatypes: expected TIMESTAMP WITH TIME ZONE got TIMESTAMP")
    if offset % _MINUTE:
        raise not_supported("time zones with seconds")
    moment = (value - _EPOCH) // _MICROSECOND
    return moment.to_bytes(8, "big", signed=True) + (offset // _MINUTE).to_bytes(2, "big", signed=True)


def loaded(data: bytes) -> datetime:
    """The local time with its zone; ORA-03001 for a year that Python's datetimes do not have."""
    moment = int.from_bytes(data[:8], "big", signed=True)
    zone = (
        timezone(int.from_bytes(data[8:], "big", signed=True) * _MINUTE)
        if len(data) == _OFFSET_BYTES
        else ZoneInfo(data[_OFFSET_BYTES:].decode())
    )
    try:
        return (_EPOCH + moment * _MICROSECOND).astimezone(zone)
    except OverflowError:
        raise not_supported("a TIMESTAMP WITH TIME ZONE outside the years 1 to 9999") from None
