"""Markers in every order: the client gets one break marker, one reset marker and one error record."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from types import SimpleNamespace

import pytest

from localoracle.wire import breaks
from localoracle.wire.breaks import Breaks
from localoracle.wire.channel import BREAK, DATA, INTERRUPT, MARKER, RESET, Channel

REQUEST = b"\x03\x93\x01"
RECORD = b"cancelled"
ANSWER = b"the answer"
CANCELLED = [(MARKER, BREAK), (MARKER, RESET), (DATA, RECORD)]


class Wire(asyncio.Transport):
    """What the server writes, packet by packet."""

    def __init__(self) -> None:
        super().__init__({"socket": SimpleNamespace(setsockopt=lambda *_: None)})
        self.packets: list[tuple[int, bytes | int]] = []

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        pass

    def is_closing(self) -> bool:
        return False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        kind, body = data[4], bytes(data[8:])
        self.packets.append((kind, body[2] if kind == MARKER else body[2:]))


class Client:
    def __init__(self) -> None:
        self.wire = Wire()
        self.channel = Channel(lambda channel: None)
        self.channel.connection_made(self.wire)
        self.channel.use_wide_lengths()
        self.cancelled = 0
        self.breaks = Breaks(self.channel, self._cancel, lambda: RECORD)
        self.channel.on_break = self.breaks.marker

    def _cancel(self) -> None:
        self.cancelled += 1

    def send(self, *packets: int | bytes) -> None:
        """Markers and requests, in one piece."""
        data = b""
        for packet in packets:
            kind, body = (
                (MARKER, bytes((1, 0, packet))) if isinstance(packet, int) else (DATA, b"\0\0" + packet)
            )
            data += (len(body) + 8).to_bytes(4, "big") + bytes((kind, 0, 0, 0)) + body
        self.channel.get_buffer(0)[: len(data)] = data
        self.channel.buffer_updated(len(data))

    def begin_call(self) -> None:
        self.breaks.running = True

    def end_call(self, answer: bytes = b"") -> None:
        if answer:
            self.channel.write(answer)
        self.breaks.running = False
        self.breaks.call_over()

    async def later(self) -> None:
        await asyncio.sleep(3 * breaks.ANSWER_SECONDS)

    @property
    def unread(self) -> bytes:
        self.channel.reader.collect()
        return bytes(self.channel.reader.data)


async def _in_a_call(client: Client) -> None:
    client.begin_call()
    client.send(INTERRUPT)
    assert client.cancelled == 1
    client.end_call()
    await client.later()
    client.send(RESET)


async def _break_and_reset_at_once_in_a_call(client: Client) -> None:
    client.begin_call()
    client.send(BREAK, RESET)
    assert client.cancelled == 1
    assert client.wire.packets == []
    client.end_call()


async def _reset_while_the_call_is_ending(client: Client) -> None:
    client.begin_call()
    client.send(INTERRUPT)
    client.send(RESET)
    client.end_call()


async def _twice_in_a_call(client: Client) -> None:
    client.begin_call()
    client.send(INTERRUPT, INTERRUPT)
    client.send(INTERRUPT)
    assert client.cancelled == 1
    client.end_call()
    client.send(INTERRUPT)
    await client.later()
    client.send(INTERRUPT, RESET)


async def _reset_alone_in_a_call(client: Client) -> None:
    client.begin_call()
    client.send(RESET)
    assert client.cancelled == 1
    client.end_call()


async def _when_nothing_runs(client: Client) -> None:
    client.send(INTERRUPT)
    await client.later()
    client.send(RESET)


async def _break_and_reset_at_once_when_nothing_runs(client: Client) -> None:
    client.send(BREAK, RESET)


async def _before_a_request_that_was_already_on_its_way(client: Client) -> None:
    client.send(INTERRUPT, REQUEST)
    await client.later()
    client.send(REQUEST)
    client.send(RESET)


async def _behind_a_request_that_is_not_read_yet(client: Client) -> None:
    client.send(REQUEST, INTERRUPT)
    await client.later()
    client.send(RESET)


@pytest.mark.parametrize(
    "order",
    [
        _in_a_call,
        _break_and_reset_at_once_in_a_call,
        _reset_while_the_call_is_ending,
        _twice_in_a_call,
        _reset_alone_in_a_call,
        _when_nothing_runs,
        _break_and_reset_at_once_when_nothing_runs,
        _before_a_request_that_was_already_on_its_way,
        _behind_a_request_that_is_not_read_yet,
    ],
    ids=lambda order: order.__name__.strip("_"),
)
def test_one_break_one_reset_one_record(order: Callable[[Client], Awaitable[None]]) -> None:
    async def run() -> None:
        client = Client()
        await order(client)
        await client.later()
        assert client.wire.packets == CANCELLED
        assert client.unread == b""
        client.send(REQUEST)
        assert client.unread == REQUEST

    asyncio.run(run())


def test_a_call_that_ends_by_itself_is_answered_and_its_break_too() -> None:
    """A client that has interrupted waits for our break marker, though it has its answer."""

    async def run() -> None:
        client = Client()
        client.begin_call()
        client.send(INTERRUPT)
        client.end_call(ANSWER)
        await client.later()
        client.send(RESET)
        assert client.wire.packets == [(DATA, ANSWER), *CANCELLED]

    asyncio.run(run())


def test_the_break_marker_is_withheld_for_a_moment() -> None:
    """The client's thread that interrupts must be back from its write."""

    async def run() -> None:
        client = Client()
        client.send(INTERRUPT)
        await asyncio.sleep(breaks.ANSWER_SECONDS / 2)
        assert client.wire.packets == []
        await client.later()
        assert client.wire.packets == [(MARKER, BREAK)]

    asyncio.run(run())


def test_a_client_that_is_gone_is_not_written_to() -> None:
    async def run() -> None:
        client = Client()
        client.send(INTERRUPT)
        client.channel.connection_lost(None)
        client.wire.is_closing = lambda: True  # type: ignore[method-assign]
        await client.later()
        assert client.wire.packets == []

    asyncio.run(run())
