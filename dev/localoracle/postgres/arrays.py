"""Columns of binds as PostgreSQL's arrays: what INSERT ... SELECT FROM unnest(...) takes many rows from."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from localoracle.errors import OracleError, not_supported
from localoracle.postgres import time_zones
from localoracle.postgres.parameters import BINARY_FORMAT, TEXT_FORMAT, encode, materialize
from localoracle.postgres.types import NUMERIC, TEXT, TIMESTAMP, TIMESTAMPTZ, TypeMap
from localoracle.values import BindColumn, OracleType

_EPOCH = datetime(2000, 1, 1)
_EPOCH_UTC = datetime(2000, 1, 1, tzinfo=UTC)
_TEXTS = frozenset((OracleType.VARCHAR2, OracleType.CHAR, OracleType.LONG))
_BYTES = frozenset((OracleType.RAW, OracleType.LONG_RAW))
_TIMES = frozenset((OracleType.DATE, OracleType.TIMESTAMP))
_ZONED = frozenset((OracleType.TIMESTAMP_TZ, OracleType.TIMESTAMP_LTZ))
_INTERVALS = frozenset((OracleType.INTERVAL_YM, OracleType.INTERVAL_DS))
_MICROSECOND = timedelta(microseconds=1)
_LOBS = frozenset((OracleType.CLOB, OracleType.BLOB, OracleType.BFILE))
_NULL = b"\xff\xff\xff\xff"
_LENGTHS = tuple(length.to_bytes(4, "big") for length in range(4001))
_INSTANT = struct.Struct(">iq").pack


@dataclass(frozen=True)
class Source:
    """An array parameter: its elements' type, and the `cast` to the type that the statement wants."""

    element: str
    cast: str
    data: bytes
    format: int


async def source(column: BindColumn, oid: int, types: TypeMap, start: int, end: int) -> Source:
    """The rows of a column as an array for a parameter of the inferred type `oid`.

    Raises OracleError if the error can only be found row by row.
    """
    name = types.type_names.get(oid)
    if name is None:
        raise not_supported(f"arrays of PostgreSQL type {oid}")
    kind = column.datatype.type if column.plain else None
    if kind is OracleType.NUMBER and oid == NUMERIC:
        texts = [text or "NULL" for text in column.number_texts(start, end)]
        return Source(name, "", f"{{{','.join(texts)}}}".encode(), TEXT_FORMAT)
    own = oid in (TIMESTAMP, TIMESTAMPTZ) or oid in types.binary_arrays
    if not own:
        # From text as Oracle reads it, and with its errors.
        elements = [encode(value, TEXT, types)[0] for value in await _values(column, start, end)]
        return Source("text", name, _array(_framed(elements), TEXT), BINARY_FORMAT)
    return Source(name, "", _array(await _elements(column, oid, types, start, end), oid), BINARY_FORMAT)


async def _values(column: BindColumn, start: int, end: int) -> list[Any]:
    values = column.values(start, end)
    return [await materialize(value) for value in values] if column.datatype.type in _LOBS else values


async def _elements(column: BindColumn, oid: int, types: TypeMap, start: int, end: int) -> list[bytes]:
    """The elements of a binary array, each behind its length."""
    kind = column.datatype.type if column.plain else None
    wanted = types.kind(oid)
    if wanted in _TIMES and kind in _TIMES:
        return [
            _NULL if moment is None else _INSTANT(8, moment) for moment in column.microseconds(start, end)
        ]
    if wanted in _INTERVALS:
        return _framed(_integer(value) for value in await _values(column, start, end))
    if wanted is OracleType.TIMESTAMP_TZ and oid != TIMESTAMPTZ:
        return _framed(_zoned(value) for value in await _values(column, start, end))
    if wanted in _TIMES or wanted in _ZONED:
        return [_instant(value) for value in await _values(column, start, end)]
    if kind in _BYTES and types.is_bytes(oid):
        return _framed(column.data(start, end), null=b"")
    if kind in _TEXTS and not column.datatype.national and not types.is_bytes(oid):
        texts = column.utf8(start, end)
        if b"\0" in b"".join(texts):
            raise not_supported("a string that holds CHR(0)")
        return _framed(texts, null=b"")
    return _framed([encode(value, oid, types)[0] for value in await _values(column, start, end)])


def _framed(elements: Iterable[bytes | None], null: bytes | None = None) -> list[bytes]:
    short = len(_LENGTHS)
    return [
        _NULL
        if element is None or element == null
        else (_LENGTHS[len(element)] if len(element) < short else len(element).to_bytes(4, "big")) + element
        for element in elements
    ]


def _instant(value: Any) -> bytes:
    if value is None:
        return _NULL
    if not isinstance(value, datetime):
        raise OracleError(932, f"inconsistent datatypes: expected DATE got {type(value).__name__}")
    delta = value - (_EPOCH if value.tzinfo is None else _EPOCH_UTC)
    return _INSTANT(8, (delta.days * 86_400 + delta.seconds) * 1_000_000 + delta.microseconds)


def _zoned(value: Any) -> bytes | None:
    if value is None:
        return None
    if not isinstance(value, datetime):
        got = type(value).__name__
        raise OracleError(932, f"inconsistent datatypes: expected TIMESTAMP WITH TIME ZONE got {got}")
    return time_zones.stored(value)


def _integer(value: Any) -> bytes | None:
    """An interval, which is an 8-byte integer."""
    if value is None:
        return None
    if not isinstance(value, (timedelta, int)):
        raise OracleError(932, f"inconsistent datatypes: expected INTERVAL got {type(value).__name__}")
    number = value // _MICROSECOND if isinstance(value, timedelta) else value
    return number.to_bytes(8, "big", signed=True)


def _array(framed: Sequence[bytes], element_type: int) -> bytes:
    """A one-dimensional array in PostgreSQL's binary format."""
    has_null = int(_NULL in framed)
    return struct.pack(">iiIii", 1, has_null, element_type, len(framed), 1) + b"".join(framed)
