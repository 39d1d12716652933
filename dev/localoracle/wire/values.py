"""Bind values: what a client sends for its binds, what it gets back in OUT and RETURNING binds."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Context, Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

from localoracle.errors import OracleError, not_supported
from localoracle.instance.character_set import converted
from localoracle.lobs.lob import Lob, TemporaryLob
from localoracle.lobs.locators import Locators
from localoracle.session.result import Result
from localoracle.values import DataType, OracleType, Value
from localoracle.wire import codecs, text_units
from localoracle.wire.buffer import Reader, lv, sb, ub
from localoracle.wire.messages import SCALED, describe_body

if TYPE_CHECKING:
    from localoracle.wire.cursors import Cursors

_TEXT = frozenset((OracleType.VARCHAR2, OracleType.CHAR, OracleType.LONG, OracleType.ROWID))
_NUMBERS = frozenset((OracleType.NUMBER, OracleType.BINARY_INTEGER))
_DATES = frozenset((OracleType.DATE, OracleType.TIMESTAMP, OracleType.TIMESTAMP_TZ, OracleType.TIMESTAMP_LTZ))
_BYTES = frozenset((OracleType.RAW, OracleType.LONG_RAW))
_FLOATS = frozenset((OracleType.BINARY_FLOAT, OracleType.BINARY_DOUBLE))
LOBS = frozenset((OracleType.CLOB, OracleType.BLOB, OracleType.BFILE))
LARGE = LOBS | {OracleType.LONG, OracleType.LONG_RAW}
LOB_CHUNK = 8132
_SAME = {94: OracleType.LONG, 208: OracleType.VARCHAR2}
"""Types of the wire that are handled as another: LONG VARCHAR, UROWID."""
ARRAY_FLAG = 0x40
_ALL_DIGITS = Context(prec=260)
LOB_PREFETCH = 0x2000000
_FULL_DATE = "%d-%b-%y"


def read_datatype(reader: Reader) -> DataType:
    """A bind or define description. Raises ORA-03001 for a type that the stand-in does not know."""
    number = reader.u8()
    flags = reader.u8()
    reader.skip(1)
    if reader.dialect.universal_scale and number in SCALED:
        reader.ub()
    else:
        reader.skip(1)
    size = reader.ub()
    elements = reader.ub()
    prefetches = reader.ub() & LOB_PREFETCH
    if reader.ub():
        reader.lv()
    reader.pass_over("u u")
    form = reader.u8()
    prefetch = reader.ub()
    try:
        kind = _SAME.get(number) or OracleType(number)
    except ValueError:
        raise not_supported(f"bind of type number {number}") from None
    if kind is OracleType.OBJECT:
        raise not_supported("bind of an object type")
    return DataType(
        kind,
        size,
        national=form == 2,
        is_array=bool(flags & ARRAY_FLAG),
        max_elements=elements,
        prefetch=prefetch if prefetches else None,
    )


def decode(datatype: DataType, data: bytes) -> Any:
    """The Python value of a bind that travels as a byte string."""
    kind = datatype.type
    if kind in _TEXT:
        return data.decode("utf-16-be") if datatype.national else converted(data.decode())
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


def is_plain(datatype: DataType) -> bool:
    """Whether a value of the type travels as a byte string."""
    return (
        not datatype.is_array
        and datatype.type not in LOBS
        and datatype.type not in (OracleType.CURSOR, OracleType.BOOLEAN, OracleType.ROWID)
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
    if kind is OracleType.ROWID:
        if not reader.u8():
            return None
        number, file = reader.ub(), reader.ub()
        reader.skip(1)
        return codecs.rowid_text(number, file, reader.ub(), reader.ub())
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
        text = format(value.normalize(_ALL_DIGITS), "f")
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
            return b"\x01" + describe_body([], cursors.dialect) + b"\0\0"
        return b"\0\0"
    if kind in LOBS:
        return await encode_lob(await as_lob(value, datatype), datatype.prefetch, locators) + b"\0"
    if kind is OracleType.CURSOR:
        if not isinstance(value, Result) or value.columns is None:
            raise OracleError(1001, "invalid cursor")
        cursor = cursors.adopt(value)
        return b"\x01" + describe_body(await value.description(), cursors.dialect) + ub(cursor.number) + b"\0"
    if isinstance(value, Lob):
        value = await value.read()
    return encode_plain(value, datatype) + b"\0"


async def encode_returned(value: Any, datatype: DataType, locators: Locators, cursors: Cursors) -> bytes:
    """A value for a RETURNING bind: what is longer than the bind is cut, and followed by its whole length."""
    if datatype.size and value is not None and datatype.type in (*_TEXT, *_BYTES):
        if isinstance(value, Lob):
            value = await value.read()
        data = _bytes_in(value, datatype)
        if len(data) > datatype.size:
            charset = _charset(datatype)
            cut = data[: datatype.size]
            if datatype.type in _TEXT:
                cut = cut.decode(charset, "ignore").encode(charset)
            return lv(cut) + sb(len(data))
    return await encode_out(value, datatype, locators, cursors)


def _charset(datatype: DataType) -> str:
    return "utf-16-be" if datatype.national else "utf-8"


def _bytes_in(value: Any, datatype: DataType) -> bytes:
    """A string or bytes as they travel in the declared type."""
    return _text_of(value).encode(_charset(datatype)) if datatype.type in _TEXT else _raw_of(value)


def _raw_of(value: Any) -> bytes:
    """The implicit conversion to RAW: strings hold hexadecimal digits (SQL Language Reference, HEXTORAW)."""
    if not isinstance(value, str):
        return bytes(value)
    try:
        return bytes.fromhex(value.rjust(len(value) + len(value) % 2, "0"))
    except ValueError:
        raise OracleError(1465, "invalid hex number") from None


def encode_plain(value: Any, datatype: DataType) -> bytes:
    """A value that travels as a byte string, converted to the declared type where Oracle would."""
    kind = datatype.type
    if kind in _TEXT:
        return lv(_bytes_in(value, datatype))
    if kind in _NUMBERS:
        return codecs.number_value(_number_of(value))
    if kind is OracleType.BOOLEAN:
        return b"\x01\x01" if value else b"\x01\x00"
    if kind in _BYTES:
        return lv(_raw_of(value))
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
        if value.is_text and datatype.type is OracleType.CLOB and value.national is not datatype.national:
            # The client reads a variable's LOB in the variable's character set: the value is converted.
            return TemporaryLob(OracleType.CLOB, datatype.national, await value.read())
        return value
    if datatype.type is OracleType.BLOB:
        return TemporaryLob(OracleType.BLOB, data=_raw_of(value))
    return TemporaryLob(OracleType.CLOB, datatype.national, _text_of(value))


async def encode_lob(lob: Lob, prefetch: int | None, locators: Locators) -> bytes:
    """A locator as rows and OUT binds carry it, with as much as the client wants to know without asking."""
    locator = locators.add(lob)
    length = ub(len(locator))
    if lob.kind is OracleType.BFILE or prefetch is None:
        return length + lv(locator)
    size = await text_units.size(lob)
    head = length + ub(size) + ub(LOB_CHUNK)
    if not prefetch:
        return head + lv(locator)
    content, _ = await text_units.read(lob, 1, min(prefetch, size)) if size else (b"", 0)
    if lob.is_text:
        head += bytes((0, 2 if lob.national else 1))
    if isinstance(content, str):
        content = content.encode("utf-16-be" if lob.national else "utf-8")
    return head + lv(content) + lv(locator)


def new_values(datatypes: list[DataType], row: list[Any]) -> list[Value]:
    return [Value(datatype, value) for datatype, value in zip(datatypes, row, strict=True)]
