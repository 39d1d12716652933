"""Decoder of PostgreSQL's logical replication messages.

Source: PostgreSQL documentation, "Logical Replication Message Formats", protocol version 1 (a transaction is
sent when it has been committed, one after the other). Values come as text.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

UNCHANGED = b"\0unchanged"
"""Stands for a large value that an update did not touch. No text of PostgreSQL holds a zero byte."""

Row = tuple[bytes | None, ...]


class ProtocolError(ValueError):
    """What was received is not a message of the protocol."""


@dataclass(frozen=True, slots=True)
class Begin:
    end: int
    """Log position of the commit record."""
    time: int
    """Microseconds since 2000-01-01."""
    transaction: int


@dataclass(frozen=True, slots=True)
class Commit:
    position: int
    end: int
    """Log position behind the commit record: what is confirmed to PostgreSQL."""
    time: int


@dataclass(frozen=True, slots=True)
class Relation:
    number: int
    schema: str
    name: str
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Insert:
    relation: int
    new: Row


@dataclass(frozen=True, slots=True)
class Update:
    relation: int
    old: Row | None
    new: Row


@dataclass(frozen=True, slots=True)
class Delete:
    relation: int
    old: Row


@dataclass(frozen=True, slots=True)
class Other:
    """Truncate, types, origins: of no interest here."""

    kind: str


Message = Begin | Commit | Relation | Insert | Update | Delete | Other

_BEGIN = struct.Struct(">QQI")
_COMMIT = struct.Struct(">BQQQ")
_RELATION_END = struct.Struct(">BH")
_UINT = struct.Struct(">I")
_INT = struct.Struct(">i")
_COUNT = struct.Struct(">H")
_COLUMN_TAIL = 8
_OTHER = {ord(kind): kind for kind in "TYOM"}


def decode(data: bytes) -> Message:
    """One message. Raises ProtocolError."""
    try:
        return _decode(data)
    except (struct.error, IndexError, ValueError) as error:
        if isinstance(error, ProtocolError):
            raise
        raise ProtocolError(f"message {data[:1]!r} of {len(data)} bytes is cut off or damaged") from error


def _decode(data: bytes) -> Message:
    kind = data[0]
    if kind == 0x49:  # I
        new, end = _row(data, 6, b"N", data[5])
        return _whole(Insert(_UINT.unpack_from(data, 1)[0], new), data, end)
    if kind == 0x55:  # U
        return _update(data)
    if kind == 0x44:  # D
        old, end = _row(data, 6, b"KO", data[5])
        return _whole(Delete(_UINT.unpack_from(data, 1)[0], old), data, end)
    if kind == 0x42:  # B
        end_position, time, transaction = _BEGIN.unpack_from(data, 1)
        return _whole(Begin(end_position, time, transaction), data, 1 + _BEGIN.size)
    if kind == 0x43:  # C
        _, position, end_position, time = _COMMIT.unpack_from(data, 1)
        return _whole(Commit(position, end_position, time), data, 1 + _COMMIT.size)
    if kind == 0x52:  # R
        return _relation(data)
    if kind in _OTHER:
        return Other(_OTHER[kind])
    raise ProtocolError(f"unknown message {data[:1]!r}")


def _whole(message: Message, data: bytes, end: int) -> Message:
    if end != len(data):
        raise ProtocolError(f"message {data[:1]!r}: {len(data)} bytes, {end} expected")
    return message


def _update(data: bytes) -> Message:
    old: Row | None = None
    place = 5
    if data[place] != 0x4E:
        old, place = _row(data, place + 1, b"KO", data[place])
    new, end = _row(data, place + 1, b"N", data[place])
    if old is not None and UNCHANGED in new:
        # The whole old row is known (REPLICA IDENTITY FULL), large values included.
        new = tuple(before if value is UNCHANGED else value for value, before in zip(new, old, strict=True))
    return _whole(Update(_UINT.unpack_from(data, 1)[0], old, new), data, end)


def _row(data: bytes, place: int, expected: bytes, tag: int) -> tuple[Row, int]:
    if tag not in expected:
        raise ProtocolError(f"row {tag!r} where one of {expected!r} is due")
    (count,) = _COUNT.unpack_from(data, place)
    place += 2
    values: list[bytes | None] = []
    for _ in range(count):
        kind = data[place]
        if kind == 0x74:  # t
            start = place + 5
            (length,) = _INT.unpack_from(data, place + 1)
            place = start + length
            if length < 0 or place > len(data):
                raise ProtocolError("a value longer than its message")
            values.append(data[start:place])
        elif kind == 0x6E:  # n
            values.append(None)
            place += 1
        elif kind == 0x75:  # u
            values.append(UNCHANGED)
            place += 1
        else:
            raise ProtocolError(f"value of kind {kind!r}")
    return tuple(values), place


def _relation(data: bytes) -> Message:
    (number,) = _UINT.unpack_from(data, 1)
    schema, place = _text(data, 5)
    name, place = _text(data, place)
    _, count = _RELATION_END.unpack_from(data, place)
    place += _RELATION_END.size
    columns = []
    for _ in range(count):
        column, place = _text(data, place + 1)
        columns.append(column)
        place += _COLUMN_TAIL
    return _whole(Relation(number, schema, name, tuple(columns)), data, place)


def _text(data: bytes, place: int) -> tuple[str, int]:
    end = data.index(b"\0", place)
    return data[place:end].decode(), end + 1
