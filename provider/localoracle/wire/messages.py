"""Records that the server sends: end of call, descriptions, authentication pairs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from localoracle.errors import OracleError
from localoracle.values import Column, OracleType
from localoracle.wire.buffer import lv, lv2, sb, text2, u8, ub

PROTOCOL, DATA_TYPES, FUNCTION, ERROR, ROW_HEADER, ROW_DATA, PARAMETER, STATUS = 1, 2, 3, 4, 6, 7, 8, 9
IO_VECTOR, LOB_DATA, DESCRIBE, PIGGYBACK = 11, 14, 16, 17

CHARSET, NATIONAL_CHARSET = 873, 2000
TTC_FIELD_VERSION = 7
_TRANSACTION_OPEN = 0x2
NO_DATA_FOUND = 1403
BATCH_ERRORS = 24381
_NO_ROWID = b"\0\0\0\0\0"

ROW_HEADER_RECORD = b"\x06" + bytes(7)
_CHARACTER_TYPES = frozenset((OracleType.VARCHAR2, OracleType.CHAR, OracleType.LONG, OracleType.CLOB))
_LOB_BUFFER = 4000


def banner() -> bytes:
    return b"localoracle: a stand-in for development and tests"


def protocol_answer() -> bytes:
    """Protocol negotiation: TTC field version 7 (12.1), 32K strings, AL32UTF8."""
    compile_capabilities = bytearray(42)
    compile_capabilities[7] = TTC_FIELD_VERSION
    runtime_capabilities = bytes((0, 0, 0, 0, 0, 0, 0x04))
    national = bytes(9) + NATIONAL_CHARSET.to_bytes(2, "big")
    return (
        bytes((PROTOCOL, 6, 0))
        + banner()
        + b"\0"
        + CHARSET.to_bytes(2, "little")
        + b"\0"
        + b"\0\0"
        + len(national).to_bytes(2, "big")
        + national
        + lv(bytes(compile_capabilities))
        + lv(runtime_capabilities)
    )


def pairs_record(pairs: Sequence[tuple[str, str, int]]) -> bytes:
    """The answer to an authentication phase."""
    body = b"".join(text2(key) + text2(value) + ub(flags) for key, value, flags in pairs)
    return u8(PARAMETER) + ub(len(pairs)) + body


def status_record(in_transaction: bool) -> bytes:
    return u8(STATUS) + ub(_TRANSACTION_OPEN if in_transaction else 0) + ub(0)


def end_record(
    *,
    in_transaction: bool = False,
    cursor: int = 0,
    rowcount: int = 0,
    number: int = 0,
    text: str = "",
    position: int = 0,
    warning: int = 0,
    batch_errors: Sequence[tuple[int, OracleError]] = (),
    rowid: bytes = _NO_ROWID,
) -> bytes:
    """The ERROR record that ends every call, with `number` 0 when all went well.

    `batch_errors`: (row offset, error) of executemany with batcherrors.
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
            ub(_TRANSACTION_OPEN if in_transaction else 0),
            ub(0),
            ub(0),
            ub(number & 0xFFFF),
            ub(0),
            ub(0),
            ub(cursor),
            sb(position),
            b"\0\0\0\0\0",
            u8(warning),
            rowid,
            b"\0\0\0\0\0\0",
            batch,
            ub(number),
            ub(rowcount),
        )
    )
    return record + lv(text.encode()) if number else record


def error_record(error: OracleError, *, in_transaction: bool, cursor: int = 0, rowcount: int = 0) -> bytes:
    return end_record(
        in_transaction=in_transaction,
        cursor=cursor,
        rowcount=rowcount,
        number=error.code,
        text=str(error),
        position=error.position,
    )


def no_more_rows(*, in_transaction: bool, cursor: int, rowcount: int) -> bytes:
    return end_record(
        in_transaction=in_transaction,
        cursor=cursor,
        rowcount=rowcount,
        number=NO_DATA_FOUND,
        text="ORA-01403: no data found",
    )


def describe_body(columns: Sequence[Column]) -> bytes:
    """The columns of a query, from the maximum row size on (a REF CURSOR value starts here)."""
    parts = [ub(0), ub(len(columns))]
    if columns:
        parts.append(b"\0")
    parts += [_column(column, position) for position, column in enumerate(columns, 1)]
    parts.append(b"\0" * 6)
    return b"".join(parts)


def describe(columns: Sequence[Column]) -> bytes:
    return bytes((DESCRIBE, 0)) + describe_body(columns)


def _column(column: Column, position: int) -> bytes:
    datatype = column.datatype
    kind = datatype.type
    textual = kind in _CHARACTER_TYPES
    name = column.name.encode()
    size = datatype.size or _LOB_BUFFER
    precision, scale = datatype.precision, datatype.scale
    return b"".join(
        (
            bytes((kind, 0, precision & 0xFF, scale & 0xFF)),
            ub(size),
            ub(0),
            ub(0),
            ub(0),
            ub(0),
            ub((NATIONAL_CHARSET if datatype.national else CHARSET) if textual else 0),
            u8((2 if datatype.national else 1) if textual else 0),
            ub(max(size // 4, 1) if textual and kind in (OracleType.VARCHAR2, OracleType.CHAR) else size),
            u8(int(column.nullable)),
            u8(min(len(name), 255)),
            lv2(name),
            b"\0",
            b"\0",
            ub(position),
            ub(0),
        )
    )


def io_vector(directions: Sequence[int]) -> bytes:
    """Which binds of a block are IN, OUT, IN OUT."""
    high, low = divmod(len(directions), 256)
    return u8(IO_VECTOR) + b"\0" + ub(low) + ub(high) + ub(1) + ub(0) + ub(0) + ub(0) + bytes(directions)


def row_counts(counts: Iterable[int]) -> bytes:
    """The PARAMETER record of arraydmlrowcounts."""
    values = list(counts)
    return u8(PARAMETER) + b"\0\0\0\0" + ub(len(values)) + b"".join(ub(value) for value in values)
