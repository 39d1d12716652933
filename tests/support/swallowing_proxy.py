"""A network before a server that at a chosen moment carries nothing any more, without telling anybody.

    with SwallowingProxy(database.port) as network:
        connect(network.port)
        network.swallow()   # from now on neither end hears of the other; connections stay open, new ones open
        network.resume()    # what was sent meanwhile arrives, as TCP would send it again
        network.reset()     # both ends of every connection are told that it has ended

What it cannot do: the kernel of this machine still acknowledges what is sent to it, also keep-alive probes.
So it tries limits of calls and connects; a peer that acknowledges nothing needs a network of its own.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
import threading
from types import TracebackType

RESET = struct.pack("ii", 1, 0)
"""SO_LINGER that makes a close a reset."""


class SwallowingProxy:
    """Passes any number of connections on to `port` of this machine, from a port of its own."""

    def __init__(self, port: int, address: str = "127.0.0.1") -> None:
        self._server_port = port
        self._listener = socket.create_server((address, 0), backlog=512)
        self.port = int(self._listener.getsockname()[1])
        self.swallowing = threading.Event()
        """Set as soon as nothing passes any more."""
        self._word: bytes | None = None
        self._arrives = False
        self._loop = asyncio.new_event_loop()
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._open: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> SwallowingProxy:
        self._thread.start()
        self._call(asyncio.start_server(self._serve, sock=self._listener))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._call(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(60)
        assert not self._thread.is_alive()
        self._loop.close()
        self._listener.close()

    def swallow(self) -> None:
        """From now on nothing passes, in neither direction."""
        self._call(self._set(False))

    def swallow_at(self, word: bytes, *, arrives: bool = False) -> None:
        """The same as soon as a client sends something that contains `word`.

        :param arrives: whether that still reaches the server, so that only the answer is lost.
        """
        self._word, self._arrives = word, arrives

    def resume(self) -> None:
        """Everything passes again, first what was sent meanwhile."""
        self._word = None
        self._call(self._set(True))

    def reset(self) -> None:
        """End every connection at both ends, as a router does that has forgotten it; nothing more arrives."""
        self._call(self._reset())

    @property
    def connections(self) -> int:
        """How many clients are connected and passed on."""
        return len(self._open) // 2

    def _call(self, work: object) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(60)  # type: ignore[arg-type]

    async def _set(self, flowing: bool) -> None:
        if flowing:
            self.swallowing.clear()
            self._flowing.set()
        else:
            self._flowing.clear()
            self.swallowing.set()

    async def _reset(self) -> None:
        for writer in list(self._open):
            ended = writer.get_extra_info("socket")
            with contextlib.suppress(OSError):
                ended.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            writer.transport.abort()
        for task in list(self._tasks):
            task.cancel()

    async def _close(self) -> None:
        await self._reset()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self._open.add(writer)
        server: asyncio.StreamWriter | None = None
        try:
            await self._flowing.wait()
            answers, server = await asyncio.open_connection("127.0.0.1", self._server_port)
            self._open.add(server)
            await asyncio.gather(self._pump(reader, server, True), self._pump(answers, writer, False))
        except (OSError, asyncio.CancelledError):
            pass
        finally:
            self._tasks.discard(task)
            for each in (writer, server):
                if each is not None:
                    self._open.discard(each)
                    each.transport.abort()

    async def _pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, sent: bool) -> None:
        while data := await source.read(65_536):
            if sent and self._word is not None and self._word in data:
                self._word = None
                if self._arrives and self._flowing.is_set():
                    sink.write(data)
                    data = b""
                await self._set(False)
            await self._flowing.wait()
            sink.write(data)
            await sink.drain()
        await self._flowing.wait()
        if sink.can_write_eof():
            sink.write_eof()
