"""Bind values: what a client sends for its binds, what it gets back in OUT and RETURNING binds."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

from localoracle.errors import OracleError, not_supported
from localoracle.session.lobs import Lob, TemporaryLob
from localoracle.session.locators import Locators
from localoracle.session.result import Result
from localoracle.values import DataType, OracleType, Value
from localoracle.wire import codecs
from localoracle.wire.buffer import Reader, lv, ub
from localoracle.wire.messages import describe_body

if TYPE_CHECKING:
    from localoracle.wire.cursors import Cursors

_TEXT = frozenset((OracleType.VARCHAR2, OracleType.CHAR, OracleType.LONG, OracleType.ROWID))
_NUMBERS = frozenset((OracleType.NUMBER, OracleType.BINARY_INTEGER))
_DATES = frozenset((OracleType.DATE, OracleType.TIMESTAMP, OracleType.TIMESTAMP_TZ, OracleType.TIMESTAMP_LTZ))
_BYTES = frozenset((OracleType.RAW, OracleType.LONG_RAW))
_FLOATS = frozenset((OracleType.BINARY_FLOAT, OracleType.BINARY_DOUBLE))
LOBS = frozenset((OracleType.CLOB, OracleType.BLOB, OracleType.BFILE))
LOB_CHUNK = 8132
UROWID = 208
ARRAY_FLAG = 0x40
_FULL_DATE = "%d-%b-%y"


def read_datatype(reader: Reader) -> DataType:
    """A bind or define description. Raises ORA-03001 for a type that the stand-in does not know."""
    number = reader.u8()
    flags = reader.u8()
    reader.skip(2)
    size = reader.ub()
    elements = reader.ub()
    reader.ub()
    if reader.ub():
        reader.lv()
    reader.ub()
    reader.ub()
    form = reader.u8()
    reader.ub()
    try:
        kind = OracleType.ROWID if number == UROWID else OracleType(number)
    except ValueError:
        raise not_supported(f"bind of type number {number}") from None
    if kind is OracleType.OBJECT:
        raise not_supported("bind of an object type")
    return DataType(kind, size, national=form == 2, is_array=bool(flags & ARRAY_FLAG), max_elements=elements)


def decode(datatype: DataType, data: bytes) -> Any:
    """The Python value of a bind that travels as a byte string."""
    kind = datatype.type
    if kind in _TEXT:
        return data.decode("utf-16-be" if datatype.national else "utf-8")
    if kind in _NUMBERS:
        return codecs.decode_number(data)
    if kind in _DATES:
        return codecs.decode_date(data)
    if kind in _BYTES:
        return data
    if kind in _FLOATS:
        return codecs.decode_binary_float(data)
    if kind is OracleType.INTERVAL_DS:
        return codecs.decode_interval_ds(data)
    if kind is OracleType.INTERVAL_YM:
        return codecs.decode_interval_ym(data)
    raise not_supported(f"bind of type {kind.name}")


def is_utf8(datatype: DataType) -> bool:
    """Whether a value of the type travels as text in UTF-8."""
    return datatype.type in _TEXT and not datatype.national


def is_plain(datatype: DataType) -> bool:
    """Whether a value of the type travels as a byte string."""
    return (
        not datatype.is_array
        and datatype.type not in LOBS
        and datatype.type not in (OracleType.CURSOR, OracleType.BOOLEAN)
    )


def read_special(reader: Reader, datatype: DataType, locators: Locators, cursors: Cursors) -> Any:
    """A bind value that does not travel as a byte string."""
    if datatype.is_array:
        element = DataType(datatype.type, datatype.size, national=datatype.national)
        values = []
        for _ in range(reader.ub()):
            data = reader.lv()
            values.append(None if data is None else decode(element, data))
        return values
    kind = datatype.type
    if kind is OracleType.BOOLEAN:
        length = reader.u8()
        if length == 0xFD:
            reader.skip(1)
            return None
        return bool(length and reader.raw(length)[-1])
    if kind is OracleType.CURSOR:
        # ub4 1 and the cursor number; of a cursor that was never opened, 01 00.
        reader.skip(1)
        first = reader.u8()
        cursor_id = reader.ub() if first == 1 else 0
        return cursors.result_of(cursor_id)
    locator = reader.lv2()
    return locators.get(locator) if locator else None


def _text_of(value: Any) -> str:
    """Oracle's implicit conversion to a string."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, bytes):
        return value.hex().upper()
    if isinstance(value, datetime):
        return value.strftime(_FULL_DATE).upper()
    if isinstance(value, Decimal):
        text = format(value.normalize(), "f")
        return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text
    return str(value)


