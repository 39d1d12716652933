"""What a client and the server agree on before the login: service, packet sizes, capabilities, data types.

Clients differ in what they send here, and what they read depends on the server's capabilities; so everything
that depends on the client follows from its own bytes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from localoracle.wire import messages
from localoracle.wire.buffer import Reader, lv
from localoracle.wire.channel import ACCEPT, CONNECT, REFUSE, SDU, SMALLEST_SDU, Channel, Disconnected
from localoracle.wire.dialect import Dialect

if TYPE_CHECKING:
    from localoracle.server.database import Database

TNS_VERSION = 315
_ACCEPT_LENGTH = 41
"""Bytes of an ACCEPT packet of that version, up to its compression flag."""
_TDU = 2 << 20
_SHORT_SDU, _LONG_SDU = 6, 50
"""Places in a CONNECT packet behind its header."""
_NO_NATIVE_NETWORK_ENCRYPTION = 0x04
_NAME = re.compile(r"\(\s*(SERVICE_NAME|SID)\s*=\s*([^)]*?)\s*\)", re.IGNORECASE)

_BANNER = b"localoracle: stand-in for development"
"""At most 47 bytes: no client keeps room for more."""

# Places in the compile-time capabilities.
_SQL_VERSION, _LOGON_TYPES, _FIELD_VERSION, _DEFINE_CONVERSION = 0, 4, 7, 8
_TTC1, _OCI1, _TDS_VERSION, _RPC_VERSION, _RPC_SIGNATURE, _DBF_VERSION = 15, 16, 17, 18, 19, 21
_LOB, _TTC2, _WIDE_TYPES, _TTC3 = 23, 26, 27, 37
_COMPILE_CAPABILITIES = 42
_TIME_ZONE_VERSION = 0x02
"""In _TTC3: the version of the time zone file follows the time zone."""

_SERVER_CAPABILITIES = {
    _SQL_VERSION: 6,
    _LOGON_TYPES: 0x02 | 0x08 | 0x20 | 0x40 | 0x80,  # O5LOGON, with a 12c verifier, long names and passwords
    _FIELD_VERSION: 7,  # 12.1
    _DEFINE_CONVERSION: 1,
    _TTC1: 0x01 | 0x08 | 0x20,  # end of call status, indicators, bit vectors
    _OCI1: 0x01 | 0x10 | 0x80,  # sequence number in the status, session attributes, application contexts
    _TDS_VERSION: 3,
    _RPC_VERSION: 7,
    _RPC_SIGNATURE: 3,
    _DBF_VERSION: 1,
    _LOB: 0x01 | 0x02 | 0x08,  # sizes of 64 bits, character sets, temporary LOBs with their size
    _TTC2: 0x04,
    _WIDE_TYPES: 1,
    _TTC3: 0x10 | 0x20 | 0x80,  # implicit results, chunks of any length, OUT binds in order
}

_CONVERTED_LENGTHS = 0x02
"""In a client's encoding flags: texts have their length before them even where it was announced."""

# Places in the run-time capabilities.
_COMPATIBLE, _TIME_ZONE, _TTC = 0, 1, 6
_SENDS_TIME_ZONE = 0x01
_STRINGS_32K = 0x04
_RUN_TIME_CAPABILITIES = bytes((2, _SENDS_TIME_ZONE, 0, 0, 0, 0, _STRINGS_32K))
_TIME_ZONE_LENGTH = 11
_DATABASE_TIME_ZONE = b"\x80\0\0\0\x3c\x3c\x3c\x80\0\0\0"
"""DBTIMEZONE as an INTERVAL DAY TO SECOND: +00:00."""


_SB1 = 27
_UNIVERSAL = 1


class Refused(Exception):
    """The listener or the login refused the client; the answer has been sent."""


async def connect(channel: Channel, database: Database) -> Dialect:
    """TNS connect, protocol and data type negotiation. Raises Refused for an unknown service."""
    kind, body = await channel.packet()
    if kind != CONNECT:
        raise Disconnected("not a TNS connect packet")
    length, offset = int.from_bytes(body[16:18], "big"), int.from_bytes(body[18:20], "big") - 8
    if offset + length > len(body):
        text = (await channel.read(lambda reader: reader.raw(length))).decode(errors="replace")
    else:
        text = body[offset : offset + length].decode(errors="replace")
    _check_service(channel, database, text)
    channel.sdu = min(max(_wanted_sdu(body, offset), SMALLEST_SDU), SDU)
    channel.send_packet(ACCEPT, _accept(channel.sdu))
    channel.use_wide_lengths()
    await channel.read(_read_protocol)
    channel.write(_protocol_answer())
    dialect = await channel.read(_read_data_types)
    channel.reader.dialect = dialect
    time_zone = _DATABASE_TIME_ZONE if dialect.time_zone else b""
    channel.write(bytes((messages.DATA_TYPES,)) + time_zone + b"\0\0")
    return dialect


