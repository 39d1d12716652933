"""The locators that a session has handed out, and the fetched LOB values that wait behind them."""

from __future__ import annotations

import os
import tempfile
from typing import BinaryIO, NamedTuple

from localoracle.errors import OracleError
from localoracle.lobs.lob import FileLob, Lob, RowLob
from localoracle.values import OracleType

SESSION_MEMORY = 64 << 20
"""Bytes (characters) of fetched LOB values that one session keeps in memory; the rest is spilled to disk."""
LOCATOR_LENGTH = 40
_INITIALIZED = 0x08
_NATIONAL_FORM = 0x40
"""The form of its character set: JDBC makes a java.sql.NClob of it."""
_NATIONAL = 0x80
"""Its characters travel as UTF-16."""
_TEMPORARY = 0x01
"""Makes a client report that it dropped the locator."""
_FILE_LOCATOR_HEAD = bytes((0, 38, 0, 1, 0, 0, 0, 0))
"""A BFILE's: the directory's and the file's name follow byte 16; it is not reported when dropped."""


class RowAddress(NamedTuple):
    """Where a LOB is stored: PostgreSQL's OID of the table, the column's name, the row's place."""

    relation: int
    column: str
    ctid: str


class ValueLob(Lob):
    """The value of a LOB column as a query read it: immutable, consistent with the query's snapshot."""

    def __init__(
        self,
        kind: OracleType,
        data: bytes | str,
        national: bool = False,
        address: RowAddress | None = None,
    ) -> None:
        super().__init__(kind, national)
        self._data: bytes | str = data
        self.address = address

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
        self.address = source.address
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


class Locators:
    """The locators that one session has handed out."""

    def __init__(self) -> None:
        self._lobs: dict[int, Lob] = {}
        self._next = 1
        self._memory = 0
        self._spilled = 0
        self._unstored: list[RowLob] = []
        """Written LOBs of rows whose locators the client has freed before they were stored."""
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
        kind = 0x01 if lob.kind is OracleType.BLOB else 0x02
        form, national = (_NATIONAL_FORM, _NATIONAL) if lob.national else (0, 0)
        head = bytes((0, LOCATOR_LENGTH - 2, 0, 1, kind, _INITIALIZED | form, national, _TEMPORARY))
        return head + number.to_bytes(8, "big") + bytes(LOCATOR_LENGTH - 16)

    def find(self, locator: bytes) -> Lob | None:
        """The LOB behind a locator, None when there is none."""
        return self._lobs.get(int.from_bytes(locator[8:16], "big"))

    def get(self, locator: bytes) -> Lob:
        lob = self.find(locator)
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
        elif isinstance(lob, RowLob) and lob.dirty:
            self._unstored.append(lob)
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
        self._unstored = [lob for lob in self._unstored if lob.dirty]
        held = [lob for lob in self._lobs.values() if isinstance(lob, RowLob) and lob.dirty]
        return list({id(lob): lob for lob in (*self._unstored, *held)}.values())

    def clear(self) -> None:
        """Give everything back: memory, temporary files."""
        for lob in self._lobs.values():
            lob.close()
        self._lobs.clear()
        self._unstored.clear()
        self._memory = self._spilled = 0
        if self._spill is not None:
            self._spill.close()
            self._spill = None

    def __len__(self) -> int:
        return len(self._lobs)
