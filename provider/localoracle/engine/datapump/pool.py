"""The dump files of a running export: which are open, which is free for the next table."""

from __future__ import annotations

import asyncio
import os
import tempfile
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from localoracle.engine.datapump import container, files
from localoracle.engine.datapump.definition import Definition, File
from localoracle.engine.datapump.errors import stack

_UNLIMITED = 1 << 60


@dataclass
class OpenFile:
    """A dump file that one worker appends to; with a size limit `path` moves on to the next file."""

    path: Path
    specification: File

    def room(self) -> int:
        """Bytes that still fit."""
        return self.specification.size_limit - files.DIRECTORY_RESERVE - self.path.stat().st_size

    def program(self, pool: FilePool, codec: str) -> tuple[str, Path | None]:
        """The shell command to COPY to, and the file in which it notes what it wrote where.

        None: all is in `path`.
        """
        if not self.specification.size_limit:
            return files.append_program(self.path, codec), None
        note = note_file()
        return pool.splitting_program(self, note, codec), note


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
            if path.exists():
                os.truncate(path, max(written.get(path, 0), container.HEADER_BYTES))
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
                    return self._make()
                if len(self._free) == len(self._fixed):
                    raise stack((39095, container.HEADER_BYTES))
                await self._returned.wait()

    async def release(self, file: OpenFile) -> None:
        async with self._returned:
            for item in self._templates:
                if file.path in self._claimed(item):
                    file.specification = item
            self._free.append(file)
            self._returned.notify_all()

    def _make(self) -> OpenFile:
        for item in self._templates:
            kind = files.wildcard(Path(item.path).name) or "U"
            number = 1
            while number <= files.LIMITS[kind]:
                if self.claims.claim(self._claim_name(item, number)):
                    path = Path(files.numbered(item.path, number))
                    container.create(path, self.header(), reuse=item.reuse)
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
        )

    def splitting_program(self, file: OpenFile, note: Path, codec: str) -> str:
        """The command for a file with a size limit; what does not fit goes on in files of a wildcard."""
        room = max(file.room(), 0)
        item = file.specification
        if item not in self._templates:
            if not self._templates:
                return files.limited_program(file.path, room, note, codec)
            item = self._templates[0]
        capacity = item.size_limit - files.DIRECTORY_RESERVE - container.HEADER_BYTES
        return files.splitting_program(
            file.path,
            room,
            item.path,
            files.wildcard(Path(item.path).name) or "U",
            capacity if item.size_limit else _UNLIMITED,
            self.claims.folder / f"{self._templates.index(item)}_",
            note,
            codec,
            reuse=item.reuse,
        )

    def _claim_name(self, item: File, number: int) -> str:
        return f"{self._templates.index(item)}_{number}"

    def _claimed(self, item: File) -> list[Path]:
        prefix = f"{self._templates.index(item)}_"
        numbers = sorted(int(name[len(prefix) :]) for name in self.claims.taken() if name.startswith(prefix))
        return [Path(files.numbered(item.path, number)) for number in numbers]


def note_file() -> Path:
    """An empty temporary file that PostgreSQL's system user may write to."""
    handle, name = tempfile.mkstemp(prefix="localoracle-pieces-")
    os.fchmod(handle, 0o666)
    os.close(handle)
    return Path(name)
