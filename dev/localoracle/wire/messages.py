"""Records that the server sends: end of call, descriptions, authentication pairs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from localoracle.errors import OracleError
from localoracle.session.last_rows import RowPlace
from localoracle.session.session import Keyword
from localoracle.values import BYTES_OF_CHARACTER, Column, DataType, OracleType
from localoracle.wire.buffer import lv, lv2, sb, text2, u8, ub
from localoracle.wire.dialect import Dialect

PROTOCOL, DATA_TYPES, FUNCTION, ERROR, ROW_HEADER, ROW_DATA, PARAMETER, STATUS = 1, 2, 3, 4, 6, 7, 8, 9
IO_VECTOR, LOB_DATA, DESCRIBE, PIGGYBACK = 11, 14, 16, 17

CHARSET, NATIONAL_CHARSET = 873, 2000
_TRANSACTION_OPEN = 0x2
NO_DATA_FOUND = 1403
BATCH_ERRORS = 24381
_NO_ROWID = b"\0\0\0\0\0"
_FILE = 1
"""Every table's, in a ROWID."""

_CHARACTER_TYPES = frozenset((OracleType.VARCHAR2, OracleType.CHAR, OracleType.LONG, OracleType.CLOB))
SCALED = frozenset(
    (
        OracleType.NUMBER,
        OracleType.TIMESTAMP,
        OracleType.TIMESTAMP_TZ,
        OracleType.TIMESTAMP_LTZ,
        OracleType.INTERVAL_DS,
    )
)
_LOB_BUFFER = 4000
_IS_JSON = 0x100
"""In the flags of a column: a constraint says IS JSON."""


def pairs_record(pairs: Sequence[tuple[str, str, int]]) -> bytes:
    """The answer to an authentication phase."""
    body = b"".join(text2(key) + text2(value) + ub(flags) for key, value, flags in pairs)
    return u8(PARAMETER) + ub(len(pairs)) + body


def version_record(text: bytes, length: int, number: int) -> bytes:
    """The answer to the question for the version; `text` as the client reads texts of announced length."""
    return u8(PARAMETER) + ub(length) + text + ub(number)


class CallStatus(NamedTuple):
    """What every answer says at its end."""

    number: int
    """The call's, as the client counts; JDBC mistrusts an answer with another one."""
    in_transaction: bool

    @property
    def flags(self) -> bytes:
        return ub(_TRANSACTION_OPEN if self.in_transaction else 0)


def status_record(status: CallStatus) -> bytes:
    return u8(STATUS) + status.flags + ub(0)


def end_record(
    status: CallStatus,
    *,
    cursor: int = 0,
    rowcount: int = 0,
    number: int = 0,
    text: str = "",
    position: int = 0,
    warning: int = 0,
    batch_errors: Sequence[tuple[int, OracleError]] = (),
    last_row: RowPlace | None = None,
) -> bytes:
    """The ERROR record that ends every call, with `number` 0 when all went well.

    `batch_errors`: (row offset, error) of executemany with batcherrors; `last_row`: which DML changed last.
    """
    if batch_errors:
        codes = b"".join(ub(error.code) for _, error in batch_errors)
        offsets = b"".join(ub(offset) for offset, _ in batch_errors)
        messages = b"".join(
            ub(len(message)) + lv(message) + b"\0\0"
            for message in (str(error).encode() for _, error in batch_errors)
        )
        count = len(batch_errors)
        batch = ub(count) + b"\0" + codes + ub(count) + b"\0" + offsets + ub(count) + b"\0" + messages
    else:
        batch = b"\0\0\0"
    record = b"".join(
        (
            u8(ERROR),
            status.flags,
            ub(0),
            ub(0),
            ub(number & 0xFFFF),
            ub(0),
            ub(0),
            ub(cursor),
            sb(position),
            b"\0\0\0\0\0",
            u8(warning),
            _NO_ROWID if last_row is None else _rowid(last_row),
            b"\0\0",
            u8(status.number),
            b"\0\0\0",
            batch,
            ub(number),
            ub(rowcount),
        )
    )
    return record + lv(text.encode()) if number else record


def _rowid(place: RowPlace) -> bytes:
    return ub(place.object) + ub(_FILE) + b"\0" + ub(place.block) + ub(place.row)


