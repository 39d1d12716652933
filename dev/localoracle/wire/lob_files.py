"""LOB data from and to files of the database's host, without copies on the way.

A read is made up in one buffer, packet headers between the bytes, piece by piece; a write goes to the file as
it arrives. Neither depends on the amount for its memory.
"""

from __future__ import annotations

import os

from localoracle.errors import OracleError
from localoracle.lobs.lob import FileLob
from localoracle.wire import messages
from localoracle.wire.buffer import u8, ub
from localoracle.wire.channel import SDU, Channel, data_header

_BUFFER = 16 * SDU
_LEAD = 16
"""Room for what stands before the bytes of a chunk."""
SMALLEST = 2 * SDU
"""Bytes of a read from which on this way is worth it."""


async def send(channel: Channel, lob: FileLob, offset: int, amount: int) -> int:
    """The LOB data of a read from the 1-based `offset`; the bytes that there are.

    :raises OracleError: ORA-22288 when the file has been truncated, ORA-21560 for an offset below 1.
    """
    if offset < 1 or amount < 0:
        raise OracleError(21560, "argument 3 is null, invalid, or out of range")
    descriptor = lob.readable()
    try:
        count = min(amount, max(os.fstat(descriptor).st_size - offset + 1, 0))
        if not count:
            return 0
        buffer, done = memoryview(bytearray(_BUFFER)), 0
        # With what stands before them they fill the packets of one buffer.
        chunk = _BUFFER // channel.sdu * channel.packet_room - _LEAD
        lead = u8(messages.LOB_DATA) + b"\xfe"
        while done < count:
            size = min(chunk, count - done)
            packets, places = _lay_out(buffer, channel.packet_room, lead + ub(size), size)
            if os.preadv(descriptor, places, offset - 1 + done) != size:
                channel.write(lead + b"\0")
                raise OracleError(22288, "file or LOB operation FILEREAD failed\nunexpected end of file")
            channel.write_packets(packets)
            await channel.drain()
            done, lead = done + size, b""
        channel.write(b"\0")
    finally:
        os.close(descriptor)
    return count


def _lay_out(
    buffer: memoryview, packet_room: int, lead: bytes, size: int
) -> tuple[memoryview, list[memoryview]]:
    """Data packets of `lead` and `size` bytes: the packets, and the places for the bytes within them."""
    places, end = [], 0
    while lead or size:
        room = min(packet_room, len(lead) + size)
        header = data_header(room) + lead
        start = end + len(header)
        buffer[end:start] = header
        end = start + room - len(lead)
        places.append(buffer[start:end])
        size, lead = size - (room - len(lead)), b""
    return buffer[:end], places


async def receive(channel: Channel, lob: FileLob, offset: int) -> OracleError | None:
    """Write LOB data to the file as it arrives; all of it is taken even if the file takes no more.

    Returns the error of the first write that failed.
    """
    failed: OracleError | None = None
    async for chunks in channel.chunks():
        if failed is None:
            try:
                lob.write_chunks(offset, chunks)
            except OracleError as error:
                failed = error
            offset += sum(map(len, chunks))
    return failed
