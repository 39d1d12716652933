"""TNS packets on one socket: requests in, answers out, markers aside."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import AsyncIterator, Callable
from typing import TypeVar, cast

from localoracle.wire.buffer import Malformed, NeedMore, Reader

CONNECT, ACCEPT, REFUSE, DATA, MARKER, CONTROL = 1, 2, 4, 6, 12, 14
BREAK, RESET, INTERRUPT = 1, 2, 3
SDU = 65_536
"""Largest packet that is sent; a client may ask for smaller ones."""
SMALLEST_SDU = 512
END_OF_FILE = 0x0040
_HEADER = 8
_DATA_HEADER = _HEADER + 2
_INPUT = 256 << 10
"""Bytes taken from the socket at once."""
_PAUSE_READING = 8 << 20
_MAXIMUM_PACKET = 4 << 20
_MAXIMUM_CONTROL_PACKETS = 4
"""Packets other than data that may wait: a client sends one to connect."""
_MAXIMUM_MARKERS = 100
"""Markers from a client that takes no answers."""
LOGIN_LIMIT = 1 << 20
"""Bytes of one request before the login is through."""
REQUEST_LIMIT = (1 << 30) + (64 << 20)
"""Bytes of one request: PostgreSQL's longest value, and what comes with it."""
_SKIPPED_SECONDS = 0.1
"""How long the rest of a request that cannot be parsed is waited for."""
MALFORMED = (Malformed, ValueError, LookupError, struct.error, OverflowError)
"""What parsing raises for bytes that are no request."""
T = TypeVar("T")


def data_header(count: int) -> bytes:
    """What stands before `count` TTC bytes in a data packet."""
    return (count + _DATA_HEADER).to_bytes(4, "big") + b"\x06\0\0\0\0\0"


def _keep_alive(client: socket.socket) -> None:
    """Probe a client that is silent, as SQLNET.EXPIRE_TIME = 1 makes Oracle do: the session of one whose host
    has vanished ends, and with it what it holds (Net Services Reference 19c, "SQLNET.EXPIRE_TIME")."""
    client.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (("TCP_KEEPIDLE", 60), ("TCP_KEEPINTVL", 6), ("TCP_KEEPCNT", 10)):
        if hasattr(socket, name):
            client.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


class Disconnected(ConnectionError):
    """The client is gone, or sent what no client sends."""


