"""Rows of a query at the other end of a link, as PostgreSQL's text COPY wants them.

LOBs are read piece by piece and passed on at once: no more than a piece of one is in memory here.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Sequence
from typing import Any

import oracledb

from localoracle.datapump.errors import stack
from localoracle.errors import not_supported
from localoracle.postgres import time_zones

Send = Callable[[memoryview], None]

_ROWS, _ROWS_WITH_LOBS = 500, 40
_BLOCK = 1 << 18
LOB_PIECE = 1 << 19
"""Bytes of a BLOB or characters of a CLOB that are read at once."""
_MICROSECOND = datetime.timedelta(microseconds=1)
_ESCAPES = str.maketrans({"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"})
_LOBS = ("BLOB", "CLOB", "NCLOB")
_PLAIN = ("NUMBER", "FLOAT", "BINARY_FLOAT", "BINARY_DOUBLE", "VARCHAR2", "NVARCHAR2", "CHAR", "NCHAR", "RAW",
          "ROWID", "UROWID", "INTERVAL YEAR TO MONTH", "INTERVAL DAY TO SECOND", *_LOBS)  # fmt: skip
_MOMENT = "SYYYY-MM-DD HH24:MI:SS"
_DATES = {
    "DATE": f"TO_CHAR(%s, '{_MOMENT}')",
    "TIMESTAMP": f"TO_CHAR(%s, '{_MOMENT}.FF6')",
    "TIMESTAMP WITH TIME ZONE": f"TO_CHAR(%s, '{_MOMENT}.FF6 TZR')",
    # The session's time zone is UTC.
    "TIMESTAMP WITH LOCAL TIME ZONE": f"TO_CHAR(%s, '{_MOMENT}.FF6') || ' +00:00'",
}


def base_type(kind: str) -> str:
    """TIMESTAMP(6) WITH TIME ZONE without its digits."""
    return re.sub(r"\(\d+\)", "", kind)


def expression(column: str, kind: str, title: str) -> str:
    """What stands in the select list for a column. Raises ORA-31679 for LONG, ORA-03001 for other types."""
    kind = base_type(kind)
    if kind in ("LONG", "LONG RAW"):
        raise stack((31679, title))
    if kind in _DATES:
        return _DATES[kind] % column
    if kind not in _PLAIN:
        raise not_supported(f"columns of type {kind} over a database link")
    return column


def send_rows(connection: oracledb.Connection, statement: str, kinds: Sequence[str], send: Send) -> int:
    """Run the query and send every row; how many there were. Blocks."""
    kinds = [base_type(kind) for kind in kinds]
    rows = 0
    block = bytearray()
    with connection.cursor() as cursor:
        with_lobs = any(kind in _LOBS for kind in kinds)
        cursor.arraysize = cursor.prefetchrows = _ROWS_WITH_LOBS if with_lobs else _ROWS
        cursor.outputtypehandler = _numbers_as_text
        cursor.execute(statement)
        for row in cursor:
            for place, (value, kind) in enumerate(zip(row, kinds, strict=True)):
                if place:
                    block += b"\t"
                if isinstance(value, oracledb.LOB):
                    _send_lob(value, block, send)
                else:
                    block += b"\\N" if value is None else _text(value, kind).encode()
            block += b"\n"
            rows += 1
            if len(block) >= _BLOCK:
                send(memoryview(bytes(block)))
                block.clear()
    if block:
        send(memoryview(bytes(block)))
    return rows


def _send_lob(lob: oracledb.LOB, block: bytearray, send: Send) -> None:
    """Append a LOB to the block, sending it on whenever it is full."""
    binary = lob.type is oracledb.DB_TYPE_BLOB
    if binary:
        block += b"\\\\x"
    length = lob.size()
    for offset in range(1, length + 1, LOB_PIECE):
        piece = lob.read(offset, LOB_PIECE)
        block += piece.hex().encode() if isinstance(piece, bytes) else piece.translate(_ESCAPES).encode()
        if len(block) >= _BLOCK:
            send(memoryview(bytes(block)))
            block.clear()


def _text(value: Any, kind: str) -> str:
    if isinstance(value, str):
        if kind == "TIMESTAMP WITH TIME ZONE":
            return "\\\\x" + time_zones.stored(_zoned(value)).hex()
        if kind in _DATES:
            return _moment(value)
        return value.translate(_ESCAPES)
    if isinstance(value, bytes):
        return "\\\\x" + value.hex()
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, datetime.timedelta):
        return str(value // _MICROSECOND)
    if isinstance(value, oracledb.IntervalYM):
        return str(value.years * 12 + value.months)
    raise not_supported(f"columns of type {kind} over a database link")


def _zoned(text: str) -> datetime.datetime:
    """A local time and its offset; regions and years that Python does not have are ORA-03001."""
    try:
        return datetime.datetime.strptime(text.strip(), "%Y-%m-%d %H:%M:%S.%f %z")
    except ValueError:
        raise not_supported(f"the TIMESTAMP WITH TIME ZONE {text.strip()} over a database link") from None


def _moment(text: str) -> str:
    """A year with its sign, as PostgreSQL reads it."""
    text = text.strip()
    if not text.startswith("-"):
        return text
    day, time, *zone = text[1:].split(" ")
    return " ".join([day, time, *zone, "BC"])


def _numbers_as_text(cursor: oracledb.Cursor, metadata: oracledb.FetchInfo) -> Any:
    if metadata.type_code is oracledb.DB_TYPE_NUMBER:
        return cursor.var(oracledb.DB_TYPE_VARCHAR, arraysize=cursor.arraysize)
    return None
