"""A proxy between a client and the stand-in that spoils what the client sends."""

from __future__ import annotations

import contextlib
import select
import socket
import threading
from collections.abc import Callable
from types import TracebackType

from support.waiting import PATIENCE

IDLE_SECONDS = 0.4
"""A conversation that was spoiled and stands still is over: client and server wait for each other."""

Spoil = Callable[[int, bytes], bytes | None]
"""(position in what the client sends, bytes) -> what is passed on; None ends the connection there."""


class Proxy:
    """Serves one connection to `port` on a port of its own."""

    def __init__(self, port: int, spoil: Spoil = lambda position, data: data) -> None:
        self._target = port
        self._spoil = spoil
        self.spoiled = False
        self.sent = 0
        self._listener = socket.socket()
        self._listener.bind(("127.0.0.1", 0))
        self._listener.listen(1)
        self.port = int(self._listener.getsockname()[1])
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> Proxy:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._listener.close()
        self._thread.join(60)
        assert not self._thread.is_alive()

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            client, _ = self._listener.accept()
            with client, socket.create_connection(("127.0.0.1", self._target)) as server:
                self._forward(client, server)

    def _forward(self, client: socket.socket, server: socket.socket) -> None:
        while True:
            ready, _, _ = select.select([client, server], [], [], IDLE_SECONDS if self.spoiled else PATIENCE)
            if not ready:
                return
            for source in ready:
                data = source.recv(65_536)
                if not data:
                    return
                if source is server:
                    client.sendall(data)
                    continue
                passed = self._spoil(self.sent, data)
                self.sent += len(data)
                self.spoiled = self.spoiled or passed != data
                if passed is None:
                    return
                server.sendall(passed)
