"""The socket of a client, on the event loop of the server."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvloop

from localoracle.wire.channel import Channel


@asynccontextmanager
async def connected() -> AsyncIterator[tuple[Channel, asyncio.StreamReader]]:
    loop = asyncio.get_running_loop()
    accepted: asyncio.Future[Channel] = loop.create_future()
    server = await loop.create_server(lambda: Channel(accepted.set_result), "127.0.0.1", 0)
    async with server:
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        channel = await accepted
        yield channel, reader
        writer.close()
        channel.close()


def test_silent_client_is_probed() -> None:
    """A client whose host is gone does not keep its session and locks forever."""

    async def probing() -> list[int]:
        async with connected() as (channel, _):
            assert channel._transport is not None
            client = channel._transport.get_extra_info("socket")
            assert client.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
            options = (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT)
            return [client.getsockopt(socket.IPPROTO_TCP, option) for option in options]

    assert uvloop.run(probing()) == [60, 6, 10]


def test_packets_whose_memory_is_reused_arrive_unchanged() -> None:
    """The socket has sent only part of them when the caller overwrites the memory."""
    size = 8 << 20

    async def received() -> bytes:
        memory = bytearray(size)
        async with connected() as (channel, reader):
            channel.write_packets(memoryview(memory))
            memory[:] = b"\xff" * size
            return await reader.readexactly(size)

    assert uvloop.run(received()) == bytes(size)
