"""Python values as PostgreSQL parameters, and PostgreSQL's text as Python values."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from localoracle.errors import OracleError, not_supported
from localoracle.lobs.bfile import Bfile
from localoracle.lobs.lob import Lob
from localoracle.lobs.locators import ValueLob
from localoracle.postgres import time_zones
from localoracle.postgres.types import BOOL, TIMESTAMPTZ, TypeMap
from localoracle.values import OracleType

TEXT_FORMAT, BINARY_FORMAT = 0, 1
_NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)(E[+-]?\d+)?\s*", re.IGNORECASE)
_MOMENTS = (OracleType.DATE, OracleType.TIMESTAMP, OracleType.TIMESTAMP_TZ, OracleType.TIMESTAMP_LTZ)
_MICROSECOND = timedelta(microseconds=1)


def _hexadecimal(text: str) -> bytes:
    try:
        return bytes.fromhex(text if len(text) % 2 == 0 else "0" + text)
    except ValueError:
        raise OracleError(1465, "invalid hex number") from None


def number_text(value: int | float | Decimal) -> str:
    """A number without an exponent where PostgreSQL's integer input would refuse it."""
    if isinstance(value, Decimal):
        if value == value.to_integral_value() and abs(value.adjusted()) < 60:
            return str(int(value))
        return str(value)
    return str(int(value)) if isinstance(value, bool) else repr(value)


def encode(value: Any, oid: int, types: TypeMap) -> tuple[bytes | None, int]:
    """(bytes, format) of a parameter of the inferred type `oid`; a LOB must have been read before."""
    if value is None:
        return None, TEXT_FORMAT
    if isinstance(value, str):
        if types.is_bytes(oid):
            return encode(_hexadecimal(value), oid, types)
        kind = types.kind(oid)
        if kind in _MOMENTS and value:
            raise not_supported("a string bind where a date is wanted, other than with TO_DATE")
        if kind is OracleType.NUMBER and value and not _NUMBER.fullmatch(value):
            raise OracleError(1722, "invalid number")
        if "\0" in value:
            raise not_supported("a string that holds CHR(0)")
        if not value and types.kind(oid) is not OracleType.CLOB:
            return None, TEXT_FORMAT
        # An empty string that goes to a CLOB is an empty LOB: as a bind it would have come as NULL.
        return value.encode(), TEXT_FORMAT
    if isinstance(value, bool) and oid == BOOL:
        return (b"t" if value else b"f"), TEXT_FORMAT
    if isinstance(value, (int, float, Decimal)):
        return number_text(value).encode(), TEXT_FORMAT
    if isinstance(value, datetime):
        if types.kind(oid) is OracleType.TIMESTAMP_TZ and oid != TIMESTAMPTZ:
            return time_zones.stored(value), BINARY_FORMAT
        return value.isoformat(" ").encode(), TEXT_FORMAT
    if isinstance(value, (bytes, bytearray, memoryview)):
        data = bytes(value)
        if not data and types.kind(oid) is not OracleType.BLOB:
            return None, TEXT_FORMAT
        if oid in types.binary_input:
            return data, BINARY_FORMAT
        return ("\\x" + data.hex() if types.is_bytes(oid) else data.hex().upper()).encode(), TEXT_FORMAT
    if isinstance(value, timedelta):
        return str(value // _MICROSECOND).encode(), TEXT_FORMAT
    raise OracleError(932, f"inconsistent datatypes: expected - got {type(value).__name__}")


async def materialize(value: Any) -> Any:
    """The content of a LOB; anything else unchanged."""
    return await value.read() if isinstance(value, Lob) else value


def parse_number(text: Any) -> Any:
    """int or Decimal of PostgreSQL's text (or of what its binary loader made)."""
    if isinstance(text, str):
        if "." in text:
            text = text.rstrip("0").rstrip(".")
        if text.lstrip("-").isdigit():
            return int(text)
        return Decimal(text)
    if isinstance(text, bool):
        return int(text)
    if isinstance(text, Decimal) and text == text.to_integral_value():
        return int(text)
    return text


def parse_datetime(text: Any) -> Any:
    if not isinstance(text, str):
        return text if isinstance(text, datetime) else datetime(text.year, text.month, text.day)
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise OracleError(1841, "(full) year must be between -4713 and +9999, and not be 0") from None


def parse_zoned(text: Any) -> Any:
    if isinstance(text, bytes):
        return time_zones.loaded(text)
    value = parse_datetime(text)
    return value if value.tzinfo is not None else value.replace(tzinfo=UTC)


def parse_interval(text: Any) -> Any:
    """INTERVAL DAY TO SECOND, which is stored as a number of microseconds."""
    return text if isinstance(text, timedelta) else timedelta(microseconds=int(text))


def parse_months(text: Any) -> Any:
    """INTERVAL YEAR TO MONTH as a number of months."""
    return int(text) if isinstance(text, str) else text


def _text(value: Any) -> Any:
    return value or None


def loader(kind: OracleType, national: bool = False) -> Callable[[Any], Any] | None:
    """The function from a raw result value (not None) to its Python value; None: it is one already."""
    if kind in (OracleType.CLOB, OracleType.BLOB):
        return lambda value: value if isinstance(value, Lob) else ValueLob(kind, value, national)
    if kind is OracleType.BFILE:
        return Bfile.from_text
    return {
        OracleType.NUMBER: parse_number,
        OracleType.BINARY_INTEGER: parse_number,
        OracleType.DATE: parse_datetime,
        OracleType.TIMESTAMP: parse_datetime,
        OracleType.TIMESTAMP_TZ: parse_zoned,
        OracleType.TIMESTAMP_LTZ: parse_zoned,
        OracleType.INTERVAL_DS: parse_interval,
        OracleType.INTERVAL_YM: parse_months,
        OracleType.VARCHAR2: _text,
        OracleType.CHAR: _text,
        OracleType.RAW: _text,
        OracleType.LONG: _text,
    }.get(kind)
