"""A gateway before a database where conversations are held up at a chosen call, or cut."""

from __future__ import annotations

import contextlib
import socket
import threading
from types import TracebackType

SECONDS = 300.0
"""Nothing is held longer, so that a failing test ends."""


class Gateway:
    """Passes any number of connections on to `port`, from a port of its own."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._listener = socket.socket()
        self._listener.bind(("127.0.0.1", 0))
        self._listener.listen()
        self.port = int(self._listener.getsockname()[1])
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._word: bytes | None = None
        self._at: int | None = None
        self._counting = threading.Lock()
        self.messages = 0
        """What clients have sent so far."""
        self._go_on = threading.Event()
        self._drop = False
        self.holding = threading.Event()
        """Set as soon as a client's words are held up."""

    def __enter__(self) -> Gateway:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cut()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def hold(self, word: bytes = b"") -> None:
        """Hold up the next message of a client that contains `word`."""
        self._go_on.clear()
        self.holding.clear()
        self._word = word

    def hold_at(self, number: int) -> None:
        """Hold up the so-manyth message that clients send from now on, and all that come after it."""
        self._go_on.clear()
        self.holding.clear()
        with self._counting:
            self.messages, self._at = 0, number

    def release(self) -> None:
        """Let everything pass, also what was held up."""
        self._word = self._at = None
        self._go_on.set()

    def cut(self) -> None:
        """End every conversation; what is held up never arrives."""
        self._drop = True
        for pair in self._pairs:
            _end(pair)
        self.release()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                try:
                    server = socket.create_connection(("127.0.0.1", self._target))
                except OSError:
                    client.close()
                    continue
                pair = client, server
                self._pairs.append(pair)
                for source, sink in (pair, (server, client)):
                    threading.Thread(target=self._pump, args=(pair, source, sink), daemon=True).start()

    def _pump(
        self, pair: tuple[socket.socket, socket.socket], source: socket.socket, sink: socket.socket
    ) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65_536):
                if source is pair[0] and self._held(data):
                    self.holding.set()
                    self._go_on.wait(SECONDS)
                    if self._drop:
                        break
                sink.sendall(data)
        _end(pair)

    def _held(self, data: bytes) -> bool:
        with self._counting:
            self.messages += 1
            counted = self._at is not None and self.messages >= self._at
        return counted or (self._word is not None and self._word in data)


def _end(pair: tuple[socket.socket, socket.socket]) -> None:
    # Forked children hold these sockets too: closing alone would end nothing.
    for end in pair:
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
