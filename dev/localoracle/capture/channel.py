"""libpq connections on the event loop of the capture process: statements in pipelines, and the replication
stream.

A change is a few dozen microseconds of work, so what surrounds each statement counts: statements are prepared
once and sent in pipelines, one round trip each.
"""

from __future__ import annotations

import asyncio
import struct
import time
from collections.abc import Sequence
from contextlib import suppress

import psycopg
from psycopg import errors, pq
from psycopg.pq.abc import PGconn, PGresult

Command = tuple[bytes, Sequence[bytes | None], Sequence[int] | None]
"""A prepared statement's name, its values, and the formats of these (1: binary); without formats they are
text."""

_POSTGRES_EPOCH = 946_684_800
_XLOG_DATA, _KEEPALIVE = ord("w"), ord("k")
_HEADER = struct.Struct(">QQQ")
_STATUS = struct.Struct(">cQQQQB")


async def _connect(conninfo: str) -> PGconn:
    connection = await asyncio.to_thread(pq.PGconn.connect, conninfo.encode())
    if connection.status != pq.ConnStatus.OK:
        raise psycopg.OperationalError(connection.error_message.decode(errors="replace"))
    connection.nonblocking = 1
    return connection


class Channel:
    """One connection in pipeline mode. Not for concurrent use."""

    def __init__(self, connection: PGconn) -> None:
        self._connection = connection
        self._loop = asyncio.get_running_loop()
        self._prepared: dict[str, bytes] = {}
        self.process = connection.backend_pid

    @classmethod
    async def open(cls, conninfo: str) -> Channel:
        channel = cls(await _connect(conninfo))
        channel._connection.enter_pipeline_mode()
        return channel

    def close(self) -> None:
        self._connection.finish()

    async def prepare(self, sql: str) -> bytes:
        """The name of the prepared statement; parameters get the types that PostgreSQL infers."""
        name = self._prepared.get(sql)
        if name is None:
            name = b"s%d" % len(self._prepared)
            self._connection.send_prepare(name, sql.encode())
            await self._finish(1)
            self._prepared[sql] = name
        return name

    async def execute(self, sql: str, values: Sequence[bytes | None] = ()) -> PGresult:
        """One statement, not prepared."""
        self._connection.send_query_params(sql.encode(), values or None)
        return (await self._finish(1))[0]

    async def run(self, commands: Sequence[Command], *, binary: bool = False) -> list[PGresult]:
        """Prepared statements in one round trip; their results as text, or binary.

        Outside BEGIN they are one transaction. Raises the first error; what was outside BEGIN is undone then.
        """
        send = self._connection.send_query_prepared
        for name, values, formats in commands:
            send(name, values, formats, int(binary))
        return await self._finish(len(commands))

    async def copy(self, sql: str, rows: Sequence[bytes]) -> None:
        """COPY FROM STDIN, a transaction of its own; `rows` are what is sent, in the format that `sql`
        names."""
        connection = self._connection
        # A COPY is not possible in a pipeline.
        connection.exit_pipeline_mode()
        try:
            connection.send_query(sql.encode())
            result = await self._next_result()
            if result is None or result.status != pq.ExecStatus.COPY_IN:
                self._check(result)
                raise psycopg.InterfaceError("no COPY")
            for row in rows:
                while connection.put_copy_data(row) == 0:
                    await self._flush()
            connection.put_copy_end()
            await self._flush()
            failed = None
            while (result := await self._next_result()) is not None:
                failed = failed or (result if result.status == pq.ExecStatus.FATAL_ERROR else None)
            self._check(failed)
        finally:
            if connection.status == pq.ConnStatus.OK:
                connection.enter_pipeline_mode()

    async def _finish(self, wanted: int) -> list[PGresult]:
        connection = self._connection
        connection.pipeline_sync()
        results: list[PGresult] = []
        failed: PGresult | None = None
        unsent = connection.flush()
        while True:
            if connection.is_busy():
                if unsent:
                    await self._ready(write=True)
                    connection.consume_input()
                    unsent = connection.flush()
                else:
                    await self._ready()
                    connection.consume_input()
                continue
            result = connection.get_result()
            if result is None:
                continue  # between two statements
            if result.status == pq.ExecStatus.PIPELINE_SYNC:
                break
            if result.status == pq.ExecStatus.FATAL_ERROR:
                failed = failed or result
            results.append(result)
        self._check(failed)
        assert len(results) == wanted
        return results

    async def _next_result(self) -> PGresult | None:
        await self._flush()
        while self._connection.is_busy():
            await self._ready()
            self._connection.consume_input()
        return self._connection.get_result()

    async def _flush(self) -> None:
        while self._connection.flush():
            await self._ready(write=True)
            self._connection.consume_input()

    @staticmethod
    def _check(result: PGresult | None) -> None:
        if result is not None and result.status == pq.ExecStatus.FATAL_ERROR:
            raise errors.error_from_result(result)

    async def _ready(self, *, write: bool = False) -> None:
        await _ready(self._loop, self._connection.socket, write=write)


