"""Table data on its way between PostgreSQL and the dump files.

What comes first into an unlimited dump file PostgreSQL writes there itself, while a thread of this process
computes its checksum. Everything else goes through a named pipe, to PostgreSQL a file like any other; a
thread moves blocks between the pipe and the dump files, packs, unpacks and checks them as they pass.
No process is started. A server that dies closes its end of the pipe: PostgreSQL's COPY then fails, and with
it the transaction.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import select
import sys
import termios
import threading
import time
import uuid
import zlib
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, Protocol, TypeVar

from localoracle.datapump.checksum import Checksum
from localoracle.datapump.encryption import Damaged, Decrypter
from localoracle.errors import OracleError
from localoracle.instance.access import share
from localoracle.tasks import undisturbed

_Result = TypeVar("_Result")
Run = tuple[Path, int, int, int]
"""A run of bytes in a dump file: path, offset, length, checksum."""

Gate = Callable[[threading.Event], None]
"""Called before each block that is loaded; may block, ends early when the event is set."""

_PIPE = 1 << 20
_BLOCK = 1 << 18
_SMALL = 1 << 16
_PAUSE_SECONDS = 0.001
_FOLLOW_SECONDS = 0.01
_POLL_MILLISECONDS = 100
_THREADS = ThreadPoolExecutor(max_workers=256, thread_name_prefix="Data Pump")
"""One thread per running transfer; asyncio's own few are for LOBs of sessions."""

_LEVELS = {"LOW": 1, "BASIC": 1, "MEDIUM": 6, "HIGH": 9}
_GZIP = 16 + zlib.MAX_WBITS


class Sink(Protocol):
    """Takes what was unloaded; may block. An exception ends the unload."""

    def write(self, data: memoryview) -> None: ...

    def close(self) -> None: ...


class Stopped(Exception):
    """The COPY at the other end is over before all has passed."""


class _Thread(Generic[_Result]):
    """Work beside a COPY, in a thread, until the COPY is over."""

    def __init__(self) -> None:
        self._over = threading.Event()

    def _begin(self, work: Callable[[], _Result]) -> None:
        self._task = asyncio.get_running_loop().run_in_executor(_THREADS, work)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        # The thread must be done with the file before anybody else touches it.
        await undisturbed(asyncio.wait([self._task]))
        self._task.exception()

    async def finished(self) -> _Result:
        """After a COPY that has ended well."""
        self._over.set()
        return await self._task


class Transfer(_Thread[None]):
    """One end of a named pipe, served by a thread: `async with Transfer(...) as transfer`.

    Inside the block PostgreSQL copies to or from `path`. `await transfer.finished()` after the COPY waits
    for the thread and raises what it raised; leaving the block ends it in any case.
    """

    def __init__(self, folder: Path, work: Callable[[int, threading.Event], None], flags: int) -> None:
        super().__init__()
        self.path = folder / f"datapump-{uuid.uuid4().hex}"
        self._work = work
        self._flags = flags

    async def __aenter__(self) -> Transfer:
        os.mkfifo(self.path)
        share(self.path)
        self._end = os.open(self.path, self._flags | os.O_NONBLOCK | os.O_CLOEXEC)
        with suppress(OSError):
            fcntl.fcntl(self._end, fcntl.F_SETPIPE_SZ, _PIPE)
        self._begin(self._serve)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await super().__aexit__(kind, error, trace)
        self.path.unlink(missing_ok=True)  # a COPY that came late has made a file of its own

    async def run(self, copy: Coroutine[Any, Any, _Result]) -> _Result:
        """The COPY's outcome. A cancelled one may wait for this end of the pipe, deaf to every signal."""
        task = asyncio.ensure_future(copy)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            self._over.set()
            task.cancel()
            await undisturbed(asyncio.wait([task]))
            if not task.cancelled():
                task.exception()
            raise

    async def failure(self) -> BaseException | None:
        """After a COPY that has failed: what had ended the thread, if that was the cause."""
        self._over.set()
        await asyncio.wait([self._task])
        error = self._task.exception()
        return None if isinstance(error, Stopped) else error

    def _serve(self) -> None:
        try:
            self._work(self._end, self._over)
        finally:
            # In this order: PostgreSQL would wait for ever, deaf to every signal, if it opened a pipe whose
            # other end is closed. Without the name it fails; before that, this end lets it through.
            self.path.unlink(missing_ok=True)
            os.close(self._end)


