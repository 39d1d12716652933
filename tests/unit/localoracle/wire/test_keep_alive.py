"""A client whose host has vanished does not hold its session and its locks for ever."""

from __future__ import annotations

import asyncio
import socket

from localoracle.wire.channel import Channel


async def test_a_silent_client_is_probed() -> None:
    accepted: asyncio.Future[Channel] = asyncio.get_running_loop().create_future()
    server = await asyncio.get_running_loop().create_server(
        lambda: Channel(accepted.set_result), "127.0.0.1", 0
    )
    async with server:
        _, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        channel = await accepted
        assert channel._transport is not None
        client = channel._transport.get_extra_info("socket")
        assert client.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        seconds = [
            client.getsockopt(socket.IPPROTO_TCP, option)
            for option in (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT)
        ]
        assert seconds == [60, 6, 10]
        writer.close()
        channel.close()