async def _ready(loop: asyncio.AbstractEventLoop, descriptor: int, *, write: bool = False) -> None:
    """Wait until there is something to read (or, with `write`, room to write as well)."""
    waiter = loop.create_future()

    def wake() -> None:
        if not waiter.done():
            waiter.set_result(None)

    loop.add_reader(descriptor, wake)
    if write:
        loop.add_writer(descriptor, wake)
    try:
        await waiter
    finally:
        loop.remove_reader(descriptor)
        if write:
            loop.remove_writer(descriptor)


class Replication:
    """The stream of one logical replication slot. PostgreSQL sends no faster than it is read."""

    def __init__(self, connection: PGconn) -> None:
        self._connection = connection
        self._loop = asyncio.get_running_loop()
        self.process = connection.backend_pid
        self.received = 0
        """Log position up to which PostgreSQL has told everything that concerns the slot."""
        self.bytes = 0

    @classmethod
    async def open(cls, conninfo: str, slot: str, publication: str) -> Replication:
        """Begin where the slot was last confirmed. Raises psycopg.Error."""
        # A reader that is held up on purpose must not be taken for a dead one.
        connection = await _connect(f"{conninfo} replication=database options='-c wal_sender_timeout=0'")
        stream = cls(connection)
        connection.send_query(
            f"START_REPLICATION SLOT {slot} LOGICAL 0/0 (proto_version '1', "
            f"publication_names '{publication}', origin 'none')".encode()
        )
        while connection.flush():
            await _ready(stream._loop, connection.socket, write=True)
        while connection.is_busy():
            await _ready(stream._loop, connection.socket)
            connection.consume_input()
        result = connection.get_result()
        if result is None or result.status != pq.ExecStatus.COPY_BOTH:
            error = errors.error_from_result(result) if result else psycopg.OperationalError("no stream")
            connection.finish()
            raise error
        return stream

    def take(self) -> bytes | None:
        """A message that lies here already; None when there is none. Raises OperationalError at the end."""
        while True:
            length, data = self._connection.get_copy_data(1)
            if length == 0:
                return None
            if length < 0:
                raise psycopg.OperationalError(
                    "the replication stream ended: " + self._connection.error_message.decode(errors="replace")
                )
            kind = data[0]
            if kind == _XLOG_DATA:
                self.bytes += length
                return bytes(data[1 + _HEADER.size :])
            if kind == _KEEPALIVE:
                self.received = max(self.received, int.from_bytes(data[1:9], "big"))

    async def wait(self) -> None:
        """Until more has come."""
        await _ready(self._loop, self._connection.socket)
        self._connection.consume_input()

    async def confirm(self, position: int) -> None:
        """Everything before this log position need not be sent again, whatever happens."""
        microseconds = int((time.time() - _POSTGRES_EPOCH) * 1_000_000)
        self._connection.put_copy_data(_STATUS.pack(b"r", position, position, position, microseconds, 0))
        while self._connection.flush():
            await _ready(self._loop, self._connection.socket, write=True)

    def close(self) -> None:
        with suppress(psycopg.Error):
            self._connection.finish()