def _number_of(value: Any) -> Any:
    if isinstance(value, str):
        try:
            return Decimal(value.strip())
        except InvalidOperation:
            raise OracleError(
                6502, "PL/SQL: numeric or value error: character to number conversion error"
            ) from None
    return value


async def encode_out(value: Any, datatype: DataType, locators: Locators, cursors: Cursors) -> bytes:
    """An OUT or RETURNING value in the type that the client declared, with the trailing actual length."""
    if datatype.is_array:
        element = DataType(datatype.type, datatype.size, national=datatype.national)
        items = [await encode_out(item, element, locators, cursors) for item in value or []]
        return ub(len(items)) + b"".join(items)
    kind = datatype.type
    if value is None:
        if kind is OracleType.BOOLEAN:
            return b"\0\x81\x01"
        if kind is OracleType.CURSOR:
            return b"\x01" + describe_body([]) + b"\0\0"
        return b"\0\0"
    if kind in LOBS:
        return await encode_lob(await as_lob(value, datatype), locators) + b"\0"
    if kind is OracleType.CURSOR:
        if not isinstance(value, Result) or value.columns is None:
            raise OracleError(1001, "invalid cursor")
        cursor = cursors.adopt(value)
        return b"\x01" + describe_body(value.columns) + ub(cursor.number) + b"\0"
    if isinstance(value, Lob):
        value = await value.read()
    return encode_plain(value, datatype) + b"\0"


def encode_plain(value: Any, datatype: DataType) -> bytes:
    """A value that travels as a byte string, converted to the declared type where Oracle would."""
    kind = datatype.type
    if kind in _TEXT:
        return lv(_text_of(value).encode("utf-16-be" if datatype.national else "utf-8"))
    if kind in _NUMBERS:
        return codecs.number_value(_number_of(value))
    if kind is OracleType.BOOLEAN:
        return b"\x01\x01" if value else b"\x01\x00"
    if kind in _BYTES:
        return lv(value.encode() if isinstance(value, str) else bytes(value))
    if kind in _FLOATS:
        number = float(value)
        return lv(
            codecs.encode_float(number) if kind is OracleType.BINARY_FLOAT else codecs.encode_double(number)
        )
    if kind in _DATES and isinstance(value, datetime):
        if kind is OracleType.DATE:
            return lv(codecs.encode_date(value))
        if kind is OracleType.TIMESTAMP_TZ:
            return lv(codecs.encode_timestamp_tz(value))
        return lv(codecs.encode_timestamp(value))
    if kind is OracleType.INTERVAL_DS and isinstance(value, timedelta):
        return lv(codecs.encode_interval_ds(value))
    if kind is OracleType.INTERVAL_YM and isinstance(value, int):
        return lv(codecs.encode_interval_ym(value))
    raise OracleError(932, f"inconsistent datatypes: expected {kind.name} got {type(value).__name__}")


async def as_lob(value: Any, datatype: DataType) -> Lob:
    """A LOB of a value that a LOB bind receives."""
    if isinstance(value, Lob):
        return value
    if datatype.type is OracleType.BLOB:
        return TemporaryLob(OracleType.BLOB, data=value.encode() if isinstance(value, str) else bytes(value))
    return TemporaryLob(OracleType.CLOB, datatype.national, _text_of(value))


async def encode_lob(lob: Lob, locators: Locators) -> bytes:
    """A locator with the size, as rows and OUT binds carry it."""
    locator = locators.add(lob)
    if lob.kind is OracleType.BFILE:
        return ub(len(locator)) + lv(locator)
    return ub(len(locator)) + ub(await lob.size()) + ub(LOB_CHUNK) + lv(locator)


def new_values(datatypes: list[DataType], row: list[Any]) -> list[Value]:
    return [Value(datatype, value) for datatype, value in zip(datatypes, row, strict=True)]
