"""Rows of a query as the client reads them, encoded column by column."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import chain, repeat
from typing import Any

from localoracle.lobs.lob import Lob
from localoracle.lobs.locators import Locators
from localoracle.postgres.parameters import loader, parse_datetime
from localoracle.values import Column, DataType, OracleType
from localoracle.wire import codecs
from localoracle.wire.buffer import SHORT_LENGTH, lv, u8
from localoracle.wire.messages import ROW_DATA
from localoracle.wire.values import LOBS, encode_lob

ROWS_PER_SLICE = 1000
"""Rows that are encoded before other clients get their turn."""

LOB_ROWS_PER_SLICE = 16
_LENGTH = tuple(bytes((number,)) for number in range(SHORT_LENGTH + 1))
_NULL = b"\0"
_LONG_TAIL = b"\0\0"
_LONG_KINDS = (OracleType.LONG, OracleType.LONG_RAW)
_dates: dict[str, bytes] = {}
_clocks: dict[str, bytes] = {}
_DATE_LIMIT = 100_000
_BEFORE_CHRIST = " BC"


def _short(data: bytes) -> bytes:
    length = len(data)
    return _LENGTH[length] + data if length <= SHORT_LENGTH else lv(data)


def _texts(values: Sequence[Any]) -> list[bytes]:
    return [_short(value.encode()) if value else _NULL for value in values]


def _national_texts(values: Sequence[Any]) -> list[bytes]:
    return [_short(value.encode("utf-16-be")) if value else _NULL for value in values]


def _numbers(values: Sequence[Any]) -> list[bytes]:
    number = codecs.number_value
    return [_NULL if value is None else number(value) for value in values]


def _bytes(values: Sequence[Any]) -> list[bytes]:
    return [_short(value) if value else _NULL for value in values]


def _date(value: Any) -> bytes:
    """DATE of PostgreSQL's text; days and clock times come back again and again, so both are remembered."""
    if not isinstance(value, str):
        return b"\x07" + codecs.encode_date(
            value if isinstance(value, datetime) else datetime(*value.timetuple()[:3])
        )
    try:
        return _dates[value[:10]] + _clocks[value[11:]]
    except KeyError:
        if value.endswith(_BEFORE_CHRIST):
            return b"\x07" + codecs.encode_old_date(value)
        encoded = codecs.encode_date(loader(OracleType.DATE)(value))  # type: ignore[misc]
        if len(value) in (10, 19):
            if len(_dates) > _DATE_LIMIT:
                _dates.clear()
            _dates[value[:10]] = b"\x07" + encoded[:4]
            _clocks[value[11:]] = encoded[4:]
        return b"\x07" + encoded


def _timestamp(value: Any) -> bytes:
    if isinstance(value, str) and value.endswith(_BEFORE_CHRIST):
        return codecs.encode_old_date(value)
    return codecs.encode_timestamp(parse_datetime(value))


def _dates_of(values: Sequence[Any]) -> list[bytes]:
    return [_NULL if value is None else _date(value) for value in values]


def _each(
    encode: Callable[[Any], bytes], load: Callable[[Any], Any] | None
) -> Callable[[Sequence[Any]], list[bytes]]:
    if load is None:
        return lambda values: [_NULL if value is None else lv(encode(value)) for value in values]
    return lambda values: [_NULL if value is None else lv(encode(load(value))) for value in values]


def _rowids(values: Sequence[Any]) -> list[bytes]:
    return [codecs.encode_rowid(value) if value else _NULL for value in values]


def _logical_rowids(values: Sequence[Any]) -> list[bytes]:
    return [codecs.encode_logical_rowid(value) if value else _NULL for value in values]


def _plain_encoder(datatype: DataType) -> Callable[[Sequence[Any]], list[bytes]]:
    kind = datatype.type
    if kind in (OracleType.VARCHAR2, OracleType.CHAR, OracleType.LONG):
        return _national_texts if datatype.national else _texts
    if kind in (OracleType.NUMBER, OracleType.BINARY_INTEGER):
        return _numbers
    if kind in (OracleType.RAW, OracleType.LONG_RAW):
        return _bytes
    if kind is OracleType.DATE:
        return _dates_of
    if kind is OracleType.ROWID:
        return _rowids
    if kind is OracleType.UROWID:
        return _logical_rowids
    encoders: dict[OracleType, Callable[[Any], bytes]] = {
        OracleType.TIMESTAMP: _timestamp,
        OracleType.TIMESTAMP_TZ: codecs.encode_timestamp_tz,
        OracleType.TIMESTAMP_LTZ: lambda value: codecs.encode_timestamp(value.replace(tzinfo=None)),
        OracleType.INTERVAL_DS: codecs.encode_interval_ds,
        OracleType.INTERVAL_YM: codecs.encode_interval_ym,
        OracleType.BINARY_FLOAT: codecs.encode_float,
        OracleType.BINARY_DOUBLE: codecs.encode_double,
    }
    return _each(encoders[kind], None if kind is OracleType.TIMESTAMP else loader(kind))


class RowEncoder:
    """Encodes the rows of one query.

    `defines` is what the client asked for instead of the described types: LONG or LONG RAW for a
    LOB column means its content in the row (fetch_lobs=False), anything else a locator.
    """

    def __init__(
        self, columns: Sequence[Column], defines: Sequence[DataType] | None, locators: Locators
    ) -> None:
        self._columns = columns
        self._locators = locators
        self._defines = defines or [column.datatype for column in columns]
        large = any(column.datatype.type in (*LOBS, *_LONG_KINDS) for column in columns)
        self.rows_per_slice = LOB_ROWS_PER_SLICE if large else ROWS_PER_SLICE

    async def encode(self, rows: Sequence[tuple[Any, ...]]) -> bytes:
        """ROW DATA records of `rows`."""
        if not rows:
            return b""
        encoded = []
        for column, define, values in zip(self._columns, self._defines, zip(*rows, strict=True), strict=True):
            encoded.append(await self._column(column.datatype, define, values))
        return b"".join(chain.from_iterable(zip(repeat(u8(ROW_DATA), len(rows)), *encoded, strict=True)))

    async def _column(self, datatype: DataType, define: DataType, values: Sequence[Any]) -> list[bytes]:
        if datatype.type not in LOBS:
            encoded = _plain_encoder(datatype)(values)
            return [value + _LONG_TAIL for value in encoded] if datatype.type in _LONG_KINDS else encoded
        if define.type in _LONG_KINDS:
            contents = [await value.read() if isinstance(value, Lob) else value for value in values]
            if datatype.type is OracleType.BLOB:
                return [value + _LONG_TAIL for value in _bytes(contents)]
            return [
                value + _LONG_TAIL for value in (_national_texts if define.national else _texts)(contents)
            ]
        result = []
        for value in values:
            if value is None:
                result.append(_NULL)
                continue
            load = loader(datatype.type, datatype.national)
            lob = value if isinstance(value, Lob) or load is None else load(value)
            result.append(await encode_lob(lob, define.prefetch, self._locators))
        return result
