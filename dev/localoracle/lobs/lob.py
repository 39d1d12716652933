"""LOBs that can be written: temporary ones, those of locked rows, files of the operating system."""

from __future__ import annotations

import os
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Sequence
from io import BytesIO, FileIO
from pathlib import Path

from localoracle.errors import OracleError, not_supported
from localoracle.values import OracleType

MEMORY_LIMIT = 1 << 20
"""Bytes that one LOB may hold in memory before it is moved to a temporary file."""
MAXIMUM_LENGTH = (1 << 30) - 1
"""Bytes (characters) of a LOB that is to become a column's value: PostgreSQL has no longer ones."""
_GAP = 1 << 20
_CHUNKS_AT_ONCE = 512
"""Buffers of one system call; Linux takes 1024."""


class Lob(ABC):
    """A large object. Offsets are 1-based; offsets and amounts count bytes, for CLOBs characters."""

    kind: OracleType
    national: bool = False

    def __init__(self, kind: OracleType, national: bool = False) -> None:
        self.kind = kind
        self.national = national
        self.opened = False
        self.narrow_size = -1
        """The size at which a CLOB was seen to have no character of two UTF-16 units."""

    @property
    def is_text(self) -> bool:
        return self.kind is OracleType.CLOB

    @property
    def empty(self) -> bytes | str:
        return "" if self.is_text else b""

    @abstractmethod
    async def size(self) -> int: ...

    @abstractmethod
    async def read(self, offset: int = 1, amount: int | None = None) -> bytes | str:
        """The piece from `offset`, shorter (or empty) at the end of the value; all of it without amount."""

    async def write(self, offset: int, data: bytes | str) -> None:
        """Overwrite or extend; a gap before `offset` is filled with spaces (CLOB) or zero bytes."""
        raise OracleError(22275, "invalid LOB locator specified")

    async def trim(self, length: int) -> None:
        raise OracleError(22275, "invalid LOB locator specified")

    def readable(self) -> int | None:
        """A descriptor, to be closed by the caller, of a file with the LOB's bytes; None without one."""
        return None

    def close(self) -> None:
        """Give back memory and temporary files."""
        return None