class Channel(asyncio.BufferedProtocol):
    """One client's socket.

    Data packets are collected in `reader`; a break or a lost connection cancels the running call
    through `on_break` and `on_lost`, which are called from the event loop.
    """

    def __init__(self, serve: Callable[[Channel], None]) -> None:
        self.reader = Reader()
        self.on_break: Callable[[int], None] = lambda kind: None
        self.on_lost: Callable[[], None] = lambda: None
        self._serve = serve
        self._wide = False
        self._input = bytearray(_INPUT)
        self._filled = 0
        self._packets: list[tuple[int, bytes]] = []
        self._arrival = asyncio.Event()
        self._writable = asyncio.Event()
        self._writable.set()
        self._transport: asyncio.Transport | None = None
        self._held: list[bytes] | None = None
        self._unread = 0
        self._markers = 0
        self._paused = False
        self.request_limit = LOGIN_LIMIT
        self.sdu = SDU
        """The largest packet that this client takes."""
        self.call = 0
        """The client's number of the call that runs."""
        self.discarding = False
        """Between a break and the client's reset: what still comes is not for us."""
        self.closed = False

    # -- asyncio.BufferedProtocol ----------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transports do not derive from asyncio.Transport.
        self._transport = cast("asyncio.Transport", transport)
        self._transport.set_write_buffer_limits(high=4 * SDU)
        _keep_alive(transport.get_extra_info("socket"))
        self._serve(self)

    def connection_lost(self, error: Exception | None) -> None:
        self.closed = True
        self._arrival.set()
        self._writable.set()
        self.on_lost()

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._markers = 0
        self._writable.set()

    def get_buffer(self, sizehint: int) -> memoryview:
        return memoryview(self._input)[self._filled :]

    def buffer_updated(self, count: int) -> None:
        self._filled += count
        position, wanted = 0, _HEADER
        with memoryview(self._input) as arrived:
            while self._filled - position >= _HEADER:
                width = 4 if self._wide else 2
                length = int.from_bytes(arrived[position : position + width], "big")
                if not _HEADER <= length <= _MAXIMUM_PACKET:
                    self.close()
                    return
                if self._filled - position < length:
                    wanted = length
                    break
                kind = arrived[position + 4]
                self._packet(kind, bytes(arrived[position + _HEADER : position + length]))
                position += length
            rest = bytes(arrived[position : self._filled])
        self._filled = len(rest)
        if wanted > len(self._input):
            self._input = bytearray(wanted)
        self._input[: self._filled] = rest

    def _packet(self, kind: int, body: bytes) -> None:
        if kind == MARKER:
            self._markers += 1
            if self._markers > _MAXIMUM_MARKERS and not self._writable.is_set():
                self.close()  # it sends markers and takes no answers
                return
            self.on_break(body[2] if len(body) > 2 else BREAK)
        elif kind == DATA:
            flags = int.from_bytes(body[:2], "big")
            if len(body) > 2 and not self.discarding:
                self.reader.feed(body[2:])
                self._unread += len(body) - 2
                if self._unread > _PAUSE_READING and not self._paused and self._transport is not None:
                    self._paused = True
                    self._transport.pause_reading()
            if flags & END_OF_FILE:
                self.closed = True
            self._arrival.set()
        elif kind != CONTROL:
            if len(self._packets) >= _MAXIMUM_CONTROL_PACKETS:
                self.close()
                return
            self._packets.append((kind, body))
            self._arrival.set()

    # -- reading -----------------------------------------------------------------------------------------

    async def _wait(self) -> None:
        if self._paused and self._transport is not None:
            self._paused = False
            self._transport.resume_reading()
        if self.closed:
            raise Disconnected("the client closed the connection")
        self._arrival.clear()
        await self._arrival.wait()

    async def packet(self) -> tuple[int, bytes]:
        """The next packet that is neither data nor marker (connect)."""
        while not self._packets:
            await self._wait()
        return self._packets.pop(0)

    async def read(self, parse: Callable[[Reader], T]) -> T:
        """What `parse` makes of the request; it starts again when more bytes have arrived.

        Raises Disconnected for bytes that are no request: nothing after them can be trusted.
        """
        reader = self.reader
        while True:
            start = reader.position
            try:
                return parse(reader)
            except NeedMore:
                if not reader.inside_long_value:
                    reader.position = start
                await self.more()
            except MALFORMED as error:
                raise Disconnected(f"not a request: {error}") from error

    async def chunks(self) -> AsyncIterator[list[memoryview]]:
        """The bytes of a long value, as they arrive. Raises Disconnected for what is none."""
        while True:
            try:
                rest = self.reader.long_value()
            except NeedMore:
                arrived = self.reader.take_chunks()
                if arrived:
                    yield arrived
                await self.more()
                continue
            except MALFORMED as error:
                raise Disconnected(f"not a request: {error}") from error
            if rest:
                yield [memoryview(rest)]
            return

    async def more(self) -> None:
        """Wait until more of the request is there. Raises Disconnected when it is longer than any may be."""
        while not self.reader.collect():
            await self._wait()
        self._unread = len(self.reader.data)
        if self.reader.held > self.request_limit:
            raise Disconnected(f"a request of more than {self.request_limit} bytes")

    async def skip_request(self) -> None:
        """Forget the rest of a request that is understood no further.

        Its length is not known, but the client waits for an answer once it has sent all of it.
        """
        await asyncio.sleep(_SKIPPED_SECONDS)
        self.drop_input()

    def drop_input(self) -> None:
        self.reader.clear()
        self._unread = 0

    # -- writing -----------------------------------------------------------------------------------------

    def send_packet(self, kind: int, body: bytes) -> None:
        """One packet that is not data; up to ACCEPT the length has 16 bits."""
        if self._transport is None or self._transport.is_closing():
            return
        size = len(body) + _HEADER
        if self._wide:
            header = size.to_bytes(4, "big") + bytes((kind, 0, 0, 0))
        else:
            header = size.to_bytes(2, "big") + bytes((0, 0, kind, 0, 0, 0))
        self._transport.write(header + body)

    @property
    def packet_room(self) -> int:
        """TTC bytes of one data packet."""
        return self.sdu - _DATA_HEADER

    def use_wide_lengths(self) -> None:
        self._wide = True

    def send_marker(self, kind: int) -> None:
        self.send_packet(MARKER, bytes((1, 0, kind)))

    def hold(self) -> None:
        """Keep what is written from now on until `release`, or `drain` where there will be more."""
        self._held = []

    def release(self) -> None:
        held, self._held = self._held, None
        for data in held or ():
            self.write(data)

    def write(self, data: bytes) -> None:
        """TTC bytes, cut into data packets."""
        if self._held is not None:
            self._held.append(data)
            return
        if self._transport is None or self._transport.is_closing():
            return
        room = self.packet_room
        if len(data) <= room:
            self._transport.write(data_header(len(data)) + data)
            return
        pieces = []
        for start in range(0, len(data), room):
            piece = data[start : start + room]
            pieces.append(data_header(len(piece)))
            pieces.append(piece)
        self._transport.write(b"".join(pieces))

    def write_packets(self, packets: memoryview) -> None:
        """Whole data packets; the memory may be used again when this returns."""
        if self._transport is not None and not self._transport.is_closing():
            # uvloop, and asyncio since Python 3.12, keep unsent bytes without copying them.
            self._transport.write(bytes(packets))

    async def drain(self) -> None:
        """Wait until the client has taken most of what was written."""
        if self.closed:
            raise Disconnected("the client closed the connection")
        if self._held is not None:
            self.release()
            self.hold()
        await self._writable.wait()

    def close(self) -> None:
        self.closed = True
        self._arrival.set()
        if self._transport is not None:
            self._transport.close()
