"""The dump files of a running export: which are open, which is free for the next table."""

from __future__ import annotations

import asyncio
import errno
import os
import tempfile
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from localoracle.datapump import container, files
from localoracle.datapump.checksum import Checksum
from localoracle.datapump.definition import Definition, File
from localoracle.datapump.errors import stack
from localoracle.instance.creation import created_with

_UNLIMITED = 1 << 60


@dataclass
class OpenFile:
    """A dump file that one worker appends to; with a size limit `path` moves on to the next file."""

    path: Path
    specification: File

    def room(self) -> int:
        """Bytes that still fit."""
        if not self.specification.size_limit:
            return _UNLIMITED
        return self.specification.size_limit - files.DIRECTORY_RESERVE - self.path.stat().st_size

    @property
    def direct(self) -> bool:
        """Whether PostgreSQL itself can write what comes next."""
        return not self.specification.size_limit and self.path.stat().st_size == 0


class Appender:
    """What one worker writes: into its file, and into further numbers of a wildcard when that is full.

    `pieces` are the runs of bytes (path, offset, length, checksum). Calls block; a thread makes them.
    """

    def __init__(self, file: OpenFile, pool: FilePool) -> None:
        self._file = file
        self._pool = pool
        self.pieces: list[list[Any]] = []
        self._descriptor = -1
        self._start = self._length = self._room = 0
        self._checksum = Checksum()
        self._open()

    def write(self, data: memoryview) -> None:
        """Raises ORA-39095 when there is no more room, ORA-31641 when the next file exists already."""
        while data:
            if self._room <= 0:
                self.close()
                self._pool.advance(self._file)
                self._open()
            part = data[: self._room]
            try:
                count = os.write(self._descriptor, part)
            except OSError as error:
                if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
                    raise stack((39095, len(part))) from None
                raise stack((31641, self._file.path), (27040, error)) from None
            self._checksum.update(part[:count])
            self._room -= count
            self._length += count
            data = data[count:]

    def close(self) -> None:
        """No more into this file. May be called again."""
        if self._descriptor < 0:
            return
        os.close(self._descriptor)
        self._descriptor = -1
        if self._length:
            self.pieces.append([str(self._file.path), self._start, self._length, self._checksum.value()])

    def _open(self) -> None:
        self._descriptor = os.open(self._file.path, os.O_WRONLY | os.O_CLOEXEC)
        self._start = os.lseek(self._descriptor, 0, os.SEEK_END)
        self._room, self._length, self._checksum = self._file.room(), 0, Checksum()


class FilePool:
    """Hands each worker a file of its own.

    Files with a wildcard are made as needed, the others by ADD_FILE.
    """

    def __init__(self, definition: Definition) -> None:
        self._definition = definition
        self._free: list[OpenFile] = []
        self._returned = asyncio.Condition()
        specifications = definition.dump_files()
        self._templates = [item for item in specifications if files.wildcard(Path(item.path).name)]
        self._fixed = [item for item in specifications if item not in self._templates]
        folder = Path(specifications[0].path).parent if specifications else Path(tempfile.gettempdir())
        self.claims = files.Claims(folder, definition.guid)

    @property
    def limit(self) -> int | None:
        """How many workers can write at once; None: any number."""
        return None if self._templates else len(self._fixed)

    def open(self, written: dict[Path, int]) -> None:
        """Begin, or go on after a stop.

        `written` says how much of each file is good. Raises ORA-39095 without any file.
        """
        if not self._definition.dump_files():
            raise stack((39002,), (39095, 0))
        self.claims.open()
        for path in self.paths():
            if written.get(path):
                os.truncate(path, written[path])
            else:
                # A new one: a process left over from before may still write to the old one.
                container.create(path, reuse=True)
        for item in self._fixed:
            self._free.append(OpenFile(Path(item.path), item))
        for item in self._templates:
            self._free.extend(OpenFile(path, item) for path in self._claimed(item) if path.exists())

    def paths(self) -> list[Path]:
        """Every file of the set, in the order of their numbers in the set."""
        claimed = [path for item in self._templates for path in self._claimed(item)]
        return [Path(item.path) for item in self._fixed] + claimed

    async def acquire(self) -> OpenFile:
        """A file for one worker alone.

        Waits for one when all are in use. Raises ORA-39095 when all are full.
        """
        async with self._returned:
            while True:
                for file in self._free:
                    if not file.specification.size_limit or file.room() > 0:
                        self._free.remove(file)
                        return file
                if self._templates:
                    return self._make(self._templates)
                if len(self._free) == len(self._fixed):
                    raise stack((39095, container.HEADER_BYTES))
                await self._returned.wait()

    async def release(self, file: OpenFile) -> None:
        async with self._returned:
            self._free.append(file)
            self._returned.notify_all()

    def _make(self, templates: list[File]) -> OpenFile:
        for item in templates:
            kind = files.wildcard(Path(item.path).name) or "U"
            number = 1
            while number <= files.LIMITS[kind]:
                if self.claims.claim(self._claim_name(item, number)):
                    path = Path(files.numbered(item.path, number))
                    container.create(path, reuse=item.reuse)
                    return OpenFile(path, item)
                number += 1
        raise stack((39095, container.HEADER_BYTES))

    def header(self) -> container.Header:
        """The header of an unfinished file."""
        definition = self._definition
        return container.Header(
            definition.guid,
            0,
            f'"{definition.owner}"."{definition.name}"',
            f"{datetime.now():%Y-%m-%d %H:%M:%S}",
            character_set=created_with().character_set,
        )

    def advance(self, file: OpenFile) -> None:
        """Move a full file on to the next free number. Raises ORA-39095 without one. Any thread may call."""
        if not self._templates:
            raise stack((39095, container.HEADER_BYTES))
        item = file.specification if file.specification in self._templates else self._templates[0]
        following = self._make([item])
        file.path, file.specification = following.path, following.specification

    def _claim_name(self, item: File, number: int) -> str:
        return f"{self._templates.index(item)}_{number}"

    def _claimed(self, item: File) -> list[Path]:
        prefix = f"{self._templates.index(item)}_"
        numbers = sorted(int(name[len(prefix) :]) for name in self.claims.taken() if name.startswith(prefix))
        return [Path(files.numbered(item.path, number)) for number in numbers]
