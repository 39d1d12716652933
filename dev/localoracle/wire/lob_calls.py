"""LOB operations: length, read, write, trim, temporary LOBs, open and close."""

from __future__ import annotations

from localoracle.errors import OracleError
from localoracle.instance.character_set import converted
from localoracle.lobs.bfile import bfilename
from localoracle.lobs.lob import FileLob, Lob, TemporaryLob
from localoracle.session import row_lobs
from localoracle.session.session import Session
from localoracle.values import OracleType
from localoracle.wire import lob_files, messages, requests, text_units
from localoracle.wire.buffer import Reader, lv, sb, u8, ub
from localoracle.wire.channel import Channel, Disconnected
from localoracle.wire.requests import LobRequest, read_lob
from localoracle.wire.values import LOB_CHUNK


async def operate(channel: Channel, session: Session) -> None:
    """Function 96."""
    request = await channel.read(read_lob)
    operation = request.operation
    failed: OracleError | None = None
    writes = request.operation == requests.LOB_WRITE
    if request.sends_amount and writes:
        request.amount = await channel.read(lambda reader: reader.ub())
    if writes:
        await channel.read(_expect_data)
        file = session.lobs.find(request.locator)
        if isinstance(file, FileLob):
            failed = await lob_files.receive(channel, file, request.source_offset)
        else:
            request.data = await channel.read(_data)
    if request.sends_amount and not writes:
        request.amount = await channel.read(lambda reader: reader.ub())
    if request.operation == requests.LOB_CREATE_TEMPORARY:
        _create_temporary(channel, session, request)
        return
    if failed is not None:
        raise failed
    renamed = session.lobs.renamed(request.locator)
    if renamed is not None:
        session.lobs.replace(request.locator, await bfilename(session, *renamed))
    lob = session.lobs.get(request.locator)
    if operation in (requests.LOB_WRITE, requests.LOB_TRIM):
        lob = await row_lobs.writable(session, request.locator) or lob
    head = b""
    tail = b""
    if operation == requests.LOB_LENGTH:
        request.amount = await text_units.size(lob)
    elif operation == requests.LOB_READ and isinstance(lob, FileLob) and request.amount >= lob_files.SMALLEST:
        request.amount = await lob_files.send(channel, lob, request.source_offset, request.amount)
    elif operation == requests.LOB_READ:
        data, request.amount = await text_units.read(lob, request.source_offset, request.amount)
        if data:
            head = u8(messages.LOB_DATA) + lv(_to_wire(lob, data))
    elif operation == requests.LOB_WRITE:
        if not isinstance(lob, FileLob):
            await text_units.write(lob, request.source_offset, _from_wire(lob, request.data))
    elif operation == requests.LOB_TRIM:
        await lob.trim(await text_units.characters(lob, request.amount))
    elif operation == requests.LOB_CHUNK_SIZE:
        request.amount = LOB_CHUNK
    elif operation in (requests.LOB_OPEN, requests.LOB_FILE_OPEN):
        if lob.opened:
            raise OracleError(22293, "LOB already opened in the same transaction")
        if isinstance(lob, FileLob):
            await lob.size()
        lob.opened = True
    elif operation in (requests.LOB_CLOSE, requests.LOB_FILE_CLOSE):
        if not lob.opened:
            raise OracleError(22289, "cannot perform CLOSE operation on an unopened file or LOB")
        lob.opened = False
    elif operation in (requests.LOB_IS_OPEN, requests.LOB_FILE_IS_OPEN):
        tail = u8(int(lob.opened))
    elif operation == requests.LOB_FILE_EXISTS:
        tail = u8(int(isinstance(lob, FileLob) and lob.exists()))
    else:
        raise OracleError(3001, f"unimplemented feature: LOB operation {operation:#x}")
    _answer(channel, session, head, request.locator, request, tail)


def _expect_data(reader: Reader) -> None:
    if reader.u8() != messages.LOB_DATA:
        raise Disconnected("LOB data expected")


def _data(reader: Reader) -> bytes:
    return reader.long_value() or b""


def _answer(
    channel: Channel, session: Session, head: bytes, locator: bytes, request: LobRequest, tail: bytes = b""
) -> None:
    amount = sb(request.amount) if request.sends_amount else b""
    channel.write(
        head
        + u8(messages.PARAMETER)
        + locator
        + amount
        + tail
        + messages.status_record(messages.CallStatus(channel.call, session.transaction.is_open))
    )


def _create_temporary(channel: Channel, session: Session, request: LobRequest) -> None:
    if request.destination_offset not in (OracleType.CLOB, OracleType.BLOB):
        raise OracleError(3001, f"unimplemented feature: temporary LOB of type {request.destination_offset}")
    kind = OracleType(request.destination_offset)
    national = request.charset == messages.NATIONAL_CHARSET
    locator = session.lobs.add(TemporaryLob(kind, national and kind is OracleType.CLOB))
    amount = sb(request.amount) if request.sends_amount else b""
    channel.write(
        u8(messages.PARAMETER)
        + locator.ljust(len(request.locator), b"\0")
        + ub(request.charset)
        + amount
        + (b"\0" if request.wants_flag else b"")
        + messages.status_record(messages.CallStatus(channel.call, session.transaction.is_open))
    )


def _to_wire(lob: Lob, data: bytes | str) -> bytes:
    if isinstance(data, bytes):
        return data
    return data.encode("utf-16-be" if lob.national else "utf-8")


def _from_wire(lob: Lob, data: bytes) -> bytes | str:
    if not lob.is_text:
        return data
    return data.decode("utf-16-be") if lob.national else converted(data.decode())
