"""LOB values behind locators: in memory, spooled to disk, or in a file of the operating system."""

from __future__ import annotations

import os
import tempfile
from abc import ABC, abstractmethod
from pathlib import Path
from typing import BinaryIO

from localoracle.errors import OracleError
from localoracle.values import OracleType

MEMORY_LIMIT = 1 << 20
"""Bytes that one LOB may hold in memory before it is moved to a temporary file."""

SESSION_MEMORY = 64 << 20
"""Bytes (characters) of fetched LOB values that one session keeps in memory; the rest is spilled to disk."""
LOCATOR_LENGTH = 40
_LOCATOR_HEAD = bytes((0, 38, 0, 1, 0x40, 0, 0, 0x01))
"""Byte 4 bit 0x40 and byte 7 bit 0x01 make the driver report that it dropped the locator."""
_FILE_LOCATOR_HEAD = bytes((0, 38, 0, 1, 0, 0, 0, 0))
"""A BFILE's: the directory's and the file's name follow byte 16; it is not reported when dropped."""


class Lob(ABC):
    """A large object. Offsets are 1-based; offsets and amounts count bytes, for CLOBs characters."""

    kind: OracleType
    national: bool = False

    def __init__(self, kind: OracleType, national: bool = False) -> None:
        self.kind = kind
        self.national = national
        self.opened = False

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
        self._file = tempfile.SpooledTemporaryFile(max_size=MEMORY_LIMIT)  # noqa: SIM115
        self._length = 0
        if data:
            self._put(0, data)

    def _put(self, start: int, data: bytes | str) -> None:
        raw = data.encode("utf-32-le") if isinstance(data, str) else data
        if start > self._length:
            self._file.seek(self._length * self._width)
            filler = b" \0\0\0" if self.is_text else b"\0"
            self._file.write(filler * (start - self._length))
        self._file.seek(start * self._width)
        self._file.write(raw)
        self._length = max(self._length, start + len(raw) // self._width)

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
            raise OracleError(932, f"inconsistent datatypes: expected {'CLOB' if self.is_text else 'BLOB'}")
        self._put(offset - 1, data)

    async def trim(self, length: int) -> None:
        if length > self._length or length < 0:
            raise OracleError(22926, "specified trim length is greater than current LOB value's length")
        self._file.seek(length * self._width)
        self._file.truncate()
        self._length = length

    def close(self) -> None:
        self._file.close()


class ValueLob(Lob):
    """The value of a LOB column as a query read it: immutable, consistent with the query's snapshot."""

    def __init__(self, kind: OracleType, data: bytes | str, national: bool = False) -> None:
        super().__init__(kind, national)
        self._data: bytes | str = data

    @property
    def content(self) -> bytes | str:
        return self._data

    async def size(self) -> int:
        return len(self._data)

    def length(self) -> int:
        return len(self._data)

    async def read(self, offset: int = 1, amount: int | None = None) -> bytes | str:
        if offset == 1 and (amount is None or amount >= len(self._data)):
            return self._data
        if offset < 1 or (amount is not None and amount < 0):
            raise OracleError(21560, "argument 3 is null, invalid, or out of range")
        end = None if amount is None else offset - 1 + amount
        return self._data[offset - 1 : end]

    async def write(self, offset: int, data: bytes | str) -> None:
        raise OracleError(22920, "row containing the LOB value is not locked")

    async def trim(self, length: int) -> None:
        raise OracleError(22920, "row containing the LOB value is not locked")


class SpilledLob(Lob):
    """A column's value that waits in the session's spill file until the client reads it."""

    def __init__(self, source: ValueLob, data: bytes | str, file: BinaryIO) -> None:
        super().__init__(source.kind, source.national)
        raw = data.encode("utf-32-le") if isinstance(data, str) else data
        self._width = 4 if self.is_text else 1
        self._start = file.seek(0, os.SEEK_END)
        file.write(raw)
        file.flush()
        self._file = file
        self._length = len(raw) // self._width

    async def size(self) -> int:
        return self._length

    async def read(self, offset: int = 1, amount: int | None = None) -> bytes | str:
        if offset < 1 or (amount is not None and amount < 0):
            raise OracleError(21560, "argument 3 is null, invalid, or out of range")
        available = max(self._length - offset + 1, 0)
        count = available if amount is None else min(amount, available)
        raw = os.pread(self._file.fileno(), count * self._width, self._start + (offset - 1) * self._width)
        return raw.decode("utf-32-le") if self.is_text else raw

    async def write(self, offset: int, data: bytes | str) -> None:
        raise OracleError(22920, "row containing the LOB value is not locked")

    async def trim(self, length: int) -> None:
        raise OracleError(22920, "row containing the LOB value is not locked")


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
        descriptor = self._open(os.O_RDONLY)
        try:
            count = os.fstat(descriptor).st_size if amount is None else amount
            return os.pread(descriptor, count, offset - 1)
        finally:
            os.close(descriptor)

    async def write(self, offset: int, data: bytes | str) -> None:
        if not self.writable:
            raise OracleError(22275, "invalid LOB locator specified")
        if isinstance(data, str):
            raise OracleError(932, "inconsistent datatypes: expected BLOB")
        descriptor = self._open(os.O_WRONLY | os.O_CREAT)
        try:
            done = 0
            view = memoryview(data)
            while done < len(data):
                done += os.pwrite(descriptor, view[done:], offset - 1 + done)
        finally:
            os.close(descriptor)

    async def trim(self, length: int) -> None:
        if not self.writable:
            raise OracleError(22275, "invalid LOB locator specified")
        descriptor = self._open(os.O_WRONLY)
        try:
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

    async def trim(self, length: int) -> None:
        await super().trim(length)
        self.dirty = True


class Locators:
    """The locators that one session has handed out."""

    def __init__(self) -> None:
        self._lobs: dict[int, Lob] = {}
        self._next = 1
        self._memory = 0
        self._spilled = 0
        self._spill: BinaryIO | None = None

    def add(self, lob: Lob) -> bytes:
        """A new locator for `lob`; each locator is freed on its own."""
        number = self._next
        self._next += 1
        if isinstance(lob, ValueLob):
            lob = self._held(lob)
        self._lobs[number] = lob
        if isinstance(lob, FileLob) and lob.kind is OracleType.BFILE:
            names = b"".join(
                len(name).to_bytes(2, "big") + name for name in (lob.directory.encode(), lob.name.encode())
            )
            return _FILE_LOCATOR_HEAD + number.to_bytes(8, "big") + names
        return _LOCATOR_HEAD + number.to_bytes(8, "big") + bytes(LOCATOR_LENGTH - 16)

    def get(self, locator: bytes) -> Lob:
        lob = self._lobs.get(int.from_bytes(locator[8:16], "big"))
        if lob is None:
            raise OracleError(22275, "invalid LOB locator specified")
        return lob

    def renamed(self, locator: bytes) -> tuple[str, str] | None:
        """(directory, file name) that a client wrote into a BFILE's locator; None when it did not."""
        lob = self.get(locator)
        if lob.kind is not OracleType.BFILE or not isinstance(lob, FileLob) or len(locator) < 20:
            return None
        end = 18 + int.from_bytes(locator[16:18], "big")
        names = locator[18:end].decode(), locator[end + 2 :].decode()
        return None if names == (lob.directory, lob.name) else names

    def replace(self, locator: bytes, lob: Lob) -> None:
        """Let a locator stand for another LOB."""
        self._lobs[int.from_bytes(locator[8:16], "big")] = lob

    def free(self, locator: bytes) -> None:
        """Forget a locator; unknown ones are ignored, as the client may report one twice."""
        lob = self._lobs.pop(int.from_bytes(locator[8:16], "big"), None)
        if isinstance(lob, ValueLob):
            self._memory -= lob.length()
        elif isinstance(lob, SpilledLob):
            self._spilled -= 1
            if not self._spilled and self._spill is not None:
                self._spill.truncate(0)

    def _held(self, lob: ValueLob) -> Lob:
        """The value in memory, or in the spill file when a fetch brought more than SESSION_MEMORY."""
        if self._memory + lob.length() <= SESSION_MEMORY:
            self._memory += lob.length()
            return lob
        if self._spill is None:
            self._spill = tempfile.TemporaryFile()  # noqa: SIM115
        self._spilled += 1
        return SpilledLob(lob, lob.content, self._spill)

    def dirty_rows(self) -> list[RowLob]:
        """LOBs of locked rows with writes that the row does not hold yet, each once."""
        return list(
            {id(lob): lob for lob in self._lobs.values() if isinstance(lob, RowLob) and lob.dirty}.values()
        )

    def clear(self) -> None:
        self._lobs.clear()
        self._memory = self._spilled = 0
        if self._spill is not None:
            self._spill.close()
            self._spill = None

    def __len__(self) -> int:
        return len(self._lobs)