class TemporaryLob(Lob):
    """A writable LOB of one session: memory first, a temporary file beyond MEMORY_LIMIT.

    Characters are kept four bytes wide, so that every offset is found without reading what is before.
    """

    def __init__(self, kind: OracleType, national: bool = False, data: bytes | str | None = None) -> None:
        super().__init__(kind, national)
        self._width = 4 if self.is_text else 1
        self._file: BytesIO | FileIO = BytesIO()
        self._length = 0
        if data:
            self._put(0, data)

    def _put(self, start: int, data: bytes | str) -> None:
        raw = data.encode("utf-32-le") if isinstance(data, str) else data
        if start + len(raw) // self._width > MAXIMUM_LENGTH:
            raise not_supported(f"a LOB longer than {MAXIMUM_LENGTH}")
        self._make_room(start + len(raw) // self._width)
        if start > self._length:
            filler = b" \0\0\0" if self.is_text else b"\0"
            for begin in range(self._length, start, _GAP):
                self._write(begin, filler * min(_GAP, start - begin))
        self._write(start, raw)
        self._length = max(self._length, start + len(raw) // self._width)

    def _write(self, start: int, raw: bytes) -> None:
        self._file.seek(start * self._width)
        view = memoryview(raw)
        while view:
            view = view[self._file.write(view) :]

    def _make_room(self, length: int) -> None:
        """Move to a temporary file what would take too much memory."""
        if length * self._width > MEMORY_LIMIT and isinstance(self._file, BytesIO):
            held = self._file.getvalue()
            self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115
            self._write(0, held)

    def readable(self) -> int | None:
        if self.is_text or isinstance(self._file, BytesIO):
            return None
        return os.dup(self._file.fileno())

    def writable(self, start: int, count: int) -> int | None:
        """A descriptor, to be closed by the caller, that `count` bytes from `start` may be written to.

        None where they are kept in memory, or there would be a gap. `wrote` tells what was written.
        """
        if self.is_text or start > self._length:
            return None
        if start + count > MAXIMUM_LENGTH:
            raise not_supported(f"a LOB longer than {MAXIMUM_LENGTH}")
        self._make_room(start + count)
        return None if isinstance(self._file, BytesIO) else os.dup(self._file.fileno())

    def wrote(self, end: int) -> None:
        self._length = max(self._length, end)

    async def size(self) -> int:
        return self._length

    async def read(self, offset: int = 1, amount: int | None = None) -> bytes | str:
        if offset < 1 or (amount is not None and amount < 0):
            raise OracleError(21560, "argument 3 is null, invalid, or out of range")
        start = offset - 1
        available = max(self._length - start, 0)
        count = available if amount is None else min(amount, available)
        self._file.seek(start * self._width)
        raw = self._file.read(count * self._width)
        return raw.decode("utf-32-le") if self.is_text else raw

    async def write(self, offset: int, data: bytes | str) -> None:
        if offset < 1:
            raise OracleError(21560, "argument 3 is null, invalid, or out of range")
        if isinstance(data, str) is not self.is_text:
            kinds = ("CLOB", "BLOB") if self.is_text else ("BLOB", "CLOB")
            raise OracleError(932, f"inconsistent datatypes: expected {kinds[0]} got {kinds[1]}")
        self._put(offset - 1, data)

    async def trim(self, length: int) -> None:
        if length > self._length or length < 0:
            raise OracleError(22926, "specified trim length is greater than current LOB value's length")
        self._file.seek(length * self._width)
        self._file.truncate()
        self._length = length

    def close(self) -> None:
        self._file.close()


class FileLob(Lob):
    """A file of the operating system: a BFILE (read only), or a BLOB of a DBFS store (writable)."""

    def __init__(self, path: Path, *, writable: bool = False, directory: str = "", name: str = "") -> None:
        """`directory` and `name` are the directory object and file name of a BFILE."""
        super().__init__(OracleType.BLOB if writable else OracleType.BFILE)
        self.path = path
        self.writable = writable
        self.directory = directory
        self.name = name or path.name

    def exists(self) -> bool:
        return self.path.is_file()

    def _open(self, flags: int) -> int:
        try:
            return os.open(self.path, flags | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise OracleError(22288, f"file or LOB operation FILEOPEN failed\n{error.strerror}") from error

    async def size(self) -> int:
        try:
            return self.path.stat().st_size
        except OSError as error:
            raise OracleError(22288, f"file or LOB operation GETLENGTH failed\n{error.strerror}") from error

    async def read(self, offset: int = 1, amount: int | None = None) -> bytes | str:
        if offset < 1 or (amount is not None and amount < 0):
            raise OracleError(21560, "argument 3 is null, invalid, or out of range")
        descriptor = self._open(os.O_RDONLY)
        try:
            available = max(os.fstat(descriptor).st_size - offset + 1, 0)
            count = available if amount is None else min(amount, available)
            return os.pread(descriptor, count, offset - 1) if count else b""
        finally:
            os.close(descriptor)

    async def write(self, offset: int, data: bytes | str) -> None:
        if isinstance(data, str):
            raise OracleError(932, "inconsistent datatypes: expected BLOB got CLOB")
        self.write_chunks(offset, [memoryview(data)])

    def write_chunks(self, offset: int, chunks: Sequence[memoryview]) -> None:
        """Bytes in several pieces, one after the other from `offset` on."""
        if not self.writable:
            raise OracleError(22275, "invalid LOB locator specified")
        if offset < 1:
            raise OracleError(21560, "argument 3 is null, invalid, or out of range")
        descriptor = self._open(os.O_WRONLY | os.O_CREAT)
        try:
            place = offset - 1
            for first in range(0, len(chunks), _CHUNKS_AT_ONCE):
                some = list(chunks[first : first + _CHUNKS_AT_ONCE])
                while some:
                    count = os.pwritev(descriptor, some, place)
                    place += count
                    while some and count >= len(some[0]):
                        count -= len(some.pop(0))
                    if some:
                        some[0] = some[0][count:]
        except (OSError, OverflowError) as error:
            raise self.write_failed(error) from error
        finally:
            os.close(descriptor)

    def write_failed(self, error: OSError | OverflowError) -> OracleError:
        return OracleError(22288, f"file or LOB operation WRITE failed\n{error}")

    def readable(self) -> int:
        return self._open(os.O_RDONLY)

    async def trim(self, length: int) -> None:
        if not self.writable:
            raise OracleError(22275, "invalid LOB locator specified")
        descriptor = self._open(os.O_WRONLY)
        try:
            if not 0 <= length <= os.fstat(descriptor).st_size:
                raise OracleError(22926, "specified trim length is greater than current LOB value's length")
            os.ftruncate(descriptor, length)
        finally:
            os.close(descriptor)


class RowLob(TemporaryLob):
    """The LOB of a locked row: writes are kept here and stored in the row before anything else happens.

    `relation` is PostgreSQL's OID of the table, `column` the quoted column name, `ctid` the row's place.
    """

    def __init__(
        self,
        kind: OracleType,
        data: bytes | str,
        *,
        relation: int,
        column: str,
        ctid: str,
        national: bool = False,
    ) -> None:
        super().__init__(kind, national, data)
        self.relation = relation
        self.column = column
        self.ctid = ctid
        self.dirty = False

    async def write(self, offset: int, data: bytes | str) -> None:
        await super().write(offset, data)
        self.dirty = True

    def wrote(self, end: int) -> None:
        super().wrote(end)
        self.dirty = True

    async def trim(self, length: int) -> None:
        await super().trim(length)
        self.dirty = True
