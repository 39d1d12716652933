"""Integers, byte strings and names as TTC writes them; reading copes with requests that arrive in pieces."""

from __future__ import annotations

from functools import cache

from localoracle.wire.dialect import Dialect

_SMALL = tuple(bytes((number,)) for number in range(256))
_UB_SMALL = (b"\0", *(bytes((1, number)) for number in range(1, 256)))
SHORT_LENGTH = 252
"""Longest byte string that is written with a one-byte length."""
_LONG = 254
CHUNK = 32_767
"""Bytes of the largest chunk of a longer one: JDBC has room for no more."""
_WIDEST = 8
"""Bytes of the widest integer (ub8)."""


class NeedMore(Exception):
    """The request goes on in a packet that has not arrived."""


class Malformed(Exception):
    """Bytes that no client sends: a length that cannot be one."""


def u8(value: int) -> bytes:
    return _SMALL[value]


def ub(value: int) -> bytes:
    """An unsigned integer (ub2, ub4, ub8): length byte, then big-endian bytes."""
    if value < 256:
        return _UB_SMALL[value]
    length = (value.bit_length() + 7) // 8
    return _SMALL[length] + value.to_bytes(length, "big")


def sb(value: int) -> bytes:
    """A signed integer: bit 0x80 of the length byte is the sign."""
    if value >= 0:
        return ub(value)
    raw = ub(-value)
    return _SMALL[raw[0] | 0x80] + raw[1:]


def lv(data: bytes | None) -> bytes:
    """A byte string with its length; None and b"" are the same null."""
    if not data:
        return b"\0"
    length = len(data)
    if length <= SHORT_LENGTH:
        return _SMALL[length] + data
    pieces = [b"\xfe"]
    for start in range(0, length, CHUNK):
        piece = data[start : start + CHUNK]
        pieces += ub(len(piece)), piece
    return b"".join((*pieces, b"\0"))


def lv2(data: bytes | None) -> bytes:
    """A byte string behind two lengths: keys, names, locators."""
    if not data:
        return b"\0"
    return ub(len(data)) + lv(data)


def text2(value: str) -> bytes:
    return lv2(value.encode())


@cache
def _sizes(layout: str) -> tuple[int, ...]:
    """The bytes of each field, 0 for an integer."""
    return tuple(0 if part == "u" else int(part) for part in layout.split())


class Reader:
    """The bytes of one request that have arrived. Reading past them raises NeedMore, nonsense Malformed.

    The caller remembers `position` before a unit and goes back to it, except within `long_value`,
    which keeps the chunks that it has got.
    """

    def __init__(self) -> None:
        self.data = b""
        self.position = 0
        self._arrived: list[bytes] = []
        self._chunks: list[memoryview] | None = None
        self._chunk_bytes = 0
        self.dialect = Dialect()

    def feed(self, data: bytes) -> None:
        self._arrived.append(data)

    def collect(self) -> bool:
        """Take over what has arrived since; False when nothing has."""
        if not self._arrived:
            return False
        self.data = b"".join((self.data[self.position :], *self._arrived))
        self.position = 0
        self._arrived.clear()
        return True

    def clear(self) -> None:
        self.data, self.position, self._chunks = b"", 0, None
        self._arrived.clear()

    @property
    def held(self) -> int:
        """Bytes of an unfinished request that are kept."""
        return len(self.data) + (self._chunk_bytes if self._chunks is not None else 0)

    @property
    def exhausted(self) -> bool:
        return self.position >= len(self.data) and not self._arrived

    def u8(self) -> int:
        position = self.position
        if position >= len(self.data):
            raise NeedMore
        self.position = position + 1
        return self.data[position]

    def raw(self, count: int) -> bytes:
        start = self.position
        self.skip(count)
        return self.data[start : self.position]

    def pass_over(self, layout: str) -> None:
        """Fields that mean nothing here: "1 u" is one byte and an integer behind its length."""
        for size in _sizes(layout):
            if size:
                self.skip(size)
            else:
                self.ub()

    def skip(self, count: int) -> None:
        if count < 0:
            raise Malformed("negative length")
        end = self.position + count
        if end > len(self.data):
            raise NeedMore
        self.position = end

    def u16(self) -> int:
        return int.from_bytes(self.raw(2), "big")

    def ub(self) -> int:
        length = self.u8()
        if not length:
            return 0
        if length & 0x7F > _WIDEST:
            raise Malformed(f"an integer of {length & 0x7F} bytes")
        value = int.from_bytes(self.raw(length & 0x7F), "big")
        return -value if length & 0x80 else value

    def lv(self) -> bytes | None:
        """A byte string; None for null."""
        length = self.u8()
        if length <= SHORT_LENGTH:
            return self.raw(length) if length else None
        if length != _LONG:
            return None
        chunks = []
        while count := self.ub():
            chunks.append(self.raw(count))
        return b"".join(chunks)

    def announced(self, length: int) -> bytes:
        """A text whose length was said before."""
        return self.raw(length) if self.dialect.announced_texts else self.lv() or b""

    def long_value(self) -> bytes | None:
        """Like lv; after NeedMore a repeated call goes on with the chunk that was missing."""
        if self._chunks is None:
            start = self.position
            length = self.u8()
            if length <= SHORT_LENGTH:
                try:
                    return self.raw(length) if length else None
                except NeedMore:
                    self.position = start
                    raise
            if length != _LONG:
                return None
            self._chunks = []
            self._chunk_bytes = 0
        while True:
            start = self.position
            try:
                count = self.ub()
                if not count:
                    break
                self._chunks.append(self._view(count))
                self._chunk_bytes += count
            except NeedMore:
                self.position = start
                raise
        value, self._chunks = b"".join(self._chunks), None
        return value

    def take_chunks(self) -> list[memoryview]:
        """The chunks of an unfinished long value that have arrived; `long_value` then gives what follows."""
        taken = self._chunks or []
        if taken:
            self._chunks, self._chunk_bytes = [], 0
        return taken

    def _view(self, count: int) -> memoryview:
        """Like raw, without a copy."""
        start = self.position
        self.skip(count)
        return memoryview(self.data)[start : self.position]

    @property
    def inside_long_value(self) -> bool:
        return self._chunks is not None

    def lv2(self) -> bytes:
        return (self.lv() or b"") if self.ub() else b""

    def text2(self) -> str:
        return self.lv2().decode()