class Following(_Thread[tuple[int, int]]):
    """Computes the checksum of a file that PostgreSQL writes: `async with Following(path) as following`.

    `finished` returns length and checksum.
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path

    async def __aenter__(self) -> Following:
        self._begin(self._follow)
        return self

    def _follow(self) -> tuple[int, int]:
        block = memoryview(bytearray(_BLOCK))
        length, total = 0, Checksum()
        while not self._path.exists() and not self._over.wait(_FOLLOW_SECONDS):
            pass
        with open(self._path, "rb", buffering=0) as file:
            while True:
                over = self._over.is_set()
                while count := file.readinto(block):
                    total.update(block[:count])
                    length += count
                if over:
                    return length, total.value()
                self._over.wait(_FOLLOW_SECONDS)


def unloading(folder: Path, sink: Sink) -> Transfer:
    """A transfer that hands what PostgreSQL writes to `sink`."""
    return Transfer(folder, lambda pipe, over: _drain(pipe, over, sink), os.O_RDONLY)


def loading(
    folder: Path, runs: list[Run], codec: str, key: bytes | None = None, gate: Gate | None = None
) -> Transfer:
    """A transfer from which PostgreSQL reads the runs of bytes, decrypted with `key` and unpacked.

    Its `finished` raises ORA-31619 when a run is not what was written.
    """
    # Opened for both directions so that opening does not wait for PostgreSQL.
    return Transfer(folder, lambda pipe, over: _feed(pipe, over, runs, codec, key, gate), os.O_RDWR)


def supplying(
    folder: Path, source: Callable[[Callable[[memoryview], None]], object], gate: Gate | None = None
) -> Transfer:
    """A transfer from which PostgreSQL reads what `source` sends; `source` runs in a thread and may block.

    Before it comes a line, for COPY's HEADER to skip. An exception of `source` ends the stream early and is
    what `finished` raises.
    """
    return Transfer(folder, lambda pipe, over: _supply(pipe, over, source, gate), os.O_RDWR)


def _supply(
    pipe: int,
    over: threading.Event,
    source: Callable[[Callable[[memoryview], None]], object],
    gate: Gate | None,
) -> None:
    def send(data: memoryview) -> None:
        if gate is not None:
            gate(over)
        _send(pipe, over, data)

    try:
        # Where there are no rows, only this tells that PostgreSQL has opened the pipe.
        _send(pipe, over, memoryview(b"\n"))
        source(send)
    finally:
        _await_reader(pipe, over)


def _await_reader(pipe: int, over: threading.Event) -> None:
    # Closed before PostgreSQL has opened it, the pipe would lose what is in it and block PostgreSQL.
    while _waiting(pipe) and not over.is_set():
        time.sleep(_PAUSE_SECONDS)


def _drain(pipe: int, over: threading.Event, sink: Sink) -> None:
    poll = select.poll()
    poll.register(pipe, select.POLLIN)
    block = memoryview(bytearray(_BLOCK))
    filled = 0
    while True:
        events = poll.poll(_POLL_MILLISECONDS)
        if not events:
            if over.is_set():
                raise Stopped
            continue
        # Linux reports a hang-up only after a writer has been there.
        if not events[0][1] & select.POLLIN:
            break
        count = os.readv(pipe, [block[filled:]])
        if count == 0:
            break
        filled += count
        if filled == _BLOCK:
            sink.write(block)
            filled = 0
        elif count < _SMALL:
            # Small rows: let more of them gather than to wake for each.
            time.sleep(_PAUSE_SECONDS)
    if filled:
        sink.write(block[:filled])
    sink.close()


def _feed(
    pipe: int, over: threading.Event, runs: list[Run], codec: str, key: bytes | None, gate: Gate | None
) -> None:
    try:
        _feed_runs(pipe, over, runs, codec, key, gate)
    except OracleError:
        # What is damaged must not look whole; and one byte more than that tells when it was fetched.
        _send(pipe, over, memoryview(b"\0"))
        raise
    finally:
        _await_reader(pipe, over)


def _feed_runs(
    pipe: int,
    over: threading.Event,
    runs: list[Run],
    codec: str,
    key: bytes | None,
    gate: Gate | None,
) -> None:
    unpack = zlib.decompressobj(_GZIP) if codec else None
    decrypter = Decrypter(key) if key is not None else None
    block = memoryview(bytearray(_BLOCK))
    for path, offset, length, expected in runs:
        total = Checksum()
        with open(path, "rb", buffering=0) as file:
            file.seek(offset)
            while length:
                count = file.readinto(block[: min(length, _BLOCK)])
                if not count:
                    raise damaged(path)
                total.update(block[:count])
                length -= count
                data = block[:count]
                try:
                    if decrypter is not None:
                        data = memoryview(decrypter.feed(data))
                    if unpack is not None:
                        data = memoryview(unpack.decompress(data))
                except (zlib.error, Damaged):
                    raise damaged(path) from None
                if gate is not None:
                    gate(over)
                _send(pipe, over, data)
        if total.value() != expected:
            raise damaged(path)
    try:
        if decrypter is not None:
            decrypter.finish()
    except Damaged:
        raise damaged(runs[-1][0]) from None


def _waiting(pipe: int) -> int:
    """Bytes in the pipe."""
    return int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder)


def check(runs: list[Run]) -> OracleError | None:
    """ORA-31619 for the first run of bytes that is not what was written; blocks."""
    for path, offset, length, expected in runs:
        total = Checksum()
        with open(path, "rb") as file:
            file.seek(offset)
            while block := file.read(min(length, _BLOCK)):
                total.update(block)
                length -= len(block)
        if length or total.value() != expected:
            return damaged(path)
    return None


def _send(pipe: int, over: threading.Event, data: memoryview) -> None:
    poll = select.poll()
    poll.register(pipe, select.POLLOUT)
    while data:
        try:
            data = data[os.write(pipe, data) :]
        except BlockingIOError:
            if not poll.poll(_POLL_MILLISECONDS) and over.is_set():
                raise Stopped from None


class Packer:
    """Packs what passes with gzip before it goes on to another sink."""

    def __init__(self, sink: Sink, codec: str) -> None:
        self._sink = sink
        self._pack = zlib.compressobj(_LEVELS[codec], zlib.DEFLATED, _GZIP)

    def write(self, data: memoryview) -> None:
        self._sink.write(memoryview(self._pack.compress(data)))

    def close(self) -> None:
        self._sink.write(memoryview(self._pack.flush()))
        self._sink.close()


def damaged(path: Path) -> OracleError:
    return OracleError(31619, f'invalid dump file "{path}"')