def error_record(status: CallStatus, error: OracleError) -> bytes:
    return end_record(
        status,
        rowcount=error.executions_done,
        number=error.code,
        text=str(error),
        position=error.position,
    )


def no_more_rows(status: CallStatus, *, cursor: int, rowcount: int) -> bytes:
    return end_record(
        status,
        cursor=cursor,
        rowcount=rowcount,
        number=NO_DATA_FOUND,
        text="ORA-01403: no data found",
    )


def describe_body(columns: Sequence[Column], dialect: Dialect) -> bytes:
    """The columns of a query, from the maximum row size on (a REF CURSOR value starts here)."""
    parts = [ub(0), ub(len(columns))]
    if columns:
        parts.append(b"\0")
    parts += [column_description(column, position, dialect) for position, column in enumerate(columns, 1)]
    parts.append(b"\0" * 6)
    return b"".join(parts)


def described_columns(columns: Sequence[Column], dialect: Dialect) -> bytes:
    """The answer to a client that asks for the columns of a query alone (function 98)."""
    described = [column_description(column, position, dialect) for position, column in enumerate(columns, 1)]
    return u8(PARAMETER) + ub(len(columns)) + b"".join(described)


def describe(columns: Sequence[Column], dialect: Dialect) -> bytes:
    return bytes((DESCRIBE, 0)) + describe_body(columns, dialect)


def _characters(datatype: DataType) -> int:
    """The length of a VARCHAR2 or CHAR as it was declared, in characters or bytes; 0 for other types."""
    if datatype.type not in (OracleType.VARCHAR2, OracleType.CHAR):
        return 0
    return (
        datatype.size if datatype.in_bytes else max((datatype.size or _LOB_BUFFER) // BYTES_OF_CHARACTER, 1)
    )


def column_description(column: Column, position: int, dialect: Dialect) -> bytes:
    """One column of a description."""
    datatype = column.datatype
    kind = datatype.type
    textual = kind in _CHARACTER_TYPES
    name = column.name.encode()
    size = datatype.size or _LOB_BUFFER
    precision, scale = datatype.precision, datatype.scale
    return b"".join(
        (
            bytes((kind, 0, precision & 0xFF)),
            sb(scale) if dialect.universal_scale and kind in SCALED else u8(scale & 0xFF),
            ub(size),
            ub(0),
            ub(0),
            ub(0),
            ub(0),
            ub((NATIONAL_CHARSET if datatype.national else CHARSET) if textual else 0),
            u8((2 if datatype.national else 1) if textual else 0),
            ub(_characters(datatype)),
            u8(int(column.nullable)),
            u8(min(len(name), 255)),
            lv2(name),
            b"\0",
            b"\0",
            ub(position),
            ub(_IS_JSON if column.is_json else 0),
        )
    )


def row_header(columns: int, rows: int) -> bytes:
    """What stands before the rows of one answer."""
    high, low = divmod(columns, 256)
    return bytes((ROW_HEADER, 0)) + ub(low) + ub(high) + ub(rows) + b"\0\0\0"


def io_vector(directions: Sequence[int]) -> bytes:
    """Which binds of a block are IN, OUT, IN OUT."""
    high, low = divmod(len(directions), 256)
    return u8(IO_VECTOR) + b"\0" + ub(low) + ub(high) + ub(1) + ub(0) + ub(0) + ub(0) + bytes(directions)


def parameters(cursor: int, changes: Mapping[Keyword, str], counts: Iterable[int] | None = None) -> bytes:
    """The PARAMETER record of every execution: JDBC takes the cursor's number from here.

    `changes`: properties of the session, by keyword number; `counts`: of arraydmlrowcounts.
    """
    pairs = [
        ub(len(value)) + lv(value) + ub(0) + ub(keyword)
        for keyword, value in ((keyword, text.encode()) for keyword, text in changes.items())
    ]
    record = b"".join(
        (u8(PARAMETER), ub(6), b"\0\0", ub(cursor), b"\0\0\0", ub(0), ub(len(pairs)), *pairs, ub(0))
    )
    if counts is None:
        return record
    values = list(counts)
    return record + ub(len(values)) + b"".join(map(ub, values))