def _check_service(channel: Channel, database: Database, text: str) -> None:
    match = _NAME.search(text)
    wanted = match[2].upper() if match else ""
    if wanted.split(".")[0] == database.instance.service_name:
        return
    code = 12505 if match and match[1].upper() == "SID" else 12514
    stack = f"(ERROR_STACK=(ERROR=(CODE={code})(EMFI=4)))"
    reason = f"(DESCRIPTION=(TMP=)(VSNNUM=318767104)(ERR={code}){stack})".encode()
    channel.send_packet(REFUSE, b"\0\0" + len(reason).to_bytes(2, "big") + reason)
    raise Refused(f"ORA-{code:05d}")


def _wanted_sdu(body: bytes, data_offset: int) -> int:
    """The largest packet that the client asks for: clients of that version say it in 32 bits as well."""
    if data_offset >= _LONG_SDU + 4 and (wide := int.from_bytes(body[_LONG_SDU : _LONG_SDU + 4], "big")):
        return wide
    return int.from_bytes(body[_SHORT_SDU : _SHORT_SDU + 2], "big")


def _accept(sdu: int) -> bytes:
    short_sdu = min(sdu, 0xFFFF).to_bytes(2, "big")
    return b"".join(
        (
            TNS_VERSION.to_bytes(2, "big"),
            bytes(2),
            short_sdu * 2,
            b"\0\x01",
            bytes(2),
            _ACCEPT_LENGTH.to_bytes(2, "big"),
            bytes((_NO_NATIVE_NETWORK_ENCRYPTION, 0)),
            bytes(8),
            sdu.to_bytes(4, "big"),
            _TDU.to_bytes(4, "big"),
            b"\0",
        )
    )


def _read_protocol(reader: Reader) -> None:
    if reader.u8() != messages.PROTOCOL:
        raise Disconnected("protocol negotiation expected")
    while reader.u8():
        pass
    while reader.u8():
        pass


def _protocol_answer() -> bytes:
    """TTC field version 7 (12.1), 32K strings, AL32UTF8."""
    compile_capabilities = bytearray(_COMPILE_CAPABILITIES)
    for place, value in _SERVER_CAPABILITIES.items():
        compile_capabilities[place] = value
    national = bytes(9) + messages.NATIONAL_CHARSET.to_bytes(2, "big")
    return b"".join(
        (
            bytes((messages.PROTOCOL, 6, 0)),
            _BANNER,
            b"\0",
            messages.CHARSET.to_bytes(2, "little"),
            b"\0",
            b"\0\0",
            len(national).to_bytes(2, "big"),
            national,
            lv(bytes(compile_capabilities)),
            lv(_RUN_TIME_CAPABILITIES),
        )
    )


def _read_data_types(reader: Reader) -> Dialect:
    if reader.u8() != messages.DATA_TYPES:
        raise Disconnected("data type negotiation expected")
    reader.skip(4)
    flags = reader.u8()
    compile_capabilities = reader.lv() or b""
    run_time_capabilities = reader.lv() or b""
    time_zone = bool(_capability(run_time_capabilities, _TIME_ZONE) & _SENDS_TIME_ZONE)
    if time_zone:
        reader.skip(_TIME_ZONE_LENGTH)
        if _capability(compile_capabilities, _TTC3) & _TIME_ZONE_VERSION:
            reader.skip(4)
    representations = _read_representations(reader)
    return Dialect(time_zone, not flags & _CONVERTED_LENGTHS, representations.get(_SB1) == _UNIVERSAL)


def _read_representations(reader: Reader) -> dict[int, int]:
    """How the client represents each data type that it knows."""
    representations = {}
    number = reader.u16()
    if number == int.from_bytes(messages.NATIONAL_CHARSET.to_bytes(2, "little"), "big"):
        number = reader.u16()  # that was the national character set, not a type
    while number:
        if reader.u16():
            representations[number] = reader.u16()
            reader.skip(2)
        number = reader.u16()
    return representations


def _capability(capabilities: bytes, place: int) -> int:
    return capabilities[place] if place < len(capabilities) else 0
